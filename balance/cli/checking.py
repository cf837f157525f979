"""`balance check`: every fault of a catalogue at once, and which values nobody gave a source for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli import options
from balance.cli.exits import WRONG_INPUT, say_errors, say_line
from balance.errors import BalanceError, Fault
from balance.paths import short_path

if TYPE_CHECKING:
    from balance.catalogue import Catalogue, Record, Tables
    from balance.protocol.game import Game

__all__ = ["check", "say_unseen", "tables_before"]


def check(
    paths: Annotated[
        list[Path] | None,
        options.argument(
            "[PATH]...",
            "Folders, tables in them, .xlsx workbooks, or games; without any, the catalogue of each game.",
        ),
    ] = None,
    game: Annotated[str | None, options.option("--game", metavar="GAME", told="Whose catalogue it is.")] = None,
    notes: Annotated[bool, options.flag("--notes", told="List each value without a source.")] = False,
    catalogue: options.CatalogueFolder = None,
) -> None:
    """Check catalogues and print every fault of each."""
    from balance.protocol.registry import catalogue_folder, find_game, installed_games

    games = [find_game(name) for name in ([game] if game else installed_games())]
    given = paths or ([catalogue] if catalogue else [])
    wanted = [_of_game(path, games[0]) if game else _named(path, games) for path in given]
    sound = [_check(*one, notes) for one in wanted or [([one], catalogue_folder(one)) for one in games]]
    if not all(sound):
        raise typer.Exit(WRONG_INPUT)


def _of_game(path: Path, game: Game) -> tuple[Sequence[Game], Path]:
    """Return where the catalogue of a game lies: at a path, which may be the game's own name and no other's."""
    from balance.protocol.registry import catalogue_folder

    return [game], catalogue_folder(game) if str(path) == game.name and not path.exists() else path


def _named(path: Path, games: Sequence[Game]) -> tuple[Sequence[Game], Path]:
    """Return whose catalogue a path may be, and where that lies: the path itself, or that of the game it names."""
    from balance.protocol.local_games import local_games
    from balance.protocol.registry import catalogue_folder, find_game, game_names

    if str(path) in game_names() and (not path.exists() or str(path) in local_games()):
        named = find_game(str(path))
        return [named], catalogue_folder(named)
    return games, path


def _check(games: Sequence[Game], path: Path, notes: bool) -> bool:
    """Check one path and say what was found; return whether it is sound."""
    from balance.protocol.registry import catalogue_folder

    game, catalogue, faults = _read(games, path)
    own = [fault for fault in faults if not _is_table(path) or Path(fault.path).name == path.name]
    say_errors(own)
    if own:
        say_line(f"{short_path(path)} ({game.name}): {_count(len(own), 'fault')}")
    elif faults:
        say_line(f"{short_path(path)} ({game.name}): sound; other files of its folder: {_count(len(faults), 'fault')}")
    elif catalogue is not None:
        tables = ", ".join(f"{len(entries)} {name}" for name, entries in catalogue.tables.items())
        say_line(f"{short_path(path)} ({game.name}): sound; {tables}; {catalogue.sha256[:12]}")
        for fault in catalogue.dangling:
            say_line(f"note: {fault}")
        _say_unsourced(catalogue, notes)
        say_unseen(game, catalogue, catalogue.path if catalogue.path.is_dir() else catalogue_folder(game))
    return not own


def say_unseen(game: Game, catalogue: Catalogue, folder: Path) -> None:
    """Say what of a sound catalogue its game's report will not show, and why, once it lies in a folder."""
    from balance.protocol.loaded import load
    from balance.study.reach import unseen

    try:
        told = unseen(load(game, replace(catalogue, path=folder)))
    except BalanceError as error:
        told = [f"a report cannot be made: {fault}" for fault in error.faults]
    for text in told:
        say_line(f"note: {text}")


def tables_before(game: Game, folder: Path | None = None) -> Tables:
    """Return the entries that a workbook of a game may have been made from: those of a folder, and the shipped ones."""
    from balance.catalogue import load_catalogue
    from balance.protocol.registry import shipped_folder

    found: dict[str, dict[str, Record]] = {}
    for place in (shipped_folder(game), folder):
        try:
            held = load_catalogue(game.spec, place).tables if place is not None and place.is_dir() else {}
        except BalanceError:
            continue
        for name, entries in held.items():
            found.setdefault(name, {}).update(entries)
    return found


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _is_table(path: Path) -> bool:
    return path.suffix.lower() in (".csv", ".toml")


def _read(games: Sequence[Game], path: Path) -> tuple[Game, Catalogue | None, Sequence[Fault]]:
    """Read a path as the game it is named after, else as the game that finds the fewest faults in it."""
    named = [game for game in games if game.name in (path.name, path.stem, path.absolute().parent.name)]
    tried = [(game, *_read_as(game, path)) for game in named or games]
    return min(tried, key=lambda found: len(found[2]))


def _read_as(game: Game, path: Path) -> tuple[Catalogue | None, Sequence[Fault]]:
    from balance.catalogue import import_workbook, load_catalogue
    from balance.protocol.registry import game_meant

    if not path.exists():
        return None, [Fault("there is no such file, folder or game", str(path), tip=game_meant(str(path)))]
    try:
        if path.suffix.lower() in (".xlsx", ".xlsm"):
            return import_workbook(game.spec, path, tables_before(game, Path("data") / game.name)), ()
        return load_catalogue(game.spec, path.parent if _is_table(path) else path), ()
    except BalanceError as error:
        return None, error.faults


def _say_unsourced(catalogue: Catalogue, each: bool) -> None:
    """Say how many values have no source: in all by table, or each."""
    from balance.catalogue import unsourced

    found = unsourced(catalogue)
    if each:
        for fault in found:
            say_line(f"note: {fault}")
    elif found:
        tables = Counter(fault.message.split()[0] for fault in found)
        where = ", ".join(f"{n} in {table}" for table, n in tables.items())
        values = "1 value comes" if len(found) == 1 else f"{len(found)} values come"
        say_line(f"note: nobody told where {values} from ({where}); --notes lists them")
