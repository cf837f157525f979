"""Duels of the game against the reference implementation: whole joint distributions of random questions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.games.runewars.comparing import DuelCase, apart, ask_duel, our_duel, random_duel, told_duel
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


def one_exchange(seed: int) -> DuelCase:
    """Return one round without figures that come back, in which both choose for the most wounds."""
    case = random_duel(seed, most_trays=3)
    plain = {"wound_threshold": 1, "wounds_suffered": 0, "regenerate": "0", "trays_added": 0}
    a, b = (replace(one, **plain) for one in (case.duel.a, case.duel.b))  # type: ignore[arg-type]
    a_how, b_how = (replace(how, rerolls="best", surges="best") for how in (case.duel.a_how, case.duel.b_how))
    duel = replace(case.duel, a=a, b=b, a_how=a_how, b_how=b_how, volleys=0, round_limit=1, simultaneous=True)
    return replace(case, duel=duel)


def figures_left(chances: dict[tuple[int, ...], float]) -> list[float]:
    return [sum(end[DUEL_COLUMNS.index(name)] * p for end, p in chances.items()) for name in ("a_figures", "b_figures")]


@pytest.mark.parametrize("lot", range(2))
def test_the_best_of_a_round_wounds_as_much_as_it_is_told_again(lot: int) -> None:
    """Equally good choices may differ in all but the wounds to be expected: figures, where there are no others."""
    cases = [one_exchange(seed) for seed in range(lot * 30, lot * 30 + 30)]
    cases = [case for case in cases if not case.duel.a.upgrade_health and not case.duel.b.upgrade_health]
    assert len(cases) > 5
    for case in cases:
        assert figures_left(our_duel(case)) == pytest.approx(figures_left(told_duel(case)), abs=NEAR), case.names


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
