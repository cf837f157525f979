"""What docs/how-to/handicap.md shows runs, and says what it says there."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from balance.cli.main import main

DOCUMENT = Path(__file__).parents[2] / "docs" / "how-to" / "handicap.md"
COMMANDS = re.findall(r"^\$ balance (.+)$", DOCUMENT.read_text("utf-8"), re.MULTILINE)


def test_every_kind_of_handicap_is_shown() -> None:
    shown = "\n".join(COMMANDS)
    assert all(
        option in shown for option in ("--field", "--bid dice", "--bid points", "--cost", "--worth", "lost_actions")
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_its_commands_run(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [word for word in shlex.split(command) if word != "--json"]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == 1
    assert found["game"] == words[1]


def test_what_it_says_of_dice_and_coins_is_so(capsys: pytest.CaptureFixture[str]) -> None:
    prices = []
    for command in COMMANDS:
        if "--bid dice" in command or command.endswith("--bid lost_actions"):
            main([*shlex.split(command), "--json"])
            prices.append(json.loads(capsys.readouterr().out))
    assert [round(one["worth"], 2) for one in prices] == [1.27, 0.5]
    assert [round(one["price"]["value"], 2) for one in prices] == [-1.27, 0.5]
