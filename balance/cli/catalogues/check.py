"""`balance check`: every fault of a catalogue at once, and which values nobody gave a source for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from balance.base.errors import BalanceError, Fault
from balance.base.paths import short_path
from balance.cli.options import options
from balance.cli.process.exits import WRONG_INPUT, say_errors, say_line

if TYPE_CHECKING:
    from balance.catalogue import Catalogue, Record, Tables
    from balance.game.game import Game

__all__ = ["check", "entries_said", "say_unseen", "tables_before"]

HEIGHT = 24
WIDTH = 80
"""Lines of a first screen, and characters of a line of it; `balance.verbs.render.screens` takes longer to load."""
MOST_SAID = 60
"""Characters that say how many entries each table has; if they were more, all are counted together."""


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
    more: Annotated[bool, options.flag("--more", told="Show all notes, and how many entries each table has.")] = False,
) -> None:
    """Check catalogues and print every fault of each."""
    from balance.game.registry import catalogue_folder, find_game, installed_games

    games = [find_game(name) for name in ([game] if game else installed_games())]
    given = paths or ([catalogue] if catalogue else [])
    wanted = [_of_game(path, games[0]) if game else _named(path, games) for path in given]
    found = [_check(*one, notes) for one in wanted or [([one], catalogue_folder(one)) for one in games]]
    if len(found) > 1:
        say_line(_answer(found))
    for text in _lines(found, more or notes):
        say_line(text)
    if not all(one.is_sound for one in found):
        raise typer.Exit(WRONG_INPUT)


@dataclass(frozen=True)
class _Checked:
    """What was found of one path: what is said of it in a line, its catalogue if that is sound, and notes."""

    said: str
    is_sound: bool
    catalogue: Catalogue | None = None
    notes: tuple[str, ...] = ()

    def line(self, whole: bool) -> str:
        """Return the line: how many entries each table has, or all together where that would be long."""
        if self.catalogue is None:
            return self.said
        entries = entries_said(self.catalogue)
        if not whole and len(entries) > MOST_SAID:
            entries = entries_said(self.catalogue, in_all=True)
        return f"{self.said}; {entries}; {self.catalogue.sha256[:12]}"


def entries_said(catalogue: Catalogue, in_all: bool = False) -> str:
    """Return how many entries each table of a catalogue has, or how many there are in all."""
    if not in_all:
        return ", ".join(f"{len(entries)} {name}" for name, entries in catalogue.tables.items())
    n_entries = sum(len(entries) for entries in catalogue.tables.values())
    return f"{n_entries} entries in {_count(len(catalogue.tables), 'table')}"


def _answer(found: Sequence[_Checked]) -> str:
    """Return whether several catalogues are sound, and how much of what they say is assumed."""
    n_bad = sum(not one.is_sound for one in found)
    if n_bad:
        return f"{n_bad} of {len(found)} {'has' if n_bad == 1 else 'have'} faults."
    sources = [source for one in found if one.catalogue for source in one.catalogue.sources]
    n_assumed = sum(source.status == "assumed" for source in sources)
    assumed = "1 value is assumed" if n_assumed == 1 else f"{n_assumed:,} values are assumed"
    return f"{len(found)} catalogues are sound{f'; {assumed}' if n_assumed else ''}."


def _lines(found: Sequence[_Checked], whole: bool) -> Iterator[str]:
    """Yield what is said of each path, with its notes: all of it, or what a first screen has room for."""
    room = HEIGHT - 2 - sum(-(-len(one.line(whole)) // WIDTH) for one in found)
    n_left_out = 0
    for one in found:
        yield one.line(whole)
        for note in one.notes:
            room -= -(-len(note) // WIDTH)
            if whole or room >= 0:
                yield note
            else:
                n_left_out += 1
    if not whole and (n_left_out or any(one.line(True) != one.line(False) for one in found)):
        notes = f"{_count(n_left_out, 'more note')} and " if n_left_out else ""
        yield f"--more shows {notes}what each table holds."


def _of_game(path: Path, game: Game) -> tuple[Sequence[Game], Path]:
    """Return where the catalogue of a game lies: at a path, which may be the game's own name and no other's."""
    from balance.game.registry import catalogue_folder

    return [game], catalogue_folder(game) if str(path) == game.name and not path.exists() else path


def _named(path: Path, games: Sequence[Game]) -> tuple[Sequence[Game], Path]:
    """Return whose catalogue a path may be, and where that lies: the path itself, or that of the game it names."""
    from balance.game.local_games import local_games
    from balance.game.registry import catalogue_folder, find_game, game_names

    if str(path) in game_names() and (not path.exists() or str(path) in local_games()):
        named = find_game(str(path))
        return [named], catalogue_folder(named)
    return games, path


def _check(games: Sequence[Game], path: Path, notes: bool) -> _Checked:
    """Check one path and say its faults; return what was found."""
    from balance.game.registry import catalogue_folder

    game, catalogue, faults = _read(games, path)
    own = [fault for fault in faults if not _is_table(path) or Path(fault.path).name == path.name]
    say_errors(own)
    what = f"{short_path(path)} ({game.name})"
    if own:
        return _Checked(f"{what}: {_count(len(own), 'fault')}", is_sound=False)
    if catalogue is None:
        return _Checked(f"{what}: sound; other files of its folder: {_count(len(faults), 'fault')}", is_sound=True)
    folder = catalogue.path if catalogue.path.is_dir() else catalogue_folder(game)
    told = (
        *(f"note: {fault}" for fault in catalogue.dangling),
        *_unsourced_said(catalogue, notes),
        *_unseen_said(game, catalogue, folder),
    )
    return _Checked(f"{what}: sound", is_sound=True, catalogue=catalogue, notes=told)


def say_unseen(game: Game, catalogue: Catalogue, folder: Path) -> None:
    """Say what of a sound catalogue its game's report will not show, and why, once it lies in a folder."""
    for text in _unseen_said(game, catalogue, folder):
        say_line(text)


def _unseen_said(game: Game, catalogue: Catalogue, folder: Path) -> list[str]:
    from balance.game.loaded import load
    from balance.study.run.reach import unseen

    try:
        told = unseen(load(game, replace(catalogue, path=folder)))
    except BalanceError as error:
        told = [f"a report cannot be made: {fault}" for fault in error.faults]
    return [f"note: {text}" for text in told]


def tables_before(game: Game, folder: Path | None = None) -> Tables:
    """Return the entries that a workbook of a game may have been made from: those of a folder, and the shipped ones."""
    from balance.catalogue import load_catalogue
    from balance.game.registry import shipped_folder

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
    from balance.game.registry import game_meant

    if not path.exists():
        return None, [Fault("there is no such file, folder or game", str(path), tip=game_meant(str(path)))]
    try:
        if path.suffix.lower() in (".xlsx", ".xlsm"):
            return import_workbook(game.spec, path, tables_before(game, Path("data") / game.name)), ()
        return load_catalogue(game.spec, path.parent if _is_table(path) else path), ()
    except BalanceError as error:
        return None, error.faults


def _unsourced_said(catalogue: Catalogue, each: bool) -> list[str]:
    """Return how many values have no source: in all by table, or each."""
    from balance.catalogue import unsourced

    found = unsourced(catalogue)
    if each or not found:
        return [f"note: {fault}" for fault in found]
    tables = Counter(fault.message.split()[0] for fault in found)
    where = ", ".join(f"{n} in {table}" for table, n in tables.items())
    values = "1 value comes" if len(found) == 1 else f"{len(found)} values come"
    return [f"note: nobody told where {values} from ({where}); --notes lists them"]
