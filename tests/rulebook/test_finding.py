"""A game file stands for a game wherever a name does."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from balance.base.errors import BalanceError, CatalogueError, UsageError
from balance.game.loaded import load
from balance.game.local_games import is_game_file, title_of_file
from balance.game.registry import catalogue_folder, find_game, game_file, game_names, is_game
from balance.study.loading.load import study_beside

from .games import SMALL, changed, write

pytestmark = pytest.mark.usefixtures("here")


def test_a_path_and_a_bare_name_are_the_same_game(here: Path) -> None:
    write(here)
    assert find_game("iron.toml") is find_game("iron")
    assert find_game("iron").title == "Iron and Dust"
    assert "iron" in game_names()
    assert is_game("iron.toml")
    assert is_game("iron")
    assert not is_game("irn.toml")


def test_a_game_that_ships_keeps_its_name(here: Path) -> None:
    write(here, name="warforged.toml")
    assert find_game("warforged").file is None
    assert find_game("warforged.toml").file == Path("warforged.toml")


def test_a_file_in_another_folder_is_called_by_its_path(here: Path) -> None:
    (here / "games").mkdir()
    write(here / "games", name="Iron and Dust.toml")
    game = find_game("games/Iron and Dust.toml")
    assert (game.name, game.called) == ("iron_and_dust", "games/Iron and Dust.toml")
    with pytest.raises(UsageError):
        find_game("iron_and_dust")


def test_a_wrong_path_names_the_file_that_is_meant(here: Path) -> None:
    write(here)
    with pytest.raises(UsageError, match=r"irn\.toml: there is no such game file; is iron\.toml meant\?"):
        find_game("irn.toml")


def test_a_file_is_read_anew_when_it_has_changed(here: Path) -> None:
    path = write(here)
    game = find_game("iron.toml")
    assert find_game("iron.toml") is game
    write(here, changed(("Iron and Dust", "Rust")))
    os.utime(path, ns=(1, 1))
    assert find_game("iron.toml").title == "Rust"


def test_a_file_is_read_anew_when_its_spreadsheet_has_changed(here: Path) -> None:
    write(here, SMALL.partition("[armies.lists")[0].replace("[numbers]", 'units = "units.csv"\n[numbers]'))
    table = here / "units.csv"
    table.write_text("id,attacks,skill,wounds\nrat,1,4,1\n")
    assert load("iron.toml").entrants == ("rat",)
    table.write_text("id,attacks,skill,wounds,speed\nrat,1,4,1,6\nogre,3,4,5,6\n")
    game = load("iron.toml")
    assert game.entrants == ("rat", "ogre")
    assert vars(game.catalogue.tables["units"]["rat"])["speed"] == 6


def test_values_that_are_not_rules_change_no_game(here: Path) -> None:
    path = write(here)
    game = load("iron.toml")
    write(here, changed(("crit = 6", "crit = 5")))
    os.utime(path, ns=(1, 1))
    again = load("iron.toml")
    assert again.catalogue.rules_version == game.catalogue.rules_version
    assert again.catalogue.sha256 != game.catalogue.sha256


def test_it_is_asked_set_and_patched_as_any_game(here: Path) -> None:
    write(here)
    game = load("iron")
    double = game.attack("raider", "brute").distribution.mean("damage")
    single = game.attack("raider", "brute", {"rules.crits_double": 0}).distribution.mean("damage")
    assert double == pytest.approx(2 * single)
    assert single == pytest.approx(2 * (1 / 2 + 1 / 12) / 6)
    assert game.attack("raider", "brute", {"attacker.attacks": 4}).distribution.mean("damage") > double
    assert game.cost_points("brute") == 30
    tough = game.attack("raider", "brute", {"defender.keywords": "tough"}).distribution.mean("damage")
    assert tough < double
    with pytest.raises(UsageError, match="did you mean tough"):
        game.attack("raider", "brute", {"defender.keywords": "tuogh"})
    with pytest.raises(UsageError, match="did you mean attacks"):
        game.attack("raider", "brute", {"attacker.atacks": 4})


@pytest.mark.slow("tests/game/test_local_games.py::test_an_error_of_another_process_is_told_by_its_text")
def test_it_goes_to_another_process_whole(here: Path) -> None:
    path = write(here)
    game = load("iron.toml")
    content = here / "game.pickle"
    content.write_bytes(pickle.dumps(game))
    path.unlink()
    assert pickle.loads(content.read_bytes()).catalogue == game.catalogue
    code = "import pickle, sys; game = pickle.load(open(sys.argv[1], 'rb'))\n"
    code += "print(game.attack('raider', 'brute').distribution.mean('damage'), game.catalogue.sha256)"
    mean, sha256 = subprocess.run(
        [sys.executable, "-c", code, str(content)], capture_output=True, text=True, check=True
    ).stdout.split()
    assert float(mean) == pytest.approx(game.attack("raider", "brute").distribution.mean("damage"))
    assert sha256 == game.catalogue.sha256


def test_another_catalogue_of_the_same_rules_may_be_asked_for(here: Path) -> None:
    write(here)
    write(here, changed(("cost_points = 10", "cost_points = 12")), "dear.toml")
    write(here, changed(("reroll 1", "reroll 2")), "other.toml")
    assert load("iron.toml", "dear.toml").cost_points("raider") == 12
    with pytest.raises(CatalogueError, match="has other rules"):
        load("iron.toml", "other.toml")


def test_faults_of_the_catalogue_name_their_lines(here: Path) -> None:
    write(here, changed(("raider:2", "raidr:2"), ("cost_points = 10", "cost_points = 10_000")))
    with pytest.raises(BalanceError) as error:
        load("iron.toml")
    texts = [str(fault) for fault in error.value.faults]
    assert "'raidr' is no unit; allowed: raider, brute; did you mean raider?" in texts[0]
    assert texts[0].startswith("iron.toml, row 51, armies.lists.patrol.units")
    assert texts[1].startswith("iron.toml, row 54, units.raider.cost_points: '10000'")


def test_what_lies_beside_a_file_is_found_under_its_name(here: Path) -> None:
    write(here)
    game = find_game("iron.toml")
    assert catalogue_folder(game) == Path("iron.toml")
    assert game_file(game, Path("iron.toml"), "study.toml") is None
    (here / "iron.study.toml").write_text('game = "iron.toml"')
    assert game_file(game, Path("iron.toml"), "study.toml") == Path("iron.study.toml")


def test_its_study_is_not_that_of_another_game_in_the_folder(here: Path) -> None:
    write(here)
    (here / "study.toml").write_text('game = "warforged"')
    study = study_beside(load("iron.toml"))
    assert (study.settings.game, study.path.name, study.is_shipped) == ("iron.toml", "iron.study.toml", True)
    (here / "iron.study.toml").write_text('game = "iron.toml"\ntitle = "Is it fair?"')
    study = study_beside(load("iron"))
    assert (study.settings.title, study.is_shipped) == ("Is it fair?", True)


def test_a_study_or_a_rules_file_is_no_game(here: Path) -> None:
    for name, text in {
        "study.toml": 'game = "iron"\nunits = 3',
        "rules.toml": "[constants]\na = 1",
        "no.txt": "x",
    }.items():
        (here / name).write_text(text)
        assert not is_game_file(here / name)
    assert is_game_file(write(here))
    assert title_of_file(here / "iron.toml") == "Iron and Dust"
