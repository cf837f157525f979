"""What `games` says: what can be asked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from balance.answers.blocks.document import Block
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Terms
from balance.answers.games.games import Games, ListedGame


def sentence(games: Games, terms: Terms) -> str:
    """Return how many there are, and how to ask."""
    return f"{len(games.games)} games: ask by `balance KIND GAME` and who takes part."


def body(games: Games, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield the table of games; one whose code has not run is to be shown first."""
    rows = [
        (game.game, game.title, ", ".join(game.kinds) or f"balance show {game.game}", game.catalogue)
        for game in games.games
    ]
    yield grid(["game", "title", "can be asked", "catalogue"], rows, whole=["game", "catalogue"])


def basis(games: Games, terms: Terms) -> str:
    """Return where kinds are explained."""
    return "`balance show GAME questions` explains every kind"


def tables(games: Games) -> Mapping[str, Records]:
    """Return the table of games."""
    return {"games": Records(ListedGame, games.games)}


WORDS = AnswerWords.alike(sentence, body, basis, tables)
