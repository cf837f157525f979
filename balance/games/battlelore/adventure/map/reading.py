"""Adventures as designers write them, read with every fault told at once, by row and column as editors show them.

A file has lines `key: value`, a line for each force, the drawing, and below it the units of each force. It is taken as
editors and spreadsheets write it, see `balance.game.kit.drawings`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from balance.base.errors import CatalogueError, Fault, unknown
from balance.base.limits import MOST_FAULTS
from balance.base.text import slug
from balance.catalogue import Catalogue
from balance.game.kit.drawings import (
    CUTS,
    Cell,
    Line,
    cells_of,
    letter_faults,
    lines_of,
    text_faults,
    usual_spacing,
    without_blank_ends,
    without_quotes,
)
from balance.games.battlelore.adventure.map.adventure import (
    COUNTRYSIDE,
    GRID,
    ROWS,
    Adventure,
    Force,
    combined,
    row_length,
)
from balance.games.battlelore.adventure.map.also_lines import Extras, read_also
from balance.games.battlelore.adventure.map.checks import digest_of, faults_of
from balance.games.battlelore.adventure.map.force_lines import (
    FORCE_TIP,
    Draft,
    looks_like_a_force,
    read_force,
    read_units,
)

LETTERS = {
    ".": COUNTRYSIDE,
    "F": "forest",
    "H": "hill",
    "W": "watercourse",
    "f": "ford",
    "B": "bridge",
    "L": "landmark",
    "R": "rampart",
    "S": "stronghold",
    "D": "rogues_den",
    "T": "training_camp",
    "P": "magic_pentacle",
    "O": "healing_pool",
}
"""Letter of a drawing -> the terrain."""
LETTERS_TEXT = ", ".join(f"{letter} {name.replace('_', ' ')}" for letter, name in LETTERS.items())
KEYS = {
    "title": "title",
    "titolo": "title",
    "note": "note",
    "nota": "note",
    "lore": "lore",
    "first": "first",
    "primo": "first",
    "masters_landmarks": "masters",
    "luoghi_dei_maestri": "masters",
}
"""Slug of a key -> the key."""
KEY_NAMES = ("title", "note", "lore", "first", "masters' landmarks")
ALSO = ("also", "inoltre")
ANSWERS = {"yes": True, "si": True, "no": False}
BLANK_TIP = "take it away: the board has nine rows, of 13 and 12 hexes by turns"


@dataclass
class _Parts:
    """The lines of a file by section: `key: value`, drawing, and those below `NAME:` with their heads."""

    header: list[Line] = field(default_factory=list)
    rows: list[Line] = field(default_factory=list)
    blocks: dict[str, list[Line]] = field(default_factory=dict)
    heads: dict[str, Line] = field(default_factory=dict)


@dataclass
class _Reader:
    """A file while it is read, with its faults so far; `n_told` is their number at the last call of `is_sound`."""

    place: str
    catalogue: Catalogue
    parts: _Parts
    cut: str
    faults: list[Fault] = field(default_factory=list)
    n_told: int = 0

    def is_sound(self) -> bool:
        """Return whether no fault was added since the last call."""
        before, self.n_told = self.n_told, len(self.faults)
        return before == self.n_told


@dataclass
class Sheet:
    """A file that has been read, whatever is wrong with it.

    * `values`: key -> value, of `title`, `note`, `lore` and `masters`, those that are not written included.
    * `cut`: what separates the cells of the drawing.
    * `drafts`, `extras`, `first`: the forces that could be read, what is said of hexes, and the side that begins, 0 or
      1.
    * `cells`: the letters of the rows.
    * `adventure`: what is to be played; None where forces or drawing are incomplete.
    """

    values: Mapping[str, str]
    parts: _Parts
    cut: str
    drafts: Sequence[Draft]
    extras: Extras
    first: int
    cells: Sequence[Sequence[Cell]]
    faults: list[Fault]
    adventure: Adventure | None = None


def read_adventure(text: str, place: str, catalogue: Catalogue, name: str | None = None) -> Adventure:
    """Return the adventure of a file's text; `CatalogueError` with every fault, by row and column.

    `place` is the file, and gives the id of the adventure unless `name` does.
    """
    sheet = read_sheet(text, place, catalogue, name)
    if sheet.faults or sheet.adventure is None:
        raise CatalogueError(sheet.faults[:MOST_FAULTS])
    return replace(sheet.adventure, digest=digest_of(sheet.adventure))


def read_sheet(text: str, place: str, catalogue: Catalogue, name: str | None = None) -> Sheet:
    """Read an adventure as far as possible, and note all that is wrong, each thing once; see `read_adventure`.

    Faults of the whole are looked for only where the parts that they rest on are sound: a unit that could not be read
    is no missing banner.
    """
    parts = _parts(lines_of(text))
    reader = _Reader(place, catalogue, parts, usual_spacing(parts.rows))
    values, force_lines = _header(reader)
    sound = {"header": reader.is_sound()}
    if "title" not in values:
        reader.faults.append(Fault("has no title", place, tip="such as `title: Two hills`"))
        reader.is_sound()
    drafts = _forces(reader, force_lines, lore=values["lore"] == "yes")
    sound["forces"] = reader.is_sound()
    sides = {draft.name: side for side, draft in enumerate(drafts)}
    cells = _cells(reader)
    sound["drawing"] = reader.is_sound()
    extras = _blocks(reader, sides, drafts, sound)
    first = _first(reader, values.get("first"), sides)
    sheet = Sheet(values, parts, reader.cut, drafts, extras, first, cells, reader.faults)
    if len(drafts) == 2 and sound["drawing"]:
        own_name = slug(Path(place).stem) if name is None else name
        sheet.adventure = _adventure(own_name, values, drafts, first, _terrain(cells, extras), extras)
        sheet.faults += faults_of(sheet.adventure, drafts, extras, place, catalogue, sound)
    return sheet


def _adventure(
    name: str,
    values: Mapping[str, str],
    drafts: Sequence[Draft],
    first: int,
    terrain: tuple[tuple[str, ...], ...],
    extras: Extras,
) -> Adventure:
    a, b = (
        Force(
            draft.name,
            draft.camp,
            draft.amounts.get("banners", 1),
            draft.amounts.get("cards", 0),
            tuple(draft.units),
            draft.levels,
            draft.amounts.get("tokens"),
        )
        for draft in drafts
    )
    return Adventure(
        name,
        values.get("title", ""),
        values["lore"] == "yes",
        (a, b),
        first,
        terrain,
        tuple(sorted(extras.owners.items())),
        tuple(sorted(extras.blazons, key=lambda blazon: (blazon.cell, blazon.side))),
        values["masters"] == "yes",
        values["note"],
    )


# -- which line is what ------------------------------------------------------------------------------------------------


def _parts(lines: Sequence[Line]) -> _Parts:
    """Return the lines of a file by what they are: keys and forces, the drawing, and blocks below `NAME:`."""
    parts, block = _Parts(), list[Line]()
    drawing_ends = False
    for line in lines:
        word, colon, value = without_quotes(line.text, ";").partition(":")
        is_head = bool(colon) and not value.strip(f' {CUTS}"') and slug(word) not in KEYS
        drawing_ends |= bool(parts.rows) and bool(colon)
        if is_head:
            block = parts.blocks.setdefault(slug(word), [])
            parts.heads.setdefault(slug(word), line)
        elif not drawing_ends and (parts.rows or (not colon and not line.blank and _is_drawn(line))):
            indent = len(line.text) - len(line.text.lstrip(f" {CUTS}")) if line.text.strip(f" {CUTS}") else 0
            parts.rows.append(replace(line, text=line.text[indent:], column=1 + indent))
        elif not line.blank:
            (parts.header if colon or not parts.heads else block).append(line)
    parts.rows = without_blank_ends(parts.rows)
    return parts


def _is_drawn(line: Line) -> bool:
    """Return whether a line may be a row of the drawing: at least half of what is written there is letters of it."""
    letters = re.sub(rf"[\s'\"{CUTS}]", "", line.text)
    return sum(letter in LETTERS for letter in letters) * 2 >= len(letters) > 0


# -- keys and forces ---------------------------------------------------------------------------------------------------


def _header(reader: _Reader) -> tuple[dict[str, str], list[tuple[str, str, int]]]:
    """Return key -> value, and (name, value, line) of each force."""
    values, forces, faults = dict[str, str](), list[tuple[str, str, int]](), reader.faults
    for line in reader.parts.header:
        text = without_quotes(line.text, reader.cut)
        word, colon, value = (part.strip() for part in text.partition(":"))
        value = value.strip(f" {reader.cut}")
        key = KEYS.get(slug(word))
        if not colon:
            faults.append(Fault("is not `key: value`", reader.place, line.number, found=text))
        elif key is None and looks_like_a_force(value):
            forces.append((word, value, line.number))
        elif key is None:
            tip_fault = unknown(word, KEY_NAMES, "is no key of an adventure", reader.place, line.number)
            faults.append(replace(tip_fault, tip=tip_fault.tip or f"a force is written {FORCE_TIP}"))
        elif key in values:
            faults.append(Fault("stands there twice", reader.place, line.number, key))
        else:
            values[key] = _value(reader, key, value, line.number)
    return {"note": "", "lore": "no", "masters": "no", **values}, forces


def _value(reader: _Reader, key: str, value: str, row: int) -> str:
    """Return a value of the header; "yes" or "no" for a key that is either."""
    if key in ("title", "note"):
        reader.faults += text_faults(key, value, reader.place, row)
    if key in ("lore", "masters"):
        if slug(value) not in ANSWERS:
            reader.faults.append(Fault("is neither", reader.place, row, key, value, "yes, no"))
        return "yes" if ANSWERS.get(slug(value)) else "no"
    return value


def _forces(reader: _Reader, lines: Sequence[tuple[str, str, int]], *, lore: bool) -> list[Draft]:
    """Return the two forces; fewer, more, or two of one name are faults."""
    drafts, faults, place = list[Draft](), reader.faults, reader.place
    for name, value, row in lines:
        draft = read_force(name, value, place, row, lore=lore, faults=faults)
        if not draft.name or draft.name in ALSO:
            faults.append(Fault("is no name of a force", place, row, found=name))
        elif any(draft.name == first.name for first in drafts):
            faults.append(Fault("is the name of both forces", place, row, found=name))
        elif len(drafts) == 2:
            faults.append(Fault("is a third force", place, row, found=name, allowed="two forces"))
        else:
            drafts.append(draft)
    if len(drafts) < 2:
        forces = f"has {len(drafts)} of two forces"
        faults.append(Fault(forces, place, tip=FORCE_TIP))
    if len(drafts) == 2 and drafts[0].camp == drafts[1].camp != "":
        faults.append(Fault("is the camp of both forces", place, drafts[1].row, drafts[1].name, drafts[1].camp))
    return drafts


def _first(reader: _Reader, name: str | None, sides: Mapping[str, int]) -> int:
    """Return the side that begins, 0 or 1; a fault for an unknown name."""
    if name is None:
        tip = f"write `first: {next(iter(sides), 'english')}`"
        reader.faults.append(Fault("does not say who begins", reader.place, tip=tip))
    elif slug(name) not in sides:
        reader.faults.append(unknown(name, sides, "is no force", reader.place, field="first"))
    return sides.get(slug(name or ""), 0)


# -- the drawing -------------------------------------------------------------------------------------------------------


def _cells(reader: _Reader) -> list[list[Cell]]:
    """Return the letters of the nine rows; a fault for each row of the wrong length or unknown letter."""
    place, faults = reader.place, reader.faults
    cells = cells_of(reader.parts.rows, place, faults, BLANK_TIP)
    if not reader.parts.rows:
        tip = "draw the board below an empty line: nine rows of 13 and 12 letters by turns"
        faults.append(Fault("has no drawing", place, tip=tip))
    elif len(cells) != ROWS:
        faults.append(Fault(f"the drawing has {len(cells)} rows", place, cells[0][0].line, allowed=f"{ROWS} rows"))
    for row, letters in enumerate(cells if len(cells) == ROWS else []):
        if len(letters) != row_length(row):
            hexes_text, message = f"{row_length(row)} hexes in row {chr(ord('A') + row)}", f"has {len(letters)} hexes"
            faults.append(Fault(message, place, letters[0].line, allowed=hexes_text))
    faults += letter_faults(cells, LETTERS, place, "is no hex", LETTERS_TEXT, "write . for countryside")
    return cells


def _terrain(cells: Sequence[Sequence[Cell]], extras: Extras) -> tuple[tuple[str, ...], ...]:
    """Return the terrain ids for each number of a cell; countryside only where nothing else stands."""
    terrain: list[tuple[str, ...]] = [()] * GRID.n_cells
    for row, letters in enumerate(cells):
        for hex_number, letter in enumerate(letters):
            cell = GRID.cell(row, hex_number)
            terrain[cell] = combined([LETTERS[letter.letter], *extras.terrain.get(cell, [])])
    return tuple(terrain)


# -- the blocks below --------------------------------------------------------------------------------------------------


def _blocks(reader: _Reader, sides: Mapping[str, int], drafts: Sequence[Draft], sound: dict[str, bool]) -> Extras:
    """Read units into their forces, and return what is said of hexes; sets `units` and `also` of `sound`."""
    parts, extras = reader.parts, Extras()
    sound |= {"units": True, "also": True}
    for name, lines in parts.blocks.items():
        if name in sides:
            reader.faults += read_units(lines, drafts[sides[name]], reader.cut, reader.place, reader.catalogue)
        elif name in ALSO:
            extras = read_also(lines, sides, reader.cut, reader.place, reader.catalogue, reader.faults)
        else:
            head = parts.heads[name]
            names = [*sides, ALSO[0]]
            word = head.text.partition(":")[0].strip()
            reader.faults.append(unknown(word, names, "is neither a force nor `also`", reader.place, head.number))
        is_sound = reader.is_sound()
        sound["units"] &= is_sound or name in ALSO
        sound["also"] &= is_sound or name in sides
    for draft in drafts:
        if not draft.units:
            tip = f"write them below a line `{draft.name}:`, such as `A3, A11 human_archers`"
            reader.faults.append(Fault("has no units", reader.place, draft.row, draft.name, tip=tip))
    sound["units"] &= reader.is_sound()
    return extras
