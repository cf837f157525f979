"""What `balance check` says of a sound catalogue, and whose a path is taken to be."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import balance as toolkit
from balance.answers.blocks.lines import Verbatim
from balance.answers.form import Terms
from balance.answers.words.catalogues.check import Check, CheckedPath, full, sentence, short
from balance.base.errors import Fault, UsageError
from balance.game.registry import catalogue_folder, find_game, shipped_folder
from balance.verbs.catalogues.check import _unsourced, unseen
from balance.verbs.catalogues.paths import catalogue_at, is_table, read_path, tables_before
from tests.cli.conftest import Command

CATALOGUE = toolkit.load("warforged").catalogue
UNSOURCED = ("units x", "weapons y", "units z")


@pytest.mark.parametrize(
    ("n", "each", "told"),
    [
        (0, False, []),
        (1, False, ["nobody told where 1 value comes from (1 in units); --notes lists them"]),
        (3, False, ["nobody told where 3 values come from (2 in units, 1 in weapons); --notes lists them"]),
        (2, True, ["SOURCES.csv: units x", "SOURCES.csv: weapons y"]),
    ],
)
def test_values_without_a_source_are_counted_by_table_or_listed(
    n: int, each: bool, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = [Fault(text, "SOURCES.csv") for text in UNSOURCED[:n]]
    monkeypatch.setattr("balance.catalogue.unsourced_values", lambda catalogue: faults)
    assert _unsourced(CATALOGUE, each) == told


def test_what_a_report_will_not_show_is_told_and_why_there_is_none_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = find_game("warforged")
    monkeypatch.setattr(
        "balance.study.run.reach.hidden_card_texts", lambda loaded: [f"of {loaded.catalogue.path.name}: 2 units"]
    )
    assert unseen(game, CATALOGUE, tmp_path / "mine") == ["of mine: 2 units"]

    def fail(loaded: Any) -> list[str]:
        raise UsageError([Fault("is no study", "study.toml"), Fault("nor this", "x")])

    monkeypatch.setattr("balance.study.run.reach.hidden_card_texts", fail)
    assert unseen(game, CATALOGUE, tmp_path) == [
        "a report cannot be made: study.toml: is no study",
        "a report cannot be made: x: nor this",
    ]


def test_a_path_is_of_the_game_it_names_unless_something_lies_there(elsewhere: Path) -> None:
    warforged, edadh = find_game("warforged"), find_game("edadh")
    assert catalogue_at(Path("edadh"), [warforged]) == ([edadh], catalogue_folder(edadh))
    assert catalogue_at(Path("nothing"), [warforged]) == ([warforged], Path("nothing"))
    (elsewhere / "edadh").mkdir()
    assert catalogue_at(Path("edadh"), [warforged]) == ([warforged], Path("edadh"))


def test_a_path_is_read_as_the_game_in_its_name_or_else_as_the_one_it_fits_best() -> None:
    games = [find_game(name) for name in ("edadh", "battlelore", "warforged")]
    folder = shipped_folder(games[2])
    for path in (folder, folder / "units.csv", Path("warforged.csv")):
        assert read_path(games, path)[0].name == "warforged"
    assert read_path(games, Path("nothing.csv"))[0].name == "edadh"
    assert [is_table(Path(name)) for name in ("x.CSV", "rules.toml", "x.xlsx", "x")] == [True, True, False, False]


def test_a_workbook_may_have_been_made_from_what_ships_or_from_what_lies_in_a_folder(tmp_path: Path) -> None:
    game = find_game("warforged")
    shipped = tables_before(game, tmp_path)
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
    noted = CheckedPath("a", notes=tuple(map(str, range(30))))
    unsound = CheckedPath("b", faults=(Fault("is wrong"), Fault("is worse")))
    check = Check(1, "check", (noted,))
    (first,), (whole,) = short(check, Terms()).top, full(check, Terms())
    assert isinstance(first, Verbatim) and isinstance(whole, Verbatim)
    assert first.lines[-2:] == ("note: 20", "--more shows 9 more notes and what each table holds.")
    assert len(whole.lines) == 31
    assert sentence(Check(1, "check", (noted, unsound)), Terms()) == "1 of 2 has faults."


def test_faults_are_told_field_by_field_to_programs(balance: Command, elsewhere: Path) -> None:
    shutil.copytree(shipped_folder(find_game("warforged")), elsewhere / "warforged")
    units = elsewhere / "warforged" / "units.csv"
    units.write_text(units.read_text("utf-8").replace(",Cyborg,24,", ",Cyborg,many,", 1), "utf-8")
    done = balance("check", "warforged", "edadh", "--json")
    wrong, sound = json.loads(done.out)["paths"]
    (fault,) = wrong["faults"]
    assert (done.status, wrong["is_sound"], sound["is_sound"], sound["kind"]) == (2, False, True, "edadh")
    assert (fault["row"], fault["field"], fault["found"]) == (2, "cost_points", "many")
    assert fault["allowed"] and fault["path"].endswith("units.csv") and done.err.startswith("error: ")
    result = toolkit.check("warforged", "edadh")
    assert [str(row) for row in result.to_polars("faults")["message"]] == [row.message for row in result.faults]
