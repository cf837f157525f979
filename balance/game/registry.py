"""The games that there are: shipped ones, entry points of other packages, local folders and files.

A game is imported only when it is asked for. A package of its own registers with
`[project.entry-points."balance.games"]`, `name = "module:GAME"`; its data folder is then named by `Game.folder`. A
local folder that has these lines needs no installation: see `balance.game.local_games`.
"""

from __future__ import annotations

import copyreg
import importlib
import os
import sys
from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path
from typing import Any

from balance.base.errors import Fault, GameError, UsageError, nearest, suggestion
from balance.base.files import place_of
from balance.base.foreign import is_file_name
from balance.base.paths import data_folder
from balance.game.game import Game
from balance.game.local_games import (
    FILE_ENDING,
    LocalGame,
    fault_in_code,
    folders_of,
    import_from,
    is_game_file,
    is_path,
    local_files,
    local_game,
    local_games,
)

GAMES: dict[str, str] = {
    "warforged": "balance.games.warforged:GAME",
    "battlelore": "balance.games.battlelore:GAME",
    "edadh": "balance.games.edadh:GAME",
    "immortal_souls": "balance.games.immortal_souls:GAME",
    "runewars": "balance.games.runewars:GAME",
}
"""Name of a game -> where its record is."""
OPEN_FILE = "balance.rulebook.opening:open_file"
"""What makes a game of a file: path -> game."""


def game_names() -> list[str]:
    """Return the names of all games: shipped ones first, then installed ones, then local ones.

    >>> game_names()[0]
    'warforged'
    """
    return list(dict.fromkeys([*installed_games(), *local_games(), *local_files()]))


def is_game(name: str) -> bool:
    """Return whether a name is that of a game, or the path of a game file.

    >>> is_game("warforged"), is_game("study.toml")
    (True, False)
    """
    return is_game_file(Path(name)) if is_path(name) else name in game_names()


def installed_games() -> list[str]:
    """Return the names of shipped and installed games, which may be imported without being named."""
    return list(dict.fromkeys([*GAMES, *sorted(_outside())]))


def game_meant(name: str) -> str:
    """Return the tip that names the nearest game, or all of them.

    >>> game_meant("warfogred")
    'did you mean warforged?'
    """
    return suggestion(name, game_names(), f"games are {', '.join(game_names())}")


def find_game(name: str) -> Game:
    """Return a game by name, or by the path of a game file, which is read again after a change.

    Raise UsageError with the nearest name if there is none, GameError with file and line where the code of a local
    folder fails, CatalogueError with all faults of a file.

    >>> find_game("warforged").title
    'Warforged, table edition'
    """
    if is_path(name):
        return _game_in(Path(name))
    place = _place_of(name)
    if place is None:
        if (local := local_game(name)) is not None:
            return _game_here(local)
        if (path := local_files().get(name)) is not None:
            return _game_in(path)
        raise UsageError(f"there is no game {name!r}", game_meant(name))
    try:
        return game_at(place)
    except (ImportError, AttributeError) as error:
        if name in GAMES:
            raise
        tip = "install the package that brings it again"
        raise UsageError(f"the game {name!r} is not at {place}: {error}", tip) from error


def _place_of(name: str) -> str | None:
    """Return the place ("package.module:NAME") of a shipped or installed game; None for any other."""
    return GAMES.get(name) or _outside().get(name)


def _outside() -> dict[str, str]:
    """Return the places of games in other packages by name; names that cannot be folders are left out."""
    return _registered(tuple((place, _changed_at(place)) for place in sys.path), entry_points)


@lru_cache(maxsize=4)
def _registered(places: tuple[tuple[str, int], ...], read: Callable[..., EntryPoints]) -> dict[str, str]:
    """Return the entry points of games, cached by `sys.path` and the times when its folders changed."""
    return {point.name: point.value for point in read(group="balance.games") if is_file_name(point.name)}


def _changed_at(place: str) -> int:
    try:
        return Path(place).stat().st_mtime_ns
    except OSError:
        return 0


def _game_here(local: LocalGame) -> Game:
    game = import_from(local.place, local.folder)
    if not isinstance(game, Game) or game.name != local.folder.name:
        problem = f"is no game of the name {local.folder.name!r}, found {getattr(game, 'name', game)!r}"
        raise GameError(Fault(f"{local.place} {problem}", str(local.folder)))
    return game


def _game_in(path: Path) -> Game:
    """Return the game of a game file; raise UsageError with the file that may be meant if it does not exist."""
    if not path.exists():
        beside = path.parent.iterdir() if path.parent.is_dir() else ()
        names = {other.stem: other for other in sorted(beside) if is_game_file(other)}
        close = nearest(path.stem, names) or (next(iter(names)) if len(names) == 1 else None)
        tip = f"is {names[close]} meant?" if close else f"balance new-game {path.stem} --template KIND writes one"
        raise UsageError(Fault("there is no such game file", str(path), tip=tip))
    module, _, name = OPEN_FILE.partition(":")
    game: Game = getattr(importlib.import_module(module), name)(path)
    return game


def game_at(place: str, folder: str | None = None) -> Game:
    """Return the game object at a place such as "package.module:GAME"; `folder` is that of the package of a local game.

    Without a folder Python finds the module.

    >>> game_at("balance.games.warforged:GAME").name
    'warforged'
    """
    if folder is not None:
        return _game_here(LocalGame(Path(folder), "", place))
    module, _, attribute = place.partition(":")
    game: Game = getattr(importlib.import_module(module), attribute)
    return game


def place_of_game(game: Game) -> tuple[str, ...] | None:
    """Return the arguments with which `game_at` finds a game in another process; None if it is not registered.

    >>> place_of_game(find_game("warforged"))
    ('balance.games.warforged:GAME',)
    """
    if game.file is not None:
        return None
    place = _place_of(game.name)
    if place is not None:
        return (place,) if _is_at(game, place) else None
    local = local_game(game.name)
    return (local.place, str(local.folder)) if local is not None and _is_at(game, local.place) else None


def _pickled(game: Game) -> tuple[Any, ...]:
    """Pickle a game by `remake` or by its place, so that another process imports it; else field by field."""
    if game.remake is not None:
        return game.remake, ()
    place = place_of_game(game)
    return (game_at, place) if place else (Game, tuple(getattr(game, part.name) for part in fields(game)))


copyreg.pickle(Game, _pickled)


def _is_at(game: Game, place: str) -> bool:
    """Return whether this object is the one at a place, without importing the module."""
    module, _, attribute = place.partition(":")
    return getattr(sys.modules.get(module), attribute, None) is game


def fault_of_game(error: BaseException) -> Fault | None:
    """Return an error as a fault in the code of a game that does not ship, by file and line; None for other code."""
    places = _outside() | {name: game.place for name, game in local_games().items()}
    return fault_in_code(error, folders_of({name: place for name, place in places.items() if name not in GAMES}))


def catalogue_folder(game: Game, folder: Path | str | None = None) -> Path:
    """Return the folder of the catalogue to use for a game.

    That is `folder`, else what BALANCE_CATALOGUE names, else `data/<game>` where you are, else the shipped one. The
    catalogue of a game file is the file itself, unless another is asked for.

    >>> catalogue_folder(find_game("warforged")).name
    'warforged'
    """
    if game.file is not None:
        return Path(folder) if folder else game.file
    named_folder = folder or os.environ.get("BALANCE_CATALOGUE")
    if named_folder:
        return Path(named_folder)
    local_folder = Path("data") / game.name
    return local_folder if place_of(local_folder, game.spec.rules_file).is_file() else shipped_folder(game)


def shipped_folder(game: Game) -> Path:
    """Return the data folder that a game comes with: its catalogue, rule ids, study and report plan; of a file, itself.

    >>> (shipped_folder(find_game("warforged")) / "rule_ids.csv").is_file()
    True
    """
    return game.file or game.folder or data_folder() / game.name


def game_file(game: Game, folder: Path, name: str) -> Path | None:
    """Return a file that belongs to a catalogue, from its folder or else the shipped one; None if neither has it.

    Beside a game file `iron.toml` that is `iron.study.toml` for the name "study.toml".

    >>> game_file(find_game("warforged"), Path("no_such_folder"), "study.toml").parent.name
    'warforged'
    """
    places = [folder / name, shipped_folder(game) / name] if game.file is None else [usual_place(game, name)]
    return next((path for path in places if path.is_file()), None)


def usual_place(game: Game, name: str) -> Path:
    """Return where a file such as "study.toml" belongs: in the game's folder, or beside its game file, named after it.

    >>> usual_place(find_game("warforged"), "study.toml").parent.name
    'warforged'
    """
    if game.file is None:
        return shipped_folder(game) / name
    return game.file.with_name(f"{game.file.name[: -len(FILE_ENDING)]}.{name}")
