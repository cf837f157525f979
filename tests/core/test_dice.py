"""Dice that are rolled again, and as many dice as a trial has: at random, by example, and in every way."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.core import (
    RandomRolls,
    Rolls,
    State,
    SymbolDie,
    exact_distribution,
    play_fixed,
)
from balance.errors import RollsError
from tests.core.one_step import ONE_IN_A_THOUSAND, distribution_of, once, sample_agrees, shares


def lowest_again(state: State, rolls: Rolls) -> State:
    """Throw three dice of four faces and each that shows 1 once more."""
    dice = rolls.d(4, 3, "dice")
    dice, _ = rolls.reroll(dice, dice == 1, 4, "again")
    return {"sum": dice.sum(axis=1)}


def test_dice_rolled_again() -> None:
    """Against a list of all 4**6 falls of the first three dice and of three that may replace them."""
    falls: list[tuple[int, ...]] = [
        (sum(new if old == 1 else old for old, new in zip(first, again, strict=True)),)
        for first, again in product(product(range(1, 5), repeat=3), repeat=2)
    ]
    assert distribution_of(lowest_again, sum=0) == shares(falls)
    assert sample_agrees(lowest_again, sum=0) > ONE_IN_A_THOUSAND
    assert play_fixed(once(lowest_again, sum=0), {"dice": [1, 3, 1], "again": [4, 2]}) == {"sum": 9}


def test_no_die_is_rolled_again_twice() -> None:
    rolls = RandomRolls(0, "k", 0, 1)
    dice, spent = rolls.reroll(np.array([[1, 2]]), np.array([[True, False]]), 6, "again")
    rolls.reroll(dice, np.array([[False, True]]), 6, "again", spent)
    with pytest.raises(RollsError, match="rolled again twice"):
        rolls.reroll(dice, np.array([[True, False]]), 6, "again", spent)
    with pytest.raises(RollsError, match="never rolled"):
        rolls.reroll(np.array([[1, 0]]), np.array([[False, True]]), 6, "again")


DIE = SymbolDie(("hit", "flag", "blank"), (("hits", ("hit",)), ("flags", ("flag",))))


def pool_by_chance(state: State, rolls: Rolls) -> State:
    n_dice = rolls.uniform(4, "how many")
    return {"n": n_dice, **rolls.pool(DIE, 3, "pool", n_dice)}


def test_pools_of_different_sizes_are_a_mixture() -> None:
    expected: dict[tuple[int, ...], float] = {}
    for n in range(4):
        distribution = DIE.distribution(n)
        for row, p in zip(distribution.outcomes.tolist(), distribution.p.tolist(), strict=True):
            expected[n, *row] = p / 4
    process = once(pool_by_chance, n=0, hits=0, flags=0)
    assert distribution_of(pool_by_chance, n=0, hits=0, flags=0) == pytest.approx(expected, rel=1e-12)
    assert np.allclose(exact_distribution(process).p, exact_distribution(process, each_die=True).p, rtol=1e-12)
    assert sample_agrees(pool_by_chance, n=0, hits=0, flags=0) > ONE_IN_A_THOUSAND
    assert play_fixed(process, {"how many": [2], "pool": ["hit", "flag"]}) == {"n": 2, "hits": 1, "flags": 1}


@given(st.lists(st.integers(0, 3), min_size=1, max_size=3))
@settings(max_examples=15, deadline=None)
def test_dice_of_different_numbers(numbers: list[int]) -> None:
    def step(state: State, rolls: Rolls) -> State:
        n_dice = np.array(numbers)[rolls.uniform(len(numbers), "which")]
        return {"sum": rolls.d(3, 3, "dice", n_dice).sum(axis=1)}

    expected: Counter[tuple[int]] = Counter()
    for n in numbers:
        for faces in product(range(1, 4), repeat=n):
            expected[sum(faces),] += 3 ** (3 - n)
    assert distribution_of(step, sum=0) == pytest.approx({key: n / (27 * len(numbers)) for key, n in expected.items()})
