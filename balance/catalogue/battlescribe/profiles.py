"""A designer's own BattleScribe files as a table: one row for each profile of an entry, links followed.

The format is XML (its schema: github.com/BSData/schemas, `Catalogue.xsd`; what its parts mean: the wiki of
BSData/catalogue-development, "Data structure overview"). A game system (`.gst`) declares types of costs, profiles and
categories; catalogues (`.cat`) hold entries; entries, groups of entries, profiles and rules may be shared and are then
linked by id, across files; a roster (`.ros`) holds what was selected. Each may be zipped (`.gstz`, `.catz`, `.rosz`).
What modifiers would change in a roster is left out: the table shows what is printed on the card.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from balance.base.errors import CatalogueError, Fault, UsageError, gathering
from balance.base.limits import MOST_LINK_STEPS
from balance.catalogue.battlescribe.available import available_elements, elements_of
from balance.catalogue.battlescribe.costs import Costs, EntryCosts, Part, plain_cost, read_costs, roster_parts
from balance.catalogue.battlescribe.files import read_file
from balance.catalogue.battlescribe.xml_reading import Element

CARRIERS = ("selectionEntry", "selectionEntryGroup", "entryLink", "selection")
"""Elements that may have profiles: in a catalogue, or what a roster selects."""
KINDS = {"selectionEntryGroup": "group", "entryLink": "link", "selection": "selection"}
LINKS = ("entryLink", "infoLink", "categoryLink", "catalogueLink")
TARGETS = (
    *("selectionEntry", "selectionEntryGroup", "profile", "rule", "infoGroup"),
    *("categoryEntry", "costType", "profileType", "catalogue", "gameSystem"),
)
"""Elements that a link may lead to."""
LINK_NOUNS = {
    "catalogueLink": "a catalogue",
    "categoryLink": "a category",
    "selectionEntryGroup": "a group",
    **{kind: f"a {kind}" for kind in ("profile", "rule")},
    "infoGroup": "a group of rules",
}
"""What a link leads to, in words."""
MOST_TOLD = 5
"""Notes of one kind that a file gives."""
_TRAIT_IDS = ("typeId", "characteristicTypeId", "characteristicId")
NO_NAMES = ("", "new entrylink", "new infolink", "new categorylink")
"""What the editor calls a link that nobody named."""


@dataclass(frozen=True)
class Entry:
    """One profile of one entry.

    * `type`: "unit", "model", "upgrade", "group", "link" or "selection".
    * `profile` and `profile_type`: the profile's own name, and that of its type, such as "Unit".
    * `characteristics` and `costs`: by name, as written; costs are exact numbers, without those of what it holds.
    * `categories`, `holds`, `rules`: names: of its categories; of the entries in it, its links and groups followed; of
      its rules and other profiles.
    * `number`: how many were selected, in a roster; None in a catalogue.
    * `file` and `line`: where the entry stands; line 0 in a file that has no lines that count.
    * `as_it_comes`: in a catalogue its costs with those of what it must hold; in a roster its own.
    * `part`: the selection of a roster that it is, with what is above and below it; None in a catalogue.
    """

    name: str
    id: str
    type: str
    profile: str
    profile_type: str
    characteristics: dict[str, str]
    costs: Costs
    categories: tuple[str, ...]
    holds: tuple[str, ...]
    rules: tuple[str, ...]
    number: int | None
    file: Path
    line: int
    as_it_comes: Costs = field(default_factory=dict)
    part: Part | None = field(default=None, repr=False, compare=False)


@dataclass
class Library:
    """Files read together.

    `entries`: in the order of the files and in each in document order. `unresolved_links`: links to an id that no file
    has, each a fault with its file and line. `notes`: what is missing, repeated or left out, in sentences.
    """

    entries: list[Entry] = field(default_factory=list)
    unresolved_links: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def profile_types(self) -> dict[str, int]:
        """Type of profile -> number of rows."""
        counts: dict[str, int] = {}
        for entry in self.entries:
            counts[entry.profile_type] = counts.get(entry.profile_type, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def read_battlescribe(paths: Sequence[Path]) -> Library:
    """Read files that belong together, such as a catalogue and its game system.

    `CatalogueError` with all faults of files that cannot be read; `UsageError` for no file, or one twice.
    """
    if not paths:
        raise UsageError(Fault("names no file", "FILE", tip="such as army.cat army.gst"))
    if twice := sorted({str(path) for path in paths if paths.count(path) > 1}):
        raise UsageError([Fault("is named twice", path) for path in twice])
    faults, roots = list[Fault](), list[tuple[Path, Element]]()
    for path in paths:
        with gathering(faults):
            roots.append((path, read_file(path)))
    if faults:
        raise CatalogueError(faults)
    return _Files(roots).library()


class _Files:
    """The trees of several files, with their elements and links by id."""

    def __init__(self, roots: Sequence[tuple[Path, Element]]) -> None:
        self.roots, self.steps = roots, 0
        self.targets: dict[str, Element] = {}
        self.links_to: dict[str, list[Element]] = {}
        self.type_names: dict[str, str] = {}
        self.trait_names: dict[str, str] = {}
        self.twice: list[tuple[Path, Element]] = []
        for path, root in roots:
            for element in elements_of(root):
                self._note_ids(path, element, may_repeat=root.tag == "roster")
        self.costs = EntryCosts(self.targets, self.links_to, self._step)

    def _note_ids(self, path: Path, element: Element, may_repeat: bool) -> None:
        name = element.get("id")
        if element.tag in TARGETS and name:
            if name in self.targets and not may_repeat:  # in a roster, a unit that is there twice has its ids twice
                self.twice.append((path, element))
            self.targets.setdefault(name, element)
        if element.tag == "profile" and _told_type(element):
            self.type_names.setdefault(_type_id(element), _told_type(element))
        if element.tag == "characteristicType" and name:
            self.trait_names.setdefault(name, element.get("name"))
        if element.tag == "entryLink":
            self.links_to.setdefault(element.get("targetId"), []).append(element)

    def library(self) -> Library:
        """Return the entries of all files, with unresolved links and notes."""
        library = Library(notes=[*self._notes()])
        available = available_elements(self.roots, self.targets, self._step)
        for path, root in self.roots:
            parts = roster_parts(root, path, self.targets) if root.tag == "roster" else {}
            unread_costs, rowless, left_out = list[str](), list[str](), list[str]()
            n_before = len(library.entries)
            for element in elements_of(root):
                costs = read_costs(element, self.targets, unread_costs) if element.children else {}
                if element.tag in LINKS and element.get("targetId") not in self.targets:
                    library.unresolved_links.append(_leads_nowhere(path, element))
                if element.tag not in CARRIERS:
                    continue
                rows = [*self._entries(path, element, parts.get(id(element)))]
                if id(element) not in available:
                    left_out += [row.name for row in rows[:1]]
                    continue
                library.entries += rows
                if not rows and element.tag == "selectionEntry" and any(costs.values()):
                    costs_text = ", ".join(f"{plain_cost(cost)} {name}" for name, cost in costs.items() if cost)
                    rowless.append(f"{element.get('name') or 'without a name'} ({costs_text})")
            library.notes += _told_of_file(path, unread_costs, rowless, left_out)
            if len(library.entries) == n_before and root.tag != "gameSystem" and not left_out:
                library.notes.append(f"{path}: nothing in it has a profile, so that no row comes of it")
        return library

    def _notes(self) -> Iterator[str]:
        for path, root in self.roots:
            system = root.get("gameSystemId")
            if root.tag == "catalogue" and system and system not in self.targets:
                yield f"{path}: its game system is not among the files; name its .gst too"
        for path, element in self.twice[:MOST_TOLD]:
            place = f"{path}, line {element.line}" if element.line else str(path)
            yield f"{place}: id {element.get('id')!r} is there twice; the first one counts"
        if len(self.twice) > MOST_TOLD:
            yield f"{len(self.twice) - MOST_TOLD:,} more ids are there twice"

    def _entries(self, path: Path, element: Element, part: Part | None) -> Iterator[Entry]:
        """Yield a row for each profile of an element, its own and those that it links; none without a profile."""
        profiles = list[Element]()
        rules = list[Element]()
        for info in self._infos(element):
            (profiles if info.tag == "profile" else rules).append(info)
        if not profiles:
            return
        link_target = self.targets.get(element.get("targetId")) if element.tag == "entryLink" else None
        costs = self.costs.costs_of(element) if part is None else part.costs
        as_it_comes = self.costs.as_it_comes(element) if part is None else costs
        categories, holds = self._categories(element), self._holds(element)
        number = element.get("number")
        for profile in profiles:
            other_infos = [info_element for info_element in (*profiles, *rules) if info_element is not profile]
            yield Entry(
                _name_of(element, link_target),
                element.get("id"),
                element.get("type")
                if element.tag == "selectionEntry"
                else element.tag.removeprefix("selectionEntry").lower(),
                profile.get("name"),
                self._type_of(profile),
                self._characteristics(profile),
                costs,
                categories,
                holds,
                tuple(dict.fromkeys(info_element.get("name") for info_element in other_infos)),
                int(number) if number.isdecimal() and len(number) < 9 else None,
                path,
                element.line,
                as_it_comes,
                part,
            )

    def _infos(self, element: Element) -> list[Element]:
        """Return the profiles and rules of an element, those of its links and of groups of them too, each once."""
        infos, visited, stack = list[Element](), set[int](), [element]
        while stack:
            self._step()
            holder = stack.pop()
            if id(holder) in visited:
                continue
            visited.add(id(holder))
            if holder.tag in ("profile", "rule"):
                infos.append(holder)
                continue
            inside = [*holder.within("profiles", "rules", "infoGroups")]
            links = (self.targets.get(link.get("targetId")) for link in holder.within("infoLinks"))
            inside += [part for part in links if part is not None and part.tag in ("profile", "rule", "infoGroup")]
            stack += reversed(inside)
        return infos

    def _holds(self, element: Element) -> tuple[str, ...]:
        """Return the names of the entries in an element; groups and links to groups are looked into, each once."""
        names, visited, queue = dict[str, None](), {id(element)}, deque([element])
        while queue:
            self._step()
            holder = queue.popleft()
            for inner in holder.within("selectionEntries", "selectionEntryGroups", "entryLinks", "selections"):
                self._step()
                target = self.targets.get(inner.get("targetId")) if inner.tag == "entryLink" else inner
                if target is not None and target.tag == "selectionEntryGroup":
                    if id(target) not in visited:
                        visited.add(id(target))
                        queue.append(target)
                elif name := _name_of(inner, target):
                    names[name] = None
        return tuple(names)

    def _categories(self, element: Element) -> tuple[str, ...]:
        """Return the names of the categories of an entry and of the links to it."""
        names = dict[str, None]()
        for holder in (element, *self.links_to.get(element.get("id"), ())):
            self._step()
            for link in holder.within("categoryLinks", "categories"):
                names[_name_of(link, self.targets.get(link.get("targetId")), target_first=True)] = None
        return tuple(name for name in names if name)

    def _characteristics(self, profile: Element) -> dict[str, str]:
        """Return the characteristics of a profile by name; in files before 2.0 the value is an attribute."""
        values: dict[str, str] = {}
        for characteristic in profile.within("characteristics"):
            number = next(filter(None, map(characteristic.get, _TRAIT_IDS)), "")
            if name := characteristic.get("name") or self.trait_names.get(number) or number:
                values.setdefault(name, characteristic.text or " ".join(characteristic.get("value").split()))
        return values

    def _type_of(self, profile: Element) -> str:
        """Return the name of a profile's type: its own word, the type's, or that of another profile of the type."""
        kind = self.targets.get(_type_id(profile))
        type_name = kind.get("name") if kind is not None else self.type_names.get(_type_id(profile), "")
        return _told_type(profile) or type_name or "profile"

    def _step(self) -> None:
        """Count a step along links; `CatalogueError` beyond `MOST_LINK_STEPS`, as few links can make many paths."""
        self.steps += 1
        if self.steps > MOST_LINK_STEPS:
            paths = str(self.roots[0][0])
            raise CatalogueError(Fault(f"its links lead on for more than {MOST_LINK_STEPS:,} steps", paths))


def _name_of(element: Element, target: Element | None, target_first: bool = False) -> str:
    """Return the name of an element, or of its link target if it has none of its own."""
    own_name = element.get("name")
    target_name = target.get("name") if target is not None else ""
    if own_name.casefold() in NO_NAMES:
        return target_name
    return target_name if target_first and target_name else own_name


def _type_id(profile: Element) -> str:
    return profile.get("typeId") or profile.get("profileTypeId")


def _told_type(profile: Element) -> str:
    return profile.get("typeName") or profile.get("profileTypeName")


def _told_of_file(
    path: Path, unread_costs: Sequence[str], rowless: Sequence[str], left_out: Sequence[str]
) -> Iterator[str]:
    """Yield notes on costs that are no numbers or have no row, and on entries that no army here may hold."""
    yield from (f"{path}, {text}" for text in unread_costs[:MOST_TOLD])
    if (more := len(unread_costs) - MOST_TOLD) > 0:
        yield f"{path}: {more:,} more costs are no numbers, and are left out"
    if rowless:
        yield f"{path}: what costs something and has no row, since it has no profile: {_first_names(rowless)}"
    if left_out:
        yield f"{path}: left out, since nothing here links or imports it: {_first_names(left_out)}"


def _first_names(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")


def _leads_nowhere(path: Path, link: Element) -> Fault:
    noun = LINK_NOUNS.get(link.tag) or LINK_NOUNS.get(link.get("type"), "an entry")
    name = f" named {link.get('name')!r}" if link.get("name").casefold() not in NO_NAMES else ""
    return Fault(
        f"links {noun}{name} that is in none of the files", str(path), link.line or None, found=link.get("targetId")
    )
