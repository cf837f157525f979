"""A game of two units, small enough to be told whole: its folder, and what a workbook of it holds.

`python -m tests.catalogue.toy` writes `toy_workbook.txt` anew: every cell of the workbook with its kind, look and note.
"""

from __future__ import annotations

import re
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import openpyxl
from openpyxl.comments import Comment
from pydantic import Field

from balance.base.errors import Fault
from balance.catalogue import (
    CatalogueSpec,
    EntryId,
    Header,
    Name,
    Record,
    Rules,
    SortedSet,
    Tables,
    TableSpec,
    export_workbook,
    load_catalogue,
)

GOLDEN = Path(__file__).with_name("toy_workbook.txt")


class Unit(Record):
    """One of each kind of column."""

    id: EntryId
    name: Annotated[Name, Header(("nome",))]
    kind: Annotated[Literal["foot", "horse"], Header(("tipo",), name="class", words=(("fante", "foot"),))]
    move: Annotated[int, Field(ge=0, le=99, description="How far it goes."), Header(unit="hexes", marks=(("*", 99),))]
    skills: Annotated[tuple[Literal["bow", "web", "long_bow"], ...], SortedSet] = ()
    share: Annotated[float, Field(ge=0, le=1)] = 0.5
    limit: Annotated[int | None, Field(ge=1)] = None
    brave: bool = False


class Dice(Record):
    """Numbers within numbers."""

    faces: Annotated[int, Field(ge=2, le=20, description="Faces of a die."), Header(unit="faces")]
    keep: tuple[Annotated[int, Field(ge=1, le=6)], ...]


class Constants(Record):
    """What the rules state."""

    rounds: Annotated[int, Field(ge=1)]
    motto: str
    dice: Dice


class ToyRules(Rules):
    """One switch of words, one of yes and no."""

    faces: Literal["1-10", "0-9"]
    friendly: bool


def slower_than_ten(tables: Tables) -> Iterable[tuple[str, str, Fault]]:
    """Refuse a unit that goes 50 hexes or more without a bow."""
    for entry_id, unit in tables["units"].items():
        assert isinstance(unit, Unit)
        if unit.move >= 50 and "bow" not in unit.skills:
            yield "units", entry_id, Fault("is too fast for a unit without a bow", field="move", found=str(unit.move))


SPEC = CatalogueSpec("toy", (TableSpec("units", "units.csv", Unit),), ToyRules, Constants, (slower_than_ten,))

UNITS = """\
id,name,class,move,skills,share,limit,brave
long_rider,Long Rider,horse,12,long_bow;web,0.25,,true
guard,"The Guard, old",foot,3,,0.5,7,false
"""
RULES = """\
# The rules of toy: the reading in force of each open question, and the numbers they state.
# Change a `value` to one of its `allowed` readings; the first of them is the default.

rules_version = "1.2"

[switches.faces]
value = "0-9"
allowed = ["1-10", "0-9"]
ambiguity = "Does a ten-sided die show a 0?"
level = "A"
meaning = "What the die shows, told in exactly fifty-six characters"
[switches.faces.readings]
"1-10" = "A sentence of sixty characters is written in a single line.."
"0-9" = "A sentence of sixty-one characters is wrapped in its own cell"

[switches.friendly]
value = true
allowed = [false, true]
ambiguity = "May one hit one's own?"
level = "C"
meaning = "Whom a shot may hit."
[switches.friendly.readings]
"false" = "Only the other side."
"true" = "Everybody."

[constants]
rounds = 8
motto = "=1+1 is \\"2\\""

[constants.dice]
faces = 10  # Faces of a die. Unit: faces.
keep = [5, 6]
"""
SOURCES = """\
table,id,field,status,where
units,guard,move,stated,p. 3
units,guard,class,inferred,p. 4
rules,faces,value,assumed,us
constants,dice.faces,value,stated,p. 5
"""
FILES = {"units.csv": UNITS, "rules.toml": RULES, "SOURCES.csv": SOURCES}


def write(folder: Path, **changed: str) -> Path:
    """Write the folder of the game, with some of its files (by stem) otherwise."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(changed.get(name.partition(".")[0], text), encoding="utf-8", newline="")
    return folder


def told(faults: Iterable[Fault], folder: Path) -> list[str]:
    """Return faults as lines, paths as seen from a folder."""
    return [str(fault).replace(f"{folder}/", "") for fault in faults]


def shown(path: Path) -> str:
    """Return what a workbook holds: of each sheet widths and checks, of each cell what it holds and how it looks."""
    book = openpyxl.load_workbook(path)
    properties = book.properties
    with zipfile.ZipFile(path) as parts:
        notes = {name: parts.read(name) for name in parts.namelist() if name.endswith(".vml")}
    sizes = {match.decode() for text in notes.values() for match in re.findall(rb"(?:width|height):[^;']+", text)}
    told = [f"made {properties.created} and {properties.modified} by {properties.creator}"]
    told += [f"property {prop.name}: {prop.value}" for prop in book.custom_doc_props]
    told.append(f"notes {', '.join(sorted(sizes))}")
    for sheet in book:
        widths = {letter: round(float(size.width)) for letter, size in sheet.column_dimensions.items()}
        told += ["", f"[{sheet.title}] frozen at {sheet.freeze_panes}, widths {widths}"]
        told += [f"check {line}" for check in sheet.data_validations.dataValidation for line in [_check(check)]]
        told += [_cell(cell) for row in sheet.iter_rows() for cell in row if cell.value is not None or cell.comment]
    return "\n".join([*told, ""])


def _check(check: Any) -> str:
    limits = f"{check.formula1}" + (f" to {check.formula2}" if check.formula2 else "")
    said = f"{check.errorTitle}: {check.error}" if check.error else "nothing said"
    blank, shown = "may be blank" if check.allow_blank else "not blank", "shown" if check.showErrorMessage else "hidden"
    return f"{check.sqref} {check.type} {check.operator} {limits}, {blank}, {shown}, {said}"


def _cell(cell: Any) -> str:
    look = [
        "bold" if cell.font.bold else "",
        f"filled {cell.fill.fgColor.rgb}" if cell.fill.fill_type == "solid" else "",
        "text" if cell.number_format == "@" else "",
        "quoted" if cell.quotePrefix else "",
        "wrapped" if cell.alignment.wrap_text else "",
        cell.alignment.vertical or "",
    ]
    note: Comment | None = cell.comment
    size = f" [{note.author}: {note.text!r}]" if note else ""
    return f"{cell.coordinate} {cell.value!r} {' '.join(filter(None, [cell.data_type, *look]))}{size}"


def main() -> None:
    """Write the golden file."""
    with tempfile.TemporaryDirectory() as folder:
        catalogue = load_catalogue(SPEC, write(Path(folder) / "toy"))
        GOLDEN.write_text(shown(export_workbook(catalogue, Path(folder) / "toy.xlsx")), encoding="utf-8")


if __name__ == "__main__":
    main()
