"""Fair costs are known in tug of war: in proportion to strength."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.prices.fits import fair_costs as module
from balance.analysis.prices.fits.fair_costs import FairCosts, fair_costs
from balance.base.arrays import FloatArray
from balance.engine.runner import Engine, Runner
from balance.game.loaded import LoadedGame, load
from tests.tug import GAME, write_catalogue

SETTING = ArmySetting("lineup", ((100, 4), (200, 8)))
Parts = Sequence[tuple[str, float, int]]
BODIES: Parts = [("ant", 6, 60), ("ox", 20, 200), ("elk", 12, 130)]
TOOLS: Parts = [("rope", 4, 100), ("chain", 8, 150)]


def tug(folder: Path, bodies: Parts = BODIES, tools: Parts = TOOLS) -> LoadedGame:
    return load(GAME, write_catalogue(folder, bodies, tools))


def strengths(bodies: Parts = BODIES, tools: Parts = TOOLS) -> FloatArray:
    return np.array([body[2] * tool[2] / 100 for body in bodies for tool in tools])


def off(found: FairCosts, truth: FloatArray) -> FloatArray:
    """How many standard errors the logs are off, the common factor taken out."""
    logs = found.log_fair - np.log(truth)
    return np.asarray((logs - logs.mean()) / found.errors)


def test_costs_are_fair_in_proportion_to_what_members_are_worth(tmp_path: Path) -> None:
    found = fair_costs(Runner(tug(tmp_path)), SETTING, n_battles=6000)
    assert np.abs(off(found, strengths())).max() < 3.5
    assert found.errors.max() < 0.02
    assert found.entrants == ("ant+rope", "ant+chain", "ox+rope", "ox+chain", "elk+rope", "elk+chain")
    assert found.printed_costs.tolist() == [10, 14, 24, 28, 16, 20]
    assert found.n_battles == 4 * 16_384


def test_what_is_known_early_comes_nearer_and_changes_no_bit(tmp_path: Path) -> None:
    loaded, early = tug(tmp_path), list[FairCosts]()
    found = fair_costs(Runner(loaded), SETTING, 4, early=early.append)
    alone = fair_costs(Runner(loaded), SETTING, 4)
    assert found.log_fair.tolist() == alone.log_fair.tolist()
    assert found.covariance.tolist() == alone.covariance.tolist()
    assert [one.n_battles for one in early] == sorted(one.n_battles for one in early)
    assert len(early) >= 2
    assert early[-1].log_fair.tolist() == found.log_fair.tolist()
    assert np.all(early[-1].errors >= found.errors)
    assert early[0].errors.mean() > early[-1].errors.mean()
    assert np.abs(early[0].log_fair - found.log_fair).max() < 3 * early[0].errors.max()


def test_the_typical_member_keeps_its_cost(tmp_path: Path) -> None:
    found = fair_costs(Runner(tug(tmp_path)), SETTING)
    assert np.median(np.log(found.fair / found.printed_costs)) == pytest.approx(0, abs=1e-12)


def test_where_an_army_is_worth_what_it_spends_a_larger_budget_is_worth_half_the_steepness(tmp_path: Path) -> None:
    """d/dx of s^2 / (s^2 + 1) at 1 is 1/2, by the log of s; budgets off by up to 42 % flatten it to some .47."""
    found = fair_costs(Runner(tug(tmp_path)), SETTING, n_battles=6000)
    assert found.kappa == pytest.approx(np.full(6, 0.47), abs=0.06)


@pytest.mark.slow("test_the_typical_member_keeps_its_cost")
def test_the_numbers_do_not_hang_on_who_works_them_out(tmp_path: Path) -> None:
    loaded = tug(tmp_path)
    alone = fair_costs(Runner(loaded), SETTING, 3)
    with Runner(loaded, Engine("threads", 2)) as runner:
        together = fair_costs(runner, SETTING, 3)
    assert alone.log_fair.tolist() == together.log_fair.tolist()
    assert alone.covariance.tolist() == together.covariance.tolist()


@pytest.mark.slow("test_a_clone_has_the_same_fair_cost_to_the_last_bit_whatever_it_costs")
def test_another_order_and_other_names_change_no_bit(tmp_path: Path) -> None:
    found = fair_costs(Runner(tug(tmp_path / "one")), SETTING)
    renamed = [(f"z_{name}", cost, strength) for name, cost, strength in reversed(BODIES)]
    other = fair_costs(Runner(tug(tmp_path / "other", renamed, TOOLS[::-1])), SETTING)
    place = [other.entrants.index(f"z_{name}") for name in found.entrants]
    assert other.log_fair[place].tolist() == found.log_fair.tolist()
    assert other.covariance[np.ix_(place, place)].tolist() == found.covariance.tolist()


@pytest.mark.slow("test_a_clone_has_the_same_fair_cost_to_the_last_bit_whatever_it_costs")
def test_a_copy_of_a_card_changes_no_bit_of_the_others(tmp_path: Path) -> None:
    found = fair_costs(Runner(tug(tmp_path / "one")), SETTING)
    copied = fair_costs(Runner(tug(tmp_path / "two", [*BODIES, ("bull", 20, 200)])), SETTING)
    assert copied.log_fair[:6].tolist() == found.log_fair.tolist()
    assert copied.log_fair[6:].tolist() == found.log_fair[2:4].tolist()
    assert copied.fighters[6:].tolist() == copied.fighters[2:4].tolist()


@pytest.mark.slow("test_costs_are_fair_in_proportion_to_what_members_are_worth")
def test_all_costs_doubled_with_the_budget_doubled_double_the_fair_costs(tmp_path: Path) -> None:
    found = fair_costs(Runner(tug(tmp_path / "one")), SETTING)
    dear = [[(name, 2 * cost, strength) for name, cost, strength in table] for table in (BODIES, TOOLS)]
    doubled = fair_costs(Runner(tug(tmp_path / "two", *dear)), ArmySetting("lineup", ((200, 4), (400, 8))))
    assert doubled.fair == pytest.approx(2 * found.fair, rel=1e-9)


def test_a_clone_has_the_same_fair_cost_to_the_last_bit_whatever_it_costs(tmp_path: Path) -> None:
    found = fair_costs(Runner(tug(tmp_path, [*BODIES, ("bull", 26, 200)])), SETTING)
    assert found.log_fair[6:].tolist() == found.log_fair[2:4].tolist()
    assert found.fair[6] == pytest.approx(
        strengths()[2] * np.median(found.printed_costs / [*strengths(), 200, 300]), rel=0.06
    )


def test_members_that_all_play_alike_are_worth_the_same(tmp_path: Path) -> None:
    mud = ArmySetting("lineup", ((100, 4), (200, 8)), ("situation.mud=true",))
    found = fair_costs(Runner(tug(tmp_path, [("ant", 6, 60), ("ox", 6, 200)], [("rope", 4, 100), ("bow", 4, 50)])), mud)
    assert found.fair == pytest.approx(np.full(4, 10.0))
    assert found.errors == pytest.approx(np.zeros(4), abs=1e-9)
    assert found.fighters.tolist() == [0, 0, 0, 0]


def errors_off(n_games: int, folder: Path) -> FloatArray:
    """How far fair costs are off, in their errors, over random games whose printed costs have correlated errors."""
    rng, found = np.random.default_rng(20261122), []
    for number in range(n_games):
        n_bodies, n_tools = rng.integers(3, 6), rng.integers(2, 5)
        tables = []
        for n, (least, most), points in ((n_bodies, (60, 200), 10.0), (n_tools, (80, 160), 30.0)):
            strength, error = rng.integers(least, most, n), np.exp(rng.normal(0, 0.25, n))
            tables.append([
                (f"c{points:.0f}_{at}", round(one / points * by, 2), int(one))
                for at, (one, by) in enumerate(zip(strength.tolist(), error.tolist(), strict=True))
            ])  # fmt: skip
        fair = fair_costs(Runner(tug(folder / str(number), *tables)), SETTING, number, n_battles=1000)
        found.append(off(fair, strengths(*tables)))
    return np.asarray(np.concatenate(found))


@pytest.fixture(scope="module", params=[6, pytest.param(30, marks=pytest.mark.slow)])
def some_off(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> tuple[FloatArray, float, float]:
    """Return errors, the least share that intervals cover, and how much narrower ones are found out."""
    return errors_off(request.param, tmp_path_factory.mktemp("games")), *{6: (0.85, 0.5), 30: (0.905, 0.75)}[
        request.param
    ]


def test_intervals_cover_the_true_price_as_often_as_they_say(some_off: tuple[FloatArray, float, float]) -> None:
    """30 games, some 370 prices: 95 % of them is 352 +- 4 * 4.2; a right program fails once in 10,000.

    Of 6 games, 85 % is 4 standard errors below.
    """
    off, least, _ = some_off
    assert least <= (np.abs(off) < 1.96).mean() <= (0.99 if len(off) > 200 else 1)


def test_a_control_whose_intervals_are_too_narrow_is_found_out(some_off: tuple[FloatArray, float, float]) -> None:
    off, least, narrower = some_off
    assert (np.abs(off) < 1.96 * narrower).mean() < least


@pytest.mark.slow("test_intervals_cover_the_true_price_as_often_as_they_say")
def test_intervals_cover_the_true_price_in_93_to_97_of_100(tmp_path: Path) -> None:
    assert 0.93 <= (np.abs(errors_off(500, tmp_path)) < 1.96).mean() <= 0.97


@pytest.mark.parametrize(("last_digits", "moves"), [(1e-15, False), (1e-6, True)])
def test_the_last_digits_of_a_processor_stay_last_digits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last_digits: float, moves: bool
) -> None:
    """Processors differ by some 1e-15 of a sum; nothing that is published may. Larger faults must be seen here."""
    expected = fair_costs(Runner(tug(tmp_path)), SETTING)
    rng, exact = np.random.default_rng(5), module._sums

    def shaken(*args: Any) -> module._Sums:
        sums = exact(*args)
        noise = last_digits * rng.uniform(-1, 1, sums.products.shape)
        return replace(sums, products=sums.products * (1 + noise + noise.T), scores=sums.scores * (1 + noise[0]))

    monkeypatch.setattr(module, "_sums", shaken)
    other = fair_costs(Runner(tug(tmp_path)), SETTING)
    off = [np.abs(other.log_fair - expected.log_fair).max(), np.abs(other.covariance - expected.covariance).max()]
    assert (max(off) > 1e-12) == moves
