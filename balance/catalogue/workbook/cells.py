"""The sheets of any workbook as rows of text: opened safely, formulas by their saved results alone."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from balance.base.errors import CatalogueError, Fault
from balance.base.foreign import read_at_most
from balance.base.limits import MOST_CELLS, MOST_FAULTS, MOST_ROWS, MOST_WORKBOOK_BYTES
from balance.catalogue.tables.cells import show_value
from balance.catalogue.tables.schema import RawTable
from balance.catalogue.workbook.parts import check_parts, is_unread


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
        faults.append(_too_large(place))
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
            raise CatalogueError(_too_large(place))
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


def _too_large(place: str) -> Fault:
    return Fault("the sheet is far too large", place, tip="delete the empty rows and columns at its end")


def _problem(value: object, origin: Any, dates: bool) -> tuple[str, str] | None:
    if origin.data_type == "f" and value is None:
        return "holds a formula without a saved result", "save the workbook in a spreadsheet program, or type the value"
    if isinstance(value, date | time | timedelta) and not dates:
        return f"holds a date ({value})", "format the cell as text, then type the value again"
    return None
