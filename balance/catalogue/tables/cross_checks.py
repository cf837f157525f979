"""What is wrong between the tables of a catalogue, also where some of their cells cannot be read.

A row with a bad cell is still there: its id is known, and so is what its other cells name. So the checks see an entry
in its place that holds a guess for each bad cell, twice with different guesses. Of what they find only names that are
not known are told, and only those found both times: the rest may follow from the guesses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any

from balance.base.errors import Fault
from balance.base.limits import MOST_FAULTS
from balance.catalogue.tables.columns import Column
from balance.catalogue.tables.reading import ParsedTable
from balance.catalogue.tables.rows import ParsedRows, Unsound
from balance.catalogue.tables.schema import CatalogueSpec, CrossCheck, Record, Tables, columns_of

PlacedFault = tuple[str, str, Fault]
_WORD = re.compile(r"\w+")


def cross_faults(spec: CatalogueSpec, tables: Mapping[str, ParsedTable]) -> list[Fault]:
    """Return what is wrong between the tables, with the file and the row of each fault."""
    sound = len(tables) == len(spec.tables) and not any(table.faults for table in tables.values())
    records = {name: table.records for name, table in tables.items()}
    whole_faults = (fault for check in spec.cross_checks for fault in check(records))
    check_faults = whole_faults if sound else _checked_twice(spec, tables)
    placed_faults = (
        replace(fault, path=tables[name].path, row=tables[name].row_of(entry_id))
        for name, entry_id, fault in check_faults
        if name in tables
    )
    return list(islice(placed_faults, MOST_FAULTS))


def _checked_twice(spec: CatalogueSpec, tables: Mapping[str, ParsedTable]) -> Iterator[PlacedFault]:
    """Yield unknown names that the checks find with low and with high guesses for the unreadable cells."""
    worlds = [_guessed_tables(spec, tables, low) for low in (True, False)]
    whole = {table.name for table in spec.tables if table.name in tables and tables[table.name].has_all_ids}
    words = {word for name in whole for word in (name, name.removesuffix("s"))}
    is_any_partial = len(whole) < len(spec.tables)
    names = {
        (table.name, name)
        for table in spec.tables
        for column in columns_of(table.record)
        for name in (column.name, column.header)
        if column.kind in ("id", "text") and column.name != table.key
    }
    for check in spec.cross_checks:
        low_faults, high_faults = (list(islice(as_far_as_it_comes(check, world), MOST_FAULTS)) for world in worlds)
        for table, entry_id, fault in low_faults:
            unsound = tables[table].unsound.get(entry_id) if table in tables else None
            if (
                (table, entry_id, fault) in high_faults
                and (table, fault.field) in names
                and (not is_any_partial or words & {*_WORD.findall(fault.message)})
                and (unsound is None or fault.field in unsound.values)
            ):
                yield table, entry_id, fault


def as_far_as_it_comes(check: CrossCheck, tables: Tables) -> Iterator[PlacedFault]:
    """Yield what a check finds, until it raises, as it may on guesses that no sound catalogue holds."""
    with suppress(Exception):
        yield from check(tables)


class _Partial(dict[str, Record]):
    """Entries of a table with ids that could not be read: it claims to contain every name."""

    def __contains__(self, name: object) -> bool:
        return True


def _guessed_tables(spec: CatalogueSpec, parsed_tables: Mapping[str, ParsedTable], low: bool) -> Tables:
    """Return the tables with a low or high guess for each cell that cannot be read."""
    tables: dict[str, Mapping[str, Record]] = {}
    for table in spec.tables:
        read = parsed_tables.get(table.name, ParsedRows[Record](""))
        entries = read.records | {name: _stand_in(table.record, unsound, low) for name, unsound in read.unsound.items()}
        tables[table.name] = entries if table.name in parsed_tables and read.has_all_ids else _Partial(entries)
    return tables


def _stand_in(record: type[Record], unsound: Unsound, low: bool) -> Record:
    """Return an unvalidated entry from the readable cells of a row, with guesses for the rest."""
    guesses: dict[str, Any] = {
        column.name: _guess(column, low)
        for column in columns_of(record)
        if column.is_required and column.name not in unsound.values
    }
    return record.model_construct(**(guesses | {**unsound.values}))


def _guess(column: Column, low: bool) -> Any:
    """Return the lowest or the highest value of a column; of a list, nothing or all choices."""
    if column.is_list:
        return () if low else tuple(column.choices)
    if column.nullable and low:
        return None
    match column.kind:
        case "integer" | "number":
            lowest = int(column.low or 0)
            return lowest if low else int(column.high if column.high is not None else lowest + 1)
        case "flag":
            return not low
        case "choice":
            return column.choices[0 if low else -1]
    return "?" if low else "!"
