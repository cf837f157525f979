"""What `balance check` says of a sound catalogue, and whose a path is taken to be."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import balance as toolkit
from balance.base.errors import Fault, UsageError
from balance.cli.catalogues.check import (
    _answer,
    _by_path,
    _CheckResult,
    _is_table,
    _lines,
    _unsourced_texts,
    read_path,
    say_unseen,
    tables_before,
)
from balance.game.registry import catalogue_folder, find_game, shipped_folder
from tests.cli.conftest import Command

CATALOGUE = toolkit.load("warforged").catalogue
UNSOURCED = ("units x", "weapons y", "units z")


@pytest.mark.parametrize(
    ("n", "each", "told"),
    [
        (0, False, []),
        (1, False, ["note: nobody told where 1 value comes from (1 in units); --notes lists them"]),
        (3, False, ["note: nobody told where 3 values come from (2 in units, 1 in weapons); --notes lists them"]),
        (2, True, ["note: SOURCES.csv: units x", "note: SOURCES.csv: weapons y"]),
    ],
)
def test_values_without_a_source_are_counted_by_table_or_listed(
    n: int, each: bool, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = [Fault(text, "SOURCES.csv") for text in UNSOURCED[:n]]
    monkeypatch.setattr("balance.catalogue.unsourced_values", lambda catalogue: faults)
    assert _unsourced_texts(CATALOGUE, each) == told


def test_what_a_report_will_not_show_is_a_note_and_why_there_is_none_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = find_game("warforged")
    monkeypatch.setattr(
        "balance.study.run.reach.hidden_card_texts", lambda loaded: [f"of {loaded.catalogue.path.name}: 2 units"]
    )
    say_unseen(game, CATALOGUE, tmp_path / "mine")

    def fail(loaded: Any) -> list[str]:
        raise UsageError([Fault("is no study", "study.toml"), Fault("nor this", "x")])

    monkeypatch.setattr("balance.study.run.reach.hidden_card_texts", fail)
    say_unseen(game, CATALOGUE, tmp_path)
    assert capsys.readouterr().out.splitlines() == [
        "note: of mine: 2 units",
        "note: a report cannot be made: study.toml: is no study",
        "note: a report cannot be made: x: nor this",
    ]


def test_a_path_is_of_the_game_it_names_unless_something_lies_there(elsewhere: Path) -> None:
    warforged, edadh = find_game("warforged"), find_game("edadh")
    assert _by_path(Path("edadh"), [warforged]) == ([edadh], catalogue_folder(edadh))
    assert _by_path(Path("nothing"), [warforged]) == ([warforged], Path("nothing"))
    (elsewhere / "edadh").mkdir()
    assert _by_path(Path("edadh"), [warforged]) == ([warforged], Path("edadh"))


def test_a_path_is_read_as_the_game_in_its_name_or_else_as_the_one_it_fits_best() -> None:
    games = [find_game(name) for name in ("edadh", "battlelore", "warforged")]
    folder = shipped_folder(games[2])
    for path in (folder, folder / "units.csv", Path("warforged.csv")):
        assert read_path(games, path)[0].name == "warforged"
    assert read_path(games, Path("nothing.csv"))[0].name == "edadh"
    assert [_is_table(Path(name)) for name in ("x.CSV", "rules.toml", "x.xlsx", "x")] == [True, True, False, False]


def test_a_workbook_may_have_been_made_from_what_ships_or_from_what_lies_in_a_folder(tmp_path: Path) -> None:
    game = find_game("warforged")
    shipped = tables_before(game)
    assert {name: list(entries) for name, entries in shipped.items()} == {
        name: list(entries) for name, entries in CATALOGUE.tables.items()
    }
    (tmp_path / "units.csv").write_text("id\n")
    assert tables_before(game, tmp_path) == tables_before(game, tmp_path / "none") == shipped


def test_what_cannot_be_read_of_what_ships_hides_nothing_of_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_game("warforged")
    here = shipped_folder(game)
    (tmp_path / "units.csv").write_text("id\n")
    monkeypatch.setattr("balance.game.registry.shipped_folder", lambda game: tmp_path)
    assert list(tables_before(game, here)) == list(CATALOGUE.tables)


def test_a_first_screen_answers_in_a_sentence_and_fits(balance: Command) -> None:
    lines = balance("check", "edadh").out.splitlines()
    assert lines[0].startswith("data/edadh (edadh): sound; 51 entries")
    assert lines[-1] == "--more shows what each table holds."


@pytest.mark.slow("test_a_first_screen_answers_in_a_sentence_and_fits")
def test_a_first_screen_of_every_game_answers_in_a_sentence_and_fits(balance: Command) -> None:
    lines = balance("check").out.splitlines()
    assert lines[0].startswith("5 catalogues are sound; ")
    assert lines[0].endswith(" values are assumed.")
    assert len(lines) == 8
    assert lines[-2].startswith("note: entrants: ") and lines[-2].endswith("the study leaves it out")  # of Runewars
    assert lines[-1] == "--more shows what each table holds."
    assert "410 entries in 18 tables" in balance("check", "immortal_souls").out
    assert "20 faces, 4 criticals, 10 heroes" in balance("check", "immortal_souls", "--more").out


def test_a_card_that_is_never_worth_taking_is_a_note(balance: Command, tmp_path: Path) -> None:
    folder = tmp_path / "warforged"
    shutil.copytree(CATALOGUE.path, folder)
    with (folder / "units.csv").open("a", encoding="utf-8") as file:
        file.write("lame,Lame Nexus,Cyborg,25,4,7,2,3,,2\n")
    note = "note: lame of units is strictly worse than nexus: health, cost"
    assert note in balance("check", "warforged", "--catalogue", str(folder)).out.splitlines()
    file_game = tmp_path / "rats.toml"
    rats = 'health = "life"\n[units.rat]\nlife = 3\n[units.lame_rat]\nlife = 2\n[attack]\n"foe.life" = "foe.life - 1"\n'
    file_game.write_text(rats, "utf-8")
    assert "note: lame_rat of units is strictly worse than rat: life" in balance("check", str(file_game)).out


def test_notes_that_a_first_screen_has_no_room_for_are_counted() -> None:
    found = [_CheckResult("a: sound", True, notes=tuple(f"note: {n}" for n in range(30)))]
    assert [*_lines(found, whole=False)][-2:] == ["note: 20", "--more shows 9 more notes and what each table holds."]
    assert len([*_lines(found, whole=True)]) == 31
    assert _answer([*found, _CheckResult("b: 2 faults", False)]) == "1 of 2 has faults."
