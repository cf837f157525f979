"""What must hold between the tables of Immortal Souls: each thing that can be wrong is told in full."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from balance.catalogue import check_folder
from balance.games.immortal_souls.tables.tables import SPEC
from tests.games.refusals import changes_in, faults_of_change

DATA = Path(__file__).parents[3] / "data" / "immortal_souls"


def told_of(folder: Path, file: str, old: str, new: str, times: int = 1) -> list[str]:
    """Return what is told of a catalogue with a changed file, without the folder."""
    return faults_of_change(SPEC, DATA, folder, file, old, new, times)


BANDIT = "green_bandit,Green Bandit,bandit,green,dexterity,most_wounded,2,7,7,1,0,1,,,sword_green,knife_green,1,1"
LAID = (
    "village_2/village_6,village_10:2;village_5:2;village_11:1;village_11:2,village_4@2;village_12@1-6;"
    "village_9@3-4,alarm_bell@village_10;hoofbeats@village_11"
)
BROKEN = changes_in(
    r"""
items.csv: action,once,3,poison;blind;critical,0,0 -> action,once,3,poison;blind;critical,0,1
    items.csv, row 2: does not do one thing; allowed: heals or removes, shields, or hits
items.csv: action,once,3,poison;blind;critical,0,0 -> action,once,0,,0,0
    items.csv, row 2: does not do one thing; allowed: heals or removes, shields, or hits
items.csv: free,once,4,,0,0 -> reaction,once,4,,0,0
    items.csv, row 4: is used at the wrong time; allowed: a reaction for shields, and for nothing else
items.csv: reaction,once,0,,2,0 -> free,once,0,,2,0
    items.csv, row 6: is used at the wrong time; allowed: a reaction for shields, and for nothing else
items.csv: free,once,0,,0,1 -> action,once,0,,0,1
    items.csv, row 5: is used at the wrong time; allowed: free for hits
items.csv: once,1,poison,0 -> once,1,poisn,0
    items.csv, row 3, removes: 'poisn' is not a known choice; allowed: any of ko, slow, blind, poison, critical; did you
        mean poison?
artefacts.csv: fire2@MAG,,3,100,magic,1 -> fire2@MAG,,3,100,magic,0
    artefacts.csv, row 7: does not say what a use takes; allowed: charges and per_use, or neither
artefacts.csv: fire2@MAG,,3,100,magic,1 -> fire2@MAG,,0,100,magic,1
    artefacts.csv, row 7: does not say what a use takes; allowed: charges and per_use, or neither
artefacts.csv: fire2@MAG,,3,100,magic,1 -> reroll@MAG,,3,100,magic,1
    artefacts.csv, row 7: has charges for a reroll; allowed: charges for all other effects of an attack
powers.csv: heals:R/2 -> heal:R/2
    powers.csv, row 49, by_rank: 'heal:R/2' is not what a soul rank adds; allowed: FIELD:R or FIELD:R/2, such as
        heals:R/2; did you mean heals:R/2?
powers.csv: 2,0,0,0,area0@,0,0,0,0,0,false,,heals:R/2 -> 2,0,0,0,area0@MAG,0,0,0,0,0,false,,heals:R/2
    powers.csv, row 49: has effects that no attack buys; allowed: for healing area0@, area1@ or area2@ (IS-AOE.3)
powers.csv: 2,0,0,0,area0@,0,0,0,0,0,false,,heals:R/2 -> 2,0,0,0,slow@,0,0,0,0,0,false,,heals:R/2
    powers.csv, row 49: has effects that no attack buys; allowed: for healing area0@, area1@ or area2@ (IS-AOE.3)
weapons.csv: strength,false,soul_blade_front -> strength,false,soul_blade_frnt
    weapons.csv, row 23, front: 'soul_blade_frnt' is not in weapons; did you mean soul_blade_front?
weapons.csv: false,3,0,strength,false,soul_blade_front -> false,,0,strength,false,soul_blade_front
    weapons.csv, row 23, front: 'soul_blade_front' is the front side of no soul weapon; tell what its gem costs in
        gem_souls
weapons.csv: strength,false,soul_blade_front -> strength,false,soul_bow_front
    weapons.csv, row 23, front: 'soul_bow_front' is no front side; name an ordinary weapon for the hand main
weapons.csv: strength,false,soul_blade_front -> strength,false,soul_hammer
    weapons.csv, row 23, front: 'soul_hammer' is no front side; name an ordinary weapon for the hand main
faces.csv: red_5,red,HIT;HIT -> red_5,red,HIT;HIT;ABI
    faces.csv, row 6, results: 'HIT;HIT;ABI' are 3 results on one face; allowed: 1 or 2 of HIT, ABI, MAG, SHD, LEG, MIS
faces.csv: red_5,red,HIT;HIT -> red_5,red,
    faces.csv, row 6, results: is empty; allowed: 1 or 2 of HIT, ABI, MAG, SHD, LEG, MIS
faces.csv: red_5,red,HIT;HIT -> red_5,red,HIT;HYT
    faces.csv, row 6, results: 'HYT' is not a known choice; allowed: any of HIT, ABI, MAG, SHD, LEG, MIS; did you mean
        HIT?
weapons.csv: two,0,1,2,0,critical@ABI+ABI -> two,0,1,2,0,critical@ABI+ABU
    weapons.csv, row 6, effects: 'critical@ABI+ABU' costs 'ABU', which no die shows; allowed: HIT, ABI, MAG, SHD, LEG,
        MIS, joined by +; did you mean ABI?
weapons.csv: two,0,1,2,0,critical@ABI+ABI -> two,0,1,2,0,kritical@ABI
    weapons.csv, row 6, effects: 'kritical@ABI' is not a known effect; allowed: lethal, critical, ko, armour, poison,
        blind, slow, stun, fire, hits, push, area, reroll; did you mean critical?
armours.csv: Scale Armour,1,0,3,reroll@ABI -> Scale Armour,1,0,3,lethal1@ABI
    armours.csv, row 6, defence_effects: 'lethal1@ABI' is not a known effect; allowed: shield, reroll
enemies.csv: Red Orc Warrior,orc_warrior,red,strength,strength,1,12,16,2,0,2,arcane:+1
      -> Red Orc Warrior,orc_warrior,red,strength,strength,1,12,16,2,0,2,arcan:+1
    enemies.csv, row 10, modifiers: 'arcan:+1' is of an unknown damage type; allowed: arcane, blunt, piercing, slashing,
        or all_but_ before one; did you mean arcane?
criticals.csv: Deep wound,green,2,2,0 -> Deep wound,green,2,2,-1
    criticals.csv, row 3: changes what only a red token can change
criticals.csv: broken_armour,Broken armour,red,3,0,-1,0,0,none -> broken_armour,Broken armour,red,3,0,-1,0,0,stun
    criticals.csv, row 4: gives a condition, which only a blue token does
heroes.csv: MAG,3,4,rune_hammer, -> MAG,3,4,rune_hamer,
    heroes.csv, row 5, weapon: 'rune_hamer' is not in weapons; did you mean rune_hammer?
heroes.csv: blessing;hammer_throw;rune_of_fire -> blessing;hammer_throw;rune_of_fir
    heroes.csv, row 5, powers: 'rune_of_fir' is not in powers; did you mean rune_of_fire?
heroes.csv: blessing;hammer_throw;rune_of_fire -> blessing;hammer_throw;dark_fury
    heroes.csv, row 5, powers: 'dark_fury' is not for thorgar_rune_master; it is of ecarus_black_rose
gems.csv: shae_5,shae,5 -> shae_5,shae,6
    gems.csv, row 35, rank: '6' is a rank that shae has a gem for already
    heroes.csv, row 6, id: 'shae' has no gem for every rank; add its rows for rank 5 to gems
gems.csv: shae_7,shae,7 -> shae_7,shae_assassin,7
    gems.csv, row 43, rank: '7' is a rank that shae_assassin has a gem for already
    heroes.csv, row 6, id: 'shae' has no gem for every rank; add its rows for rank 7 to gems
gems.csv: laegon_5,laegon,5 -> laegon_5,leagon,5
    gems.csv, row 48, hero: 'leagon' is not in heroes; did you mean laegon?
    heroes.csv, row 8, id: 'laegon' has no gem for every rank; add its rows for rank 5 to gems
enemies.csv: BANDIT,green_bandit -> BANDIT,gren_bandit
    enemies.csv, row 5, scroll: 'gren_bandit' is not in scrolls; did you mean green_bandit?
enemies.csv: regeneration,0,0,1,10 -> regenerate,0,0,1,10
    enemies.csv, row 14, powers: 'regenerate' is not in enemy_powers; did you mean regeneration?
enemies.csv: true,false,witch_queen_wrath,14 -> true,false,witch_queen_rath,14
    enemies.csv, row 18, other_side: 'witch_queen_rath' is not in enemies; did you mean witch_queen_wrath?
enemies.csv: true,false,witch_queen_wrath,14 -> true,false,witch_queen_wrath,
    enemies.csv, row 18, other_side: 'witch_queen_wrath' does not fit the health that it is turned over at; tell both,
        or neither
enemies.csv: true,false,witch_queen_wrath,14 -> true,false,,14
    enemies.csv, row 18, other_side: '14' does not fit the health that it is turned over at; tell both, or neither
scrolls.csv: red_gremlin_2,red_gremlin,2,1;2;3 -> red_gremlin_2,red_gremlin,2,1;3
    scrolls.csv, row 10, scroll: 'red_gremlin' leaves a distance open; write a rule for 2
scrolls.csv: orc_king_3,orc_king,3,+,move_3\n ->
    scrolls.csv, row 49, scroll: 'orc_king' leaves a distance open; write a rule for +
scrolls.csv: orc_king_3,orc_king,3,+ -> orc_king_3,orc_king,2,+
    scrolls.csv, row 51, order: '2' is the order of two rules of orc_king
scrolls.csv: orc_king_3,orc_king,3,+ -> orc_king_3,orc_king,3,4;+
    scrolls.csv, row 51, distances: '4;+' would hide other rules; write the rule for + by itself, as the last of its
        scroll
scrolls.csv: orc_king_3,orc_king,3,+ -> orc_king_3,orc_king,3,6
    scrolls.csv, row 51, distances: '6' is not a known choice; allowed: any of 0, 1, 2, 3, 4, 5, +
scrolls.csv: 3,+,move_3 -> 3,+,run_3
    scrolls.csv, row 51, do: 'run_3' has the unknown step 'run_3'; allowed: engage, move_1, move_2, move_3, attack,
        attack_off, shoot_2, retreat, joined by +
areas.csv: village_2,village,village_1;village_3;village_6 -> village_2,village,village_1;village_6
    areas.csv, row 4, neighbours: 'village_2' does not name village_3 as its neighbour; name village_3 there too; a side
        that is crossed one way only is a barrier
areas.csv: gorge_7,gorge,gorge_4;gorge_6;gorge_8;gorge_12,gorge_4
      -> gorge_7,gorge,gorge_4;gorge_6;gorge_8;gorge_12,gorge_5
    areas.csv, row 33, barriers: 'gorge_5' is no neighbour of gorge_7; did you mean gorge_8?
areas.csv: gorge_2,gorge,gorge_1;gorge_3,, -> gorge_2,gorge,gorge_1;gorge_3,gorge_1,
    areas.csv, row 27, id: 'gorge_1' cannot be reached from gorge_9, where heroes start in gorge_troll
areas.csv: crypt_6>crypt_7>crypt_8>crypt_9;crypt_11 -> crypt_6>crypt_7>crypt_8>crypt_19;crypt_11
    areas.csv, row 18, lines: 'crypt_19' is no other area of crypt; did you mean crypt_9?
areas.csv: crypt_6>crypt_7>crypt_8>crypt_9;crypt_11 -> crypt_6>>crypt_8>crypt_9;crypt_11
    areas.csv, row 18, lines: 'crypt_6>>crypt_8>crypt_9' is not a line of sight; allowed: areas joined by >, each once,
        such as crypt_2>crypt_3
encounters.csv: The Crypt of Bones,crypt,crypt_5 -> The Crypt of Bones,cript,crypt_5
    encounters.csv, row 3, map: 'cript' has no areas; did you mean crypt?
encounters.csv: The Crypt of Bones,crypt,crypt_5 -> The Crypt of Bones,crypt,gorge_5
    encounters.csv, row 3, start: 'gorge_5' is not an area of crypt
encounters.csv: troll@gorge_4 -> trol@gorge_4
    encounters.csv, row 5, enemies: 'trol' is not in enemies; did you mean troll?
encounters.csv: troll@gorge_4 -> troll@gorge_44
    encounters.csv, row 5, enemies: 'gorge_44' is not an area of gorge; did you mean gorge_4?
encounters.csv: survive,6 -> survive,
    encounters.csv, row 6, goal: 'survive' does not fit the rounds; tell the rounds if the goal is survive, and else
        leave them empty
encounters.csv: kill_masters, -> kill_masters,6
    encounters.csv, row 5, goal: 'kill_masters' does not fit the rounds; tell the rounds if the goal is survive, and
        else leave them empty
encounters.csv: soul_recall;night;day;hoofbeats -> soul_recall;night;dai;hoofbeats
    encounters.csv, row 5, events: 'dai' is not in events; did you mean day?
encounters.csv: LAID -> village_7/crypt_1,village_13:2,village_99@2,alarm_bell@vilage_5
    encounters.csv, row 7, walls: 'crypt_1' is not an area of village
    encounters.csv, row 7, fires: 'village_13' is not an area of village; did you mean village_3?
    encounters.csv, row 7, gates: 'village_99' is not an area of village; did you mean village_9?
    encounters.csv, row 7, stories: 'vilage_5' is not an area of village; did you mean village_5?
encounters.csv: LAID -> village_7/village_7,village_10:3,village_9@0,alarm_bell
    encounters.csv, row 7, walls: 'village_7/village_7' is not a wall; allowed: the two areas that it parts, such as
        village_2/village_6
    encounters.csv, row 7, fires: 'village_10:3' is not a fire token; allowed: AREA:1 or AREA:2, such as village_3:2 for
        Fire II
    encounters.csv, row 7, gates: 'village_9@0' does not say when a gate is open; allowed: AREA@ROUND or
        AREA@FIRST-LAST, rounds 1 to 99, such as village_4@3 or village_4@1-4
    encounters.csv, row 7, stories: 'alarm_bell' does not say which story lies where; allowed: EVENT@AREA, such as
        hoofbeats@village_12
encounters.csv: LAID -> village_6/village_7,,,
    encounters.csv, row 7, walls: 'village_7' is no neighbour of village_6
encounters.csv: LAID -> village_2/village_6;village_1/village_2;village_7/village_11;village_12/village_8,,,
    encounters.csv, row 7, walls: 'village_2/village_6, village_1/village_2, village_7/village_11, village_12/village_8'
        leaves no way from village_6 to village_2
encounters.csv: LAID -> ,,village_3@2,
    encounters.csv, row 7, gates: 'village_3' has no gate
encounters.csv: LAID -> ,,village_9@5-3,
    encounters.csv, row 7, gates: 'village_9@5-3' does not say when a gate is open; allowed: AREA@ROUND or
        AREA@FIRST-LAST, rounds 1 to 99, such as village_4@3 or village_4@1-4
encounters.csv: LAID -> ,,village_9@2;village_9@3-5,
    encounters.csv, row 7, gates: 'village_9' is told twice when it is open
encounters.csv: LAID -> ,,,alarm@village_5;sample@village_6
    encounters.csv, row 7, stories: 'alarm' is not in events; did you mean alarm_bell?
    encounters.csv, row 7, stories: 'sample' is a standard event, which is drawn from the deck
encounters.csv: LAID -> ,,,alarm_bell@village_5;hoofbeats@village_5
    encounters.csv, row 7, stories: 'village_5' has two stories; one is told in an area
encounters.csv: The Burning Mill,village -> The Burning Mill,vilage
    encounters.csv, row 7, map: 'vilage' has no areas; did you mean village?
events.csv: alarm_bell,The Alarm Bell,story,,,0,0 -> alarm_bell,The Alarm Bell,story,,,1,0
    encounters.csv, row 7, stories: 'alarm_bell' changes attacks, which only an event from the deck does
events.csv: alarm_bell,The Alarm Bell,story,,,0,0 -> alarm_bell,The Alarm Bell,story,,,0,-1
    encounters.csv, row 7, stories: 'alarm_bell' changes attacks, which only an event from the deck does
rules.toml: value = "lethal_first" -> value = "lethal_last"
    rules.toml, row 17, switches.resistance_takes.value: 'lethal_last' is not a known choice; allowed: lethal_first,
        normal_first, attackers_choice; did you mean lethal_first?
rules.toml: sight_areas = 5 -> sight_areas = 500
    rules.toml, row 279, constants.board.sight_areas: '500' is out of range; allowed: a whole number from 0 to 99
rules.toml: rank_costs = [0, 4, 9, 16, 25, 36, 49] -> rank_costs = [4, 9, 16, 25, 36, 49]
    rules.toml, row 288, constants.party.rank_costs: '4;9;16;25;36;49' Tuple should have at least 7 items after
        validation, not 6; allowed: a list, each a whole number from 0 to 99
scrolls.csv: orc_king_3,orc_king,3,+ -> orc_king_3,orc_king,3,
    scrolls.csv, row 51, distances: is empty; allowed: any of 0, 1, 2, 3, 4, 5, +
scrolls.csv: 3,+,move_3 -> 3,+,
    scrolls.csv, row 51, do: is empty; allowed: a list, each a text
""".replace("LAID", LAID).replace("BANDIT", BANDIT)
)


@pytest.mark.parametrize(("file", "old", "new", "told"), BROKEN)
def test_what_is_wrong_in_a_table_is_told(tmp_path: Path, file: str, old: str, new: str, told: list[str]) -> None:
    assert told_of(tmp_path / "catalogue", file, old, new) == told


@pytest.mark.parametrize(
    ("file", "old", "new", "times", "told"),
    [
        ("faces.csv", ",red,", ",blue,", 10, "faces.csv, row 2, die: 'red' is a die without a face"),
        ("faces.csv", ",blue,", ",red,", 10, "faces.csv, row 2, die: 'blue' is a die without a face"),
    ],
)
def test_a_die_without_faces_is_told(tmp_path: Path, file: str, old: str, new: str, times: int, told: str) -> None:
    assert told_of(tmp_path / "catalogue", file, old, new, times) == [told]


def test_an_empty_bag_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "catalogue"
    shutil.copytree(DATA, folder)
    head = (DATA / "criticals.csv").read_text("utf-8").splitlines()[0]
    (folder / "criticals.csv").write_text(f"{head}\nlight_wound,Light wound,green,0,1,0,0,0,none,false\n", "utf-8")
    (folder / "SOURCES.csv").unlink()
    told = [str(fault).removeprefix(f"{folder}/") for fault in check_folder(SPEC, folder)]
    assert told == ["criticals.csv, row 2, tokens: '0' leaves the bag empty, as all others do"]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("areas.csv", "gorge_1,gorge,gorge_2,,", "gorge_1,gorge,gorge_2,gorge_2,"),  # in and never out, but reached
        ("scrolls.csv", "orc_king_3,orc_king,3,+", "orc_king_3,orc_king,9,+"),
        ("scrolls.csv", "orc_king_2,orc_king,2,1;2;3", "orc_king_2,orc_king,2,0;1;2;3"),
        ("heroes.csv", "MAG,3,4,rune_hammer,", "MAG,3,4,,"),
        ("criticals.csv", "graze,Graze,green,5,0,0,0,0,none", "graze,Graze,blue,5,0,0,0,0,stun"),
    ],
)
def test_what_the_rules_allow_is_not_told(tmp_path: Path, file: str, old: str, new: str) -> None:
    assert told_of(tmp_path / "catalogue", file, old, new) == []


CALL = "call_fenrir_1,Call Fenrir I,call_fenrir,laegon;laegon_archer,1"


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            "powers.csv", f"{CALL},action,", f"{CALL},passive,",
            "powers.csv, row 47, activation: 'passive' calls no companion; let it take a combat activity or an action",
        ),
        (
            "powers.csv", f"{CALL},action,false,3,", f"{CALL},action,false,0,",
            "powers.csv, row 47, cooldown: '0' would call a companion again at once; "
            "tell the hourglasses that it shows when the companion has died, 1 to 4",
        ),
        (
            "powers.csv", f"{CALL},action,false,3,none,0,0,0,0,", f"{CALL},action,false,3,none,0,0,0,1,",
            "powers.csv, row 47, companion: 'fenrir_1' is called by an attack; "
            "let it have no hits and no dice; the companion has a weapon",
        ),
        (
            "powers.csv", ",fenrir_1", ",fenir_1",
            "powers.csv, row 47, companion: 'fenir_1' is not in companions; did you mean fenrir_1?",
        ),
        (
            "companions.csv", "0,0,1,,fangs,pounce", "0,0,1,,fang,pounce",
            "companions.csv, row 2, weapon: 'fang' is not in weapons; did you mean fangs?",
        ),
        (
            "companions.csv", "0,0,1,,fangs,pounce", "0,0,1,,fangs,pounces",
            "companions.csv, row 2, innate: 'pounces' is not in weapons; did you mean pounce?",
        ),
    ],
)  # fmt: skip
def test_what_no_companion_can_be_is_told(tmp_path: Path, file: str, old: str, new: str, told: str) -> None:
    assert told_of(tmp_path / "catalogue", file, old, new) == [told]


def test_a_companion_may_come_by_a_combat_activity_and_have_no_innate_power(tmp_path: Path) -> None:
    assert told_of(tmp_path / "one", "powers.csv", f"{CALL},action,", f"{CALL},combat,") == []
    assert told_of(tmp_path / "other", "companions.csv", "0,0,1,,fangs,pounce", "0,0,1,,fangs,") == []


def test_a_rule_of_last_resort_comes_last(tmp_path: Path) -> None:
    told = told_of(tmp_path / "catalogue", "scrolls.csv", "orc_king_1,orc_king,1,0", "orc_king_1,orc_king,4,0")
    tip = "write the rule for + by itself, as the last of its scroll"
    assert told == [f"scrolls.csv, row 51, distances: '+' would hide other rules; {tip}"]


LANE = "village_3;village_9;village_11:3;village_12:4,red_gremlin,cellar_door"


@pytest.mark.parametrize(
    ("new", "told"),
    [
        ("crypt_3;village_9,red_gremlin,cellar_door", "shadows: 'crypt_3' is not an area of village"),
        (
            "village_9;village_3;village_9:2,red_gremlin,cellar_door",
            "shadows: 'village_9' has two Shadows; one lies in an area",
        ),
        (
            "village_9:6,red_gremlin,cellar_door",
            "shadows: 'village_9:6' is not a Shadow; allowed: AREA or AREA:HEROES, 1 to 5 heroes, such as village_3 or "
            "village_7:4",
        ),
        (
            "village_9:,red_gremlin,cellar_door",
            "shadows: 'village_9:' is not a Shadow; allowed: AREA or AREA:HEROES, 1 to 5 heroes, such as village_3 or "
            "village_7:4",
        ),
        ("village_9,red_bandit,cellar_door", "quest_enemy: 'red_bandit' is not in the deck"),
        ("village_9,red_gremlin,celar_door", "quest_moment: 'celar_door' is not in events; did you mean cellar_door?"),
        ("village_9,red_gremlin,fog", "quest_moment: 'fog' is a standard event; a story is told"),
    ],
)
def test_what_is_wrong_with_shadows_is_told(tmp_path: Path, new: str, told: str) -> None:
    assert told_of(tmp_path / "catalogue", "encounters.csv", LANE, new) == [f"encounters.csv, row 8, {told}"]


def test_a_quest_moment_does_not_last(tmp_path: Path) -> None:
    old, new = "cellar_door,The Cellar Door,story,,,0", "cellar_door,The Cellar Door,story,,,1"
    assert told_of(tmp_path / "catalogue", "events.csv", old, new) == [
        "encounters.csv, row 8, quest_moment: 'cellar_door' changes attacks, which only an event from the deck does"
    ]


@pytest.mark.parametrize(
    ("old", "new", "row", "found"),
    [
        ("true,false,witch_queen_wrath,14", "true,false,red_gremlin,14", 18, "red_gremlin"),
        ("true,false,witch_queen_wrath,14", "true,false,witch_queen,14", 18, "witch_queen"),
        ("1,11,40,true,true,true,,", "1,11,40,true,true,true,troll,9", 18, "witch_queen_wrath"),
        ("berserker_1,1,1,1,11", "berserker_1,1,1,2,11", 18, "witch_queen_wrath"),
        ("curse_1,1,1,1,11", "curse_1,1,1,2,11", 18, "witch_queen_wrath"),
        ("witch_queen,Witch Queen,witch,purple", "witch_queen,Witch Queen,witch,red", 18, "witch_queen_wrath"),
    ],
)
def test_what_is_no_other_side_of_a_master(tmp_path: Path, old: str, new: str, row: int, found: str) -> None:
    tip = "let both be single purple enemies, and the other side have no other"
    assert told_of(tmp_path / "catalogue", "enemies.csv", old, new) == [
        f"enemies.csv, row {row}, other_side: '{found}' is no other side of a Master; {tip}"
    ]
