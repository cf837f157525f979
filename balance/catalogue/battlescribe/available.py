"""Which entries of several files an army may hold: its catalogue's, what that links or imports, its game system's.

An entry at the root of a game system is there in every roster of that system. A shared entry, or an entry of a library,
is there where a link leads to it, or where a catalogue imports the library's root entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from balance.catalogue.battlescribe.xml_reading import Element

Roots = Sequence[tuple[Path, Element]]
_ROOT_LISTS = ("selectionEntries", "entryLinks")


def available_elements(roots: Roots, targets: Mapping[str, Element], step: Callable[[], None]) -> set[int]:
    """Return the `id()` of all elements that the files' armies may hold; all of them where no file is an army's.

    `targets` has the elements of all files by id; `step` is called for each element visited, to limit the work.
    """
    armies = [root for _, root in roots if root.tag == "roster" or _is_army(root)]
    armies = armies or [root for _, root in roots if root.tag == "catalogue"] or [root for _, root in roots]
    waiting, visited = [*armies], set[int]()
    systems = {root.get("gameSystemId") for root in armies if root.tag == "catalogue"}
    for _, root in roots:
        if root.tag == "gameSystem" and (root.get("id") in systems or "" in systems):
            waiting += _root_entries(root)
    while waiting:
        for element in elements_of(waiting.pop()):
            if id(element) in visited:
                continue
            step()
            visited.add(id(element))
            target = targets.get(element.get("targetId"))
            if target is None:
                continue
            if element.tag == "entryLink":
                waiting.append(target)
            elif element.tag == "catalogueLink" and element.get("importRootEntries") == "true":
                waiting += [entry for entry in _root_entries(target) if entry.get("import") != "false"]
                waiting += [link for link in target.within("catalogueLinks") if id(link) not in visited]
    return visited


def elements_of(root: Element) -> Iterator[Element]:
    """Yield an element and all below it in document order."""
    stack = [root]
    while stack:
        element = stack.pop()
        yield element
        stack += reversed(element.children)


def _is_army(root: Element) -> bool:
    return root.tag == "catalogue" and root.get("library") != "true"


def _root_entries(root: Element) -> list[Element]:
    return [*root.within(*_ROOT_LISTS)]
