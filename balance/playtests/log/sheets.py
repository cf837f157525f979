"""The file of a log as rows of text: CSV, TSV or the sheet of a workbook, as any spreadsheet program writes it."""

from __future__ import annotations

import codecs
import hashlib
import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from balance.base.errors import CatalogueError, Fault, comma_list, unknown
from balance.base.limits import MOST_LOG_ROWS, MOST_TABLE_BYTES
from balance.base.text import slug
from balance.catalogue.tables.files import read_bytes, rows_of, text_of
from balance.catalogue.tables.schema import RawTable
from balance.catalogue.workbook import cells
from balance.playtests.log.records import rows_of_json, rows_of_pgn
from balance.playtests.words.vocabulary import known_words

_WORKBOOK = b"PK\x03\x04"
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
BOOKS = (".xlsx", ".xlsm")
_FIRST_LINES = 20
"""Lines in which the header is looked for."""


@dataclass(frozen=True)
class Sheet:
    """Rows of text with their line numbers, and the hash of the bytes they came from; `notes` are one sentence each."""

    table: RawTable
    path: str
    sha256: str
    notes: tuple[str, ...] = ()


def read_sheet(path: Path | str, sheet: str = "", further_headers: Iterable[str] = ()) -> Sheet:
    """Read the rows of a CSV or TSV file (UTF-8, UTF-16 with its mark, Windows-1252), JSON, PGN or workbook.

    `sheet` names a sheet of an .xlsx workbook, the first without it; `further_headers` help to find the separator.
    Raises `CatalogueError` if the file is missing, unreadable or too large, or has no such sheet.
    """
    path = Path(path)
    if not path.suffix and not path.exists():
        tip = "name a file of games, such as evenings.csv; `balance rate evenings.csv --template` writes one to fill in"
        raise CatalogueError(Fault("there is no such log", str(path), tip=tip))
    if path.suffix.lower() not in BOOKS and path.is_file() and path.stat().st_size > MOST_TABLE_BYTES:
        raise CatalogueError(too_long(str(path), MOST_LOG_ROWS))
    data = cells.read_bytes(path) if path.suffix.lower() in BOOKS else read_bytes(path)
    digest, notes = hashlib.sha256(data).hexdigest(), list[str]()
    if data.startswith(_WORKBOOK):
        return Sheet(_of_workbook(data, path, sheet, notes), str(path), digest, tuple(notes))
    if sheet:
        raise CatalogueError(Fault("has no sheets: it is no workbook", str(path), found=sheet, tip="leave out §sheet"))
    if path.suffix.lower() in (*BOOKS, ".xls", ".ods"):
        tip = "save it as Excel workbook (.xlsx), or as CSV"
        raise CatalogueError(Fault("the file is not an .xlsx workbook, or is damaged", str(path), tip=tip))
    text = text_of(_utf8(data, notes), path)
    if text.count("\n") + text.count("\r") > 2 * MOST_LOG_ROWS + _FIRST_LINES and not text.lstrip().startswith("["):
        raise CatalogueError(too_long(str(path), MOST_LOG_ROWS))
    if (table := rows_of_json(text, str(path)) or rows_of_pgn(text, str(path))) is not None:
        return Sheet(table, str(path), digest, tuple(notes))
    first = [cell for line in text.splitlines()[:_FIRST_LINES] for cell in re.split("[,;\t]", line[:10_000])]
    header_words = known_words([cell.strip(' "') for cell in first], further_headers)
    return Sheet(rows_of(text, path, header_words), str(path), digest, tuple(notes))


def too_long(path: str, max_rows: int) -> Fault:
    """Return the fault of a log with more than `max_rows` rows, whose tip is to pool equal games."""
    tip = "give games of equal kind one row, with a column n that says how many"
    return Fault(f"the log has more than {max_rows:,} rows", path, tip=tip)


def _utf8(data: bytes, notes: list[str]) -> bytes:
    """Return the bytes as UTF-8; others that are valid Windows-1252, as Excel writes CSV, are decoded with a note."""
    try:
        if not data.startswith(_MARKS) and b"\0" not in data:
            data.decode("utf-8")
        return data
    except UnicodeDecodeError:
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError:
            return data
    notes.append("The text is not UTF-8 and was read as Windows-1252: look at the accents in the names.")
    return text.encode()


def _of_workbook(data: bytes, path: Path, required_name: str, notes: list[str]) -> RawTable:
    """Return the rows of one sheet of a workbook; raises `CatalogueError` for cells that cannot be read."""
    faults: list[Fault] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values, formulas = cells.open_workbook(data, path)
        name = _sheet_name(values, path, required_name, notes)
        table = cells.sheet_rows(values[name], formulas[name], f"{path}, sheet {name}", faults, dates=True)
    if faults or table is None:
        raise CatalogueError(faults)
    return table


def _sheet_name(book: Any, path: Path, title: str, notes: list[str]) -> str:
    """Return the name of the wanted sheet, or of the first one with a note on the others if none is named.

    Raises `CatalogueError` if there is no such sheet.
    """
    names = [str(name) for name in book.sheetnames if hasattr(book[name], "iter_rows")]
    if not names:
        raise CatalogueError(Fault("the workbook has no sheet with cells", str(path)))
    if not title:
        if len(names) > 1:
            notes.append(
                f"Of the workbook the sheet {names[0]} was read; §sheet names another: {comma_list(names[1:])}."
            )
        return names[0]
    matches = [name for name in names if name == title] or [name for name in names if slug(name) == slug(title)]
    if not matches:
        raise CatalogueError(unknown(title, names, "is not a sheet of this workbook", str(path), field="§sheet"))
    return matches[0]
