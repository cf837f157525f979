"""Units of a game file from the spreadsheet that a designer has."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from balance.base.errors import BalanceError, CatalogueError
from balance.catalogue import load_catalogue
from balance.rulebook.opening import spec_of
from balance.rulebook.text import GameFile, read_game_file

from .games import changed, write

RULES = 'health = "wounds"\nunits = "{}"\n[attack]\n"foe.wounds" = "foe.wounds - d6"\n'


def units(folder: Path, name: str = "units.csv") -> dict[str, dict[str, object]]:
    path = write(folder, RULES.format(name))
    catalogue = load_catalogue(spec_of(read_game_file(path).rulebook), path)
    return {unit: record.model_dump(exclude={"id"}) for unit, record in catalogue.tables["units"].items()}


def faults(folder: Path, name: str = "units.csv") -> list[str]:
    with pytest.raises(BalanceError) as error:
        units(folder, name)
    return [str(fault).replace(f"{folder}/", "") for fault in error.value.faults]


def test_columns_become_fields(tmp_path: Path) -> None:
    (tmp_path / "units.csv").write_text("id,name,cost_points,keywords,attacks,wounds\nrat,Rat,3,fast; small,1,2\n")
    assert units(tmp_path) == {
        "rat": {"name": "Rat", "cost_points": 3, "keywords": ("fast", "small"), "attacks": 1, "wounds": 2}
    }


def test_an_italian_spreadsheet_is_read(tmp_path: Path) -> None:
    text = "Nome;Costo;Regole speciali;Attacchi;Velocità;Wounds\r\n"
    text += '"Topo; grigio";3,0;Veloce, Piccolo;1;-2;2\r\nOrco;20;;3;4;9\r\n'
    (tmp_path / "units.csv").write_bytes(text.encode("utf-16"))
    rows = units(tmp_path)
    assert list(rows) == ["topo_grigio", "orco"]
    assert rows["topo_grigio"]["keywords"] == ("piccolo", "veloce")
    assert rows["topo_grigio"]["velocita"] == -2
    assert rows["orco"]["cost_points"] == 20


def test_a_name_is_made_of_an_id_and_numbers_of_what_cards_print(tmp_path: Path) -> None:
    (tmp_path / "units.csv").write_text('id,skill,speed,wounds,faction\nfire_rat,4+,"6""",1,Rats\n')
    assert units(tmp_path)["fire_rat"] == {
        "name": "Fire rat", "cost_points": 0, "keywords": (), "skill": 4, "speed": 6, "wounds": 1, "faction": "Rats",
    }  # fmt: skip


def test_a_sheet_of_a_workbook_is_read(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Notes"
    book.active.append(["nothing"])
    sheet = book.create_sheet("My Units")
    for row in (["Name", "Points", "Wounds"], ["Rat", 3, 2.0], ["Ogre", 20, 9]):
        sheet.append(row)
    book.save(tmp_path / "army.xlsx")
    assert list(units(tmp_path, "army.xlsx#my units")) == ["rat", "ogre"]
    assert "'Units' is no sheet of army.xlsx; allowed: Notes, My Units" in faults(tmp_path, "army.xlsx#Units")[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,wounds\nrat,2\nogre,\n", "units.csv, row 3, wounds: is empty"),
        ("id,wounds\nrat,\n", "units.csv, row 2, wounds: is empty"),
        ("id,wounds\nrat,2\nrat,3\n", "units.csv, row 3, id: 'rat' is a second entry of this id"),
        ("id,wounds,wounds\nrat,2,3\n", "units.csv, row 1, header: 'wounds' is a second column"),
        ("id,wounds,2nd\nrat,2,3\n", "units.csv, row 1, header: '2nd' cannot be a name"),
        ("id,wounds\nrat,2\nogre,many\n", "units.csv, row 3, wounds: 'many' is not a number"),
        ("id,wounds\nrat,20000\n", "units.csv, row 2, wounds: '20000' is out of range"),
        ("id,wounds\n", "units.csv: the table has a header but no entries"),
        ("id,life\nrat,1\n", "iron.toml, row 1, health: 'wounds' is no field of the units; allowed: life"),
        ("wounds\n1\n", "units.csv, row 1, name: the column is missing"),
    ],
)
def test_faults_name_file_and_row(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "units.csv").write_text(text)
    assert any(fault.startswith(words) for fault in faults(tmp_path)), faults(tmp_path)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("unit.csv", "unit.csv: there is no such file; is units.csv meant?"),
        ("../units.csv", "iron.toml, row 2, units: '../units.csv' lies outside of the folder"),
        ("/etc/passwd", "iron.toml, row 2, units: '/etc/passwd' lies outside of the folder"),
        ("units.csv#Sheet", "iron.toml, row 2, units: 'units.csv#Sheet' has a sheet, and is no workbook"),
        ("iron.xlsx", "iron.xlsx: there is no such file"),
    ],
)
def test_a_wrong_file_is_told(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "units.csv").write_text("id,wounds\nrat,2\n")
    assert faults(tmp_path, name)[0].startswith(words), faults(tmp_path, name)


DRAWN = '''\
title = "Ants"
health = "life"
units = """
name    | cost | attacks | life | keywords
Red ant |   10 |      3+ |    4 | brave; slow
Bee     |   12 |       2 |    3 |
"""
[attack]
"foe.life" = "foe.life - (me.attacks d6 count 4+)"
[keywords.brave]
"foe.life" = "- 1"
[keywords.slow]
"foe.life" = "+ 1"
'''


def drawn(folder: Path, *pairs: tuple[str, str]) -> GameFile:
    return read_game_file(write(folder, changed(*pairs, text=DRAWN)))


def test_units_may_be_drawn_as_a_table_in_the_file(tmp_path: Path) -> None:
    units = drawn(tmp_path).units
    assert units.ids == ("red_ant", "bee")
    assert units.keywords == ("brave", "slow")
    assert units.table.rows[1:] == (
        (5, ("red_ant", "Red ant", "10", "3", "4", "brave; slow")),
        (6, ("bee", "Bee", "12", "2", "3", "")),
    )


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("      3+ |", "      x  |", "row 5, attacks: 'x' is not a number"),
        ('"""\nname ', '"""name ', ""),
        ("    3 |\n", "    3 |\n\n", ""),
        ("keywords\n", "keywords\n--------|-----:|---------|------|---\n", ""),
        ("    3 |\n", "    3 | | 7\n", "row 6: '7' stands under no header"),
        ("Bee    ", "Red ant", "row 6, id: 'red_ant' is a second entry of this id; it stands in row 5 too"),
        (DRAWN.split("\n", 4)[4].partition('"""')[0], "", "row 3, units: there are no units"),
    ],
)
def test_a_table_that_is_drawn_has_lines(tmp_path: Path, old: str, new: str, words: str) -> None:
    if not words:
        assert drawn(tmp_path, (old, new)).units.ids == ("red_ant", "bee")
        return
    with pytest.raises(CatalogueError) as told:
        drawn(tmp_path, (old, new))
    assert words in str(told.value)


def test_lines_pasted_from_a_spreadsheet_are_a_table_too(tmp_path: Path) -> None:
    drawing = DRAWN.partition('"""')[2].partition('"""')[0]
    pasted = drawing.replace(" ", "").replace("|", "\t")
    table = read_game_file(write(tmp_path, DRAWN.replace(drawing, pasted))).units.table
    assert table.rows[2] == (6, ("bee", "Bee", "12", "2", "3", ""))


def test_units_that_are_drawn_are_cards_of_the_catalogue(tmp_path: Path) -> None:
    game_file = drawn(tmp_path)
    catalogue = load_catalogue(spec_of(game_file.rulebook), game_file.rulebook.path)
    assert {unit: record.model_dump()["cost_points"] for unit, record in catalogue.tables["units"].items()} == {
        "red_ant": 10,
        "bee": 12,
    }


def test_units_below_a_section_are_told_where_to_go(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError) as told:
        drawn(tmp_path, ('units = """', '[tokens]\nunits = """'))
    assert "there are no units; it stands in [tokens]: put it above all sections" in str(told.value)
