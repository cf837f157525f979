"""Laws side by side: what is too large for a float is a share of its total, and draws the same."""

from __future__ import annotations

import numpy as np
import pytest

from balance.chance.dice.rolling.laws import LawArrays

HUGE = 10**400
FAIR: dict[tuple[int, ...], float] = {(0,): HUGE, (1,): HUGE}
LOADED: dict[tuple[int, ...], float] = {(0,): 0.25, (1,): 0.75}


def test_whole_numbers_of_any_size_stay_whole_alone() -> None:
    laws = LawArrays.of([FAIR])
    assert laws.totals.tolist() == [2 * HUGE]
    assert laws.p.tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    "laws", [LawArrays.of([FAIR, LOADED]), LawArrays.of([FAIR]).with_more(LawArrays.of([LOADED]))], ids=["of", "more"]
)
def test_beside_chances_they_are_chances(laws: LawArrays) -> None:
    assert laws.p.tolist() == [0.5, 0.5, 0.25, 0.75]
    assert laws.totals.tolist() == [1.0, 1.0]
    assert np.array_equal(laws.ends, [0.5, 1.0, 1.25, 2.0])
