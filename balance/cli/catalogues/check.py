"""`balance check`: every fault of a catalogue at once, and the values without a source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from balance.base.errors import BalanceError, CatalogueError, Fault, UsageError, as_typed, comma_list
from balance.base.paths import short_path
from balance.cli.options import options
from balance.cli.process.exits import WRONG_INPUT, say_errors, say_line

if TYPE_CHECKING:
    from balance.base.readings import FileReading
    from balance.catalogue import Catalogue, Record, Tables
    from balance.game.game import Game

HEIGHT = 24
WIDTH = 80
"""Lines of a first screen, and characters of a line of it; `balance.answers.media.screens` takes longer to load."""
MOST_SAID = 60
"""Characters that say how many entries each table has; if they were more, all are counted together."""


def check(
    paths: Annotated[
        list[Path] | None,
        options.argument(
            "[PATH]...",
            "Folders, tables in them, .xlsx workbooks, games, or other files that balance reads; without any, the "
            "catalogue of each game.",
        ),
    ] = None,
    game: Annotated[
        str | None, options.option("--game", metavar="GAME", help_text="The game that the catalogue belongs to.")
    ] = None,
    notes: Annotated[bool, options.flag("--notes", help_text="List each value without a source.")] = False,
    catalogue: options.CatalogueFolder = None,
    more: Annotated[
        bool, options.flag("--more", help_text="Show all notes, and how many entries each table has.")
    ] = False,
    explain: Annotated[
        bool, options.flag("--explain", help_text="First show how each column, step, die or cell was read.")
    ] = False,
    quiet: options.Quiet = False,
) -> None:
    """Check catalogues and other files, and print every fault of each."""
    from balance.game.registry import catalogue_folder, find_game, installed_games

    games = [find_game(name) for name in ([game] if game else installed_games())]
    places = list(paths or ())
    if catalogue is not None and not any(_is_game_name(path) for path in places):
        places.append(catalogue)
    if explain:
        _explain(places, games, catalogue, has_owner=bool(game))
    results = [_check_place(path, games, catalogue, has_owner=bool(game), notes=notes) for path in places]
    results += [] if places else [_check([owner], catalogue_folder(owner), notes) for owner in games]
    if len(results) > 1:
        say_line(_answer(results))
    for text in _lines(results, more or notes):
        say_line(text)
    if not all(result.is_sound for result in results):
        raise typer.Exit(WRONG_INPUT)


def _explain(places: Sequence[Path], games: Sequence[Game], catalogue: Path | None, has_owner: bool) -> None:
    """Print how each piece of each file was read; raise UsageError without a file."""
    from balance.answers.media.terminal import line, say
    from balance.cli.catalogues.file_kinds import explained, reading_blocks, unexplained_text

    if not places:
        raise UsageError(
            [Fault("explains the files that it is given", "--explain", tip="name one: balance check FILE")]
        )
    for path in places:
        file = _game_file(path) or path
        owners, folder = _of_game(path, games[0], catalogue) if has_owner else _by_path(path, games, catalogue)
        reading = explained(file, games)
        if reading is None:
            file, reading = folder, _catalogue_reading(owners, folder) if folder.exists() else None
        say(*(reading_blocks(short_path(file), reading) if reading else [line(unexplained_text(file))]))


def _catalogue_reading(games: Sequence[Game], path: Path) -> FileReading | None:
    from balance.catalogue.readings import catalogue_reading

    game, *_ = read_path(games, path)
    return catalogue_reading(game.spec, path)


def _check_place(
    path: Path, games: Sequence[Game], catalogue: Path | None, has_owner: bool, notes: bool
) -> _CheckResult:
    """Check one path: a game file, a catalogue, or another file that balance reads; print its faults."""
    from balance.cli.catalogues.file_kinds import read_file

    if has_owner:
        return _check(*_of_game(path, games[0], catalogue), notes)
    if (file := _game_file(path)) is not None:
        return _check_file(file)
    if (reading := read_file(path, games)) is not None:
        return _check_reading(path, reading)
    if (fault := _fault_of_stranger(path, games)) is not None:
        say_errors([fault])
        return _CheckResult(f"{short_path(path)}: 1 fault", is_sound=False)
    return _check(*_by_path(path, games, catalogue), notes)


def _fault_of_stranger(path: Path, games: Sequence[Game]) -> Fault | None:
    """Return the fault of a .toml or .csv file that is no table of any game: broken TOML, or an unreadable log."""
    suffix = path.suffix.lower() if path.is_file() else ""
    tables = {name for game in games for name in (game.spec.sources_file, *(table.file for table in game.spec.tables))}
    if suffix == ".toml":
        return _fault_of_toml(path)
    return _fault_of_log(path) if suffix == ".csv" and path.name not in tables else None


def _fault_of_toml(path: Path) -> Fault | None:
    from balance.catalogue.tables.rules import read_rules_file

    try:
        read_rules_file(path)
    except BalanceError as error:
        return error.faults[0]
    return None


def _fault_of_log(path: Path) -> Fault | None:
    from balance.playtests.log.log import read_log

    try:
        read_log(path)
    except BalanceError as error:
        fault = error.faults[0]
        text = replace(fault, path="", row=None, tip="").line()
        message = f"this is a table of no game (those are called units.csv or the like); as a log of games, {text}"
        return Fault(message, str(path), fault.row, tip=fault.tip)
    return None


def _check_reading(path: Path, reading: FileReading) -> _CheckResult:
    """Return the result of a file that is no catalogue; print its faults."""
    say_errors(reading.faults)
    subject = f"{short_path(path)} ({reading.kind})"
    if reading.faults:
        return _CheckResult(f"{subject}: {_count(len(reading.faults), 'fault')}", is_sound=False)
    notes = tuple(f"note: {note}" for note in reading.notes)
    return _CheckResult(f"{subject}: sound; {reading.summary}", is_sound=True, notes=notes)


@dataclass(frozen=True)
class _CheckResult:
    """The result of checking one path.

    `text`: a line on the path, without its entries. `catalogue`: the catalogue, if it is one and sound. `notes`: lines
    on what is sound but worth knowing.
    """

    text: str
    is_sound: bool
    catalogue: Catalogue | None = None
    notes: tuple[str, ...] = ()

    def line(self, whole: bool) -> str:
        """Return the line with the number of entries by table, or in all if that is long and not `whole`."""
        if self.catalogue is None:
            return self.text
        entries = entries_text(self.catalogue)
        if not whole and len(entries) > MOST_SAID:
            entries = entries_text(self.catalogue, in_all=True)
        return f"{self.text}; {entries}; {self.catalogue.sha256[:12]}"


def entries_text(catalogue: Catalogue, in_all: bool = False) -> str:
    """Return the number of entries by table, or with `in_all` over all tables."""
    if not in_all:
        return ", ".join(f"{len(entries)} {name}" for name, entries in catalogue.tables.items())
    n_entries = sum(len(entries) for entries in catalogue.tables.values())
    return f"{n_entries} entries in {_count(len(catalogue.tables), 'table')}"


def _answer(results: Sequence[_CheckResult]) -> str:
    """Return the sentence on whether several files are sound, and how many of their values are assumed."""
    n_bad = sum(not result.is_sound for result in results)
    if n_bad:
        return f"{n_bad} of {len(results)} {'has' if n_bad == 1 else 'have'} faults."
    sources = [source for result in results if result.catalogue for source in result.catalogue.sources]
    n_assumed = sum(source.status == "assumed" for source in sources)
    assumed_text = "1 value is assumed" if n_assumed == 1 else f"{n_assumed:,} values are assumed"
    things = "catalogues" if all(result.catalogue for result in results) else "files"
    return f"{len(results)} {things} are sound{f'; {assumed_text}' if n_assumed else ''}."


def _lines(results: Sequence[_CheckResult], whole: bool) -> Iterator[str]:
    """Yield the line of each path and its notes: all with `whole`, else those that fit a screen of 24 lines."""
    room = HEIGHT - 2 - sum(-(-len(result.line(whole)) // WIDTH) for result in results)
    n_left_out = 0
    for result in results:
        yield result.line(whole)
        for note in result.notes:
            room -= -(-len(note) // WIDTH)
            if whole or room >= 0:
                yield note
            else:
                n_left_out += 1
    if not whole and (n_left_out or any(result.line(True) != result.line(False) for result in results)):
        notes = f"{_count(n_left_out, 'more note')} and " if n_left_out else ""
        yield f"--more shows {notes}what each table holds."


def _of_game(path: Path, game: Game, catalogue: Path | None = None) -> tuple[Sequence[Game], Path]:
    """Return the game, and where its catalogue is: the given path, unless that is just the game's name."""
    from balance.game.registry import catalogue_folder

    is_name = str(path) == game.name and not path.exists()
    return [game], catalogue or catalogue_folder(game) if is_name else path


def _by_path(path: Path, games: Sequence[Game], catalogue: Path | None = None) -> tuple[Sequence[Game], Path]:
    """Return the games that a path may belong to, and the path; of a name, that game and its catalogue."""
    from balance.game.registry import catalogue_folder, find_game

    if _is_game_name(path):
        game = find_game(str(path))
        return [game], catalogue or catalogue_folder(game)
    return games, path


def _is_game_name(path: Path) -> bool:
    """Return whether a path is the name of a game; a file or folder of that name comes first, unless it is a game."""
    from balance.game.local_games import local_games
    from balance.game.registry import game_names

    return str(path) in game_names() and (not path.exists() or str(path) in local_games())


def _game_file(path: Path) -> Path | None:
    """Return the game file at a path, or of that name in the working directory; None for anything else."""
    from balance.game.local_games import is_game_file, local_files, local_games
    from balance.game.registry import installed_games

    if is_game_file(path):
        return path
    name = str(path)
    return None if path.exists() or name in {*installed_games(), *local_games()} else local_files().get(name)


def _check_file(path: Path) -> _CheckResult:
    """Check a game file and print its faults; what no rule of it reads becomes notes."""
    from balance.cli.catalogues.unused import unused_names
    from balance.game.loaded import load
    from balance.game.registry import find_game
    from balance.rulebook.text import read_game_file
    from balance.rulebook.trying import doubtful_changes, faults_when_asked

    try:
        game, file = load(find_game(str(path))), read_game_file(path)
        if faults := faults_when_asked(game):
            raise CatalogueError(faults)
        notes = [f"note: {fault}" for fault in [*doubtful_changes(file.rulebook), *unused_names(file)]]
    except BalanceError as error:
        say_errors(error.faults)
        return _CheckResult(f"{short_path(path)}: {_count(len(error.faults), 'fault')}", is_sound=False)
    notes += [*_worse_texts(game.catalogue), *_unseen_texts(game.definition, game.catalogue, game.catalogue.path)]
    return _CheckResult(f"{short_path(path)}: sound", is_sound=True, catalogue=game.catalogue, notes=tuple(notes))


def _check(games: Sequence[Game], path: Path, notes: bool) -> _CheckResult:
    """Check one catalogue and print its faults; `notes` lists each value without a source."""
    from balance.game.registry import catalogue_folder

    game, catalogue, faults = read_path(games, path)
    own_faults = [fault for fault in faults if not _is_table(path) or Path(fault.path).name == path.name]
    say_errors(own_faults)
    subject = f"{short_path(path)} ({game.name})"
    if own_faults:
        return _CheckResult(f"{subject}: {_count(len(own_faults), 'fault')}", is_sound=False)
    if catalogue is None:
        return _CheckResult(
            f"{subject}: sound; other files of its folder: {_count(len(faults), 'fault')}", is_sound=True
        )
    folder = catalogue.path if catalogue.path.is_dir() else catalogue_folder(game)
    note_texts = (
        *(f"note: {fault}" for fault in catalogue.dangling_sources),
        *_worse_texts(catalogue),
        *_unsourced_texts(catalogue, notes),
        *_unseen_texts(game, catalogue, folder),
    )
    return _CheckResult(f"{subject}: sound", is_sound=True, catalogue=catalogue, notes=note_texts)


def _worse_texts(catalogue: Catalogue) -> list[str]:
    """Return a note on each card that is never worth taking by its numbers alone."""
    from balance.analysis.dominance.strictly_worse import worse_cards

    return [
        f"note: {name} of {table} is strictly worse than {better.than}: {comma_list(better.fields)}"
        for (table, name), better in worse_cards(catalogue).items()
    ]


def say_unseen(game: Game, catalogue: Catalogue, folder: Path) -> None:
    """Print what the game's report will not show of a sound catalogue in this folder, and why."""
    for text in _unseen_texts(game, catalogue, folder):
        say_line(text)


def _unseen_texts(game: Game, catalogue: Catalogue, folder: Path) -> list[str]:
    from balance.game.loaded import load
    from balance.study.run.reach import hidden_card_texts

    try:
        texts = hidden_card_texts(load(game, replace(catalogue, path=folder)))
    except BalanceError as error:
        texts = [f"a report cannot be made: {as_typed(fault)}" for fault in error.faults]
    return [f"note: {text}" for text in texts]


def tables_before(game: Game, folder: Path | None = None) -> Tables:
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


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _is_table(path: Path) -> bool:
    return path.suffix.lower() in (".csv", ".toml")


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
        return load_catalogue(game.spec, path.parent if _is_table(path) else path), ()
    except BalanceError as error:
        return None, error.faults


def _unsourced_texts(catalogue: Catalogue, lists_all: bool) -> list[str]:
    """Return a note on values without a source: one for each table, or for each value."""
    from balance.catalogue import unsourced_values

    faults = unsourced_values(catalogue)
    if lists_all or not faults:
        return [f"note: {fault}" for fault in faults]
    tables = Counter(fault.message.split()[0] for fault in faults)
    table_texts = ", ".join(f"{n} in {table}" for table, n in tables.items())
    values = "1 value comes" if len(faults) == 1 else f"{len(faults)} values come"
    return [f"note: nobody told where {values} from ({table_texts}); --notes lists them"]
