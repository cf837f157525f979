"""Maps as designers draw them, read with every fault told at once, by row and column as a text editor shows them.

A text is taken as editors and spreadsheets write it: with any ends of lines, with blanks at the end of lines, and with
a single space, tab, semicolon or comma between the cells of all rows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path

from balance.base.errors import CatalogueError, Fault, comma_list, suggestion, unknown
from balance.base.limits import MOST_FAULTS
from balance.catalogue.tables.cells import unguard
from balance.catalogue.tables.schema import slug
from balance.chance.rolls.board import COLUMN_CELLS, MOST_COLUMNS, Shape
from balance.games.warforged.battle.map.battle_map import BASES, LETTERS, BattleMap, map_of_drawing, reachable_cells

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
MOST_CHARACTERS = {"title": 80, "note": 600}
"""Of a title or a note: what a line of a report holds, and a paragraph of it."""
LETTERS_TEXT = ". open, + light cover, # heavy cover, A and B bases, * objective, ~ no cell"
_CUTS = "\t;,"
"""What a spreadsheet puts between cells."""
_SPACED_LINE = re.compile(r"\S( \S)+")
_MARKS = set(LETTERS) | set(f"{_CUTS} '\"")


@dataclass(frozen=True)
class _Line:
    """A line of the file and its number, from 1; blanks at its end are gone."""

    number: int
    text: str

    @property
    def blank(self) -> bool:
        return not self.text.strip(f'{_CUTS} "')

    @property
    def spacing(self) -> str:
        """What stands between the cells of a row: nothing, a space, or what a spreadsheet puts there."""
        cut = next((cut for cut in _CUTS if cut in self.text), "")
        return cut or (" " if _SPACED_LINE.fullmatch(self.text) else "")


@dataclass(frozen=True)
class _Cell:
    """A cell of the drawing as it is written: its line and its column there, both from 1, and its letter."""

    line: int
    column: int
    letter: str


def read_map(text: str, place: str = "map", name: str | None = None) -> BattleMap:
    r"""Read a map.

    Parameters
    ----------
    text
        The whole text of its file.
    place
        The file, for errors.
    name
        The id of the map; if nothing is said, that of its file.

    Raises
    ------
    CatalogueError
        With every fault of header and drawing, by row and column.

    Examples
    --------
    >>> read_map("title: Lane\ngrid: hex\n\nA.+.B\n", "maps/lane.txt").id
    'lane'
    """
    faults: list[Fault] = []
    header, rows = _header_and_rows(text)
    header_values = _header(header, _spacing(rows), place, faults)
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


def _header_and_rows(text: str) -> tuple[list[_Line], list[_Line]]:
    """Return the lines of the header and those of the drawing, which begins after an empty line, or where it begins."""
    split = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    lines = [_Line(number, line.rstrip()) for number, line in enumerate(split, start=1)]
    lines = list(dropwhile(lambda line: line.blank, lines))
    ends = (k for k, line in enumerate(lines) if line.blank or set(line.text) <= _MARKS)
    end = next(ends, len(lines))
    rows = list(dropwhile(lambda line: line.blank, lines[end:]))
    while rows and rows[-1].blank:
        rows.pop()
    return lines[:end], rows


def _spacing(rows: Sequence[_Line]) -> str:
    """Return what stands between the cells of most rows."""
    counts = Counter(row.spacing for row in rows if not row.blank)
    return counts.most_common(1)[0][0] if counts else ""


# -- the header --------------------------------------------------------------------------------------------------------


def _header(lines: Sequence[_Line], cut: str, place: str, faults: list[Fault]) -> dict[str, str]:
    """Return key -> value; a grid by its slug, and no note as an empty one."""
    values: dict[str, str] = {}
    for line in lines:
        text = _without_quotes(line.text, cut)
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


def _without_quotes(text: str, cut: str) -> str:
    """Return a line of the header without what a spreadsheet adds: empty cells behind it, and quotation marks."""
    if cut and cut in _CUTS:
        text = text.rstrip(cut)
        text = text[1:-1].replace('""', '"') if text[:1] == text[-1:] == '"' and len(text) > 1 else text
    return text


def _value_faults(key: str, value: str, place: str, row: int) -> Iterator[Fault]:
    """Yield what is wrong with a value of the header."""
    if key == "grid":
        if slug(value) not in SHAPES:
            tip = suggestion(value, ("hex", "square"))
            yield Fault("is no grid", place, row, key, value, "hex, square", tip)
    elif len(value) > MOST_CHARACTERS[key]:
        yield Fault(f"has {len(value)} characters", place, row, key, allowed=f"at most {MOST_CHARACTERS[key]}")
    elif not value.isprintable():
        yield Fault("holds a character that cannot be shown", place, row, key, value)
    elif not value and key == "title":
        yield Fault("is empty", place, row, key)


# -- the drawing -------------------------------------------------------------------------------------------------------


def _cells(rows: Sequence[_Line], place: str, faults: list[Fault]) -> list[list[_Cell]]:
    """Return the cells of each row; a row that is empty, or spaced unlike most, is a fault and left out."""
    cut = _spacing(rows)
    cell_rows = []
    for row in rows:
        if row.blank:
            tip = "take it away, or write ~ where there is no cell"
            faults.append(Fault("an empty line is in the drawing", place, row.number, tip=tip))
        elif row.spacing != cut:
            tip = f"put {_NAMES[cut]} between the cells of this row too" if cut else "leave nothing between the cells"
            faults.append(Fault("is not spaced as the other rows are", place, row.number, tip=tip))
        else:
            cell_rows.append(list(_split(row, cut)))
    if not rows:
        tip = "draw the map below an empty line, one character for each cell"
        faults.append(Fault("has no drawing", place, tip=tip))
    return cell_rows


_NAMES = {" ": "a space", "\t": "a tab", ";": "a semicolon", ",": "a comma"}


def _split(row: _Line, cut: str) -> Iterator[_Cell]:
    """Yield the cells of a row; of a spreadsheet's without the marks that guard them."""
    if not cut:
        yield from (_Cell(row.number, column, letter) for column, letter in enumerate(row.text, start=1))
        return
    column = 1
    for part in row.text.rstrip(cut).split(cut):
        yield _Cell(row.number, column, unguard(part.strip().strip('"')))
        column += len(part) + 1


def _check_size(cells: Sequence[Sequence[_Cell]], place: str, faults: list[Fault]) -> None:
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


def _check_letters(cells: Sequence[Sequence[_Cell]], location: str, faults: list[Fault]) -> None:
    """Add the letters that are no cells, by row, and the sides without a base."""
    for row in cells:
        for letter in dict.fromkeys(cell.letter for cell in row if cell.letter not in LETTERS):
            columns = [str(cell.column) for cell in row if cell.letter == letter]
            place = f"column{'s' if len(columns) > 1 else ''} {comma_list(columns)}"
            faults.append(Fault("is no cell", location, row[0].line, place, letter, LETTERS_TEXT, _letter_tip(letter)))
    letters = {cell.letter for row in cells for cell in row}
    missing_bases = [base for base in BASES if cells and base not in letters]
    faults += [
        Fault(f"side {base.lower()} has no base", location, tip=f"write {base} on its cells") for base in missing_bases
    ]


def _letter_tip(letter: str) -> str:
    """Return what may be meant by a letter that is no cell."""
    if letter == "\u2026":
        return "your program made three points one character: write them again, and undo that"
    return "write ~ where there is no cell" if not letter.strip() else suggestion(letter, LETTERS)


def _unreachable(field: BattleMap, cells: Sequence[Sequence[_Cell]], place: str) -> list[Fault]:
    """Return the base cells from which no way leads to the other base, and the objectives that nobody can reach."""
    regions: list[frozenset[int]] = []
    for cell in (*field.bases[0], *field.bases[1]):
        if not any(cell in region for region in regions):
            regions.append(reachable_cells(field.grid, cell, field.walkable))
    meeting = [region for region in regions if not any(region.isdisjoint(base) for base in field.bases)]
    if not meeting:
        tip = "nobody walks over heavy cover (#), nor where there is no cell (~)"
        return [Fault("no way leads from base to base", place, tip=tip)]
    faults = []
    for letter, cells_of, near, message in (
        (BASES[0], field.bases[0], meeting, "has no way to the other base"),
        (BASES[1], field.bases[1], meeting, "has no way to the other base"),
        ("*", field.objectives, regions, "has no way to any base"),
    ):
        unreachable_cells = [cell for cell in cells_of if not any(cell in region for region in near)]
        faults += [_at(field, cell, cells, place, letter, message) for cell in unreachable_cells]
    return faults


def _at(
    field: BattleMap, cell: int, cells: Sequence[Sequence[_Cell]], location: str, letter: str, message: str
) -> Fault:
    """Return the fault of one cell of a sound drawing."""
    column, row = field.grid.place(cell)
    place = cells[row][column]
    return Fault(message, location, place.line, f"column {place.column}", letter)
