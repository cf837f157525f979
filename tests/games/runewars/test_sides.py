"""A side of a question: how it is written, what was set of it, and what is refused, word for word."""

from __future__ import annotations

from typing import Any

import pytest

from balance.cli.main import main
from tests.games.refusals import refusal_of
from tests.games.runewars.plays import GAME, duel, end, only, strike, told

UNITS = (
    "spearmen, oathsworn_cavalry, rune_golems, heavy_crossbowmen, outland_scouts, reanimates, reanimate_archers, "
    "death_knights, carrion_lancers, wraiths, kari_wraithstalker, lord_hawthorne, ardus_ixerebus, ankaur_maro, "
    "leonx_riders, deepwood_archers, darnati_warriors, aymhelin_scions, berserkers, flesh_rippers, spined_threshers, "
    "obscenes, viper_legion_archers, ventala_skirmishers"
)
UPGRADES = (
    "honed_blades, crushing_weight, steady_drill, broad_shields, quick_wits, killing_blow, rain_of_splinters, "
    "shadow_brand, war_cry, file_leader, war_beast"
)
"""Of daqan's units: the others are for waiqar (RW-CARD.4)."""
AMOUNT = "a number from 0 to 99, stable, unstable, natural, or both, such as 1+stable"
AT_LEAST_ONE = "a number from 1 to 99, to which stable, unstable, natural may be joined by +"
WRITTEN = "EFFECT[NUMBER]@COST[u][+][?CONDITION], such as hits@2, mortal_strikes@2u or damage2@1+"
FIELDS = (
    "red, blue, white, columns, ranks, partial, figures_per_tray, defence, wound_threshold, wounds_suffered, brutal, "
    "lethal, precise, protected, mortal_ward, guard_rerolls, regenerate, trays_added, add_hits, add_mortal_strikes, "
    "surge_abilities, upgrade_defence, upgrade_health, upgrade_place, conditions, steadfast"
)

UNITS_REFUSED: list[tuple[str, list[str]]] = [
    ("spearmen+5x5", ["'5x5' is no formation of Spearmen; allowed: 2x1, 2x2, 3x2, 3x3"]),
    ("spearmen+3y2", ["'3y2' is no formation of Spearmen; allowed: 2x1, 2x2, 3x2, 3x3; did you mean 3x2?"]),
    ("spearman", [f"'spearman' is not in units; allowed: {UNITS}; did you mean spearmen?"]),
    ("", [f"'' is not in units; allowed: {UNITS}"]),
    ("spearmen+", [f"'' is not in upgrades; allowed: {UPGRADES}"]),
    ("spearmen+honed_blade", [f"'honed_blade' is not in upgrades; allowed: {UPGRADES}; did you mean honed_blades?"]),
    ("spearmen+rotten_edges", ["'rotten_edges' is for units of waiqar (RW-CARD.4); allowed: of daqan"]),
    ("spearmen+honed_blades+honed_blades", ["'honed_blades' is on the unit already"]),
    ("spearmen+file_leader+war_beast", ["'spearmen' has more than one figure upgrade"]),
    ("spearmen+2x1+2x2",
        ["'spearmen+2x1+2x2' are several formations of one unit; allowed: UNIT[+COLUMNSxRANKS][+UPGRADE...]"]),
    ("spearmen+5x5+3x2", ["'5x5' is no formation of Spearmen; allowed: 2x1, 2x2, 3x2, 3x3",
        "'spearmen+5x5+3x2' are several formations of one unit; allowed: UNIT[+COLUMNSxRANKS][+UPGRADE...]"]),
    ("spearmen+rotten_edges+war_beast+war_beast",
        ["'rotten_edges' is for units of waiqar (RW-CARD.4); allowed: of daqan", "'war_beast' is on the unit already",
        "'spearmen' has more than one figure upgrade"]),
    ("rune_golems+2x2+war_beast", ["'war_beast' fills 4 slots of a unit that has 4; allowed: a larger formation"]),
    ("lord_hawthorne+war_beast", ["'war_beast' fills 4 slots of a unit that has 1; allowed: a larger formation"]),
]  # fmt: skip
FIELDS_REFUSED: list[tuple[dict[str, Any], list[str]]] = [
    ({"partial": 3}, ["partial: '3' is no partial rank behind a front of 2; allowed: 0 to 1"]),
    ({"partial": 2},
        ["partial: '2' is no partial rank behind a front of 2; allowed: 0 to 1; "
         "a rank as wide as the front is a full one: set ranks"]),
    ({"partial": -1}, ["partial: '-1' is out of range; allowed: a whole number of at least 0"]),
    ({"ranks": 9},
        ["ranks: '9' are more ranks than a unit may have (RW-TRAY.4); allowed: 1 to 4, a partial one included"]),
    ({"ranks": 4, "partial": 1},
        ["ranks: '5' are more ranks than a unit may have (RW-TRAY.4); allowed: 1 to 4, a partial one included"]),
    ({"ranks": 0}, ["ranks: '0' is out of range; allowed: a whole number of at least 1"]),
    ({"columns": 10}, ["columns: '10' is out of range; allowed: a whole number from 1 to 9"]),
    ({"columns": 0}, ["columns: '0' is out of range; allowed: a whole number from 1 to 9"]),
    ({"figures_per_tray": 0}, ["figures_per_tray: '0' is out of range; allowed: a whole number from 1 to 9"]),
    ({"red": 99, "blue": -1, "white": "many"}, ["white: 'many' is not a number; allowed: a whole number from 0 to 9",
        "red: '99' is out of range; allowed: a whole number from 0 to 9",
        "blue: '-1' is out of range; allowed: a whole number from 0 to 9"]),
    ({"brutal": "stabel"}, [f"brutal: 'stabel' names an unknown rune; allowed: {AMOUNT}; did you mean stable?"]),
    ({"defence": "0+natural"}, [f"defence: '0+natural' is out of range; allowed: {AT_LEAST_ONE}"]),
    ({"defence": 100}, [f"defence: '100' is not an amount; allowed: {AMOUNT}"]),
    ({"surge_abilities": "hits"},
        [f"surge_abilities: 'hits' holds 'hits', which is not a surge ability; allowed: {WRITTEN}"]),
    ({"surge_abilities": "hits@2,hits@0"},
        ["surge_abilities: 'hits@2,hits@0' holds 'hits@0', which costs or does nothing; "
         "allowed: numbers from 1 to 99"]),
    ({"surge_abilities": "hitz@2"},
        ["surge_abilities: 'hitz@2' has an unknown effect, hitz; allowed: hits, mortal_strikes, damage, accuracy, "
         "morale, inspiration, blight, branded; did you mean hits?"]),
    ({"surge_abilities": "hits@2?bligth"},
        ["surge_abilities: 'hits@2?bligth' has an unknown condition, bligth; allowed: blight, branded; "
         "did you mean blight?"]),
    ({"surge_abilities": "blight2@2"},
        ["surge_abilities: 'blight2@2' has a number for blight, which a unit has once; allowed: blight"]),
    ({"conditions": "bligth,blight,cursed"},
        ["conditions: 'bligth' is no condition; allowed: blight, branded; did you mean blight?",
        "conditions: 'cursed' is no condition; allowed: blight, branded"]),
    ({"wounds_suffered": 8}, ["wounds_suffered: '8' leave nobody of the unit; allowed: 0 to 7"]),
    ({"wounds_suffered": -1}, ["wounds_suffered: '-1' is out of range; allowed: a whole number from 0 to 9999"]),
    ({"upgrade_place": "middle"}, ["upgrade_place: 'middle' is not a known choice; allowed: end, centre"]),
    ({"trays_added": 10}, ["trays_added: '10' is out of range; allowed: a whole number from 0 to 9"]),
]  # fmt: skip
FIT = "allowed: one for all edges, or one for each of"
SITUATIONS: list[tuple[str, dict[str, Any], str]] = [
    ("attack", {"edges": "side,left"}, "edges: 'left' is not a known choice; allowed: any of front, side, rear"),
    ("attack", {"edges": ""}, "edges: names nothing; allowed: any of front, side, rear"),
    ("attack", {"edges": "front,side,rear,side,rear"},
        "edges: 'front;side;rear;side;rear' names more than four; allowed: any of front, side, rear"),
    ("attack", {"touches_partial": "all"},
        "touches_partial: 'all' is not a known choice; allowed: any of none, some, only"),
    ("attack", {"touches_partial": ""}, "touches_partial: names nothing; allowed: any of none, some, only"),
    ("attack", {"edges": "side,rear", "touches_partial": "none,some,only"},
        f"touches_partial: 'none,some,only' do not fit the edges; {FIT} side, rear"),
    ("attack", {"edges": "side", "touches_partial": "none,some"},
        f"touches_partial: 'none,some' do not fit the edges; {FIT} side"),
    ("duel", {"a_edges": "back"}, "a_edges: 'back' is not a known choice; allowed: any of front, side, rear"),
    ("duel", {"b_touches_partial": "none,some"}, f"b_touches_partial: 'none,some' do not fit the edges; {FIT} front"),
    ("duel", {"round_limit": 51}, "round_limit: '51' is out of range; allowed: a whole number from 1 to 50"),
    ("duel", {"round_limit": 0}, "round_limit: '0' is out of range; allowed: a whole number from 1 to 50"),
    ("duel", {"volleys": 9}, "volleys: '9' is out of range; allowed: a whole number from 0 to 8"),
]  # fmt: skip


@pytest.mark.parametrize(("unit", "lines"), UNITS_REFUSED)
def test_what_is_no_unit(unit: str, lines: list[str]) -> None:
    assert refusal_of(GAME, "attack", unit, "reanimates", {}) == [f"attacker: {line}" for line in lines]
    assert refusal_of(GAME, "duel", "reanimates", unit, {}) == [f"b: {line}" for line in lines]


@pytest.mark.parametrize(("fields", "lines"), FIELDS_REFUSED)
def test_what_cannot_be_set_of_a_side(fields: dict[str, Any], lines: list[str]) -> None:
    for kind, side in (("attack", "attacker"), ("attack", "defender"), ("duel", "a"), ("duel", "b")):
        changes = {f"{side}.{name}": value for name, value in fields.items()}
        found = refusal_of(GAME, kind, "spearmen", "spearmen", changes)
        assert found == [f"set {side}, {line}" for line in lines]


@pytest.mark.parametrize(("kind", "fields", "line"), SITUATIONS)
def test_what_a_situation_cannot_be(kind: str, fields: dict[str, Any], line: str) -> None:
    changes = {f"situation.{name}": value for name, value in fields.items()}
    assert refusal_of(GAME, kind, "spearmen", "reanimates", changes) == [f"set situation, {line}"]


def test_who_cannot_shoot() -> None:
    """Whoever's card has no ranged attack, unless dice are set; dice taken from one that has make no difference."""
    told_of = refusal_of(GAME, "attack", "spearmen", "reanimates", {"situation.attack": "ranged"})
    assert told_of == ["attacker: 'spearmen' has no ranged attack; allowed: melee"]
    shot = strike({"blue": 1, "surge_abilities": "none"}, by="spearmen", attack="ranged").distribution
    archers = strike({"red": 0, "blue": 1, "surge_abilities": "none"}, by="reanimate_archers", attack="ranged")
    assert shot == archers.distribution
    assert only(strike({"add_hits": 1}, by="ankaur_maro", attack="ranged")) == told(
        hits=1, damage=1, wounds=1, figures_lost=1
    )


def test_choices_that_there_are_not() -> None:
    for changes, line in (
        ({"attacker_rerolls": "all"}, "'all' is not a choice of attacker_rerolls; allowed: no_hit, none, best"),
        (
            {"attacker_accuracy": "upgrad"},
            "'upgrad' is not a choice of attacker_accuracy; allowed: unit, upgrade; did you mean upgrade?",
        ),
        (
            {"rules.partial_rank_threat": "new"},
            "set rules, partial_rank_threat: 'new' is not a known choice; allowed: amended, original",
        ),
    ):
        assert refusal_of(GAME, "attack", "spearmen", "reanimates", changes) == [line]


@pytest.mark.rule("RW-TER.6")
def test_no_terrain_gives_panic() -> None:
    """There is no terrain to stand beside, and a duel in which no morale icon falls deals no morale card."""
    for kind, root, fields in (
        ("attack", "situation", "edges, touches_partial, attack"),
        ("attack", "attacker", FIELDS),
        (
            "duel",
            "situation",
            "round_limit, a_edges, b_edges, a_touches_partial, b_touches_partial, simultaneous, volleys, morale",
        ),
        ("duel", "a", f"lost_actions, {FIELDS}"),
    ):
        line = f"set {root}: 'terrain' is not a field; allowed: {fields}"
        assert refusal_of(GAME, kind, "spearmen", "reanimates", {f"{root}.terrain": "agony"}) == [line]
    for morale in ("none", "deck"):
        assert end(duel({"add_hits": 1}, {"add_hits": 1}, morale=morale, round_limit=2)) == (0, 2, 5, 4, 2, 1)
    asked = duel(morale="deck")
    (process,) = asked.kind.processes(asked.setup, "literal")
    assert isinstance(process.start, dict)
    assert (process.start["a_panic"], process.start["b_panic"]) == (0, 0)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ("attack", "runewars", "spearmen+5x5", "reanimates"),
            "attacker: '5x5' is no formation of Spearmen; allowed: 2x1, 2x2, 3x2, 3x3",
        ),
        (
            ("attack", "runewars", "spearmen", "reanimates", "--set", "attacker.brutal=stabel"),
            f"--set attacker, brutal: 'stabel' names an unknown rune; allowed: {AMOUNT}; did you mean stable?",
        ),
        (
            ("attack", "runewars", "spearmen", "reanimates", "--set", "attacker.red=99"),
            "--set attacker, red: '99' is out of range; allowed: a whole number from 0 to 9",
        ),
        (
            ("attack", "runewars", "spearmen", "reanimates", "--set", "situation.terrain=agony"),
            "--set situation: 'terrain' is not a field; allowed: edges, touches_partial, attack",
        ),
        (
            ("duel", "runewars", "spearmen", "reanimates", "--set", "situation.round_limit=51"),
            "--set situation, round_limit: '51' is out of range; allowed: a whole number from 1 to 50",
        ),
        (
            ("duel", "runewars", "spearmen", "rune_golems+war_beast"),
            "b: 'war_beast' fills 4 slots of a unit that has 1; allowed: a larger formation",
        ),
        (
            ("duel", "runewars", "spearmen", "reanimates", "--choose", "a_dial=quickest"),
            "--choose, dial: is set on one side only; allowed: none, or both",
        ),
    ],
)
def test_the_command_says_the_same_and_ends_with_2(
    arguments: tuple[str, ...], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(arguments)) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", f"error: {line}\n")


def test_an_attack_without_dice_is_no_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    fields = ["--set", "attacker.red=0", "--set", "attacker.blue=0"]
    assert main(["attack", "runewars", "spearmen", "reanimates", *fields, "--more"]) == 0
    assert "Always 0: hits, surges, accuracy, mortal_strikes, morale, damage, wounds," in capsys.readouterr().out


# -- what is made of a side -------------------------------------------------------------------------------------------


def test_a_unit_is_written_in_any_order_and_case() -> None:
    names = ("spearmen+3x2+honed_blades", "spearmen+honed_blades+3x2", "Spearmen+Honed Blades+3x2")
    asked = [GAME.ask("attack", name, "reanimates").inputs["attacker"] for name in names]
    assert [one["name"] for one in asked] == ["Spearmen 3x2, Honed Blades"] * 3
    assert [one["cost_points"] for one in asked] == [44] * 3


def test_what_was_asked_of_a_side_is_told_in_full() -> None:
    """Its card, and what was set or has a default; a formation as it stands, the partial rank included."""
    changes = {
        "attacker.ranks": 2,
        "attacker.partial": 1,
        "attacker.brutal": "1 + Stable",
        "attacker.conditions": "blight",
    }
    told_of = dict(GAME.ask("attack", "spearmen+war_cry", "reanimates", changes).inputs["attacker"])
    card = told_of.pop("card")
    assert (card["id"], card["defence"], card["melee_surges"]) == ("spearmen", "1", "inspiration@2")
    assert told_of == {
        "id": "spearmen",
        "name": "Spearmen 2x1, War Cry",
        "cost_points": 22,
        "upgrades": ["war_cry"],
        "ranks": 2,
        "partial": 1,
        "wounds_suffered": 0,
        "brutal": "1+stable",
        "trays_added": 0,
        "add_hits": 0,
        "add_mortal_strikes": 0,
        "upgrade_place": "end",
        "conditions": ["blight"],
        "columns": 2,
        "trays": 5,
    }


def test_every_unit_may_be_asked_in_every_formation() -> None:
    listed = GAME.entrants
    assert (len(listed), listed[0], listed[-1]) == (78, "spearmen+2x1", "ventala_skirmishers+2x3")
    for one in listed:
        inputs = GAME.ask("attack", one, "reanimates").inputs["attacker"]
        columns, ranks = map(int, one.partition("+")[2].split("x"))
        assert (inputs["columns"], inputs["trays"]) == (columns, columns * ranks)


@pytest.mark.parametrize(
    ("unit", "figures"), [("spearmen", 4), ("oathsworn_cavalry", 2), ("rune_golems", 1), ("lord_hawthorne", 1)]
)
def test_a_tray_holds_as_many_figures_as_the_type_of_its_unit(unit: str, figures: int) -> None:
    """Mortal strikes beyond all limits kill a rank of one tray of each type."""
    asked = strike({"add_mortal_strikes": 9}, {"columns": 1, "ranks": 1}, at=unit)
    lost = {"wounds": figures, "figures_lost": figures, "trays_lost": 1, "destroyed": 1}
    assert only(asked) == told(mortal_strikes=9, **lost)
    wider = strike({"add_mortal_strikes": 9}, {"columns": 1, "ranks": 1, "figures_per_tray": 3}, at=unit)
    assert only(wider)["figures_lost"] == 3


def test_what_is_set_stands_before_what_cards_and_upgrades_say() -> None:
    by = "spearmen+honed_blades+crushing_weight"
    assert only(strike({"add_hits": 1}, {"defence": 99}, by=by))["damage"] == 4
    assert only(strike({"add_hits": 1, "lethal": 0, "brutal": 0}, {"defence": 99}, by=by))["damage"] == 2
