"""A new game: it is whole, it works at once, and nothing is written that is not wanted."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from balance.base.errors import Fault, OutputError, UsageError
from balance.game.authoring import new_game
from balance.game.authoring.conformance import check_game
from balance.game.authoring.new_game import TEMPLATE, write_game
from balance.game.registry import find_game
from tests.packaging.checkout import clean_environment


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names_below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if "__pycache__" not in path.parts}


WRITTEN = {
    "README.md",
    "__init__.py",
    "game.py",
    "pyproject.toml",
    "data",
    *(f"data/{table}.csv" for table in ("SOURCES", "armies", "fighters", "rule_ids")),
    *(f"data/{name}.toml" for name in ("report", "rules", "study")),
    "tests",
    "tests/test_game.py",
}


def test_it_is_every_file_of_the_template_under_its_own_name(here: Path) -> None:
    """For Python, for people, and in commands; all else is as it was."""
    folder = write_game("sky_rats", here)
    assert folder == here / "sky_rats"
    assert names_below(folder) == names_below(TEMPLATE) == WRITTEN
    for name in WRITTEN - {"data", "tests"}:
        expected = (TEMPLATE / name).read_text("utf-8").replace("balance.game.authoring.template", "sky_rats")
        expected = expected.replace("Skirmishers", "Sky rats").replace("skirmishers", "sky_rats")
        assert (folder / name).read_text("utf-8") == expected, name
        assert not re.search(r"skirmish|protocol\.template", expected, re.I), name


def test_a_name_that_holds_that_of_the_template_is_put_in_once(here: Path) -> None:
    text = (write_game("skirmishers_two", here) / "pyproject.toml").read_text("utf-8")
    assert 'skirmishers_two = "skirmishers_two.game:GAME"' in text
    assert "two_two" not in text


@pytest.mark.slow("test_it_is_every_file_of_the_template_under_its_own_name")
def test_it_keeps_its_promises_under_its_own_name(here: Path) -> None:
    write_game("promising", here)
    game = find_game("promising")
    assert (game.name, game.title) == ("promising", "Promising")
    assert check_game(game) == ()


@pytest.mark.slow("test_it_is_every_file_of_the_template_under_its_own_name")
def test_the_command_that_its_page_names_runs_its_tests_without_any_package_for_tests(here: Path) -> None:
    """As in an environment that `make report` made, where nothing is installed but what the toolkit needs."""
    page = (write_game("bare", here) / "README.md").read_text("utf-8")
    (found,) = re.findall(r"three tests: `python (.*)`", page)
    (here / "sitecustomize.py").write_text("import sys\nsys.modules['pytest'] = sys.modules['hypothesis'] = None\n")
    environment = {**clean_environment(), "PYTHONPATH": str(here)}
    command = [sys.executable, *found.split()]
    done = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Ran 3 tests" in done.stderr
    game = here / "bare" / "game.py"
    game.write_text(game.read_text("utf-8").replace("np.where(b == 0, 1,", "np.where(b == 0, 2,"), "utf-8")
    done = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "test_an_example_of_the_rulebook" in done.stderr


@pytest.mark.slow("test_it_is_every_file_of_the_template_under_its_own_name")
def test_its_own_tests_pass_and_it_needs_nothing_of_the_checkout(here: Path) -> None:
    write_game("tested", here)
    for folder, named in ((here, "tested"), (here / "tested", ".")):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", named]
        done = subprocess.run(command, cwd=folder, env=clean_environment(), capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
        assert "3 passed" in done.stdout


RULE = "small letters, digits and _, a letter first, at most 40 in all, no word of Python's own"


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("Sky Rats", "sky_rats"),
        ("sky-rats", "sky_rats"),
        ("città", "citta"),
        ("../sky", "sky"),
        ("class", "my_class"),
        ("4x", "my_4x"),
        ("_sky", "sky"),
        ("x" * 41, "x" * 37),
        ("con", "my_con"),
        ("", ""),
        ("\n", ""),
        ("战", ""),
    ],
)
def test_what_is_no_name_is_refused_with_a_better_one(name: str, better: str, here: Path) -> None:
    with pytest.raises(UsageError) as caught:
        write_game(name, here)
    tip = f"try {better}" if better else ""
    assert caught.value.faults == (Fault("is no name for a game", found=name, allowed=RULE, tip=tip),)
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "taken_by"),
    [
        ("warforged", "a game"),
        ("numpy", "a Python package that is installed"),
        ("balance", "a Python package that is installed"),
        ("sys", "a Python package that is installed"),
    ],
)
def test_a_name_that_is_taken_is_refused(name: str, taken_by: str, here: Path) -> None:
    with pytest.raises(UsageError) as caught:
        write_game(name, here)
    assert caught.value.faults == (Fault(f"is taken by {taken_by}", found=name, tip=f"try my_{name}"),)
    assert list(here.iterdir()) == []


def test_the_longest_and_the_shortest_name_will_do(here: Path) -> None:
    for name in ("x" * 40, "q"):
        assert (write_game(name, here) / "game.py").is_file()


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
