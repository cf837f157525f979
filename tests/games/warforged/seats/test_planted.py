"""A referee is worth what it finds: faults planted in records of battles."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.games.warforged.seats.games import random_catalogue, random_game
from tests.games.warforged.seats.referee import suspicions

FAULTS: list[tuple[str, str, dict[str, Any] | None]] = [
    ("WF-ATT.1", "throw", {"faces": [11]}),
    ("WF-ARM.1", "result", {"damage": 99}),
    ("WF-ACT.1", "turn", {"actions": 9}),
    ("WF-ACT.1", "pass", None),
    ("WF-TURN.1", "turn", None),
    ("WF-TURN.1", "round_ends", None),
    ("WF-ACT.3", "move", {"path": ["A1", "E5"]}),
    ("WF-ABIL.2", "jump", {"to": "A1"}),
    ("WF-ABIL.4", "raise", {"unit": "a1"}),
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
    return [random_game(number, catalogue).replay() for number in (75, 85)]


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
