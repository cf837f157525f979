"""`balance.check`: every fault of a catalogue at once, and the values without a source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from balance.answers.form import Terms
from balance.answers.words.catalogues.check import IN_FULL, WORDS, Check, CheckedPath, Explained, TableSize
from balance.base.errors import BalanceError, CatalogueError, Fault, UsageError, as_typed, comma_list
from balance.base.paths import short_path
from balance.verbs.call import parameters
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.catalogues.paths import (
    catalogue_at,
    faults_of_stranger,
    game_file_at,
    is_game_name,
    is_table,
    read_file,
    read_path,
)

if TYPE_CHECKING:
    from balance.catalogue import Catalogue
    from balance.game.game import Game


@verb
def check(
    *paths: Annotated[
        str | Path,
        Parameter(
            "Folders, tables in them, .xlsx workbooks, games, or other files that balance reads; without any, the "
            "catalogue of each game.",
            "[PATH]...",
        ),
    ],
    game: Annotated[str | None, Parameter("The game that the catalogue belongs to.", "GAME")] = None,
    notes: Annotated[bool, Parameter("List each value without a source.")] = False,
    catalogue: parameters.Catalogue = None,
    explain: Annotated[bool, Parameter("First show how each column, step, die or cell was read.")] = False,
    quiet: parameters.Quiet = False,
) -> Result[Check]:
    """Check catalogues and other files, and tell every fault of each.

    Returns
    -------
    Result
        Its `value` has what each path is and what is wrong with it, such as `value.paths[0].is_sound`, and its
        `faults` are all faults together; its tables are `paths` and `faults`.

    Raises
    ------
    BalanceError
        There is no such game, or there is nothing to explain.

    Examples
    --------
    >>> import balance
    >>> balance.check("warforged").value.paths[0].is_sound
    True
    """
    from balance.game.registry import catalogue_folder, find_game, installed_games

    games = [find_game(name) for name in ([game] if game else installed_games())]
    folder = Path(catalogue) if catalogue is not None else None
    places = [Path(path) for path in paths]
    if folder is not None and not any(map(is_game_name, places)):
        places.append(folder)
    explained = _explained(places, games, folder, bool(game)) if explain else None
    checked = [_checked(path, games, folder, bool(game), notes) for path in places]
    checked += [] if places else [_check_catalogue([owner], catalogue_folder(owner), notes) for owner in games]
    answer = Check(1, "check", tuple(checked), explained)
    faults = tuple(fault for path in checked for fault in path.faults)
    return as_result("check", answer, IN_FULL if notes else WORDS, Terms(), faults=faults)


def _explained(
    places: Sequence[Path], games: Sequence[Game], catalogue: Path | None, has_owner: bool
) -> tuple[Explained, ...]:
    """Return how each piece of each file was read; raise UsageError without a file."""
    if not places:
        tip = "name one: balance check FILE"
        raise UsageError(Fault("explains the files that it is given", "§explain", tip=tip))
    return tuple(_explanation(path, games, catalogue, has_owner) for path in places)


def _explanation(path: Path, games: Sequence[Game], catalogue: Path | None, has_owner: bool) -> Explained:
    from balance.catalogue.readings import catalogue_reading
    from balance.rulebook.readings import game_file_reading

    file = game_file_at(path) or path
    owners, folder = catalogue_at(path, games, catalogue, has_owner)
    reading = read_file(file, games) or game_file_reading(file)
    if reading is None:
        file = folder
        reading = catalogue_reading(read_path(owners, folder)[0].spec, folder) if folder.exists() else None
    if reading is not None:
        return Explained(short_path(file), reading.kind, reading.summary, reading.readings)
    known = "catalogue, table or workbook of one, game file, log of games, BattleScribe file or adventure"
    reason = f"it is no {known}" if file.exists() else "there is no such file, folder or game"
    return Explained(short_path(file), "", reason)


def _checked(path: Path, games: Sequence[Game], catalogue: Path | None, has_owner: bool, notes: bool) -> CheckedPath:
    """Check a path: a game file, a catalogue, or another file that balance reads."""
    if has_owner:
        return _check_catalogue(*catalogue_at(path, games, catalogue, has_owner), notes)
    if (file := game_file_at(path)) is not None:
        return _check_game_file(file)
    if (reading := read_file(path, games)) is not None:
        summary, notes_of = ("", ()) if reading.faults else (reading.summary, reading.notes)
        return CheckedPath(short_path(path), reading.kind, summary, reading.faults, notes_of)
    if faults := tuple(faults_of_stranger(path, games)):
        return CheckedPath(short_path(path), faults=faults)
    return _check_catalogue(*catalogue_at(path, games, catalogue), notes)


def _check_game_file(path: Path) -> CheckedPath:
    """Check a game file; what no rule of it reads becomes notes."""
    from balance.game.loaded import load
    from balance.game.registry import find_game
    from balance.rulebook.text import read_game_file
    from balance.rulebook.trying import doubtful_changes, faults_when_asked
    from balance.rulebook.unused import unused_names

    try:
        game, file = load(find_game(str(path))), read_game_file(path)
        if faults := faults_when_asked(game):
            raise CatalogueError(faults)
        notes = [*map(str, doubtful_changes(file.rulebook)), *map(str, unused_names(file))]
    except BalanceError as error:
        return CheckedPath(short_path(path), faults=error.faults)
    notes += [*_strictly_worse(game.catalogue), *unseen(game.definition, game.catalogue, game.catalogue.path)]
    return _sound(path, "", game.catalogue, notes)


def _check_catalogue(games: Sequence[Game], path: Path, notes: bool) -> CheckedPath:
    """Check one catalogue; `notes` lists each value without a source."""
    from balance.base.numbers import show_many
    from balance.game.registry import catalogue_folder

    game, catalogue, faults = read_path(games, path)
    own_faults = tuple(fault for fault in faults if not is_table(path) or Path(fault.path).name == path.name)
    others = f"other files of its folder: {show_many(len(faults), 'fault')}"
    if own_faults or catalogue is None:
        return CheckedPath(short_path(path), game.name, "" if own_faults else others, own_faults)
    folder = catalogue.path if catalogue.path.is_dir() else catalogue_folder(game)
    texts = (
        *map(str, catalogue.dangling_sources),
        *_strictly_worse(catalogue),
        *_unsourced(catalogue, notes),
        *unseen(game, catalogue, folder),
    )
    return _sound(path, game.name, catalogue, texts)


def _sound(path: Path, kind: str, catalogue: Catalogue, notes: Sequence[str]) -> CheckedPath:

    assumed = sum(source.status == "assumed" for source in catalogue.sources)
    facts = (sizes_of(catalogue), assumed, catalogue.sha256)
    return CheckedPath(short_path(path), kind, "", (), tuple(notes), *facts)


def sizes_of(catalogue: Catalogue) -> tuple[TableSize, ...]:
    """Return how many entries each table of a catalogue has."""
    return tuple(TableSize(name, len(entries)) for name, entries in catalogue.tables.items())


def _strictly_worse(catalogue: Catalogue) -> Iterator[str]:
    """Yield a note on each card that is never worth taking by its numbers alone."""
    from balance.analysis.dominance.strictly_worse import worse_cards

    for (table, name), better in worse_cards(catalogue).items():
        yield f"{name} of {table} is strictly worse than {better.than}: {comma_list(better.fields)}"


def unseen(game: Game, catalogue: Catalogue, folder: Path) -> list[str]:
    """Return what the game's report will not show of a sound catalogue in this folder, and why."""
    from balance.game.loaded import load
    from balance.study.run.reach import hidden_card_texts

    try:
        return list(hidden_card_texts(load(game, replace(catalogue, path=folder))))
    except BalanceError as error:
        return [f"a report cannot be made: {as_typed(fault)}" for fault in error.faults]


def _unsourced(catalogue: Catalogue, lists_all: bool) -> list[str]:
    """Return a note on values without a source: one for each table, or for each value."""
    from balance.catalogue import unsourced_values

    faults = unsourced_values(catalogue)
    if lists_all or not faults:
        return [str(fault) for fault in faults]
    tables = Counter(fault.message.split()[0] for fault in faults)
    table_texts = ", ".join(f"{n} in {table}" for table, n in tables.items())
    values = "1 value comes" if len(faults) == 1 else f"{len(faults)} values come"
    return [f"nobody told where {values} from ({table_texts}); --notes lists them"]
