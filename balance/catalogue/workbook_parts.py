"""What an .xlsx file is made of, looked at before it is opened: a few kilobytes may unpack to gigabytes.

A workbook is a zip of XML files. How large they are is told in the zip, and cells, texts and other tags are counted
without reading them, so that a bomb is refused before anything of it is built.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from pathlib import Path

from balance.errors import CatalogueError, Fault
from balance.limits import MOST_CELLS, MOST_OTHER_TAGS, MOST_PARTS, MOST_TEXTS, MOST_UNPACKED_BYTES

__all__ = ["check_parts", "is_unread"]

_ENTRY = b"PK\x01\x02"
_CELL_TAGS = (b"<v>", b"<v ", b"<row", b"<f>", b"<f ", b"<f/", b"<t>", b"<t ", b"<t/", b"<is>", b"<si>")
_UNREAD = re.compile(r"comments?[0-9]*\.xml$|\.vml$|/drawings/|/media/|/theme/|printerSettings", re.IGNORECASE)


def is_unread(name: str) -> bool:
    """Return whether a part of a workbook is one that we never look into, such as comments and pictures.

    >>> is_unread("xl/comments/comment1.xml"), is_unread("xl/worksheets/sheet1.xml")
    (True, False)
    """
    return bool(_UNREAD.search(name))


def check_parts(data: bytes, path: Path) -> None:
    """Raise CatalogueError for a zip that holds more than any workbook of ours; what is no zip is left to the reader.

    Raises
    ------
    CatalogueError
        It has too many parts, unpacks to too much, or holds too many cells, texts or other tags.
    """
    if data.count(_ENTRY) > MOST_PARTS:
        raise _too_large(path, f"{MOST_PARTS:,} parts")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if sum(part.file_size for part in parts) > MOST_UNPACKED_BYTES:
                raise _too_large(path, f"{MOST_UNPACKED_BYTES // 2**20} MB, unpacked")
            _check_tags([archive.read(part) for part in parts if not is_unread(part.filename)], path)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error):
        return  # the reader tells what is damaged


def _check_tags(parts: list[bytes], path: Path) -> None:
    cells = texts = others = 0
    for part in parts:
        if b"<!DOCTYPE" in part or b"<!ENTITY" in part:
            raise CatalogueError(Fault("holds definitions that no workbook has", str(path)))
        here = part.count(b"<c ") + part.count(b"<c>")
        cells += here
        texts += part.count(b"<si>")
        others += part.count(b"<") - part.count(b"</") - here - sum(part.count(tag) for tag in _CELL_TAGS)
    for found, most, what in ((cells, MOST_CELLS, "cells"), (texts, MOST_TEXTS, "texts")):
        if found > most:
            raise _too_large(path, f"{most:,} {what}")
    if others > MOST_OTHER_TAGS:
        raise _too_large(path, f"{MOST_OTHER_TAGS:,} styles, merged cells and the like")


def _too_large(path: Path, what: str) -> CatalogueError:
    tip = "delete the empty rows and columns, and what is no table"
    return CatalogueError(Fault(f"the workbook has more than {what}", str(path), tip=tip))
