"""Every command of the documentation runs, in order, in one folder for each page."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from balance.game.registry import GAMES, find_game
from balance.verbs.verb_list import VERBS
from tests.catalogue.battlescribe_army import ARMY
from tests.catalogue.test_roster_costs import GUARD, cost, costs, force, roster
from tests.cli.conftest import Command
from tests.docs.pages import ROOT, commands, pages, text_of
from tests.docs.screens import PAGES as SHOWN
from tests.packaging.checkout import clean_environment

ELSEWHERE = {
    "how-to/handicap.md": "tests/cli/test_handicap_document.py",
    "how-to/playtests.md": "tests/cli/test_rating.py",
    "how-to/robustness.md": "tests/cli/test_tornado.py",
    "reference/gallery.md": "tests/docs/test_gallery.py",
    "tutorial/adding-a-game.md": "tests/test_adding_a_game.py",
    "tutorial/your-own-game.md": "tests/test_your_own_game.py",
    **dict.fromkeys(SHOWN, "tests/docs/test_screens.py"),
}
"""Pages whose commands another test runs, as it knows more of what they must answer."""
TOURNAMENTS = ROOT / "tests/playtests/data/tournaments"
LASTING = (
    *(f"balance {verb}" for verb in ("report", "run", "compare", "tables", "price", "tune", "army")),
    *(f"balance {verb}" for verb in ("play", "stability", "battle", "replay", "check")),
    "balance card warforged trooper+shotgun",
    "balance export warforged costs_catalogue",
    "balance handicap battlelore agincourt",
    "balance luck edadh",
    "balance luck immortal_souls",
    "balance luck battlelore",
    "balance luck warforged battle",
    "balance luck warforged duel vanguard",
    "balance need --band",
    "balance need --evenings",
    "balance page warforged",
    "balance quest",
    "balance rate games.parquet",
    "balance solve",
)
"""How commands begin that take more than two seconds, or need what such a command wrote; the slow tests run them."""
FILES: dict[str, dict[str, Any]] = {
    "how-to/spreadsheet.md": {**ARMY, "band.ros": roster(force(GUARD), total=costs(cost("86.0")))},
    "how-to/people.md": {name: (TOURNAMENTS / name).read_bytes() for name in ("games.parquet", "lists.parquet")},
    "reference/dice.md": {"rolls.csv": "expression,result\n3d6,9\n"},
    "how-to/scaling.md": {"patch_example.toml": (ROOT / "data/warforged/patch_example.toml").read_text("utf-8")},
}
"""Files that a page takes for granted."""
TYPED = {page: commands(text_of(page)) for page in pages() if page not in ELSEWHERE}


def lasts(command: str) -> bool:
    return command.startswith(LASTING) and "--dry-run" not in command


def test_pages_that_are_run_elsewhere_are_named_there() -> None:
    for page, path in ELSEWHERE.items():
        text = (ROOT / path).read_text("utf-8")
        assert Path(page).name in text or "screens" in text


def test_every_command_is_one_of_a_verb_or_a_kind() -> None:
    kinds = {kind for name in GAMES for kind in find_game(name).kinds}
    words = [shlex.split(command) for page in TYPED for command in TYPED[page]]
    assert {verb for _, verb, *_ in words} <= {*VERBS, *kinds}
    assert {first for first, *_ in words} == {"balance"}
    assert len(words) > 30


@pytest.mark.parametrize("page", [page for page in TYPED if TYPED[page]])
def test_the_quick_commands_run(page: str, balance: Command, elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BALANCE_CACHE", str(elsewhere / ".cache"))
    for name, text in FILES.get(page, {}).items():
        Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    for command in TYPED[page]:
        if not lasts(command):
            done = balance(*shlex.split(command)[1:])
            assert (done.status, [line for line in done.err.splitlines() if "error" in line]) == (0, []), command
            assert done.out.strip()


@pytest.mark.slow("test_the_quick_commands_run")
@pytest.mark.parametrize("page", [page for page in TYPED if any(map(lasts, TYPED[page]))])
def test_all_commands_run(page: str, tmp_path: Path) -> None:
    for name, text in FILES.get(page, {}).items():
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    for command in TYPED[page]:
        words = [sys.executable, "-m", "balance", *shlex.split(command)[1:]]
        done = subprocess.run(words, cwd=tmp_path, env=clean_environment(), capture_output=True, text=True)
        assert done.returncode == 0, command + done.stderr
