"""What a catalogue is made of, told once: records, their columns, the spec of a game's tables, and its raw parts.

A record is a frozen pydantic model; its annotations are the whole schema (types, ranges, choices) and a `Header` gives
what only a spreadsheet needs: other names of the column, the unit, other words for the choices; `Better` says which
values are better. `columns_of` reads that back as `Column` values, which the reader, the overrides and the workbook
share.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le, MaxLen
from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints
from pydantic.fields import FieldInfo

from balance.base.errors import Fault
from balance.catalogue.tables.columns import Better, Column, Kind, Locate, RawTable


class Record(BaseModel):
    """Base of every record: frozen, strict about types, no unknown field, no NaN or infinity."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)


@dataclass(frozen=True)
class Header:
    """What a column is called in a spreadsheet, beside the attribute's own name.

    * `aliases`: other accepted headers; case, accents, spaces and punctuation do not matter.
    * `name`: the header we write, where it cannot be the attribute's name (`class`).
    * `unit`: the unit of the numbers, for people.
    * `words`: pairs (other word, choice), such as `("pesante", "heavy")`.
    * `marks`: pairs (what a card prints in place of a number, the number it stands for or None), such as `("*", 99)`.
    """

    aliases: tuple[str, ...] = ()
    name: str = ""
    unit: str = ""
    words: tuple[tuple[str, str], ...] = ()
    marks: tuple[tuple[str, int | None], ...] = ()


class _Identifier:
    """Marks a text that is stored as a slug, such as an id."""


def _sorted_set(values: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(sorted(set(values)))


SortedSet = AfterValidator(_sorted_set)
"""Add to a `tuple[Literal[...], ...]` so that order and repetition in a file do not matter."""

EntryId = Annotated[str, StringConstraints(pattern=r"^\w+$", max_length=64), _Identifier()]
"""The id of an entry: lower case words joined by underscores; a file may say `Assault Rifle`."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=80)]
"""A text for people, of 1 to 80 characters."""


def _unwrap(annotation: Any) -> tuple[Any, bool, bool, list[Any]]:
    """Return (bare type, is a list, is nullable, metadata) of an annotation, unions and tuples unwrapped."""
    is_list = nullable = False
    metadata: list[Any] = []
    while True:
        origin, args = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            inner = [part for item in args[1:] for part in (item.metadata if isinstance(item, FieldInfo) else [item])]
            annotation, metadata = args[0], [*metadata, *inner]
        elif origin in (Union, types.UnionType) and type(None) in args and len(args) == 2:
            nullable = True
            annotation = next(arg for arg in args if arg is not type(None))
        elif origin is tuple and len(args) == 2 and args[1] is Ellipsis:
            is_list, annotation = True, args[0]
        else:
            return annotation, is_list, nullable, metadata


def _kind(annotation: Any, metadata: list[Any]) -> Kind:
    if get_origin(annotation) is Literal:
        return "choice"
    if annotation is str:
        return "id" if any(isinstance(item, _Identifier) for item in metadata) else "text"
    kinds: dict[Any, Kind] = {bool: "flag", int: "integer", float: "number"}
    if annotation not in kinds:
        raise TypeError(f"a record's field cannot be of type {annotation!r}")
    return kinds[annotation]


def _bound(metadata: list[Any], kind: type[Any], attribute: str) -> Any:
    values = [getattr(item, attribute) for item in metadata if isinstance(item, kind)]
    return next((value for value in values if value is not None), None)


def _column(name: str, info: FieldInfo) -> Column:
    bare, is_list, nullable, inner = _unwrap(info.annotation)
    metadata = [*info.metadata, *inner]
    header = next((item for item in metadata if isinstance(item, Header)), Header())
    kind = _kind(bare, metadata)
    length = _bound(metadata, MaxLen, "max_length") or _bound(metadata, StringConstraints, "max_length")
    return Column(
        name=name,
        header=header.name or name,
        kind=kind,
        aliases=header.aliases,
        is_list=is_list,
        nullable=nullable,
        is_required=info.is_required(),
        low=_bound(metadata, Ge, "ge"),
        high=_bound(metadata, Le, "le"),
        max_length=length,
        choices=tuple(str(choice) for choice in get_args(bare)) if kind == "choice" else (),
        words=header.words,
        marks=header.marks,
        unit=header.unit,
        description=info.description or "",
        better=next((item for item in metadata if isinstance(item, Better)), Better()),
    )


def _is_record(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Record)


@cache
def columns_of(record: type[Record]) -> tuple[Column, ...]:
    """Return the columns of a record in the order of its fields; nested records are left out.

    >>> class Gun(Record):
    ...     damage: Annotated[int, Ge(0), Le(99)]
    >>> columns_of(Gun)[0].allowed
    'a whole number from 0 to 99'
    """
    fields = record.model_fields.items()
    return tuple(_column(name, info) for name, info in fields if not _is_record(info.annotation))


@cache
def leaf_columns(record: type[Record]) -> Mapping[str, Column]:
    """Return dotted name -> column of a record and of the records nested in it."""
    leaves = {column.name: column for column in columns_of(record)}
    for name, info in record.model_fields.items():
        if isinstance(info.annotation, type) and issubclass(info.annotation, Record):
            leaves |= {f"{name}.{inner}": column for inner, column in leaf_columns(info.annotation).items()}
    order = list(record.model_fields)
    return dict(sorted(leaves.items(), key=lambda item: order.index(item[0].split(".")[0])))


Tables = Mapping[str, Mapping[str, Record]]
"""The entries of a catalogue: table name -> id -> record, in the order of the files."""

CrossCheck = Callable[[Tables], Iterable[tuple[str, str, Fault]]]
"""Looks at all tables at once; yields (table, id, fault) and the loader adds the file and the row."""


@dataclass(frozen=True)
class TableSpec:
    """One table of a game: its name, its file, the record of one entry and the field that names the entry."""

    name: str
    file: str
    record: type[Record]
    key: str = "id"
    may_be_empty: bool = False


@dataclass
class Inputs:
    """The raw parts of a catalogue; a part that could not be read is absent and its fault is in `faults`.

    `before` holds the tables of an earlier catalogue, whose entries sources may still name, and `notes` what became of
    those sources.
    """

    tables: dict[str, RawTable] = field(default_factory=dict)
    rules: tuple[Mapping[str, Any], Locate] | None = None
    sources: RawTable | None = None
    faults: list[Fault] = field(default_factory=list)
    before: Tables = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class CatalogueSpec:
    """Everything the generic layer needs to know about one game's catalogue.

    * `game`: the game's id, such as `warforged`.
    * `rules`: a `Rules` record with one field per switch, a `Literal` of strings or a `bool`.
    * `constants`: a record, possibly nested, of the numbers the rules state.
    * `cross_checks`: checks over several entries, run also where some cells cannot be read.
    * `rules_file` and `sources_file`: file names inside the catalogue's folder.
    * `read`: reads the raw parts from a path, for a catalogue that is no folder of such files.
    """

    game: str
    tables: tuple[TableSpec, ...]
    rules: type[Record]
    constants: type[Record]
    cross_checks: tuple[CrossCheck, ...] = ()
    rules_file: str = "rules.toml"
    sources_file: str = "SOURCES.csv"
    read: Callable[[Path], Inputs] | None = None
