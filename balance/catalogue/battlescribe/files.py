"""BattleScribe files from the disk to a tree of format 2: zipped or not, XML or JSON, of any version.

Nothing of a zip is ever written anywhere.

Format 1 calls entries, links and what limits them by other names, and holds points in an attribute.
"""

from __future__ import annotations

import codecs
import io
import re
import zipfile
import zlib
from pathlib import Path

from balance.base.errors import CatalogueError, Fault
from balance.base.foreign import read_at_most
from balance.base.limits import MOST_CATALOGUE_XML_BYTES, MOST_PARTS
from balance.catalogue.battlescribe.json_reading import read_json
from balance.catalogue.battlescribe.xml_reading import Element, read_xml

ROOTS = ("catalogue", "gameSystem", "roster")
ROOT_ELEMENTS = "a root element catalogue, gameSystem or roster"
LEFT_OUT = (
    *("modifiers", "modifierGroups", "conditions", "conditionGroups", "repeats"),
    *("publications", "forceEntries", "comment", "description", "readme"),
)
"""Elements that no table shows."""
ENDINGS = (".cat", ".gst", ".ros", ".json")
EXPORT = "export the roster from BattleScribe or New Recruit as .ros, .rosz or .json"
_ZIP = b"PK"
_PAGE = re.compile(rb"\s*(<\?xml[^>]*>\s*)?(<!--.{0,5000}?-->\s*)*<(!doctype\s+)?html\b", re.IGNORECASE | re.DOTALL)
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_NEW_NAMES = {
    "entries": "selectionEntries",
    "entry": "selectionEntry",
    "entryGroups": "selectionEntryGroups",
    "entryGroup": "selectionEntryGroup",
    "sharedEntries": "sharedSelectionEntries",
    "sharedEntryGroups": "sharedSelectionEntryGroups",
}
_PRICED_TAGS = ("selectionEntry", "selection", "roster")
_LINK_TYPES = {"entry": "selectionEntry", "entryGroup": "selectionEntryGroup"}
_NO_CATEGORY = "(No Category)"


def read_file(path: Path) -> Element:
    """Return the tree of a catalogue, a game system or a roster, zipped or not.

    `CatalogueError` if it cannot be read, is none of these, is damaged, or breaks a limit.
    """
    try:
        data = read_at_most(path, MOST_CATALOGUE_XML_BYTES)
    except OSError as error:
        raise CatalogueError(Fault(f"cannot be read: {error.strerror or error}", str(path))) from None
    if data.startswith(_ZIP):
        data = _unzip(data, path)
    if _PAGE.match(data):
        message = "is no BattleScribe file but a page to be read in a browser"
        raise CatalogueError(Fault(message, str(path), found="html", allowed=ROOT_ELEMENTS, tip=EXPORT))
    first = _first_byte(data)
    if first in (b"{", b"["):
        return as_format_2(read_json(data, path, ROOTS, LEFT_OUT))
    if first != b"<":
        kind = "a PDF" if data.startswith(b"%PDF") else "a text or something else" if first else "empty"
        message = f"is no BattleScribe file: neither XML nor JSON, but {kind}"
        raise CatalogueError(Fault(message, str(path), allowed=", ".join(ENDINGS), tip=EXPORT))
    root = read_xml(data, path, LEFT_OUT)
    if root.tag not in ROOTS:
        problem = "is an index of files" if root.tag == "dataIndex" else "is no BattleScribe file"
        raise CatalogueError(Fault(problem, str(path), root.line, found=root.tag, allowed=ROOT_ELEMENTS, tip=EXPORT))
    return as_format_2(root)


def _first_byte(data: bytes) -> bytes:
    """Return the first byte after a byte-order mark and blanks."""
    begin = data[:4096]
    for mark in _MARKS:
        begin = begin.removeprefix(mark)
    return begin.lstrip(b" \t\r\n\0")[:1]


def _unzip(data: bytes, path: Path) -> bytes:
    """Return the bytes of the single catalogue or roster in a zip."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if len(parts) > MOST_PARTS:
                raise CatalogueError(Fault(f"has more than {MOST_PARTS:,} parts", str(path)))
            battlescribe_parts = [part for part in parts if _is_ours(part.filename)]
            if len(battlescribe_parts) != 1:
                tip = "a zipped one holds just one .cat, .gst, .ros or .json; unpack it and name the files"
                raise CatalogueError(Fault(f"holds {len(battlescribe_parts) or 'no'} catalogues", str(path), tip=tip))
            return _one_part(archive, battlescribe_parts[0], path)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error) as error:
        raise CatalogueError(Fault(f"is a damaged or locked zip: {error}", str(path))) from None


def _is_ours(name: str) -> bool:
    """Return whether a part of a zip may be a catalogue or a roster, which the copies that a Mac adds are not.

    >>> _is_ours("Army.ROS"), _is_ours("__MACOSX/._Army.ros"), _is_ours("readme.txt")
    (True, False, False)
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    return name.lower().endswith(ENDINGS) and not name.startswith("__MACOSX/") and not last.startswith("._")


def _one_part(archive: zipfile.ZipFile, part: zipfile.ZipInfo, path: Path) -> bytes:
    """Return one part of a zip, read up to a limit, as the size that the zip states may be false."""
    name = part.filename
    if name.startswith(("/", "\\")) or ".." in name.replace("\\", "/").split("/") or ":" in name:
        raise CatalogueError(Fault("names a file outside the zip", str(path), found=name))
    with archive.open(part) as file:
        data = file.read(MOST_CATALOGUE_XML_BYTES + 1)
    if len(data) > MOST_CATALOGUE_XML_BYTES:
        raise CatalogueError(Fault(f"unpacks to more than {MOST_CATALOGUE_XML_BYTES // 2**20} MB", str(path)))
    return data


def as_format_2(root: Element) -> Element:
    """Return a tree in format 2; one of format 1 is changed in place."""
    version = root.get("battleScribeVersion")
    old_parts = (*_NEW_NAMES, "links", "forceTypes")
    if not version.startswith("1.") and (version or not any(child.tag in old_parts for child in root.children)):
        return root
    stack: list[tuple[Element, str]] = [(root, "")]
    while stack:
        element, category = stack.pop()
        if element.tag == "category" and root.tag == "roster":
            category = element.get("name")
        stack += [(child, category) for child in element.children]
        _renew(element, root.tag, category)
    return root


def _renew(element: Element, root_tag: str, category: str) -> None:
    """Give an element of format 1 the tag, costs and lists of format 2, but not the elements in it."""
    element.tag = _NEW_NAMES.get(element.tag, element.tag)
    if element.tag == "category" and root_tag == "gameSystem":
        element.tag = "categoryEntry"
    if element.tag in _PRICED_TAGS and element.get("points"):
        _give(element, "costs", "cost", {"name": "pts", "typeId": "points", "value": element.get("points")})
    if default := element.get("defaultEntryId"):
        element.attributes["defaultSelectionEntryId"] = default
    if (minimum := element.get("minSelections")) and minimum != "0":
        limit = {"type": "min", "field": "selections", "scope": "parent", "value": minimum}
        _give(element, "constraints", "constraint", limit)
    if element.tag == "selection" and category and category != _NO_CATEGORY:
        _give(element, "categories", "category", {"name": category})
    elif (of_kind := element.get("categoryId")) not in ("", _NO_CATEGORY) and root_tag != "roster":
        _give(element, "categoryLinks", "categoryLink", {"targetId": of_kind})
    for child in [old_child for old_child in element.children if old_child.tag == "links"]:
        element.children.remove(child)
        _renew_links(element, child)


def _give(element: Element, holder: str, tag: str, attributes: dict[str, str]) -> None:
    element.children.append(Element(holder, {}, element.line, [Element(tag, attributes, element.line)]))


def _renew_links(element: Element, links: Element) -> None:
    """Separate links to entries from links to profiles and rules, which format 1 keeps in one list."""
    entries, infos = Element("entryLinks", {}, links.line), Element("infoLinks", {}, links.line)
    for link in links.children:
        kind = link.get("linkType")
        link.tag = "entryLink" if kind in _LINK_TYPES else "infoLink"
        link.attributes["type"] = _LINK_TYPES.get(kind, kind)
        (entries if kind in _LINK_TYPES else infos).children.append(link)
        _renew(link, "", "")
    element.children += [links_element for links_element in (entries, infos) if links_element.children]
