"""Where games and their catalogues are found: what ships, what is installed, what lies beside you."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from balance.base.errors import UsageError
from balance.base.paths import data_folder
from balance.game import registry
from balance.game.registry import (
    GAMES,
    catalogue_folder,
    find_game,
    game_at,
    game_file,
    game_meant,
    game_names,
    installed_games,
    place_of_game,
    shipped_folder,
)
from tests.toy.game import GAME as TOY

TOY_PLACE = "tests.toy.game:GAME"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Have packages that bring games of their own: one that is there, one that is gone, one with a name of no file."""
    monkeypatch.chdir(tmp_path)
    places = {"skirmish": TOY_PLACE, "gone": "no.such.package:GAME", "con": TOY_PLACE, "../up": TOY_PLACE}
    points = [EntryPoint(name, place, "balance.games") for name, place in places.items()]
    monkeypatch.setattr(registry, "entry_points", lambda group: points if group == "balance.games" else [])


@pytest.mark.usefixtures("installed")
def test_games_are_listed_those_that_ship_first() -> None:
    assert installed_games() == [*GAMES, "gone", "skirmish"]
    assert game_names() == [*GAMES, "gone", "skirmish"]


@pytest.mark.usefixtures("installed")
def test_a_game_of_another_package_is_found_by_name_and_told_by_place() -> None:
    assert find_game("skirmish") is game_at(TOY_PLACE) is TOY
    assert place_of_game(TOY) == (TOY_PLACE,)
    with pytest.raises(UsageError) as found:
        find_game("gone")
    told = "the game 'gone' is not at no.such.package:GAME: No module named 'no'"
    assert str(found.value) == f"{told}; install the package that brings it again"


def test_a_game_that_nobody_registered_has_no_place() -> None:
    assert place_of_game(TOY) is None
    assert place_of_game(find_game("edadh")) == (GAMES["edadh"],)


@pytest.mark.usefixtures("installed")
def test_a_name_that_is_none_is_told_with_the_nearest_or_all() -> None:
    with pytest.raises(UsageError) as found:
        find_game("edad")
    assert str(found.value) == "there is no game 'edad'; did you mean edadh?"
    assert game_meant("xyz") == "games are warforged, battlelore, edadh, immortal_souls, runewars, gone, skirmish"


def test_a_catalogue_is_the_one_named_then_the_one_here_then_the_shipped_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)
    game = find_game("warforged")
    shipped = data_folder() / "warforged"
    assert shipped_folder(game) == catalogue_folder(game) == shipped
    here = Path("data/warforged")
    here.mkdir(parents=True)
    assert catalogue_folder(game) == shipped  # a folder without its rules is no catalogue
    (here / "rules.toml").touch()
    assert catalogue_folder(game) == here
    monkeypatch.setenv("BALANCE_CATALOGUE", "named")
    assert catalogue_folder(game) == Path("named")
    assert catalogue_folder(game, "mine") == Path("mine")
    assert shipped_folder(TOY) == TOY.folder


def test_what_goes_with_a_catalogue_is_its_own_file_or_the_shipped_one(tmp_path: Path) -> None:
    game = find_game("warforged")
    assert game_file(game, tmp_path, "study.toml") == shipped_folder(game) / "study.toml"
    (tmp_path / "study.toml").touch()
    assert game_file(game, tmp_path, "study.toml") == tmp_path / "study.toml"
    assert game_file(game, tmp_path, "no_such.toml") is None
