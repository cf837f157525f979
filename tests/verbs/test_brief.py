"""The short form of an answer stays within its bytes, whatever it is about."""

from __future__ import annotations

import json
from typing import Any, get_args

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.analysis.prices.verdicts import OFF_VERDICTS
from balance.answers.media.brief import MOST_BYTES, MOST_ROWS, OFF, brief_of, dumps
from balance.playtests.model.answer import Verdict
from tests.schemas import check

DOCUMENT = {"schema": 1, "verb": "duel", "game": "warforged", "seed": 0}
TEXTS = st.lists(st.text(max_size=3000), max_size=40)
CELLS = st.one_of(st.none(), st.integers(-(2**60), 2**60), st.floats(), st.text(max_size=500))
TABLES = st.lists(st.lists(CELLS.map(lambda cell: json.dumps(cell)), min_size=1, max_size=8), max_size=8)


@settings(deadline=None, max_examples=30, derandomize=True)
@given(sentence=st.text(max_size=5000), cannot_see=TEXTS, notes=TEXTS, tables=TABLES, game=st.text(max_size=2000))
def test_it_is_short_whatever_it_tells(
    sentence: str, cannot_see: list[str], notes: list[str], tables: list[list[str]], game: str
) -> None:
    frames = {f"table {place}": pl.DataFrame({"cell": cells * 20}) for place, cells in enumerate(tables)}
    brief = brief_of(DOCUMENT | {"game": game}, sentence, frames, cannot_see, notes)
    check(brief)
    assert len(dumps(brief)) <= MOST_BYTES
    assert [*(table["name"] for table in brief["tables"]), *brief["left_out"]] == list(frames)


@pytest.mark.parametrize("width", [1, 30, 3000])
def test_a_table_tells_how_many_rows_it_has_and_one_without_room_is_named(width: int) -> None:
    wide = pl.DataFrame({f"column {place}": [0.123456789] * 500 for place in range(width)})
    brief = brief_of(DOCUMENT, "It is so.", {"wide": wide, "narrow": pl.DataFrame({"win": [1]})})
    rows = {table["name"]: (len(table["rows"]), table["n_rows"]) for table in brief["tables"]}
    assert rows["narrow"] == (1, 1)
    assert rows.get("wide") == {1: (MOST_ROWS, 500), 30: (24, 500), 3000: None}[width]
    assert brief["left_out"] == (["wide"] if width == 3000 else [])
    assert len(dumps(brief)) <= MOST_BYTES


def test_who_is_off_comes_first_where_a_table_is_cut() -> None:
    verdicts = ["fair"] * 40 + ["too dear", "fair", "too cheap"]
    frame = pl.DataFrame({"card": range(43), "verdict": verdicts})
    (table,) = brief_of(DOCUMENT, "", {"cards": frame})["tables"]
    assert [row[0] for row in table["rows"]] == [40, 42, *range(MOST_ROWS - 2)]
    (whole,) = brief_of(DOCUMENT, "", {"cards": frame.tail(5)})["tables"]
    assert [row[0] for row in whole["rows"]] == [38, 39, 40, 41, 42]


def test_the_words_of_verdicts_are_those_of_the_toolkit() -> None:
    assert {*OFF_VERDICTS, "overpowered", "underpowered"} < {*OFF}
    assert {"overpowered", "underpowered"} < {*get_args(Verdict)}


def test_numbers_have_six_digits_and_what_is_no_number_is_null() -> None:
    row: list[Any] = [1 / 3, float("inf"), float("nan"), True, 2**60, None]
    frame = pl.DataFrame({str(place): [cell] for place, cell in enumerate(row)})
    (table,) = brief_of(DOCUMENT, "", {"all": frame})["tables"]
    assert table["rows"] == [[0.333333, None, None, True, 2**60, None]]
