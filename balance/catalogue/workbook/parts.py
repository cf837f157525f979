"""What an .xlsx file is made of, looked at before it is opened: a few kilobytes may unpack to gigabytes.

A workbook is a zip of XML files. How large they are is told in the zip, and cells, texts and other tags are counted
without reading them, so that a bomb is refused before anything of it is built.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from balance.base.errors import CatalogueError, Fault
from balance.base.limits import MOST_OTHER_TAGS, MOST_PARTS, MOST_TEXTS, MOST_UNPACKED_BYTES, MOST_WORKBOOK_CELLS

_ENTRY = b"PK\x01\x02"
_CELL_TAGS = (b"<v>", b"<v ", b"<row", b"<f>", b"<f ", b"<f/", b"<t>", b"<t ", b"<t/", b"<is>", b"<si>")
_IGNORED_PARTS = re.compile(r"comments?[0-9]*\.xml$|\.vml$|/drawings/|/media/|/theme/|printerSettings", re.IGNORECASE)
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
_ENCODING = re.compile(rb"""\s*(?:\xef\xbb\xbf)?<\?xml[^>]{0,200}?encoding=["']([^"']*)["']""")
_PLAIN = (b"utf-8", b"us-ascii", b"ascii", b"iso-8859-1", b"windows-1252")
_WIDE = (b"\xff\xfe<", b"\xfe\xff\0<", b"<\0", b"\0<")


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
