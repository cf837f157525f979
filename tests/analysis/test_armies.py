import numpy as np
import pytest

from balance.analysis.armies.random_armies import EMPTY, MOST_ALIKE, alike_armies, mixed_armies, points_of, shares_of

COSTS = np.array([7.0, 10.0, 33.0])


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_an_army_of_equals_costs_its_budget_on_average_and_is_never_a_whole_unit_off() -> None:
    members, budgets = np.repeat([0, 1, 2], 20_000), np.full(60_000, 45.0)
    armies = alike_armies(members, budgets, COSTS, rng())
    points = points_of(armies, COSTS)
    for member, cost in enumerate(COSTS):
        own = points[members == member]
        assert np.abs(own - 45).max() < cost
        assert abs(own.mean() - 45) < 4 * cost / 2 / np.sqrt(20_000)
    assert set(np.unique(armies[members == 1])) == {EMPTY, 1}


def test_an_army_of_equals_has_at_least_one_unit_and_no_more_than_can_be_played() -> None:
    armies = alike_armies(np.array([2, 0]), np.array([1.0, 1e6]), COSTS, rng())
    assert armies.shape == (2, MOST_ALIKE)
    assert (armies >= 0).sum(axis=1).tolist() == [1, MOST_ALIKE]


def test_a_mixed_army_keeps_its_limit_and_spends_its_budget() -> None:
    budgets, limits = np.full(40_000, 60.0), np.repeat([2, 9], 20_000)
    armies = mixed_armies(budgets, limits, COSTS, rng())
    points, units = points_of(armies, COSTS), (armies >= 0).sum(axis=1)
    assert armies.shape == (40_000, 9)
    assert (units <= limits).all()
    assert units[limits == 2].max() == 2
    assert abs(points[limits == 9].mean() - 60) < 4 * points.std() / np.sqrt(20_000)
    assert (points[limits == 9] < 60 + COSTS.max()).all()
    assert points[limits == 2].mean() < 50, "the limit leaves money over"


def test_all_members_join_a_mixed_army_as_often_while_all_can_be_paid() -> None:
    first = mixed_armies(np.full(30_000, 60.0), np.full(30_000, 9), COSTS, rng())[:, 0]
    assert np.bincount(first) == pytest.approx([10_000] * 3, abs=4 * np.sqrt(30_000 * 2 / 9))


def test_whom_the_money_does_not_reach_for_gives_way_to_another() -> None:
    """With 15 points nobody begins with the one that costs 33: drawn again eight times, hardly once in 20,000."""
    first = mixed_armies(np.full(20_000, 15.0), np.full(20_000, 9), COSTS, rng())[:, 0]
    assert np.sum(first == 0) == pytest.approx(10_000, abs=4 * np.sqrt(5000))
    assert np.isin(first, [0, 1]).sum() >= 19_995


def test_shares_are_of_points_and_add_up_to_one() -> None:
    armies = np.array([[0, 0, 2], [1, EMPTY, EMPTY], [EMPTY, 2, 1]], np.int16)
    found = shares_of(armies, COSTS)
    assert found == pytest.approx(np.array([[14 / 47, 0, 33 / 47], [0, 1, 0], [0, 10 / 43, 33 / 43]]))
