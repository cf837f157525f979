"""Cooling powers and fire: the rulebook's examples, and plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from balance.games.immortal_souls.encounter.conditions import Fire, burnt, caught, turned
from balance.pmf.arrays import IntArray


def ready_in(hourglasses: int) -> list[int]:
    """Return what a power used in round 1 shows in each round from then on, until it is ready."""
    shown: IntArray = np.array([hourglasses], np.int8)
    rounds: list[int] = []
    while shown[0]:
        shown = turned(shown, 1, 4)
        rounds.append(int(shown[0]))
    return rounds


def test_heal_wounds_is_ready_every_round() -> None:
    """IS-EX-44, IS-POW.5: one hourglass, ready in round 2."""
    assert ready_in(1) == [0]


def test_cleave_is_ready_every_other_round() -> None:
    """IS-EX-45, IS-POW.5: two hourglasses, one in round 2, ready in round 3."""
    assert ready_in(2) == [1, 0]
    assert ready_in(4) == [3, 2, 1, 0]


def test_powers_that_are_turned_forward_and_back() -> None:
    """IS-POW.6: 4-3-2-1-ready and back; one that is ready stays so, and none shows more than four."""
    for shown in range(5):
        for steps in range(-4, 5):
            expected = 0 if shown == 0 else min(max(shown - steps, 0), 4)
            found = turned(np.array([shown], np.int8), np.array([steps], np.int8), 4)
            assert found.dtype == np.int8 and found.tolist() == [expected]


@pytest.mark.parametrize("seed", range(10))
def test_fire_as_in_plain_python(seed: int) -> None:
    """IS-FIRE.1 to IS-FIRE.3: tokens of 50 trials through five rounds, in each of which everybody moves or stays."""
    rng = np.random.default_rng([81, seed])
    people, areas = (some_fire(rng, size) for size in (4, 3))
    tokens = [[[1] * people.one[row, who] + [2] * people.two[row, who] for who in range(4)] for row in range(50)]
    ground = [[[1] * areas.one[row, where] + [2] * areas.two[row, where] for where in range(3)] for row in range(50)]
    for _ in range(5):
        entered = rng.integers(0, 4, (50, 4)).astype(np.int8)
        people = caught(people, areas, entered)
        for row in range(50):
            for who, area in enumerate(entered[row].tolist()):
                tokens[row][who] += ground[row][area] if area < 3 else []
        assert people.one.tolist() == [[one.count(1) for one in row] for row in tokens]
        wounds, people = burnt(people)
        assert wounds.tolist() == [[len(one) for one in row] for row in tokens]
        _, areas = burnt(areas)
        tokens, ground = ([[[1] * one.count(2) for one in row] for row in rows] for rows in (tokens, ground))
        assert [column.dtype.name for column in (*people, *areas)] == ["int8"] * 4
    assert not any(column.any() for column in areas)


def some_fire(rng: np.random.Generator, size: int) -> Fire:
    """Return fire in 50 trials."""

    def tokens() -> IntArray:
        return rng.integers(0, 3, (50, size)).astype(np.int8)

    return Fire(tokens(), tokens())
