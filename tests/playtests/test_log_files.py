"""The same games in any file are the same games: separators, languages, encodings, workbooks, the order of rows."""

from __future__ import annotations

import io
import random
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from balance.base.errors import CatalogueError
from balance.playtests.games import Games
from balance.playtests.log.log import LogSettings, read_log

ENGLISH = [
    line.split(",")
    for line in """evening,army 1,army 2,player 1,player 2,starts,winner,cost 1,cost 2,map
2026-01-09,High Elves,Orcs,Ada,Bo,Orcs,High Elves,100.5,90,Ford
2026-01-09,Città,Orcs,Bo,Ada,1,draw,80,90,Ford
2026-01-16,Orcs,High Elves,Bo,,,Bo,,100.5,Bridge
,Orcs,Città,Carla,Bo,Città,2,90,,""".splitlines()
]
ITALIAN_HEADER = "Serata;Esercito 1;Esercito 2;Giocatore 1;Giocatore 2;Inizia;Vince;Costo 1;Costo 2;Mappa"
ITALIAN = [
    ITALIAN_HEADER.split(";"),
    *([{"100.5": "100,5", "draw": "patta"}.get(cell, cell) for cell in row] for row in ENGLISH[1:]),
]


def text_of(rows: list[list[str]], separator: str, end: str = "\n") -> str:
    return end.join(separator.join(row) for row in rows) + end


def same(one: Games, other: Games, *, rows: bool = True) -> None:
    """Assert that two logs hold the same games."""
    first, second = ({**asdict(games), **({} if rows else {"rows": None})} for games in (one, other))
    np.testing.assert_equal(first, second)


@pytest.fixture
def plain(tmp_path: Path) -> Games:
    (tmp_path / "plain.csv").write_text(text_of(ENGLISH, ","), "utf-8")
    return read_log(tmp_path / "plain.csv").games


WRITTEN = {
    "comma.csv": text_of(ENGLISH, ",").encode(),
    "tab.tsv": text_of(ENGLISH, "\t").encode(),
    "semicolon.csv": text_of(ITALIAN, ";", "\r\n").encode("utf-8-sig"),
    "utf16.csv": text_of(ITALIAN, "\t").encode("utf-16"),
    "windows.csv": text_of(ITALIAN, ";").encode("cp1252"),
    "old_mac.csv": text_of(ITALIAN, ";", "\r").encode(),
    "quoted.csv": text_of([[f'"{cell}"' for cell in row] for row in ENGLISH], ",").encode(),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_however_it_is_written_the_games_are_the_same(name: str, plain: Games, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(WRITTEN[name])
    log = read_log(tmp_path / name)
    same(log.games, plain)
    western = "The text is not UTF-8 and was read as Windows-1252: look at the accents in the names."
    assert (western in log.source.notes) == (name == "windows.csv")


def test_a_line_that_states_the_separator_is_obeyed(plain: Games, tmp_path: Path) -> None:
    (tmp_path / "sep.csv").write_text("sep=;\n" + text_of(ITALIAN, ";"), "utf-8")
    games = read_log(tmp_path / "sep.csv").games
    same(games, plain, rows=False)
    assert games.rows.tolist() == [row + 1 for row in plain.rows.tolist()]


def workbook(path: Path, rows: list[list[object]], title: str = "Games", *more: str) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = title
    for row in rows:
        sheet.append(row)
    for name in more:
        book.create_sheet(name).append(["first", "second", "winner"])
    book.save(path)
    return path


def typed(cell: str) -> object:
    """Return a cell as a spreadsheet keeps it: dates, numbers and texts; nothing for an empty one."""
    for read in (int, float, lambda text: datetime.strptime(text, "%Y-%m-%d")):
        try:
            return read(cell)
        except ValueError:
            continue
    return cell or None


def test_a_workbook_is_read_as_its_csv(plain: Games, tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "log.xlsx", [[typed(cell) for cell in row] for row in ENGLISH], "Games", "Ideas", "Costs"
    )
    log = read_log(path)
    same(log.games, plain)
    assert log.source.notes == (
        "Of the workbook the sheet Games was read; --sheet names another: Ideas, Costs.",
        "1 row names no session; write it in every row of an evening.",
    )
    same(read_log(path, LogSettings(sheet="games")).games, plain)
    with pytest.raises(CatalogueError, match=r"'Idea' is not a sheet .* did you mean Ideas\?"):
        read_log(path, LogSettings(sheet="Idea"))
    with pytest.raises(CatalogueError, match="has a header but no games"):
        read_log(path, LogSettings(sheet="Ideas"))
    (tmp_path / "log.csv").write_bytes(path.read_bytes())
    same(read_log(tmp_path / "log.csv").games, plain)


def test_a_csv_has_no_sheets(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text(text_of(ENGLISH, ","), "utf-8")
    with pytest.raises(CatalogueError, match="it is no workbook; leave out sheet="):
        read_log(tmp_path / "log.csv", LogSettings(sheet="Games"))


def test_no_formula_is_computed(tmp_path: Path) -> None:
    """A saved result is a value; a formula without one is a fault, and a formula in a CSV file is a name."""
    path = workbook(tmp_path / "log.xlsx", [["first", "second", "winner"], ["=1+1", "Orcs", "Orcs"]])
    with pytest.raises(CatalogueError, match=r"sheet Games, row 2, A2: holds a formula without a saved result"):
        read_log(path)
    (tmp_path / "log.csv").write_text("first,second,winner\n=1+1,@SUM(1),=1+1\n'=1+1,@SUM(1),@SUM(1)\n")
    games = read_log(tmp_path / "log.csv").games
    assert games.names == ("=1+1", "@SUM(1)")
    assert games.score.tolist() == [1.0, 0.0]


def test_a_score_that_a_spreadsheet_took_for_a_date_is_told(tmp_path: Path) -> None:
    rows: list[list[object]] = [["first", "second", "result"], ["Elves", "Orcs", datetime(2026, 1, 2)]]
    with pytest.raises(CatalogueError, match="'2026-01-02' looks like a date made by a spreadsheet"):
        read_log(workbook(tmp_path / "log.xlsx", rows))


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    import zipfile

    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"<row/>" * 20_000_000)
    (tmp_path / "log.xlsx").write_bytes(content.getvalue())
    with pytest.raises(CatalogueError, match="unpacked"):
        read_log(tmp_path / "log.xlsx")


def test_the_order_of_rows_and_columns_changes_nothing_else(plain: Games, tmp_path: Path) -> None:
    chance = random.Random(14)
    head, *body = ENGLISH
    for trial in range(5):
        order = chance.sample(range(len(head)), len(head))
        rows = chance.sample(range(len(body)), len(body))
        written = [[row[at] for at in order] for row in [head, *(body[row] for row in rows)]]
        (tmp_path / f"{trial}.csv").write_text(text_of(written, ","), "utf-8")
        same(read_log(tmp_path / f"{trial}.csv").games, plain.select_rows(np.array(rows)), rows=False)
