"""A referee is worth what it finds: faults planted in a record, and mistakes planted in the engine of quests."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.games.immortal_souls.quest.games import Played, other_tables, random_campaigns
from tests.games.immortal_souls.quest.referee import suspicions
from tests.games.planting import planted

Event = dict[str, Any]
MUTANTS: list[list[str]] = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text("utf-8"))["mutants"]
"""Module in `balance`, what stands there, what is put in its place, and what that is."""
SEED = 9


@cache
def sound() -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        own = other_tables(random.Random(SEED), Path(folder))
        return Played(
            "auriel,ecarus", "bandits_vault,old_crypt", {"way": "greedy"}, {"heroes.rank": "7"}, 1, own
        ).replay(0)


def events(document: dict[str, Any], kind: str) -> Iterator[Event]:
    return (event for line in document["lines"] for event in line["events"] if event["event"] == kind)


def a_failed_save(document: dict[str, Any]) -> None:
    event = next(events(document, "save"))
    event["success"] = not event["success"]


def a_wound_too_few(document: dict[str, Any]) -> None:
    event = next(event for event in events(document, "wounds") if event["wounds"])
    event["wounds"] -= 1
    event["after"]["heroes"][event["hero"]]["wounds"] -= 1


def a_smashed_door(document: dict[str, Any]) -> None:
    next(event for event in events(document, "door") if event["how"] == "open")["how"] = "smash"


def a_treasure_twice(document: dict[str, Any]) -> None:
    for event in events(document, "treasure"):
        event["card"], event["crowns"] = "crown_jewels", 100


def a_cheap_sale(document: dict[str, Any]) -> None:
    event = next(events(document, "sale"))
    event["crowns"] -= 5
    event["after"]["heroes"][event["hero"]]["crowns"] -= 5


def a_trap_less(document: dict[str, Any]) -> None:
    for line in document["lines"]:
        line["events"] = [event for event in line["events"] if event["event"] != "trap"]


def more_crowns_home(document: dict[str, Any]) -> None:
    next(events(document, "home"))["crowns"] += 1


RECORDS: dict[Callable[[dict[str, Any]], None], str] = {
    a_failed_save: "IS-SAVE.1",
    a_wound_too_few: "IS-SAVE.4",
    a_smashed_door: "IS-TERR.5",
    a_treasure_twice: "IS-ECO.11",
    a_cheap_sale: "IS-ECO.7",
    a_trap_less: "IS-SAVE.4",
    more_crowns_home: "IS-ECO.4",
}


def test_the_record_is_sound_before_anything_is_planted() -> None:
    assert suspicions(sound(), {}) == []


@pytest.mark.parametrize("plant", RECORDS, ids=lambda plant: plant.__name__)
def test_a_fault_in_a_record_is_found(plant: Callable[[dict[str, Any]], None]) -> None:
    document = deepcopy(sound())
    plant(document)
    assert RECORDS[plant] in {suspicion.rule for suspicion in suspicions(document, {})}


def is_noticed(folder: Path, name: str, old: str, new: str) -> bool:
    """Return whether campaigns with other tables look suspicious once a mistake is planted, or break down."""
    with planted(name, old, new):
        for seed in range(6):
            chance = random.Random(seed)
            own = other_tables(chance, folder / str(seed))
            try:
                if any(played.report(3) for played in islice(random_campaigns(chance, own), 12)):
                    return True
            except Exception:  # any: what is broken may also break down
                return True
    return False


def test_a_mistake_in_the_engine_is_noticed(tmp_path: Path) -> None:
    assert is_noticed(tmp_path, *MUTANTS[0][:3])


@pytest.mark.slow("test_a_mistake_in_the_engine_is_noticed")
@pytest.mark.parametrize(("name", "old", "new", "what"), MUTANTS, ids=[mutant[3] for mutant in MUTANTS])
def test_mistakes_in_the_engine_are_noticed(name: str, old: str, new: str, what: str, tmp_path: Path) -> None:
    assert is_noticed(tmp_path, name, old, new), f"nobody noticed: {what}"


@pytest.mark.slow("test_a_mistake_in_the_engine_is_noticed")
def test_modules_planted_as_they_are_change_nothing(tmp_path: Path) -> None:
    assert not any(is_noticed(tmp_path / name, name, "import", "import") for name in {mutant[0] for mutant in MUTANTS})
