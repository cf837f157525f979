"""A game on its way to a worker: its place, its catalogue in a few compressed kilobytes, and which program plays it."""

from __future__ import annotations

import hashlib
import pickle
import sys
import zlib
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from balance.base.errors import WorkerError
from balance.game.game import Game
from balance.game.loaded import LoadedGame
from balance.game.registry import place_of_game

PLAY_PACKAGES = ("balance.chance", "balance.catalogue", "balance.game")
"""The packages that every simulated trial rests on, beside the game's own."""
FILE_GAMES = "balance.rulebook"
"""The package that plays game files."""
MOST_GAMES = 16
"""Games that a worker keeps open."""

_OPEN_GAMES: dict[str, LoadedGame] = {}


@dataclass(frozen=True)
class Source:
    """A game with its catalogue, packed for the way to a worker.

    `content`: compressed pickle; empty for a game that only this process knows. `sha256`: of what was packed, or what
    else names it. `program`: fingerprint of the sources that play it.
    """

    content: bytes
    sha256: str
    program: str

    @classmethod
    def of(cls, game: LoadedGame) -> Source:
        """Pack a loaded game; one that cannot be pickled, or is defined in the main script, gets no content."""
        program = fingerprint(*PLAY_PACKAGES, package_of(game.definition))
        try:
            content = pickle.dumps(game)
            content = b"" if b"__main__" in content else content  # workers do not run the script that starts them
        except (pickle.PicklingError, AttributeError, TypeError):
            content = b""
        sha = hashlib.sha256(content or f"{game.definition.name} {game.catalogue.sha256}".encode()).hexdigest()
        _OPEN_GAMES[sha] = game
        return cls(zlib.compress(content) if content else b"", sha, program)

    def open(self) -> LoadedGame:
        """Return the game, unpacked at most once per process.

        `WorkerError` if this worker runs another version of the program, or does not know the game.
        """
        if self.sha256 in _OPEN_GAMES:
            return _OPEN_GAMES[self.sha256]
        if not self.content:
            raise WorkerError("this game lives in one process only", "use the executor serial or threads")
        game: LoadedGame = pickle.loads(zlib.decompress(self.content))
        if fingerprint(*PLAY_PACKAGES, package_of(game.definition)) != self.program:
            raise WorkerError("a worker runs another version of balance", "install the same version everywhere")
        if len(_OPEN_GAMES) >= MOST_GAMES:
            _OPEN_GAMES.pop(next(iter(_OPEN_GAMES)))
        _OPEN_GAMES[self.sha256] = game
        return game


def identity_of(game: LoadedGame) -> list[object]:
    """Return all that an answer depends on beside what is asked: the program, the game, its rules and its catalogue."""
    program, catalogue = fingerprint("balance", package_of(game.definition)), game.catalogue
    return [program, game.definition.name, catalogue.rules_version, catalogue.sha256]


def package_of(game: Game) -> str:
    """Return the package that holds the code of a game: where it was found, else where its first rule is written."""
    if game.file is not None:
        return FILE_GAMES
    if (place := place_of_game(game)) is not None:
        return str(sys.modules[place[0].partition(":")[0]].__package__)
    processes = next(iter(game.kinds.values())).processes
    # A partial function says that it comes from functools; what it fills in says where it was written.
    name = getattr(getattr(processes, "func", processes), "__module__", "")
    return str(name).rpartition(".")[0]


@cache
def fingerprint(*packages: str) -> str:
    """Return the sha256 of all sources of some packages, so that work of another version is never mixed in.

    >>> fingerprint(*PLAY_PACKAGES) == fingerprint(*PLAY_PACKAGES) != fingerprint("balance")
    True
    """
    sha256 = hashlib.sha256()
    for package in packages:
        spec = find_spec(package) if package else None
        if spec is None or not spec.origin:
            continue
        home = Path(spec.origin).parent
        for path in sorted(home.glob("**/*.py")):
            sha256.update(path.relative_to(home).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return sha256.hexdigest()
