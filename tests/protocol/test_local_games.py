"""Games in folders beside you: found without running their code, and what is wrong with it is told by file and line."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from balance.errors import GameError, UsageError
from balance.protocol.loaded import load
from balance.protocol.local_games import fault_in_code, local_game, local_games
from balance.protocol.new_game import write_game
from balance.protocol.registry import fault_of_game, find_game, game_names, installed_games


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a game `sky_rats` in it, of which no module outlives the test."""
    monkeypatch.chdir(tmp_path)
    write_game("sky_rats", tmp_path)
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "sky_rats"]:
        del sys.modules[name]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_it_is_found_beside_you_and_around_you_but_not_below(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(local_games()) == ["sky_rats"]
    assert game_names() == [*installed_games(), "sky_rats"]
    monkeypatch.chdir(here / "sky_rats")
    assert find_game("sky_rats").folder == here / "sky_rats" / "data"
    monkeypatch.chdir(here / "sky_rats" / "data")
    with pytest.raises(UsageError, match="there is no game 'sky_rats'"):
        find_game("sky_rats")


def test_looking_runs_nothing(here: Path) -> None:
    for name in ("game.py", "__init__.py"):
        (here / "sky_rats" / name).write_text("raise SystemExit", "utf-8")
    assert [local.title for local in local_games().values()] == ["Sky rats"]
    assert "sky_rats" in game_names()
    assert load("warforged").entrants
    assert not [name for name in sys.modules if name.startswith("sky_rats")]


def test_no_folder_takes_the_place_of_a_game_that_ships(here: Path) -> None:
    (here / "sky_rats").rename(here / "warforged")
    edit(here / "warforged" / "pyproject.toml", "sky_rats", "warforged")
    assert find_game("warforged").title == "Warforged, table edition"


def test_no_path_of_python_changes(here: Path) -> None:
    (here / "secrets.py").write_text("raise SystemExit", "utf-8")
    before = list(sys.path)
    find_game("sky_rats")
    assert sys.path == before


@pytest.mark.parametrize(
    "project",
    [
        "",
        "project = 3",
        '[project]\nname = "sky_rats"',
        '[project.entry-points."balance.games"]\nother = "sky_rats.game:GAME"',
        '[project.entry-points."balance.games"]\nsky_rats = "os.path:join"',
        '[project.entry-points."balance.games"]\nsky_rats = 3',
    ],
)
def test_a_folder_that_does_not_say_that_it_is_a_game_is_none(project: str, here: Path) -> None:
    (here / "sky_rats" / "pyproject.toml").write_text(project, "utf-8")
    assert local_game("sky_rats") is None
    assert local_games() == {}


def test_a_project_that_cannot_be_read_is_told_when_the_game_is_named(here: Path) -> None:
    (here / "sky_rats" / "pyproject.toml").write_text("[", "utf-8")
    assert local_games() == {}
    with pytest.raises(GameError, match=r"sky_rats/pyproject\.toml: cannot be read"):
        find_game("sky_rats")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("import numpy as np", "import numpy as", r"game\.py, line \d+: SyntaxError"),
        (
            "import numpy as np",
            "import nunpy as np",
            r"game\.py, line \d+: ModuleNotFoundError: No module named 'nunpy'",
        ),
        ("import numpy as np", "1 / 0", r"game\.py, line \d+: ZeroDivisionError"),
        ("import numpy as np", "raise SystemExit(3)", r"game\.py, line \d+: SystemExit: 3"),
        ("GAME = Game(", "GAMES = Game(", r"AttributeError: .* no attribute 'GAME'"),
        ('name="sky_rats"', 'name="sky_cats"', "is no game of the name 'sky_rats', found 'sky_cats'"),
    ],
)
def test_code_that_fails_is_told_by_file_and_line(old: str, new: str, told: str, here: Path) -> None:
    edit(here / "sky_rats" / "game.py", old, new)
    with pytest.raises(GameError, match=told):
        find_game("sky_rats")


def test_code_that_is_put_right_is_read_anew(here: Path) -> None:
    edit(here / "sky_rats" / "game.py", "import numpy as np", "1 / 0")
    with pytest.raises(GameError):
        find_game("sky_rats")
    edit(here / "sky_rats" / "game.py", "1 / 0", "import numpy as np")
    assert find_game("sky_rats").name == "sky_rats"


def test_a_package_of_the_same_name_is_not_taken_for_it(here: Path) -> None:
    (here / "sky_rats").rename(here / "pickle")
    edit(here / "pickle" / "pyproject.toml", "sky_rats", "pickle")
    with pytest.raises(GameError, match="has the name of a Python package that is in use; rename it"):
        find_game("pickle")
    assert pickle is sys.modules["pickle"]


def test_a_rule_that_fails_is_the_games_own(here: Path) -> None:
    edit(here / "sky_rats" / "game.py", "return rolls.count(", "return rolls.counts(")
    asked = load("sky_rats").attack("knight", "giant")
    with pytest.raises(AttributeError) as caught:
        _ = asked.distribution
    fault = fault_of_game(caught.value)
    assert fault is not None
    assert fault.path.startswith(str(here / "sky_rats" / "game.py"))
    assert fault_of_game(ValueError("ours")) is None


def test_an_error_of_another_process_is_told_by_its_text(here: Path) -> None:
    error = RuntimeError("lost")
    error.__cause__ = RuntimeError(f'Traceback:\n  File "{here}/sky_rats/game.py", line 7, in step\nIndexError: 3')
    fault = fault_in_code(error, [here / "sky_rats"])
    assert fault is not None
    assert fault.path.endswith("game.py, line 7")


def test_another_process_opens_the_game_anew(here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    asked = load("sky_rats").duel("knight", "giant", {"a.dice": 4})
    (here / "asked.pickle").write_bytes(pickle.dumps(asked))
    code = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).p_win())"
    command = [sys.executable, "-c", code, str(here / "asked.pickle")]
    done = subprocess.run(command, cwd=tmp_path_factory.mktemp("away"), capture_output=True, text=True)
    assert done.stdout.strip() == str(asked.p_win()), done.stderr
