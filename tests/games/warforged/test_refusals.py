"""What is refused, word for word: every line names what was found, what is allowed and the rule."""

from __future__ import annotations

from typing import Any

import pytest

import balance
from tests.games.refusals import refusal_of, refusals_in

GAME = balance.load("warforged")
REFUSED = refusals_in("""\
attack nexus whisper
    attacker: an attack uses one weapon, found 0 in 'nexus'; such as nexus+smg_pistol
attack vanguard+smg_pistol+smg_pistol whisper
    attacker: an attack uses one weapon, found 2 in 'vanguard+smg_pistol+smg_pistol'; such as vanguard+smg_pistol
attack trooper+rail_lance whisper
    attacker, trooper: '3' is too much handling (WF-UNIT.3, WF-Q23); allowed: at most 2; leave a weapon out, or choose
        one with a lower handling cost
    attacker, trooper: 'rail_lance' is a heavy weapon (WF-WPN.2, WF-UNIT.4); allowed: only on units with the ability
        heavy
attack whisper+rail_lance+shotgun+shotgun+shotgun trooper
    attacker, whisper: '4' weapons are too many (WF-UNIT.3, WF-Q23); allowed: at most 3
    attacker, whisper: '9' is too much handling (WF-UNIT.3, WF-Q23); allowed: at most 1; leave a weapon out, or choose
        one with a lower handling cost
    attacker, whisper: 'shotgun, shotgun, shotgun' are too many main weapons (WF-UNIT.3, WF-UNIT.4); allowed: 1 without
        the ability heavy
    attacker, whisper: 'rail_lance' is a heavy weapon (WF-WPN.2, WF-UNIT.4); allowed: only on units with the ability
        heavy
attack bulwark+sidearm+sidearm+sidearm+sidearm trooper
    attacker, bulwark: '4' weapons are too many (WF-UNIT.3, WF-Q23); allowed: at most 3
attack colossus+rail_lance+rail_lance trooper
    attacker, colossus: 'rail_lance' is carried 2 times (WF-BUILD.3); allowed: 1 copies exist
attack nexus+shotgun+assault_rifle trooper
    attacker, nexus: '4' is too much handling (WF-UNIT.3, WF-Q23); allowed: at most 3; leave a weapon out, or choose one
        with a lower handling cost
    attacker, nexus: 'shotgun, assault_rifle' are too many main weapons (WF-UNIT.3, WF-UNIT.4); allowed: 1 without the
        ability heavy
attack nexsus+asault_rifle whispr
    attacker: 'nexsus' is not in units; allowed: nexus, whisper, vanguard, bulwark, sentinel, trooper, aegis, detonator,
        colossus, spectre; did you mean nexus?
    attacker: 'asault_rifle' is not in weapons; allowed: assault_rifle, smg_pistol, sidearm, marksman_rifle, shotgun,
        laser_carbine, pulse_pistol, emp_projector, grenade_launcher, rotary_cannon, rocket_battery, rail_lance; did you
        mean assault_rifle?
    defender: 'whispr' is not in units; allowed: nexus, whisper, vanguard, bulwark, sentinel, trooper, aegis, detonator,
        colossus, spectre; did you mean whisper?
attack nexus+shotgun whisper {"attacker.precision": 11}
    set attacker, precision: '11' is out of range; allowed: a whole number from 1 to 10
attack nexus+shotgun whisper {"attacker.precison": 5}
    set attacker: 'precison' is not a field; allowed: id, name, kind, cost_points, speed_cells, health, armour,
        handling, abilities, copies, class, range_cells, precision, damage, effects, shield_active, burn_tokens; did you
        mean precision?
attack nexus+shotgun whisper {"attacker.handling": 3, "attacker.cost": 4}
    set attacker: 'handling' is a field of the unit and of the weapon; write unit.handling or weapon.handling
    set attacker: 'cost' is a field of the unit and of the weapon; write unit.cost or weapon.cost
attack nexus+shotgun whisper {"attacker.weapon2.damage": 1}
    set attacker: 'weapon2' is not a card of this loadout; allowed: unit, weapon, weapon1; did you mean weapon?
attack nexus+shotgun whisper {"defender.precision": 3}
    set defender: 'precision' is not a field; allowed: id, name, kind, cost_points, speed_cells, health, armour,
        handling, abilities, copies, shield_active, burn_tokens
attack nexus+shotgun whisper {"attacker.weapon.health": 1}
    set attacker: 'weapon.health' is not a field; allowed: weapon.id, weapon.name, weapon.weapon_class,
        weapon.cost_points, weapon.handling, weapon.range_cells, weapon.precision, weapon.damage, weapon.effects,
        weapon.copies; did you mean weapon.handling?
attack nexus+shotgun whisper {"attacker.unit.handling": 1}
    set attacker, nexus: '2' is too much handling (WF-UNIT.3, WF-Q23); allowed: at most 1; leave a weapon out, or choose
        one with a lower handling cost
kill nexus+shotgun trooper {"attacker.damage": 0}
    nexus+shotgun deals no damage to trooper, which therefore never falls
duel whisper trooper+sidearm
    a: 'whisper' has no weapon to fight with; such as whisper+smg_pistol
duel nexus+shotgun trooper
    b: 'trooper' has no weapon to fight with; such as trooper+smg_pistol
lineup whisper:2,trooper+sidearm,whisper nexus
    a: 'whisper' has no weapon to fight with; such as whisper+smg_pistol
    b: 'nexus' has no weapon to fight with; such as nexus+smg_pistol
lineup trooper+shotgun:3 nexus+shotgun:2 {"situation.budget": 66}
    b: '68' war points are over the budget; allowed: at most 66; it costs 2 too much
lineup trooper+shotgun:2 nexus+shotgun {"situation.budget_points": 40, "a.cost_points": 9}
    set a: 'cost_points' is a field of the unit and of the weapon; write unit.cost_points or weapon.cost_points
lineup trooper+shotgun:2 nexus+shotgun {"situation.budget_points": 40, "a.unit.cost_points": 11}
    a: '42' war points are over the budget; allowed: at most 40; it costs 2 too much
lineup trooper+shotgun:5 nexus+sidearm+sidearm+sidearm:2,colossus+sidearm {"situation.legal": true,
      "situation.unit_limit": 4, "b.1.weapon.copies": 5}
    a: '5' units are too many (WF-BUILD.1); allowed: at most 4
    a: 'trooper' is taken 5 times (WF-BUILD.3); allowed: 4 copies exist
    a: 'shotgun' is taken 5 times (WF-BUILD.3); allowed: 3 copies exist
    b: 'sidearm' is taken 7 times (WF-BUILD.3); allowed: 6 copies exist
lineup trooper+shotgun:65 nexus+shotgun:0
    a: '65' units are too many for an army; allowed: 1 to 64
    b, nexus+shotgun: '0' is no number of units; allowed: 1 to 64; leave out whom the army does not have
lineup trooper+shotgun nexus+shotgun {"policy_a": "bold"}
    'bold' is not a choice of policy_a; allowed: focus, least_overkill, spread
""")


@pytest.mark.parametrize(("kind", "one", "other", "changes", "lines"), REFUSED)
def test_what_is_refused_is_told_in_full(
    kind: str, one: str, other: str, changes: dict[str, Any], lines: list[str]
) -> None:
    assert refusal_of(GAME, kind, one, other, changes) == lines
