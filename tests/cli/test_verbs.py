"""check, export, import and rules."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from openpyxl import load_workbook

from balance.answers.games.rules import read_coverage
from balance.cli.main import main
from balance.game.registry import GAMES
from tests.cli.conftest import Command


@pytest.mark.slow("tests/cli/test_checking.py::test_a_first_screen_answers_in_a_sentence_and_fits")
def test_check_finds_the_shipped_catalogues_sound(balance: Command, elsewhere: Path) -> None:
    done = balance("check")
    assert (done.status, done.err) == (0, "")
    assert "warforged (warforged): sound" in done.out.replace("\n", "")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the shipped cards as a workbook, and as tables read from it."""
    folder = tmp_path_factory.mktemp("exported")
    assert main(["export", "warforged", str(folder / "cards.xlsx")]) == 0
    assert main(["import", "warforged", str(folder / "cards.xlsx"), "--to", str(folder / "mine")]) == 0
    return folder


@pytest.fixture
def mine(exported: Path, elsewhere: Path) -> Path:
    copytree(exported, elsewhere, dirs_exist_ok=True)
    return elsewhere / "mine"


@pytest.mark.slow("test_check_of_one_table_leaves_the_others_faults_to_them")
def test_check_counts_and_prints_every_fault(balance: Command, mine: Path) -> None:
    units = mine / "units.csv"
    units.write_text(units.read_text().replace("24,4,8", "24,4,-8").replace("14,6,4", "14,6,x"))
    done = balance("check", "mine")
    assert done.status == 2
    assert done.err.count("error: ") == 2
    assert "mine (warforged): 2 faults" in done.out
    assert balance("check", "mine/units.csv").status == 2


def test_check_of_one_table_leaves_the_others_faults_to_them(balance: Command, mine: Path) -> None:
    units = mine / "units.csv"
    units.write_text(units.read_text().replace("24,4,8", "24,4,-8"))
    done = balance("check", "mine/weapons.csv")
    assert (done.status, done.err) == (0, "")
    assert "other files of its folder: 1 fault" in done.out


@pytest.mark.slow("test_a_workbook_as_an_italian_designer_leaves_it_is_read")
def test_check_reads_workbooks(balance: Command, mine: Path) -> None:
    assert "cards.xlsx (warforged): sound" in balance("check", "cards.xlsx").out
    Path("cards.xlsx").write_bytes(b"no workbook")
    assert balance("check", "cards.xlsx").status == 2


def test_check_notes_values_without_a_source(balance: Command, mine: Path) -> None:
    (mine / "SOURCES.csv").unlink()
    done = balance("check", "mine")
    assert done.status == 0
    assert "note: nobody told where 2" in done.out
    assert balance("check", "mine", "--notes").out.count("note: ") > 100


def test_check_tells_games_apart(balance: Command, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.toy.game import GAME as SKIRMISH

    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    assert "(warforged): sound" in balance("check", "mine").out
    assert "(skirmish): sound" in balance("check", str(SKIRMISH.folder)).out


def test_export_and_import_come_back_the_same(balance: Command, elsewhere: Path) -> None:
    import balance as toolkit

    before = toolkit.load("warforged").catalogue.sha256
    assert "Wrote cards.xlsx" in balance("export", "warforged", "cards.xlsx").out
    done = balance("import", "warforged", "cards.xlsx")
    assert "Wrote data/warforged/units.csv\n" in done.out
    assert "Commands started in this folder now use it." in done.out
    assert toolkit.load("warforged").catalogue.path == Path("data/warforged")
    assert toolkit.load("warforged").catalogue.sha256 == before


def test_an_import_with_faults_writes_nothing(balance: Command, elsewhere: Path) -> None:
    from openpyxl import load_workbook

    balance("export", "warforged", "cards.xlsx")
    book = load_workbook("cards.xlsx")
    book["units"]["F2"] = -1
    book.save("cards.xlsx")
    done = balance("import", "warforged", "cards.xlsx")
    assert done.status == 2
    assert "health" in done.err
    assert not Path("data").exists()


def test_an_import_over_a_file_writes_nothing(balance: Command, elsewhere: Path) -> None:
    balance("export", "warforged", "cards.xlsx")
    Path("taken").write_text("mine")
    done = balance("import", "warforged", "cards.xlsx", "--to", "taken")
    assert done.status == 2
    assert "cannot be written" in done.err
    assert Path("taken").read_text() == "mine"


def test_rules_prints_every_rule_and_the_coverage_of_each_level(balance: Command) -> None:
    done = balance("rules", "warforged", "--more")
    assert done.status == 0
    assert "WF-ATT.1" in done.out
    assert "proved" in done.out


def test_rules_with_strict_wants_a_test_for_every_rule_of_levels_a_and_b(
    balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert balance("rules", "warforged", "--strict").status == 0
    monkeypatch.setattr("balance.answers.games.rules.read_coverage", lambda path: {})
    assert balance("rules", "warforged").status == 0
    done = balance("rules", "warforged", "--strict", "--more")
    assert done.status == 1
    assert "WF-ATT.1" in done.out


def test_coverage_is_read_as_it_is_written(tmp_path: Path) -> None:
    with (tmp_path / "coverage.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["rule", "tests"], ["R1", "a::x b::y"], ["R2", ""], ["R1", "a::x;c::z"]])
    assert read_coverage(tmp_path / "coverage.csv") == {"R1": ("a::x", "b::y", "c::z")}
    assert read_coverage(tmp_path / "none.csv") == {}


# -- a designer's own workbook ---------------------------------------------------------------------------------------


def edit_workbook(book: Path, change: Callable[[Any], None]) -> None:
    opened = load_workbook(book)
    change(opened)
    opened.save(book)


def row_of(sheet: Any, entry: str) -> int:
    return next(row for row in range(1, sheet.max_row + 1) if sheet.cell(row, 1).value == entry)


def sources_of(folder: Path) -> set[str]:
    return {row["id"] for row in csv.DictReader((folder / "SOURCES.csv").read_text("utf-8").splitlines())}


@pytest.mark.slow("test_export_and_import_come_back_the_same")
def test_the_sources_of_a_deleted_row_go_with_it(balance: Command, elsewhere: Path) -> None:
    balance("export", "warforged", "cards.xlsx")
    edit_workbook(elsewhere / "cards.xlsx", lambda book: book["units"].delete_rows(row_of(book["units"], "whisper"), 1))
    assert balance("check", "--game", "warforged", "cards.xlsx").status == 0
    done = balance("import", "warforged", "cards.xlsx")
    assert (done.status, done.err) == (0, "")
    assert "note: units: whisper is gone, and its 9 sources went with it" in done.out
    assert "whisper" not in sources_of(elsewhere / "data" / "warforged")


@pytest.mark.slow("test_export_and_import_come_back_the_same")
def test_the_sources_of_a_renamed_row_move_with_it(balance: Command, elsewhere: Path) -> None:
    balance("export", "warforged", "cards.xlsx")

    def rename(book: Any) -> None:
        row = row_of(book["units"], "whisper")
        book["units"].cell(row, 1).value, book["units"].cell(row, 2).value = "murmur", "Murmur"

    edit_workbook(elsewhere / "cards.xlsx", rename)
    done = balance("import", "warforged", "cards.xlsx")
    assert done.status == 0
    assert "note: units: whisper is now murmur, and its 9 sources moved with it" in done.out
    ids = sources_of(elsewhere / "data" / "warforged")
    assert ("murmur" in ids, "whisper" in ids) == (True, False)


def test_rows_of_one_entry_that_is_not_there_are_one_note_that_says_what_to_do(balance: Command, mine: Path) -> None:
    text = (mine / "units.csv").read_text("utf-8")
    (mine / "units.csv").write_text("".join(x for x in text.splitlines(True) if not x.startswith("whisper,")), "utf-8")
    done = balance("check", "--game", "warforged", mine)
    assert (done.status, done.err) == (0, "")
    (line,) = (line for line in done.out.splitlines() if "SOURCES" in line)
    assert "'whisper' is not in this catalogue" in line
    assert line.endswith("9 rows name it: delete them if the entry is gone, or write its new id in them")


def test_an_import_keeps_what_was_edited_by_hand_and_says_where(balance: Command, elsewhere: Path) -> None:
    balance("export", "warforged", "cards.xlsx")
    balance("import", "warforged", "cards.xlsx")
    units = elsewhere / "data" / "warforged" / "units.csv"
    edited = units.read_text("utf-8").replace("nexus,Nexus,Cyborg,24", "nexus,Nexus,Cyborg,99")
    units.write_text(edited, "utf-8")
    done = balance("import", "warforged", "cards.xlsx")
    (kept,) = units.parent.glob("edited_*/units.csv")
    assert kept.read_text("utf-8") == edited
    assert "note: units.csv had been edited since the last import; as they were: data/warforged/edited_" in done.err
    assert [path.name for path in kept.parent.iterdir()] == ["units.csv"]
    again = balance("import", "warforged", "cards.xlsx")
    assert "edited" not in again.out


@pytest.mark.slow("test_an_import_keeps_what_was_edited_by_hand_and_says_where")
def test_an_import_of_what_was_exported_after_the_edits_keeps_no_copy(balance: Command, elsewhere: Path) -> None:
    balance("export", "warforged", "cards.xlsx")
    balance("import", "warforged", "cards.xlsx")
    folder = elsewhere / "data" / "warforged"
    text = (folder / "units.csv").read_text("utf-8")
    (folder / "units.csv").write_text(text.replace("nexus,Nexus,Cyborg,24", "nexus,Nexus,Cyborg,99"), "utf-8")
    balance("export", "warforged", "mine.xlsx")
    edit_workbook(elsewhere / "mine.xlsx", lambda book: book["units"].cell(2, 4, 100))
    assert "edited" not in balance("import", "warforged", "mine.xlsx").err
    assert not [*folder.glob("edited_*")]
    rules = folder / "rules.toml"
    rules.write_text(rules.read_text("utf-8") + "# mine\n", "utf-8")
    assert "rules.toml had been edited" in balance("import", "warforged", "mine.xlsx").err  # a comment would be lost


@pytest.mark.slow(
    "tests/study/test_gaps.py::test_what_is_not_there_is_said_at_once_and_in_the_report_and_the_rest_is_shown"
)
def test_an_import_says_what_the_report_will_not_show(balance: Command, elsewhere: Path) -> None:
    balance("export", "battlelore", "cards.xlsx")
    halberd = ["halberd", "Halberd", 1, "all", "all", "true", "full", "false"]
    edit_workbook(elsewhere / "cards.xlsx", lambda book: book["weapons"].append(halberd))
    done = balance("import", "battlelore", "cards.xlsx")
    assert "note: weapons: halberd will not appear: no row of troops or units names it" in done.out
    assert "halberd will not appear" in balance("check", "battlelore").out


@pytest.mark.slow(
    "tests/study/test_gaps.py::test_what_is_not_there_is_said_at_once_and_in_the_report_and_the_rest_is_shown"
)
def test_what_the_report_will_not_show_is_told_by_the_study_of_the_catalogue_at_hand(
    balance: Command, mine: Path
) -> None:
    (mine / "study.toml").write_text('game = "warforged"\nentrants = ["nexus+s*"]\n', "utf-8")
    told = "the study leaves it out"
    assert told in balance("check", "mine").out
    assert told in balance("check", "mine/units.csv").out
    assert told in balance("import", "warforged", "cards.xlsx", "--to", "mine").err
    assert told not in balance("check", "cards.xlsx").out
    assert told not in balance("check", "warforged").out
    copytree(mine, mine.parent / "data" / "warforged")
    assert told in balance("check", "cards.xlsx").out  # where it would go


def test_the_headers_that_are_understood_are_listed(balance: Command, mine: Path) -> None:
    shown = balance("show", "warforged", "fields").out
    health = next(line for line in shown.splitlines() if line.startswith("  health"))
    assert "vita" in shown[shown.index(health) : shown.index("  armour")]
    text = (mine / "units.csv").read_text("utf-8")
    (mine / "units.csv").write_text(text.replace("health", "Punti Vita", 1), "utf-8")
    assert balance("check", "--game", "warforged", mine).status == 0
    (mine / "units.csv").write_text(text.replace("health", "qwzx", 1), "utf-8")
    told = balance("check", "--game", "warforged", mine).err
    assert "`balance show GAME fields` lists what else a header may be called" in told


def test_check_takes_the_name_of_a_game_and_says_what_may_be_meant(balance: Command, elsewhere: Path) -> None:
    done = balance("check", "warforged")
    assert (done.status, done.err) == (0, "")
    assert "(warforged): sound" in done.out
    done = balance("check", "warfroged")
    assert done.status == 2
    assert "there is no such file, folder or game; did you mean warforged?" in done.err


def test_check_finds_toml_that_nobody_can_read(balance: Command, elsewhere: Path) -> None:
    (elsewhere / "broken.toml").write_text("title = \n")
    done = balance("check", "broken.toml")
    assert (done.status, done.out) == (2, "broken.toml: 1 fault\n")
    assert "broken.toml, row 1: the file is not TOML" in done.err


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("attack warforged nexus shotgun whisper", "join a unit and its weapon by +"),
        (
            "attack warforged nexus+shotgun whisper --catalogue data",
            "data: holds no catalogue; is data/warforged meant?",
        ),
        ("attack warforged nexus+shotgun whisper --catalogue dta/warforged", "is data/warforged meant?"),
        ("attack warforged nexus+shotgun whisper --catalogue data/warfroged", "is data/warforged meant?"),
        ("import warforged data/warforged/units.csv", "put them into data/warforged, or say --catalogue FOLDER"),
        ("import warforged data/warforged", "is no workbook; tables are used where they lie"),
    ],
)
def test_what_newcomers_type_is_answered_with_what_to_type(
    command: str, told: str, balance: Command, elsewhere: Path
) -> None:
    balance("export", "warforged", "cards.xlsx")
    balance("import", "warforged", "cards.xlsx")
    done = balance(*command.split())
    assert done.status == 2
    assert told in done.err


def test_a_workbook_as_an_italian_designer_leaves_it_is_read(balance: Command, elsewhere: Path) -> None:
    balance("export", "warforged", "cards.xlsx")

    def edit(book: Any) -> None:
        units = book["units"]
        for column, word in enumerate(("ID ", "Nome", "Tipo", "Costo (PG)", "Velocità ", "Vita", "Armatura"), start=1):
            units.cell(1, column).value = word
        units.insert_rows(4)
        units.cell(2, 2).value, units.cell(2, 4).value, units.cell(3, 5).value = "Nexus ", "24,0", " 6 "
        units.title = "Units "

    edit_workbook(elsewhere / "cards.xlsx", edit)
    assert balance("import", "warforged", "cards.xlsx").status == 0
    assert balance("show", "warforged", "nexus").out.count("24") == 1


@pytest.mark.slow("test_an_import_over_a_file_writes_nothing")
def test_an_import_does_not_read_a_huge_file_to_keep_it(balance: Command, elsewhere: Path) -> None:
    balance("export", "warforged", "mine.xlsx")
    balance("import", "warforged", "mine.xlsx")
    units = elsewhere / "data" / "warforged" / "units.csv"
    os.truncate(units, 64 * 2**20)
    done = balance("import", "warforged", "mine.xlsx")
    assert (done.status, units.stat().st_size) == (2, 64 * 2**20)
    assert "units.csv: cannot be kept: it is larger than 32 MB" in done.err
