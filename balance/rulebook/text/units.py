"""The units of a game file: a table of text whose columns nobody declared, from the file or from a spreadsheet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from balance.base.errors import CatalogueError, Fault, gathering, unknown
from balance.base.foreign import lies_in
from balance.base.text import slug
from balance.catalogue.tables.columns import RawTable
from balance.catalogue.tables.files import read_rows, rows_of
from balance.catalogue.tables.rows import parse_rows, within_limits
from balance.rulebook.text.columns import SPELLINGS, Columns, as_allowed, fields_of, read_columns, with_blanks
from balance.rulebook.text.fields import UnitField, unit_columns
from balance.rulebook.text.source import Source

WORKBOOKS = (".xlsx", ".xlsm")
NO_UNITS = 'write units = "units.csv", or a section [units.NAME] for each'
SHEET_MARK, RULE = "#", "|"
_MARKED = re.compile(r"\s*(-?\d+)\s*[+\"″”']\s*")
_UNDER = re.compile(r"[\s|:=+\-]*")
"""A line between rows of a table that is drawn, or a blank one."""


@dataclass(frozen=True)
class Units:
    """The units as rows of text, their columns, the keywords that some unit has, and the spreadsheet if any.

    `entries`: field -> value of each unit, where all are sound.
    """

    table: RawTable
    fields: tuple[UnitField, ...]
    keywords: tuple[str, ...]
    paths: tuple[Path, ...] = ()
    entries: tuple[Mapping[str, Any], ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Unit ids in the order of the rows."""
        (_, header), *body = self.table.rows
        place = next((place for place, cell in enumerate(header) if SPELLINGS.get(slug(cell)) == "id"), 0)
        return tuple(slug(cells[place]) for _, cells in body if place < len(cells))

    def row_with(self, keyword: str) -> int | None:
        """Return the line of the first unit that has a keyword; None if none has."""
        _, *body = self.table.rows
        return next(
            (row for row, cells in body if keyword in {slug(part) for cell in cells for part in _parts(cell)}), None
        )


def read_units(source: Source) -> Units | None:
    """Return the units of a game file; None with faults if they cannot be read."""
    value = source.data.get("units")
    if value is None:
        section = next((name for name, table in source.data.items() if _holds_units(table)), None)
        tip = f"it stands in [{section}]: put it above all sections" if section else ""
        source.fault("units", "there are no units", tip=tip or NO_UNITS)
        return None
    columns, raw_table = read_columns(source), None
    with gathering(source.faults):
        if isinstance(value, Mapping):
            raw_table = _written_here(source, value, columns)
        else:
            raw_table = _drawn_here(source, value) if _is_drawn(value) else _from_file(source, value)
    if raw_table is None:
        return None
    is_here = isinstance(value, Mapping) or _is_drawn(value)
    return units_of(source, columns, raw_table, () if is_here else (_spreadsheet(source, str(value))[0],))


def units_of(source: Source, columns: Columns, raw_table: RawTable, paths: tuple[Path, ...] = ()) -> Units:
    """Return the units in rows of text, with a fault for each cell that is not allowed."""
    table = with_blanks(columns, with_names(_without_marks(_whole_rows(source, raw_table))))
    n_faults = len(source.faults)
    fields = fields_of(columns, table, source.faults)
    known_fields, entries = as_allowed(columns, fields), tuple[Mapping[str, Any], ...]()
    if len(source.faults) == n_faults:
        all_columns = unit_columns(known_fields, _keywords(table))
        check = within_limits(all_columns, table.path)
        parsed = parse_rows(all_columns, table, check, lambda entry: str(entry["id"]))
        source.faults += parsed.faults
        entries = tuple(parsed.records.values())
    return Units(table, fields, _keywords(table), paths, entries)


def _spreadsheet(source: Source, text: str) -> tuple[Path, str]:
    """Return path and sheet of a spreadsheet from a text such as `army.xlsx#Units`, relative to the game file."""
    name, _, sheet = text.strip().partition(SHEET_MARK)
    return source.path.parent / name, sheet


def _from_file(source: Source, value: object) -> RawTable | None:
    """Return the rows of the spreadsheet that a game file names; a fault if it lies outside of the file's folder."""
    text = source.text("units", value, 'the name of a file, such as "units.csv", or sections [units.NAME]')
    if text is None:
        return None
    path, sheet = _spreadsheet(source, text)
    if not lies_in(path, source.path.parent):
        source.fault("units", "lies outside of the folder of the game file", text, tip="put it beside the game file")
        return None
    if path.suffix.lower() in WORKBOOKS:
        return _sheet(path, sheet, source)
    if sheet:
        source.fault("units", "has a sheet, and is no workbook", text, 'such as "army.xlsx#Units"')
        return None
    return read_rows(path, set(SPELLINGS))


def _sheet(path: Path, name: str, source: Source) -> RawTable | None:
    from balance.catalogue.workbook.cells import open_workbook, read_bytes, sheet_rows  # which few files need

    values, formulas = open_workbook(read_bytes(path), path)
    titles = {slug(title): title for title in values.sheetnames if hasattr(values[title], "iter_rows")}
    title = titles.get(slug(name)) if name else next(iter(titles.values()), None)
    if title is None:
        place = source.locate("units")
        raise CatalogueError(
            unknown(name, titles.values(), f"is no sheet of {path.name}", place.path, place.row, "units")
        )
    return sheet_rows(values[title], formulas[title], f"{path}, sheet {title}", source.faults)


def _holds_units(table: object) -> bool:
    """Return whether a section contains `units`: in TOML a top-level key written below a section head belongs to it."""
    return isinstance(table, Mapping) and isinstance(table.get("units"), str)


def _is_drawn(value: object) -> bool:
    """Return whether the units are a table written as one text of several lines."""
    return isinstance(value, str) and "\n" in value


def _drawn_here(source: Source, value: object) -> RawTable | None:
    """Return the table in a text of several lines, its cells separated by `|` or as in a CSV file."""
    text = source.text("units", value, "lines of cells with | between them, the names of the fields first")
    if text is None:
        return None
    first_line, *lines = text.split("\n")
    row = (source.row("units") or 1) + _begins_below(source) + str(value).partition(first_line)[0].count("\n")
    if RULE in first_line:
        rows = [(row, _cells_of(first_line))]
        rows += [(row + at, _cells_of(line)) for at, line in enumerate(lines, start=1) if not _UNDER.fullmatch(line)]
    else:
        rows = [(row + at - 1, cells) for at, cells in rows_of(text, source.path, set(SPELLINGS)).rows]
    if len(rows) == 1:
        source.fault("units", "there are no units", tip="write a line for each below the names of the fields")
        return None
    width = len(rows[0][1])
    return RawTable(str(source.path), tuple((at, (*cells, *[""] * (width - len(cells)))) for at, cells in rows))


def _cells_of(line: str) -> tuple[str, ...]:
    """Return the cells of a line that are separated by `|`; one at either end is a border.

    >>> _cells_of("| Raiders | 80 |"), _cells_of("Guard | 110 |")
    (('Raiders', '80'), ('Guard', '110'))
    """
    return tuple(cell.strip() for cell in line.strip().removeprefix(RULE).removesuffix(RULE).split(RULE))


def _begins_below(source: Source) -> int:
    """Return 1 where a text of several lines begins on the line below its quotation marks, else 0."""
    lines = source.path.read_text("utf-8", errors="replace").splitlines()
    row = source.row("units") or 1
    return int(len(lines) >= row and lines[row - 1].split("#")[0].rstrip().endswith(('"""', "'''")))


def _written_here(source: Source, units: Mapping[str, object], of: Columns) -> RawTable | None:
    """Return the sections `[units.NAME]` as rows, each numbered by the line of its section."""
    tables = {}
    for unit, value in source.table("units", units).items():
        tables[unit] = source.table(f"units.{unit}", value, f"a section [units.{unit}] of fields")
        source.name(f"units.{unit}", unit, bare=False)
    columns = list(dict.fromkeys(key for table in tables.values() for key in table))
    if "id" in columns:
        unit = next(unit for unit, table in tables.items() if "id" in table)
        source.fault(f"units.{unit}.id", "is not needed: the section names the unit")
    rows = []
    for unit, table in tables.items():
        cells = [_cell(source, f"units.{unit}.{key}", key, table.get(key), unit, of) for key in columns if key != "id"]
        rows.append((source.row(f"units.{unit}") or 1, (unit, *cells)))
    columns = [key for key in columns if key != "id"]
    if not units:
        source.fault("units", "there are no units", tip="write a section [units.NAME] for each")
        return None
    return RawTable(str(source.path), ((source.row("units") or 1, ("id", *columns)), *rows))


def _cell(source: Source, key: str, column: str, value: object, unit: str, columns: Columns) -> str:
    """Return a value of a unit as the text of a cell; for an illegal one a fault and a legal text in its place."""
    standard = SPELLINGS.get(slug(column))
    if value is None:
        usual = {"name": unit.replace("_", " ").capitalize(), "cost_points": "0", "keywords": ""}
        if standard is not None:
            return usual.get(standard, "")
        place = source.locate(f"units.{unit}")
        missing = Fault(f"is missing of {unit}, and other units have it", place.path, place.row, key)
        return columns.blank(slug(column), True, missing)
    if standard == "keywords":
        parts = value if isinstance(value, list) else [value]
        words = [part for part in parts if isinstance(part, str)]
        if len(words) < len(parts):
            source.fault(key, "are no keywords", value, 'such as "reliable; tough"')
        return "; ".join(words)
    if isinstance(value, str):
        return value
    if standard == "name":
        return source.text(key, value) or unit
    return str(source.whole(key, value) or 0)


def _without_marks(table: RawTable) -> RawTable:
    """Return a table with values such as `4+` and `6"` reduced to their numbers."""
    rows = tuple(
        (row, tuple(_MARKED.sub(r"\1", cell) if _MARKED.fullmatch(cell) else cell for cell in cells))
        for row, cells in table.rows
    )
    return replace(table, rows=rows)


def _whole_rows(source: Source, table: RawTable) -> RawTable:
    """Return a table without the rows that are shorter than its header; each of them is a fault."""
    (header_row, header), *body = table.rows
    n_cells = max((place + 1 for place, cell in enumerate(header) if cell.strip()), default=0)
    for row, cells in body:
        if len(cells) < n_cells:
            source.faults.append(Fault(f"the row has {len(cells)} cells, the header has {n_cells}", table.path, row))
    return replace(table, rows=((header_row, header), *(line for line in body if len(line[1]) >= n_cells)))


def with_names(table: RawTable) -> RawTable:
    """Return a table with an id and a name in every row: a missing one is made from the other."""
    (header_row, header), *body = table.rows
    places = {SPELLINGS.get(slug(cell), ""): place for place, cell in reversed([*enumerate(header)])}
    if "id" in places and "name" in places:
        return replace(table, rows=((header_row, header), *((row, _named(cells, places)) for row, cells in body)))
    missing_column = "id" if "id" not in places else "name"
    other = places.get("name" if missing_column == "id" else "id")
    if other is None:
        return table
    rows = [(row, (_name_from(missing_column, cells[other]), *cells)) for row, cells in body]
    return replace(table, rows=((header_row, (missing_column, *header)), *rows))


def _named(cells: Sequence[str], places: Mapping[str, int]) -> tuple[str, ...]:
    """Return a row with a blank id made from its name, or a blank name from its id; `places` has their columns."""
    row = list(cells)
    for column, other in (("id", "name"), ("name", "id")):
        if not row[places[column]].strip():
            row[places[column]] = _name_from(column, row[places[other]])
    return tuple(row)


def _name_from(column: str, text: str) -> str:
    return slug(text) if column == "id" else text.strip().replace("_", " ").capitalize()


def _keywords(table: RawTable) -> tuple[str, ...]:
    """Return the keywords that some unit has, in the order met."""
    (_, header), *body = table.rows
    places = [place for place, cell in enumerate(header) if SPELLINGS.get(slug(cell)) == "keywords"]
    cells = [cells[place] for _, cells in body for place in places if place < len(cells)]
    words = [slug(word) for cell in cells for word in _parts(cell)]
    return tuple(dict.fromkeys(word for word in words if word))


def _parts(cell: str) -> list[str]:
    """Return the parts of a cell, which `;`, `,` or `|` separate."""
    return re.split("[;,|]", cell)
