"""`balance replay` of a battle on a board: in the terminal, as an object with its dice, and as a page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command

BATTLE = ("replay", "warforged", "battle", "nexus+assault_rifle:2", "trooper+shotgun,detonator+smg_pistol", "--more")


def test_a_battle_is_told_turn_by_turn(balance: Command) -> None:
    out = balance(*BATTLE, "--policy-a", "kite", "--map", "small", "--trial", "17").out
    assert re.search(r"policy_a=kite", out)
    assert re.search(r"Map [^,]+, Side [ab] goes first, 4 units are placed", " ".join(out.split()))
    turns = re.findall(r"^  (Round \d+, Side [ab])  ", out, re.MULTILINE)
    assert turns == list(dict.fromkeys(turns))
    assert turns[0].startswith("Round 1")
    assert re.search(r"(Side [ab] has won|A draw)", out)


def test_an_object_holds_every_die(balance: Command) -> None:
    found: dict[str, Any] = json.loads(balance(*BATTLE, "--policy-a", "focus", "--trial", "3", "--json").out)
    shots = [line for line in found["lines"] if re.match(r"attacks|fires", line["text"])]
    assert shots
    assert all(line["dice"][0].startswith("D10 precision ") for line in shots)
    assert not any("dice" in line for line in found["lines"] if line["text"].startswith("moves"))
    assert found["begun_with"].keys() == {"Side a", "Side b"}
    assert found["lines"][-1]["left"].keys() == {"Side a", "Side b"}


@pytest.mark.slow("test_a_battle_is_told_turn_by_turn")
def test_a_page_is_written_for_the_first_that_ends_so(balance: Command, tmp_path: Path) -> None:
    page = tmp_path / "battle.html"
    out = balance(*BATTLE, "--winner", "b", "--first", "a", "--page", str(page)).out
    assert "Side b has won" in out
    assert "<svg" in page.read_text("utf-8")
