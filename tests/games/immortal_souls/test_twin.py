"""The package's distributions of random attacks and duels against those of a second telling of the rules.

Attacks are compared as exact fractions, duels to 1e-9. All options of the rules are among the cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.games.immortal_souls.asking import loaded_with, our_attack, our_duel
from tests.games.immortal_souls.instances import AttackCase, DuelCase, random_attack, random_duel, random_game
from tests.games.immortal_souls.reference import Attack, Defender, State, attack_outcomes
from tests.games.immortal_souls.reference_duel import duel_outcomes
from tests.games.immortal_souls.reference_spending import Effect, Game, counts, effects

Chances = dict[tuple[int, ...], Fraction]
Ends = Mapping[Any, float]


def once(offers: Sequence[Effect], name: str) -> tuple[Effect, ...]:
    """Return effects with the first of a name alone: the package refuses two criticals of one attack."""
    first = next((i for i, effect in enumerate(offers) if effect.name == name), -1)
    return tuple(effect for i, effect in enumerate(offers) if effect.name != name or i == first)


def plain_attack(attack: Attack, critical: str = "") -> Attack:
    """Return an attack with one critical at most; it draws a `critical` too, if one is written."""
    return replace(attack, effects=once(effects(critical) + attack.effects[: 4 if critical else 5], "critical"))


def plain_game(game: Game, other: Game | None) -> Game:
    """Return the options of a game with the dice and the bag of another, if there is one."""
    return replace(other, options=game.options) if other else game


def other_game(seed: int) -> Game:
    """Return other dice and another bag."""
    return random_game(seed)


def attack_case(seed: int, n_targets: int = 1, *, fixed: bool = False, other: Game | None = None) -> AttackCase:
    case = random_attack(seed, n_targets, fixed=fixed)
    game = plain_game(case.game, other)
    attack = plain_attack(case.attack, "critical@ABI" if other and seed % 2 else "critical@" if other else "")
    return AttackCase(attack, case.targets, game)


def duel_case(seed: int, *, cheap: bool = False, other: Game | None = None) -> DuelCase:
    case = random_duel(seed, cheap=cheap)
    crits = ("critical@HIT", "critical@") if other else ("", "")
    a, b = (
        replace(one, weapon=plain_attack(one.weapon, crit)) for one, crit in zip((case.a, case.b), crits, strict=True)
    )
    a = replace(a, power=a.power and plain_attack(a.power))
    return DuelCase(a, b, case.rules._replace(game=plain_game(case.rules.game, other)))


def told(case: AttackCase) -> Chances:
    """Return the distribution of an attack as it is told again."""
    return {tuple(outcome): p for outcome, p in attack_outcomes(case.attack, case.targets, case.game).items()}


def far_apart(ours: Ends, theirs: Ends) -> list[tuple[int, ...]]:
    """Return the ends of a duel whose chances differ by more than 1e-9."""
    return [end for end in ours.keys() | theirs.keys() if abs(ours.get(end, 0) - theirs.get(end, 0)) > 1e-9]


@pytest.mark.parametrize("lot", range(10))
def test_an_attack_is_as_it_is_told_again(lot: int) -> None:
    for seed in range(lot * 25, lot * 25 + 25):
        case = attack_case(seed)
        assert our_attack(case) == told(case), seed


@pytest.mark.parametrize("lot", range(5))
def test_an_attack_on_several_targets_is_as_it_is_told_again(lot: int) -> None:
    for seed in range(1000 + lot * 20, 1020 + lot * 20):
        case = attack_case(seed, 2 + seed % 2)
        assert our_attack(case) == told(case), seed


@pytest.mark.parametrize("lot", range(5))
def test_a_settled_roll_is_as_it_is_told_again(lot: int) -> None:
    for seed in range(2000 + lot * 20, 2020 + lot * 20):
        case = attack_case(seed, fixed=True)
        assert our_attack(case) == told(case), seed


@pytest.mark.parametrize("lot", range(10))
def test_a_duel_is_as_it_is_told_again(lot: int) -> None:
    for seed in range(lot * 20, lot * 20 + 20):
        case = duel_case(seed, cheap=lot % 2 == 1)
        assert far_apart(our_duel(case), duel_outcomes(case.a, case.b, case.rules)) == [], seed


@pytest.mark.parametrize("seed", range(12))
def test_other_dice_and_another_bag_of_criticals(seed: int, tmp_path: Path) -> None:
    other = other_game(seed)
    game = loaded_with(other, tmp_path / "immortal_souls")
    for number in range(seed * 100, seed * 100 + 8):
        case = attack_case(number, 1 + number % 3, other=other)
        assert our_attack(case, game) == told(case), number
    for number in range(seed * 100, seed * 100 + 6):
        duel = duel_case(number, cheap=number % 2 == 1, other=other)
        assert far_apart(our_duel(duel, game), duel_outcomes(duel.a, duel.b, duel.rules)) == [], number


READ = {
    # the reading that is not the default, an attack that it changes, whom it is made on
    "Q2": ("a hit", Attack(roll=counts("ABI"), effects=effects("stun@ABI")), Defender()),
    "Q3": (
        "normal_first",
        Attack(3, damage_type="blunt", roll=counts("ABI"), effects=effects("lethal2@ABI")),
        Defender(armour=1, modifiers=(("blunt", -1),)),
    ),
    "Q4": ("yes", Attack(roll=counts("MIS"), damage_type="blunt"), Defender(modifiers=(("blunt", 2),))),
    "Q5": ("greatest", Attack(3, roll=counts("MIS"), effects=effects("lethal1@,lethal2@")), Defender(armour=3)),
    "Q7": ("not", Attack(3), Defender(modifiers=(("all_but_blunt", -1),))),
    "Q8": ("no", Attack(roll=counts("MIS"), bonus_hits=1), Defender()),
    "Q21": ("nothing", Attack(effects=effects("ko@")), Defender(state=State(ko=1))),
    "Q39": ("no", Attack(effects=effects("poison1@")), Defender(state=State(poison=1))),
}


@pytest.mark.parametrize("question", READ)
def test_each_reading_makes_a_difference(question: str) -> None:
    """A rule told otherwise is found: the package agrees with the telling of its own reading alone."""
    reading, attack, target = READ[question]
    usual, other = (AttackCase(attack, (target,), Game(options=way)) for way in ((), ((question, reading),)))
    assert our_attack(usual) == told(usual) != told(other) == our_attack(other)


def test_a_hit_that_a_weakness_makes_of_none_is_not_lethal() -> None:
    """IS-LETH.1: there is nothing to become lethal, so armour stops the hit of the weakness (IS-Q4, IS-Q6)."""
    attack = Attack(roll=counts("MIS"), damage_type="blunt", effects=effects("lethal@"))
    case = AttackCase(attack, (Defender(armour=3, modifiers=(("blunt", 1),)),), Game(options=(("Q4", "yes"),)))
    assert {row[2] for row in our_attack(case)} == {0}
    assert our_attack(case) == told(case)
