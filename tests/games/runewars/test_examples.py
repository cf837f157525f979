"""The examples of the FAQ and the vectors built from its rules, asked of the game without dice, so without chance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.games.runewars import GAME
from tests.games.runewars.reference_trays import fill_gap

RUNEWARS = balance.load(GAME)
EXAMPLES: dict[str, dict[str, Any]] = {
    example["id"]: example
    for example in json.loads(Path(__file__).with_name("runewars_examples.json").read_text("utf-8"))["examples"]
}
THREATS = [name for name, example in EXAMPLES.items() if example["kind"] == "threat"]
PLAYED = [*THREATS, "RW-EX-06", "RW-EX-07", "RW-EX-08", "RW-EX-09", "RW-EX-11"]
FRAIL = {"upgrade_health": 1, "upgrade_defence": 1}
NO_DICE = {"red": 0, "blue": 0, "white": 0}


def the_only(question: balance.Question) -> dict[str, int]:
    """Return the one outcome of a question without chance."""
    distribution = question.distribution
    (row,) = distribution.outcomes.tolist()
    return dict(zip(distribution.columns, map(int, row), strict=True))


def attack(attacker: str, defender: str, of: dict[str, dict[str, Any]], **choices: str) -> dict[str, int]:
    """Return the outcome of an attack without dice; `of`: overrides of each side and the situation."""
    of = {**of, "attacker": NO_DICE | of.get("attacker", {})}
    changes = {f"{side}.{field}": value for side, fields in of.items() for field, value in fields.items()}
    return the_only(RUNEWARS.ask("attack", attacker, defender, changes, **choices))


def duel(a: str, b: str, of: dict[str, dict[str, Any]]) -> dict[str, int]:
    """Return the outcome of a duel without dice."""
    of = {**of, "a": NO_DICE | of.get("a", {}), "b": NO_DICE | of.get("b", {})}
    changes = {f"{side}.{field}": value for side, fields in of.items() for field, value in fields.items()}
    return the_only(RUNEWARS.ask("duel", a, b, changes))


def aimed(defender: str, fields: dict[str, Any]) -> list[dict[str, int]]:
    """Return the outcomes of a hit and a blue die, whose accuracy is for the defender's figure upgrade."""
    changes = {
        "attacker.columns": 1,
        "attacker.ranks": 1,
        "attacker.red": 0,
        "attacker.blue": 1,
        "attacker.add_hits": 1,
    }
    changes |= {f"defender.{field}": value for field, value in fields.items()}
    distribution = RUNEWARS.ask("attack", "spearmen", defender, changes, attacker_accuracy="upgrade").distribution
    return [dict(zip(distribution.columns, map(int, row), strict=True)) for row in distribution.outcomes.tolist()]


def formation(ranks: list[int]) -> dict[str, int]:
    """Return full ranks as overrides."""
    return {"columns": ranks[0], "ranks": len(ranks), "partial": 0}


def threat(given: dict[str, Any], edges: str = "") -> int:
    """Return the damage of one hit."""
    touch = "none"
    if given["defender_touches_partial"]:
        touch = "some" if given["defender_touches_other_ranks"] else "only"
    shape = {"columns": given["width"], "ranks": given["full_ranks_incl_front"], "partial": given["partial_trays"]}
    situation = {"edges": edges or given["edge"], "touches_partial": touch}
    return attack("reanimates", "spearmen", {"attacker": {**shape, "add_hits": 1}, "situation": situation})["damage"]


@pytest.mark.rule("RW-THR.1", "RW-THR.2", "RW-THR.3", "RW-THR.5")
@pytest.mark.parametrize("name", THREATS)
def test_threat_with_a_partial_rank(name: str) -> None:
    assert threat(EXAMPLES[name]["given"]) == EXAMPLES[name]["expect"]["threat"]


@pytest.mark.rule("RW-THR.4", "RW-THR.5")
def test_the_attacker_chooses_one_of_two_edges() -> None:
    """RW-EX-03a and 03b: either edge threatens 2, and so does the better of both; RW-EX-04 with both: 3, the rear."""
    by_edge = {EXAMPLES[name]["given"]["edge"]: EXAMPLES[name] for name in ("RW-EX-03a", "RW-EX-03b")}
    assert {edge: threat(example["given"]) for edge, example in by_edge.items()} == {"side": 2, "rear": 2}
    assert threat(by_edge["side"]["given"], "side,rear") == 2
    assert threat(EXAMPLES["RW-EX-04"]["given"], "side,rear") == 3


@pytest.mark.rule("RW-TRAY.1", "RW-TRAY.3", "RW-TRAY.5")
def test_a_tray_added_to_a_lone_rank_opens_a_second() -> None:
    """RW-EX-06: one tray is left of two; the new one stands behind it, so that threat stays 1."""
    example = EXAMPLES["RW-EX-06"]
    (left,) = example["given"]["ranks"]
    archers = {"columns": 2, "ranks": 1, "partial": 0, "wounds_suffered": 8 - 4 * left, "add_hits": 1}
    archers["trays_added"] = example["given"]["add"]
    found = [
        duel("reanimate_archers", "spearmen", {"a": archers, "b": formation([3, 3]), "situation": {"round_limit": n}})
        for n in (1, 2)
    ]
    assert found[0]["a_trays"] == sum(example["expect"]["ranks"])
    assert found[0]["a_figures"] == 8  # each slot of the new tray is filled
    assert [end["b_figures"] for end in found] == [24 - 1, 24 - 1 - example["expect"]["ranks"][0]]


@pytest.mark.rule("RW-TRAY.4")
def test_four_full_ranks_are_the_limit() -> None:
    given, expect = EXAMPLES["RW-EX-07"]["given"], EXAMPLES["RW-EX-07"]["expect"]
    unit = {**formation(given["ranks"]), "trays_added": given["add"]}
    end = duel("reanimates", "spearmen", {"a": unit, "situation": {"round_limit": 1}})
    assert end["a_trays"] == sum(expect["ranks"]) == sum(given["ranks"]) + expect["added"]


@pytest.mark.rule("RW-FIG.2")
def test_the_gap_of_a_figure_upgrade_is_filled_from_the_rear() -> None:
    """RW-EX-08: 15 figures and the upgrade on five trays in ranks of two; without it four trays, in two ranks."""
    given, expect = EXAMPLES["RW-EX-08"]["given"], EXAMPLES["RW-EX-08"]["expect"]
    slots, (rear,) = given["slots_per_tray"], given["rear_rank_tray_figures"]
    after = fill_gap([[slots, -1], [slots, slots], [rear]], slots)
    assert len(after) == expect["ranks_after"]
    assert after == [[slots, slots], [slots, slots - expect["figures_pulled_from_new_rear_rank"]]]
    beast = {"columns": 2, "ranks": 2, "partial": 1, "wounds_suffered": slots - rear, **FRAIL}
    ends = aimed("reanimates+war_beast", beast)
    assert {end["trays_lost"] for end in ends if end["upgrade_wounds"]} == {1}
    assert {end["trays_lost"] for end in ends if not end["upgrade_wounds"]} == {0}


@pytest.mark.rule("RW-FIG.1", "RW-FIG.3")
def test_no_wound_may_split_a_unit() -> None:
    """RW-EX-09: the figure in the centre of a lone rank of three survives, and others suffer; at an end it falls."""
    lone = {"columns": 3, "ranks": EXAMPLES["RW-EX-09"]["given"]["ranks"], "partial": 0, **FRAIL}
    for place, most in (("centre", 0), ("end", 1)):
        ends = aimed("spearmen+war_beast", {**lone, "upgrade_place": place})
        assert max(end["upgrade_wounds"] for end in ends) == most
        assert all(end["wounds"] + end["upgrade_wounds"] == end["damage"] for end in ends)


@pytest.mark.rule("RW-DMG.1", "RW-DMG.3", "RW-DMG.4", "RW-DMG.5")
def test_the_damage_pool() -> None:
    """RW-EX-11: the attacker adds, then the defender subtracts; a pool of 0 shows who is first."""
    given, expect = EXAMPLES["RW-EX-11"]["given"], EXAMPLES["RW-EX-11"]["expect"]
    attacker = {**formation([given["threat"]]), "add_hits": given["hits_spent"], "lethal": given["massacro"]}
    defender = {"protected": given["protezione"]}
    assert attack("reanimates", "spearmen", {"attacker": attacker, "defender": defender})["damage"] == expect["pool"]
    attacker |= {"add_hits": 0, "lethal": 3}
    assert attack("reanimates", "spearmen", {"attacker": attacker, "defender": defender})["damage"] == 1


@pytest.mark.rule("RW-DMG.6")
def test_keywords_of_several_cards_add_up() -> None:
    """A Lethal card of 1 and one of 2 (which exhausts) on a pool of 2; against a card and an upgrade of Protected 1."""
    one = {"attacker": {"columns": 2, "ranks": 1, "add_hits": 1}}
    assert attack("spearmen+honed_blades", "spearmen", one)["damage"] == 3
    assert attack("spearmen+honed_blades+war_cry", "spearmen", one)["damage"] == 5
    assert attack("spearmen+honed_blades+war_cry", "heavy_crossbowmen", one)["damage"] == 4
    assert attack("spearmen+honed_blades+war_cry", "heavy_crossbowmen+broad_shields", one)["damage"] == 3


def test_every_example_is_played_or_is_of_no_fight() -> None:
    """Table manners and objectives are in no fight; a unique condition moves among several units of an enemy."""
    assert {name for name in EXAMPLES if name not in PLAYED} == {"RW-EX-10", "RW-EX-12", "RW-EX-13"}
    assert {EXAMPLES[name]["kind"] for name in EXAMPLES if name not in PLAYED} == {"information", "condition", "setup"}
