"""Games are refereed by the rules and their record alone: nothing in them is suspicious."""

from __future__ import annotations

import pytest

from tests.games.battlelore.referee.games import ADVENTURES, Played, refereed, short_games, whole_games

N_PARTS = 5


def report(games: list[Played]) -> list[str]:
    """Return what is suspicious in games, in words."""
    return [
        f"{game}: line {suspicion.frame}, {suspicion.rule}: {suspicion.sentence}"
        for game in games
        for suspicion in refereed(game.replay(), game.adventure)
    ]


def test_twenty_games_raise_no_suspicion() -> None:
    assert report(short_games(20)) == []


@pytest.mark.slow("test_twenty_games_raise_no_suspicion")
@pytest.mark.parametrize("part", range(N_PARTS))
@pytest.mark.parametrize("adventure", ADVENTURES)
def test_five_hundred_games_raise_no_suspicion(adventure: str, part: int) -> None:
    assert report(whole_games(adventure, 20 * part, 20)) == []
