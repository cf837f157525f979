"""What is refused, word for word: every line names what was found, what is allowed and the rule."""

from __future__ import annotations

from typing import Any

import pytest

import balance
from tests.games.refusals import refusal_of, refusals_in

GAME = balance.load("battlelore")
REFUSED = refusals_in("""\
attack green_foot+crossbow blue_foot {"situation.distance_hexes": 4}
    set situation, distance_hexes: '4' is beyond the range of crossbow (BL-RNG-01, BL-RNG-05); allowed: 1 to 3
attack green_foot+crossbow blue_foot {"situation.adjacent": true, "situation.distance": 2}
    set situation, adjacent: 'true' contradicts the distance: adjacent is at distance 1 (BL-RNG-02); allowed:
        distance_hexes=2
attack green_foot+crossbow blue_foot {"situation.adjacent": false, "situation.distance": 1}
    set situation, adjacent: 'false' contradicts the distance: adjacent is at distance 1 (BL-RNG-02); allowed:
        distance_hexes=1
attack blue_foot blue_foot {"situation.adjacent": false}
    set situation, adjacent: 'short_sword' attacks adjacent units only (BL-RNG-04, BL-WPN-05); say
        situation.adjacent=true
attack giant_spider blue_foot {"situation.distance": 2}
    set situation, adjacent: 'bite' attacks adjacent units only (BL-RNG-04, BL-CRE-02); say situation.adjacent=true
attack blue_foot blue_foot {"attacker.webbed": true}
    set attacker, webbed: 'webbed' unit cannot battle (BL-CRE-15); say attacker.freed=true if its owner pays to free it
        (BL-CRE-16)
attack blue_foot blue_foot {"attacker.freed": true}
    set attacker, freed: 'true' is only for a webbed unit (BL-CRE-16)
attack blue_foot blue_foot {"attacker.freed": true, "attacker.webbed": true, "attacker.moved": true,
      "rules.freed_unit": "move_or_battle"}
    set attacker, moved: 'moving' and battling is too much for a freed unit (BL-CRE-16)
attack blue_foot blue_foot {"defender.figures": 5}
    set defender, figures: '5' figures on foot are too many (BL-TRP-03); allowed: 1 to 4
attack blue_mounted giant_spider {"attacker.figures": 4, "defender.figures": 2}
    set attacker, figures: '4' figures mounted are too many (BL-TRP-03); allowed: 1 to 3
    set defender, figures: '2' figures of a creature are too many (BL-TRP-03); allowed: 1 to 1
attack giant_spider blue_foot {"attacker.race": "dwarf"}
    set attacker, race: 'dwarf' does not apply: a creature is no troop and has no race (BL-TRP-05)
attack blue_foot blue_foot {"attacker.stored_lore": 1}
    set attacker, stored_lore: '1' is more than it can store (BL-CRE-11: only a creature stores Lore); allowed: 0 to 0
attack giant_spider blue_foot {"attacker.stored_lore": 3}
    set attacker, stored_lore: '3' is more than it can store (BL-CRE-12); allowed: 0 to 2
attack blue_foot blue_foot {"situation.target_terrain": "watercourse,hill"}
    set situation.target_terrain: 'watercourse' is impassable (BL-TER-04)
attack blue_foot blue_foot {"attacker.moved": true, "situation.attacker_terrain": "landmark,rampart"}
    set situation, attacker_terrain: 'landmark' may not be battled from on the turn of entry (BL-LMK-01), and
        attacker.moved is true
    set situation, attacker_terrain: 'rampart' may not be battled from on the turn of entry (BL-LMK-13), and
        attacker.moved is true; say situation.entered_from=rampart if it came from one
attack green_foot+crossbow blue_foot {"attacker.webbed": true, "situation.distance": 4,
      "situation.target_terrain": "watercourse", "situation.attacker_terrain": "watercourse",
      "situation.entered_from": "watercourse"}
    set situation, distance_hexes: '4' is beyond the range of crossbow (BL-RNG-01, BL-RNG-05); allowed: 1 to 3
    set attacker, webbed: 'webbed' unit cannot battle (BL-CRE-15); say attacker.freed=true if its owner pays to free it
        (BL-CRE-16)
    set situation.attacker_terrain: 'watercourse' is impassable (BL-TER-04)
    set situation.entered_from: 'watercourse' is impassable (BL-TER-04)
    set situation.target_terrain: 'watercourse' is impassable (BL-TER-04)
attack blue_foot+short_sword+long_sword blue_foot
    attacker: 'short_sword+long_sword' are too many weapons (BL-TRP-02); allowed: one weapon
attack giant_spider+long_sword blue_foot
    attacker: 'long_sword' is not a weapon giant_spider can use (BL-WPN-05, BL-CRE-01); allowed: bite
attack blue_foot+bite blue_foot
    attacker: 'bite' is not a weapon blue_foot can use (BL-WPN-05, BL-CRE-01); allowed: short_sword, long_sword,
        common_bow, crossbow
attack blue_foot blue_foot {"defender.beside": "rampart,stronghold,hill"}
    set defender.beside: 'rampart, hill' does nothing for units next to it (BL-LMK-11); allowed: stronghold
attack blue_feet blue_foot
    attacker: 'blue_feet' is not in units; allowed: green_foot, blue_foot, red_foot, green_mounted, blue_mounted,
        red_mounted, giant_spider; did you mean blue_foot?
attack elf_blue_foot blue_foot
    attacker: 'elf_blue_foot' is not in units; allowed: green_foot, blue_foot, red_foot, green_mounted, blue_mounted,
        red_mounted, giant_spider; did you mean blue_foot?
attack blue_foot blue_foot {"attacker.race": "gobblin"}
    set attacker.race: 'gobblin' is not in races; allowed: human, dwarf, goblin; did you mean goblin?
combat blue_foot blue_foot {"situation.blockers": 1, "situation.retreat_terrain": "watercourse",
      "situation.other_terrain": "forrest"}
    set situation, blockers: do not matter: only a creature tramples (BL-CRE-08)
    set situation.retreat_terrain: 'watercourse' is impassable (BL-TER-04)
    set situation.other_terrain: 'forrest' is not in terrains; allowed: countryside, forest, hill, watercourse, ford,
        bridge, landmark, rampart, stronghold, rogues_den, secret_passage, training_camp, magic_pentacle, healing_pool;
        did you mean forest?
combat green_foot+crossbow blue_foot {"situation.ambush": true, "situation.distance": 2, "defender.webbed": true}
    set situation, ambush: 'true' is for attacks in melee (BL-POST-01, BL-POST-07)
    set defender, webbed: 'webbed' unit cannot battle (BL-CRE-15)
combat blue_mounted blue_foot {"situation.other_figures": 5, "follow_up": "bonus_other"}
    set situation.other, other_figures: '5' figures are too many (BL-TRP-03); allowed: 1 to 4
combat blue_mounted blue_foot {"situation.other": "red_fot", "follow_up": "bonus_other"}
    set situation.other: 'red_fot' is not in units; allowed: green_foot, blue_foot, red_foot, green_mounted,
        blue_mounted, red_mounted, giant_spider; did you mean red_foot?
duel giant_spider giant_spider {"situation.adventure": "medieval", "a_powers": "web", "b_powers": "store"}
    'a_powers=web, b_powers=store' needs a Lore adventure: in a Medieval one the Lore face is a miss (BL-DIE-02)
skirmish blue_foot blue_foot {"a.supported": true, "b.webbed": true, "b.poisoned": true}
    set a, supported: 'True' is not for a line: its units support each other, and begin untouched (BL-MOR-07)
    set b, webbed: 'True' is not for a line: its units support each other, and begin untouched (BL-MOR-07)
    set b, poisoned: 'True' is not for a line: its units support each other, and begin untouched (BL-MOR-07)
skirmish giant_spider blue_foot {"a.stored_lore": 1}
    set a, stored_lore: '1' is not for a line: its units support each other, and begin untouched (BL-MOR-07)
lineup blue_foot:0 red_mounted:x,:2
    a, blue_foot: '0' is no number of units; allowed: 1 to 64; leave out whom the army does not have
    b, red_mounted: 'x' is no number of units; allowed: 1 to 64; such as red_mounted:2
    b: ':2' names no member of an army; allowed: MEMBER[:COUNT][,MEMBER[:COUNT]...]
lineup blue_foot:64,giant_spider blue_foot
    a: '65' units are too many for an army; allowed: 1 to 64
lineup blue_foot,blue_fut blue_foot,red_foot+bite,red_foot+short_sword+crossbow
    a.2: 'blue_fut' is not in units; allowed: green_foot, blue_foot, red_foot, green_mounted, blue_mounted, red_mounted,
        giant_spider; did you mean blue_foot?
    b.2: 'bite' is not a weapon red_foot can use (BL-WPN-05, BL-CRE-01); allowed: short_sword, long_sword, common_bow,
        crossbow
    b.3: 'short_sword+crossbow' are too many weapons (BL-TRP-02); allowed: one weapon
lineup blue_foot:2,giant_spider blue_foot {"a.supported": true, "a.2.stored_lore": 1, "b.webbed": true}
    set a.1, supported: 'True' is not for a line: its units support each other, and begin untouched (BL-MOR-07)
    set a.2, supported: 'True' is not for a line: its units support each other, and begin untouched (BL-MOR-07)
    set a.2, stored_lore: '1' is not for a line: its units support each other, and begin untouched (BL-MOR-07)
    set b, webbed: 'True' is not for a line: its units support each other, and begin untouched (BL-MOR-07)
lineup blue_foot,blue_mounted blue_foot {"a.figures": 4}
    set a.2, figures: '4' figures mounted are too many (BL-TRP-03); allowed: 1 to 3
lineup blue_foot,blue_mounted blue_foot {"a.3.figures": 1}
    set a: '3.figures' is no member of this army; allowed: 1 to 2, and a field after it
lineup blue_foot blue_foot {"policy_a": "focal"}
    'focal' is not a choice of policy_a; allowed: opposite, focus, spread; did you mean focus?
lineup blue_foot blue_foot {"situation.a_units": 2}
    set situation: 'a_units' is not a field; allowed: adventure, a_terrain, b_terrain, a_free_hexes, b_free_hexes,
        a_extra_dice, b_extra_dice, turn_limit
""")


@pytest.mark.parametrize(("kind", "one", "other", "changes", "lines"), REFUSED)
def test_what_is_refused_is_told_in_full(
    kind: str, one: str, other: str, changes: dict[str, Any], lines: list[str]
) -> None:
    assert refusal_of(GAME, kind, one, other, changes) == lines
