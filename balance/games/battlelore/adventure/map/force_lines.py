"""The lines of an adventure's file that are about forces: what each brings, and which units stand in which hexes.

`english: pennant, 4 banners, 6 cards` is a force, and below `english:` its units stand, `A3, A11 human_archers`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from balance.base.errors import Fault, gathering, suggestion
from balance.base.text import slug
from balance.catalogue import Catalogue
from balance.game.kit.drawings import CUTS, Line, without_quotes
from balance.games.battlelore.adventure.map.adventure import LONGEST_ROW, ROWS, Council, Deployed, cell_of
from balance.games.battlelore.sides import parse_fighter

CAMPS = {
    "standard": "standard",
    "stendardo": "standard",
    "stendardi": "standard",
    "pennant": "pennant",
    "bandiera": "pennant",
    "bandiere": "pennant",
}
"""Slug of a camp -> the camp (BL-SETUP-06)."""
AMOUNTS = {
    **dict.fromkeys(("banner", "banners", "vittoria", "vittorie"), "banners"),
    **dict.fromkeys(("card", "cards", "carta", "carte"), "cards"),
    **dict.fromkeys(("token", "tokens", "gettone", "gettoni"), "tokens"),
}
"""What so many of are written -> what that is."""
MASTERS = {
    **dict.fromkeys(("commander", "comandante"), "commander"),
    **dict.fromkeys(("wizard", "mago"), "wizard"),
    **dict.fromkeys(("rogue", "ladro"), "rogue"),
    **dict.fromkeys(("cleric", "chierico"), "cleric"),
    **dict.fromkeys(("warrior", "guerriero"), "warrior"),
}
"""Member of a war council as it is written -> the member."""
PART_TEXT = (
    "standard or pennant, N banners, N cards; with lore N tokens, and commander, wizard, rogue, cleric, warrior N"
)
FORCE_TIP = "such as `english: pennant, 4 banners, 6 cards`"
MOST_LEVEL = 3
"""Of a member of a war council (BL-WC-01)."""
MOST_UNITS = 31
"""Of a side: their numbers are places in a table."""
_HEX = re.compile(r"[A-Za-z]\d{1,3}(?!\w)")
_AMOUNT, _LEVEL = re.compile(r"(\d{1,3}) ?(\w+)"), re.compile(r"(\w+) ?(\d{1,3})")
HEX_TEXT = f"A1 to A{LONGEST_ROW}, B1 to B{LONGEST_ROW - 1}, ... to {chr(ord('A') + ROWS - 1)}{LONGEST_ROW}"


@dataclass
class Draft:
    """A force while its lines are read; numbers and council levels are those written so far."""

    name: str
    row: int
    camp: str = ""
    amounts: dict[str, int] = field(default_factory=dict)
    council: dict[str, int] = field(default_factory=dict)
    units: list[Deployed] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    @property
    def levels(self) -> Council:
        """Its war council; levels that are not written are 0."""
        return Council(**self.council)


@dataclass(frozen=True)
class Place:
    """A hex as it is written: its line and column in the file, its text, and its cell."""

    row: int
    column: int
    text: str
    cell: int


def hexes_of(line: Line, cut: str, place: str, faults: list[Fault]) -> tuple[list[Place], str]:
    """Return the hexes that a line begins with, and the rest of it; adds faults for hexes off the board, or none.

    `cut` separates the cells of the drawing, and `place` is the file.
    """
    text, at, hexes = without_quotes(line.text, cut), 0, list[Place]()
    shift = line.column + line.text.find(text)
    while match := _HEX.match(text, at):
        spot, cell = (line.number, shift + at), cell_of(match[0])
        if cell is not None:
            hexes.append(Place(*spot, match[0], cell))
        else:
            fault = "is no hex of the board"
            faults.append(Fault(fault, place, spot[0], f"column {spot[1]}", match[0], HEX_TEXT))
        at = match.end()
        at += len(text[at:]) - len(text[at:].lstrip(f" {CUTS}"))
    if at == 0:
        tip = "such as `A3, A11 human_archers`"
        faults.append(Fault("begins with no hex", place, line.number, found=text, allowed=HEX_TEXT, tip=tip))
    return hexes, text[at:].strip(f" {CUTS}")


def read_force(name: str, value: str, location: str, row: int, *, lore: bool, faults: list[Fault]) -> Draft:
    """Return a force from its line `name: value`, and add to `faults`.

    Without `lore` it can have neither council nor tokens; `location` and `row` are the place of faults.
    """
    draft = Draft(slug(name), row)
    parts = [part.strip() for part in re.split(r"[,;\t]", value)]
    for part in filter(None, parts):
        if message := _read_part(draft, part.casefold(), lore=lore):
            tip = suggestion(slug(part), CAMPS) if part.isalpha() else ""
            faults.append(Fault(message, location, row, draft.name, part, PART_TEXT, tip))
    faults += (
        Fault(f"has no {part_name}", location, row, draft.name, tip=FORCE_TIP)
        for part_name, is_there in (("camp", draft.camp), ("banners", "banners" in draft.amounts))
        if not is_there
    )
    if not lore and "cards" not in draft.amounts:
        faults.append(Fault("has no cards", location, row, draft.name, tip=FORCE_TIP))
    return draft


def _read_part(draft: Draft, part: str, *, lore: bool) -> str:
    """Read one part of a force's line into its draft; return what is wrong with it, or an empty text."""
    if camp := CAMPS.get(slug(part)):
        message = "is a second camp" if draft.camp else ""
        draft.camp = camp
        return message
    amount, level = _AMOUNT.fullmatch(part), _LEVEL.fullmatch(part)
    if amount and (of := AMOUNTS.get(amount[2])):
        return (
            "needs the Lore system (lore: yes)" if of == "tokens" and not lore else _set(draft.amounts, of, amount[1])
        )
    if level and (of := MASTERS.get(level[1])):
        if not lore:
            return "needs the Lore system (lore: yes)"
        return _set(draft.council, of, level[2]) or (
            "is a level above 3 (BL-WC-01)" if draft.council[of] > MOST_LEVEL else ""
        )
    return "is nothing that a force brings"


def _set(values: dict[str, int], name: str, number: str) -> str:
    """Set a number that is not set yet; return what is wrong with it, or an empty text."""
    message = "stands there twice" if name in values else ""
    values[name] = int(number)
    return message or ("is none" if name in ("banners", "cards") and not values[name] else "")


def looks_like_a_force(value: str) -> bool:
    """Return whether the text after a colon may describe a force.

    >>> looks_like_a_force("pennant, 4 banners"), looks_like_a_force("yes")
    (True, False)
    """
    parts = [slug(part) for part in re.split(r"[,;\t]", value)]
    return any(part in CAMPS or part.rpartition("_")[2] in AMOUNTS for part in parts)


def read_units(lines: Sequence[Line], draft: Draft, cut: str, location: str, catalogue: Catalogue) -> Iterator[Fault]:
    """Read the lines below a force's name into its draft, and yield faults; `cut` separates cells of the drawing."""
    for line in lines:
        faults = list[Fault]()
        places, unit = hexes_of(line, cut, location, faults)
        if places and not unit:
            tip = "such as `A3, A11 human_archers`"
            faults.append(Fault("names no unit", location, line.number, found=line.text.strip(), tip=tip))
        elif unit and (places or faults):
            faults += _unit_faults(catalogue, unit, location, line.number)
        yield from faults
        name = "+".join(map(slug, unit.split("+")))
        draft.units += [Deployed(name, place.cell) for place in places]
        draft.places += places


def _unit_faults(catalogue: Catalogue, unit: str, location: str, row: int) -> Iterator[Fault]:
    """Yield the faults of the name of a unit, at the line where it is written."""
    faults = list[Fault]()
    with gathering(faults):
        parse_fighter(catalogue, unit)
    for fault in faults:
        yield Fault(fault.message, location, row, fault.field, fault.found, fault.allowed, fault.tip)
