"""A catalogue written as files: the text of each, and that reading it back changes nothing."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

from pydantic import Field

from balance.catalogue import Header, Record, load_catalogue, write_folder
from balance.catalogue.writer import folder_files, rules_toml, table_csv

from .toy import FILES, RULES, SPEC, Constants, Dice, Unit, write


def test_the_files_of_the_toy_are_written_as_they_stand(tmp_path: Path) -> None:
    catalogue = load_catalogue(SPEC, write(tmp_path / "a"))
    assert folder_files(catalogue) == FILES
    written = write_folder(catalogue, str(tmp_path / "b"))
    assert written == tuple(tmp_path / "b" / name for name in FILES)
    assert {path.name: path.read_text("utf-8") for path in (tmp_path / "b").iterdir()} == FILES


class Odd(Record):
    """Constants of which some are not there, and a table of tables alone."""

    low: Annotated[float, Field(description="A note."), Header()] = 0.5
    high: Annotated[int, Header(unit="hexes")] = 3
    none: int | None = None
    flag: bool = True
    text: str = 'a "b" \\ é\x7f'
    names: tuple[str, ...] = ("a", "b")


class Holder(Record):
    """A table of tables."""

    odd: Odd = Odd()
    dice: Dice = Dice(faces=6, keep=())


def test_constants_of_every_kind_are_written_with_their_notes(tmp_path: Path) -> None:
    catalogue = dataclasses.replace(load_catalogue(SPEC, write(tmp_path)), constants=Holder())
    head, _, tail = rules_toml(catalogue).partition("[constants")
    assert head + "[constants" == RULES[: RULES.index("[constants") + len("[constants")]
    assert tail.splitlines() == [
        ".odd]",
        "low = 0.5  # A note.",
        "high = 3  # Unit: hexes.",
        "flag = true",
        'text = "a \\"b\\" \\\\ é\\u007f"',
        'names = ["a", "b"]',
        "",
        "[constants.dice]",
        "faces = 6  # Faces of a die. Unit: faces.",
        "keep = []",
    ]


def test_texts_like_formulas_are_guarded_in_a_table() -> None:
    units = [
        Unit(id="a", name="=1+1", kind="foot", move=0),
        Unit(id="b", name='say "x", -1', kind="foot", move=0, skills=("bow",), limit=1, brave=True),
    ]
    assert table_csv(Unit, units) == (
        "id,name,class,move,skills,share,limit,brave\n"
        "a,'=1+1,foot,0,,0.5,,false\n"
        'b,"say ""x"", -1",foot,0,bow,0.5,1,true\n'
    )
    assert table_csv(Unit, []) == "id,name,class,move,skills,share,limit,brave\n"


def test_a_motto_of_every_character_comes_back(tmp_path: Path) -> None:
    catalogue = load_catalogue(SPEC, write(tmp_path / "a"))
    motto = 'a\\b "c" \' # é 🜲 = [x]'
    changed = dataclasses.replace(catalogue, constants=Constants(rounds=1, motto=motto, dice=Dice(faces=2, keep=(1,))))
    write_folder(changed, tmp_path / "b")
    assert load_catalogue(SPEC, tmp_path / "b") == changed
