"""What things are called goes with a catalogue, whatever else its `report.toml` holds."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

import balance
from balance.base.errors import StudyError
from balance.game.registry import shipped_folder
from balance.game.words import Words
from tests.toy.game import GAME as TOY


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    return Path(copytree(shipped_folder(balance.load("warforged").definition), tmp_path / "cards"))


def test_words_are_those_of_the_catalogue_and_the_defaults_where_it_has_none(cards: Path) -> None:
    (cards / "report.toml").write_text('[words]\npoints = "florins"\n', "utf-8")
    words = balance.load("warforged", cards).words
    assert (words.points, words.entrant) == ("florins", Words().entrant)
    assert balance.load(TOY).words == Words()


def test_only_the_words_are_looked_at(cards: Path) -> None:
    (cards / "report.toml").write_text('gain = 3\nnonsense = true\n[words]\npoints = "florins"\n', "utf-8")
    assert balance.load("warforged", cards).words.points == "florins"


@pytest.mark.parametrize("wrong", ['[words]\npoint = "florins"\n', "[words]\npoints = 3\n", "words = 3\n", "[words\n"])
def test_wrong_words_are_refused_with_their_place(wrong: str, cards: Path) -> None:
    (cards / "report.toml").write_text(wrong, "utf-8")
    with pytest.raises(StudyError, match=r"report\.toml"):
        _ = balance.load("warforged", cards).words
