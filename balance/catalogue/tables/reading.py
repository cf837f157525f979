"""From rows of text to records, with every fault of a table at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias, TypeVar

from pydantic import ValidationError

from balance.base.errors import Fault
from balance.catalogue.tables.columns import RawTable
from balance.catalogue.tables.record_faults import faults_of
from balance.catalogue.tables.rows import Check, ParsedRows, Unsound, checked_rows, parse_rows
from balance.catalogue.tables.schema import Record, TableSpec, columns_of

R = TypeVar("R", bound=Record)
ParsedTable: TypeAlias = ParsedRows[Record]


def known_headers(record: type[Record]) -> set[str]:
    """Return the slugs of all headers that name a column of `record`."""
    return set().union(*(column.spellings() for column in columns_of(record)))


def _check_of(record: type[R], path: str) -> Check[R]:
    """Return the check of what pydantic makes a record of."""

    def check(values: dict[str, Any], row: int) -> tuple[R | None, list[Fault]]:
        try:
            return record.model_validate(values), []
        except ValidationError as error:
            for name in {item["loc"][0] for item in error.errors() if item["loc"]} & values.keys():
                del values[str(name)]
            return None, faults_of(error, record, Fault("", path, row))

    return check


def parse_records(
    record: type[R], table: RawTable, faults: list[Fault], unsound: list[Unsound | None] | None = None
) -> Iterator[tuple[int, R]]:
    """Yield (row, record) for each sound row of a table, see `checked_rows`."""
    return checked_rows(columns_of(record), table, _check_of(record, table.path), faults, unsound)


def parse_table(spec: TableSpec, table: RawTable) -> ParsedTable:
    """Read one table of a catalogue, entries in the order of the file; a repeated id or an empty table is a fault."""
    return parse_rows(
        columns_of(spec.record),
        table,
        _check_of(spec.record, table.path),
        lambda entry: str(getattr(entry, spec.key)),
        spec.key,
        may_be_empty=spec.may_be_empty,
    )
