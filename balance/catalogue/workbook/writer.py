"""A catalogue as one spreadsheet for designers.

One sheet per table, then `rules`, `readings`, `constants` and `SOURCES`, and a `read me` in plain words. Writing and
reading back is the identity on the content, and the same catalogue gives the same bytes.
"""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from balance.base.files import scratch, write_whole
from balance.catalogue.loading import Catalogue
from balance.catalogue.tables.cells import show_value
from balance.catalogue.tables.columns import Column
from balance.catalogue.tables.schema import TableSpec, columns_of, leaf_columns
from balance.catalogue.tables.sources import Source

EXPORTED_FROM = "balance catalogue"
"""The property of a workbook that says which catalogue it was exported from."""

_FIXED_TIME = datetime(2000, 1, 1)
_ZIP_TIME = (2000, 1, 1, 0, 0, 0)
_STATUS_COLOURS = {"stated": "E3F1E3", "public": "E1ECF7", "inferred": "FFF4D6", "assumed": "F1F1F4"}
_N_SPARE_ROWS = 200

_READ_ME = """\
This workbook holds the whole {game} catalogue. Change what you like, save it, then read it back with
    balance import {game} THIS_FILE.xlsx
Every cell is checked on the way in; a mistake is told with its sheet, its row and what is allowed.

Sheets
{sheets}

Good to know
Point at a header to see what the column may hold.
Colours of values: green is stated by the rulebook, blue by another public source, yellow is inferred, grey is assumed.
Lists, such as abilities, are separated by semicolons: heavy; overload. A dash or an empty cell is an empty list.
New entries go below the last row. Each needs an id of its own; "Assault Rifle" becomes assault_rifle.
Columns may stand in any order; the header row must stay the first one.
"""


def write_cell(cell: Any, value: object) -> None:
    """Write a value into a cell of openpyxl: a number as a number and all else as text, never as a formula."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        cell.value = value
        return
    if text := show_value(value):
        cell.value = text
        cell.data_type = "s"
        cell.number_format = "@"
        cell.quotePrefix = text[0] in "=+-@"


def _note(text: str) -> Any:
    from openpyxl.comments import Comment

    return Comment(text, "balance", height=90, width=260)


def _header_note(column: Column) -> str:
    unit = f"Unit: {column.unit}." if column.unit else ""
    return "\n".join(filter(None, [column.description, unit, f"Allowed: {column.allowed}."]))


def _write_sheet(sheet: Any, headers: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    widths = [len(header) for header in headers]
    for index, header in enumerate(headers, start=1):
        cell = sheet.cell(1, index, header)
        cell.font = Font(bold=True)
    for row, values in enumerate(rows, start=2):
        for index, value in enumerate(values, start=1):
            cell = sheet.cell(row, index)
            write_cell(cell, value)
            cell.alignment = Alignment(vertical="top", wrap_text=len(show_value(value)) > 60)
            widths[index - 1] = max(widths[index - 1], len(show_value(value)))
    for index, width in enumerate(widths, start=1):
        sheet.column_dimensions[get_column_letter(index)].width = min(60, width + 3)
    sheet.freeze_panes = "A2"


def _validation(column: Column) -> Any:
    """Return the spreadsheet's own validation of a column, such as a list of choices, or None."""
    from openpyxl.worksheet.datavalidation import DataValidation

    if column.is_list:
        return None
    if column.kind in ("choice", "flag"):
        choices = ",".join(column.choices or ("true", "false"))
        check = DataValidation(type="list", formula1=f'"{choices}"', allow_blank=True) if len(choices) < 250 else None
    elif column.kind in ("integer", "number") and column.low is not None and column.high is not None:
        kind = "whole" if column.kind == "integer" else "decimal"
        limits = {"formula1": f"{column.low:g}", "formula2": f"{column.high:g}"}
        check = DataValidation(type=kind, operator="between", allow_blank=True, **limits)
    else:
        return None
    if check is not None:
        check.errorTitle, check.error = column.header, f"Allowed: {column.allowed}"
        check.showErrorMessage = True
    return check


def _write_table(sheet: Any, table: TableSpec, catalogue: Catalogue) -> None:
    from openpyxl.styles import PatternFill
    from openpyxl.utils import get_column_letter

    columns = columns_of(table.record)
    entries = catalogue.tables[table.name]
    rows = [[getattr(entry, column.name) for column in columns] for entry in entries.values()]
    _write_sheet(sheet, [column.header for column in columns], rows)
    for index, column in enumerate(columns, start=1):
        sheet.cell(1, index).comment = _note(_header_note(column))
        if check := _validation(column):
            letter = get_column_letter(index)
            check.add(f"{letter}2:{letter}{len(entries) + _N_SPARE_ROWS}")
            sheet.add_data_validation(check)
        for row, entry_id in enumerate(entries, start=2):
            if source := catalogue.source_of(table.name, entry_id, column.header):
                cell = sheet.cell(row, index)
                cell.fill = PatternFill("solid", fgColor=_STATUS_COLOURS[source.origin])
                cell.comment = _note(f"{source.origin}: {source.where}")


def _write_rules(book: Any, catalogue: Catalogue) -> None:
    from openpyxl.worksheet.datavalidation import DataValidation

    sheet = book.create_sheet("rules")
    rule_options = catalogue.rule_options.values()
    rows = [
        (s.name, show_value(getattr(catalogue.rules, s.name)), s.allowed, s.ambiguity, s.level, s.meaning)
        for s in rule_options
    ]
    _write_sheet(sheet, ("switch", "value", "allowed", "ambiguity", "level", "meaning"), rows)
    for row, switch in enumerate(rule_options, start=2):
        check = DataValidation(type="list", formula1=f'"{",".join(switch.allowed)}"', showErrorMessage=True)
        check.add(f"B{row}")
        sheet.add_data_validation(check)
    readings = [(s.name, *pair) for s in rule_options for pair in s.readings]
    _write_sheet(book.create_sheet("readings"), ("switch", "reading", "sentence"), readings)


def _constant(catalogue: Catalogue, path: str) -> object:
    value: object = catalogue.constants
    for word in path.split("."):
        value = getattr(value, word)
    return value


def _write_constants(sheet: Any, catalogue: Catalogue) -> None:
    rows: list[tuple[object, ...]] = [("rules_version", catalogue.rules_version, "", "The version of these rules.")]
    rows += [
        (path, _constant(catalogue, path), column.unit, column.description)
        for path, column in leaf_columns(type(catalogue.constants)).items()
    ]
    _write_sheet(sheet, ("name", "value", "unit", "meaning"), rows)


def _write_read_me(sheet: Any, catalogue: Catalogue) -> None:
    names = [
        (table.name, f"one row per entry, {len(catalogue.tables[table.name])} now") for table in catalogue.spec.tables
    ]
    names += [
        ("rules", "which reading of each open question of the rulebook is in force: change the column value"),
        ("readings", "what each reading means, in a sentence"),
        ("constants", "the numbers the rules state"),
        ("SOURCES", "where every value comes from: stated, inferred or assumed"),
    ]
    sheets = "\n".join(f"    {name}: {text}" for name, text in names)
    for row, line in enumerate(_READ_ME.format(game=catalogue.game, sheets=sheets).splitlines(), start=1):
        write_cell(sheet.cell(row, 1), line)
    sheet.column_dimensions["A"].width = 110


def stable_bytes(book: Any) -> bytes:
    """Return the file of an openpyxl workbook with every time in it fixed: the same content is the same bytes."""
    book.properties.created = book.properties.modified = _FIXED_TIME
    book.properties.creator = "balance"
    raw, stable = io.BytesIO(), io.BytesIO()
    book.save(raw)
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(stable, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            data = source.read(name)
            if name == "docProps/core.xml":
                data = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>2000-01-01T00:00:00Z", data)
            target.writestr(zipfile.ZipInfo(name, _ZIP_TIME), data, zipfile.ZIP_DEFLATED)
    return stable.getvalue()


def export_workbook(catalogue: Catalogue, path: Path | str) -> Path:
    """Write a catalogue as one .xlsx workbook, replacing any; return its path. Equal catalogues give equal bytes.

    `OutputError` if the file cannot be written; nothing half-written is left.
    """
    from openpyxl import Workbook
    from openpyxl.packaging.custom import StringProperty

    with scratch(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = Workbook()
        book.remove(book.active)
        _write_read_me(book.create_sheet("read me"), catalogue)
        for table in catalogue.spec.tables:
            _write_table(book.create_sheet(table.name), table, catalogue)
        _write_rules(book, catalogue)
        _write_constants(book.create_sheet("constants"), catalogue)
        columns = columns_of(Source)
        rows = [[getattr(source, column.name) for column in columns] for source in catalogue.sources]
        _write_sheet(book.create_sheet("SOURCES"), [column.header for column in columns], rows)
        book.custom_doc_props.append(StringProperty(name=EXPORTED_FROM, value=catalogue.sha256))
        data = stable_bytes(book)
    write_whole(Path(path), data)
    return Path(path)
