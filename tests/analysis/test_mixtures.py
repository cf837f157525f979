"""Mixtures: what is asked of them, to the last digit, and that few parts and simple shares are found where they do."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from balance.analysis.dominance.mixtures import Demands, fewest_parts, find_mixture, meets


def asked(gains: list[list[float]], savings: list[float] | None = None, slack: float = 0.0) -> Demands:
    grid = np.array(gains, np.float64)
    return Demands(grid, np.array([0.0] * len(grid) if savings is None else savings), grid.mean(axis=1), slack)


@pytest.mark.parametrize(
    ("shares", "gain", "saving", "slack", "met"),
    [
        ([1.0], 0.1, 0.0, 0.0, True),
        ([1.0], 0.0, 0.0, 0.0, False),
        ([1.0], 0.0, 0.1, 0.0, True),
        ([1.0], 0.0, 0.5e-9, 0.0, False),
        ([1.0], 0.0, 2e-9, 0.0, True),
        ([1.0], -0.5e-9, 0.1, 0.0, True),
        ([1.0], -2e-9, 0.1, 0.0, False),
        ([1.0], 0.1, -0.5e-9, 0.0, True),
        ([1.0], 0.1, -2e-9, 0.0, False),
        ([1.0], 2e-9, 0.0, 0.0, True),
        ([1.0], 0.5e-9, 0.0, 0.0, False),
        ([1.0], -0.05, 0.1, 0.05, True),
        ([1.0], -0.05 - 2e-9, 0.1, 0.05, False),
        ([1.0], 0.05, 0.0, 0.05, False),
        ([1.0], 0.05 + 2e-9, 0.0, 0.05, True),
        ([0.9], 0.1, 0.1, 0.0, False),
        ([1.1], 0.1, 0.1, 0.0, False),
    ],
)
def test_what_is_asked_is_asked_to_the_last_digit(
    shares: list[float], gain: float, saving: float, slack: float, met: bool
) -> None:
    assert meets(np.array(shares), asked([[gain]], [saving], slack)) is met


def test_no_share_is_negative_and_every_opponent_counts() -> None:
    assert not meets(np.array([1.5, -0.5]), asked([[0.2], [0.1]]))
    assert meets(np.array([0.5, 0.5]), asked([[0.2, -0.1], [-0.1, 0.2]]))
    assert not meets(np.array([0.5, 0.5]), asked([[0.2, -0.1], [-0.1, 0.05]]))


def test_the_least_gain_is_the_largest_that_there_is() -> None:
    """One program beside a fine grid of mixtures of three."""
    rng = np.random.default_rng(4)
    steps = np.arange(101) / 100
    grid = np.array([(x, y, 1 - x - y) for x in steps for y in steps if x + y < 1 + 1e-9]).clip(0)
    n_found = 0
    for _ in range(60):
        gains, savings = rng.normal(0.02, 0.15, (3, 4)), rng.normal(0.02, 0.1, 3)
        demands = Demands(gains, savings, np.zeros(3))
        found = find_mixture(demands)
        least = np.where(grid @ savings >= -1e-12, (grid @ gains).min(axis=1), -1.0).max()
        assert (found is not None) >= (least >= 0)
        if found is not None:
            n_found += 1
            assert (found @ gains).min() >= least - 1e-3
            assert meets(found, demands)
    assert 10 < n_found < 50


def test_between_mixtures_of_one_least_gain_the_mean_decides_and_then_the_cost() -> None:
    demands = asked([[0.0, 0.1], [0.0, 0.3], [0.0, 0.2]])
    found = find_mixture(demands)
    assert found is not None
    assert found.tolist() == [0.0, 1.0, 0.0]
    cheapest = find_mixture(asked([[0.1], [0.1]], [0.1, 0.3]))
    assert cheapest is not None
    assert cheapest.tolist() == [0.0, 1.0]


def test_what_is_overlooked_may_be_lost_but_no_more() -> None:
    gains = [[0.3, -0.04], [0.2, -0.05]]
    assert find_mixture(asked(gains)) is None
    assert find_mixture(asked(gains, slack=0.03)) is None
    found = find_mixture(asked(gains, slack=0.04))
    assert found is not None
    assert found.tolist() == [1.0, 0.0]


@pytest.mark.parametrize("shape", [(0, 3), (2, 0)])
def test_nobody_and_nothing_to_gain_on_is_no_mixture(shape: tuple[int, int]) -> None:
    assert find_mixture(Demands(np.zeros(shape), np.zeros(shape[0]), np.zeros(shape[0]))) is None


def test_two_parts_are_told_by_the_simplest_shares_that_do() -> None:
    """Of the first, from `low` to `high` does; checked against a plain search over fractions."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        low, high = np.sort(rng.random(2))
        if high - low < 0.003:
            continue
        found = fewest_parts(asked([[1 - low, high - 1], [-low, high]]), np.array([low, 1 - low]))
        wanted = next((d, k) for d in (*range(2, 13), 100, 1000) for k in range(1, d) if low <= k / d <= high)
        choices = [k / wanted[0] for k in range(1, wanted[0]) if low <= k / wanted[0] <= high]
        assert found[0] in choices
        assert found.sum() == 1
        least = {x: min(x - low, high - x) for x in choices}
        assert least[found[0]] == pytest.approx(max(least.values()), abs=2e-3)


def test_of_pairs_with_equally_simple_shares_the_one_that_gains_most() -> None:
    """Half the first and half of any other does; the third gives the largest least gain."""
    gains = [[0.4, -0.2, 0.0], [-0.2, 0.4, 0.0], [-0.1, 0.4, 0.05], [-0.2, 0.5, 0.0]]
    known = np.array([0.5, 0.5, 0.0, 0.0])
    assert fewest_parts(asked(gains), known).tolist() == [0.5, 0.0, 0.5, 0.0]
    dear = [-0.1, 0.1, -0.1, -0.1]
    assert fewest_parts(asked(gains, dear), known).tolist() == [0.5, 0.5, 0.0, 0.0]


def test_three_are_told_only_where_no_two_do_and_nobody_who_is_not_needed() -> None:
    third = [[0.5, -0.2, -0.2, 0.0], [-0.2, 0.5, -0.2, 0.0], [-0.2, -0.2, 0.5, 0.0]]
    spare = [*third, [0.1, 0.0, -0.05, 0.0]]
    found = fewest_parts(asked(spare), np.array([0.3, 0.3, 0.3, 0.1]))
    assert found.tolist() == [1 / 3, 1 / 3, 1 / 3, 0.0]
    for one, other in combinations(third, 2):
        assert find_mixture(asked([one, other])) is None


@pytest.mark.parametrize(("exact", "room"), [(0.1234, 2e-5), (0.12345, 2e-6), (0.123456, 2e-7)])
def test_shares_within_little_room_are_told_to_as_many_digits_as_it_takes(exact: float, room: float) -> None:
    low, high = exact - room, exact + room
    found = fewest_parts(asked([[1 - low, high - 1], [-low, high]]), np.array([exact + room / 3, 1 - exact - room / 3]))
    assert found.tolist() == [exact, pytest.approx(1 - exact)]


def test_shares_that_must_be_fine_are_told_to_six_digits_or_as_they_are() -> None:
    """Only one mixture does, so no rounding of it."""
    exact = 0.1234
    narrow = [[1 - exact, exact - 1, 0.1], [-exact, exact, 0.1]]
    assert fewest_parts(asked(narrow), np.array([exact, 1 - exact])).tolist() == [0.1234, 0.8766]
    odd = 1 / np.pi
    found = fewest_parts(asked([[1 - odd, odd - 1, 0.1], [-odd, odd, 0.1]]), np.array([odd, 1 - odd]))
    assert found.tolist() == [odd, 1 - odd]


def test_parts_of_one_hundred_add_up_to_one() -> None:
    """Three who each can do little alone, and whose shares lie in a narrow range."""
    centre = np.array([0.291, 0.338, 0.371])
    sides = np.eye(3) - centre
    gains = np.column_stack([sides + 0.004, -sides + 0.004])
    found = fewest_parts(asked(gains.tolist()), centre)
    assert found.tolist() == [0.29, 0.34, 0.37]
    assert meets(found, asked(gains.tolist()))
