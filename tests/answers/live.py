"""What the page of a game is asked in tests, and the command's answer beside its own."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.answers.words.live.page import answer
from balance.base.numbers import show_probability
from balance.chance.clauses import show_brief

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "balance" / "rulebook" / "templates").glob("*.toml"))
Table = Sequence[Sequence[str]]
TINY = 1e-12


def asked(ask: str = "answers", **request: Any) -> list[dict[str, Any]]:
    """Return the parts of the page's answer to a request."""
    request = {"ask": ask, "file": "game.toml", "saved": "game_2.toml", "choices": {}, **request}
    return [json.loads(part) for part in answer(json.dumps(request))]


def game(rules: str, table: Table) -> dict[str, Any]:
    """Return a game as a request has it."""
    return {"rules": rules, "table": table}


def random_edits(luck: random.Random, table: Table) -> list[tuple[int, int, str]]:
    """Return one to six changes of numbers as (row below the header, column, text)."""
    header, *rows = table
    places = [
        (row, column) for row in range(len(rows)) for column in range(len(header)) if _is_number(rows[row][column])
    ]
    places = [place for place in places if header[place[1]] != "cost_points"]
    chosen = luck.sample(places, min(len(places), luck.randint(1, 6)))
    return [(row, column, str(max(1, int(rows[row][column]) + luck.choice((-2, -1, 1, 2))))) for row, column in chosen]


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdigit()


def with_edits(table: Table, edits: Sequence[tuple[int, int, str]]) -> list[list[str]]:
    """Return a table with changed cells."""
    changed = [list(row) for row in table]
    for row, column, text in edits:
        changed[row + 1][column] = text
    return changed


def same_as_the_command(shown: dict[str, Any], file: Path, one: str, other: str) -> None:
    """Assert that each number of an answer is the command's about a game file, to 1e-12 and in every printed digit."""
    try:
        balance.load(str(file))
    except balance.BalanceError as error:
        assert [fault["text"].split(": ")[-1] for fault in shown["faults"]] == [
            str(fault).split(": ")[-1] for fault in error.faults
        ]
        return
    kinds = {kind for kind in ("attack", "kill", "duel") if kind in shown}
    assert kinds == {"attack", "kill", "duel"} & {*balance.load(str(file)).definition.kinds}
    for kind in kinds:
        heads = shown[kind].get("heads", [""])
        firsts = ["a", "b", "random"] if len(heads) > 1 else ["random"]
        for place, first in enumerate(firsts):
            document = balance.ask(str(file), kind, one, other, first=first, quiet=True).to_dict()
            _same(shown[kind], document, place, is_last=place == len(firsts) - 1)


def _same(view: dict[str, Any], document: dict[str, Any], place: int, is_last: bool) -> None:
    exact = document["exact"]
    for row in view["rows"]:
        cell = row["cells"][place]
        share = next((exact["p_win"][side] for side in _sides(row["label"], document)), None)
        value = share if share is not None else exact["mean"][_column(row["label"], exact["mean"])]
        assert cell["value"] == pytest.approx(value, abs=TINY, rel=TINY), (row["label"], document["inputs"])
        assert cell["text"] == (show_brief(value) if share is None else show_probability(share, 2))
    if is_last:
        assert view["sentence"] == document["sentence"]
        assert view["mean"] == pytest.approx(exact["mean"], abs=TINY, rel=TINY)
        for column, chances in exact["pmf"].items():
            assert {int(value): p for value, p in view["pmf"][column].items() if p > TINY} == pytest.approx(
                {int(value): p for value, p in chances.items() if p > TINY}, abs=TINY
            ), column


def _sides(label: str, document: dict[str, Any]) -> list[str]:
    if label == "draw":
        return ["draw"]
    return [side for side in "ab" if label.endswith(f"({side}) wins")] if document["verb"] == "duel" else []


def _column(label: str, columns: dict[str, float]) -> str:
    """Return the column that a row of means is about."""
    if label.endswith("has left"):
        side = label.rpartition("(")[2][0]
        return next(column for column in columns if column.startswith(f"{side}_"))
    return label.removesuffix(" on average").replace(" ", "_")
