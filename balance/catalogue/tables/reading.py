"""From rows of text to records, with every fault of a table at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from pydantic import ValidationError

from balance.base.errors import Fault, suggestion
from balance.base.limits import MOST_FAULTS
from balance.base.text import slug
from balance.catalogue.tables.cells import BadCell, faults_of, parse_cell
from balance.catalogue.tables.schema import Column, RawTable, Record, TableSpec, columns_of

R = TypeVar("R", bound=Record)
OTHER_HEADERS = "`balance show GAME fields` lists what else a header may be called"


@dataclass(frozen=True)
class Unsound:
    """A row with a fault: its line, and the values of those cells that could be read."""

    row: int
    values: Mapping[str, object]


@dataclass
class ParsedTable:
    """The sound entries of one table, where each stands, and the faults of the rest.

    `rows`: id -> the line of the entry. `unsound`: id -> a row that holds something wrong. `has_all_ids`: whether the
    id of every row could be read.
    """

    path: str
    records: dict[str, Record] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    unsound: dict[str, Unsound] = field(default_factory=dict)
    has_all_ids: bool = True

    def row_of(self, entry_id: str) -> int | None:
        """Return the line of a sound or unsound entry; None if its id is unknown."""
        return self.unsound[entry_id].row if entry_id in self.unsound else self.rows.get(entry_id)


def known_headers(record: type[Record]) -> set[str]:
    """Return the slugs of all headers that name a column of `record`."""
    return set().union(*(column.spellings() for column in columns_of(record)))


def match_header(
    columns: Sequence[Column], header: Sequence[str], path: str, row: int, faults: list[Fault]
) -> Mapping[int, Column]:
    """Return position -> column of a header; unknown, repeated and missing columns are added to `faults`."""
    columns_by_place: dict[int, Column] = {}
    names = [column.header for column in columns]
    slugs = {slug(cell) for cell in header}
    missing_columns = [column for column in columns if not slugs & column.spellings()]
    headers_by_spelling = {
        spelling: column.header for column in missing_columns for spelling in sorted(column.spellings())
    }
    for index, cell in enumerate(header):
        column_meant = next((column for column in columns if slug(cell) in column.spellings()), None)
        if column_meant is None and cell.strip():
            tip = suggestion(slug(cell), headers_by_spelling, OTHER_HEADERS, headers_by_spelling.__getitem__)
            faults.append(Fault("is not a column of this table", path, row, "header", cell, ", ".join(names), tip))
        elif column_meant in columns_by_place.values():
            faults.append(
                Fault(
                    "is a second column of the same meaning",
                    path,
                    row,
                    column_meant.header if column_meant else "",
                    cell,
                )
            )
        elif column_meant is not None:
            columns_by_place[index] = column_meant
    missing = [column for column in columns if column.is_required and column not in columns_by_place.values()]
    faults += [Fault("the column is missing", path, row, column.header, allowed=column.allowed) for column in missing]
    return columns_by_place


def _read_row(
    columns_by_place: Mapping[int, Column], cells: Sequence[str], table: RawTable, row: int
) -> tuple[dict[str, object], list[Fault]]:
    values: dict[str, object] = {}
    faults = []
    for index, column in columns_by_place.items():
        text = cells[index]
        if not text.strip() and not column.is_required:
            continue
        try:
            values[column.name] = parse_cell(column, text, comma=table.comma)
        except BadCell as bad:
            text_shown = bad.word or text.strip() or None
            faults.append(Fault(bad.message, table.path, row, column.header, text_shown, column.allowed, bad.tip))
    return values, faults


def _ragged(cells: Sequence[str], header: Sequence[str], path: str, row: int) -> Fault | None:
    """Return a fault if the row has fewer cells than the header, or a value under no header."""
    stray = [cell for cell, name in zip(cells, header, strict=False) if cell.strip() and not name.strip()]
    stray += [cell for cell in cells[len(header) :] if cell.strip()]
    if len(cells) < len(header) and any(name.strip() for name in header[len(cells) :]):
        return Fault(f"the row has {len(cells)} cells, the header has {len(header)}", path, row)
    if stray:
        tip = "put quotation marks around a text that holds the separator"
        return Fault("stands under no header", path, row, found=stray[0].strip(), tip=tip)
    return None


def parse_records(
    record: type[R], table: RawTable, faults: list[Fault], unsound: list[Unsound | None] | None = None
) -> Iterator[tuple[int, R]]:
    """Yield (row, record) for each sound row of a table, whose first row is the header; add faults for the others.

    `unsound` grows by one for each row with a fault, and by None for rows that were not looked at.
    """
    rejected_rows: list[Unsound | None] = [] if unsound is None else unsound
    (header_row, header), *body = table.rows
    n_before = len(faults)
    columns_by_place = match_header(columns_of(record), header, table.path, header_row, faults)
    for row, cells in body:
        if len(faults) - n_before >= MOST_FAULTS:
            faults.append(
                Fault(f"after {MOST_FAULTS:,} faults the rest of the table was not looked at", table.path, row)
            )
            rejected_rows.append(None)
            return
        if ragged := _ragged(cells, header, table.path, row):
            faults.append(ragged)
            first = {at: column for at, column in columns_by_place.items() if at == 0}
            rejected_rows.append(Unsound(row, _read_row(first, cells, table, row)[0]))
            continue
        values, bad = _read_row(columns_by_place, cells, table, row)
        try:
            new_record = record.model_validate(values)
        except ValidationError as error:
            bad += faults_of(error, record, Fault("", table.path, row))
            for name in {item["loc"][0] for item in error.errors() if item["loc"]} & values.keys():
                del values[str(name)]
        else:
            if not bad:
                yield row, new_record
                continue
        rejected_rows.append(Unsound(row, values))
        faults += bad


def parse_table(spec: TableSpec, table: RawTable) -> ParsedTable:
    """Read one table of a catalogue, entries in the order of the file; a repeated id or an empty table is a fault."""
    result = ParsedTable(table.path)
    unsound: list[Unsound | None] = []
    for row, record in parse_records(spec.record, table, result.faults, unsound):
        entry_id = str(getattr(record, spec.key))
        if entry_id in result.records:
            tip = f"it stands in row {result.rows[entry_id]} too"
            result.faults.append(Fault("is a second entry of this id", table.path, row, spec.key, entry_id, tip=tip))
            continue
        result.records[entry_id], result.rows[entry_id] = record, row
    named_rows = [(unsound_row.values.get(spec.key), unsound_row) for unsound_row in unsound if unsound_row is not None]
    result.has_all_ids = None not in unsound and None not in [name for name, _ in named_rows]
    result.unsound = {str(name): unsound_row for name, unsound_row in named_rows if name is not None}
    if len(table.rows) == 1 and not spec.may_be_empty:
        result.faults.append(Fault("the table has a header but no entries", table.path))
    return result
