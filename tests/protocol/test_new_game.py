"""A new game: it is whole, it works at once, and nothing is written that is not wanted."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from balance.errors import OutputError, UsageError
from balance.protocol import new_game
from balance.protocol.conformance import check_game
from balance.protocol.new_game import TEMPLATE, write_game
from balance.protocol.registry import find_game
from tests.packaging.checkout import clean_environment


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names_below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if "__pycache__" not in path.parts}


def test_it_holds_every_file_of_the_template_and_no_other(here: Path) -> None:
    assert names_below(write_game("sky_rats", here)) == names_below(TEMPLATE)


def test_nothing_of_it_goes_by_the_name_of_the_template(here: Path) -> None:
    for path in write_game("sky_rats", here).rglob("*"):
        assert not path.is_file() or not re.search(r"skirmish|protocol\.template", path.read_text("utf-8"), re.I), path


def test_a_name_that_holds_that_of_the_template_is_put_in_once(here: Path) -> None:
    text = (write_game("skirmishers_two", here) / "pyproject.toml").read_text("utf-8")
    assert 'skirmishers_two = "skirmishers_two.game:GAME"' in text
    assert "two_two" not in text


def test_it_keeps_its_promises_under_its_own_name(here: Path) -> None:
    write_game("promising", here)
    game = find_game("promising")
    assert (game.name, game.title) == ("promising", "Promising")
    assert check_game(game) == ()


def test_its_own_tests_pass_and_it_needs_nothing_of_the_checkout(here: Path) -> None:
    write_game("tested", here)
    for folder, named in ((here, "tested"), (here / "tested", ".")):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", named]
        done = subprocess.run(command, cwd=folder, env=clean_environment(), capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
        assert "3 passed" in done.stdout


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Sky Rats", "try sky_rats"),
        ("sky-rats", "try sky_rats"),
        ("città", "try citta"),
        ("../sky", "try sky"),
        ("class", "try my_class"),
        ("4x", "try my_4x"),
        ("_sky", "try sky"),
        ("x" * 41, "at most 40"),
        ("con", "try my_con"),
        ("", "is no name for a game"),
        ("\n", "is no name for a game"),
        ("战", "is no name for a game"),
        ("warforged", "is taken by a game; try my_warforged"),
        ("numpy", "is taken by a Python package that is installed; try my_numpy"),
        ("balance", "is taken by a Python package"),
        ("sys", "is taken by a Python package"),
    ],
)
def test_what_is_no_name_or_taken_is_refused_with_a_better_one(name: str, told: str, here: Path) -> None:
    with pytest.raises(UsageError, match=re.escape(told)):
        write_game(name, here)
    assert list(here.iterdir()) == []


def test_what_is_there_stays_as_it_is(here: Path) -> None:
    write_game("sky_rats", here)
    cards = here / "sky_rats" / "data" / "fighters.csv"
    cards.write_text("mine", "utf-8")
    with pytest.raises(OutputError, match="sky_rats: is already there"):
        write_game("sky_rats", here)
    assert cards.read_text("utf-8") == "mine"
    (here / "a_file").write_text("mine", "utf-8")
    (here / "a_link").symlink_to(here / "nowhere")
    for name in ("a_file", "a_link"):
        with pytest.raises(OutputError, match="is already there"):
            write_game(name, here)


def test_an_empty_folder_is_filled(here: Path) -> None:
    (here / "sky_rats").mkdir()
    assert (write_game("sky_rats", here) / "game.py").is_file()


def test_a_place_that_cannot_be_written_to_is_told_and_nothing_is_left(here: Path) -> None:
    (here / "a_file").write_text("", "utf-8")
    with pytest.raises(OutputError, match="cannot be written"):
        write_game("sky_rats", here / "a_file")
    assert names_below(here) == {"a_file"}


def test_a_failure_half_way_leaves_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def files(name: str):  # type: ignore[no-untyped-def]
        yield "game.py", b""
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(new_game, "_files", files)
    with pytest.raises(OutputError, match="no space left"):
        write_game("sky_rats", here)
    assert list(here.iterdir()) == []
