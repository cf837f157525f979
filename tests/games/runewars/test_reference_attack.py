"""Attacks of the game against the reference implementation: whole joint distributions of random questions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.games.runewars import reference_trays
from tests.games.runewars.comparing import AttackCase, apart, ask_attack, our_attack, random_attack, told_attack
from tests.games.runewars.reference import COLUMNS, Outcome

EXACT = 1e-12


def wounds(chances: dict[tuple[int, ...], float]) -> float:
    """Return the wounds to be expected, those of figure upgrades too."""
    ends = ((Outcome(*end), p) for end, p in chances.items())
    return sum((end.wounds + end.upgrade_wounds) * p for end, p in ends)


def with_best(case: AttackCase, rerolls: str, surges: str) -> AttackCase:
    return replace(case, how=replace(case.how, rerolls=rerolls, surges=surges))


@pytest.mark.parametrize("lot", range(8))
def test_an_attack_is_as_it_is_told_again(lot: int) -> None:
    for seed in range(lot * 10, lot * 10 + 10):
        case = random_attack(seed)
        assert apart(our_attack(case), told_attack(case), EXACT) == {}, seed


@pytest.mark.slow("test_an_attack_is_as_it_is_told_again")
@pytest.mark.parametrize("lot", range(20))
def test_many_attacks_are_as_they_are_told_again(lot: int) -> None:
    for seed in range(1000 + lot * 50, 1050 + lot * 50):
        case = random_attack(seed, most_dice=3 + seed % 3)
        assert apart(our_attack(case), told_attack(case), EXACT) == {}, seed


@pytest.mark.parametrize("lot", range(4))
def test_the_best_brings_as_many_wounds_as_it_is_told_again(lot: int) -> None:
    """Equally good choices may differ in what else they bring."""
    for seed in range(5000 + lot * 6, 5006 + lot * 6):
        for rerolls, surges in (("best", "listed"), ("no_hit", "best"), ("best", "best")):
            case = with_best(random_attack(seed, most_dice=2 + seed % 2), rerolls, surges)
            assert wounds(our_attack(case)) == pytest.approx(wounds(told_attack(case)), abs=1e-9), (seed, rerolls)


@pytest.mark.slow("test_the_best_brings_as_many_wounds_as_it_is_told_again")
@pytest.mark.parametrize("lot", range(10))
def test_the_best_of_many_brings_as_many_wounds(lot: int) -> None:
    for seed in range(6000 + lot * 20, 6020 + lot * 20):
        case = with_best(random_attack(seed, most_dice=4), "best", "best" if seed % 2 else "listed")
        assert wounds(our_attack(case)) == pytest.approx(wounds(told_attack(case)), abs=1e-9), seed


def test_all_columns_are_compared() -> None:
    assert ask_attack(random_attack(0)).distribution.columns == COLUMNS


@pytest.mark.parametrize(("n", "least"), [(6, 1), pytest.param(40, 11, marks=pytest.mark.slow)])
def test_a_rule_told_otherwise_is_noticed(n: int, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: with the threat of a side told wrong, and with one idle die more, attacks differ."""
    cases = [random_attack(seed) for seed in range(n)]
    assert all(not apart(our_attack(case), told_attack(case), EXACT) for case in cases)
    told = [
        told_attack(replace(case, attacker=replace(case.attacker, precise=case.attacker.precise + 1))) for case in cases
    ]
    assert sum(bool(apart(our_attack(case), other, EXACT)) for case, other in zip(cases, told, strict=True)) >= least
    monkeypatch.setattr(
        "tests.games.runewars.reference.threat", lambda ranks, *_: reference_trays.threat(ranks, ["side"], ["some"])
    )
    assert sum(bool(apart(our_attack(case), told_attack(case), EXACT)) for case in cases) >= least
