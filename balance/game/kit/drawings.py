"""Text files that draw a board, a letter for each cell: the parsing that all games share.

Texts are accepted as editors and spreadsheets write them: with any line endings, with blanks at the end of lines, and
with a single space, tab, semicolon or comma between the cells of all rows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path

from balance.base.errors import CatalogueError, Fault, comma_list, suggestion
from balance.base.paths import data_folder
from balance.base.text import slug
from balance.catalogue import Catalogue
from balance.catalogue.tables.cells import unguard

CUTS = "\t;,"
"""What a spreadsheet puts between cells."""
MOST_CHARACTERS = {"title": 80, "note": 600}
"""Of a title or a note: what a line of a report holds, and a paragraph of it."""
_SPACED_LINE = re.compile(r"\S( \S)+")
_CUT_NAMES = {" ": "a space", "\t": "a tab", ";": "a semicolon", ",": "a comma"}


@dataclass(frozen=True)
class Line:
    """A line of a file, without trailing blanks.

    `number`: line number, from 1. `text`: as it is written, without the line break. `column`: column of its first
    character, from 1.
    """

    number: int
    text: str
    column: int = 1

    @property
    def blank(self) -> bool:
        """Whether the line is empty."""
        return not self.text.strip(f'{CUTS} "')

    @property
    def spacing(self) -> str:
        """The separator between the cells of a row: empty, a space, or that of a spreadsheet."""
        cut = next((cut for cut in CUTS if cut in self.text), "")
        return cut or (" " if _SPACED_LINE.fullmatch(self.text) else "")

    def uses_only(self, letters: Collection[str]) -> bool:
        """Return whether the line consists of these letters, separators and quotation marks."""
        return set(self.text) <= {*letters, *CUTS, *" '\""}


@dataclass(frozen=True)
class Cell:
    """A cell of a drawing: its line and column in the file, both from 1, and its letter."""

    line: int
    column: int
    letter: str


def lines_of(text: str) -> list[Line]:
    r"""Return the lines of a file, without leading blank lines.

    >>> [line.number for line in lines_of("\n\na\r\nb")]
    [3, 4]
    """
    split = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    lines = [Line(number, line.rstrip()) for number, line in enumerate(split, start=1)]
    return without_blank_ends(lines, last=False)


def without_blank_ends(lines: Sequence[Line], *, last: bool = True) -> list[Line]:
    """Return lines without leading blank ones, and without trailing ones if `last`.

    `lines`: lines of a file or of a part of one, in order. `last`: whether those after the last go, too.
    """
    rest = list(dropwhile(lambda line: line.blank, lines))
    while last and rest and rest[-1].blank:
        rest.pop()
    return rest


def usual_spacing(rows: Sequence[Line]) -> str:
    """Return the separator that most rows use; empty if there are no rows."""
    counts = Counter(row.spacing for row in rows if not row.blank)
    return counts.most_common(1)[0][0] if counts else ""


def without_quotes(text: str, cut: str) -> str:
    """Return a line outside the drawing without the empty cells and quotation marks that spreadsheets add.

    `text`: the line as written, such as a title. `cut`: separator of the cells in the file.

    >>> without_quotes('"title: Lane";;;', ";")
    'title: Lane'
    """
    if cut and cut in CUTS:
        text = text.rstrip(cut)
        text = text[1:-1].replace('""', '"') if text[:1] == text[-1:] == '"' and len(text) > 1 else text
    return text


def text_faults(key: str, value: str, place: str, row: int) -> Iterator[Fault]:
    """Yield the fault of a title or note that is too long, empty or not printable.

    `key`: "title" or "note". `value`: what the file says; up to 80 characters for a title, 600 for a note. `place` and
    `row`: the file and the line.
    """
    if len(value) > MOST_CHARACTERS[key]:
        yield Fault(f"has {len(value)} characters", place, row, key, allowed=f"at most {MOST_CHARACTERS[key]}")
    elif not value.isprintable():
        yield Fault("holds a character that cannot be shown", place, row, key, value)
    elif not value and key == "title":
        yield Fault("is empty", place, row, key)


def cells_of(rows: Sequence[Line], place: str, faults: list[Fault], blank_tip: str) -> list[list[Cell]]:
    """Return the cells of each row; a row that is empty or uses another separator is a fault, and left out.

    * `rows`: the lines of the drawing.
    * `place`: the file, for the faults.
    * `faults`: list to which faults are added.
    * `blank_tip`: tip for the fault of an empty line.
    """
    cut = usual_spacing(rows)
    cell_rows = []
    for row in rows:
        if row.blank:
            faults.append(Fault("an empty line is in the drawing", place, row.number, tip=blank_tip))
        elif row.spacing != cut:
            between = f"put {_CUT_NAMES[cut]} between the cells of this row too" if cut else ""
            tip = between or "leave nothing between the cells"
            faults.append(Fault("is not spaced as the other rows are", place, row.number, tip=tip))
        else:
            cell_rows.append(list(_split(row, cut)))
    return cell_rows


def _split(row: Line, cut: str) -> Iterator[Cell]:
    """Yield the cells of a row, without the quotation marks and guards that spreadsheets need."""
    if not cut:
        yield from (Cell(row.number, column, letter) for column, letter in enumerate(row.text, start=row.column))
        return
    column = row.column
    for part in row.text.rstrip(cut).split(cut):
        yield Cell(row.number, column, unguard(part.strip().strip('"')))
        column += len(part) + 1


def letter_faults(
    cells: Sequence[Sequence[Cell]], letters: Mapping[str, object], location: str, message: str, allowed: str, tip: str
) -> Iterator[Fault]:
    """Yield a fault for each unknown letter of each row.

    * `cells`: the cells of each row.
    * `letters`: the known letters.
    * `location`: the file, for faults.
    * `message` and `allowed`: texts of the fault: what is wrong, and which letters are allowed.
    * `tip`: tip for a blank instead of a letter.
    """
    for row in cells:
        for letter in dict.fromkeys(cell.letter for cell in row if cell.letter not in letters):
            columns = [str(cell.column) for cell in row if cell.letter == letter]
            place = f"column{'s' if len(columns) > 1 else ''} {comma_list(columns)}"
            letter_tip = tip if not letter.strip() else _letter_tip(letter, letters)
            yield Fault(message, location, row[0].line, place, letter, allowed, letter_tip)


def _letter_tip(letter: str, letters: Mapping[str, object]) -> str:
    """Return the tip for an unknown letter: the nearest known one, or how to undo a typographic ellipsis."""
    if letter == "\u2026":
        return "your program made three points one character: write them again, and undo that"
    return suggestion(letter, letters)


def drawing_files(place: Catalogue | Path | str | None, game: str, folder: str, thing: str) -> dict[str, Path]:
    """Return the drawings by name: those shipped with a game, and over them those in a catalogue's folder.

    * `place`: a catalogue or its folder; None for shipped drawings only.
    * `game`: the id of the game.
    * `folder`: name of the folder of drawings inside that of a catalogue.
    * `thing`: word for one of them, for faults.

    `CatalogueError`: two files of a folder have one name but for spaces, accents and the like.
    """
    own_folder = place.path if isinstance(place, Catalogue) else place
    files = _files_in(data_folder() / game / folder, thing)
    if own_folder is not None:
        files |= _files_in(Path(own_folder) / folder, thing)
    return dict(sorted(files.items()))


def _files_in(folder: Path, thing: str) -> dict[str, Path]:
    """Return the .txt files of a folder by name, hidden ones left out; raise CatalogueError if two have one name."""
    files = dict[str, Path]()
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        name = slug(path.stem)
        if path.name.startswith(".") or path.suffix.lower() != ".txt" or not name:
            continue
        if name in files:
            raise CatalogueError(Fault(f"is the {thing} {name}, and so is {files[name].name}", str(path)))
        files[name] = path
    return files
