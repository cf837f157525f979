"""The referee is refereed: mistakes planted in records and in the engine are found."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.games.planting import planted
from tests.games.runewars.approach.games import random_game

TOLD = Path(__file__).parents[1] / "table_mutants.toml"
MUTANTS: list[list[str]] = tomllib.loads(TOLD.read_text("utf-8"))["mutants"]
"""Module in `balance`, what stands there, what is put in its place, and what that is."""
CHANGES: list[tuple[str, str, Any]] = [
    ("march", "distance", 1000.0), ("march", "to", [0.0, 0.0, 0.0]), ("shift", "direction", "up"),
    ("turn", "degrees", 1), ("order", "first", "c"), ("collide", "with", "nothing"), ("collide", "edge", "top"),
    ("realign", "to", [0.0, 0.0, 0.0]), ("enter", "terrain", "lake"), ("reform", "to", [0.0, 0.0, 1.0]),
    ("shoot", "band", 9), ("shoot", "sight", None), ("strike", "threat", 17), ("strike", "struck", "top"),
    ("pool", "damage", 99), ("wounds", "wounds", 99), ("wounds", "trays", 9), ("end", "winner", "c"),
    ("throw", "dice", {"red": ["hit"] * 9}), ("grow", "trays", 7),
]  # fmt: skip
"""An event, what of it is told otherwise, and how."""
SEEDS = (4, 40, 1)
"""Games in which all of these happen."""
NOTICED_BY = {
    "a march passes what stands in its second half": 0, "a wheel does not change the way": 7,
    "a wheel pivots about the far corner": 7, "a wheel has no limit": 0, "a shift goes forward or right only": 0,
    "bands are rounded down": 1, "openings block sight, obstacles do not": 1,
    "losses shrink a unit about its centre": 0, "the higher initiative acts first": 0,
}  # fmt: skip
"""Mistakes that were planted so far, and a game that shows each."""


@cache
def sound(seed: int) -> dict[str, Any]:
    return random_game(seed).replay()


@pytest.mark.parametrize(("event", "key", "value"), CHANGES, ids=lambda value: str(value)[:12])
def test_a_fault_in_a_record_is_found(event: str, key: str, value: Any) -> None:
    for seed in SEEDS:
        document = deepcopy(sound(seed))
        for told in (told for line in document["lines"] for told in line["events"] if told["event"] == event):
            told[key] = value
            assert random_game(seed).suspicions(document)
            return
    pytest.fail(f"no game has a {event}")


@pytest.mark.slow("test_what_is_planted_is_taken_out_again")
@pytest.mark.parametrize("mutant", [mutant for mutant in MUTANTS if mutant[3] in NOTICED_BY], ids=lambda one: one[3])
def test_the_referee_notices(mutant: list[str]) -> None:
    name, old, new, what = mutant
    with planted(name, old, new):
        assert random_game(NOTICED_BY[what]).suspicions(), f"nobody noticed: {what}"


def test_what_is_planted_is_taken_out_again() -> None:
    assert set(NOTICED_BY) <= {mutant[3] for mutant in MUTANTS}
    for name, old, new, _ in MUTANTS:
        assert old in Path(str(import_module(f"balance.{name}").__file__)).read_text("utf-8") and new != old
    with planted(*MUTANTS[0][:3]):
        pass
    assert random_game(SEEDS[0]).suspicions() == []
