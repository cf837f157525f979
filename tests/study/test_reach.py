"""Which cards a report will not show: by the study and the `report.toml` of the catalogue that is asked about."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from balance.analysis.scores.cards import cards_of
from balance.base.errors import StudyError
from balance.game.loaded import load
from balance.game.registry import GAMES
from balance.study.loading.load import shipped_study, study_beside
from balance.study.run.reach import hidden_card_texts
from tests.toy import game as module
from tests.toy.game import GAME as TOY

RATS = 'game = "skirmish"\nentrants = ["rat"]\n'
KNIGHTS = 'game = "skirmish"\nentrants = ["knight"]\n'


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, with the catalogue of every day in `data/skirmish` and another one in `mine`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    for place, study in (("data/skirmish", KNIGHTS), ("mine", RATS)):
        copytree(TOY.folder or Path(), tmp_path / place)
        (tmp_path / place / "study.toml").write_text(study, "utf-8")
    return tmp_path


def test_the_study_is_the_one_beside_the_catalogue(folders: Path) -> None:
    note = "entrants: {} will not appear in the report: the study leaves it out"
    assert hidden_card_texts(load("skirmish")) == [note.format("rat, ogre")]
    assert hidden_card_texts(load("skirmish", folders / "mine")) == [note.format("knight, ogre")]
    (folders / "mine" / "study.toml").unlink()
    assert hidden_card_texts(load("skirmish", folders / "mine")) == []


def test_it_is_held_to_the_cards_of_that_catalogue(folders: Path) -> None:
    """A study of cards that only this catalogue has; where the other is in use, the same study names nobody."""
    cards = folders / "mine" / "fighters.csv"
    cards.write_text(cards.read_text("utf-8").replace("rat,Rat", "mouse,Mouse"), "utf-8")
    (folders / "mine" / "SOURCES.csv").unlink()
    study = folders / "mine" / "study.toml"
    study.write_text(RATS.replace("rat", "mouse"), "utf-8")
    mine = load("skirmish", folders / "mine")
    assert study_beside(mine).choose(mine) == ("mouse",)
    assert "mouse" not in hidden_card_texts(mine)[0]
    (folders / "data" / "skirmish" / "study.toml").write_text(study.read_text("utf-8"), "utf-8")
    with pytest.raises(StudyError, match="'mouse'"):
        shipped_study("skirmish")


def write(folder: Path, report: str = "", study: str = "") -> None:
    (folder / "mine" / "report.toml").write_text(report or "sections = []\n", "utf-8")
    (folder / "mine" / "study.toml").write_text(study or 'game = "skirmish"\nmetrics = ["sections"]\n', "utf-8")


ASKS = """
[[sections]]
id = "own"
title = "Own"
[[sections.tables]]
id = "x"
caption = "X"
rung = "duel"
measure = { wins = "a" }
rows = [{ each = "one", of = ["knight"] }]
columns = [{ each = "other", of = ["rat", "giant"] }]
"""


def test_whoever_no_table_asks_about_is_named(folders: Path) -> None:
    write(folders, ASKS)
    note = "entrants: {} will not appear in the report: no table of report.toml asks about it"
    assert hidden_card_texts(load("skirmish", folders / "mine")) == [note.format("ogre")]
    write(folders, "")
    assert hidden_card_texts(load("skirmish", folders / "mine")) == [note.format("rat, knight, ogre")]


@pytest.mark.parametrize("metric", ["cards", "match_ups"])
def test_whoever_a_study_plays_is_shown_whatever_the_tables_ask(metric: str, folders: Path) -> None:
    write(folders, ASKS, f'game = "skirmish"\nmetrics = ["{metric}"]\n')
    assert hidden_card_texts(load("skirmish", folders / "mine")) == []


def test_who_is_solved_for_is_shown(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.study.golden.toy:GAME")
    write(folders, 'solutions = [{ id = "x", title = "X", rung = "duel", one = "ogre", other = "rat" }]')
    (text,) = hidden_card_texts(load("skirmish", folders / "mine"))
    assert text.startswith("entrants: knight will not")


EIGHT = "f0, f1, f2, f3, f4, f5, f6, f7"


@pytest.mark.parametrize(("n", "named"), [(8, EIGHT), (10, f"{EIGHT}, 2 more")])
def test_of_many_the_first_eight_are_named(n: int, named: str, folders: Path) -> None:
    fighters(folders, n)
    write(folders)
    (text,) = hidden_card_texts(load("skirmish", folders / "mine"))
    assert text == f"entrants: {named} will not appear in the report: no table of report.toml asks about it"


def fighters(folder: Path, n: int) -> None:
    rows = "".join(f"f{at},F{at},1,1,1\n" for at in range(n))
    (folder / "mine" / "fighters.csv").write_text(f"id,name,cost_points,dice,health\n{rows}", "utf-8")
    (folder / "mine" / "SOURCES.csv").unlink(missing_ok=True)


def test_of_very_many_cards_only_that_is_said(folders: Path) -> None:
    for n in (500, 501):
        fighters(folders, n)
        write(folders)
        (text,) = hidden_card_texts(load("skirmish", folders / "mine"))
        told = "501 entries are too many to say here which of them the report will not show"
        assert (text == told) == (n == 501)


def test_cards_of_no_use_are_named_with_the_reason(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Captains are made of two of three fighters, here said by the game itself; the third is of no use."""
    captain = replace(TOY.kinds["duel"].takes[0], ids=lambda catalogue: ["rat", "ogre"], cards=cards)
    kinds = {name: replace(kind, takes=(captain, captain)) for name, kind in TOY.kinds.items()}
    game = replace(TOY, kinds=kinds, unused={"fighters": "no captain is one"})
    monkeypatch.setattr(module, "CAPTAINS", game, raising=False)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:CAPTAINS")
    write(folders, "", 'game = "skirmish"\nmetrics = ["match_ups"]\n')
    loaded = load("skirmish", folders / "mine")
    assert cards_of(loaded, "ogre") == {("fighters", "ogre")}
    assert hidden_card_texts(loaded) == ["fighters: knight will not appear: no captain is one"]


def cards(catalogue: object, entrant: str) -> list[tuple[str, str]]:
    return [("fighters", entrant)]


def test_the_cards_of_an_id_with_parts_are_its_parts() -> None:
    found = cards_of(load("warforged"), "nexus+shotgun")
    assert found == {("units", "nexus"), ("weapons", "shotgun")}
