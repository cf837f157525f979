"""JSON with BattleScribe's data as a tree of elements: New Recruit's own, and what converters make of XML.

New Recruit writes a list of objects under a plural, such as `costs`. Converters keep every element by its name and mark
attributes and texts each in its own way (`@name`, `_name`, `$: {name}`, `#text`, `__text`), or write nodes with a name,
attributes and children. All of them become the elements that the XML has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final

from balance.base.errors import CatalogueError, Fault, comma_list
from balance.base.limits import MOST_CELL_CHARACTERS, MOST_XML_ATTRIBUTES, MOST_XML_DEPTH, MOST_XML_ELEMENTS
from balance.catalogue.battlescribe.xml_reading import Element

MOST_JSON_VALUES: Final = 10 * MOST_XML_ELEMENTS
DEEPEST_ROOT: Final = 3
"""Objects that may lie around the roster, such as `data` or `result`."""
_PLURALS = (
    *("cost", "force", "selection", "profile", "characteristic", "rule", "entryLink", "infoLink", "infoGroup"),
    *("categoryLink", "catalogueLink", "costType", "profileType", "characteristicType", "constraint"),
    *("selectionEntryGroup", "entryGroup", "link", "forceType"),
)
_IN_LISTS = {f"{name}s": name for name in _PLURALS} | {
    "categories": "category",
    "categoryEntries": "categoryEntry",
    "entries": "entry",
    "selectionEntries": "selectionEntry",
    "sharedEntries": "entry",
    "sharedEntryGroups": "entryGroup",
    "sharedSelectionEntries": "selectionEntry",
    "sharedSelectionEntryGroups": "selectionEntryGroup",
    "sharedProfiles": "profile",
    "sharedRules": "rule",
    "sharedInfoGroups": "infoGroup",
}
"""A list -> what the elements in it are called."""
_ELEMENTS = frozenset(_IN_LISTS.values())
_VALUE_NAMES = {"costs": "value", "characteristics": "$text"}
"""Lists that some write as names with values, and where the value belongs."""
_TEXTS = frozenset(
    (
        *("$text", "#text", "__text", "_text", "_", "$", "$t", "$value", "#", "+content", "_content", "_VALUE", ""),
        *("content", "text", "#cdata-section", "__cdata", "_cdata"),
    )
)
_ATTRIBUTES = frozenset(("$", "_attributes", "@attributes", "attributes", "attrib", "attrs", "attr", "_attr"))
_NODE_NAMES, _NODE_LISTS = ("name", "tag", "tagName", "nodeName", "#name"), ("elements", "children", "childNodes", "$$")
_MARK = re.compile(r"(?:\+?@_?|_+|-|\$)(?=.)")
"""What converters write before the name of an attribute."""
_BARE_ROOTS = (
    ("roster", ("forces",)),
    ("catalogue", ("gameSystemId", "@gameSystemId", "_gameSystemId")),
    ("gameSystem", ("costTypes", "profileTypes")),
    ("catalogue", ("selectionEntries", "sharedSelectionEntries", "entries")),
)
"""What an object without a name is, by what it holds; the first that fits."""


def read_json(data: bytes, path: Path, roots: Collection[str], left_out: Collection[str] = ()) -> Element:
    """Return the tree of a JSON file that holds one object named as one of `roots`, without elements in `left_out`.

    `CatalogueError` if it is not JSON, holds none or several of them, or breaks a limit.
    """
    if data.count(b"{") + data.count(b"[") > 2 * MOST_XML_ELEMENTS or data.count(b",") > MOST_JSON_VALUES:
        raise CatalogueError(Fault(f"holds more than {MOST_XML_ELEMENTS:,} objects", str(path)))
    try:
        content = json.loads(data, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError) as error:
        problem = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise CatalogueError(Fault(f"is no sound JSON: {problem}", str(path))) from None
    tags = [*_roots(content, roots)]
    if len(tags) > 1:
        kinds = ", ".join(tag for tag, _ in tags[:3]) + (", ..." if len(tags) > 3 else "")
        raise CatalogueError(Fault(f"holds {len(tags)} in one ({kinds})", str(path), allowed="one in each file"))
    if not tags:
        raise CatalogueError(_without_root(content, path, roots))
    return _Tree(path, left_out).tree(*tags[0])


def _without_root(content: Any, path: Path, roots: Collection[str]) -> Fault:
    """Return the fault of JSON without a root, with what it holds instead."""
    held = f": it holds {comma_list(content)}" if isinstance(content, dict) and content else ""
    allowed = f"an object named {', '.join(roots)}"
    tip = "export the roster from New Recruit as .json, or as .ros or .rosz"
    return Fault(f"is JSON without a roster or a catalogue{held}", str(path), allowed=allowed, tip=tip)


def _roots(content: Any, roots: Collection[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (name, object) of the roots at the first depth that has any; else objects that look like one."""
    level, found = [content], list[tuple[str, dict[str, Any]]]()
    for _ in range(DEEPEST_ROOT):
        objects = [item for part in level for item in (part if isinstance(part, list) else [part])]
        objects = [item for item in objects if isinstance(item, dict)]
        for item in objects:
            if (name := _local(_node_name(item))) in roots:
                found.append((name, item))
            for key, value in item.items():
                if _local(key) in roots:
                    found += [(_local(key), inside) for inside in _items(value) if isinstance(inside, dict)]
        if found:
            yield from found
            return
        level = [value for item in objects for value in item.values() if isinstance(value, dict | list)]
    for item in _items(content):
        names = {_local(key) for key in item} if isinstance(item, dict) else set()
        tags = [tag for tag, parts in _BARE_ROOTS if names.intersection(parts)]
        if tags:
            yield tags[0], item


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _local(key: str) -> str:
    """Return a name without its namespace and the mark that makes it an attribute.

    >>> [_local(key) for key in ("@name", "{http://x}forces", "_typeId", "bs:cost", "-")]
    ['name', 'forces', 'typeId', 'cost', '-']
    """
    return _MARK.sub("", key.rpartition("}")[2], count=1).rpartition(":")[2]


def _node_name(content: dict[str, Any]) -> str:
    """Return the tag of a node that lists its children; empty for an object with its elements under their own names."""
    if not any(isinstance(content.get(name), list) for name in _NODE_LISTS):
        return ""
    return next((name for key in _NODE_NAMES if isinstance(name := content.get(key), str)), "")


Inside = list[tuple[str, dict[str, Any]]]
"""What lies in an object: tags, and the content of each."""


class _Tree:
    """Builds elements from JSON objects, and counts them against the limits."""

    def __init__(self, path: Path, left_out: Collection[str]) -> None:
        self.path, self.left_out, self.n_elements = path, left_out, 0

    def tree(self, tag: str, content: dict[str, Any]) -> Element:
        """Return the element of an object with all elements in it."""
        parts = _node_parts if _node_name(content) else _object_parts
        root, inside = self._element(tag, *parts(tag, content))
        stack = [(root, inside, 1)]
        while stack:
            element, inside, depth = stack.pop()
            if depth > MOST_XML_DEPTH:
                raise self._fault(f"nests more than {MOST_XML_DEPTH} objects in each other")
            for inner_tag, item in inside:
                if inner_tag not in self.left_out:
                    child, inner = self._element(inner_tag, *parts(inner_tag, item))
                    element.children.append(child)
                    stack.append((child, inner, depth + 1))
        return root

    def _element(self, tag: str, texts: dict[str, str], inside: Inside) -> tuple[Element, Inside]:
        self.n_elements += 1
        if self.n_elements > MOST_XML_ELEMENTS:
            raise self._fault(f"holds more than {MOST_XML_ELEMENTS:,} objects")
        texts = {name: text for name, text in texts.items() if name not in self.left_out}
        if len(texts) > MOST_XML_ATTRIBUTES:
            raise self._fault(f"has an object of more than {MOST_XML_ATTRIBUTES} values")
        if any(len(text) > MOST_CELL_CHARACTERS for text in texts.values()):
            raise self._fault(f"has a text of more than {MOST_CELL_CHARACTERS:,} characters")
        text = texts.pop("$text", "")
        return Element(tag, texts, 0, [], [text] if text else []), inside

    def _fault(self, message: str) -> CatalogueError:
        return CatalogueError(Fault(message, str(self.path)))


def _object_parts(tag: str, content: dict[str, Any]) -> tuple[dict[str, str], Inside]:
    """Return the attributes and text of an object, and (tag, object) of the elements in it."""
    texts, inside = dict[str, str](), Inside()
    for key, value in content.items():
        name, items = _local(key), _items(value)
        if isinstance(value, dict) and key in _ATTRIBUTES:
            texts |= {_local(inner): _text(text) for inner, text in value.items() if isinstance(text, str | bool)}
        elif len(items) == 1 and isinstance(items[0], str | bool):
            texts.setdefault("$text" if key in _TEXTS else name, _text(items[0]))
        elif name in _IN_LISTS:
            inside += ((name, item) for item in _lists(name, value))
        elif name in _ELEMENTS and tag in _IN_LISTS:
            inside += ((name, item) for item in items if isinstance(item, dict))
    return texts, inside


def _lists(name: str, value: Any) -> Iterator[dict[str, Any]]:
    """Yield objects {tag: elements} for a list under a plural name, written as objects, items or name -> value."""
    tag, plain_items = _IN_LISTS[name], list[dict[str, Any]]()
    for item in _items(value):
        if not isinstance(item, dict) or not item:
            continue
        if any(_local(key) == tag for key in item):
            yield item
        elif name in _VALUE_NAMES and isinstance(value, dict) and not {"name", "value"} & {*map(_local, item)}:
            plain_items += ({"name": key, _VALUE_NAMES[name]: number} for key, number in item.items())
        else:
            plain_items.append(item)
    if plain_items:
        yield {tag: plain_items}


def _node_parts(tag: str, content: dict[str, Any]) -> tuple[dict[str, str], Inside]:
    """Return the attributes and text of a node with a list of children, and the children by their tags."""
    attributes: dict[str, Any] = next((content[key] for key in _ATTRIBUTES if isinstance(content.get(key), dict)), {})
    texts = {_local(key): _text(value) for key, value in attributes.items() if isinstance(value, str | bool)}
    children: list[Any] = next((content[key] for key in _NODE_LISTS if isinstance(content.get(key), list)), [])
    nodes = [child for child in children if isinstance(child, dict)]
    inside = [(_local(str(next(filter(None, map(child.get, _NODE_NAMES)), ""))), child) for child in nodes]
    pieces = [child for child in children if isinstance(child, str)]
    pieces += [
        holder[key] for holder in (content, *nodes) for key in _TEXTS if isinstance(holder.get(key), str)
        and (holder is content or holder.get("type", "text") == "text")
    ]  # fmt: skip
    return texts | {"$text": _text(" ".join(pieces))}, [(name, child) for name, child in inside if name]


def _text(value: str | bool) -> str:
    """Return a value as an attribute of XML has it; a lone surrogate, which no file can hold, as a question mark."""
    return str(value).lower() if isinstance(value, bool) else value.encode("utf-8", "replace").decode()
