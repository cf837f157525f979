"""Where every value comes from: stated by the rulebook, inferred from its text, or assumed by us.

One row names one value by table, id and field. The constants and the switches of the rules file are the tables
`constants` and `rules`, with the dotted name as id and `value` as field.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from balance.catalogue.files import RawTable
from balance.catalogue.reading import parse_records
from balance.catalogue.schema import CatalogueSpec, Header, Name, Record, Tables, columns_of, leaf_columns, slug
from balance.errors import Fault, nearest

__all__ = ["Source", "SourceKey", "known_values", "parse_sources"]

SourceKey = tuple[str, str, str]
"""(table, id, field): the name of one value."""


class Source(Record):
    """The provenance of one value."""

    table: Annotated[Name, Header(aliases=("tabella",))]
    id: Name
    field: Annotated[Name, Header(aliases=("campo",))]
    status: Annotated[Literal["stated", "inferred", "assumed"], Header(aliases=("stato",))]
    where: Annotated[Name, Header(aliases=("source", "dove", "fonte"))]


def known_values(spec: CatalogueSpec, tables: Tables) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return table -> id -> fields whose provenance can be told; an entry's id itself is left out."""
    known: dict[str, dict[str, tuple[str, ...]]] = {}
    for table in spec.tables:
        fields = tuple(column.header for column in columns_of(table.record) if column.name != table.key)
        known[table.name] = dict.fromkeys(tables.get(table.name, {}), fields)
    known["rules"] = {column.name: ("value",) for column in columns_of(spec.rules)}
    known["constants"] = dict.fromkeys(leaf_columns(spec.constants), ("value",))
    return known


def _resolve(
    source: Source, known: Mapping[str, Mapping[str, tuple[str, ...]]]
) -> SourceKey | tuple[str, str, str, str]:
    """Return the key of a value, or (field at fault, found, allowed, tip)."""
    table = slug(source.table)
    if table not in known:
        return _unknown("table", source.table, tuple(known))
    entries = {slug(entry): entry for entry in known[table]}
    if slug(source.id) not in entries:
        return _unknown("id", source.id, tuple(known[table]))
    entry = entries[slug(source.id)]
    fields = {slug(name): name for name in known[table][entry]}
    if slug(source.field) not in fields:
        return _unknown("field", source.field, known[table][entry])
    return table, entry, fields[slug(source.field)]


def _unknown(field: str, found: str, allowed: tuple[str, ...]) -> tuple[str, str, str, str]:
    close = nearest(found, allowed)
    return field, found, ", ".join(allowed), f"did you mean {close}?" if close else ""


def parse_sources(spec: CatalogueSpec, tables: Tables, table: RawTable, faults: list[Fault]) -> tuple[Source, ...]:
    """Read the provenance of a catalogue's values.

    Parameters
    ----------
    spec, tables
        What exists; a row about anything else is a fault, and so is a second row about one value.
    table
        The rows as text.
    faults
        Grows by one for each thing wrong.
    """
    known = known_values(spec, tables)
    sources: dict[SourceKey, Source] = {}
    for row, record in parse_records(Source, table, faults):
        found = _resolve(record, known)
        if len(found) == 4:
            field, text, allowed, tip = found
            faults.append(Fault("is not in this catalogue", table.path, row, field, text, allowed, tip))
        elif found in sources:
            faults.append(Fault("has a second source", table.path, row, "field", ".".join(found)))
        else:
            names = dict(zip(("table", "id", "field"), found, strict=True))
            sources[found] = record.model_copy(update=names)
    return tuple(sources.values())
