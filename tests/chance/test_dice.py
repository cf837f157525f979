"""Dice that are rolled again, and as many dice as a trial has: at random, by example, and in every way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.base.errors import RollsError
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.rolls.dice import Count, Dice, Pool, Successes
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import FixedRolls, RandomRolls, Rolls
from balance.chance.rolls.symbols import SymbolDie
from balance.chance.trials.lockstep import play_fixed
from tests.chance.one_step import ONE_IN_A_THOUSAND, distribution_of, once, sample_agrees, shares


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


def second_and_first(state: State, rolls: Rolls) -> State:
    """Throw three dice of four faces, of which 2 and 4 succeed; note which, and how many of two others succeed."""
    shown, more = rolls.successes(4, 3, [2, 4], "dice"), rolls.successes(3, 2, [3], "more")
    return {"which": shown @ np.array([1, 2, 4]), "more": more.sum(axis=1)}


def test_which_dice_succeed() -> None:
    """Against a list of all 4**3 * 3**2 falls."""
    falls: list[tuple[int, ...]] = [
        (sum(2**place for place in range(3) if dice[place] in (2, 4)), sum(face == 3 for face in more))
        for dice, more in product(product(range(1, 5), repeat=3), product(range(1, 4), repeat=2))
    ]
    assert distribution_of(second_and_first, which=0, more=0) == shares(falls)
    assert sample_agrees(second_and_first, which=0, more=0) > ONE_IN_A_THOUSAND
    shown = {"dice": [1, 4, 2], "more": [3, 1]}
    assert play_fixed(once(second_and_first, which=0, more=0), shown) == {"which": 6, "more": 1}


@pytest.mark.parametrize("k", [1, 18, 19])
def test_each_choice_of_dice_weighs_as_its_falls_do(k: int) -> None:
    """Exactly, also where 64 bits do not hold them: 10**19 is beyond."""
    each = Successes("x", 10, k, [1, 10, 4])
    assert each.n_ways() == 2**k
    numbers = np.array([0, 1, 2**k - 1])
    assert each.way(numbers).tolist() == [[False] * k, [True] + [False] * (k - 1), [True] * k]
    weights, total = each.weigh(numbers)
    assert weights is not None
    assert (weights.tolist(), total) == ([7**k, 3 * 7 ** (k - 1), 3**k], 10**k)
    assert weights.dtype.name == ("int64" if k < 19 else "object")
    listed, rolls = each.by_die(), RandomRolls(0, "k", 0, 3)
    again = RandomRolls(0, "k", 0, 3).d(10, k, "x")
    assert rolls.answer(listed).tolist() == np.isin(again, [1, 4, 10]).tolist()


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


# -- every way, in its order, with its weight --------------------------------------------------------------------------


@pytest.mark.parametrize(("faces", "k"), [(2, 1), (3, 2), (4, 3)])
def test_every_fall_of_dice_in_its_order(faces: int, k: int) -> None:
    """The first die changes fastest."""
    dice = Dice("x", faces, k)
    falls = [list(reversed(fall)) for fall in product(range(1, faces + 1), repeat=k)]
    assert dice.n_ways() == faces**k
    assert dice.way(np.arange(faces**k)).tolist() == falls
    assert dice.weigh(np.arange(2)) == (None, faces**k)


def test_every_fall_of_the_dice_that_are_rolled() -> None:
    rolled = np.array([[True, False, True]] * 9 + [[False, False, False], [False, True, False]])
    dice = Dice("x", 3, 3, rolled)
    ways = dice.n_ways()
    assert isinstance(ways, np.ndarray)
    assert ways.tolist() == [9] * 9 + [1, 3]
    shown = [[first, 0, third] for third in (1, 2, 3) for first in (1, 2, 3)]
    assert dice.way(np.array([*range(9), 0, 1])).tolist() == [*shown, [0, 0, 0], [0, 2, 0]]
    weights, total = dice.weigh(np.zeros(11, np.int64))
    assert weights is None
    assert isinstance(total, np.ndarray)
    assert (total.tolist(), total.dtype.name) == ([9] * 9 + [1, 3], "object")


@pytest.mark.parametrize(("faces", "k"), [(6, 3), (10, 18), (10, 19), (10, 20)])
@pytest.mark.parametrize("n_dice", [None, 2, 9])
def test_numbers_of_successes_weigh_as_their_falls_do(faces: int, k: int, n_dice: int | None) -> None:
    """Exactly, also where 64 bits do not hold them: 10**19 is beyond."""
    count, used = Count("x", faces, k, [1, faces], n_dice), min(k, n_dice or k)
    assert count.n_ways() == k + 1
    assert count.way(np.arange(k + 1)).tolist() == list(range(k + 1))
    weights, total = count.weigh(np.arange(k + 1))
    assert weights is not None
    ways = [comb(used, hits) * 2**hits * (faces - 2) ** (used - hits) for hits in range(used + 1)]
    assert weights.tolist() == [n * faces ** (k - used) for n in ways] + [0] * (k - used)
    assert (total, weights.dtype.name) == (faces**k, "int64" if k < 19 else "object")


def test_the_faces_and_the_dice_that_count_may_differ_by_row() -> None:
    flags, n_dice = np.arange(1, 5) <= np.array([1, 3, 0])[:, None], np.array([0, 2, 3])
    weights, total = Count("x", 4, 2, flags, n_dice).weigh(np.array([0, 1, 0]))
    assert weights is not None
    assert (weights.tolist(), total) == ([16, 2 * 3 * 1, 16], 16)
    listed = Count("x", 4, 2, flags, n_dice).by_die()
    assert listed.n_ways() == 16
    assert listed.way(np.array([0, 5, 0])).tolist() == [0, 2, 0]
    assert listed.weigh(np.array([0, 5, 0])) == (None, 16)
    rolls, again = RandomRolls(0, "k", 0, 3), RandomRolls(0, "k", 0, 3)
    assert rolls.answer(listed).tolist() == again.count(4, 2, flags, "x", n_dice).tolist()


def test_every_pool_in_its_order() -> None:
    whole = DIE.distribution(3)
    pool = Pool("x", DIE, 3)
    assert pool.n_ways() == len(whole) == 10
    shown = pool.way(np.arange(10))
    assert {name: (values.tolist(), values.dtype.name) for name, values in shown.items()} == {
        name: (whole[name].tolist(), "int16") for name in ("hits", "flags")
    }
    weights, total = pool.weigh(np.arange(10))
    assert weights is not None
    assert (weights.tolist(), total) == (whole.weights.tolist(), 27)


def test_pools_of_as_many_dice_as_a_row_rolls() -> None:
    n_dice = np.array([0, 1, 1, 1, 2, 2, 5, -1])
    pool = Pool("x", DIE, 2, n_dice)
    ways = pool.n_ways()
    assert isinstance(ways, np.ndarray)
    assert ways.tolist() == [1, 3, 3, 3, 6, 6, 6, 1]
    numbers = [0, 0, 1, 2, 3, 5, 0, 0]
    rows = [
        (*DIE.distribution(n).outcomes[number].tolist(), DIE.distribution(n).weights[number], 3**n)
        for n, number in zip(n_dice.clip(0, 2).tolist(), numbers, strict=True)
    ]
    weights, total = pool.weigh(np.array(numbers))
    assert weights is not None
    assert isinstance(total, np.ndarray)
    assert list(zip(*pool.way(np.array(numbers)).values(), weights, total, strict=True)) == rows


# -- written examples --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fill", [1, 3, 9])
def test_dice_that_an_example_does_not_give_show_its_fill_or_their_highest_face(fill: int) -> None:
    rolls, shown = FixedRolls({"x": [3, 2, 4]}, fill), min(fill, 4)
    assert rolls.d(4, 3, "x", np.array([1])).tolist() == [[3, 0, 0]]
    assert rolls.count(4, 3, [2], "x", 1).tolist() == [1]
    assert rolls.count(4, 5, [4, shown], "x").tolist() == [5]
    rolls.check_used()
    assert rolls.d(4, 2, "x").tolist() == [[shown, shown]]
    assert rolls.reroll(np.array([[1, 2]]), np.array([[False, True]]), 4, "y")[0].tolist() == [[1, shown]]
    names = FixedRolls({"pool": ["flag", 1, "hit"]}, fill).pool(DIE, 4, "pool", np.array([3]))
    assert {name: values.tolist() for name, values in names.items()} == {"hits": [2], "flags": [1]}


def test_what_dice_cannot_do_is_told_in_full() -> None:
    one = RandomRolls(0, "k", 0, 1)
    dice, twice, none = np.array([[0, 2]]), np.array([[True, True]]), np.array([[True, False]])
    refused: dict[str, Callable[[], object]] = {
        "2 dice are rolled again twice in 'x'; once is all": lambda: one.reroll(dice, twice, 6, "x", twice),
        "a die that was never rolled cannot be rolled again in 'x'": lambda: one.reroll(dice, none, 6, "x"),
        "a die named 'x' with faces 1 to 6 cannot show 7": lambda: FixedRolls({"x": [7]}).d(6, 1, "x"),
        "a die named 'x' with faces 1 to 6 cannot show 0": lambda: FixedRolls({"x": [0]}).d(6, 1, "x"),
        "a die named 'x' with faces 1 to 6 cannot show 'B'": lambda: FixedRolls({"x": ["B"]}).d(6, 1, "x"),
        "the die has no face 'X'; faces are hit, flag, blank": lambda: FixedRolls({"x": ["X"]}).pool(DIE, 1, "x"),
        "dice given but never rolled: {'x': [2]}": FixedRolls({"x": [2], "y": []}).check_used,
    }  # fmt: skip
    for message, asked in refused.items():
        with pytest.raises(RollsError) as error:
            asked()
        assert str(error.value) == message
