"""BattleScribe files from the disk to a tree: zipped or not, and nothing of a zip is ever written anywhere."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path

from balance.catalogue.xml_reading import Element, read_xml
from balance.errors import CatalogueError, Fault
from balance.foreign import read_at_most
from balance.limits import MOST_CATALOGUE_XML_BYTES, MOST_PARTS

__all__ = ["read_file"]

ROOTS = ("catalogue", "gameSystem", "roster")
LEFT_OUT = (
    *("modifiers", "modifierGroups", "constraints", "conditions", "conditionGroups", "repeats"),
    *("publications", "forceEntries", "comment", "description", "readme", "characteristicTypes"),
)
"""Elements that no table shows."""
ENDINGS = (".cat", ".gst", ".ros")
_ZIP = b"PK"


def read_file(path: Path) -> Element:
    """Return the tree of a catalogue, a game system or a roster, zipped or not.

    Raises
    ------
    CatalogueError
        It cannot be read, is none of these, is damaged, or breaks a limit.
    """
    try:
        data = read_at_most(path, MOST_CATALOGUE_XML_BYTES)
    except OSError as error:
        raise CatalogueError(Fault(f"cannot be read: {error.strerror or error}", str(path))) from None
    if data.startswith(_ZIP):
        data = _unzipped(data, path)
    root = read_xml(data, path, LEFT_OUT)
    if root.tag not in ROOTS:
        what = "is an index of files" if root.tag == "dataIndex" else "is no BattleScribe file"
        allowed = "a root element catalogue, gameSystem or roster"
        raise CatalogueError(Fault(what, str(path), root.line, found=root.tag, allowed=allowed))
    return root


def _unzipped(data: bytes, path: Path) -> bytes:
    """Return the one catalogue in a zip."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if len(parts) > MOST_PARTS:
                raise CatalogueError(Fault(f"has more than {MOST_PARTS:,} parts", str(path)))
            ours = [part for part in parts if part.filename.lower().endswith(ENDINGS)]
            if len(ours) != 1:
                tip = "a zipped one holds just one .cat, .gst or .ros"
                raise CatalogueError(Fault(f"holds {len(ours) or 'no'} catalogues", str(path), tip=tip))
            return _one_part(archive, ours[0], path)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error) as error:
        raise CatalogueError(Fault(f"is a damaged or locked zip: {error}", str(path))) from None


def _one_part(archive: zipfile.ZipFile, part: zipfile.ZipInfo, path: Path) -> bytes:
    """Return one part, no more than may be; what the zip says of its size is not believed."""
    name = part.filename
    if name.startswith(("/", "\\")) or ".." in name.replace("\\", "/").split("/") or ":" in name:
        raise CatalogueError(Fault("names a file outside the zip", str(path), found=name))
    with archive.open(part) as file:
        data = file.read(MOST_CATALOGUE_XML_BYTES + 1)
    if len(data) > MOST_CATALOGUE_XML_BYTES:
        raise CatalogueError(Fault(f"unpacks to more than {MOST_CATALOGUE_XML_BYTES // 2**20} MB", str(path)))
    return data
