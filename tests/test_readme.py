"""The README is true: its commands run, its Python runs, its links lead somewhere."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = [line[2:] for block in re.findall(r"```console\n(.*?)```", README, re.S) for line in block.splitlines()]
SLOW = ("report", "run", "compare", "tables", "price", "tune", "army", "play", "stability")
LONG = tuple(f"balance {verb}" for verb in SLOW)
LASTING = ("--method approximate",)
SHORT = [
    command
    for command in COMMANDS
    if "--dry-run" in command or not (command.startswith(LONG) or command.endswith(LASTING))
]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = shlex.split(command)
    assert words[0] == "balance"
    return subprocess.run(
        [sys.executable, "-m", "balance", *words[1:]], cwd=folder, capture_output=True, text=True, check=False
    )


def test_there_are_commands_to_try() -> None:
    assert len(COMMANDS) > 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all commands, in order: the later ones use what the earlier ones wrote."""
    return tmp_path_factory.mktemp("reader")


@pytest.mark.parametrize("command", SHORT)
def test_a_command_runs(command: str, folder: Path) -> None:
    result = run(command, folder)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip()


@pytest.mark.slow
def test_all_commands_run_in_order(tmp_path: Path) -> None:
    for command in COMMANDS:
        result = run(command, tmp_path)
        assert result.returncode == 0, command + result.stderr


def test_the_python_runs() -> None:
    for block in re.findall(r"```python\n(.*?)```", README, re.S):
        exec(compile(block, "README.md", "exec"), {})


def test_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / link).exists(), link


def test_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    assert set(re.findall(r"(?:`|^    )make ([a-z-]+)", README, re.M)) <= targets
