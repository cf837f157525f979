"""Catalogues and rosters grown at random, of BattleScribe 1 and 2 and New Recruit, and ways to spoil them.

Each is sound as it is grown; a mutation changes names, numbers, links and the order of things, so that most stay
sound enough to be read.
"""

from __future__ import annotations

import json
import random
from typing import Any
from xml.sax.saxutils import quoteattr

Tree = tuple[str, dict[str, str], list[Any]]
"""A tag, attributes, and what lies in it: trees, or a text."""

SCHEMA = "http://www.battlescribe.net/schema/"
TYPES = ("Unit", "Weapon", "Psychic power")
NUMBERS = ("0", "0.0", "12.5", "12,5", "-3", "1e3", "1e400", "nan", "", "x", "9" * 40, "1_000", "+7", "³")
MARKS = (("@", "#text"), ("_", "__text"), ("", "$t"), ("-", "#text"), ("@", "$"))
"""How converters of XML to JSON mark attributes, and what they call a text."""
TEXTS = ("", " ", "=1+1", "\u202e", "\x85", "é", "[red]", "<b>", "x" * 3000, "New EntryLink", "pts", "name", "a;b", "'")


def grown(chance: random.Random) -> tuple[str, Tree]:
    """Return the ending of a file and a sound tree for it."""
    kind = chance.choice(("ros", "ros", "json", "cat", "gst", "old.ros", "old.cat"))
    if kind.startswith("old"):
        return kind, _old_roster(chance) if kind.endswith("ros") else _old_catalogue(chance)
    return kind, _roster(chance) if kind in ("ros", "json") else _catalogue(chance, kind)


def mutated(tree: Tree, chance: random.Random) -> None:
    """Change one thing in a tree."""
    places = [*_all(tree)]
    _, attributes, inner = chance.choice(places)
    way = chance.randrange(6)
    if way < 3 and attributes:
        key = chance.choice([*attributes])
        other = chance.choice(places)[1]
        attributes[key] = chance.choice((*NUMBERS, *TEXTS, *other.values()))
    elif way == 3 and attributes:
        attributes[chance.choice(("id", "targetId", "typeId", "name", "points", "battleScribeVersion"))] = "1.x"
    elif inner and way == 4:
        del inner[chance.randrange(len(inner))]
    elif inner:
        inner.append(inner[chance.randrange(len(inner))])


def written(ending: str, tree: Tree, chance: random.Random) -> bytes:
    """Return a tree as a file: XML of some encoding, or JSON; seldom with a byte changed."""
    if ending == "json":
        content = _as_json(tree) if chance.random() < 0.5 else _converted(tree, chance.choice(MARKS))
        data = json.dumps({tree[0]: content}).encode(chance.choice(("utf-8", "utf-16")))
    else:
        encoding = chance.choice(("utf-8", "utf-8", "utf-8", "utf-16", "iso-8859-1"))
        text = f'<?xml version="1.0" encoding="{encoding}"?>{_as_xml(tree)}'
        data = text.encode(encoding, "xmlcharrefreplace")
    if chance.random() < 0.05:
        at = chance.randrange(len(data))
        data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
    return data


def _all(tree: Tree) -> list[Tree]:
    found, waiting = list[Tree](), [tree]
    while waiting and len(found) < 5000:
        each = waiting.pop()
        found.append(each)
        waiting += [inner for inner in each[2] if isinstance(inner, tuple)]
    return found


def _as_xml(tree: Tree, depth: int = 0) -> str:
    tag, attributes, inner = tree
    if depth > 60:
        return ""
    told = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
    parts = (_as_xml(each, depth + 1) if isinstance(each, tuple) else each for each in inner)
    return f"<{tag}{told}>{''.join(parts)}</{tag}>"


def _as_json(tree: Tree) -> dict[str, Any]:
    _, attributes, inner = tree
    content: dict[str, Any] = dict(attributes)
    for each in inner:
        if isinstance(each, tuple):
            content[each[0]] = [_as_json(part) for part in each[2] if isinstance(part, tuple)]
        else:
            content["$text"] = each
    return content


def _converted(tree: Tree, marks: tuple[str, str]) -> dict[str, Any]:
    """Return a tree as converters write it: every element by its name, a list only where there are several."""
    attribute, text = marks
    content: dict[str, Any] = {f"{attribute}{name}": value for name, value in tree[1].items()}
    for each in tree[2]:
        if not isinstance(each, tuple):
            content[text] = each
        elif isinstance(before := content.setdefault(each[0], part := _converted(each, marks)), list):
            before.append(part)
        elif before is not part:
            content[each[0]] = [before, part]
    return content


# -- what grows ------------------------------------------------------------------------------------------------------


def _profiles(chance: random.Random) -> Tree:
    traits: list[Tree] = [
        ("characteristic", {"name": name, "typeId": name}, [str(chance.randrange(9)) + chance.choice(("", "+", "cm"))])
        for name in chance.sample(("M", "W", "S", "pts"), chance.randrange(1, 4))
    ]
    kind = chance.choice(TYPES)
    told = {"id": _id(chance), "name": f"P{chance.randrange(99)}", "typeId": kind, "typeName": kind}
    return "profiles", {}, [("profile", told, [("characteristics", {}, traits)])]


def _costs(chance: random.Random) -> Tree:
    costs: list[Tree] = [
        ("cost", {"name": name, "typeId": name, "value": str(chance.randrange(-4, 300) / 4)}, [])
        for name in chance.sample(("pts", "PL", "CP"), chance.randrange(1, 4))
    ]
    return "costs", {}, costs


def _selection(chance: random.Random, depth: int = 0) -> Tree:
    inner: list[Any] = [_costs(chance)]
    if chance.random() < 0.6:
        inner.append(_profiles(chance))
    if depth < 4:
        inner.append(("selections", {}, [_selection(chance, depth + 1) for _ in range(chance.randrange(3))]))
    told = {"id": _id(chance), "name": f"S{chance.randrange(50)}", "number": str(chance.randrange(1, 9))}
    return "selection", told | {"type": chance.choice(("unit", "model", "upgrade"))}, inner


def _roster(chance: random.Random) -> Tree:
    forces: list[Tree] = [
        ("force", {"id": _id(chance), "name": "F"}, [("selections", {}, [_selection(chance) for _ in range(3)])])
        for _ in range(chance.randrange(1, 3))
    ]
    return "roster", {"id": "r", "name": "R", "battleScribeVersion": "2.03"}, [_costs(chance), ("forces", {}, forces)]


def _entry(chance: random.Random, depth: int = 0) -> Tree:
    inner: list[Any] = [_costs(chance), _profiles(chance)]
    links: list[Tree] = [
        ("entryLink", {"id": _id(chance), "name": "", "targetId": _id(chance), "type": "selectionEntry"}, [])
        for _ in range(chance.randrange(3))
    ]
    least = {"type": "min", "field": "selections", "scope": "parent", "value": f"{chance.randrange(4)}.0"}
    inner += [("entryLinks", {}, links), ("constraints", {}, [("constraint", least, [])])]
    if depth < 3:
        entries: Tree = ("selectionEntries", {}, [_entry(chance, depth + 1) for _ in range(chance.randrange(3))])
        group = {"id": _id(chance), "name": "G", "defaultSelectionEntryId": _id(chance)}
        inner += [entries, ("selectionEntryGroups", {}, [("selectionEntryGroup", group, [inner[-1], entries])])]
    return "selectionEntry", {"id": _id(chance), "name": f"E{chance.randrange(50)}", "type": "unit"}, inner


def _catalogue(chance: random.Random, ending: str) -> Tree:
    tag = "catalogue" if ending == "cat" else "gameSystem"
    lists: list[Tree] = [
        (name, {}, [_entry(chance) for _ in range(2)]) for name in ("selectionEntries", "sharedSelectionEntries")
    ]
    return tag, {"id": "c", "name": "C", "battleScribeVersion": "2.03", "xmlns": f"{SCHEMA}{tag}Schema"}, [*lists]


def _old_inner(chance: random.Random) -> list[Any]:
    traits: list[Tree] = [
        ("characteristic", {"characteristicId": "w", "name": "W", "value": str(chance.randrange(9))}, [])
    ]
    told = {"id": _id(chance), "name": "P", "profileTypeId": "t"}
    links: list[Tree] = [
        ("link", {"id": _id(chance), "targetId": _id(chance), "linkType": kind}, [])
        for kind in chance.sample(("entry", "entryGroup", "profile", "rule"), 2)
    ]
    return [("profiles", {}, [("profile", told, [("characteristics", {}, traits)])]), ("links", {}, links)]


def _old_entry(chance: random.Random, depth: int = 0) -> Tree:
    told = {"id": _id(chance), "name": "E", "points": f"{chance.randrange(99)}.0", "categoryId": "(No Category)"}
    told |= {"type": "model", "minSelections": str(chance.randrange(3)), "maxSelections": "-1"}
    inner = _old_inner(chance)
    if depth < 3:
        entries: Tree = ("entries", {}, [_old_entry(chance, depth + 1) for _ in range(chance.randrange(3))])
        group: Tree = ("entryGroup", {"id": _id(chance), "name": "G", "defaultEntryId": _id(chance)}, [entries])
        inner += [entries, ("entryGroups", {}, [group])]
    return "entry", told, inner


def _old_catalogue(chance: random.Random) -> Tree:
    lists: list[Tree] = [(name, {}, [_old_entry(chance) for _ in range(2)]) for name in ("entries", "sharedEntries")]
    return "catalogue", {"id": "c", "name": "C", "battleScribeVersion": "1.15"}, [*lists]


def _old_roster(chance: random.Random) -> Tree:
    def selection(depth: int) -> Tree:
        told = {"id": _id(chance), "name": "S", "points": f"{chance.randrange(99)}.5", "number": "2"}
        inner = _old_inner(chance)[:1]
        if depth < 3:
            inner.append(("selections", {}, [selection(depth + 1) for _ in range(chance.randrange(3))]))
        return "selection", told, inner

    category: Tree = ("category", {"id": "k", "name": "Troops"}, [("selections", {}, [selection(0) for _ in range(3)])])
    forces: Tree = ("forces", {}, [("force", {"id": "f"}, [("categories", {}, [category])])])
    return "roster", {"id": "r", "name": "R", "battleScribeVersion": "1.15", "points": "90.0"}, [forces]


def _id(chance: random.Random) -> str:
    return f"{chance.randrange(40):04x}"
