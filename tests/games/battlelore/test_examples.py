"""The rulebook's worked examples and the vectors derived from its rules, replayed on their own dice (no seed)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.chance.trials.lockstep import play_fixed
from balance.games.battlelore import GAME as BATTLELORE

EXAMPLES: dict[str, dict[str, Any]] = {
    example["id"]: example
    for example in json.loads(Path(__file__).with_name("battlelore_examples.json").read_text("utf-8"))["examples"]
}
GAME = balance.load(BATTLELORE)
WEAPONS = {"bow": "common_bow"}
BLANK = 6  # the Lore face: neither a helmet nor a sword nor a flag
PLAIN: dict[str, Any] = {"color": "blue", "kind": "foot", "weapon": "short_sword"}


def entrant(card: dict[str, Any]) -> str:
    if card["kind"] == "creature":
        return "giant_spider"
    race = f"{card['race']}_" if "race" in card else ""
    return f"{race}{card['color']}_{card['kind']}+{WEAPONS.get(card['weapon'], card['weapon'])}"


def question(given: dict[str, Any], extra: int = 0, **choices: str) -> balance.Question:
    """Return the combat of an example, at range only where it says so."""
    a, t = given.get("attacker", PLAIN), given.get("target", PLAIN)
    changes: dict[str, Any] = {"situation.adjacent": given.get("adjacent", True), "situation.extra_dice": extra}
    changes |= {f"attacker.{name}": a[name] for name in ("moved", "figures", "supported") if name in a}
    changes |= {f"defender.{name}": t[name] for name in ("figures", "supported", "poisoned") if name in t}
    changes["attacker.stored_lore"] = given.get("stored_lore", 0)
    changes["situation.attacker_terrain"] = a.get("terrain", "countryside")
    terrains = [t.get("terrain", "countryside"), *([given["target_also_on"]] if "target_also_on" in given else [])]
    changes["situation.target_terrain"] = ",".join(terrains)
    changes["situation.free_hexes"] = t.get("free", 99)
    changes["situation.adventure"] = given.get("mode", "lore")
    if a.get("web_power"):
        choices["attacker_powers"] = "web"
    return GAME.ask("combat", entrant(a), entrant(t), changes, **choices)


def n_dice(given: dict[str, Any], extra: int = 0) -> int:
    clashes = question(given, extra).setup.play.clashes
    return int(clashes[0].encounter.strike.n_dice)


def replay(given: dict[str, Any], dice: list[str], more: dict[str, list[int]] | None = None, **choices: str) -> Any:
    """Play an example on its dice; the roll has as many dice as it shows, and a battle back shows blanks."""
    asked = question(given, len(dice) - n_dice(given), **choices)
    process = asked.kind.processes(asked.setup, "literal")[0]
    rolled: dict[str, list[Any]] = {"attack battle": dice, **(more or {})}
    try:
        return play_fixed(process, rolled)
    except balance.base.errors.RollsError:
        back = asked.setup.play.clashes[1].encounter.strike.n_dice
        return play_fixed(process, {**rolled, "battle back battle": ["L"] * back})


ROLLS = [name for name, example in EXAMPLES.items() if example.get("replay") == "roll"]
COUNTS = [name for name, example in EXAMPLES.items() if example.get("replay") == "dice_count"]
MORE = {"EX-MOR-03": {"attack panic": [BLANK] * 4}, "EX-MOR-04": {"attack panic": [BLANK] * 4},
        "EX-CRE-06": {"attack cornered": [BLANK] * 2}}  # fmt: skip


@pytest.mark.rule(
    "BL-HIT-01", "BL-HIT-02", "BL-HIT-03", "BL-HIT-05", "BL-WPN-01", "BL-WPN-03", "BL-WPN-04", "BL-DIE-02",
    "BL-DIE-03", "BL-FLAG-01", "BL-FLAG-06", "BL-MOR-02", "BL-MOR-03", "BL-MOR-05", "BL-MOR-06", "BL-MOR-09",
    "BL-MOR-10", "BL-POST-10", "BL-POST-11", "BL-DWF-01", "BL-DWF-02", "BL-GOB-03", "BL-GOB-04", "BL-TER-06",
    "BL-CRE-05", "BL-CRE-07", "BL-CRE-09", "BL-CRE-14", "BL-CRE-15", "BL-LMK-13",
)  # fmt: skip
@pytest.mark.parametrize("name", ROLLS)
def test_rolls(name: str) -> None:
    example = EXAMPLES[name]
    outcome = replay(example["given"], example["dice"], MORE.get(name))
    lost = outcome["figures_lost"]
    creature = example["given"]["target"]["kind"] == "creature"
    seen = {
        "hits": outcome["hits"],
        "lost": lost,
        "flags": outcome["flags"],
        "lore": outcome["lore"],
        "moved": outcome["hexes_retreated"],
        "unmet": len(MORE.get(name, {}).get("attack cornered", [])) if creature else lost - outcome["hits"],
        "bb": bool(outcome["battle_back"]),
        "lore_tokens": outcome["lore_gained"],
    }
    expect = example["replay_expect"]
    assert {key: seen[key] for key in expect} == expect
    if "lore_tokens_attacker" in example["expect"]:
        assert outcome["lore_gained"] == example["expect"]["lore_tokens_attacker"]


@pytest.mark.rule(
    "BL-DICE-01", "BL-DICE-02", "BL-DICE-03", "BL-DICE-05", "BL-DICE-06", "BL-DICE-07", "BL-DICE-08", "BL-WPN-02",
    "BL-WPN-04", "BL-TER-02", "BL-TER-03", "BL-TER-07", "BL-LMK-13",
)  # fmt: skip
@pytest.mark.parametrize("name", COUNTS)
def test_numbers_of_dice(name: str) -> None:
    example = EXAMPLES[name]
    given = example["given"]
    assert n_dice(given, given.get("extra_dice", 0)) == example["replay_expect"]["dice_count"]
    assert example["expect"]["dice"] == example["replay_expect"]["dice_count"]


@pytest.mark.rule("BL-DIE-01")
def test_the_die_has_six_faces_one_of_each() -> None:
    faces = GAME.catalogue.constants.die.faces  # type: ignore[attr-defined]
    assert {face: faces.count(face) for face in faces} == EXAMPLES["EX-DIE-01"]["expect"]["faces"]


@pytest.mark.rule("BL-HIT-04", "BL-TRP-04", "BL-WIN-02")
def test_surplus_hits_are_void_and_the_last_figure_is_a_banner() -> None:
    given, expect = EXAMPLES["EX-HIT-01"]["given"], EXAMPLES["EX-HIT-01"]["expect"]
    target = {**PLAIN, "figures": given["target_figures"]}
    outcome = replay({"target": target}, ["B", "S", "S"])
    assert outcome["hits"] - outcome["figures_lost"] == expect["excess_void"]
    assert outcome["figures_lost"] == expect["figures_lost"]
    assert (outcome["eliminated"], outcome["attacker_banners"], outcome["defender_banners"]) == (1, 1, 0)


@pytest.mark.rule("BL-FLAG-02", "BL-FLAG-03")
@pytest.mark.parametrize("name", ["EX-RET-01", "EX-RET-02"])
def test_one_open_hex_behind_is_enough_to_retreat(name: str) -> None:
    """Which of two hexes the owner chooses is the map's; with one or two open the retreat costs nothing."""
    given, expect = EXAMPLES[name]["given"], EXAMPLES[name]["expect"]
    open_in_a_row = min(given["free_back_hexes"], given["flags"])
    assert expect["choices"] == given["free_back_hexes"]
    outcome = replay({"target": {**PLAIN, "free": open_in_a_row}}, ["F"] * given["flags"])
    assert (outcome["figures_lost"], outcome["hexes_retreated"]) == (expect["figures_lost"], 1)


@pytest.mark.rule("BL-MOR-02", "BL-FLAG-07")
def test_a_bold_unit_may_take_the_flag_all_the_same() -> None:
    """EX-MOR-01: on a rampart, one flag, shot at: it may stay or withdraw."""
    example = EXAMPLES["EX-MOR-01"]
    archers = {"color": "green", "kind": "foot", "weapon": "bow"}
    given = {"attacker": archers, "target": example["given"]["target"], "adjacent": False}
    options = [{"ignore": 1, "hexes": 0}, {"ignore": 0, "hexes": 1}]
    assert example["expect"]["options"] == options
    for option in options:
        outcome = replay(given, ["F"], defender_flags=str(option["ignore"]))
        assert outcome["hexes_retreated"] == option["hexes"]
        assert outcome["figures_lost"] == 0


@pytest.mark.rule("BL-MOR-04")
def test_bold_n_ignores_n_flags_and_bold_all_every_flag() -> None:
    notation = EXAMPLES["EX-MOR-07"]["expect"]["notation"]
    assert notation == {"Bold2": 2, "BoldALL": "all flags"}
    for bold, left in ((notation["Bold2"], 1), (99, 0)):
        asked = GAME.ask("combat", "blue_foot", "blue_foot", {"defender.bold": bold}, battle_back="no")
        process = asked.kind.processes(asked.setup, "literal")[0]
        assert play_fixed(process, {"attack battle": ["F", "F", "F"]})["hexes_retreated"] == left


@pytest.mark.rule("BL-MOR-07", "BL-MOR-06")
def test_support_needs_two_friends_and_makes_bold() -> None:
    expect = EXAMPLES["EX-SUP-01"]["expect"]
    assert GAME.catalogue.constants.morale.friends_for_support == 2  # type: ignore[attr-defined]
    for supported in (expect["supported"], False):
        outcome = replay({"target": {**PLAIN, "supported": supported}}, ["F", "L", "L"])
        assert outcome["hexes_retreated"] == int(not supported)


@pytest.mark.rule("BL-POST-03")
@pytest.mark.parametrize(("way", "dice", "figures"), [("elimination", ["B"], 1), ("retreat", ["F"], 4)])
def test_a_vacated_hex_may_be_taken(way: str, dice: list[str], figures: int) -> None:
    example = EXAMPLES["EX-POST-01"]
    assert way in example["given"]["target_hex_vacated_by"]
    given = {"target": {**PLAIN, "figures": figures}}
    assert replay(given, dice)["gained_ground"] == int(example["expect"]["attacker_may_gain_ground"])
    assert replay(given, dice, follow_up="stay")["gained_ground"] == 0
    assert replay(given, ["L"])["gained_ground"] == 0


HORSE: dict[str, Any] = {"color": "blue", "kind": "mounted", "weapon": "long_sword"}


@pytest.mark.rule("BL-POST-04", "BL-POST-08")
def test_each_pursuit_may_end_in_a_bonus_attack() -> None:
    """EX-POST-02: staying in the vacated hex, or going one further, where the prey fled one or two hexes."""
    assert EXAMPLES["EX-POST-02"]["expect"]["bonus_melee_allowed_after_each"]
    for flags, bonus in ((["F"], "near"), (["F", "F"], "far"), (["F", "F", "F"], "")):
        more = {f"bonus {bonus} battle": ["L", "L", "L"]} if bonus else {}
        dice: Any = {"attack battle": flags + ["L"] * (3 - len(flags)), **more}
        asked = question({"attacker": HORSE}, follow_up="bonus_same")
        outcome = play_fixed(asked.kind.processes(asked.setup, "literal")[0], dice)
        assert outcome["bonus_melee"] == int(bool(bonus))


@pytest.mark.rule("BL-POST-01", "BL-POST-05")
def test_a_ranged_attack_gains_no_ground() -> None:
    expect = EXAMPLES["EX-POST-04"]["expect"]
    archers = {"color": "green", "kind": "mounted", "weapon": "bow"}
    outcome = replay({"attacker": archers, "adjacent": False}, ["F"], follow_up="bonus_same")
    assert (outcome["vacated"], bool(outcome["gained_ground"])) == (1, expect["gain_ground"])
    assert bool(outcome["bonus_melee"]) == expect["pursuit"]


@pytest.mark.rule("BL-POST-08", "BL-POST-09", "BL-TER-03")
def test_cavalry_uphill_pursues_and_strikes_again() -> None:
    """EX-POST-05: two flags drive the archers two hexes back, and the cavalry follows for a bonus attack."""
    example = EXAMPLES["EX-POST-05"]
    asked = question(example["given"], follow_up="bonus_same")
    assert n_dice(example["given"]) == example["expect"]["dice"]
    bonus = ["G", "S", "R", "L"]
    dice: Any = {"attack battle": example["dice"], "bonus far battle": bonus}
    outcome = play_fixed(asked.kind.processes(asked.setup, "literal")[0], dice)
    assert outcome["hexes_retreated"] == example["expect"]["retreat_hexes"]
    assert (outcome["bonus_melee"], outcome["bonus_figures_lost"], outcome["figures_lost"]) == (1, 2, 2)


@pytest.mark.rule("BL-POST-11")
def test_who_left_its_hex_does_not_battle_back() -> None:
    assert EXAMPLES["EX-POST-07"]["expect"] == {"battle_back": False}
    outcome = replay({"target": {**PLAIN, "supported": True}}, ["F", "F"])
    assert (outcome["hexes_retreated"], outcome["battle_back"]) == (1, 0)


@pytest.mark.rule("BL-POST-12")
def test_a_ranged_attack_is_not_battled_back() -> None:
    assert EXAMPLES["EX-POST-08"]["expect"] == {"battle_back": False}
    archers = {"color": "green", "kind": "foot", "weapon": "bow"}
    given = {"attacker": archers, "target": {**PLAIN, "supported": True}}
    assert replay({**given, "adjacent": False}, ["L"])["battle_back"] == 0
    assert replay({**given, "adjacent": True}, ["L"])["battle_back"] == 1


@pytest.mark.rule("BL-POST-09")
def test_after_the_bonus_attack_the_combat_ends() -> None:
    """EX-POST-09: no second pursuit and no second bonus: no clash follows but a battle back."""
    assert EXAMPLES["EX-POST-09"]["expect"]["second_bonus_melee"] is False
    clashes = question({"attacker": HORSE}, follow_up="bonus_same").setup.play.clashes
    assert [clash.name for clash in clashes] == ["attack", "bonus near", "bonus far"]
    asked = question({"attacker": HORSE}, follow_up="bonus_same")
    dice: Any = {"attack battle": ["F", "L", "L"], "bonus near battle": ["F", "L", "L"]}
    outcome = play_fixed(asked.kind.processes(asked.setup, "literal")[0], dice)
    assert (outcome["bonus_melee"], outcome["gained_ground"]) == (1, 1)


@pytest.mark.rule("BL-PANIC-04", "BL-POST-13", "BL-DWF-01", "BL-GOB-03")
def test_goblins_attack_dwarves_and_are_massacred_as_they_flee() -> None:
    """EX-PAN-01, with dice of our own for those lost with the picture."""
    steps = EXAMPLES["EX-PAN-01"]["expect"]["steps"]
    assert len(steps) == 5
    asked = question(EXAMPLES["EX-PAN-01"]["given"])
    dice: Any = {"attack battle": ["F", "L", "G"], "battle back battle": ["F", "L", "L"], "battle back panic": [2, 2]}
    outcome = play_fixed(asked.kind.processes(asked.setup, "literal")[0], dice)
    assert (outcome["vacated"], outcome["battle_back"]) == (0, 1)
    assert (outcome["attacker_hexes_retreated"], outcome["attacker_figures_lost"]) == (2, 2)


@pytest.mark.rule("BL-PANIC-02", "BL-PANIC-03")
def test_only_helmets_of_its_colour_kill_who_panics() -> None:
    given, expect = EXAMPLES["EX-PAN-02"]["given"], EXAMPLES["EX-PAN-02"]["expect"]
    panic = ["GBRSFL".index(face) + 1 for face in given["panic_dice"]]
    outcome = replay({"target": given["target"]}, ["F", "F"], {"attack panic": panic})
    assert outcome["hexes_retreated"] == given["hexes_travelled"]
    assert outcome["figures_lost"] == expect["panic_losses"]


SPIDER: dict[str, Any] = {"color": "green", "kind": "creature", "weapon": "bite"}
GREEN, FLAG, SWORD = 1, 5, 4


@pytest.mark.rule("BL-CRE-03")
def test_a_hit_on_a_creature_is_rolled_again() -> None:
    """EX-CRE-01: the archers' green helmet is re-rolled, and bounces off; EX-CRE-02: flags and swords do not count."""
    given = EXAMPLES["EX-CRE-01"]["given"]
    assert EXAMPLES["EX-CRE-01"]["expect"] == {"critical": False, "survives": True}
    missed = replay(given, ["G", "L"], {"attack critical": [3]})
    assert (missed["hits"], missed["figures_lost"]) == (given["first_roll_hit_dice"], 0)
    assert replay(given, ["G", "L"], {"attack critical": [GREEN]})["eliminated"] == 1
    faces = {"F": FLAG, "S": SWORD}
    again = [faces[face] for face in EXAMPLES["EX-CRE-02"]["given"]["reroll_faces"]]
    swords = replay({"attacker": PLAIN, "target": SPIDER}, ["G", "S"], {"attack critical": again})
    assert bool(swords["eliminated"]) == EXAMPLES["EX-CRE-02"]["expect"]["critical"]


@pytest.mark.rule("BL-CRE-04", "BL-CRE-05", "BL-CRE-03")
def test_a_creature_battles_back_and_the_cavalry_kills_it() -> None:
    """EX-CRE-03: swords of a long sword count; killing gives a banner and a Lore token."""
    assert len(EXAMPLES["EX-CRE-03"]["expect"]["steps"]) == 2
    given = {"attacker": HORSE, "target": SPIDER}
    assert replay(given, ["L", "F"])["battle_back"] == 1
    killed = replay(given, ["S", "R"], {"attack critical": [GREEN]})
    assert (killed["eliminated"], killed["attacker_banners"], killed["lore_gained"]) == (1, 1, 1)


@pytest.mark.rule("BL-CRE-08")
def test_a_creature_tramples_who_is_in_its_way() -> None:
    example = EXAMPLES["EX-CRE-05"]
    expect, given = example["expect"], example["given"]
    for figures, clears in ((expect["figures_lost_per_trampled_unit"], True), (4, False)):
        changes = {"situation.free_hexes": 0, "situation.blockers": len(given["blockers"]),
                   "situation.blocker_figures": figures}  # fmt: skip
        asked = GAME.ask("combat", "blue_foot", "giant_spider", changes, battle_back="no")
        more = {} if clears else {"attack cornered": [BLANK] * expect["unmet_hexes"]}
        dice: Any = {"attack battle": ["F"] * given["flags"] + ["L"], **more}
        outcome = play_fixed(asked.kind.processes(asked.setup, "literal")[0], dice)
        assert outcome["trampled"] == 2 * expect["figures_lost_per_trampled_unit"]
        assert outcome["hexes_retreated"] == (expect["unmet_hexes"] if clears else 0)
        assert outcome["attacker_banners"] == (2 if clears else 0)


@pytest.mark.rule("BL-CRE-11", "BL-CRE-12")
def test_a_spider_stores_two_lore_and_no_more() -> None:
    given, expect = EXAMPLES["EX-CRE-08"]["given"], EXAMPLES["EX-CRE-08"]["expect"]
    stored = {"stored_lore": given["stored_lore"], "attacker": SPIDER}
    outcome = replay(stored, ["L", "R"], attacker_powers="store")
    assert (outcome["stored_lore"], outcome["lore_gained"]) == (expect["max_stored"], given["new_lore"])
    webbed = replay(stored, ["L", "R"], attacker_powers="web")
    assert (webbed["webbed"], webbed["stored_lore"], webbed["lore_gained"]) == (1, 2, 0)


@pytest.mark.rule("BL-CRE-13", "BL-CRE-14")
def test_poison_needs_two_lore_and_a_hit() -> None:
    """EX-CRE-09 and EX-CRE-11: two natural dice are not enough; stored Lore, or more dice, are."""
    given, expect = EXAMPLES["EX-CRE-11"]["given"], EXAMPLES["EX-CRE-11"]["expect"]
    alone = GAME.ask("combat", "giant_spider", "blue_foot", attacker_powers="poison").distribution
    assert alone.chance(lambda poisoned: poisoned == 1) == 0.0
    assert len(EXAMPLES["EX-CRE-09"]["expect"]["ways_to_poison"]) == 2
    outcome = replay({"stored_lore": given["stored_lore"], "attacker": SPIDER}, ["L", "B"], attacker_powers="poison")
    assert (bool(outcome["poisoned"]), outcome["hits"]) == (expect["poisoned"], expect["normal_hits"])
    assert replay({"attacker": SPIDER}, ["L", "L", "B"], attacker_powers="poison")["poisoned"] == 1
    assert replay({"attacker": SPIDER}, ["L", "L", "R"], attacker_powers="poison")["poisoned"] == 0


@pytest.mark.rule("BL-POST-05", "BL-POST-08", "BL-TER-02")
def test_a_forest_stops_a_pursuit_but_not_its_bonus_attack() -> None:
    expect = EXAMPLES["EX-TER-02"]["expect"]
    given = {"attacker": HORSE, "target": {**PLAIN, "terrain": "forest"}}
    asked = question(given, follow_up="bonus_other")
    dice: Any = {"attack battle": ["F", "L"], "bonus other battle": ["B", "L"]}  # 2 dice out of the forest too
    outcome = play_fixed(asked.kind.processes(asked.setup, "literal")[0], dice)
    assert (bool(outcome["gained_ground"]), bool(outcome["bonus_melee"])) == (True, expect["bonus_melee_allowed"])
    same = question(given, follow_up="bonus_same").setup.play.clashes
    assert len(same) == 2, "the hex beyond is out of reach"


@pytest.mark.rule("BL-LMK-13")
def test_who_climbs_a_rampart_must_wait() -> None:
    """EX-DICE-03: red foot that came from elsewhere; from an adjacent rampart it may battle at once."""
    assert EXAMPLES["EX-DICE-03"]["expect"] == {"may_battle_this_turn": False}
    climbed = {"attacker.moved": True, "situation.attacker_terrain": "rampart"}
    with pytest.raises(balance.base.errors.RulesError, match="BL-LMK-13"):
        GAME.attack("red_foot", "blue_foot", climbed)
    along = GAME.attack("red_foot", "blue_foot", climbed | {"situation.entered_from": "rampart"})
    assert along.setup.encounter.strike.n_dice == 2


ABOVE_LEVEL_B = {
    "EX-LORE-01c", "EX-LORE-03", "EX-LORE-04", "EX-DICE-02", "EX-POST-03", "EX-CRE-13", "EX-SETUP-01",
    *(name for name in EXAMPLES if name.startswith(("EX-CMD", "EX-MOV", "EX-RNG", "EX-LVL", "EX-CARD", "EX-WC"))),
}  # fmt: skip
"""Orders, cards, the war council, and what needs a map."""


def test_every_example_at_levels_a_and_b_is_replayed_here() -> None:
    text = Path(__file__).read_text("utf-8")
    left = {name for name in EXAMPLES if name not in text and name not in ROLLS + COUNTS}
    assert left <= ABOVE_LEVEL_B


def test_the_war_council_tables() -> None:
    council = GAME.catalogue.constants.war_council  # type: ignore[attr-defined]
    hand = EXAMPLES["EX-WC-01"]["expect"]["command_cards"]
    assert list(council.command_cards.model_dump().values()) == list(hand.values())
    for level, row in EXAMPLES["EX-WC-02"]["expect"].items():
        tables = (council.lore_cards, council.lore_tokens, council.lore_hand)
        assert [getattr(table, f"level_{level}") for table in tables] == list(row.values())
    assert council.lore_hand.level_1 == EXAMPLES["EX-LORE-04"]["expect"]["max_lore_cards"]
