"""The mark of a distribution is the same number for ever: what was kept is held against it."""

from __future__ import annotations

import hashlib
from itertools import pairwise

import pytest

from balance.analysis.scores.equivalence import MARK_TOLERANCE, distribution_mark
from balance.chance.pmf import Pmf, die

MASK = 2**64 - 1


def mixed(value: int) -> int:
    """Return the finaliser of SplitMix64 in Python's own integers."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def marked(pmf: Pmf) -> float:
    """Return the mark by plain loops."""
    salts = [int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") for name in pmf.columns]
    total = 0.0
    for row, p in zip(pmf.outcomes.tolist(), pmf.p.tolist(), strict=True):
        found = 0
        for value, salt in zip(row, salts, strict=True):
            found = mixed(found ^ ((value + salt) & MASK))
        total += p * (found >> 11) / 2**53
    return total


@pytest.mark.parametrize(
    "pmf",
    [
        die(6),
        Pmf.from_rows(["a", "b"], [[0, -1], [2, 3], [2, 4]], [0.1, 0.2, 0.7]),
        Pmf.from_rows(["b", "a"], [[0, -1], [2, 3], [2, 4]], [0.1, 0.2, 0.7]),
        Pmf.of({0: 1}),
    ],
)
def test_a_mark_is_what_plain_integers_make_of_it(pmf: Pmf) -> None:
    assert distribution_mark(pmf) == pytest.approx(marked(pmf), abs=1e-14)


def test_marks_of_other_columns_outcomes_and_chances_are_other_ones() -> None:
    rows, chances = [[0, 1], [1, 0]], [1, 3]
    all_of_them = [
        Pmf.from_rows(["a", "b"], rows, chances),
        Pmf.from_rows(["b", "a"], rows, chances),
        Pmf.from_rows(["a", "b"], rows, [3, 1]),
        Pmf.from_rows(["a", "b"], [[0, 0], [1, 1]], chances),
    ]
    marks = sorted(map(distribution_mark, all_of_them))
    assert min(later - mark for mark, later in pairwise(marks)) > 1e-4
    assert MARK_TOLERANCE == 1e-11
