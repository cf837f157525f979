"""Which cards a report will not show: by the study and the `report.toml` of the catalogue that is asked about."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from balance.errors import StudyError
from balance.protocol.loaded import load
from balance.protocol.registry import GAMES
from balance.study.reach import unseen
from balance.study.settings import shipped_study, study_beside
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
    assert unseen(load("skirmish")) == [note.format("rat, ogre")]
    assert unseen(load("skirmish", folders / "mine")) == [note.format("knight, ogre")]
    (folders / "mine" / "study.toml").unlink()
    assert unseen(load("skirmish", folders / "mine")) == []


def test_it_is_held_to_the_cards_of_that_catalogue(folders: Path) -> None:
    """A study of cards that only this catalogue has; where the other is in use, the same study names nobody."""
    cards = folders / "mine" / "fighters.csv"
    cards.write_text(cards.read_text("utf-8").replace("rat,Rat", "mouse,Mouse"), "utf-8")
    (folders / "mine" / "SOURCES.csv").unlink()
    study = folders / "mine" / "study.toml"
    study.write_text(RATS.replace("rat", "mouse"), "utf-8")
    mine = load("skirmish", folders / "mine")
    assert study_beside(mine).choose(mine) == ("mouse",)
    assert "mouse" not in unseen(mine)[0]
    (folders / "data" / "skirmish" / "study.toml").write_text(study.read_text("utf-8"), "utf-8")
    with pytest.raises(StudyError, match="'mouse'"):
        shipped_study("skirmish")
