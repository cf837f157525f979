"""Which games there are: one line per game that ships, and entry points for games that live in other packages.

A game is imported only when it is asked for. A package of its own registers with
`[project.entry-points."balance.games"]`, `name = "module:GAME"`; its data folder is then named by `Game.folder`.
"""

from __future__ import annotations

import importlib
import os
from importlib.metadata import entry_points
from pathlib import Path

from balance.catalogue import Catalogue, load_catalogue
from balance.errors import UsageError, nearest
from balance.files import place_of
from balance.foreign import is_file_name
from balance.paths import data_folder
from balance.protocol.game import Game

__all__ = [
    "GAMES",
    "catalogue_folder",
    "find_game",
    "game_at",
    "game_file",
    "game_names",
    "game_place",
    "open_catalogue",
    "shipped_folder",
]

GAMES: dict[str, str] = {
    "warforged": "balance.games.warforged:GAME",
    "battlelore": "balance.games.battlelore:GAME",
    "edadh": "balance.games.edadh:GAME",
}
"""Name of a game -> where its record is."""


def game_names() -> list[str]:
    """Return the names of all games, those that ship first.

    >>> game_names()[0]
    'warforged'
    """
    return list(dict.fromkeys([*GAMES, *sorted(_outside())]))


def find_game(name: str) -> Game:
    """Return a game by name.

    Raises
    ------
    UsageError
        There is no such game; names the nearest.

    >>> find_game("warforged").title
    'Warforged, table edition'
    """
    where = _places()
    if name not in where:
        close = nearest(name, where)
        tip = f"did you mean {close}?" if close else f"games are {', '.join(game_names())}"
        raise UsageError(f"there is no game {name!r}", tip)
    try:
        return game_at(where[name])
    except (ImportError, AttributeError) as error:
        if name in GAMES:
            raise
        tip = "install the package that brings it again"
        raise UsageError(f"the game {name!r} is not at {where[name]}: {error}", tip) from error


def _places() -> dict[str, str]:
    return GAMES | _outside()


def _outside() -> dict[str, str]:
    """Return the games of other packages; a name that cannot be that of a folder is passed over."""
    points = entry_points(group="balance.games")
    return {point.name: point.value for point in points if is_file_name(point.name)}


def game_at(place: str) -> Game:
    """Return the game at a place such as "package.module:GAME".

    >>> game_at("balance.games.warforged:GAME").name
    'warforged'
    """
    module, _, attribute = place.partition(":")
    game: Game = getattr(importlib.import_module(module), attribute)
    return game


def game_place(game: Game) -> str | None:
    """Return where a game that is registered lies, for processes that import it themselves; None for any other.

    >>> game_place(find_game("warforged"))
    'balance.games.warforged:GAME'
    """
    place = _places().get(game.name)
    return place if place is not None and game_at(place) is game else None


def catalogue_folder(game: Game, folder: Path | str | None = None) -> Path:
    """Return the folder of a game's catalogue.

    That is `folder`, else what BALANCE_CATALOGUE names, else `data/<game>` where you are, else the shipped one.

    >>> catalogue_folder(find_game("warforged")).name
    'warforged'
    """
    named = folder or os.environ.get("BALANCE_CATALOGUE")
    if named:
        return Path(named)
    here = Path("data") / game.name
    return here if place_of(here, game.spec.rules_file).is_file() else shipped_folder(game)


def shipped_folder(game: Game) -> Path:
    """Return the data folder a game comes with: its catalogue, rule ids, study and report plan.

    >>> (shipped_folder(find_game("warforged")) / "rule_ids.csv").is_file()
    True
    """
    return game.folder or data_folder() / game.name


def game_file(game: Game, folder: Path, name: str) -> Path | None:
    """Return a file that goes with a catalogue: from its folder, else the one that ships; None where there is neither.

    >>> game_file(find_game("warforged"), Path("no_such_folder"), "study.toml").parent.name
    'warforged'
    """
    places = (place / name for place in (folder, shipped_folder(game)))
    return next((path for path in places if path.is_file()), None)


def open_catalogue(game: Game, folder: Path | str | None = None) -> Catalogue:
    """Load a game's catalogue from `catalogue_folder`.

    Raises
    ------
    CatalogueError
        With every fault of every file.
    """
    return load_catalogue(game.spec, catalogue_folder(game, folder))
