"""The sheets of any workbook as rows of text: opened safely, formulas by their saved results alone.

Before that, what the file is made of is looked at, as a few kilobytes may unpack to gigabytes. A workbook is a zip of
XML files. How large they are is told in the zip, and cells, texts and other tags are counted without reading them, so
that a bomb is refused before anything of it is built.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from balance.base.errors import CatalogueError, Fault
from balance.base.foreign import read_at_most
from balance.base.limits import (
    MOST_CELLS,
    MOST_FAULTS,
    MOST_OTHER_TAGS,
    MOST_PARTS,
    MOST_ROWS,
    MOST_TEXTS,
    MOST_UNPACKED_BYTES,
    MOST_WORKBOOK_BYTES,
    MOST_WORKBOOK_CELLS,
)
from balance.catalogue.tables.cells import show_value
from balance.catalogue.tables.columns import RawTable

_ENTRY = b"PK\x01\x02"
_CELL_TAGS = (b"<v>", b"<v ", b"<row", b"<f>", b"<f ", b"<f/", b"<t>", b"<t ", b"<t/", b"<is>", b"<si>")
_IGNORED_PARTS = re.compile(r"comments?[0-9]*\.xml$|\.vml$|/drawings/|/media/|/theme/|printerSettings", re.IGNORECASE)
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
_ENCODING = re.compile(rb"""\s*(?:\xef\xbb\xbf)?<\?xml[^>]{0,200}?encoding=["']([^"']*)["']""")
_PLAIN = (b"utf-8", b"us-ascii", b"ascii", b"iso-8859-1", b"windows-1252")
_WIDE = (b"\xff\xfe<", b"\xfe\xff\0<", b"<\0", b"\0<")


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a workbook; `CatalogueError` if it cannot be read or is too large."""
    try:
        return read_at_most(path, MOST_WORKBOOK_BYTES)
    except FileNotFoundError:
        raise CatalogueError(Fault("there is no such file", str(path))) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CatalogueError(Fault(f"the file cannot be read ({reason})", str(path))) from None


def open_workbook(data: bytes, path: Path) -> tuple[Any, Any]:
    """Return a workbook twice, with the values and with the formulas of its cells; sheets are parsed when used.

    Without formulas both are the same object, so that each sheet is parsed once. `CatalogueError`, with `path`, if it
    is no workbook, is damaged, or would unpack to far too much.
    """
    from openpyxl import load_workbook

    has_formulas = check_parts(data, path)
    try:
        values = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        formulas = load_workbook(io.BytesIO(data), read_only=True, keep_links=False) if has_formulas else values
    except Exception:  # openpyxl raises whatever its parser met in a damaged file
        raise CatalogueError(_damage_fault(str(path))) from None
    if any(is_unread(getattr(sheet, "_worksheet_path", "")) for sheet in values):
        raise CatalogueError(_damage_fault(str(path)))
    return values, formulas


def _damage_fault(place: str) -> Fault:
    """Return the fault of a file that is no workbook."""
    tip = "save it in a spreadsheet program as Excel workbook (.xlsx)"
    return Fault("the file is not an .xlsx workbook, or is damaged", place, tip=tip)


def cell_text(value: object) -> str:
    """Return a typed cell as text; 7.0 becomes 7 and decimals get a comma, the mark that workbook texts may use."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else str(value).replace(".", ",")
    return show_value(value)


def sheet_rows(values: Any, formulas: Any, place: str, faults: list[Fault], *, dates: bool = False) -> RawTable | None:
    """Return the rows of a sheet that hold anything; `values` and `formulas` are those of `open_workbook`.

    `faults` grows by one for each formula without a saved result, and for each date unless `dates` takes them as texts
    such as `2026-03-14`; `place` is what to call the sheet there.
    """
    try:
        rows = list(_full_rows(values, formulas, place, faults, dates))
    except CatalogueError as error:
        faults += error.faults
        return None
    except Exception:  # as above: a sheet is parsed only now
        faults.append(_damage_fault(place))
        return None
    if not rows:
        faults.append(Fault("the sheet is empty", place))
        return None
    width = max(len(texts) for _, texts in rows)
    if width * len(rows) > MOST_CELLS:
        faults.append(_sheet_too_large(place))
        return None
    return RawTable(place, tuple((number, texts + ("",) * (width - len(texts))) for number, texts in rows), comma=True)


def _full_rows(
    values: Any, formulas: Any, place: str, faults: list[Fault], dates: bool
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield (number, texts) of each row that holds anything; the size that a sheet states may be false."""
    values.reset_dimensions()
    formulas.reset_dimensions()
    n_cells, n_before = 0, len(faults)
    twice = values.iter_rows() if formulas is values else zip(values.iter_rows(), formulas.iter_rows(), strict=True)
    for number, row in enumerate(twice, start=1):
        shown_cells, typed_cells = (row, row) if formulas is values else row
        if not shown_cells and number <= MOST_ROWS:
            continue
        n_cells += len(shown_cells)
        if number > MOST_ROWS or n_cells > MOST_CELLS or len(faults) - n_before > MOST_FAULTS:
            raise CatalogueError(_sheet_too_large(place))
        for place_in_row, (cell, origin) in enumerate(zip(shown_cells, typed_cells, strict=True)):
            if problem := _problem(cell.value, origin, dates):
                message, tip = problem
                faults.append(Fault(message, place, number, _cell_name(place_in_row, number), tip=tip))
        texts = tuple(cell_text(_day(cell.value) if dates else cell.value) for cell in shown_cells)
        if any(text.strip() for text in texts):
            yield number, texts


def _day(value: object) -> object:
    """Return a date without the midnight that a sheet keeps with it; anything else as it is."""
    return value.date() if isinstance(value, datetime) and value.time() == time() else value


def _cell_name(place: int, row: int) -> str:
    from openpyxl.utils import get_column_letter

    return f"{get_column_letter(place + 1)}{row}"


def _sheet_too_large(place: str) -> Fault:
    return Fault("the sheet is far too large", place, tip="delete the empty rows and columns at its end")


def _problem(value: object, origin: Any, dates: bool) -> tuple[str, str] | None:
    if origin.data_type == "f" and value is None:
        return "holds a formula without a saved result", "save the workbook in a spreadsheet program, or type the value"
    if isinstance(value, date | time | timedelta) and not dates:
        return f"holds a date ({value})", "format the cell as text, then type the value again"
    return None


def is_unread(name: str) -> bool:
    """Return whether a part of a workbook is one that is never read, such as comments and pictures.

    >>> is_unread("xl/comments/comment1.xml"), is_unread("xl/worksheets/sheet1.xml")
    (True, False)
    """
    return bool(_IGNORED_PARTS.search(name))


def check_parts(data: bytes, path: Path) -> bool:
    """Return whether a workbook may hold formulas; what is no zip is left to the reader.

    `CatalogueError` if it has too many parts, unpacks to too much, or holds too many cells, texts or other tags.
    """
    if data.count(_ENTRY) > MOST_PARTS:
        raise _too_large(path, f"{MOST_PARTS:,} parts")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if sum(part.file_size for part in parts) > MOST_UNPACKED_BYTES:
                raise _too_large(path, f"{MOST_UNPACKED_BYTES // 2**20} MB, unpacked")
            read = {part.filename: archive.read(part) for part in parts if not is_unread(part.filename)}
            _check_encodings(read, path)
            return _check_tags([*read.values()], path)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error):
        return True  # the reader tells what is damaged


def _check_encodings(parts: Mapping[str, bytes], path: Path) -> None:
    """Raise `CatalogueError` for a part in an encoding that spreadsheets do not use: its tags could not be counted."""
    for name, part in parts.items():
        encoding = _ENCODING.match(part)
        if part.startswith(_WIDE) or (encoding and encoding[1].lower() not in _PLAIN):
            tip = "save it again in a spreadsheet program as Excel workbook (.xlsx)"
            raise CatalogueError(Fault("holds a part that is not UTF-8", str(path), found=name, tip=tip))


def _check_tags(parts: list[bytes], path: Path) -> bool:
    cells = texts = n_others = 0
    has_formulas = any(_FORMULA.search(part) for part in parts)
    most_cells = MOST_WORKBOOK_CELLS // (2 if has_formulas else 1)
    for part in parts:
        if b"<!DOCTYPE" in part or b"<!ENTITY" in part:
            raise CatalogueError(Fault("holds definitions that no workbook has", str(path)))
        n_cells = part.count(b"<c ") + part.count(b"<c>")
        cells += n_cells
        texts += part.count(b"<si>")
        n_others += part.count(b"<") - part.count(b"</") - n_cells - sum(part.count(tag) for tag in _CELL_TAGS)
    for number, limit, noun in ((cells, most_cells, "cells"), (texts, MOST_TEXTS, "texts")):
        if number > limit:
            raise _too_large(path, f"{limit:,} {noun}")
    if n_others > MOST_OTHER_TAGS:
        raise _too_large(path, f"{MOST_OTHER_TAGS:,} styles, merged cells and the like")
    return has_formulas


def _too_large(path: Path, problem: str) -> CatalogueError:
    tip = "delete empty rows and columns and what is no table, or save each sheet that is meant as CSV"
    return CatalogueError(Fault(f"the workbook has more than {problem}", str(path), tip=tip))
