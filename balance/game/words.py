"""What things are called in a game: the table `[words]` of `report.toml`, which goes with its catalogue."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from balance.catalogue import Catalogue
from balance.catalogue.toml_model import Frozen, read_model
from balance.game.game import Game
from balance.game.registry import game_file

__all__ = ["FILE", "Text", "Words", "load_words"]

FILE = "report.toml"

Text = Annotated[str, Field(min_length=1, max_length=600)]


class Words(Frozen):
    """What things are called in this game, one and many; `win` and `wins` say what a winner of a duel does."""

    entrant: Text = "entrant"
    entrants: Text = "entrants"
    arm: Text = "attacker"
    arms: Text = "attackers"
    group: Text = "kind"
    groups: Text = "kinds"
    points: Text = "points"
    gain: Text = "damage"
    win: Text = "win"
    wins: Text = "wins"


class _ReportFile(Frozen):
    """The words of `report.toml`, whatever else it holds."""

    model_config = ConfigDict(extra="ignore")

    words: Words = Words()


def load_words(game: Game, catalogue: Catalogue) -> Words:
    """Return the words that go with a catalogue of a game, the defaults where nothing declares any.

    Parameters
    ----------
    game
        The game.
    catalogue
        Its catalogue.

    Raises
    ------
    StudyError
        The file cannot be read, or its words are wrong.

    Examples
    --------
    >>> from balance.game.loaded import load
    >>> battlelore = load("battlelore")
    >>> load_words(battlelore.game, battlelore.catalogue).points
    'banners'
    """
    path = game_file(game, catalogue.path, FILE)
    return Words() if path is None else read_model(_ReportFile, path).words
