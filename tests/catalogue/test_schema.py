"""A record's annotations are the whole schema."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import Field

from balance.catalogue import EntryId, Header, Name, Record, columns_of, leaf_columns, parse_cell, show_value, slug
from balance.catalogue.cells import BadCell


class Inner(Record):
    faces: tuple[Annotated[int, Field(ge=1, le=6)], ...] = ()


class Toy(Record):
    id: EntryId
    kind: Annotated[Literal["big", "small"], Header(("tipo",), name="class", words=(("grande", "big"),))]
    share: Annotated[float, Field(ge=0, le=1)]
    inner: Inner = Inner()


def test_columns_are_read_from_annotations() -> None:
    columns = {column.name: column for column in columns_of(Toy)}
    assert list(columns) == ["id", "kind", "share"]
    assert (columns["id"].kind, columns["kind"].header, columns["kind"].choices) == ("id", "class", ("big", "small"))
    assert columns["kind"].spellings() == {"class", "kind", "tipo"}
    assert columns["share"].allowed == "a number from 0 to 1"


def test_nested_columns_are_dotted_and_keep_their_range() -> None:
    column = leaf_columns(Toy)["inner.faces"]
    assert (column.many, column.low, column.high) == (True, 1, 6)


def test_a_column_says_what_it_may_hold_however_its_bounds_are_written() -> None:
    class Said(Record):
        name: Name
        motto: Annotated[str, Field(max_length=30)]
        free: str
        many: tuple[EntryId, ...]
        low: Annotated[int, Field(ge=2)]
        high: Annotated[float, Field(le=9)]
        yes: bool

    assert {column.name: column.allowed for column in columns_of(Said)} == {
        "name": "a text of 1 to 80 characters",
        "motto": "a text of 1 to 30 characters",
        "free": "a text",
        "many": "a list, each a text of 1 to 64 characters",
        "low": "a whole number of at least 2",
        "high": "a number of at most 9",
        "yes": "true or false",
    }


def test_a_type_no_cell_can_hold_is_our_bug() -> None:
    class Odd(Record):
        data: bytes

    with pytest.raises(TypeError, match="bytes"):
        columns_of(Odd)


def test_percent_is_a_share_only_where_decimals_are() -> None:
    kind, share = columns_of(Toy)[1], columns_of(Toy)[2]
    assert parse_cell(share, "55%") == 0.55
    assert parse_cell(share, "0,5", comma=True) == 0.5
    assert parse_cell(kind, "Grande") == "big"
    for text in ("1.000", "1.234,5", "0,5.5", "1e400"):
        with pytest.raises(BadCell):
            parse_cell(share, text, comma=True)


@pytest.mark.parametrize("value", ["big", 7, 0.1, True, False, ("a", "b"), (1, 2)])
def test_show_value_is_plain(value: object) -> None:
    assert show_value(value) == {"big": "big", True: "true", False: "false"}.get(
        value, ";".join(map(str, value)) if isinstance(value, tuple) else str(value)
    )


def test_slug_ignores_case_accents_and_punctuation() -> None:
    assert slug("  Fucile d’Assalto (élite) ") == "fucile_d_assalto_elite"
    assert slug("+") == ""
