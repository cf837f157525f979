"""The games and logs that a server serves: shipped games, and catalogues, game files and logs in its folders.

A client names a game by one of a few words, and a log by its place in one of those folders; nothing else in a call is
ever taken for a path. No code of a folder is run: a game of Python code is not served, and a game file that names
Python functions is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from balance.base.errors import Fault, GameError, UsageError, unknown
from balance.base.foreign import lies_in, real_path
from balance.base.text import slug
from balance.game.local_games import is_game_file
from balance.game.registry import GAMES, find_game, shipped_folder

if TYPE_CHECKING:
    from balance.game.game import Game
    from balance.game.loaded import LoadedGame

LOGS = (".csv", ".tsv", ".xlsx", ".json", ".pgn", ".parquet")
"""How the name of a log may end."""
MOST_NAMED = 20
"""Logs that are named in an error."""


@dataclass(frozen=True)
class Place:
    """The place of a game: a shipped game and the folder of its catalogue, or the path of a game file and None."""

    game: str
    catalogue: Path | None = None


@dataclass(frozen=True)
class Served:
    """The games by the name that a client gives, and the folders that the server was given, with links resolved."""

    places: Mapping[str, Place]
    folders: tuple[Path, ...] = ()

    def game(self, name: str) -> Game:
        """Return the rules of a game that is served.

        Raise BalanceError if it is not served, or its file has faults or names Python functions.
        """
        if name not in self.places:
            raise UsageError([unknown(name, tuple(self.places), "is not served here", "game")])
        place = self.places[name]
        if place.catalogue is None:
            check_no_code(Path(place.game))
        return find_game(place.game)

    def open(self, name: str) -> LoadedGame:
        """Return a game with its catalogue as it is now on disk.

        Raise BalanceError if it is not served, or its catalogue has faults.
        """
        from balance.game.loaded import load

        return load(self.game(name), self.places[name].catalogue)

    def log(self, name: str) -> Path:
        """Return the path of a log, given by its place in one of the folders, such as "spring/evenings.csv".

        Raise UsageError if there is no such log in the folders, with links resolved.
        """
        for folder in self.folders:
            path = folder / name
            if "\0" not in name and lies_in(path, folder) and path.suffix.lower() in LOGS and path.is_file():
                return real_path(path)
        known = [str(path) for path in self.logs()]
        allowed = ", ".join(known[:MOST_NAMED]) or f"a file that ends in {', '.join(LOGS)}"
        raise UsageError(Fault("is no log in the folders served here", "log", found=name[:200], allowed=allowed))

    def logs(self) -> Iterator[Path]:
        """Yield the logs directly in the folders, relative to them."""
        for folder in self.folders:
            for path in sorted(folder.iterdir()):
                if path.suffix.lower() in LOGS and path.is_file() and lies_in(path, folder):
                    yield path.relative_to(folder)


def check_no_code(path: Path) -> None:
    """Raise BalanceError for a game file that names Python functions, which would run, or has faults."""
    from balance.rulebook.text import read_game_file
    from balance.rulebook.text.book import all_lines

    names = [line.python for line in all_lines(read_game_file(path).rulebook) if line.python]
    if names:
        tip = "write it as a step in the language of dice, or ask the command instead"
        message = "names Python functions, which a server does not run"
        raise GameError(Fault(message, path.name, found=", ".join(names[:3]), tip=tip))


def serve_folders(folders: Sequence[Path]) -> Served:
    """Return what is served of folders: catalogues, also one level below, game files and logs.

    A game in a folder hides a shipped one of the same name. Raise UsageError if one is no folder, or two games share a
    name.
    """
    faults = [Fault("is no folder", str(folder)) for folder in folders if not folder.is_dir()]
    if faults:
        raise UsageError(faults)
    roots = tuple(dict.fromkeys(real_path(folder) for folder in folders))
    own_places: dict[str, Place] = {}
    for name, place in (item for root in roots for item in _games_in(root)):
        if own_places.get(name, place) != place:
            faults.append(Fault("are two games, and their name must tell them apart", name, tip="rename one of them"))
        own_places[name] = place
    if faults:
        raise UsageError(faults)
    shipped = {name: Place(name, shipped_folder(find_game(name))) for name in GAMES}
    return Served({**own_places, **{name: place for name, place in shipped.items() if name not in own_places}}, roots)


def _games_in(root: Path) -> Iterator[tuple[str, Place]]:
    """Yield (name, place) of the games in a folder: its own catalogue, those in its subfolders, its game files."""
    inside = [path for path in sorted(root.iterdir()) if lies_in(path, root)]
    for folder in (root, *(path for path in inside if path.is_dir())):
        if (game := _game_of(folder)) is not None:
            yield slug(folder.name), Place(game, folder)
    for path in inside:
        if is_game_file(path):
            yield slug(path.stem), Place(str(path))


def _game_of(folder: Path) -> str | None:
    """Return the shipped game whose catalogue a folder holds: by its name, else with the fewest faults; or None."""
    from balance.verbs.catalogues.paths import read_path

    games = [find_game(name) for name in GAMES]
    able = [game for game in games if (folder / game.spec.rules_file).is_file()]
    able = [game for game in able if any((folder / f"{table.name}.csv").is_file() for table in game.spec.tables)]
    return read_path(able, folder)[0].name if able else None
