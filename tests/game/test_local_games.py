"""Games in folders beside you: found without running their code, and what is wrong with it is told by file and line."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from balance.base.errors import Fault, GameError, UsageError
from balance.game.authoring.new_game import write_game
from balance.game.loaded import load
from balance.game.local_games import LocalGame, fault_in_code, folders_of, local_game, local_games
from balance.game.registry import fault_of_game, find_game, game_names, installed_games


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


@pytest.mark.parametrize(
    ("project", "told"),
    [
        (b"[", "Invalid initial character for a key part (at end of document)"),
        (b"\xff", "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
        (b"#" * (2**20 + 1), "[Errno 27] it is larger than 1 MB"),
    ],
    ids=["no TOML", "no text", "too long"],
)
def test_a_project_that_cannot_be_read_is_told_when_the_game_is_named(project: bytes, told: str, here: Path) -> None:
    (here / "sky_rats" / "pyproject.toml").write_bytes(project)
    assert local_games() == {}
    with pytest.raises(GameError) as caught:
        find_game("sky_rats")
    assert str(caught.value) == f"{here}/sky_rats/pyproject.toml: cannot be read: {told}"


REGISTERED = '[project.entry-points."balance.games"]\nsky_rats = "sky_rats.game:GAME"\n'


@pytest.mark.parametrize(
    ("project", "title"),
    [
        (REGISTERED, "sky_rats"),
        ('[project]\ndescription = ""\n' + REGISTERED, "sky_rats"),
        ('[project]\ndescription = "Rats of the sky"\n' + REGISTERED, "Rats of the sky"),
        (REGISTERED.ljust(2**20, "#"), "sky_rats"),
    ],
    ids=["without", "empty", "given", "as long as it may be"],
)
def test_its_title_is_its_description_and_else_its_name(project: str, title: str, here: Path) -> None:
    (here / "sky_rats" / "pyproject.toml").write_text(project, "utf-8")
    assert local_games() == {"sky_rats": LocalGame(here / "sky_rats", title, "sky_rats.game:GAME")}


def test_games_are_listed_the_one_you_are_in_first_then_by_name(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One in the folder of the same name that you are in comes before that folder."""
    monkeypatch.chdir(here / "sky_rats")
    for name in ("zebras", "apes"):
        write_game(name, here / "sky_rats")
    assert [(name, game.folder) for name, game in local_games().items()] == [
        ("sky_rats", here / "sky_rats"),
        ("apes", here / "sky_rats" / "apes"),
        ("zebras", here / "sky_rats" / "zebras"),
    ]
    (here / "sky_rats" / "sky_rats").mkdir()
    (here / "sky_rats" / "sky_rats" / "pyproject.toml").write_text(REGISTERED, "utf-8")
    inner, outer = local_game("sky_rats"), here / "sky_rats"
    assert inner is not None
    assert inner.folder == outer / "sky_rats"


@pytest.mark.parametrize("name", ["../sky_rats", "sky-rats", "sky_rats/.", "", "nobody", "con"])
def test_what_is_no_name_of_a_folder_beside_you_is_no_game(name: str, here: Path) -> None:
    assert local_game(name) is None


def test_where_you_are_may_be_gone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> Path:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(Path, "cwd", gone)
    assert local_games() == {}
    assert local_game("sky_rats") is None


CODE = "sky_rats/game.py, line 11: {}; that is the code of your game"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("import numpy as np", "import numpy as", CODE.format("SyntaxError: invalid syntax")),
        ("import numpy as np", "import nunpy as np", CODE.format("ModuleNotFoundError: No module named 'nunpy'")),
        ("import numpy as np", "1 / 0", CODE.format("ZeroDivisionError: division by zero")),
        ("import numpy as np", "raise SystemExit(3)", CODE.format("SystemExit: 3")),
        ("import numpy as np", "raise SystemExit", CODE.format("SystemExit")),
        ("import numpy as np", "import balance.base.errors as e; raise e.StudyError('mine')", CODE.format("mine")),
        ("GAME = Game(", "GAMES = Game(", "sky_rats: AttributeError: module 'sky_rats.game' has no attribute 'GAME'"),
        (
            'name="sky_rats"',
            'name="sky_cats"',
            "sky_rats: sky_rats.game:GAME is no game of the name 'sky_rats', found 'sky_cats'",
        ),
        ("GAME = Game(", "GAME = 3; dict(", "sky_rats: sky_rats.game:GAME is no game of the name 'sky_rats', found 3"),
    ],
)
def test_code_that_fails_is_told_by_file_and_line(old: str, new: str, told: str, here: Path) -> None:
    edit(here / "sky_rats" / "game.py", old, new)
    with pytest.raises(GameError) as caught:
        find_game("sky_rats")
    assert str(caught.value) == f"{here}/{told}"


def test_code_that_fails_leaves_no_half_of_itself_behind(here: Path) -> None:
    (here / "sky_rats_too").mkdir()
    monkey = sys.modules["sky_rats_too"] = type(sys)("sky_rats_too")
    edit(here / "sky_rats" / "game.py", "GAME = Game(", "GAMES = Game(")
    with pytest.raises(GameError):
        find_game("sky_rats")
    assert [name for name in sys.modules if name.startswith("sky_rats")] == ["sky_rats_too"]
    assert sys.modules.pop("sky_rats_too") is monkey


def test_a_folder_that_is_no_package_is_told(here: Path) -> None:
    (here / "sky_rats" / "__init__.py").unlink()
    with pytest.raises(GameError) as caught:
        find_game("sky_rats")
    assert str(caught.value) == f"{here}/sky_rats: is no Python package; put a file __init__.py into it"


def test_code_that_is_put_right_is_read_anew(here: Path) -> None:
    edit(here / "sky_rats" / "game.py", "import numpy as np", "1 / 0")
    with pytest.raises(GameError):
        find_game("sky_rats")
    edit(here / "sky_rats" / "game.py", "1 / 0", "import numpy as np")
    assert find_game("sky_rats").name == "sky_rats"


def test_a_package_of_the_same_name_is_not_taken_for_it(here: Path) -> None:
    (here / "sky_rats").rename(here / "pickle")
    edit(here / "pickle" / "pyproject.toml", "sky_rats", "pickle")
    with pytest.raises(GameError) as caught:
        find_game("pickle")
    assert str(caught.value) == f"{here}/pickle: has the name of a Python package that is in use; rename it"
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
    assert fault_in_code(error, [here / "sky_rats"]) == Fault(
        "RuntimeError: lost", f"{here}/sky_rats/game.py, line 7", tip="that is the code of your game"
    )
    assert fault_in_code(error, [here / "elsewhere", here / "sky_rats"]) is not None
    assert fault_in_code(error, [here / "elsewhere"]) is None


def test_of_several_lines_the_last_in_the_code_of_the_game_is_told(here: Path) -> None:
    error = RuntimeError(
        f'File "{here}/sky_rats/game.py", line 7, in one\n'
        f'File "{here}/sky_rats/cards.py", line 8, in two\n'
        f'File "{here}/elsewhere/game.py", line 9, in three\n'
    )
    fault = fault_in_code(error, [here / "sky_rats"])
    assert fault is not None
    assert fault.path == f"{here}/sky_rats/cards.py, line 8"


def test_the_folders_of_games_are_those_of_modules_that_are_imported(here: Path) -> None:
    assert folders_of({"sky_rats": "sky_rats.game:GAME"}) == []
    find_game("sky_rats")
    places = {"sky_rats": "sky_rats.game:GAME", "nobody": "nobody.game:GAME"}
    assert folders_of(places) == [here / "sky_rats"]


@pytest.mark.slow("test_an_error_of_another_process_is_told_by_its_text")
def test_another_process_opens_the_game_anew(here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    asked = load("sky_rats").duel("knight", "giant", {"a.dice": 4})
    (here / "asked.pickle").write_bytes(pickle.dumps(asked))
    code = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).p_win())"
    command = [sys.executable, "-c", code, str(here / "asked.pickle")]
    done = subprocess.run(command, cwd=tmp_path_factory.mktemp("away"), capture_output=True, text=True)
    assert done.stdout.strip() == str(asked.p_win()), done.stderr
