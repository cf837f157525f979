"""Files other than catalogues that `balance check` reads, and how it explains each piece of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from balance.base.numbers import show_many
from balance.base.paths import short_path
from balance.base.text import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.base.readings import FileReading
    from balance.game.game import Game

Reader = Callable[[Path], "FileReading | None"]
"""A file -> how it was read; None for a file of another kind."""
LONGEST_TEXT = 60
"""Characters of a piece of a file that the table of readings repeats."""


def read_file(path: Path, games: Sequence[Game]) -> FileReading | None:
    """Return the reading of a roster, a log or a drawing of one of the games; None for anything else."""
    if not path.is_file():
        return None
    from balance.catalogue.battlescribe.readings import roster_reading
    from balance.playtests.readings import log_reading

    readers: tuple[Reader, ...] = (roster_reading, log_reading, lambda file: _drawing(file, games))
    return _first_reading(path, readers)


def explained(path: Path, games: Sequence[Game]) -> FileReading | None:
    """Return the reading of a file that is no catalogue, game files included; None if no reader knows it."""
    from balance.rulebook.readings import game_file_reading

    return read_file(path, games) or _first_reading(path, (game_file_reading,))


def unexplained_text(path: Path) -> str:
    """Return the sentence on why a path cannot be explained: it does not exist, or no reader knows it."""
    reason = (
        "it is no catalogue, table or workbook of one, game file, log of games, BattleScribe file or adventure"
        if path.exists()
        else "there is no such file, folder or game"
    )
    return f"{short_path(path)} cannot be explained: {reason}."


def _first_reading(path: Path, readers: Iterable[Reader]) -> FileReading | None:
    return next((reading for reader in readers if (reading := reader(path)) is not None), None)


def _drawing(path: Path, games: Sequence[Game]) -> FileReading | None:
    """Return the reading of a .txt file by the game that finds the fewest faults in it; None for other files."""
    from balance.game.loaded import load

    if path.suffix.lower() != ".txt":
        return None
    readings = [read(path, load(game).catalogue) for game in games for read in game.drawings.values()]
    return min(readings, key=lambda reading: len(reading.faults), default=None)


def reading_blocks(name: str, reading: FileReading) -> list[RenderableType]:
    """Return the screen that explains a file: a sentence, then a table with a row for each piece."""
    from balance.answers.media.terminal import line, table

    pieces = show_many(len(reading.readings), "piece")
    rows = [(piece.where, shortened(piece.text), piece.meaning) for piece in reading.readings]
    article = "an" if reading.kind[:1] in "aeiou" else "a"
    head = line(f"{name} is read as {article} {reading.kind}: {reading.summary}; {pieces} below.")
    return [head, table(("where", "written", "read as"), rows)] if rows else [head]


def shortened(text: str) -> str:
    """Return a text on one line, cut to 60 characters.

    >>> shortened("a" * 70)[-4:]
    'aaa…'
    """
    whole = one_line(text)
    return whole if len(whole) <= LONGEST_TEXT else f"{whole[: LONGEST_TEXT - 1]}…"
