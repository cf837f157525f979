"""Every fault at once: names that are not known are told though other cells cannot be read, and nothing false is."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from balance.catalogue import CatalogueSpec, check_folder, columns_of
from balance.game.authoring.template.game import GAME as TEMPLATE
from balance.game.registry import GAMES, find_game, shipped_folder

FOLDERS = {name: shipped_folder(find_game(name)) for name in GAMES} | {TEMPLATE.name: shipped_folder(TEMPLATE)}
SPECS = {name: find_game(name).spec for name in GAMES} | {TEMPLATE.name: TEMPLATE.spec}
NAMING = {
    "battlelore": [("units", "weapon"), ("troops", "race"), ("troops", "unit"), ("troops", "weapon")],
    "edadh": [("armies", "front"), ("stratagems", "needs_troop"), ("players", "cards")],
    "immortal_souls": [("heroes", "powers"), ("enemies", "scroll"), ("encounters", "deck")],
    "runewars": [("formations", "unit"), ("dials", "unit")],
    "skirmishers": [("armies", "fighters")],
}
"""Columns of each game that name an entry of another table."""
CASES = [(game, *place) for game, places in NAMING.items() for place in places]


def table_of(game: str, name: str) -> Path:
    return Path(next(table.file for table in SPECS[game].tables if table.name == name))


def put(path: Path, column: str, value: str, row: int = -1) -> int:
    """Write a value into a column of the last row that has one there, or of a row; return the line of that row."""
    with path.open(encoding="utf-8", newline="") as file:
        heads, *rows = list(csv.reader(file))
    at = heads.index(column)
    number = row if row >= 0 else max((n for n, cells in enumerate(rows) if cells[at]), default=0)
    rows[number][at] = value
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([heads, *rows])
    return number + 2


def told(spec: CatalogueSpec, folder: Path) -> list[str]:
    return [str(fault).replace(f"{folder}/", "") for fault in check_folder(spec, folder)]


def copied(game: str, tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDERS[game], tmp_path / game))


def numbers(spec: CatalogueSpec) -> Iterator[tuple[str, str]]:
    """Yield a column of numbers of each table that has one."""
    for table in spec.tables:
        found = [
            column.header for column in columns_of(table.record) if column.kind == "integer" and not column.is_list
        ]
        if found:
            yield table.file, found[0]


@pytest.mark.parametrize(("game", "table", "column"), CASES)
def test_a_name_that_is_not_known_is_told_beside_bad_cells_everywhere(
    game: str, table: str, column: str, tmp_path: Path
) -> None:
    folder, spec = copied(game, tmp_path), SPECS[game]
    row = put(folder / table_of(game, table), column, "nobody_at_all")
    alone = told(spec, folder)
    assert alone[0].startswith(f"{table_of(game, table)}, row {row}, {column}: 'nobody_at_all' is ")
    bad = list(numbers(spec))
    for file, number in bad:
        put(folder / file, number, "much", row=0)
    (folder / "SOURCES.csv").write_text("table,id,field,status,where\nrules,x,value,guessed,p. 1\n", "utf-8")
    (folder / "rules.toml").write_text("no toml", "utf-8")
    every = told(spec, folder)
    assert {line.split(",")[0] for line in every if "'much' is not" in line} == {file for file, _ in bad}
    assert any(line.startswith("SOURCES.csv, row 2, status: ") for line in every)
    assert any(line.startswith("rules.toml") for line in every)
    names = [line for line in alone if line in every]
    assert {line for line in alone if "nobody_at_all" in line} <= {*names}
    assert len(every) == len(bad) + 2 + len(names)


@pytest.mark.parametrize(("game", "table", "column"), CASES)
def test_a_bad_row_is_still_there_for_those_who_name_it(game: str, table: str, column: str, tmp_path: Path) -> None:
    """Each number of each first row is bad: nothing else is told, such as that its entry is not there."""
    folder, spec = copied(game, tmp_path), SPECS[game]
    for file, number in numbers(spec):
        put(folder / file, number, "much", row=0)
    assert all("'much' is not" in line for line in told(spec, folder))
    shutil.copytree(FOLDERS[game], folder, dirs_exist_ok=True)
    path = folder / table_of(game, table)
    row = put(path, column, "nobody_at_all")
    put(path, "id", "!", row=0)
    lines = told(spec, folder)
    assert [line for line in lines if "nobody_at_all" in line] == [
        line for line in lines if line.startswith(f"{path.name}, row {row}, {column}: ")
    ]


@pytest.mark.parametrize("game", SPECS)
def test_where_a_header_is_wrong_no_name_seems_to_be_missing(game: str, tmp_path: Path) -> None:
    for table in SPECS[game].tables:
        folder = copied(game, tmp_path / table.name)
        path = folder / table.file
        path.write_text(path.read_text("utf-8").replace("id,", "idd,", 1), "utf-8")
        for line in told(SPECS[game], folder):
            assert line.startswith(f"{table.file}, ")
        path.unlink()
        (line,) = told(SPECS[game], folder)
        assert line.startswith(f"{table.file}: there is no such file")
