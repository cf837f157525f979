"""A log as a frame of pandas or polars, in memory or in a Parquet file, as rows of text."""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from balance.base.errors import CatalogueError, Fault
from balance.base.limits import MOST_LOG_ROWS
from balance.catalogue.tables.columns import RawTable
from balance.catalogue.tables.files import read_bytes
from balance.playtests.log.sheets import Sheet, too_long

NAME = "the frame"
"""What a fault calls a log that lies in no file; its rows count from 2, below the names of the columns."""


def is_frame(log: object) -> bool:
    """Return whether an object looks like a data frame of pandas or polars, without importing either."""
    return hasattr(log, "columns") and (hasattr(log, "iter_rows") or hasattr(log, "itertuples"))


def sheet_of_frame(frame: Any, max_rows: int = MOST_LOG_ROWS) -> Sheet:
    """Return a frame of pandas or polars as the rows of a log; its columns are named as those of a file.

    Raises `CatalogueError` for a frame without columns or with more rows than a log may have.
    """
    if len(frame) > max_rows:
        raise CatalogueError(too_long(NAME, max_rows))
    if not len(frame.columns):
        raise CatalogueError(Fault("has no columns", NAME, tip="give one with two names and who won"))
    rows: Iterable[Any] = frame.iter_rows() if hasattr(frame, "iter_rows") else frame.itertuples(index=False, name=None)
    header = tuple(str(name) for name in frame.columns)
    texts = ((1, header), *((at, tuple(map(_text, row))) for at, row in enumerate(rows, start=2)))
    return Sheet(RawTable(NAME, texts), NAME, hashlib.sha256(repr(texts).encode()).hexdigest())


def read_parquet(path: Path, max_rows: int = MOST_LOG_ROWS) -> Sheet:
    """Return a Parquet file as the rows of a log; raises `CatalogueError` if it is missing, too long or damaged."""
    import polars as pl

    data = read_bytes(path)
    try:
        frame = pl.read_parquet(io.BytesIO(data), n_rows=max_rows + 1)
    except (pl.exceptions.PolarsError, OSError):
        tip = "write it again, or save it as CSV"
        raise CatalogueError(Fault("the file is no Parquet file, or is damaged", str(path), tip=tip)) from None
    if len(frame) > max_rows:
        raise CatalogueError(too_long(str(path), max_rows))
    table = replace(sheet_of_frame(frame, max_rows).table, path=str(path))
    return Sheet(table, str(path), hashlib.sha256(data).hexdigest())


def _text(value: Any) -> str:
    """Return a cell as a file would hold it; empty for what is missing, such as NaN and NaT."""
    if value is None or type(value).__name__ in ("NAType", "NaTType") or value != value:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == datetime.min.time() else value.isoformat(" ", "minutes")
    if isinstance(value, date):
        return value.isoformat()
    if type(value).__name__ in ("bool", "bool_"):
        return str(bool(value)).lower()
    try:
        number = float(value) if not isinstance(value, str) else math.nan
    except (TypeError, ValueError):
        number = math.nan
    if number != number:
        return str(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
