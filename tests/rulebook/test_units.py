"""Units of a game file from the spreadsheet that a designer has."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from balance.base.errors import BalanceError
from balance.catalogue import load_catalogue
from balance.rulebook.catalogue import spec_of
from balance.rulebook.text import read_game_file

from .games import write

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
        ("id,wounds\nrat,\n", "iron.toml, row 1, health: 'wounds' is a column without any number"),
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
