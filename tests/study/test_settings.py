"""What a study says, seen from where its file lies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from pydantic import ValidationError

import balance
from balance import study as room
from balance.base.errors import CatalogueError, StudyError
from balance.game.loaded import LoadedGame, load
from balance.game.registry import GAMES, find_game, shipped_folder
from balance.study.loading.load import load_study, shipped_study, study_beside
from balance.study.run.template import study_text
from balance.study.settings import settings as module
from balance.study.settings.settings import Study, StudySettings
from tests.toy import game as toy


@pytest.fixture
def skirmish(monkeypatch: pytest.MonkeyPatch) -> LoadedGame:
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)
    monkeypatch.setitem(GAMES, "skirmish", "tests.study.golden.toy:GAME")
    return load("skirmish")


def study(**told: Any) -> Study:
    return Study(StudySettings.model_validate({"game": "skirmish"} | told), Path("folder/study.toml"))


def test_patches_are_looked_for_beside_the_study() -> None:
    found = study(patches=["one.toml", "more/two.toml"])
    assert found.patch_paths == (Path("folder/one.toml"), Path("folder/more/two.toml"))


def test_the_same_metric_twice_is_one() -> None:
    assert study(metrics=["cards", "match_ups", "cards"]).metrics == ("cards", "match_ups")


ABOUT = {
    "situations": [{"name": "x"}],
    "grid": {"x": [1]},
    "policies": {"x": ["a"]},
    "budget": {"trials": 1},
    "exact": "auto",
    "lane": "compiled",
    "confidence": 0.9,
    "patches": ["x.toml"],
}
BESIDE = {"title": "x", "seed": 1, "entrants": "all", "rules": {}, "situation": {}, "check": {}, "limits": {}}


@pytest.mark.parametrize("name", ABOUT)
def test_a_study_that_says_something_about_match_ups_plays_them(name: str, skirmish: LoadedGame) -> None:
    assert study(**{name: ABOUT[name]}).metrics == ("match_ups",)
    assert study(**{name: ABOUT[name], "metrics": ["cards"]}).metrics == ("cards",)


@pytest.mark.parametrize("name", BESIDE)
def test_any_other_study_works_out_cards_and_sections(name: str, skirmish: LoadedGame) -> None:
    assert study(**{name: BESIDE[name]}).metrics == ("cards", "sections")


def test_a_study_of_another_level_plays_match_ups(skirmish: LoadedGame) -> None:
    assert study(level="bout").metrics == ("match_ups",)
    assert study(level="duel").metrics == ("cards", "sections")


def test_what_is_played_is_the_first_kind_that_somebody_wins(
    skirmish: LoadedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (study().settings.level, study(level="bout").settings.level) == ("duel", "bout")
    assert StudySettings(game="nowhere").level == ""
    throws = replace(toy.GAME, kinds={"attack": toy.GAME.kinds["attack"]})
    monkeypatch.setattr(toy, "THROWS", throws, raising=False)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:THROWS")
    assert study().settings.level == "none"
    text = study_text("skirmish")
    assert 'level = ""  # what is played: \n' in text
    assert '["rat"]' in text
    assert "# [situation.]  # circumstances of every match-up\n\n" in text
    assert "every combination is played\n\n[budget]" in text


def test_every_combination_is_counted() -> None:
    assert study().settings.n_scenes == 1
    assert study(situations=[{"name": "a"}, {"name": "b"}]).settings.n_scenes == 2
    told = {"grid": {"x": [1, 2, 3], "y": [1, 2]}, "policies": {"p": ["a", "b", "c", "d", "e"]}}
    assert study(**told).settings.n_scenes == 30
    both = study(**told, situations=[{"name": "a"}, {"name": "b"}])
    assert both.settings.n_scenes == 60 == len(both.scenes)


def test_as_many_combinations_as_are_allowed_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SCENES", 6)
    assert study(grid={"x": [1, 2, 3], "y": [1, 2]}).settings.n_scenes == 6


def test_what_is_asked_beside_another_shares_its_situation() -> None:
    told = {"game": "warforged", "rules": {"faces": "0-9", "slim_vs_splash": True}}
    found = study(**told, situation={"attack": {"light_cover": True, "n_covers": 2}})
    rules = ("rules.faces=0-9", "rules.slim_vs_splash=true")
    assert found.changes("attack") == (*rules, "situation.light_cover=true", "situation.n_covers=2")
    assert found.changes("kill") == found.changes("attack")
    assert found.changes("duel") == rules


def test_entrants_are_chosen_in_the_order_of_the_game_and_each_once(skirmish: LoadedGame) -> None:
    for told, chosen in (
        ({}, ("rat", "knight", "ogre")),
        ({"entrants": ["o*", "?at", "ogre"]}, ("rat", "ogre")),
        ({"entrants": ["[ko]*"]}, ("knight", "ogre")),
        ({"max_cost_points": 20}, ("rat", "knight")),
        ({"max_cost_points": 19}, ("rat",)),
        ({"entrants": ["ogre", "knight"], "max_cost_points": 34}, ("knight",)),
        ({"level": "bout"}, ("captain_knight", "captain_rat")),
    ):
        assert study(**told).choose(skirmish) == chosen
    unlisted = study(game="warforged", entrants=["trooper+smg_pistol+smg_pistol", "trooper+s*"])
    names = unlisted.choose(load("warforged"))
    assert names[-1] == "trooper+smg_pistol+smg_pistol"
    assert all(name.startswith("trooper+s") for name in names[:-1])


def test_nobody_left_is_told_by_what_left_nobody(skirmish: LoadedGame) -> None:
    nobody = LoadedGame(skirmish.definition, replace(skirmish.catalogue, tables={"fighters": {}}))
    with pytest.raises(StudyError) as error:
        study().choose(nobody)
    assert str(error.value) == "folder/study.toml, entrants: leaves nobody to play"


@pytest.mark.parametrize(
    ("told", "n"),
    [
        ({"metrics": ["match_ups"]}, 6),
        ({"metrics": ["match_ups"], "patches": ["a", "b"], "grid": {"x": [1, 2]}}, 36),
        ({"metrics": ["cards"], "patches": ["a", "b"]}, 9),
        ({"metrics": ["cards", "match_ups"]}, 9),
        ({"metrics": ["cards", "match_ups"], "patches": ["a"]}, 12),
        ({"metrics": ["sections"]}, 0),
    ],
)
def test_a_study_that_nobody_could_wait_for_is_refused(
    told: dict[str, Any], n: int, skirmish: LoadedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_TASKS", n)
    assert len(study(**told).choose(skirmish)) == 3
    monkeypatch.setattr(module, "MOST_TASKS", n - 1)
    with pytest.raises(StudyError) as error:
        study(**told).choose(skirmish)
    assert str(error.value) == (
        f"folder/study.toml, entrants: with 3 entrants there are {n} match-ups to play, more than {n - 1}; "
        "name fewer entrants, situations or policies"
    )


def test_the_study_of_a_game_that_has_none_is_of_everything(skirmish: LoadedGame) -> None:
    for found in (shipped_study("skirmish"), study_beside(skirmish)):
        assert (found.settings, found.path) == (
            StudySettings(game="skirmish", title="Is Skirmish fair?"),
            Path("study.toml"),
        )
        assert found.is_shipped
    assert found.open().catalogue.sha256 == skirmish.catalogue.sha256


def test_a_study_is_the_shipped_one_where_that_lies_or_where_no_file_is(tmp_path: Path) -> None:
    own = shipped_folder(find_game("warforged"))
    assert shipped_study("warforged").is_shipped
    assert Study(StudySettings(game="warforged"), own / "study.toml").is_shipped
    assert Study(StudySettings(game="warforged"), own / "none.toml").is_shipped
    (tmp_path / "study.toml").write_text("", "utf-8")
    assert not Study(StudySettings(game="warforged"), tmp_path / "study.toml").is_shipped
    assert not Study(StudySettings(game="warforged"), own / "battles_large.toml").is_shipped


def test_a_catalogue_is_looked_for_beside_the_study_and_its_faults_are_its_own(
    tmp_path: Path, skirmish: LoadedGame
) -> None:
    copytree(toy.GAME.folder or Path(), tmp_path / "cards")
    path = tmp_path / "study.toml"
    path.write_text('game = "skirmish"\ncatalogue = "cards"\n', "utf-8")
    assert load_study(path).open().catalogue.path == tmp_path / "cards"
    assert load_study(f"{path}").path == path
    cards = tmp_path / "cards" / "fighters.csv"
    cards.write_text(cards.read_text("utf-8").replace("Knight,20", "Knight,x"), "utf-8")
    with pytest.raises(CatalogueError) as error:
        load_study(path)
    assert str(error.value).startswith(f"{cards}, row 3, cost_points: 'x' is not")
    assert load_study(path, skirmish).path == path  # with a catalogue that is open, that one is not looked at


def test_names_of_the_room_are_imported_when_they_are_used() -> None:
    assert dir(room) == sorted(["Run", "Study", "load_run", "load_study", "run_study", "shipped_study"])
    assert (room.Study, room.load_study) == (Study, load_study)
    assert room.load_run.__module__ == "balance.study.run.folder"
    assert room.Run.__module__ == "balance.study.run.folder"
    assert room.run_study.__module__ == "balance.study.run.run"
    with pytest.raises(AttributeError, match=r"^module 'balance\.study' has no attribute 'nothing'$"):
        room.nothing  # noqa: B018
    assert balance.study is room


def names_of(n: int) -> list[str]:
    return [f"x{at}" for at in range(n)]


MOST: dict[str, tuple[int, Any]] = {
    "title": (200, lambda n: "x" * n),
    "entrants": (2000, names_of),
    "rules": (200, lambda n: dict.fromkeys(names_of(n), 1)),
    "situation": (200, lambda n: {key: {} for key in names_of(n)}),
    "situation.duel": (200, lambda n: {"duel": dict.fromkeys(names_of(n), 1)}),
    "grid": (200, lambda n: {key: [1] for key in names_of(n)}),
    "policies": (200, lambda n: {key: ["x"] for key in names_of(n)}),
    "patches": (200, names_of),
}


@pytest.mark.parametrize("name", MOST)
def test_as_many_as_are_allowed_may_be_said_and_no_more(name: str) -> None:
    most, make = MOST[name]
    field = name.partition(".")[0]
    assert study(**{field: make(most)})
    with pytest.raises(ValidationError, match=f"at most {most} "):
        study(**{field: make(most + 1)})
