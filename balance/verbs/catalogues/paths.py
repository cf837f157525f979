"""What a path is that somebody names: a game, its catalogue, a game file, or another file that balance reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from balance.base.errors import BalanceError, Fault

if TYPE_CHECKING:
    from balance.base.readings import FileReading
    from balance.catalogue import Catalogue, Record, Tables
    from balance.game.game import Game


def is_game_name(path: Path) -> bool:
    """Return whether a path is the name of a game; a file or folder of that name comes first, unless it is a game."""
    from balance.game.local_games import local_games
    from balance.game.registry import game_names

    return str(path) in game_names() and (not path.exists() or str(path) in local_games())


def catalogue_at(
    path: Path, games: Sequence[Game], catalogue: Path | None = None, has_owner: bool = False
) -> tuple[Sequence[Game], Path]:
    """Return the games that a path may belong to, and the path; of a name, that game and its `catalogue`.

    With `has_owner` it belongs to the one game there is, and no other is meant by its name.
    """
    from balance.game.registry import catalogue_folder, find_game

    if not (str(path) == games[0].name and not path.exists() if has_owner else is_game_name(path)):
        return games, path
    game = games[0] if has_owner else find_game(str(path))
    return [game], catalogue or catalogue_folder(game)


def game_file_at(path: Path) -> Path | None:
    """Return the game file at a path, or of that name in the working directory; None for anything else."""
    from balance.game.local_games import is_game_file, local_files, local_games
    from balance.game.registry import installed_games

    if is_game_file(path):
        return path
    name = str(path)
    return None if path.exists() or name in {*installed_games(), *local_games()} else local_files().get(name)


def read_file(path: Path, games: Sequence[Game]) -> FileReading | None:
    """Return the reading of a roster, a log or a drawing of one of the games; None for anything else."""
    from balance.catalogue.battlescribe.readings import roster_reading
    from balance.playtests.readings import log_reading

    if not path.is_file():
        return None
    return roster_reading(path) or log_reading(path) or _drawing(path, games)


def _drawing(path: Path, games: Sequence[Game]) -> FileReading | None:
    """Return the reading of a .txt file by the game that finds the fewest faults in it; None for other files."""
    from balance.game.loaded import load

    if path.suffix.lower() != ".txt":
        return None
    readings = [read(path, load(game).catalogue) for game in games for read in game.drawings.values()]
    return min(readings, key=lambda reading: len(reading.faults), default=None)


def read_path(games: Sequence[Game], path: Path) -> tuple[Game, Catalogue | None, Sequence[Fault]]:
    """Read a folder, a table in one, or a workbook as the game it is named after, else as that with the fewest faults.

    There must be at least one game. The catalogue is None if there are faults.
    """
    candidates = [game for game in games if game.name in (path.name, path.stem, path.absolute().parent.name)]
    readings = [(game, *_read_as(game, path)) for game in candidates or games]
    return min(readings, key=lambda reading: len(reading[2]))


def _read_as(game: Game, path: Path) -> tuple[Catalogue | None, Sequence[Fault]]:
    from balance.catalogue import import_workbook, load_catalogue
    from balance.game.registry import game_meant

    if not path.exists():
        return None, [Fault("there is no such file, folder or game", str(path), tip=game_meant(str(path)))]
    try:
        if path.suffix.lower() in (".xlsx", ".xlsm"):
            return import_workbook(game.spec, path, tables_before(game, Path("data") / game.name)), ()
        return load_catalogue(game.spec, path.parent if is_table(path) else path), ()
    except BalanceError as error:
        return None, error.faults


def is_table(path: Path) -> bool:
    """Return whether a path is a file of a catalogue in a folder."""
    return path.suffix.lower() in (".csv", ".toml")


def tables_before(game: Game, folder: Path) -> Tables:
    """Return the entries of the shipped catalogue, with those of a folder over them, that a workbook starts from."""
    from balance.catalogue import load_catalogue
    from balance.game.registry import shipped_folder

    tables: dict[str, dict[str, Record]] = {}
    for place in (shipped_folder(game), folder):
        try:
            place_tables = load_catalogue(game.spec, place).tables if place is not None and place.is_dir() else {}
        except BalanceError:
            continue
        for name, entries in place_tables.items():
            tables.setdefault(name, {}).update(entries)
    return tables


def faults_of_stranger(path: Path, games: Sequence[Game]) -> Iterator[Fault]:
    """Yield the fault of a .toml or .csv file that is no table of any game: broken TOML, or an unreadable log."""
    from balance.catalogue.tables.toml_file import read_rules_file
    from balance.playtests.log.log import read_log

    suffix = path.suffix.lower() if path.is_file() else ""
    tables = {name for game in games for name in (game.spec.sources_file, *(table.file for table in game.spec.tables))}
    try:
        if suffix == ".toml":
            read_rules_file(path)
        elif suffix == ".csv" and path.name not in tables:
            read_log(path)
    except BalanceError as error:
        yield error.faults[0] if suffix == ".toml" else _no_log(path, error.faults[0])


def _no_log(path: Path, fault: Fault) -> Fault:
    """Return the fault of a table that is no log of games either."""
    from dataclasses import replace

    text = replace(fault, path="", row=None, tip="").line()
    message = f"this is a table of no game (those are called units.csv or the like); as a log of games, {text}"
    return Fault(message, str(path), fault.row, tip=fault.tip)
