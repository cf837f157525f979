"""What is refused, word for word: every line names what was found, what is allowed and the rule."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.immortal_souls.plays import GAME
from tests.games.refusals import refusal_of, refusals_in

KNOWN = (
    "ecarus, ecarus_black_rose, thorgar, thorgar_rune_master, shae, shae_assassin, laegon, laegon_archer, "
    "auriel, auriel_enchantress, green_gremlin, blue_gremlin, red_gremlin, green_bandit, blue_bandit, red_bandit, "
    "green_orc_warrior, blue_orc_warrior, red_orc_warrior, green_orc_shaman, blue_orc_shaman, red_orc_shaman, "
    "troll, orc_king, gremlin_horde, gargoyle, witch_queen, witch_queen_wrath"
)
REFUSED = refusals_in("""\
duel ecarus auriel
    'ecarus and auriel' are of one faction; a duel is a hero's against an enemy
duel green_gremlin troll
    'green_gremlin and troll' are of one faction; a duel is a hero's against an enemy
attack ecarus green_gremlin {"situation.distance": 1}
    set situation, distance: '1' is beyond the range of long_sword (IS-HIT.14); allowed: 0: it is for melee
attack laegon_archer green_gremlin {"situation.distance": 5}
    set situation, distance: '5' is beyond the range of long_bow (IS-HIT.14); allowed: 0 to 4
attack auriel+thunder_lord_1 green_gremlin {"situation.distance": 4}
    set situation, distance: '4' is beyond the range of thunder_lord_1 (IS-HIT.14); allowed: 0 to 3
attack ecarus green_gremlin {"situation.distance": 6}
    set situation, distance: '6' is out of range; allowed: a whole number from 0 to 5
attack ecarus green_gremlin {"attacker.effects": "critical@ABI,critical@MAG"}
    set attacker, effects: 'critical@ABI, critical@MAG' are two criticals of one attack; allowed: one critical
duel ecarus green_gremlin {"b.effects": "critical@,critical@MAG", "a.effects": "critical@,critical@"}
    set a, effects: 'critical@, critical@' are two criticals of one attack; allowed: one critical
    set b, effects: 'critical@, critical@MAG' are two criticals of one attack; allowed: one critical
duel ecarus green_gremlin {"a.power_effects": "critical@,critical@", "a.power_cooldown": 1}
    set a, power_effects: 'critical@, critical@' are two criticals of one attack; allowed: one critical
attack ecarus green_gremlin {"attacker.effects": "lethl1@ABI"}
    set attacker, effects: 'lethl1@ABI' is not a known effect; allowed: lethal, critical, ko, armour, poison, blind,
        slow, stun, fire, hits, push, area, reroll; did you mean lethal?
attack ecarus green_gremlin {"attacker.effects": "ko@FOO"}
    set attacker, effects: 'ko@FOO' costs 'FOO', which no die shows; allowed: HIT, ABI, MAG, SHD, LEG, MIS, joined by +
attack ecarus green_gremlin {"attacker.effects": "ko"}
    set attacker, effects: 'ko' does not say what it costs; allowed: NAME[NUMBER]@COST, such as lethal1@ABI, ko@ABI+MAG,
        or slow@ for a free one; write ko@ if it is free
attack ecarus green_gremlin {"attacker.effects": "poison3@"}
    set attacker, effects: 'poison3@' has a number that is out of range; allowed: a number from 1 to 2
attack ecarus green_gremlin {"defender.defence_effects": "ko@ABI"}
    set defender, defence_effects: 'ko@ABI' is not a known effect; allowed: shield, reroll
attack ecarus green_gremlin {"defender.modifiers": "arcane"}
    set defender, modifiers: 'arcane' is not a weakness or resistance; allowed: TYPE:CHANGE, such as arcane:+1 or
        all_but_arcane:-1, a change from -9 to +9 but 0
attack ecarus green_gremlin {"defender.modifiers": "fire:-1"}
    set defender, modifiers: 'fire:-1' is of an unknown damage type; allowed: arcane, blunt, piercing, slashing, or
        all_but_ before one
attack ecarus green_gremlin {"situation.roll": "HIT,BAM"}
    set situation, roll: 'BAM' is not a known choice; allowed: any of HIT, ABI, MAG, SHD, LEG, MIS
attack ecarus green_gremlin {"attacker.damage_type": "cold"}
    set attacker, damage_type: 'cold' is not a known choice; allowed: arcane, blunt, piercing, slashing, none
attack ecarus green_gremlin {"attacker.hand": "left"}
    set attacker, hand: 'left' is not a known choice; allowed: main, off
attack ecarus green_gremlin {"attacker.rank": 8, "attacker.red": 10, "defender.shields": 21}
    set attacker, rank: '8' is out of range; allowed: a whole number from 1 to 7
    set attacker, red: '10' is out of range; allowed: a whole number from 0 to 9
    set defender, shields: '21' is out of range; allowed: a whole number from 0 to 20
attack ecarus green_gremlin {"defender.sure": 1}
    set defender: 'sure' is not a field; allowed: rank, health, armour, shields, defence_dice, modifiers,
        defence_effects, ko, poison
attack ecarus green_gremlin {"attacker.armour": 1}
    set attacker: 'armour' is not a field; allowed: rank, hand, sure, red, blue, damage_type, bonus_hits, effects
attack ecarus green_gremlin {"attacker_spending": "cheapest"}
    'cheapest' is not a choice of attacker_spending; allowed: by_rules, most_wounds, most_kills, conditions, dearest;
        did you mean dearest?
attack ecarus green_gremlin {"defender_spending": "most_wounds"}
    'most_wounds' is not a choice of defender_spending; allowed: by_rules, fewest_wounds, dearest; did you mean
        fewest_wounds?
duel ecarus green_gremlin {"b.save": "SHD", "b.focus": true, "b.power_cooldown": 1, "b.power_sure": 1}
    set b, save: 'SHD' is only for heroes
    set b, focus: 'true' is only for heroes
    set b, power_sure: '1' is only for heroes
    set b, power_cooldown: '1' is only for heroes
duel ecarus green_gremlin {"a.save": "HAT"}
    set a, save: 'HAT' is not a known choice; allowed: HIT, ABI, MAG, SHD, LEG, MIS; did you mean HIT?
duel ecarus green_gremlin {"a.power_cooldown": 5}
    set a, power_cooldown: '5' is out of range; allowed: a whole number from 0 to 4
duel ecarus green_gremlin {"a.fire1": 21}
    set a, fire1: '21' is out of range; allowed: a whole number from 0 to 20
duel ecarus green_gremlin {"situation.activation_chance": 1.5, "situation.round_limit": -1, "situation.enemy_turns": 0}
    set situation, round_limit: '-1' is out of range; allowed: a whole number from 0 to 5000
    set situation, activation_chance: '1.5' is out of range; allowed: a number from 0 to 1
    set situation, enemy_turns: '0' is out of range; allowed: a whole number from 1 to 5
duel ecarus green_gremlin {"situation.distance": 1}
    set situation: 'distance' is not a field; allowed: round_limit, activation_chance, activation_deck, enemy_turns
duel ecarus green_gremlin {"rules.lethal_effects": "most"}
    set rules, lethal_effects: 'most' is not a known choice; allowed: add, greatest
duel thorgar+call_lightning_3 green_gremlin {"a.rank": 2}
    a: 'call_lightning_3' needs rank 3 (IS-POW.3); set rank=3 for this side
duel ecarus+grate_axe+mace green_gremlin
    a: 'grate_axe' is no weapon, armour, artefact, item or power; did you mean great_axe?
    a: 'mace' is no weapon, armour, artefact, item or power
duel ecarus green_gremlin+leather_jerkin
    b: 'leather_jerkin' is no weapon, and an enemy carries nothing else
duel ecarus green_gremlin+clawz
    b: 'clawz' is no weapon, armour, artefact, item or power; did you mean claws_red?
duel auriel+great_axe+chain_mail green_gremlin
    a: 'great_axe' is not for the style magic (IS-ITEM.2); allowed: strength
    a: 'chain_mail' is not for the style magic (IS-ITEM.2); allowed: faith, strength
attack ecarus green_gremlin:0
    defender, green_gremlin: '0' is no number of units; allowed: 1 to 64; leave out whom the army does not have
attack green_gremlin ecarus {"situation.focus": true, "situation.distance": 1}
    set situation, distance: '1' is beyond the range of claws_green (IS-HIT.14); allowed: 0: it is for melee
    set situation, focus: 'true' is only for heroes (IS-ACT.14)
duel ecarus green_gremlin {"b.power_damage_type": "arcane"}
    set b, power_damage_type: 'arcane' is only for heroes
attack shae+knives green_gremlin {"situation.distance": 2}
    set situation, distance: '2' is beyond the range of knives (IS-HIT.14); allowed: 0 to 1
attack ecarus green_gremlin {"attacker.bonus_hits": -10, "defender.health": 0, "defender.poison": 3}
    set attacker, bonus_hits: '-10' is out of range; allowed: a whole number from -9 to 99
    set defender, health: '0' is out of range; allowed: a whole number from 1 to 999
    set defender, poison: '3' is out of range; allowed: a whole number from 0 to 2
""")


@pytest.mark.parametrize(("kind", "one", "other", "changes", "told"), REFUSED)
def test_what_is_refused(kind: str, one: str, other: str, changes: dict[str, Any], told: list[str]) -> None:
    assert refusal_of(GAME, kind, one, other, changes) == told


@pytest.mark.parametrize(
    ("one", "other", "where", "found", "tip"),
    [
        ("ecarrus", "green_gremlin", "a", "ecarrus", "ecarus"),
        ("ecarus", "gren_gremlin", "b", "gren_gremlin", "green_gremlin"),
        ("ecarus", "gremlin_blu", "b", "gremlin_blu", "gremlin_blue"),
    ],
)
def test_whom_nobody_knows(one: str, other: str, where: str, found: str, tip: str) -> None:
    told = f"{where}: {found!r} is no hero and no enemy; allowed: {KNOWN}; did you mean {tip}?"
    assert refusal_of(GAME, "duel", one, other, {}) == [told]
