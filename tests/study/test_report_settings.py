from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest

import balance
from balance.base.errors import StudyError
from balance.cli.main import main
from balance.game.registry import shipped_folder
from balance.reporting.build import report_run
from balance.study import load_run, load_study, run_study
from balance.study.frames.report_settings import GameSettings, load_settings, settings_path
from tests.toy import game as toy

WORDS = '[words]\nentrant = "hero"\nentrants = "heroes"\npoints = "florins"\n'
SMALL = "[check]\nmatch_ups = 4\ntrials = 200\n[verdicts]\ndraws = 100\n"


@pytest.fixture
def cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a catalogue, whose `report.toml` has other words; another catalogue lies where we are."""
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)
    copytree(shipped_folder(balance.load("warforged").definition), tmp_path / "cards")
    copytree(tmp_path / "cards", tmp_path / "data" / "warforged")
    (tmp_path / "cards" / "report.toml").write_text(WORDS, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cards"


def test_the_report_toml_of_the_catalogue_in_use_is_read(cards: Path) -> None:
    assert load_settings(balance.load("warforged", cards)).words.points == "florins"
    assert load_settings(balance.load("warforged")).words.points != "florins"


def test_a_catalogue_without_one_is_shown_as_the_games_own(cards: Path) -> None:
    (cards / "report.toml").unlink()
    own = balance.load("warforged", shipped_folder(balance.load("warforged").definition))
    assert settings_path(balance.load("warforged", cards)) == settings_path(own)
    assert load_settings(balance.load("warforged", cards)) == load_settings(own)


def test_a_game_that_has_none_has_the_defaults(tmp_path: Path) -> None:
    assert settings_path(balance.load(toy.GAME)) is None
    assert load_settings(balance.load(toy.GAME)) == GameSettings()


def test_a_wrong_one_is_told_with_its_place(cards: Path) -> None:
    (cards / "report.toml").write_text('[words]\npoint = "florins"\n', "utf-8")
    with pytest.raises(StudyError) as told:
        load_settings(balance.load("warforged", cards))
    (fault,) = told.value.faults
    assert (fault.path, fault.field, fault.tip) == (str(cards / "report.toml"), "words.point", "did you mean points?")


def test_an_answer_counts_in_the_words_of_the_catalogue(cards: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["attack", "warforged", "nexus+sidearm", "trooper"]
    assert main([*asked, "--catalogue", str(cards)]) == 0
    assert "florins" in capsys.readouterr().out
    assert main(asked) == 0
    assert "florins" not in capsys.readouterr().out


@pytest.mark.slow("test_the_report_toml_of_the_catalogue_in_use_is_read")
def test_a_run_shows_and_records_the_report_toml_of_its_catalogue(cards: Path) -> None:
    study = cards.parent / "study.toml"
    text = 'game = "warforged"\nentrants = ["nexus+s*"]\nmetrics = ["cards"]\narmies = []\n{}' + SMALL
    sums = []
    for named in ('catalogue = "cards"\n', ""):
        study.write_text(text.format(named), "utf-8")
        run = run_study(load_study(study), cards.parent / "run")
        sums.append(json.loads((cards.parent / "run" / "manifest.json").read_text("utf-8")).get("report_toml_sha256"))
        assert (load_run(run.folder).settings.words.points == "florins") == bool(named)
        if named:
            report_run(run, cards.parent / "out", ("html",))
            assert "florins" in (cards.parent / "out" / "index.html").read_text("utf-8")
    assert sums[0] is not None
    assert sums[1] is None


def test_a_published_run_names_no_report_toml_beside_its_settings() -> None:
    folder = Path(__file__).parents[2] / "reports" / "warforged"
    assert "report_toml_sha256" not in json.loads((folder / "manifest.json").read_text("utf-8"))
