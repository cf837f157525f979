"""A referee is worth what it finds: faults planted in records of games, and in the rules by which games are played."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.games.battlelore.referee.games import Played, refereed
from tests.games.battlelore.referee.tables import SHIPPED

Document = dict[str, Any]
Event = dict[str, Any]
GAME = Played("ford_and_bridge", seed=407, trial=1, policies=("rush", "careful"))


@cache
def sound() -> Document:
    return GAME.replay()


def events(document: Document, *kinds: str) -> Iterator[Event]:
    """Yield the events of some kinds, in order."""
    for line in document["lines"]:
        for event in line["events"]:
            if event["event"] in kinds:
                yield event


# -- in records -------------------------------------------------------------------------------------------------------


def a_loss_too_few(document: Document) -> None:
    event = next(event for event in events(document, "hit") if event["lost"] > 1)
    event["lost"] -= 1
    event["after"]["units"][event["unit"]]["figures"] += 1


def another_die(document: Document) -> None:
    """Show a flag where a helmet hit."""
    before = {}
    for event in events(document, "throw", "hit"):
        if event["event"] == "throw":
            before = event
        elif event["why"] == "dice" and before["for"] == "battle":
            helmet = event["unit"][-1]
            if before["faces"].get(helmet):
                before["faces"][helmet] -= 1
                before["faces"]["F"] = before["faces"].get("F", 0) + 1
                return
    raise AssertionError


def too_long_a_move(document: Document) -> None:
    event = next(event for event in events(document, "move") if event["from"] != event["to"])
    event["to"] = "E1" if event["to"][0] != "E" else "A1"
    event["after"]["units"][event["unit"]]["hex"] = event["to"]


def a_banner_missing(document: Document) -> None:
    for line in document["lines"]:
        for event in line["events"]:
            if event["event"] == "banner" and event["why"] == "unit":
                line["events"].remove(event)
                return
    raise AssertionError


def a_card_played_twice(document: Document) -> None:
    first, _, third = (event for event, _ in zip(events(document, "command_card"), range(3), strict=False))
    third["card"] = first["card"]


def a_card_out_of_nowhere(document: Document) -> None:
    event = next(event for event in events(document, "draw") if event["why"] == "turn")
    event["card"] = "battlelore" if event["card"] != "battlelore" else "leadership"


def a_retreat_sideways(document: Document) -> None:
    event = next(events(document, "retreat"))
    row, number = event["from"][0], int(event["from"][1:])
    event["to"] = f"{row}{number + 1 if number < 12 else number - 1}"
    event["after"]["units"][event["unit"]]["hex"] = event["to"]


def another_winner(document: Document) -> None:
    event = next(events(document, "won"))
    event["side"] = event["after"]["winner"] = {"a": "b", "b": "a"}[event["side"]]


RECORDS: dict[Callable[[Document], None], str] = {
    a_loss_too_few: "BL-HIT-04",
    another_die: "BL-HIT-04",
    too_long_a_move: "BL-MOV-02",
    a_banner_missing: "BL-WIN-02",
    a_card_played_twice: "BL-CMD-01",
    a_card_out_of_nowhere: "BL-CMD-12",
    a_retreat_sideways: "BL-FLAG-03",
    another_winner: "BL-WIN-04",
}


def test_the_game_is_sound_before_anything_is_planted() -> None:
    assert refereed(sound(), GAME.adventure) == []


@pytest.mark.parametrize("plant", RECORDS, ids=lambda plant: plant.__name__)
def test_a_fault_in_a_record_is_found(plant: Callable[[Document], None]) -> None:
    document = deepcopy(sound())
    plant(document)
    found = refereed(document, GAME.adventure)
    assert found
    assert found[0].rule == RECORDS[plant], found[0]


# -- in rules ---------------------------------------------------------------------------------------------------------


def changed_catalogue(folder: Path, table: str, entry: str, field: str, value: str) -> Path:
    """Return a copy of the shipped catalogue with one other value."""
    own = folder / "battlelore"
    shutil.copytree(SHIPPED, own)
    path = own / f"{table}.csv"
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))
    for row in rows:
        row[field] = value if row["id"] == entry else row[field]
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(out.getvalue(), "utf-8")
    return own


RULES = [
    ("units", "blue_foot", "dice", "4", "BL-DICE-01"),
    ("units", "blue_foot", "battle_move", "2", "BL-MOV-02"),
    ("terrains", "forest", "stops", "false", "BL-MOV-02"),
    ("terrains", "bridge", "bold", "2", "BL-MOR-02"),
    ("weapons", "common_bow", "range_hexes", "6", "BL-RNG-05"),
    ("races", "goblin", "panics", "false", "BL-PANIC-01"),
    ("races", "goblin", "hexes_per_flag", "1", "BL-FLAG-01"),
    ("command_cards", "attack_centre", "centre", "4", "BL-CMD-02"),
]


@pytest.mark.parametrize(("table", "entry", "field", "value", "rule"), RULES, ids=lambda value: str(value))
def test_a_fault_in_the_rules_is_found(
    table: str, entry: str, field: str, value: str, rule: str, tmp_path: Path
) -> None:
    catalogue = changed_catalogue(tmp_path, table, entry, field, value)
    found = [
        suspicion.rule
        for trial in range(4)
        for suspicion in refereed(
            Played("ford_and_bridge", 5, trial, ("rush", "greedy"), 60).replay(catalogue), "ford_and_bridge"
        )
    ]
    assert rule in found
