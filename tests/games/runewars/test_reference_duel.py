"""Duels of the game against the reference implementation: whole joint distributions of random questions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.games.runewars.comparing import apart, ask_duel, our_duel, random_duel, told_duel
from tests.games.runewars.reference_duel import DUEL_COLUMNS

NEAR = 1e-9


@pytest.mark.parametrize("lot", range(3))
def test_a_duel_is_as_it_is_told_again(lot: int) -> None:
    for seed in range(14 + lot * 5, 19 + lot * 5):
        case = random_duel(seed, most_trays=2)
        assert apart(our_duel(case), told_duel(case), NEAR) == {}, seed


@pytest.mark.slow
@pytest.mark.parametrize("lot", range(20))
def test_many_duels_are_as_they_are_told_again(lot: int) -> None:
    for seed in range(1000 + lot * 15, 1015 + lot * 15):
        case = random_duel(seed, most_trays=2 + seed % 4)
        assert apart(our_duel(case), told_duel(case), NEAR) == {}, seed


def test_all_columns_are_compared() -> None:
    assert ask_duel(random_duel(0)).distribution.columns == DUEL_COLUMNS


def test_a_rule_told_otherwise_is_noticed() -> None:
    """Negative control: who strikes at once, and a round more, make other duels."""
    cases = [random_duel(seed, most_trays=2) for seed in range(14, 26)]
    at_once = [replace(case, duel=replace(case.duel, simultaneous=not case.duel.simultaneous)) for case in cases]
    longer = [replace(case, duel=replace(case.duel, round_limit=case.duel.round_limit + 1)) for case in cases]
    for others in (at_once, longer):
        differ = [bool(apart(our_duel(one), told_duel(two), NEAR)) for one, two in zip(cases, others, strict=True)]
        assert sum(differ) > 3
