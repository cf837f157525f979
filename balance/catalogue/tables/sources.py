"""Where every value comes from: stated by the rulebook, inferred from its text, or assumed by us.

One row names one value by table, id and field. The constants and the rule options of the rules file are the tables
`constants` and `rules`, with the dotted name as id and `value` as field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated, Literal

from balance.base.errors import Fault, unknown
from balance.catalogue.tables.files import RawTable
from balance.catalogue.tables.reading import parse_records
from balance.catalogue.tables.schema import (
    CatalogueSpec,
    Header,
    Name,
    Record,
    Tables,
    TableSpec,
    columns_of,
    leaf_columns,
    slug,
)

__all__ = ["Moves", "Source", "SourceKey", "known_values", "parse_sources"]

ALIKE, MOST_MOVES = 0.5, 200
"""The share of values that a renamed entry must keep, and how many entries are compared for it."""
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


DANGLING = "is not in this catalogue"
Known = Mapping[str, Mapping[str, tuple[str, tuple[str, ...]]]]
"""Table -> slug of an id -> (id, fields)."""


def _resolve(source: Source, known: Known) -> SourceKey | Fault:
    """Return the key of a value, or what is wrong with it."""
    table = slug(source.table)
    if table not in known:
        return unknown(source.table, known, DANGLING, field="table")
    if slug(source.id) not in known[table]:
        return unknown(source.id, [entry for entry, _ in known[table].values()], DANGLING, field="id")
    entry, names = known[table][slug(source.id)]
    fields = _by_slug(names)
    if slug(source.field) not in fields:
        return unknown(source.field, names, DANGLING, field="field")
    return table, entry, fields[slug(source.field)]


@cache
def _by_slug(names: tuple[str, ...]) -> Mapping[str, str]:
    return {slug(name): name for name in names}


@dataclass(frozen=True)
class Moves:
    """Which entries of an earlier catalogue are gone from this one, and which have another id now.

    Attributes
    ----------
    renamed
        (table, old id) -> new id: most values of the entry are as they were, and no other comes as near.
    gone
        (table, old id) of the rest.
    """

    renamed: Mapping[tuple[str, str], str]
    gone: frozenset[tuple[str, str]]

    @classmethod
    def between(cls, spec: CatalogueSpec, before: Tables, now: Tables) -> Moves:
        """Compare the tables of two catalogues of a game."""
        renamed: dict[tuple[str, str], str] = {}
        gone: set[tuple[str, str]] = set()
        for table in spec.tables:
            old, new = before.get(table.name, {}), now.get(table.name, {})
            lost, fresh = [name for name in old if name not in new], [name for name in new if name not in old]
            likeness = {(a, b): _likeness(table, old[a], new[b]) for a in lost[:MOST_MOVES] for b in fresh[:MOST_MOVES]}
            best = {name: other for name in lost[:MOST_MOVES] if (other := _best(name, likeness)) is not None}
            renamed |= {(table.name, name): other for name, other in best.items()}
            gone |= {(table.name, name) for name in lost if name not in best}
        return cls(renamed, frozenset(gone))

    def follow(self, source: Source) -> Source | None:
        """Return a source under the id that its entry has now; None if the entry is gone."""
        key = slug(source.table), slug(source.id)
        if key in self.gone:
            return None
        return source.model_copy(update={"id": self.renamed[key]}) if key in self.renamed else source

    def tell(self, sources: Iterable[SourceKey]) -> Iterator[str]:
        """Yield a sentence for each entry that had some of these sources."""
        for (table, entry), n in Counter((slug(table), slug(entry)) for table, entry, _ in sources).items():
            if (table, entry) in self.gone:
                yield f"{table}: {entry} is gone, and its {n} sources went with it"
            elif (table, entry) in self.renamed:
                yield f"{table}: {entry} is now {self.renamed[table, entry]}, and its {n} sources moved with it"


def _likeness(table: TableSpec, old: Record, new: Record) -> float:
    """Return the share of values that two entries have in common, their ids aside."""
    names = [column.name for column in columns_of(table.record) if column.name != table.key]
    alike = [name for name in names if getattr(old, name) == getattr(new, name)]
    return len(alike) / max(1, len(names))


def _best(name: str, likeness: Mapping[tuple[str, str], float]) -> str | None:
    """Return the new id that is surely an old one's: alike in most values, and each the other's only best."""
    mine = {b: share for (a, b), share in likeness.items() if a == name and share > ALIKE}
    if not mine:
        return None
    best = max(mine, key=mine.__getitem__)
    rivals = [a for (a, b), share in likeness.items() if (a == name) != (b == best) and share >= mine[best]]
    return None if rivals else best


def parse_sources(
    spec: CatalogueSpec,
    tables: Tables,
    table: RawTable,
    faults: list[Fault],
    before: Tables | None = None,
    notes: list[str] | None = None,
) -> tuple[tuple[Source, ...], tuple[Fault, ...]]:
    """Read the provenance of a catalogue's values.

    Parameters
    ----------
    spec, tables
        What exists; a second row about one value is a fault.
    table
        The rows as text.
    faults
        Grows by one for each thing wrong.
    before
        The catalogue as it was: sources of its entries go with them, or move if they were renamed.
    notes
        Grows by a sentence for each entry whose sources did.

    Returns
    -------
    sources
        Of values that are there.
    dangling
        What is wrong with rows about anything else, told once for each entry: such rows may stay.
    """
    moves = Moves.between(spec, before, tables) if before else None
    known = {
        name: {slug(entry): (entry, fields) for entry, fields in entries.items()}
        for name, entries in known_values(spec, tables).items()
    }
    sources: dict[SourceKey, Source] = {}
    dangling: dict[tuple[str, str], list[Fault]] = {}
    met: list[SourceKey] = []
    for row, told in parse_records(Source, table, faults):
        met.append((told.table, told.id, told.field))
        if (record := moves.follow(told) if moves else told) is None:
            continue
        found = _resolve(record, known)
        if isinstance(found, Fault):
            where = record.id if found.field == "id" else f"row {row}"
            dangling.setdefault((slug(told.table), where), []).append(replace(found, path=table.path, row=row))
        elif found in sources:
            faults.append(Fault("has a second source", table.path, row, "field", ".".join(found)))
        else:
            names = dict(zip(("table", "id", "field"), found, strict=True))
            sources[found] = record.model_copy(update=names)
    if moves and notes is not None:
        notes += moves.tell(met)
    return tuple(sources.values()), tuple(_one_fault(rows) for rows in dangling.values())


def _one_fault(found: list[Fault]) -> Fault:
    """Return one fault for all rows about an entry that is not there, with what to do about them."""
    first, *others = found
    if not others:
        return first
    todo = f"{len(found)} rows name it: delete them if the entry is gone, or write its new id in them"
    return replace(first, tip="; ".join(filter(None, [first.tip, todo])))
