from __future__ import annotations

from pathlib import Path

import pytest

from balance.base.errors import CatalogueError
from balance.rulebook.text import Band, read_game_file

from .games import changed, write

GRID = """[tables.grid]
rows = [1, "2..3", "4+"]
columns = ["<= 0", "> 0"]
values = [
  [1, 2],  # a first row
  [3, 4],
  [5, 6]
]
"""


def table(folder: Path, text: str) -> object:
    file = write(folder, changed(("[tables]\narmour = [6, 5, 4]\n", text)))
    return read_game_file(file).rulebook.tables


def test_a_grid_has_bands_of_two_numbers(tmp_path: Path) -> None:
    rulebook = read_game_file(write(tmp_path, changed(("[tables]\narmour = [6, 5, 4]\n", GRID)))).rulebook
    grid = rulebook.tables["grid"]
    assert grid.rows == (Band(1, 1), Band(2, 3), Band(4, None))
    assert grid.columns == (Band(None, 0), Band(1, None))
    assert grid.values == ((1, 2), (3, 4), (5, 6))
    assert str(grid) == "(<= 0 >= 1), 1: 1 2, 2..3: 3 4, >= 4: 5 6"
    assert [line.row for line in rulebook.attack] == [32, 33, 34, 35]  # lists of several lines hide no section


def test_a_grid_may_say_what_stands_for_all_else(tmp_path: Path) -> None:
    text = GRID.replace("rows = ", "else = 7\nrows = ")
    rulebook = read_game_file(write(tmp_path, changed(("[tables]\narmour = [6, 5, 4]\n", text)))).rulebook
    assert rulebook.tables["grid"].otherwise == 7


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[3, 4],", "[3],", "tables.grid.values: row 2 has 1 values; allowed: 2, as many as in columns"),
        ("[3, 4],", "", "tables.grid.values: has 2 rows; allowed: 3, as many as in rows"),
        ("[3, 4],", '[3, "x"],', "tables.grid.values: 'x' is not a whole number"),
        ('"2..3"', '"1..3"', "tables.grid.rows: '1..3' overlaps with '1'"),
        ("values =", "value =", "tables.grid.value: 'value' is unknown; allowed: rows, columns, values, else; did you"),
        ('rows = [1, "2..3", "4+"]', "rows = 3", "tables.grid.rows: '3' is not a list"),
        ('rows = [1, "2..3", "4+"]', "rows = []", "tables.grid.rows: has 0 bands"),
    ],
)
def test_faults_of_a_grid(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = changed((old, new), text=GRID)
    with pytest.raises(CatalogueError) as error:
        table(tmp_path, text)
    assert any(words in str(fault) and fault.row for fault in error.value.faults), error.value.faults


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[tables.t]\n"1..3" = 1\n"3+" = 2\n', "row 24, tables.t.3+: '3+' overlaps with '1..3'"),
        ('[tables.t]\n"1..3" = 1\n"<= 1" = 2\n', "row 24, tables.t.<= 1: '<= 1' overlaps with '1..3'"),
        ("[tables.t]\nmany = 1\n", "row 23, tables.t.many: 'many' is no number and no band of numbers"),
        ("[tables.t]\n", "row 22, tables.t: is no look-up table"),
        ("[tables]\nt = 3\n", "row 23, tables.t: '3' is no look-up table"),
        ("[tables]\nt = []\n", "row 23, tables.t: has 0 values; allowed: 1 to 200"),
    ],
)
def test_faults_of_bands(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(CatalogueError) as error:
        table(tmp_path, text)
    assert any(words in str(fault) for fault in error.value.faults), error.value.faults


def test_all_other_numbers_may_have_a_value(tmp_path: Path) -> None:
    tables = read_game_file(write(tmp_path, changed(("armour = [6, 5, 4]", "t = { 1 = 5, else = 0 }")))).rulebook.tables
    assert (tables["t"].values, tables["t"].otherwise) == (((5,),), 0)
