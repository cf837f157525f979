"""A file turned into JSON gives the table of its XML, whichever converter made it; anything else is refused by name.

Each converter is written here from how its output looks, and shares no code with what reads it.
"""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from balance.base.errors import CatalogueError
from balance.catalogue.battlescribe.entry_table import EntryTable, entry_table
from balance.catalogue.battlescribe.profiles import read_battlescribe
from tests.catalogue.battlescribe_army import CATALOGUE, ROSTER, SYSTEM
from tests.catalogue.test_battlescribe_shapes import OLD_CATALOGUE, OLD_ROSTER
from tests.catalogue.test_roster_costs import GUARD, cost, costs, force, roster

FILES = {
    "roster": {"a.ros": ROSTER},
    "costs in models": {"a.ros": roster(force(GUARD), total=costs(cost("86.0")))},
    "several forces": {"a.ros": roster(force(GUARD, inner=costs(cost(3))), force(GUARD), total=costs(cost(175)))},
    "catalogue": {"a.cat": CATALOGUE, "a.gst": SYSTEM},
    "game system": {"a.gst": SYSTEM},
    "format 1": {"a.cat": OLD_CATALOGUE},
    "roster of format 1": {"a.ros": OLD_ROSTER},
}
Converter = Callable[[ET.Element], Any]


def local(name: str) -> str:
    return name.rpartition("}")[2]


def compact(mark: str, text: str, always_lists: bool = False, tags: Callable[[str], str] = local) -> Converter:
    """Return a converter that keeps elements by name, with a mark before attributes and a name for texts."""

    def inside(element: ET.Element) -> Any:
        parts: dict[str, Any] = {f"{mark}{name}": value for name, value in element.attrib.items()}
        if words := (element.text or "").strip():
            parts[text] = words
        for child in element:
            name = tags(child.tag)
            before = parts.get(name)
            if before is None:
                parts[name] = [inside(child)] if always_lists else inside(child)
            else:
                parts[name] = [*(before if isinstance(before, list) else [before]), inside(child)]
        return parts or None

    return lambda root: {tags(root.tag): inside(root)}


def with_holder(holder: str, text: str, lists: bool) -> Converter:
    """Return a converter that keeps all attributes in an object of their own."""

    def inside(element: ET.Element) -> Any:
        parts: dict[str, Any] = {holder: dict(element.attrib)} if element.attrib else {}
        if words := (element.text or "").strip():
            parts[text] = words
        for child in element:
            parts.setdefault(local(child.tag), []).append(inside(child))
        return {name: part if lists or len(part) > 1 or name == holder else part[0] for name, part in parts.items()}

    return lambda root: {local(root.tag): inside(root)}


def nodes(name: str, attributes: str, children: str, text_nodes: bool) -> Converter:
    """Return a converter that writes every element as a node with its name, attributes and children."""

    def node(element: ET.Element) -> dict[str, Any]:
        words = (element.text or "").strip()
        parts = {name: local(element.tag), attributes: dict(element.attrib), children: [*map(node, element)]}
        if words and text_nodes:
            parts[children] = [{"type": "text", "text": words}, *parts[children]]
        return parts | ({"text": words} if words and not text_nodes else {})

    return lambda root: {"declaration": {}, children: [node(root)]} if text_nodes else node(root)


def recruit(root: ET.Element) -> Any:
    """Return what New Recruit writes: lists of objects under the plural, values as values."""

    def inside(element: ET.Element) -> dict[str, Any]:
        parts: dict[str, Any] = dict(element.attrib)
        if words := (element.text or "").strip():
            parts["$text"] = words
        return parts | {local(holder.tag): [*map(inside, holder)] for holder in element}

    return {local(root.tag): inside(root)}


def namespaced(name: str) -> str:
    return f"{{http://x}}{local(name)}"


def prefixed(name: str) -> str:
    return f"bs:{local(name)}"


CONVERTERS: dict[str, Converter] = {
    "xmltodict": compact("@", "#text"),
    "fast-xml-parser": compact("@_", "#text"),
    "fast-xml-parser without a mark": compact("", "#text"),
    "x2js": compact("_", "__text"),
    "mxj": compact("-", "#text"),
    "yq": compact("+@", "+content"),
    "badgerfish": compact("@", "$", tags=namespaced),
    "gdata": compact("", "$t", tags=prefixed),
    "spark": compact("_", "_VALUE"),
    "always lists": compact("@", "#text", always_lists=True),
    "xml2js": with_holder("$", "_", lists=True),
    "xml2js, single objects": with_holder("$", "_", lists=False),
    "xml-js, compact": with_holder("_attributes", "_text", lists=False),
    "php": with_holder("@attributes", "#text", lists=False),
    "xml-js": nodes("name", "attributes", "elements", text_nodes=True),
    "a tree of tags": nodes("tag", "attrib", "children", text_nodes=False),
    "inside a result": lambda root: {"status": "ok", "data": [{"result": compact("@", "#text")(root)}]},
    "without its own name": lambda root: next(iter(compact("@", "#text")(root).values())),
    "a list of one": lambda root: [compact("@", "#text")(root)],
    "New Recruit": recruit,
}


def told(table: EntryTable) -> tuple[object, ...]:
    """Return all of a table but where its rows stood."""
    places = [at for at, header in enumerate(table.headers) if header not in ("file", "line")]
    notes = tuple(note.partition(": ")[2] for note in table.notes)
    return tuple(table.headers[at] for at in places), [[row[at] for at in places] for row in table.rows], notes


def read(folder: Path, files: dict[str, bytes]) -> EntryTable:
    paths = [folder / name for name in files]
    for path in paths:
        path.write_bytes(files[path.name])
    library = read_battlescribe(paths)
    assert library.entries
    return entry_table(library.entries)


@pytest.mark.parametrize("converter", CONVERTERS)
def test_json_of_a_converter_gives_the_table_of_the_xml(tmp_path: Path, converter: str) -> None:
    for of_kind, files in FILES.items():
        if converter == "New Recruit" and of_kind == "roster of format 1":  # which New Recruit has never written
            continue
        from_xml = read(tmp_path, {name: text.encode() for name, text in files.items()})
        roots = {name: ET.fromstring(text) for name, text in files.items()}
        made = {name: json.dumps(CONVERTERS[converter](root)).encode() for name, root in roots.items()}
        assert told(read(tmp_path, {f"{name}.json": data for name, data in made.items()})) == told(from_xml), of_kind


def test_zipped_json_and_costs_by_name(tmp_path: Path) -> None:
    profile = {"name": "Scout", "typeName": "Unit", "characteristics": {"M": "5", "W": 1}}
    unit = {"name": "Scout", "number": 2, "profiles": [profile], "costs": {"pts": 12.5, "PL": "2"}}
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("mine.json", json.dumps({"roster": {"forces": [{"selections": [unit]}]}}))
    table = read(tmp_path, {"mine.zip": data.getvalue()})
    row = dict(zip(table.headers, table.rows[0], strict=True))
    assert (row["M"], row["W"], row["pts"], row["PL"], row["number"]) == (5, 1, 12.5, 2, 2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            '{"army": {"units": []}}',
            "a catalogue: it holds army; allowed: an object named catalogue, gameSystem, roster",
        ),
        ('{"units": [{"name": "Scout", "pts": 5}], "total": 5}', "it holds units, total"),
        ('["roster", {"id": "r"}, ["forces"]]', "is JSON without a roster or a catalogue"),
        ('{"a": {"roster": {"forces": 1}}, "b": {"roster": {}}}', "holds 2 in one (roster, roster)"),
        ('[{"roster": {}}, {"roster": {}}, {"catalogue": {}}]', "holds 3 in one"),
        ("Army Roster (86 pts)\n- River Guard", "neither XML nor JSON, but a text"),
        ("name,pts\nRiver Guard,86\n", "neither XML nor JSON, but a text"),
        ("%PDF-1.7\n", "neither XML nor JSON, but a PDF"),
        (" \n", "neither XML nor JSON, but empty"),
        ('{"roster": {"forces": ', "is no sound JSON"),
    ],
)
def test_what_is_no_roster_is_refused_by_its_shape(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        read(tmp_path, {"a.json": content.encode()})
    assert message in str(caught.value)
