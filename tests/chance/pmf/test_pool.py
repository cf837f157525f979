"""Pools of dice: the same as adding one die at a time, and as listing every way they can fall."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.base.errors import UsageError
from balance.chance.pmf import Pmf, die, pool, pools
from tests.chance.pmf.strategies import distributions

BLUE_ON_BLUE_FOOT = Pmf.from_faces([{"hits": 1}, {"hits": 1}, {"flags": 1}, {"lore": 1}, {}, {}])
"""A BattleLore die of a blue unit against blue foot: two faces hit, one is a flag, one is lore."""


@given(distributions("x", "y"), st.integers(0, 6))
@settings(deadline=None)
def test_a_pool_is_repeated_addition(one: Pmf, n_dice: int) -> None:
    nothing = Pmf.of([(0, 0)], ["x", "y"])
    assert pool(one, n_dice) == reduce(lambda total, _: total + one, range(n_dice), nothing)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=5), st.integers(1, 4))
@settings(max_examples=30, deadline=None)
def test_a_pool_is_every_way_the_dice_can_fall(faces: list[tuple[int, int]], n_dice: int) -> None:
    counts: dict[tuple[int, ...], int] = {}
    for shown in product(faces, repeat=n_dice):
        key = tuple(map(sum, zip(*shown, strict=True)))
        counts[key] = counts.get(key, 0) + 1
    distribution = pool(Pmf.from_faces([{"a": a, "b": b} for a, b in faces]), n_dice)
    assert dict(zip(map(tuple, distribution.outcomes.tolist()), distribution.weights.tolist(), strict=True)) == counts


@given(distributions("x"), st.integers(0, 5), st.integers(0, 5))
def test_two_pools_are_one_large_pool(one: Pmf, n: int, m: int) -> None:
    assert pool(one, n) + pool(one, m) == pool(one, n + m)


def test_scattered_values_are_pooled_too() -> None:
    one = Pmf.of({0: 1, 10**9: 1, -(10**12): 1})
    distribution = pool(one, 5)
    assert distribution == reduce(lambda total, _: total + one, range(5), Pmf.of([0]))
    assert distribution.total == 3**5


def test_float_weights_are_pooled_as_floats() -> None:
    distribution = pool(Pmf.of({0: 0.5, 1: 0.5}), 10)
    assert distribution.weights.tolist() == pytest.approx([comb(10, k) / 1024 for k in range(11)])


@pytest.mark.parametrize("n_dice", [23, 24, 25, 40, 100])
def test_totals_cross_64_bits_without_rounding(n_dice: int) -> None:
    """6**24 is the first total beyond 2**62."""
    distribution = pool(Pmf.from_faces([{"hits": 1}, {"hits": 1}, {}, {}, {}, {}]), n_dice)
    assert distribution.total == 6**n_dice
    assert distribution.weights.tolist() == [comb(n_dice, k) * 2**k * 4 ** (n_dice - k) for k in range(n_dice + 1)]


def test_weights_beyond_64_bits_from_the_start() -> None:
    distribution = pool(Pmf.of({0: 2**80, 1: 1}), 2)
    assert distribution.weights.tolist() == [2**160, 2**81, 1]


@pytest.mark.parametrize("n_dice", [4, 8, 12])
def test_battlelore_pools_have_multinomial_weights(n_dice: int) -> None:
    distribution = pool(BLUE_ON_BLUE_FOOT, n_dice)
    assert len(distribution) == comb(n_dice + 3, 3)
    for (hits, flags, lore), weight in zip(distribution.outcomes.tolist(), distribution.weights.tolist(), strict=True):
        rest = n_dice - hits - flags - lore
        ways = comb(n_dice, hits) * comb(n_dice - hits, flags) * comb(n_dice - hits - flags, lore)
        assert weight == ways * 2**hits * 2**rest


def test_four_hits_on_four_dice() -> None:
    distribution = pool(BLUE_ON_BLUE_FOOT, 4)
    assert len(distribution) == 35
    assert distribution.fraction(lambda hits: hits == 4) == Fraction(1, 81)


@pytest.mark.parametrize(("n_dice", "expected"), [(2, "35/324"), (3, "919/5832"), (4, "21455/104976")])
def test_a_creature_is_killed_by_a_green_helmet_on_a_re_rolled_hit(n_dice: int, expected: str) -> None:
    hit, green = Pmf.of({1: 2, 0: 4}, "hits"), Pmf.of({1: 1, 0: 5}, "kills")
    distribution = pool(hit, n_dice).then(lambda hits: pool(green, hits))
    assert distribution.fraction(lambda kills: kills > 0) == Fraction(expected)


def test_one_warforged_attack() -> None:
    """Precision 7 and damage 4 against armour 3: the chances of 0 to 4 damage."""
    blocked = pool(Pmf.from_faces([{"blocked": 1}] * 3 + [{}] * 3), 3)
    attack = (
        die(10, "d10")
        .joint(blocked)
        .map(lambda d10, blocked: {"damage": (d10 < 7) * (4 - blocked).clip(1) + 4 * (d10 == 7)})
    )
    chances = [attack.fraction(lambda damage, d=d: damage == d) for d in range(5)]
    assert chances == [Fraction(3, 10), Fraction(3, 40), Fraction(9, 40), Fraction(9, 40), Fraction(7, 40)]
    assert attack.mean("damage") == 1.9


def test_a_pool_has_no_fewer_than_no_dice() -> None:
    with pytest.raises(UsageError) as caught:
        pool(die(6), -1)
    assert str(caught.value) == "a pool has no fewer than 0 dice, found -1"
    assert pool(die(6), 0).to_dict() == {"value": [0], "weight": [1]}
    assert pool(Pmf.of({(1, 2): 0.5, (3, 4): 0.5}, ["a", "b"]), 0).to_dict() == {"a": [0], "b": [0], "weight": [1.0]}


@pytest.mark.parametrize(
    ("one", "n_dice", "by_halves"),
    [
        ({0: 1, 5: 1, 4095: 1}, 1, 0),
        ({0: 1, 5: 1, 4096: 1}, 1, 1),
        ({-4095: 1, -5: 1, 0: 2}, 1, 0),
        ({0: 1, 5: 1, 1919: 1}, 10, 0),  # 19,191 sums, and 64 times 3 outcomes times 100 are 19,200
        ({0: 1, 5: 1, 1920: 1}, 10, 1),
        ({(0, 0): 1, (1, 0): 1, (63, 63): 1}, 1, 0),
        ({(0, 0): 1, (1, 0): 1, (63, 64): 1}, 1, 1),
        ({0: 1, 10**6: 2}, 10, 0),  # two classes need no lattice
    ],
)
def test_a_lattice_is_used_while_it_is_not_mostly_empty(
    one: dict[object, int], n_dice: int, by_halves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    halves, asked = pools._pool_by_halves, list[int]()

    def watched(die: Pmf, n: int) -> Pmf:
        asked.append(n)
        return halves(die, n)

    monkeypatch.setattr(pools, "_pool_by_halves", watched)
    die_ = Pmf.of(one, ["a", "b"] if isinstance(next(iter(one)), tuple) else "a")
    found = pool(die_, n_dice)
    assert asked[:1] == [n_dice] * by_halves
    total = {(0,) * len(die_.columns): 1}
    for _ in range(n_dice):
        grown: dict[tuple[int, ...], int] = {}
        for sums, ways in total.items():
            for outcome, weight in zip(die_.outcomes.tolist(), die_.weights.tolist(), strict=True):
                key = tuple(a + b for a, b in zip(sums, outcome, strict=True))
                grown[key] = grown.get(key, 0) + ways * weight
        total = grown
    assert found.columns == die_.columns
    assert [tuple(row) for row in found.outcomes.tolist()] == sorted(total)
    assert found.weights.tolist() == [total[key] for key in sorted(total)]
    assert found.outcomes.dtype == found.weights.dtype == np.int64


@pytest.mark.parametrize(("n_dice", "kind"), [(61, np.int64), (62, np.int64), (63, object)])
def test_weights_are_64_bit_integers_while_their_sum_is_at_most_2_to_the_62(n_dice: int, kind: type) -> None:
    found = pool(Pmf.of([0, 1]), n_dice)
    assert found.weights.dtype == kind
    assert found.weights.tolist() == [comb(n_dice, k) for k in range(n_dice + 1)]
    scattered = pool(Pmf.of([0, 10**6]), n_dice)
    assert scattered.weights.dtype == kind
    assert scattered.weights.tolist() == found.weights.tolist()


@pytest.mark.parametrize("n_dice", [0, 1, 2, 9])
@pytest.mark.parametrize("one", [{(0, 3): 34, (1, 3): 2}, {(-2, 5): 7, (4, -1): 3}, {(0, 0): 10**20, (5, 0): 1}])
def test_a_pool_of_two_classes_is_the_sum_of_its_dice(one: dict[object, int], n_dice: int) -> None:
    die_ = Pmf.of(one, ["a", "b"])
    added = Pmf.of([(0, 0)], ["a", "b"])
    for _ in range(n_dice):
        added += die_
    found = pool(die_, n_dice)
    assert found.to_dict() == added.to_dict()
    assert found.total == die_.total**n_dice


def test_a_pool_of_two_classes_whose_weights_are_probabilities_stays_one() -> None:
    found = pool(Pmf.of({0: 0.75, 1: 0.25}), 3)
    assert not found.is_exact
    assert found.p == pytest.approx([27 / 64, 27 / 64, 9 / 64, 1 / 64])
