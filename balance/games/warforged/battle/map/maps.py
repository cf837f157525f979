"""Maps by name: those that ship, those of a designer's own catalogue, and random ones.

A catalogue's folder may hold a folder `maps` with a text file for each map. A map there takes the place of the shipped
one of its name. Maps are no part of a catalogue's tables: what is asked on a map keeps the map's `digest`.

They are read as designers draw them, with every fault told at once, by row and column as a text editor shows them. A
text is taken as editors and spreadsheets write it: with any ends of lines, with blanks at the end of lines, and with a
single space, tab, semicolon or comma between the cells of all rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from balance.base.errors import CatalogueError, Fault, suggestion, unknown
from balance.base.limits import MOST_FAULTS
from balance.base.text import slug
from balance.catalogue import Catalogue
from balance.catalogue.tables.files import read_text
from balance.chance.rolls.board import COLUMN_CELLS, MOST_COLUMNS, Shape
from balance.chance.rolls.streams import LARGEST_SEED
from balance.game.kit.drawings import (
    Cell,
    Line,
    cells_of,
    drawing_files,
    letter_faults,
    lines_of,
    text_faults,
    usual_spacing,
    without_blank_ends,
    without_quotes,
)
from balance.games.warforged.battle.map.battle_map import (
    BASES,
    HEAVY,
    LETTERS,
    LIGHT,
    NO_CELL,
    OPEN,
    BattleMap,
    map_of_drawing,
    map_text,
    reachable_cells,
)
from balance.games.warforged.battle.map.map_maker import RANDOM, made_map

__all__ = [
    "HEAVY",
    "LIGHT",
    "NO_CELL",
    "OPEN",
    "BattleMap",
    "map_files",
    "map_of",
    "map_of_drawing",
    "map_text",
    "read_map",
]
GAME, FOLDER = "warforged", "maps"
MOST_MAP_BYTES = 64 * 2**10
"""Of the file of a map: the largest has 2 kB."""
Place = Catalogue | Path | str | None
"""A catalogue, or its folder; None for what ships alone."""
KEYS = {"title": "title", "titolo": "title", "grid": "grid", "griglia": "grid", "note": "note", "nota": "note"}
"""Slug of a key of the header -> the key."""
SHAPES: dict[str, Shape] = {
    "hex": "hex",
    "hexes": "hex",
    "esagoni": "hex",
    "square": "square",
    "squares": "square",
    "quadrati": "square",
}
"""Slug of a grid -> its shape."""
LETTERS_TEXT = ". open, + light cover, # heavy cover, A to D bases, * objective, ~ no cell"


def map_files(place: Place = None) -> dict[str, Path]:
    """Return name of a map -> its file: those that ship, and those of a catalogue's own folder in front of them.

    Two files of a folder with one name but for spaces, accents and the like raise `CatalogueError`.

    >>> list(map_files())[:2]
    ['chasm', 'corners']
    """
    return drawing_files(place, GAME, FOLDER, "map")


def map_of(place: Place, name: str, location: str = "") -> BattleMap:
    """Return a map by name, such as `ledger`, or `random:SEED` for a random one (`made_map`).

    Maps in the catalogue's folder come first; `place` None means the shipped ones alone. An unknown name (the error
    names the nearest, and `location`) or a file with faults raises `CatalogueError`.
    """
    kind, _, seed = name.strip().partition(":")
    if slug(kind) == RANDOM:
        return made_map(_seed(seed.strip(), location))
    files, slug_name = map_files(place), slug(name.strip().removesuffix(".txt"))
    if slug_name not in files:
        raise CatalogueError(unknown(name, [*files, f"{RANDOM}:SEED"], "is no map", location))
    return _read(slug_name, files[slug_name])


def _seed(text: str, location: str) -> int:
    """Return the seed of `random:SEED`; what is no seed raises an error that names `location`."""
    if text.isascii() and text.isdigit() and len(text) < 40 and int(text) <= LARGEST_SEED:
        return int(text)
    limits = "a whole number from 0 to 2**128 - 1"
    raise CatalogueError(
        Fault("is no seed of a random map", location, found=text, allowed=limits, tip="such as random:1")
    )


def _read(name: str, path: Path) -> BattleMap:
    return read_map(read_text(path, MOST_MAP_BYTES), str(path), name)


def read_map(text: str, place: str = "map", name: str | None = None) -> BattleMap:
    r"""Read a map from the whole text of its file, `place`, which names its id too unless `name` does.

    All faults of header and drawing, by row and column, are in one `CatalogueError`.

    >>> read_map("title: Lane\ngrid: hex\n\nA.+.B\n", "maps/lane.txt").id
    'lane'
    """
    faults: list[Fault] = []
    header, rows = _header_and_rows(text)
    header_values = _header(header, usual_spacing(rows), place, faults)
    cells = _cells(rows, place, faults)
    _check_size(cells, place, faults)
    _check_letters(cells, place, faults)
    if faults:
        raise CatalogueError(faults[:MOST_FAULTS])
    own_name = slug(Path(place).stem) if name is None else name
    letters = ["".join(cell.letter for cell in row) for row in cells]
    battle_map = map_of_drawing(
        own_name, header_values["title"], SHAPES[header_values["grid"]], letters, header_values["note"]
    )
    if faults := _unreachable(battle_map, cells, place):
        raise CatalogueError(faults)
    return battle_map


def _header_and_rows(text: str) -> tuple[list[Line], list[Line]]:
    """Return the lines of the header and those of the drawing, which begins after an empty line, or where it begins."""
    lines = lines_of(text)
    end = next((k for k, line in enumerate(lines) if line.blank or line.uses_only(LETTERS)), len(lines))
    return lines[:end], without_blank_ends(lines[end:])


# -- the header --------------------------------------------------------------------------------------------------------


def _header(lines: Sequence[Line], cut: str, place: str, faults: list[Fault]) -> dict[str, str]:
    """Return key -> value; a grid by its slug, and no note as an empty one."""
    values: dict[str, str] = {}
    for line in lines:
        text = without_quotes(line.text, cut)
        word, colon, value = (part.strip() for part in text.partition(":"))
        key, value = KEYS.get(slug(word)), value.strip(cut) if cut else value
        if not colon:
            tip = "an empty line stands between the header and the drawing"
            faults.append(Fault("is not `key: value`", place, line.number, found=text, tip=tip))
        elif key is None:
            faults.append(unknown(word, ("title", "grid", "note"), "is no key of a map", place, line.number))
        elif key in values:
            faults.append(Fault("stands there twice", place, line.number, key))
        else:
            values[key] = value
            faults += _value_faults(key, value, place, line.number)
    for key in ("title", "grid"):
        if key not in values:
            tip = "such as `title: Two hills`" if key == "title" else "write `grid: hex` or `grid: square`"
            faults.append(Fault(f"has no {key}", place, tip=tip))
    return {"note": "", **values, "grid": slug(values.get("grid", ""))}


def _value_faults(key: str, value: str, place: str, row: int) -> Iterator[Fault]:
    """Yield what is wrong with a value of the header, in its row of the text."""
    if key == "grid":
        if slug(value) not in SHAPES:
            tip = suggestion(value, ("hex", "square"))
            yield Fault("is no grid", place, row, key, value, "hex, square", tip)
    else:
        yield from text_faults(key, value, place, row)


# -- the drawing -------------------------------------------------------------------------------------------------------


def _cells(rows: Sequence[Line], place: str, faults: list[Fault]) -> list[list[Cell]]:
    """Return the cells of each row; a row that is empty, or spaced unlike most, is a fault and left out."""
    cells = cells_of(rows, place, faults, "take it away, or write ~ where there is no cell")
    if not rows:
        tip = "draw the map below an empty line, one character for each cell"
        faults.append(Fault("has no drawing", place, tip=tip))
    return cells


def _check_size(cells: Sequence[Sequence[Cell]], place: str, faults: list[Fault]) -> None:
    """Add the rows that are not as long as most, and what is more than a board can hold."""
    if not cells:
        return
    usual = Counter(map(len, cells)).most_common(1)[0][0]
    for row in cells:
        if len(row) != usual:
            tip = "write ~ where there is no cell"
            faults.append(Fault(f"has {len(row)} cells, other rows have {usual}", place, row[0].line, tip=tip))
    if usual > MOST_COLUMNS:
        faults.append(
            Fault(f"the drawing has {usual} columns", place, cells[0][0].line, allowed=f"at most {MOST_COLUMNS}")
        )
    if len(cells) > COLUMN_CELLS:
        line = cells[COLUMN_CELLS][0].line
        faults.append(Fault(f"the drawing has {len(cells)} rows", place, line, allowed=f"at most {COLUMN_CELLS}"))


def _check_letters(cells: Sequence[Sequence[Cell]], location: str, faults: list[Fault]) -> None:
    """Add the letters that are no cells, by row, and the sides without a base."""
    tip = "write ~ where there is no cell"
    faults += letter_faults(cells, LETTERS, location, "is no cell", LETTERS_TEXT, tip)
    letters = {cell.letter for row in cells for cell in row}
    n_sides = max(2, *(BASES.index(letter) + 1 for letter in letters & {*BASES}), 0)
    missing_bases = [base for base in BASES[:n_sides] if cells and base not in letters]
    faults += [
        Fault(f"side {base.lower()} has no base", location, tip=f"write {base} on its cells") for base in missing_bases
    ]


def _unreachable(field: BattleMap, cells: Sequence[Sequence[Cell]], place: str) -> list[Fault]:
    """Return the base cells from which no way leads to every other base, and the objectives that nobody can reach."""
    regions: list[frozenset[int]] = []
    for cell in chain(*field.bases):
        if not any(cell in region for region in regions):
            regions.append(reachable_cells(field.grid, cell, field.walkable))
    meeting = [region for region in regions if not any(region.isdisjoint(base) for base in field.bases)]
    if not meeting:
        tip = "nobody walks over heavy cover (#), nor where there is no cell (~)"
        return [Fault("no way leads from base to base", place, tip=tip)]
    faults = []
    others = "other base" if len(field.bases) == 2 else "other bases"
    for letter, wanted_cells, near, message in (
        *(
            (letter, base, meeting, f"has no way to the {others}")
            for letter, base in zip(BASES, field.bases, strict=False)
        ),
        ("*", field.objectives, regions, "has no way to any base"),
    ):
        unreachable_cells = [cell for cell in wanted_cells if not any(cell in region for region in near)]
        faults += [_at(field, cell, cells, place, letter, message) for cell in unreachable_cells]
    return faults


def _at(
    field: BattleMap, cell: int, cells: Sequence[Sequence[Cell]], location: str, letter: str, message: str
) -> Fault:
    """Return the fault of one cell of a sound drawing, at its row and column in the text."""
    column, row = field.grid.place(cell)
    place = cells[row][column]
    return Fault(message, location, place.line, f"column {place.column}", letter)
