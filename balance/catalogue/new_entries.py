"""What a new entry of a catalogue needs: what it names, what names it, and rows to start from that pass every check.

Nothing is declared for this: the checks of the game are asked with an entry changed, or with one copied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from typing import Any

from pydantic import ValidationError

from balance.base.errors import Fault
from balance.catalogue.loading import Catalogue
from balance.catalogue.tables.columns import Column
from balance.catalogue.tables.cross_checks import as_far_as_it_comes
from balance.catalogue.tables.schema import Record, Tables, TableSpec, columns_of

NEW = "new"
FREE_ID = "nobody_of_this_name"
MOST_TRIED = 40
"""Entries of a table that are copied until a copy passes every check."""


@dataclass(frozen=True)
class Reference:
    """A column whose cells name entries of a table."""

    table: str
    column: str
    names: str


@dataclass(frozen=True)
class Example:
    """Rows that can be added together: table -> its new entries; without any, `refusal` is what prevents it."""

    rows: Mapping[str, tuple[Record, ...]]
    refusal: str = ""


@dataclass(frozen=True)
class NewEntries:
    """Finds what a new entry of a sound catalogue needs by running the game's checks on changed copies."""

    catalogue: Catalogue

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """Every column that names entries of another table, found by writing an id that no entry has."""
        return tuple(reference for table in self.catalogue.spec.tables for reference in self._references(table))

    def named_by(self, table: str, column: str) -> list[str]:
        """Return the tables whose entries a column names, usually one or none."""
        return [
            reference.names for reference in self.references if (reference.table, reference.column) == (table, column)
        ]

    def _references(self, table: TableSpec) -> Iterator[Reference]:
        names = {table_spec.name for table_spec in self.catalogue.spec.tables}
        if not self.catalogue.tables[table.name]:
            return
        for column in columns_of(table.record):
            if column.kind not in ("id", "text") or column.name == table.key:
                continue
            for fault in self._faults(table.name, _with_reference(self._holder(table, column), column, FREE_ID)):
                table_names = names & {fault.message.removeprefix("is not in ")}
                if fault.found == FREE_ID and table_names:
                    yield Reference(table.name, column.name, table_names.pop())
                    break

    def _holder(self, table: TableSpec, column: Column) -> Record:
        """Return the first entry with a value in a column, else the first entry."""
        entries = list(self.catalogue.tables[table.name].values())
        return next((entry for entry in entries if getattr(entry, column.name)), entries[0])

    def _faults(self, table: str, *changed_records: Record) -> list[Fault]:
        """Return the faults of the checks between tables after some entries are replaced by those with the same ids."""
        return self._faults_with({table: {str(getattr(entry, self._key(table))): entry for entry in changed_records}})

    def _faults_with(self, more: Tables) -> list[Fault]:
        tables = {name: {**entries, **more.get(name, {})} for name, entries in self.catalogue.tables.items()}
        checks = self.catalogue.spec.cross_checks
        return [fault for check in checks for _, _, fault in as_far_as_it_comes(check, tables)]

    def _key(self, table: str) -> str:
        return next(spec.key for spec in self.catalogue.spec.tables if spec.name == table)

    def example(self, table: str) -> Example:
        """Return rows to start from: a copy of an entry under a new id, with copies of what must name it.

        A row that makes sense only with a new entry of another table is shown with that.
        """
        if (example := self._alone(table)).rows:
            return example
        for reference in self.references:
            if reference.table == table and (whole := self._alone(reference.names)).rows.get(table):
                return whole
        return example

    def _alone(self, table: str) -> Example:
        refusals: list[str] = []
        entries = dict(islice(self.catalogue.tables[table].items(), MOST_TRIED))
        bare = {entry_id: bare_entry for entry_id, entry in entries.items() if (bare_entry := self._bare(table, entry))}
        for candidates in (entries, bare):
            for (entry_id, entry), widely in product(candidates.items(), (False, True)):
                rows = self._copies(table, entry_id, entry, widely)
                faults = self._faults_with(rows)
                if not faults:
                    return Example({name: tuple(records.values()) for name, records in rows.items()})
                refusals.append(str(faults[0]))
        return Example({}, refusals[0])

    def _bare(self, table: str, entry: Record) -> Record | None:
        """Return an entry with its optional references emptied; None if that is not legal."""
        values = {name: getattr(entry, name) for name in type(entry).model_fields}
        columns = {column.name: column for column in columns_of(type(entry))}
        for reference in self.references:
            if reference.table == table and (columns[reference.column].is_list or columns[reference.column].nullable):
                values[reference.column] = () if columns[reference.column].is_list else None
        with suppress(ValidationError):
            return type(entry).model_validate(values)
        return None

    def _copies(self, table: str, entry_id: str, entry: Record, widely: bool) -> dict[str, dict[str, Record]]:
        """Return table -> id -> a copy of an entry and, if `widely`, of every entry that names it alone."""
        key = self._key(table)
        rows = {table: {NEW: _with_key(entry, {key: NEW})}}
        for reference in self.references if widely else ():
            for other_id, record in self.catalogue.tables[reference.table].items():
                if getattr(record, reference.column) in (entry_id, (entry_id,)):
                    new_id = f"{NEW}_{other_id}"
                    new_record = rows.setdefault(reference.table, {}).get(new_id, record)
                    column = next(c for c in columns_of(type(record)) if c.name == reference.column)
                    new = _with_key(_with_reference(new_record, column, NEW), {self._key(reference.table): new_id})
                    rows[reference.table][new_id] = new
        return rows


def _with_key(entry: Record, key: Mapping[str, str]) -> Record:
    """Return an entry with other key fields, and "New" before its name if it has one."""
    name = getattr(entry, "name", None)
    return entry.model_copy(update={**key, **({"name": f"New {name}"[:80]} if isinstance(name, str) else {})})


def _with_reference(entry: Record, column: Column, name: str) -> Record:
    """Return an entry whose column names `name` alone."""
    value: Any = (name,) if column.is_list else name
    return entry.model_copy(update={column.name: value})
