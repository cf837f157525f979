"""Where every value comes from: stated by the rulebook or a public source, inferred from its text, or assumed by us.

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
from balance.base.text import slug
from balance.catalogue.tables.columns import RawTable
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
)

ALIKE, MOST_MOVES = 0.5, 200
"""The share of values that a renamed entry must keep, and how many entries are compared for it."""
PUBLIC = "public source"
"""How the words of a source begin that is no rulebook, such as a web page."""
SourceKey = tuple[str, str, str]
"""(table, id, field): the name of one value."""


class Source(Record):
    """The provenance of one value, a row of the sources file."""

    table: Annotated[Name, Header(aliases=("tabella",))]
    id: Name
    field: Annotated[Name, Header(aliases=("campo",))]
    status: Annotated[Literal["stated", "inferred", "assumed"], Header(aliases=("stato",))]
    where: Annotated[Name, Header(aliases=("source", "dove", "fonte"))]

    @property
    def origin(self) -> Literal["stated", "public", "inferred", "assumed"]:
        """The status, or "public" for what a public source other than the rulebook states, as `where` begins."""
        return "public" if self.status == "stated" and self.where.startswith(PUBLIC) else self.status


def known_values(spec: CatalogueSpec, tables: Tables) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return table -> id -> fields whose provenance can be stated; an entry's id itself is left out."""
    values_by_table: dict[str, dict[str, tuple[str, ...]]] = {}
    for table in spec.tables:
        fields = tuple(column.header for column in columns_of(table.record) if column.name != table.key)
        values_by_table[table.name] = dict.fromkeys(tables.get(table.name, {}), fields)
    values_by_table["rules"] = {column.name: ("value",) for column in columns_of(spec.rules)}
    values_by_table["constants"] = dict.fromkeys(leaf_columns(spec.constants), ("value",))
    return values_by_table


DANGLING_TEXT = "is not in this catalogue"
KnownValues = Mapping[str, Mapping[str, tuple[str, tuple[str, ...]]]]
"""Table -> slug of an id -> (id, fields)."""


def _resolve(source: Source, values_by_table: KnownValues) -> SourceKey | Fault:
    """Return (table, id, field) as the catalogue spells them, or the fault of a row that names no value."""
    table = slug(source.table)
    if table not in values_by_table:
        return unknown(source.table, values_by_table, DANGLING_TEXT, field="table")
    if slug(source.id) not in values_by_table[table]:
        return unknown(source.id, [entry for entry, _ in values_by_table[table].values()], DANGLING_TEXT, field="id")
    entry, names = values_by_table[table][slug(source.id)]
    fields = _by_slug(names)
    if slug(source.field) not in fields:
        return unknown(source.field, names, DANGLING_TEXT, field="field")
    return table, entry, fields[slug(source.field)]


@cache
def _by_slug(names: tuple[str, ...]) -> Mapping[str, str]:
    return {slug(name): name for name in names}


@dataclass(frozen=True)
class Moves:
    """Which entries of an earlier catalogue are gone from this one, and which have another id now.

    `new_ids`: (table, old id) -> new id: most values of the entry are unchanged, and no other entry is as similar.
    `removed_entries`: (table, old id) of the rest.
    """

    new_ids: Mapping[tuple[str, str], str]
    removed_entries: frozenset[tuple[str, str]]

    @classmethod
    def between(cls, spec: CatalogueSpec, before: Tables, now: Tables) -> Moves:
        """Compare the tables of an earlier and a later catalogue of a game."""
        new_names: dict[tuple[str, str], str] = {}
        removed_entries: set[tuple[str, str]] = set()
        for table in spec.tables:
            old, new = before.get(table.name, {}), now.get(table.name, {})
            old_only, fresh = [name for name in old if name not in new], [name for name in new if name not in old]
            likeness = {
                (a, b): _likeness(table, old[a], new[b]) for a in old_only[:MOST_MOVES] for b in fresh[:MOST_MOVES]
            }
            best = {name: new_name for name in old_only[:MOST_MOVES] if (new_name := _best(name, likeness)) is not None}
            new_names |= {(table.name, name): new_name for name, new_name in best.items()}
            removed_entries |= {(table.name, name) for name in old_only if name not in best}
        return cls(new_names, frozenset(removed_entries))

    def follow(self, source: Source) -> Source | None:
        """Return a source under the id that its entry has now; None if the entry is gone."""
        key = slug(source.table), slug(source.id)
        if key in self.removed_entries:
            return None
        return source.model_copy(update={"id": self.new_ids[key]}) if key in self.new_ids else source

    def tell(self, sources: Iterable[SourceKey]) -> Iterator[str]:
        """Yield a sentence for each renamed or removed entry among those of the sources."""
        for (table, entry), n in Counter((slug(table), slug(entry)) for table, entry, _ in sources).items():
            if (table, entry) in self.removed_entries:
                yield f"{table}: {entry} is gone, and its {n} sources went with it"
            elif (table, entry) in self.new_ids:
                yield f"{table}: {entry} is now {self.new_ids[table, entry]}, and its {n} sources moved with it"


def _likeness(table: TableSpec, old: Record, new: Record) -> float:
    """Return the share of values that two entries have in common, 0 to 1, their ids aside."""
    names = [column.name for column in columns_of(table.record) if column.name != table.key]
    alike = [name for name in names if getattr(old, name) == getattr(new, name)]
    return len(alike) / max(1, len(names))


def _best(name: str, likeness: Mapping[tuple[str, str], float]) -> str | None:
    """Return the new id of an old entry: more than `ALIKE` of its values agree, and each is the other's unique best."""
    shares = {b: share for (a, b), share in likeness.items() if a == name and share > ALIKE}
    if not shares:
        return None
    best = max(shares, key=shares.__getitem__)
    rivals = [a for (a, b), share in likeness.items() if (a == name) != (b == best) and share >= shares[best]]
    return None if rivals else best


def parse_sources(
    spec: CatalogueSpec,
    tables: Tables,
    table: RawTable,
    faults: list[Fault],
    before: Tables | None = None,
    notes: list[str] | None = None,
) -> tuple[tuple[Source, ...], tuple[Fault, ...]]:
    """Read the provenance of values; return the sources, and a fault per entry for rows about values that do not exist.

    Such rows may stay; a second row about one value is added to `faults`. With the tables `before`, sources follow
    entries that were renamed and go with those removed, and `notes` grows by a sentence for each.
    """
    moves = Moves.between(spec, before, tables) if before else None
    values_by_table = {
        name: {slug(entry): (entry, fields) for entry, fields in entries.items()}
        for name, entries in known_values(spec, tables).items()
    }
    sources: dict[SourceKey, Source] = {}
    dangling_faults: dict[tuple[str, str], list[Fault]] = {}
    keys: list[SourceKey] = []
    for row, source in parse_records(Source, table, faults):
        keys.append((source.table, source.id, source.field))
        if (record := moves.follow(source) if moves else source) is None:
            continue
        key = _resolve(record, values_by_table)
        if isinstance(key, Fault):
            place = record.id if key.field == "id" else f"row {row}"
            dangling_faults.setdefault((slug(source.table), place), []).append(replace(key, path=table.path, row=row))
        elif key in sources:
            faults.append(Fault("has a second source", table.path, row, "field", ".".join(key)))
        else:
            names = dict(zip(("table", "id", "field"), key, strict=True))
            sources[key] = record.model_copy(update=names)
    if moves and notes is not None:
        notes += moves.tell(keys)
    return tuple(sources.values()), tuple(_one_fault(rows) for rows in dangling_faults.values())


def _one_fault(faults: list[Fault]) -> Fault:
    """Return one fault for all rows about an entry that does not exist, with what to do about them."""
    first, *later_faults = faults
    if not later_faults:
        return first
    todo = f"{len(faults)} rows name it: delete them if the entry is gone, or write its new id in them"
    return replace(first, tip="; ".join(filter(None, [first.tip, todo])))
