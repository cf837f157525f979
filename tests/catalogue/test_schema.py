"""A record's annotations are the whole schema."""

from __future__ import annotations

from typing import Annotated, Literal, Optional

import pytest
from annotated_types import Ge, Le, MaxLen
from pydantic import Field, StringConstraints, ValidationError

from balance.base.text import slug
from balance.catalogue import Column, EntryId, Header, Name, Record, columns_of, leaf_columns, parse_cell, show_value
from balance.catalogue.tables.cells import BadCell

from .toy import Constants, Unit


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
    assert (column.is_list, column.low, column.high) == (True, 1, 6)


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


UNIT_COLUMNS = (
    Column("id", "id", "id", max_length=64),
    Column("name", "name", "text", ("nome",), max_length=80),
    Column("kind", "class", "choice", ("tipo",), choices=("foot", "horse"), words=(("fante", "foot"),)),
    Column("move", "move", "integer", low=0, high=99, marks=(("*", 99),), unit="hexes", description="How far it goes."),
    Column("skills", "skills", "choice", is_list=True, is_required=False, choices=("bow", "web", "long_bow")),
    Column("share", "share", "number", is_required=False, low=0, high=1),
    Column("limit", "limit", "integer", nullable=True, is_required=False, low=1),
    Column("brave", "brave", "flag", is_required=False),
)


def test_every_column_is_told_whole() -> None:
    assert columns_of(Unit) == UNIT_COLUMNS
    assert columns_of(Unit) is columns_of(Unit)
    rounds = Column("rounds", "rounds", "integer", low=1)
    assert columns_of(Constants) == (rounds, Column("motto", "motto", "text"))


def test_leaves_are_told_in_the_order_of_the_fields_however_deep() -> None:
    faces = Column("faces", "faces", "integer", low=2, high=20, unit="faces", description="Faces of a die.")
    keep = Column("keep", "keep", "integer", is_list=True, low=1, high=6)
    assert leaf_columns(Constants) is leaf_columns(Constants)
    assert list(leaf_columns(Constants).items()) == [
        ("rounds", Column("rounds", "rounds", "integer", low=1)),
        ("motto", Column("motto", "motto", "text")),
        ("dice.faces", faces),
        ("dice.keep", keep),
    ]

    class First(Record):
        deep: Inner
        last: int

    class Outer(Record):
        one: First
        two: int

    assert list(leaf_columns(Outer)) == ["one.deep.faces", "one.last", "two"]


def test_annotations_may_be_written_in_any_order_and_depth() -> None:
    class Written(Record):
        a: Annotated[Annotated[int, Ge(1)] | None, Le(9), Header(unit="hexes")]
        b: Optional[Annotated[float, Field(ge=0.5)]]  # noqa: UP045
        c: Annotated[tuple[Annotated[str, StringConstraints(max_length=7)], ...], Header(("x",))]
        d: Annotated[str, MaxLen(5), Header(name="other")]
        e: Annotated[int, Field(le=3), Field(ge=1)] = Field(description="Said.", default=2)

    assert columns_of(Written) == (
        Column("a", "a", "integer", nullable=True, low=1, high=9, unit="hexes"),
        Column("b", "b", "number", nullable=True, low=0.5),
        Column("c", "c", "text", ("x",), is_list=True, max_length=7),
        Column("d", "other", "text", max_length=5),
        Column("e", "e", "integer", is_required=False, low=1, high=3, description="Said."),
    )


@pytest.mark.parametrize("annotation", [bytes, dict[str, int], tuple[int, str], int | str, tuple[int, int], list[int]])
def test_what_no_cell_can_hold_is_told_by_its_type(annotation: object) -> None:
    odd = type("Odd", (Record,), {"__annotations__": {"data": annotation}, "__module__": __name__})
    with pytest.raises(TypeError) as caught:
        columns_of(odd)
    assert str(caught.value) == f"a record's field cannot be of type {annotation!r}"


@pytest.mark.parametrize(
    ("column", "allowed"),
    [
        (Column("a", "a", "integer"), "a whole number"),
        (Column("a", "a", "integer", low=0, high=5), "a whole number from 0 to 5"),
        (Column("a", "a", "integer", low=0), "a whole number of at least 0"),
        (Column("a", "a", "integer", high=0), "a whole number of at most 0"),
        (Column("a", "a", "integer", marks=(("*", 9), ("x", None))), "a whole number or * or x"),
        (Column("a", "a", "integer", is_list=True), "a list, each a whole number"),
        (Column("a", "a", "number", low=-0.5, high=1e6), "a number from -0.5 to 1e+06"),
        (Column("a", "a", "flag"), "true or false"),
        (Column("a", "a", "choice", choices=("x", "y")), "x, y"),
        (Column("a", "a", "choice", is_list=True, choices=("x", "y")), "any of x, y"),
        (Column("a", "a", "text"), "a text"),
        (Column("a", "a", "id", max_length=64), "a text of 1 to 64 characters"),
        (Column("a", "a", "text", is_list=True, max_length=3), "a list, each a text of 1 to 3 characters"),
    ],
)
def test_what_a_column_may_hold_in_words(column: Column, allowed: str) -> None:
    assert column.allowed == allowed


def test_a_column_is_spelled_by_its_name_its_header_and_its_other_names() -> None:
    assert Column("a_b", "A-c", "text", ("Größe", "D E")).spellings() == {"a_b", "a_c", "grosse", "d_e"}


def test_ids_and_names_have_their_lengths_and_sets_their_order() -> None:
    sound = {"id": "x", "name": "x", "kind": "foot", "move": 1}
    for field, longest in (("id", 64), ("name", 80)):
        Unit.model_validate(sound | {field: "x" * longest})
        with pytest.raises(ValidationError):
            Unit.model_validate(sound | {field: "x" * (longest + 1)})
        with pytest.raises(ValidationError):
            Unit.model_validate(sound | {field: ""})
    with pytest.raises(ValidationError):
        Unit.model_validate(sound | {"id": "a-b"})
    assert Unit.model_validate(sound | {"skills": ("web", "bow", "web")}).skills == ("bow", "web")
    for wrong in ({"new": 1}, {"move": "1"}, {"share": float("inf")}):
        with pytest.raises(ValidationError):
            Unit.model_validate(sound | wrong)
    with pytest.raises(ValidationError):
        Unit.model_validate(sound).move = 3


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A  B", "a_b"),
        ("--a--", "a"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("É", "e"),
        ("a_b", "a_b"),
        ("", ""),
    ],
)
def test_slug(text: str, found: str) -> None:
    assert slug(text) == found
