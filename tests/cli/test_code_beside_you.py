"""Code of a game in a folder beside you runs when that game is asked, and never before."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from balance.game.authoring.new_game import write_game
from balance.game.registry import find_game, shipped_folder
from tests.cli.conftest import Command
from tests.cli.test_completing import Complete, complete

__all__ = ["complete"]

STUDY = 'game = "evil_rats"\nlevel = "duel"\nmetrics = ["match_ups"]\n'
ATTACK = ("attack", "warforged", "nexus+assault_rifle", "whisper")
BATTLE = ("battle", "warforged", "nexus+assault_rifle", "evil_rats")


@pytest.fixture
def written(elsewhere: Path) -> Iterator[Path]:
    """What the code of a game beside you would write as soon as it ran; its folder holds a catalogue of Warforged."""
    folder, sentinel = write_game("evil_rats", elsewhere), elsewhere / "it_ran"
    for name in ("__init__.py", "game.py"):
        code = f"\nfrom pathlib import Path\nPath({str(sentinel)!r}).write_text({name!r})\n"
        (folder / name).write_text((folder / name).read_text() + code)
    for path in shipped_folder(find_game("warforged")).glob("*"):
        if path.is_file():
            (folder / path.name).write_bytes(path.read_bytes())
    (elsewhere / "study.toml").write_text(STUDY)
    yield sentinel
    for name in [name for name in sys.modules if name.partition(".")[0] == "evil_rats"]:
        del sys.modules[name]


def test_the_sentinel_is_written_once_it_is_asked(balance: Command, written: Path) -> None:
    assert balance("attack", "evil_rats", "knight", "giant").status == 0
    assert written.read_text() == "game.py"


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (("check", "evil_rats", "--game", "warforged"), 0),
        (("check", "--game", "warforged", "./evil_rats"), 0),
        (("check", "evil_rats/units.csv", "--game", "warforged"), 0),
        (("check", "evil_rats", "--game", "warfogred"), 2),
        (("check", "--game", "warforged", "--catalogue", "evil_rats"), 0),
        (("check", "evil_rats/data"), 2),
        (("run", "study.toml", "--dry-run"), 0),
        (("run", "study.toml", "--dry-run", "--json"), 0),
        (("run", "study.toml", "--dry-run", "--game", "warforged"), 0),
        ((*ATTACK, "--catalogue", "evil_rats"), 0),
        (BATTLE, 2),
        (("ask", "warforged", "battle", "nexus+assault_rifle", "evil_rats"), 2),
        (("replay", "warforged", "battle", "evil_rats", "evil_rats"), 2),
        ((*BATTLE[:3], "trooper+shotgun", "--choose", "evil_rats"), 2),
        (("batle", "warforged", "evil_rats"), 2),
        (("games",), 0),
        (("check",), 0),
        (("new-game", "evil_rats"), 2),
        (("export", "warforged", "evil_rats"), 2),
        (("battle", "--help"), 0),
    ],
)
def test_a_folder_beside_you_is_no_question_to_it(
    command: tuple[str, ...], status: int, balance: Command, written: Path
) -> None:
    done = balance(*command)
    assert done.status == status, done.err
    assert not written.exists()
    assert "evil_rats" not in sys.modules


def test_a_dry_run_says_how_to_be_told_more(balance: Command, written: Path) -> None:
    said = balance("run", "study.toml", "--dry-run").out
    again = said.rpartition("balance ")[2].split()
    assert again == ["run", "study.toml", "--dry-run", "--game", "evil_rats"]
    assert "match-ups" in balance(*again).out
    assert written.exists()
    Path("study.toml").unlink()
    assert f"balance {' '.join(again)}\n" in balance("init", "evil_rats").out


@pytest.mark.parametrize(
    "words",
    [
        "balance attack evil_rats ",
        "balance battle evil_rats kn",
        "balance siege evil_rats ",
        "balance ask evil_rats ",
        "balance ask evil_rats battle ",
        "balance replay evil_rats battle --",
        "balance battle evil_rats --set ",
        "balance battle evil_rats --policy-a ",
        "balance show evil_rats ",
        "balance price evil_rats ",
        "balance report evil_rats ",
        "balance check evil_rats ",
        "balance run study.toml ",
        "balance duel warforged evil_rats ",
        "balance evil_rats ",
    ],
)
def test_a_shell_that_completes_runs_none_of_it(words: str, complete: Complete, written: Path) -> None:
    complete(words)
    assert not written.exists()
