"""Tables of a run in other formats.

Parquet is copied as it is; CSV is UTF-8 with a header; Excel is one workbook with a sheet per table. A text stays a
text: in Excel by the type of its cell, in CSV by an apostrophe before a text that begins with `=`, `+`, `-`, `@`, a tab
or a line break and is no number, so that no spreadsheet computes what a catalogue says. Numbers are left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import polars as pl

from balance.base.errors import OutputError, UsageError, unknown
from balance.base.files import scratch, write_set, write_whole
from balance.catalogue.tables.cells import LIVE, PLAIN_NUMBER, guard
from balance.study.run.folder import Run, parquet_bytes

FORMATS = ("csv", "parquet", "xlsx")
EXCEL_ROWS = 1_048_575
"""Rows below the header that a sheet can hold."""


def export_tables(run: Run, fmt: str, out: Path, names: Sequence[str] = ()) -> tuple[Path, ...]:
    """Write tables of a run, all without `names`, into the folder `out` and return the files.

    `fmt` is "csv", "parquet" or "xlsx", the last being one workbook, `tables.xlsx`. Raises `UsageError` for no such
    format or table, and `OutputError` if the folder cannot be written, or a table has more rows than a sheet.
    """
    if fmt not in FORMATS:
        raise UsageError(unknown(fmt, FORMATS, "is not a format"))
    table_names = sorted(run.manifest["tables"])
    if unknown_names := [name for name in names if name not in table_names]:
        raise UsageError([unknown(name, table_names, "is not a table of this run") for name in unknown_names])
    frames = {name: run.table(name) for name in (names or table_names)}
    if fmt == "xlsx":
        write_whole(out / "tables.xlsx", _workbook(frames))
        return (out / "tables.xlsx",)
    write: Callable[[pl.DataFrame], bytes] = _csv if fmt == "csv" else parquet_bytes
    return write_set(out, ((f"{name}.{fmt}", write(frame)) for name, frame in frames.items()))


def table_bytes(name: str, frame: pl.DataFrame, fmt: str) -> bytes:
    r"""Return one table as "csv", "parquet" or "xlsx"; a text that looks like a formula stays a text.

    >>> table_bytes("names", pl.DataFrame({"name": ["=1+1"]}), "csv")
    b"name\n'=1+1\n"
    """
    if fmt == "xlsx":
        return _workbook({name: frame})
    return _csv(frame) if fmt == "csv" else parquet_bytes(frame)


def _csv(frame: pl.DataFrame) -> bytes:
    lists = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List)]
    flat = frame.with_columns(pl.col(name).cast(pl.List(pl.String)).list.join(" ") for name in lists)
    return flat.with_columns(_guard_text(name) for name in _texts(flat)).rename(guard).write_csv().encode()


def _texts(frame: pl.DataFrame) -> list[str]:
    return [name for name, kind in frame.schema.items() if kind == pl.String]


def _guard_text(name: str) -> pl.Expr:
    text = pl.col(name)
    is_formula = text.str.contains(LIVE) & ~text.str.contains(PLAIN_NUMBER)
    return pl.when(is_formula).then(pl.lit("'") + text).otherwise(text).alias(name)


def _workbook(frames: dict[str, pl.DataFrame]) -> bytes:
    from openpyxl import Workbook

    from balance.catalogue.workbook.writer import stable_bytes

    large = [name for name, frame in frames.items() if frame.height > EXCEL_ROWS]
    if large:
        raise OutputError(f"has more than {EXCEL_ROWS:,} rows: {', '.join(large)}", "use csv or parquet")
    book = Workbook(write_only=True)
    with scratch():
        for name, frame in frames.items():
            sheet = book.create_sheet(name[:31])
            sheet.append([_plain_cell(sheet, column) for column in frame.columns])
            for row in frame.iter_rows():
                sheet.append([_plain_cell(sheet, cell) for cell in row])
        return stable_bytes(book)


def _plain_cell(sheet: Any, value: object) -> Any:
    """Return a cell for a sheet: numbers and flags as they are, a text typed as text, so that it is no formula."""
    if value is None or (isinstance(value, bool | int | float) and isfinite(value)):
        return value
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE, WriteOnlyCell

    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    cell = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("\ufffd", text))
    cell.data_type = "s"
    return cell
