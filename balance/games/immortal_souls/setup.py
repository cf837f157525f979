"""From what was asked about one attack to one that is ready to be made."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from balance.base.errors import Fault, RulesError
from balance.chance.rolls.process import Process
from balance.game.armies.armies import Army
from balance.game.kit import never
from balance.game.setup import Asked, Setup
from balance.games.immortal_souls.rules.attack import attack_outcome, attack_steps, start_of
from balance.games.immortal_souls.rules.policies import attacks_by, defends_by
from balance.games.immortal_souls.rules.strike import Attack
from balance.games.immortal_souls.ruleset import Switches
from balance.games.immortal_souls.sides import Side
from balance.games.immortal_souls.situation import AttackSituation
from balance.games.immortal_souls.tables.characters import Character, Profile
from balance.games.immortal_souls.tables.tables import constants_of
from balance.games.immortal_souls.workshop import Workshop, carried_faults, critical_faults, profile_of


def attack_setup(question: Asked[Switches, AttackSituation, Any]) -> Setup[Attack]:
    """Prepare one attack (ledger level A); raise RulesError if it draws two criticals or its target is too far."""
    shop, situation = Workshop.of(question), question.situation
    attacker: Side = question.sides["attacker"]
    targets: Army[Side] = question.sides["defender"]
    character, rule = attacker.character, constants_of(question.catalogue).attack
    profile = profile_of(attacker, character.named_power or attacker.hand)
    faults = [*critical_faults(profile, "§set attacker"), *_situation_faults(character, profile, situation)]
    faults += [
        *carried_faults(attacker, "attacker"),
        *(f for target in targets.units for f in carried_faults(target, "defender")),
    ]
    if faults:
        raise RulesError(faults)
    bonus = attacker.stance.bonus_hits + situation.supremacy * rule.supremacy_hits + situation.focus * rule.focus_hits
    spends = attacks_by(question.choices["attacker_spending"], character.is_hero)
    strike = shop.strike(profile, bonus, situation.roll, spends)
    guards = tuple(
        shop.guard(
            target, profile.damage_type, defends_by(question.choices["defender_spending"], target.character.is_hero)
        )
        for target in targets.units
    )
    return Setup(Attack(strike, guards, shop.bag, question.rules), question.inputs())


def _situation_faults(character: Character, profile: Profile, situation: AttackSituation) -> Iterator[Fault]:
    """Yield a fault for a target out of range, 0 for melee (IS-HIT.14), and for an enemy with focus."""
    if situation.distance > profile.range_areas:
        range_text = f"0 to {profile.range_areas}" if profile.range_areas else "0: it is for melee"
        message = f"is beyond the range of {profile.id} (IS-HIT.14)"
        yield Fault(message, "§set situation", None, "distance", str(situation.distance), range_text)
    if situation.focus and not character.is_hero:
        yield Fault("is only for heroes (IS-ACT.14)", "§set situation", None, "focus", "true")


def attack_processes(setup: Setup[Attack], lane: str = "literal") -> tuple[Process, ...]:
    """Return one attack as a process; every lane rolls it, since the compiled one draws from its distribution."""
    steps = attack_steps(setup.play)
    return (Process(start_of(setup.play), steps, never, partial(attack_outcome, setup.play), len(steps)),)
