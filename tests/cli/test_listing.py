"""catalogues.games: what there is to ask about."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.game.registry import GAMES
from tests.cli.conftest import Command


def test_games_lists_each_game_with_what_it_can_be_asked(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Skirmish" not in balance("games").out
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    out = balance("games").out
    assert {"attack", "kill", "duel"} <= set(out.replace(",", " ").split())
    assert "Skirmish" in out


@pytest.mark.slow("test_games_lists_each_game_with_what_it_can_be_asked")
def test_games_says_which_catalogue_would_be_used(balance: Command, elsewhere: Path) -> None:
    assert balance("games").out.count("as shipped") == len(GAMES)
    balance("export", "edadh", "cards.xlsx")
    balance("import", "edadh", "cards.xlsx")
    (row,) = (line for line in balance("games").out.splitlines() if line.startswith("  edadh"))
    assert row.endswith("data/edadh")
