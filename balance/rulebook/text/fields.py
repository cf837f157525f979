"""The columns of the units of a game file: which there are, and what a cell of each may hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from balance.catalogue.tables.columns import Better, Column

MOST = 9999
"""The largest number on a card or in a rulebook, either way from 0."""
TEXT_LENGTH = 200
Direction: TypeAlias = Literal["more", "less", ""]
LONGEST_ID, LONGEST_NAME = 64, 80
_RESERVED = """
construct copy dict from_orm json model_computed_fields model_config model_construct model_copy model_dump
model_dump_json model_extra model_fields model_fields_set model_json_schema model_parametrized_name model_post_init
model_rebuild model_validate model_validate_json model_validate_strings mro parse_file parse_obj parse_raw register
schema schema_json update_forward_refs validate
"""
RESERVED = frozenset(_RESERVED.split())
"""Names that no column may have, as what becomes of a unit has them."""


@dataclass(frozen=True)
class UnitField:
    """A column of the units: an integer or a text that no rule reads.

    A negative `low` means that numbers down to `-MOST` are allowed; `header` is the column's head as written; `better`
    is which numbers are better, empty where that is not known.
    """

    name: str
    kind: Literal["number", "text"] = "number"
    low: int = 0
    header: str = ""
    better: Direction = ""


STANDARD: Mapping[str, tuple[str, ...]] = {
    "id": ("code", "codice"),
    "name": ("unit", "model", "nome", "unita"),
    "cost_points": ("cost", "points", "pts", "costo", "punti"),
    "keywords": ("keyword", "abilities", "special_rules", "traits", "parole_chiave", "regole_speciali"),
}
"""Columns that every game has -> other headers of them."""


def unit_columns(fields: Sequence[UnitField], keywords: Iterable[str] = ()) -> tuple[Column, ...]:
    """Return the columns of the units with these fields, and with any of these keywords."""
    words = tuple(sorted(set(keywords)))
    return (
        Column("id", "id", "id", STANDARD["id"], max_length=LONGEST_ID),
        Column("name", "name", "text", STANDARD["name"], max_length=LONGEST_NAME),
        Column("cost_points", "cost_points", "integer", STANDARD["cost_points"], is_required=False, low=0, high=MOST),
        Column(
            "keywords",
            "keywords",
            "choice" if words else "id",
            STANDARD["keywords"],
            is_list=True,
            is_required=False,
            max_length=None if words else LONGEST_ID,
            choices=words,
        ),
        *map(_column, fields),
    )


def _column(field: UnitField) -> Column:
    if field.kind == "text":
        return Column(
            field.name, field.name, "text", is_required=False, max_length=TEXT_LENGTH, better=Better("ignored")
        )
    return Column(field.name, field.name, "integer", low=-MOST if field.low < 0 else 0, high=MOST)
