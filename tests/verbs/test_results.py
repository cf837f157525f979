"""What a verb returns can be pickled and says the same after, and its sentence stands on its first screen."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import balance
from balance.verbs.call.result import Result
from tests.verbs.test_front_door import ASKED, CALLS

NO_SENTENCE = {"army", "schema", "show"}
"""Random armies stand on a screen line by line, for the clipboard; a schema and a table of cards stand alone."""
PAIR = ("warforged", "nexus+assault_rifle", "trooper+shotgun")
FIELD: dict[str, Any] = {"among": PAIR[1:], "cache": False}
LOG = Path(__file__).parents[1] / "playtests" / "data" / "baseball_1987.csv"
MET = pl.DataFrame(
    {"one": [*PAIR[1:], PAIR[1]], "other": [*PAIR[2:], PAIR[1], PAIR[2]], "winner": [*PAIR[1:], PAIR[1]]}
)
RESULTS: dict[str, Callable[[], Result[Any]]] = {
    **{verb: CALLS[verb][1] for verb in ASKED},
    "attack, a change without effect": lambda: balance.attack(*PAIR[:2], "trooper", set={"attacker.precision": 7}),
    "dice, one": lambda: balance.dice("3d6 keep 2"),
    "dice, a contest": lambda: balance.dice("3d6 keep 2 vs 2d8", trials=50),
    "handicap, a field": lambda: balance.handicap("warforged", field="health", **FIELD),
    "handicap, a bid": lambda: balance.handicap("warforged", bid="health", **FIELD),
    "handicap, worth": lambda: balance.handicap(*PAIR, worth="b.health", cache=False),
    "luck, a field": lambda: balance.luck("warforged", "duel", **FIELD),
    "matchups": lambda: balance.matchups("warforged", **FIELD),
    "fit": lambda: balance.fit("warforged", MET, cache=False),
    "need, a band": lambda: balance.need(band=(0.4, 0.6), runs=200),
    "page": lambda: balance.page(*PAIR, "page.html", kinds="attack", answers=9, reach=1),
    "rate, a table": lambda: balance.rate(LOG, table="ratings.csv"),
    "rate, a template": lambda: balance.rate("log.csv", template=True),
    "tornado, faces": lambda: balance.tornado(
        "immortal_souls", "attack", "ecarus", "green_gremlin", over="faces", cache=False
    ),
}


def all_of(result: Result[Any]) -> tuple[object, ...]:
    """Return everything that a result says."""
    tables = {name: (table.schema, table.write_json()) for name, table in result.tables.items()}
    told = (result.sentence, result.notes, result.broken_limits, result.cannot_see)
    return json.dumps(result.to_dict()), str(result), str(result.explain()), tables, told


def check_that_it_pickles(result: Result[Any]) -> None:
    """Hold that a result can be pickled, before it was looked at and after, and says the same."""
    unread = pickle.dumps(result)
    everything = all_of(result)
    assert all_of(pickle.loads(unread)) == everything
    assert all_of(pickle.loads(pickle.dumps(result))) == everything


@pytest.mark.up_to(0.3)
@pytest.mark.parametrize("asked", list(RESULTS))
def test_a_result_is_pickled_and_its_sentence_is_on_its_screen(
    asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = RESULTS[asked]()
    check_that_it_pickles(result)
    assert asked in NO_SENTENCE or result.sentence in " ".join(str(result).split())


@pytest.mark.slow("test_a_result_is_pickled_and_its_sentence_is_on_its_screen")
def test_a_result_is_pickled_into_another_process() -> None:
    shot = balance.attack(*PAIR[:2], "trooper")
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer))"
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(shot), capture_output=True, check=True)
    assert done.stdout.decode() == f"{shot}\n"


def test_a_result_that_holds_a_lambda_is_noticed() -> None:
    dice = balance.dice("2d6")
    check_that_it_pickles(replace(dice, notes_of=partial(tuple, ["so it is"])))
    with pytest.raises((pickle.PicklingError, AttributeError)):
        check_that_it_pickles(replace(dice, notes_of=lambda: ("so it is",)))
