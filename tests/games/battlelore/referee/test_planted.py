"""A referee is worth what it finds: faults planted in records of games, and in the rules by which games are played."""

from __future__ import annotations

import csv
import importlib
import io
import shutil
import sys
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
    assert RECORDS[plant] in {suspicion.rule for suspicion in refereed(document, GAME.adventure)}


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


TABLES = [
    ("units", "blue_foot", "dice", "4", "BL-DICE-01"),
    ("units", "blue_foot", "battle_move", "2", "BL-MOV-02"),
    ("terrains", "forest", "stops", "false", "BL-MOV-02"),
    ("weapons", "common_bow", "range_hexes", "6", "BL-RNG-05"),
    ("weapons", "crossbow", "after_moving", "full", "BL-DICE-01"),
    ("races", "goblin", "panics", "false", "BL-PANIC-01"),
    ("races", "goblin", "hexes_per_flag", "1", "BL-FLAG-01"),
    ("command_cards", "attack_centre", "centre", "4", "BL-CMD-02"),
]
"""A table, an entry, its field and another value, and the rule that is broken then."""
N_GAMES = 10
"""Games in which such a fault must show: each of them shows in about half of such games at least."""


def is_found(folder: Path, table: str, entry: str, field: str, value: str, rule: str) -> bool:
    catalogue = changed_catalogue(folder, table, entry, field, value)
    games = (Played("ford_and_bridge", seed, 0, ("rush", "greedy"), 24) for seed in range(N_GAMES))
    return any(
        suspicion.rule == rule for game in games for suspicion in refereed(game.replay(catalogue), game.adventure)
    )


def test_a_fault_in_a_table_is_found(tmp_path: Path) -> None:
    assert is_found(tmp_path, *TABLES[0])


@pytest.mark.slow("test_a_fault_in_a_table_is_found")
@pytest.mark.parametrize("change", TABLES, ids=lambda change: "-".join(change[:3]))
def test_faults_in_tables_are_found(change: tuple[str, str, str, str, str], tmp_path: Path) -> None:
    assert is_found(tmp_path, *change)


ROOM = "balance.games.battlelore.adventure"


def nothing(_: Callable[..., Any]) -> Callable[..., None]:
    """Return a function that leaves a rule out."""
    return lambda *arguments, **named: None


def twice(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that applies a rule a second time."""

    def applied(*arguments: Any, **named: Any) -> Any:
        rule(*arguments, **named)
        return rule(*arguments, **named)

    return applied


ENGINE = [
    ("combat.retreat", "_step", twice, "BL-FLAG-01"),
    ("combat.losses", "lose", nothing, "BL-HIT-04"),
    ("combat.losses", "lose", twice, "BL-HIT-04"),
    ("terms.standing", "_claim_hexes", nothing, "BL-WIN-03"),
    ("terms.drawing", "draw_card", twice, "BL-CMD-12"),
]
"""A rule of the engine, what is done to it, and the rule of the book that is broken."""


@pytest.mark.up_to(1)
@pytest.mark.parametrize(("room", "name", "plant", "rule"), ENGINE)
def test_a_fault_in_the_engine_is_found(
    room: str, name: str, plant: Callable[..., Any], rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Played("ford_and_bridge", 407, 0, ("rush", "greedy"), 20)
    assert refereed(game.replay(), game.adventure) == []
    original = getattr(importlib.import_module(f"{ROOM}.{room}"), name)
    for module in [module for module in sys.modules.values() if module.__name__.startswith(ROOM)]:
        for key in [key for key, value in vars(module).items() if value is original]:
            monkeypatch.setattr(module, key, plant(original))
    assert rule in {suspicion.rule for suspicion in refereed(game.replay(), game.adventure)}
