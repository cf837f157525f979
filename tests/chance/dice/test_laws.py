"""Laws worked out cleverly are those of counting every way."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from math import comb, prod

import pytest

from balance.chance.dice.exact.weights import (
    Law,
    TooLarge,
    Work,
    add,
    compose,
    highest_of,
    map_law,
    mixed,
    power,
    select,
)


def counted(laws: list[Law], function: object = sum) -> Law:
    """Return the law of a function of independent values by counting."""
    found: Counter[int] = Counter()
    for way in itertools.product(*(law.items() for law in laws)):
        found[function([value for value, _ in way])] += prod(weight for _, weight in way)  # type: ignore[operator]
    return dict(found)


def some_law(luck: random.Random, most: int = 4) -> Law:
    return {luck.randint(-5, 12): luck.randint(1, 5) for _ in range(luck.randint(1, most))}


def test_a_power_is_a_sum_of_so_many() -> None:
    luck = random.Random(1)
    for _ in range(60):
        law, n = some_law(luck), luck.randint(0, 5)
        assert power(law, n, Work()) == counted([law] * n) if n else {0: 1}


def test_a_power_of_values_far_apart_is_too() -> None:
    law = {0: 1, 1: 2, 1_000_000: 3}
    assert power(law, 4, Work()) == counted([law] * 4)


def test_sums_of_many_values_are_those_of_pairs() -> None:
    one = {value: value + 1 for value in range(60)}
    other = {value: 3 * value + 10**30 for value in range(-30, 40)}
    assert add(one, other, Work()) == counted([one, other])


@pytest.mark.parametrize("lowest", [False, True])
def test_the_highest_of_several_are_those_of_sorting(lowest: bool) -> None:
    luck = random.Random(2)
    for _ in range(60):
        laws = [some_law(luck) for _ in range(luck.randint(1, 4))]
        kept = luck.randint(1, len(laws))
        expected = counted(laws, lambda values: sum(sorted(values, reverse=not lowest)[:kept]))  # noqa: B023
        assert highest_of(laws, kept, Work(), lowest) == expected


def test_places_in_order_are_those_of_sorting() -> None:
    luck = random.Random(3)
    for _ in range(120):
        law, n = some_law(luck), luck.randint(0, 5)
        first, last = sorted((luck.randint(0, n), luck.randint(0, n)))
        counts = {value: luck.randint(-3, 3) for value in law}
        faces = [(counts[value], law[value]) for value in sorted(law, reverse=True)]
        total = counted([law] * n, lambda dice: sum(counts[v] for v in sorted(dice, reverse=True)[first:last]))  # noqa: B023
        found = select(faces, n, first, last, Work())
        assert {value: weight / sum(found.values()) for value, weight in found.items()} == pytest.approx(
            {value: weight / sum(total.values()) for value, weight in total.items()}
        )


@pytest.mark.parametrize("exploded", [False, True])
def test_thirty_dice_in_order_are_those_of_the_slow_way(exploded: bool) -> None:
    """Weights of hundreds of digits, against sorting by one face after the other in fractions."""
    faces = [(4 - v + 4 * times, 4 ** (3 - times)) for times in range(4) for v in range(1, 4)] + [(16, 1)]
    law = sorted(faces if exploded else [(v, 1) for v in range(1, 13)], reverse=True)
    assert select(law, 30, 1, 4, Work()) == by_faces(law, 30, 1, 4)
    assert select(law[::-1], 30, 0, 3, Work()) == by_faces(law[::-1], 30, 0, 3)
    assert select(law, 30, 0, 3, Work()) != by_faces(law[::-1], 30, 0, 3)


def by_faces(faces: Sequence[tuple[int, int]], n: int, first: int, last: int) -> Law:
    """Let so many of the dice left show each face in turn: what counts is told die by die."""
    known = {(0, 0): 1}
    for place, (value, weight) in enumerate(faces):
        found: dict[tuple[int, int], int] = {}
        for (taken, counted), ways in known.items():
            left = n - taken
            for more in range(left + 1) if place < len(faces) - 1 else [left]:
                to = counted + value * max(0, min(taken + more, last) - max(taken, first))
                key = taken + more, to
                found[key] = found.get(key, 0) + ways * comb(left, more) * weight**more
        known = found
    total: Law = {}
    for (_, counted), ways in known.items():
        total[counted] = total.get(counted, 0) + ways
    return total


@pytest.mark.parametrize(("faces", "n"), [(20, 1), (20, 20), (7, 5), (2, 2), (50, 30)])
def test_dice_whose_faces_weigh_the_same_are_those_of_one_die_after_the_other(faces: int, n: int) -> None:
    one = {4 + 3 * face: 2 for face in range(faces)}
    slowly = {0: 1}
    for _ in range(n):
        slowly = add(slowly, one, Work())
    assert power(one, n, Work()) == slowly
    assert list(power(one, n, Work())) == sorted(slowly)


def test_as_many_as_a_law_says() -> None:
    one, many = {0: 2, 1: 3}, {0: 1, 2: 2, 3: 4}
    found = compose(many, one, Work())
    parts = [(weight, power(one, n, Work())) for n, weight in many.items()]
    by_parts = mixed(parts, Work())
    assert {v: w * sum(by_parts.values()) for v, w in found.items()} == {
        v: w * sum(found.values()) for v, w in by_parts.items()
    }


def test_a_function_of_a_law() -> None:
    assert map_law({-1: 1, 0: 2, 1: 3}, abs) == {1: 4, 0: 2}


@pytest.mark.parametrize(
    "law", [lambda w: power(dict.fromkeys(range(1, 101), 1), 1000, w), lambda w: add({0: 1, 10**9: 1}, {0: 1}, w)]
)
def test_work_is_told_before_it_is_done(law: object) -> None:
    with pytest.raises(TooLarge, match="more than 1 steps"):
        law(Work(1))  # type: ignore[operator]
