"""From bytes on disk to rows of text, read as spreadsheets write them.

UTF-8 with or without a byte-order mark and UTF-16 with one; cells separated by `,`, `;` or a tab, whichever makes most
of the known headers appear. The apostrophe before a text that looks like a formula is taken off again.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path

from balance.base.errors import CatalogueError, Fault, nearest
from balance.base.files import read_current
from balance.base.limits import MOST_CELLS, MOST_TABLE_BYTES
from balance.base.text import slug
from balance.catalogue.tables.cells import unguard
from balance.catalogue.tables.columns import RawTable

_LINE = re.compile(r"[^\r\n]*(\r\n|\r|\n)|[^\r\n]+")
_DELIMITERS = (",", ";", "\t")
_FIRST_LINES = 20
"""Lines in which the header is looked for."""


def read_bytes(path: Path, max_bytes: int = MOST_TABLE_BYTES, other_names: Collection[str] = ()) -> bytes:
    """Return the bytes of a file as of the last set written whole; `CatalogueError` if unreadable or over `max_bytes`.

    `other_names` are files beside it with other uses, which are not suggested where this one is missing.
    """
    try:
        return read_current(path.parent, path.name, max_bytes)
    except FileNotFoundError:
        tip = f"is {close} meant?" if (close := _file_meant(path, other_names)) else ""
        raise CatalogueError(Fault("there is no such file", str(path), tip=tip)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CatalogueError(Fault(f"the file cannot be read ({reason})", str(path))) from None


def _file_meant(path: Path, other_names: Collection[str]) -> str | None:
    """Return the file likely meant by a missing one: a similar name with its ending, or its name with a similar ending.

    Only stems are compared, as a shared ending makes no two names alike.
    """
    paths = path.parent.iterdir() if path.parent.is_dir() else ()
    beside = [file for file in paths if file.name not in other_names and file.is_file()]
    same_kind = {file.stem: file.name for file in beside if file.suffix.casefold() == path.suffix.casefold()}
    if (close := nearest(path.stem, same_kind)) is not None:
        return same_kind[close]
    same_stem = {file.suffix: file.name for file in beside if file.stem.casefold() == path.stem.casefold()}
    ending = nearest(path.suffix, same_stem)
    return same_stem[ending] if ending is not None else None


def read_text(path: Path, max_bytes: int = MOST_TABLE_BYTES, other_names: Collection[str] = ()) -> str:
    r"""Return the text of a file in UTF-8, with or without a byte-order mark, or UTF-16 with one; see `read_bytes`.

    `CatalogueError` if it cannot be read, is empty, is a workbook or is in another encoding.
    """
    return text_of(read_bytes(path, max_bytes, other_names), path)


def text_of(data: bytes, path: Path) -> str:
    """Return the text of the bytes of a file, with the encodings and errors of `read_text`."""
    data = data.removeprefix(codecs.BOM_UTF8)
    if data.startswith(b"PK\x03\x04"):
        raise CatalogueError(Fault("this is a workbook, not a text file", str(path), tip="read it with balance import"))
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        row = data[: error.start].count(b"\n") + 1
        message = f"the text is not {encoding.upper()} (perhaps Windows-1252)"
        tip = "save it as 'CSV UTF-8', or export the workbook with balance export"
        raise CatalogueError(
            Fault(message, str(path), row, allowed="UTF-8, or UTF-16 with its mark", tip=tip)
        ) from None
    if "\0" in text:
        row = text[: text.index("\0")].count("\n") + 1
        tip = "save it as 'CSV UTF-8'"
        raise CatalogueError(
            Fault("this is not a text file, or it is UTF-16 without its mark", str(path), row, tip=tip)
        )
    if not text.strip():
        raise CatalogueError(Fault("the file is empty", str(path)))
    return text


def _sniff(text: str, headers: Collection[str]) -> str:
    first = [line for line in islice(_lines(text), _FIRST_LINES) if line.strip()]
    lines = (line for line in first if any(mark in line for mark in _DELIMITERS))
    header = next(lines, "")  # a title above the header may hold no separator

    def score(delimiter: str) -> tuple[int, int]:
        cells = [slug(cell.strip(' "')) for cell in header.split(delimiter)]
        return sum(cell in headers for cell in cells), len(cells)

    return max(_DELIMITERS, key=score)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text with their line ends unchanged."""
    return (match[0] for match in _LINE.finditer(text))


def read_rows(path: Path, headers: Collection[str], other_names: Collection[str] = ()) -> RawTable:
    """Read a file of separated values without its blank rows.

    `headers` are slugs of headers that may appear, which decide on the separator; `other_names` as in `read_bytes`.
    `CatalogueError` as in `read_text`, and for a quote that is never closed.
    """
    return rows_of(read_text(path, other_names=other_names), path, headers)


def rows_of(text: str, path: Path, headers: Collection[str]) -> RawTable:
    """Split the text of a file into rows as `read_rows` does; `path` is for the faults."""
    has_sep_line = text[:5].casefold().startswith("sep=") and text[4] in _DELIMITERS
    delimiter = text[4] if has_sep_line else _sniff(text, headers)
    if text.count(delimiter) + text.count("\n") > MOST_CELLS:
        tip = "delete the empty rows and columns at its end"
        raise CatalogueError(Fault(f"the table has more than {MOST_CELLS:,} cells", str(path), tip=tip))
    reader = csv.reader(_lines(text), delimiter=delimiter, strict=True)
    rows: list[tuple[int, tuple[str, ...]]] = []
    line, is_guarded = 1, "'" in text
    try:
        for cells in reader:
            if any(map(str.strip, cells)) and not (has_sep_line and line == 1):
                rows.append((line, tuple(map(unguard, cells) if is_guarded else cells)))
            line = reader.line_num + 1
    except csv.Error as error:
        tip = "check the quotation marks in this row"
        raise CatalogueError(Fault(f"the row cannot be split into cells ({error})", str(path), line, tip=tip)) from None
    if not rows:
        raise CatalogueError(Fault("the file is empty", str(path)))
    return RawTable(str(path), tuple(rows), comma=delimiter != ",")
