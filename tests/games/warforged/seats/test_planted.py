"""A referee is worth what it finds: faults planted in records of battles, and in the engine that plays them."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.games.warforged.seats.games import random_catalogue, random_game, refereed
from tests.games.warforged.seats.referee import suspicions
from tests.games.warforged.test_battle_mutants import planted

MUTANTS: list[list[str]] = tomllib.loads(Path(__file__).parent.with_name("seat_mutants.toml").read_text("utf-8"))[
    "mutants"
]
UNSEEN = ("order : luck", "order : first", "attacked", "policies", "purchase", "scale")
MUTANTS = [mutant for mutant in MUTANTS if not mutant[3].startswith(UNSEEN)]  # what no record of one battle can show
"""Module in `balance`, what stands there, what is put in its place, and what that is."""
SHORT = {"situation.rounds": "1", "rules.limit_score": "destroyed"}
"""What every fourth of them has, so that some end in a tie."""
N_BATTLES = 200
"""Battles in which a mistake of the engine must show."""
FAULTS: list[tuple[str, str, dict[str, Any] | None]] = [
    ("WF-ATT.1", "throw", {"faces": [11]}),
    ("WF-ARM.1", "result", {"damage": 99}),
    ("WF-ACT.1", "turn", {"actions": 9}),
    ("WF-ACT.1", "pass", None),
    ("WF-TURN.1", "turn", None),
    ("WF-TURN.1", "round_ends", None),
    ("WF-ACT.3", "move", {"path": ["A1", "E5"]}),
    ("WF-ABIL.2", "jump", {"to": "A1"}),
    ("state", "raise", None),
    ("WF-ACT.4", "attack", {"weapon": "stick"}),
    ("WF-EFF.2", "splash", {"damage": {"a1": 9}}),
    ("WF-EFF.4", "emp", None),
    ("WF-EFF.5", "burn", {"armour": 4}),
    ("WF-ABIL.5", "overload", {"damage": {"a1": 9}}),
    ("WF-UNIT.2", "destroyed", None),
    ("WF-BUILD.5", "enter", {"cell": "G5"}),
    ("WF-MULTI.1", "alliance_ends", None),
    ("WF-MULTI.2", "points", None),
    ("WF-MULTI.3", "out", None),
    ("WF-WIN.1", "end", {"winners": ["d"]}),
]
"""A rule, an event of the record, and what is told of it instead; None: it is left out."""


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_catalogue(0, tmp_path_factory.mktemp("planted") / "cards")


@pytest.fixture(scope="module")
def documents(catalogue: Path) -> list[dict[str, Any]]:
    """Two battles in which everything happens."""
    return [random_game(number, catalogue).replay() for number in (2, 25)]


@pytest.mark.parametrize(("rule", "name", "changes"), FAULTS)
def test_a_fault_in_a_record_is_found(
    rule: str, name: str, changes: dict[str, Any] | None, documents: list[dict[str, Any]], catalogue: Path
) -> None:
    document, line, event = next(
        (document, line, event)
        for document in map(deepcopy, documents)
        for line in document["lines"]
        for event in line["events"]
        if event["event"] == name
    )
    assert suspicions(document, catalogue) == []
    if changes is None:
        line["events"].remove(event)
    event.update(changes or {})
    assert rule in {suspicion.rule for suspicion in suspicions(document, catalogue)}


def is_noticed(catalogue: Path) -> bool:
    """Return whether some battle of random cards is suspicious, or cannot be played at all."""
    for number in range(N_BATTLES):
        game = random_game(number, catalogue)
        if number % 4 == 0:
            game = replace(game, settings={**game.settings, **SHORT})
        try:
            if refereed(game):
                return True
        except Exception as error:  # any: what is broken may also break down
            assert str(error)
            return True
    return False


@pytest.mark.slow("test_a_mistake_in_the_engine_is_noticed")
@pytest.mark.parametrize(("name", "old", "new", "what"), MUTANTS, ids=[mutant[3] for mutant in MUTANTS])
def test_mistakes_in_the_engine_are_noticed(name: str, old: str, new: str, what: str, catalogue: Path) -> None:
    with planted(name, old, new):
        assert is_noticed(catalogue), f"nobody noticed: {what}"


def test_a_mistake_in_the_engine_is_noticed(catalogue: Path) -> None:
    with planted(*MUTANTS[0][:3]):
        assert is_noticed(catalogue)
    for name, old, new, _ in MUTANTS:
        assert old in Path(str(import_module(f"balance.{name}").__file__)).read_text("utf-8") and new != old
