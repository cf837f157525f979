"""What a server answers about: the games that ship, and catalogues, game files and logs of the folders it was given.

Whoever asks names a game by one of a few words, and a log by where it lies in one of those folders; nothing else that
is asked is ever taken for a path. No code of a folder is run: a game of Python code is not served, and a game file that
names Python functions is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from balance.base.errors import Fault, GameError, UsageError, unknown
from balance.base.foreign import lies_in, real_path
from balance.catalogue import slug
from balance.game.local_games import is_game_file
from balance.game.registry import GAMES, find_game, shipped_folder

if TYPE_CHECKING:
    from balance.game.game import Game
    from balance.game.loaded import LoadedGame

LOGS = (".csv", ".tsv", ".xlsx", ".json", ".pgn")
"""How the name of a log may end."""
MOST_NAMED = 20
"""Logs that are named in an error."""


@dataclass(frozen=True)
class Place:
    """Where a game is found: the name of one that ships and the folder of a catalogue; without that, a game file."""

    game: str
    catalogue: Path | None = None


@dataclass(frozen=True)
class Served:
    """What a server answers about.

    Attributes
    ----------
    places
        Where each game is found, by the name that an assistant gives.
    folders
        The folders that it was given, links followed.
    """

    places: Mapping[str, Place]
    folders: tuple[Path, ...] = ()

    def game(self, name: str) -> Game:
        """Return the rules of a game that is served.

        Raises
        ------
        BalanceError
            It is not served, or its file has faults or names Python functions.
        """
        if name not in self.places:
            raise UsageError([unknown(name, tuple(self.places), "is not served here", "game")])
        place = self.places[name]
        if place.catalogue is None:
            check_no_code(Path(place.game))
        return find_game(place.game)

    def open(self, name: str) -> LoadedGame:
        """Return a game with its catalogue as it is now.

        Raises
        ------
        BalanceError
            It is not served, or its catalogue has faults.
        """
        from balance.game.loaded import load

        return load(self.game(name), self.places[name].catalogue)

    def log(self, name: str) -> Path:
        """Return where a log of games lies, in one of the folders.

        Parameters
        ----------
        name
            Its name, or where it lies in a folder, such as "spring/evenings.csv".

        Raises
        ------
        UsageError
            There is none of this name in the folders, links followed.
        """
        for folder in self.folders:
            path = folder / name
            if "\0" not in name and lies_in(path, folder) and path.suffix.lower() in LOGS and path.is_file():
                return real_path(path)
        known = [str(path) for path in self._logs()]
        allowed = ", ".join(known[:MOST_NAMED]) or f"a file that ends in {', '.join(LOGS)}"
        raise UsageError(Fault("is no log in the folders served here", "log", found=name[:200], allowed=allowed))

    def _logs(self) -> Iterator[Path]:
        """Yield the names of the logs that lie directly in the folders."""
        for folder in self.folders:
            for path in sorted(folder.iterdir()):
                if path.suffix.lower() in LOGS and path.is_file() and lies_in(path, folder):
                    yield path.relative_to(folder)


def check_no_code(path: Path) -> None:
    """Refuse a game file that names Python functions, which would run.

    Raises
    ------
    BalanceError
        It names some, or it has faults.
    """
    from balance.rulebook.text import read_game_file
    from balance.rulebook.text.book import all_lines

    names = [line.python for line in all_lines(read_game_file(path).rulebook) if line.python]
    if names:
        tip = "write it as a step in the language of dice, or ask the command instead"
        message = "names Python functions, which a server does not run"
        raise GameError(Fault(message, path.name, found=", ".join(names[:3]), tip=tip))


def serve_folders(folders: Sequence[Path]) -> Served:
    """Return what a server answers about that is given some folders.

    Parameters
    ----------
    folders
        Folders of catalogues, or with such folders in them, with game files or with logs.

    Raises
    ------
    UsageError
        One is no folder, or two games would have the same name.
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
    """Yield the games of a folder: its own catalogue, those of the folders in it, and the game files in it."""
    inside = [path for path in sorted(root.iterdir()) if lies_in(path, root)]
    for folder in (root, *(path for path in inside if path.is_dir())):
        if (game := _game_of(folder)) is not None:
            yield slug(folder.name), Place(game, folder)
    for path in inside:
        if is_game_file(path):
            yield slug(path.stem), Place(str(path))


def _game_of(folder: Path) -> str | None:
    """Return whose catalogue a folder holds: of the game it is named after, else of that which finds fewest faults."""
    from balance.cli.catalogues.check import read_path

    games = [find_game(name) for name in GAMES]
    able = [game for game in games if (folder / game.spec.rules_file).is_file()]
    able = [game for game in able if any((folder / f"{table.name}.csv").is_file() for table in game.spec.tables)]
    return read_path(able, folder)[0].name if able else None
