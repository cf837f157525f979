from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import balance
from balance.analysis.cards import card_prices, entrant_table, split_excess
from balance.analysis.field import FieldDraws, groups_of, simultaneous
from balance.analysis.prices import (
    PriceFit,
    Tolerance,
    fair_prices,
    fit_prices,
    fit_trend,
    judge,
    price_frame,
)
from balance.analysis.rule_options import settle
from balance.protocol.loaded import LoadedGame

NAMES = [f"{unit}+{arm}" for unit in "abcdefgh" for arm in ("x", "y", "z")]


def field(seed: int, rough: float = 0.5) -> tuple[np.ndarray, pl.DataFrame]:
    """Return strengths and a table of duels that is a ladder with luck of the match-up, the same within groups."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(0, 1.5, len(NAMES))
    luck = np.kron(rng.normal(0, rough, (8, 8)), np.ones((3, 3)))
    gap = theta[:, None] - theta[None, :] + luck - luck.T + 0.3
    p = 1 / (1 + np.exp(-gap))
    pairs = [(a, b) for a in NAMES for b in NAMES]
    duels = pl.DataFrame({"a": [a for a, _ in pairs], "b": [b for _, b in pairs], "p_a": p.ravel()})
    return theta, duels.with_columns(p_b=1 - pl.col("p_a"), p_draw=pl.lit(0.0))


def fit(seed: int, costs: np.ndarray, duels: pl.DataFrame, n_draws: int = 200) -> PriceFit:
    return fit_prices(duels, dict(zip(NAMES, costs.tolist(), strict=True)), FieldDraws(seed, n_draws))


def test_prices_on_the_trend_are_never_called_wrong() -> None:
    """Costs that follow the true strength: any verdict but fair or unknown, in one field of twenty at most."""
    wrong = 0
    for seed in range(20):
        theta, duels = field(seed)
        words = price_frame(fit(seed, np.exp(3.5 + 0.12 * theta), duels))["verdict"]
        wrong += bool(words.is_in(["overpriced", "underpriced"]).any())
    assert wrong <= 1


def test_a_card_that_costs_double_is_found() -> None:
    theta, duels = field(1)
    costs = np.exp(3.5 + 0.12 * theta)
    costs[4] *= 2
    frame = price_frame(fit(1, costs, duels))
    assert frame["verdict"][4] == "overpriced"
    assert frame["excess"][4] == pytest.approx(costs[4] / 2, rel=0.25)


def test_simultaneous_intervals_hold_for_all_at_once_and_single_ones_do_not() -> None:
    rng = np.random.default_rng(2)
    missed = single = 0
    for _ in range(300):
        draws = rng.normal(rng.normal(0, 1, 20), 1, (400, 20))
        centre = draws.mean(0)
        truth = centre + rng.normal(0, 1, 20)
        low, high = simultaneous(centre, draws)
        missed += bool(((truth < low) | (truth > high)).any())
        single += bool((np.abs(truth - centre) > 1.96).any())
    assert missed / 300 < 0.09
    assert single / 300 > 0.4


def test_fewer_than_five_have_no_trend_and_no_verdict() -> None:
    frame = fair_prices(balance.load("warforged"), ["trooper+sidearm", "nexus+shotgun"])
    assert frame["verdict"].to_list() == ["not yet known"] * 2
    assert frame["fair_low"].to_list() == [None, None]


def test_costs_that_fall_with_strength_give_no_verdict() -> None:
    theta, duels = field(3)
    found = fit(3, np.exp(3.5 - 0.3 * theta), duels)
    assert not found.trend.rises
    assert set(price_frame(found)["verdict"]) == {"not yet known"}


def test_costs_all_alike_have_a_flat_trend() -> None:
    assert fit_trend(np.array([0.0, 1.0]), np.array([7.0, 7.0])).slope == 0
    assert fit_trend(np.array([1.0, 1.0]), np.array([0.0, 7.0])).slope == 0


def test_loadouts_of_one_unit_are_one_group_unless_groups_are_few() -> None:
    assert groups_of(NAMES).tolist() == [place // 3 for place in range(24)]
    assert groups_of(["a+x", "a+y", "b+x"]).tolist() == [0, 1, 2]


def test_a_group_counts_once_so_its_intervals_are_wider() -> None:
    theta, duels = field(4)
    grouped = fit(4, np.exp(3.5 + 0.12 * theta), duels)
    flat = {old: old.replace("+", "_") for old in NAMES}
    renamed = duels.with_columns(pl.col("a", "b").replace(flat))
    costs = {flat[name]: cost for name, cost in zip(NAMES, grouped.costs.tolist(), strict=True)}
    alone = fit_prices(renamed, costs, FieldDraws(4, 200))
    assert grouped.draws.std(0).mean() > 1.2 * alone.draws.std(0).mean()


def test_the_seed_fixes_the_intervals() -> None:
    theta, duels = field(5)
    costs = np.exp(3.5 + 0.12 * theta)
    assert price_frame(fit(0, costs, duels)).equals(price_frame(fit(0, costs, duels)))
    assert not price_frame(fit(0, costs, duels)).equals(price_frame(fit(1, costs, duels)))


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [(2.1, 9, "overpriced"), (-9, -2.1, "underpriced"), (-2, 2, "fair"), (-2.1, 0, "not yet known")],
)
def test_the_verdict_compares_the_whole_interval(low: float, high: float, word: str) -> None:
    assert judge(low, high, 2.0) == word


def test_a_verdict_that_a_reading_turns_is_not_yet_known() -> None:
    theta, duels = field(1)
    costs = np.exp(3.5 + 0.12 * theta)
    costs[4] *= 2
    frame = price_frame(fit(1, costs, duels))
    shifts = np.zeros((2, len(NAMES)))
    shifts[1, 4] = -0.7
    settled = settle(frame, shifts, Tolerance())
    row = settled.row(4, named=True)
    assert (row["verdict_as_read"], row["verdict"], row["flips"]) == ("overpriced", "not yet known", [1])
    assert settled["flips"].to_list()[5] == []


def test_the_split_over_cards_adds_up_where_excess_is_additive() -> None:
    names = ["a+x", "a+y", "b+x", "b+y"]
    excess = np.array([[5.0, 3.0, 1.0, -1.0]])
    parts, split, explained = split_excess([name.split("+") for name in names], excess)
    by_part = dict(zip(parts, split[0].tolist(), strict=True))
    assert [by_part[a] + by_part[x] for a, x in (name.split("+") for name in names)] == pytest.approx(excess[0])
    assert explained == pytest.approx(1)


@pytest.fixture(scope="module")
def warforged() -> LoadedGame:
    return balance.load("warforged")


def test_cards_are_named_and_priced(warforged: LoadedGame) -> None:
    found = entrant_table(warforged, ["nexus+shotgun", "trooper+smg_pistol+sidearm"])
    assert found["arm_label"].to_list() == ["Shotgun", "SMG Pistol + Sidearm"]
    assert found["arm_cost"].to_list() == [10.0, 9.0]
    assert found["group_label"].to_list() == ["Nexus", "Trooper"]


def test_a_card_whose_verdict_a_reading_turns_is_not_yet_known(warforged: LoadedGame) -> None:
    names = [
        f"{unit}+{arm}"
        for unit in ("nexus", "trooper", "vanguard", "aegis", "spectre")
        for arm in ("shotgun", "smg_pistol")
    ]
    rng = np.random.default_rng(0)
    costs = np.array([40.0, 40.0] + [20.0, 20.0] * 4)
    theta = np.linspace(-1, 1, 10)
    fair = np.full(10, 20.0)
    draws = fair * np.exp(rng.normal(0, 0.01, (50, 10)))
    from balance.analysis.prices import Trend
    from balance.analysis.ratings import Ratings

    fit = PriceFit(tuple(names), costs, Ratings(theta, 0.0, 0.0, 1.0, 1), Trend(3.0, 0.1, 0.5), theta, fair, draws)
    plain = card_prices(warforged, fit).filter(card="nexus")
    assert (plain["verdict"].item(), plain["flips"].item().to_list()) == ("overpriced", [])
    shifts = np.array([[-np.log(2.0)] * 2 + [0.0] * 8])
    turned = card_prices(warforged, fit, shifts).filter(card="nexus")
    assert (turned["verdict_as_read"].item(), turned["verdict"].item()) == ("overpriced", "not yet known")
