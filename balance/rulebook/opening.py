"""A game file becomes a game: read once, and anew when it, or the spreadsheet of its units, has changed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import cast

from balance.base.errors import CatalogueError
from balance.base.files import stamp_of
from balance.game.game import Game
from balance.rulebook.catalogue import spec_of
from balance.rulebook.kinds import kinds_of
from balance.rulebook.play.rules import faults_of_rules
from balance.rulebook.text import Rulebook
from balance.rulebook.text.reading import in_order, read_draft

Stamps = tuple[tuple[int, ...] | None, ...]
MOST_OPEN = 32
"""Game files that a process keeps."""
_GAMES: dict[Path, tuple[Stamps, tuple[Path, ...], Game]] = {}


def open_file(path: Path | str) -> Game:
    """Return the game of a file, from memory unless the file or its spreadsheet has changed.

    `CatalogueError` with one fault, and its line, for each thing wrong.
    """
    place = Path(path)
    key = place.absolute()
    if key in _GAMES and _stamps(_GAMES[key][1]) == _GAMES[key][0]:
        return _GAMES[key][2]
    _GAMES.pop(key, None)
    draft = read_draft(place)
    if draft.faults:
        raise CatalogueError(in_order([*draft.faults, *faults_of_rules(draft)]))
    stamps = _stamps(draft.paths)
    game = game_of(draft.rulebook)
    while len(_GAMES) >= MOST_OPEN:
        _GAMES.pop(next(iter(_GAMES)))
    _GAMES[key] = (stamps, draft.paths, game)
    return game


def game_of(rulebook: Rulebook) -> Game:
    """Return the game of a rulebook, the same object for equal rules of a file.

    `CatalogueError` if an expression in it is unsound.
    """
    return _game(rulebook, rulebook.path)


def rulebook_of(game: Game) -> Rulebook:
    """Return the rulebook of a game that was opened from a file."""
    rulebook: Rulebook = cast("partial[Game]", game.remake).args[0]
    return rulebook


@lru_cache(maxsize=MOST_OPEN)
def _game(rulebook: Rulebook, path: Path) -> Game:
    remake = partial(game_of, rulebook)
    return Game(rulebook.name, rulebook.title, spec_of(rulebook), kinds_of(rulebook), file=path, remake=remake)


def _stamps(paths: Sequence[Path]) -> Stamps:
    """Return inode, time and size of each file, from which a change is seen; None for a missing one."""
    return tuple(stamp_of(path.parent, path.name) for path in paths)
