from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.armies.legal_armies import drawn_armies
from balance.analysis.prices.entries import Card, price_entries
from balance.analysis.prices.fewest_costs import fewest_costs
from balance.analysis.prices.fits.battle_prices import battle_prices, beside_printed, counts_of, prices_of
from balance.analysis.prices.fits.pair_fit import PairFit, fit_winners
from balance.analysis.prices.verdicts import PriceVerdicts, price_verdicts
from balance.analysis.scores.usual_prices import Tolerance
from balance.engine.runner import Engine, Runner
from balance.game.armies.copies import Copies
from balance.game.loaded import LoadedGame, load
from tests.analysis.pair_cases import Truth, fought
from tests.tug import GAME, write_catalogue

SETTING = ArmySetting("lineup", ((200, 6), (300, 6)))
UNITS = {"ant": 8.0, "imp": 11.0, "dog": 14.0, "elf": 20.0, "orc": 25.0, "ogre": 30.0, "giant": 42.0}
WEAPONS = {"knife": 3.0, "club": 5.0, "bow": 9.0, "lance": 13.0, "gun": 16.0, "cannon": 20.0}
PAIRS = [(unit, weapon) for unit in UNITS for weapon in WEAPONS]


def judged(cheap: str = "", n: int = 32_000, seed: int = 0) -> PriceVerdicts:
    """Return what is said of units with weapons of true costs, but for one weapon that is 20 % too cheap."""
    costs = UNITS | WEAPONS
    printed = {name: cost * (0.8 if name == cheap else 1.0) for name, cost in costs.items()}
    truth = Truth(
        np.array([printed[unit] + printed[weapon] for unit, weapon in PAIRS]),
        np.array([costs[unit] + costs[weapon] for unit, weapon in PAIRS]),
    )
    pairs = fought(truth, n, seed)
    names = tuple(f"{unit}+{weapon}" for unit, weapon in PAIRS)
    found = prices_of(names, truth.printed, np.arange(len(names)), fit_winners(pairs), pairs, 0, SETTING)
    cards = {name: Card("units" if name in UNITS else "weapons", cost) for name, cost in printed.items()}
    return price_verdicts(fewest_costs(price_entries(found, PAIRS, cards), Tolerance()), PAIRS)


@pytest.mark.slow("test_a_body_a_fifth_too_cheap_is_found_in_a_game")
@pytest.mark.parametrize("seed", range(2))
def test_a_weapon_made_a_fifth_too_cheap_is_found_and_nobody_else_is_accused(seed: int) -> None:
    found = judged("cannon", seed=seed)
    assert found.cards["cannon"].verdict == "too cheap"
    assert found.cards["cannon"].cost == 16.0
    assert abs(found.cards["cannon"].fair - 20.0) < 1.5
    accused = {name for name, one in found.cards.items() if one.verdict in ("too dear", "too cheap")}
    assert accused == {"cannon"}


@pytest.mark.slow("test_fair_prices_of_a_game_are_found_fair_and_calibrated")
@pytest.mark.parametrize("seed", range(2))
def test_a_fair_control_is_not(seed: int) -> None:
    found = judged(seed=seed)
    words = {one.verdict for one in (*found.cards.values(), *found.loadouts.values())}
    assert not words & {"too dear", "too cheap"}


def tug(folder: Path, cheap: float = 1.0) -> LoadedGame:
    """Bodies of the strength they cost, but for one; tools that cost and add next to nothing."""
    bodies = [(f"body_{at}", (10.0 + 5 * at) * (cheap if at == 3 else 1.0), 100 * (10 + 5 * at)) for at in range(8)]
    return load(GAME, write_catalogue(folder, bodies, [("rope", 0.001, 1)]))


def test_a_body_a_fifth_too_cheap_is_found_in_a_game(tmp_path: Path) -> None:
    loaded = tug(tmp_path / "cheap", 0.8)
    found = battle_prices(Runner(loaded), SETTING, 0, n_battles=32_768)
    off = found.handicap / found.handicap_error
    assert off[3] > 6
    assert found.fair[3] == pytest.approx(25.0, rel=0.08)
    assert np.abs(np.delete(off, 3)).max() < 3.5


def test_fair_prices_of_a_game_are_found_fair_and_calibrated(tmp_path: Path) -> None:
    found = battle_prices(Runner(tug(tmp_path / "fair")), SETTING, 0, n_battles=32_768)
    assert np.abs(found.handicap / found.handicap_error).max() < 3.5
    assert max(abs(one.observed - one.predicted) for one in found.bins) < 0.02
    assert found.n_battles == 32_768
    assert abs(found.going_first) < 4 * found.first_error


def test_it_stops_when_every_price_is_known_well_enough(tmp_path: Path) -> None:
    loaded = tug(tmp_path / "fair")
    soon = battle_prices(Runner(loaded), SETTING, 0, n_battles=131_072, precision=0.05)
    assert soon.worst <= 0.05
    assert soon.n_battles < 131_072
    never = battle_prices(Runner(loaded), SETTING, 0, n_battles=8_192, precision=0.001)
    assert never.worst > 0.001
    assert never.n_battles == 8_192


def test_neither_names_nor_rows_nor_copies_nor_workers_move_a_price(tmp_path: Path) -> None:
    bodies = [("ant", 10.0, 900), ("dog", 16.0, 1700), ("elf", 24.0, 2300), ("ogre", 40.0, 3900)]
    tools = [("rope", 0.001, 1)]
    new = {"ant": "zebra", "dog": "cat", "elf": "alp", "ogre": "hulk"}
    turned = [(new[name], cost, strength) for name, cost, strength in reversed(bodies)]
    as_is = load(GAME, write_catalogue(tmp_path / "as_is", bodies, tools))
    renamed = load(GAME, write_catalogue(tmp_path / "renamed", turned, tools))
    copied = load(GAME, write_catalogue(tmp_path / "copied", [*bodies, ("twin", 24.0, 2300)], tools))
    one = battle_prices(Runner(as_is), SETTING, 0, n_battles=8_192)
    fair = dict(zip(one.entrants, one.fair.tolist(), strict=True))
    other = battle_prices(Runner(renamed), SETTING, 0, n_battles=8_192)
    assert {f"{new[name.split('+')[0]]}+rope": cost for name, cost in fair.items()} == pytest.approx(
        dict(zip(other.entrants, other.fair.tolist(), strict=True)), rel=1e-9
    )
    twin = battle_prices(Runner(copied), SETTING, 0, n_battles=8_192)
    found = dict(zip(twin.entrants, twin.fair.tolist(), strict=True))
    assert found["twin+rope"] == found["elf+rope"]
    with Runner(as_is, Engine("threads", 2)) as runner:
        assert np.array_equal(battle_prices(runner, SETTING, 0, n_battles=8_192).fair, one.fair)


def test_armies_are_legal_and_of_several_sizes() -> None:
    costs, copies = np.array([10.0, 20.0, 35.0]), Copies.of([[("ant", 2)], [("dog", 3)], [("ogre", 9)]])
    budgets, limits = np.full(500, 200.0), np.full(500, 6)
    armies = drawn_armies(budgets, limits, costs, copies, np.random.default_rng(0))
    counts = counts_of(armies, 3)
    assert (counts <= [2, 3, 9]).all()
    assert (counts @ costs <= 200 * np.exp(0.2)).all()
    assert set(counts.sum(axis=1).tolist()) == {4, 5, 6}


def test_who_is_worth_nothing_has_a_price_all_the_same() -> None:
    fit = PairFit(np.array([-0.1, 0.5, 0.8]), np.eye(3) * 0.01, 0.0, 0.0, 100)
    pairs = fought(Truth(np.array([10.0, 12.0, 18.0]), np.array([1.0, 12.0, 18.0])), 300, 0)
    found = prices_of(("a", "b", "c"), np.array([10.0, 12.0, 18.0]), np.arange(3), fit, pairs, 0, SETTING)
    assert found.fair[0] < 0
    assert np.isfinite(found.log_fair).all()
    assert found.errors[0] == pytest.approx(1.0)


def test_a_factor_common_to_all_is_free() -> None:
    fit = PairFit(np.array([0.2, 0.5, 0.8]), np.eye(3) * 1e-4, 0.0, 0.0, 100)
    printed, of = np.array([10.0, 12.0, 18.0]), np.arange(3)
    tenfold = replace(fit, beta=10 * fit.beta, covariance=100 * fit.covariance)
    assert np.allclose(beside_printed(fit, printed, of).fair, beside_printed(tenfold, printed, of).fair)
    assert beside_printed(tenfold, printed, of).per_point == pytest.approx(
        10 * beside_printed(fit, printed, of).per_point
    )


@pytest.mark.slow("test_fair_prices_of_a_game_are_found_fair_and_calibrated")
def test_intervals_cover_the_fair_costs_of_a_game_wherever_battles_go(tmp_path: Path) -> None:
    """Eighty runs of eight bodies whose costs are fair, each played until all are known: 95 % of 640 intervals."""
    loaded = tug(tmp_path / "fair")
    found = [battle_prices(Runner(loaded), SETTING, seed, n_battles=65_536, precision=0.05) for seed in range(80)]
    off = np.array([one.handicap / one.handicap_error for one in found])
    assert 0.93 <= np.mean(np.abs(off) < 1.96) <= 0.97
