"""A long distribution in classes that people count in."""

from __future__ import annotations

import pytest

from balance.answers.blocks.bins import Bin, bins_of


def labels(values: range) -> list[str]:
    return [found.label for found in bins_of(dict.fromkeys(values, 1 / len(values)))]


def test_few_values_are_a_class_each_and_more_are_gathered_in_ones_twos_and_fives() -> None:
    assert labels(range(16)) == [str(value) for value in range(16)]
    assert labels(range(17)) == [*(f"{low} to {low + 1}" for low in range(0, 16, 2)), "16"]
    assert labels(range(3, 30)) == ["3 to 4", "5 to 9", "10 to 14", "15 to 19", "20 to 24", "25 to 29"]
    assert labels(range(-20, 21)) == [
        *("−20 to −16", "−15 to −11", "−10 to −6", "−5 to −1"),
        *("0 to 4", "5 to 9", "10 to 14", "15 to 19", "20"),
    ]
    assert labels(range(700)) == [f"{low} to {low + 99}" for low in range(0, 700, 100)]


def test_twelve_classes_are_few_enough_and_a_caller_may_want_fewer() -> None:
    assert labels(range(24)) == [f"{low} to {low + 1}" for low in range(0, 24, 2)]
    assert labels(range(25)) == ["0 to 4", "5 to 9", "10 to 14", "15 to 19", "20 to 24"]
    some = {1: 0.25, 2: 0.25, 3: 0.25, 9: 0.25}
    assert bins_of(some, 3, 3) == [Bin(1, 4), Bin(5, 9)]
    assert bins_of(some, 4, 3) == [Bin(1, 1), Bin(2, 2), Bin(3, 3), Bin(9, 9)]


@pytest.mark.parametrize(("tail", "first", "last"), [(0.0004, "up to 4", "35 or more"), (0.0007, "0 to 4", "35 to 39")])
def test_only_ends_where_almost_nothing_lies_are_open(tail: float, first: str, last: str) -> None:
    main = dict.fromkeys(range(5, 35), (1 - 4 * tail) / 30)
    chances = {0: tail, 4: tail, **main, 35: tail, 39: tail}
    middle = [f"{low} to {low + 4}" for low in range(5, 35, 5)]
    assert [found.label for found in bins_of(chances)] == [first, *middle, last]


def test_a_class_holds_its_ends() -> None:
    assert [value for value in range(10) if value in Bin(3, 5)] == [3, 4, 5]
    assert [value for value in range(10) if value in Bin(None, 2)] == [0, 1, 2]
    assert [value for value in range(10) if value in Bin(7, None)] == [7, 8, 9]
    assert Bin(None, 0).label == "up to 0"
