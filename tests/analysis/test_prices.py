from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import balance
from balance.analysis.scores.cards import entrant_table
from balance.analysis.scores.field import groups_of, simultaneous
from balance.analysis.scores.usual_prices import VERDICTS, Tolerance, judge
from balance.game.loaded import LoadedGame

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


def test_loadouts_of_one_unit_are_one_group_unless_groups_are_few() -> None:
    assert groups_of(NAMES).tolist() == [place // 3 for place in range(24)]
    assert groups_of(["a+x", "a+y", "b+x"]).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [(2.1, 9, "too dear"), (-9, -2.1, "too cheap"), (-2, 2, "fair"), (-2.1, 0, "not yet known")],
)
def test_the_verdict_compares_the_whole_interval(low: float, high: float, word: str) -> None:
    assert judge(low, high, 2.0) == word


@pytest.fixture(scope="module")
def warforged() -> LoadedGame:
    return balance.load("warforged")


def test_cards_are_named_and_priced(warforged: LoadedGame) -> None:
    found = entrant_table(warforged, ["nexus+shotgun", "trooper+smg_pistol+sidearm"])
    assert found["arm_label"].to_list() == ["Shotgun", "SMG Pistol + Sidearm"]
    assert found["arm_cost"].to_list() == [10.0, 9.0]
    assert found["group_label"].to_list() == ["Nexus", "Trooper"]


# -- every word, at the very edge ------------------------------------------------------------------------------------


def test_verdicts_at_the_very_edge() -> None:
    """An interval that only touches the tolerance is inside it."""
    edges = [(2.0, 3.0), (-3.0, -2.0), (-2.0, 2.0), (-2.1, 2.0), (-2.0, 2.1), (2.1, 2.1), (-2.1, -2.1)]
    assert [judge(*ends, 2.0) for ends in edges] == [
        "not yet known", "not yet known", "fair", "not yet known", "not yet known", "too dear", "too cheap"
    ]  # fmt: skip
    assert VERDICTS == ("too dear", "too cheap", "fair", "not yet known")


@pytest.mark.parametrize("tolerance", [Tolerance(), Tolerance(0.05), Tolerance(points=2.0), Tolerance(grid=5.0)])
@pytest.mark.parametrize("cost", [0.0, 1.0, 4.0, 20.0, 75.0])
def test_a_cost_is_judged_by_the_band_of_its_tolerance(tolerance: Tolerance, cost: float) -> None:
    low, high = tolerance.band(cost)
    assert low <= cost <= high
    assert tolerance.of(cost) == pytest.approx(max(cost - low, high - cost))
    assert tolerance.judge(cost, low, high) == "fair"
    assert tolerance.judge(cost, low - 2, low - 1e-9) == "too dear"
    assert tolerance.judge(cost, high + 1e-9, high + 2) == "too cheap"
    assert tolerance.judge(cost, low - 1e-9, high) == tolerance.judge(cost, low, high + 1e-9) == "not yet known"


def test_a_tenth_is_tolerated_unless_no_whole_cost_would_be_nearer() -> None:
    """Below 5 half a point, as ratios go, is more than a tenth: 3 is as far from 4 as its root mean says."""
    tolerance = Tolerance()
    for cost in (5.0, 12.0, 40.0):
        assert tolerance.band(cost) == pytest.approx((min(0.9 * cost, (cost * (cost - 1)) ** 0.5), 1.1 * cost))
    for cost in (1.0, 2.0, 3.0, 4.0):
        low, high = tolerance.band(cost)
        assert [high / cost, cost / high] == pytest.approx([(cost + 1) / high, high / (cost + 1)])
        assert low * low == pytest.approx(cost * (cost - 1))
        assert high > 1.1 * cost
    assert tolerance.band(0.0) == (0.0, 0.5)  # half way to 1


def test_costs_in_steps_of_five_tolerate_half_a_step() -> None:
    tolerance = Tolerance.usual([15, 20, 50, 100])
    assert tolerance == Tolerance(0.10, None, 5.0)
    assert tolerance.band(20) == pytest.approx((300**0.5, 500**0.5))
    assert tolerance.band(100) == pytest.approx((90, 110))
    assert Tolerance.usual([15, 20, 51]).grid == 1
    assert Tolerance.usual([2.5, 20]).grid == 2.5
    assert Tolerance.usual([]).grid == 1


def test_points_that_are_set_are_tolerated_on_both_sides() -> None:
    assert [Tolerance(points=2.0).of(cost) for cost in (0, 19, 20, 21)] == pytest.approx([2, 2, 2, 2.1])
    assert Tolerance(0.0, 0.0).band(20) == (20, 20)
