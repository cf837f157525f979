"""Duels of the game against the reference implementation: whole joint distributions of random questions."""

from __future__ import annotations

from collections.abc import Sequence
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


@pytest.mark.slow("test_a_duel_is_as_it_is_told_again")
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


@pytest.mark.slow("test_a_duel_is_as_it_is_told_again")
@pytest.mark.parametrize(
    ("seeds", "least"),
    [
        (range(8), 1),
        pytest.param(range(30), 6, marks=pytest.mark.slow),
        pytest.param(range(30, 60), 6, marks=pytest.mark.slow),
    ],
    ids=["few", "0", "1"],
)
def test_the_best_of_a_round_wounds_as_much_as_it_is_told_again(seeds: range, least: int) -> None:
    """Equally good choices may differ in all but the wounds to be expected: figures, where there are no others."""
    cases = [one_exchange(seed) for seed in seeds]
    cases = [case for case in cases if not case.duel.a.upgrade_health and not case.duel.b.upgrade_health]
    assert len(cases) >= least
    for case in cases:
        assert figures_left(our_duel(case)) == pytest.approx(figures_left(told_duel(case)), abs=NEAR), case.names


def test_all_columns_are_compared() -> None:
    assert ask_duel(random_duel(0)).distribution.columns == DUEL_COLUMNS


@pytest.mark.parametrize("seeds", [(17, 18, 21), pytest.param(range(14, 26), marks=pytest.mark.slow)], ids=len)
def test_a_rule_told_otherwise_is_noticed(seeds: Sequence[int]) -> None:
    """Negative control: who strikes at once, and a round more, make other duels."""
    cases = [random_duel(seed, most_trays=2) for seed in seeds]
    at_once = [replace(case, duel=replace(case.duel, simultaneous=not case.duel.simultaneous)) for case in cases]
    longer = [replace(case, duel=replace(case.duel, round_limit=case.duel.round_limit + 1)) for case in cases]
    for others in (at_once, longer):
        differ = [bool(apart(our_duel(one), told_duel(two), NEAR)) for one, two in zip(cases, others, strict=True)]
        assert sum(differ) > len(cases) // 4
