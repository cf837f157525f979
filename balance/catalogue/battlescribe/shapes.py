"""Other shapes of BattleScribe's data, as the tree of format 2: files of BattleScribe 1, and JSON of New Recruit.

Format 1 calls entries, links and what limits them by other names, and holds points in an attribute. New Recruit's JSON
is the XML of format 2 with objects for elements and lists for what lies in them.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from balance.base.errors import CatalogueError, Fault
from balance.base.limits import MOST_CELL_CHARACTERS, MOST_XML_ATTRIBUTES, MOST_XML_DEPTH, MOST_XML_ELEMENTS
from balance.catalogue.battlescribe.xml_reading import Element

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
MOST_JSON_VALUES = 10 * MOST_XML_ELEMENTS
_NO_CATEGORY = "(No Category)"
_PLURALS = (
    *("cost", "force", "selection", "profile", "characteristic", "rule", "entryLink", "infoLink", "infoGroup"),
    *("categoryLink", "catalogueLink", "costType", "profileType", "constraint", "selectionEntryGroup"),
)
_IN_LISTS = {f"{name}s": name for name in _PLURALS} | {
    "categories": "category",
    "categoryEntries": "categoryEntry",
    "selectionEntries": "selectionEntry",
    "sharedSelectionEntries": "selectionEntry",
    "sharedSelectionEntryGroups": "selectionEntryGroup",
    "sharedProfiles": "profile",
    "sharedRules": "rule",
    "sharedInfoGroups": "infoGroup",
}
"""A list of JSON -> what the elements in it are called."""


# -- format 1 --------------------------------------------------------------------------------------------------------


def as_format_2(root: Element) -> Element:
    """Return a tree of format 1 as one of format 2, changed in place; one of format 2 as it is."""
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
    """Give an element the name, the costs and the lists that it has in format 2; what it holds comes later."""
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
    """Part links to entries from links to profiles and rules."""
    entries, infos = Element("entryLinks", {}, links.line), Element("infoLinks", {}, links.line)
    for link in links.children:
        kind = link.get("linkType")
        link.tag = "entryLink" if kind in _LINK_TYPES else "infoLink"
        link.attributes["type"] = _LINK_TYPES.get(kind, kind)
        (entries if kind in _LINK_TYPES else infos).children.append(link)
        _renew(link, "", "")
    element.children += [links_element for links_element in (entries, infos) if links_element.children]


# -- JSON ------------------------------------------------------------------------------------------------------------


def read_json(data: bytes, path: Path, roots: Collection[str]) -> Element:
    """Return the tree of a JSON file that holds one of `roots` as its only or first object.

    Parameters
    ----------
    data
        The bytes of the file.
    path
        Its path, for the faults.
    roots
        The names that the object may have.

    Raises
    ------
    CatalogueError
        It is no JSON, holds none of them, or breaks a limit.
    """
    if data.count(b"{") + data.count(b"[") > 2 * MOST_XML_ELEMENTS or data.count(b",") > MOST_JSON_VALUES:
        raise CatalogueError(Fault(f"holds more than {MOST_XML_ELEMENTS:,} objects", str(path)))
    try:
        content = json.loads(data, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError) as error:
        problem = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise CatalogueError(Fault(f"is no sound JSON: {problem}", str(path))) from None
    tags = [tag for tag in roots if isinstance(content, dict) and isinstance(content.get(tag), dict)]
    if not tags:
        tip = "export the roster from New Recruit as .json, or as .ros or .rosz"
        raise CatalogueError(Fault("is JSON without a roster or a catalogue", str(path), tip=tip))
    return _Tree(path).tree(tags[0], content[tags[0]])


class _Tree:
    """Objects of JSON as elements, counted on the way."""

    def __init__(self, path: Path) -> None:
        self.path, self.n_elements = path, 0

    def tree(self, tag: str, content: dict[str, Any]) -> Element:
        """Return an object and all in it."""
        root = self._element(tag, content)
        stack = [(root, content, 1)]
        while stack:
            element, inside, depth = stack.pop()
            if depth > MOST_XML_DEPTH:
                raise self._fault(f"nests more than {MOST_XML_DEPTH} objects in each other")
            for name, items in inside.items():
                if name not in _IN_LISTS or not isinstance(items, list):
                    continue
                holder = Element(name, {}, 0)
                element.children.append(holder)
                for item in items:
                    if isinstance(item, dict):
                        child = self._element(_IN_LISTS[name], item)
                        holder.children.append(child)
                        stack.append((child, item, depth + 2))
        return root

    def _element(self, tag: str, content: dict[str, Any]) -> Element:
        self.n_elements += 1
        if self.n_elements > MOST_XML_ELEMENTS:
            raise self._fault(f"holds more than {MOST_XML_ELEMENTS:,} objects")
        texts = {name: _text(value) for name, value in content.items() if isinstance(value, str | bool)}
        if len(texts) > MOST_XML_ATTRIBUTES:
            raise self._fault(f"has an object of more than {MOST_XML_ATTRIBUTES} values")
        if any(len(value) > MOST_CELL_CHARACTERS for value in texts.values()) and tag != "rule":
            raise self._fault(f"has a text of more than {MOST_CELL_CHARACTERS:,} characters")
        text = texts.pop("$text", "")
        return Element(tag, texts, 0, [], [text] if text else [])

    def _fault(self, message: str) -> CatalogueError:
        return CatalogueError(Fault(message, str(self.path)))


def _text(value: str | bool) -> str:
    """Return a value as an attribute of XML has it; a lone surrogate, which no file can hold, as a question mark."""
    return str(value).lower() if isinstance(value, bool) else value.encode("utf-8", "replace").decode()
