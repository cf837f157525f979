"""From rows of text to entries of any kind, with every fault of a table at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from balance.base.errors import Fault, suggestion
from balance.base.limits import MOST_FAULTS
from balance.base.text import slug
from balance.catalogue.tables.cells import BadCell, parse_cell, show_value
from balance.catalogue.tables.columns import Column, RawTable

E = TypeVar("E")
Check: TypeAlias = Callable[[dict[str, Any], int], tuple[E | None, list[Fault]]]
"""(values by column, row) -> the entry, None if it is unsound, and its faults; values at fault are taken out."""
OTHER_HEADERS = "`balance show GAME fields` lists what else a header may be called"


@dataclass(frozen=True)
class Unsound:
    """A row with a fault: its line, and the values of those cells that could be read."""

    row: int
    values: Mapping[str, object]


@dataclass
class ParsedRows(Generic[E]):
    """The sound entries of one table, where each stands, and the faults of the rest.

    `rows`: id -> the line of the entry. `unsound`: id -> a row that holds something wrong. `has_all_ids`: whether the
    id of every row could be read.
    """

    path: str
    records: dict[str, E] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    unsound: dict[str, Unsound] = field(default_factory=dict)
    has_all_ids: bool = True

    def row_of(self, entry_id: str) -> int | None:
        """Return the line of a sound or unsound entry; None if its id is unknown."""
        return self.unsound[entry_id].row if entry_id in self.unsound else self.rows.get(entry_id)


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


def within_limits(columns: Sequence[Column], path: str) -> Check[Mapping[str, Any]]:
    """Return the check of entries that are mappings: every column that is required, no number or text beyond limits."""

    def message(column: Column, value: object) -> str:
        if isinstance(value, str):
            return "is too long" if column.max_length is not None and len(value) > column.max_length else ""
        is_low = column.low is not None and isinstance(value, int) and value < column.low
        is_high = column.high is not None and isinstance(value, int) and value > column.high
        return "is out of range" if is_low or is_high else ""

    def check(values: dict[str, Any], row: int) -> tuple[Mapping[str, Any] | None, list[Fault]]:
        is_whole, faults = all(column.name in values for column in columns if column.is_required), list[Fault]()
        for column in columns:
            value = values.get(column.name)
            for part in value if column.is_list and value else (value,):
                if text := message(column, part):
                    faults.append(Fault(text, path, row, column.header, show_value(part), column.allowed))
                    values.pop(column.name, None)
        return (values if is_whole and not faults else None), faults

    return check


def checked_rows(
    columns: Sequence[Column],
    table: RawTable,
    check: Check[E],
    faults: list[Fault],
    unsound: list[Unsound | None] | None = None,
) -> Iterator[tuple[int, E]]:
    """Yield (row, entry) for each sound row of a table, whose first row is the header; add faults for the others.

    `unsound` grows by one for each row with a fault, and by None for rows that were not looked at.
    """
    rejected_rows: list[Unsound | None] = [] if unsound is None else unsound
    (header_row, header), *body = table.rows
    n_before = len(faults)
    columns_by_place = match_header(columns, header, table.path, header_row, faults)
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
        entry, more_faults = check(values, row)
        bad += more_faults
        if entry is not None and not bad:
            yield row, entry
            continue
        rejected_rows.append(Unsound(row, values))
        faults += bad


def parse_rows(
    columns: Sequence[Column],
    table: RawTable,
    check: Check[E],
    id_of: Callable[[E], str],
    key: str = "id",
    *,
    may_be_empty: bool = False,
) -> ParsedRows[E]:
    """Read a table, entries in the order of the file; a repeated id or an empty table is a fault."""
    result = ParsedRows[E](table.path)
    unsound: list[Unsound | None] = []
    for row, entry in checked_rows(columns, table, check, result.faults, unsound):
        entry_id = id_of(entry)
        if entry_id in result.records:
            tip = f"it stands in row {result.rows[entry_id]} too"
            result.faults.append(Fault("is a second entry of this id", table.path, row, key, entry_id, tip=tip))
            continue
        result.records[entry_id], result.rows[entry_id] = entry, row
    named_rows = [(unsound_row.values.get(key), unsound_row) for unsound_row in unsound if unsound_row is not None]
    result.has_all_ids = None not in unsound and None not in [name for name, _ in named_rows]
    result.unsound = {str(name): unsound_row for name, unsound_row in named_rows if name is not None}
    if len(table.rows) == 1 and not may_be_empty:
        result.faults.append(Fault("the table has a header but no entries", table.path))
    return result
