"""What `games` says: what can be asked about."""

from __future__ import annotations

from collections.abc import Mapping

from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import plain
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Screen, Terms
from balance.answers.games.games import Games, ListedGame

MOST_BESIDE = 6
"""Games beside the user that a first screen surely has room for."""


def sentence(games: Games, terms: Terms) -> str:
    """Return how many there are, and how to ask."""
    return f"{len(games.games)} games: ask by `balance KIND GAME` and who takes part."


def short(games: Games, terms: Terms) -> Screen:
    """Return as many as there is room for."""
    is_cut = sum(not game.kinds for game in games.games) > MOST_BESIDE
    return _screen(games, terms, " --more lists every game." if is_cut else "")


def full(games: Games, terms: Terms) -> list[Block]:
    """Return every game."""
    screen = _screen(games, terms)
    return [*screen.top, *screen.body, *screen.foot]


def _screen(games: Games, terms: Terms, rest: str = "") -> Screen:
    rows = [
        (game.game, game.title, ", ".join(game.kinds) or f"balance show {game.game}", game.catalogue)
        for game in games.games
    ]
    return Screen(
        [plain(sentence(games, terms), "strong", gap=True)],
        [grid(["game", "title", "can be asked", "catalogue"], rows, whole=["game", "catalogue"])],
        [plain(f"`balance show GAME questions` explains every kind.{rest}", "aside")],
    )


def tables(games: Games) -> Mapping[str, Records]:
    """Return the table of games."""
    return {"games": Records(ListedGame, games.games)}


WORDS = AnswerWords(sentence, short, full, tables)
