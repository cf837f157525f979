"""Which games there are: those beside the user first, then those that ship or are installed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from balance.base.answers import Doc, Form
from balance.base.paths import short_path
from balance.game.game import Game
from balance.game.local_games import local_files, local_games, title_of_file
from balance.game.registry import catalogue_folder, find_game, installed_games, shipped_folder


@dataclass(frozen=True)
class ListedGame:
    """A game that can be asked about."""

    game: Annotated[str, Doc("Its name, or the game file.")]
    title: str
    kinds: Annotated[
        tuple[str, ...],
        Doc("What it can be asked; empty for a game beside you, whose code does not run before it is named."),
    ]
    catalogue: Annotated[str, Doc('The folder of the catalogue that would be used; "as shipped" for the shipped one.')]


@dataclass(frozen=True)
class Games:
    """The games that there are, those beside you first."""

    schema: Form
    verb: Literal["games"]
    games: tuple[ListedGame, ...]


def all_games() -> Games:
    """Return all games; of those beside the user no code runs."""
    installed = installed_games()
    files = [ListedGame(str(path), title_of_file(path), (), str(path)) for path in local_files().values()]
    folders = [
        ListedGame(name, local.title, (), short_path(local.folder))
        for name, local in local_games().items()
        if name not in installed
    ]
    others = [ListedGame(game.name, game.title, tuple(game.kinds), _place(game)) for game in map(find_game, installed)]
    return Games(1, "games", (*files, *folders, *others))


def _place(game: Game) -> str:
    """Return the folder of the catalogue in use, or "as shipped", whose path is long."""
    folder = catalogue_folder(game)
    place = short_path(folder)
    return "as shipped" if Path(place).is_absolute() and folder == shipped_folder(game) else place
