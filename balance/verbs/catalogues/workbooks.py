"""`balance.export_game` and `balance.import_game`: a catalogue out to a spreadsheet and back, or out with a patch."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from balance.answers.form import Terms
from balance.answers.words.catalogues.written import WORDS, Written
from balance.base.errors import Fault, OutputError, UsageError
from balance.base.paths import short_path
from balance.verbs.call import parameters
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import check_new_file, open_game
from balance.verbs.catalogues.check import sizes_of, unseen
from balance.verbs.catalogues.paths import tables_before

if TYPE_CHECKING:
    from balance.game.game import Game
    from balance.game.loaded import LoadedGame


@verb
def export_game(
    game: parameters.Game,
    file: Annotated[
        str | Path,
        Parameter("The workbook; with §patch also a folder, of a game file another.", "FILE.xlsx|DIR|FILE.toml"),
    ],
    *,
    patch: Annotated[
        str | Path | None, Parameter("A patch to apply first, such as one of `balance price`.", "PATCH.toml")
    ] = None,
    force: Annotated[bool, Parameter("Replace a folder or a game file.")] = False,
    catalogue: parameters.Catalogue = None,
    quiet: parameters.Quiet = False,
) -> Result[Written]:
    """Write a game's catalogue to one workbook; or with a patch as a folder, or as a game file, that holds it.

    Returns
    -------
    Result
        Its `value` names the `files` that were written, and says how they are used; its table is `files`.

    Raises
    ------
    BalanceError
        There is no such game or patch, or the file cannot be written.
    """
    from balance.study.settings.patch import find_patch

    place = Path(file)
    is_workbook = place.suffix.lower() == ".xlsx"
    if patch is None and not is_workbook:
        raise UsageError(Fault("is not a name for a workbook", "FILE.xlsx", found=place.name, tip="end it in .xlsx"))
    opened_game = open_game(game, catalogue)
    if patch is not None:
        opened_game = find_patch(Path(patch), opened_game.definition).apply(opened_game)
    if is_workbook:
        return _written("export", [place], _write_workbook(opened_game, place))
    if opened_game.definition.file is not None:
        return _written("export", [place], _write_game_file(opened_game, place, force))
    return _written("export", _write_folder(opened_game, place, force), f"To use it: {_use(place)}", place)


def _written(
    verb: Literal["export", "import"], files: Iterable[Path], use: str, folder: Path | None = None, **others: Any
) -> Result[Written]:
    """Return the result of files that were written; `others` are further fields of the answer, and its notes."""
    notes, folder_text = others.pop("notes", ()), short_path(folder) if folder is not None else ""
    answer = Written(1, verb, tuple(map(short_path, files)), folder_text, use, **others)
    return as_result(verb, answer, WORDS, Terms(), notes_of=partial(tuple, notes))


def _write_workbook(game: LoadedGame, file: Path) -> str:
    """Write a catalogue as a workbook; return how it is used."""
    from balance.catalogue import export_workbook

    export_workbook(game.catalogue, file)
    if game.definition.file is not None:
        return f'To use it, write units = "{file.name}#units" into {game.definition.called}'
    return f"Edit it, then: balance import {game.definition.called} {file}"


def _write_folder(game: LoadedGame, folder: Path, force: bool) -> tuple[Path, ...]:
    """Write a catalogue into a folder, with copies of files edited by hand; return its files."""
    from balance.catalogue import replace_folder

    if not force and folder.is_dir() and any(folder.iterdir()):
        tip = "name another folder, or replace it with §force"
        raise OutputError(Fault("is already there", str(folder), tip=tip))
    paths, _ = replace_folder(game.catalogue, folder)
    return paths


def _write_game_file(game: LoadedGame, file: Path, force: bool) -> str:
    """Write a changed game file; return how it is used."""
    from balance.base.files import write_whole
    from balance.game.local_games import FILE_ENDING
    from balance.rulebook.changing import changed_text

    check_new_file(file, "FILE", "a game file", [FILE_ENDING], force)
    write_whole(file, changed_text(game.catalogue).encode())
    return f"To use it, name it as the game: balance check {shlex.quote(short_path(file))}"


def _use(folder: Path) -> str:
    """Return how commands read a folder."""
    return f"--catalogue {shlex.quote(str(folder))}, or BALANCE_CATALOGUE={shlex.quote(str(folder))}"


@verb
def import_game(
    game: Annotated[str, Parameter("A game, as `balance games` lists it.", "GAME", offers="games")],
    file: Annotated[str | Path, Parameter("The workbook.", "FILE.xlsx")],
    *,
    to: Annotated[
        str | Path | None,
        Parameter("Folder to write (default: ./data/GAME, or the data of a game beside you).", "DIR"),
    ] = None,
) -> Result[Written]:
    """Read a workbook and write it as a catalogue folder; on a fault nothing is written, and edits there are kept.

    Returns
    -------
    Result
        Its `value` names the `files` that were written, and says what they hold; its table is `files`.

    Raises
    ------
    BalanceError
        There is no such game, the workbook has faults, or the folder cannot be written.
    """
    from balance.catalogue import exported_from, import_workbook, replace_folder
    from balance.game.registry import find_game

    workbook, definition, notes = Path(file), find_game(game), list[str]()
    if definition.file is not None:
        tip = f'write units = "{workbook.name}#units" into {definition.called}: the workbook is read where it lies'
        raise UsageError(Fault("is a game file, which reads its units by itself", found=game, tip=tip))
    if workbook.is_dir() or workbook.suffix.lower() == ".csv":
        tip = f"tables are used where they lie: put them into data/{game}, or say §catalogue=FOLDER"
        raise UsageError(Fault("is no workbook", "FILE.xlsx", found=str(workbook), tip=tip))
    folder = Path(to) if to is not None else _home(definition)
    catalogue = import_workbook(definition.spec, workbook, tables_before(definition, folder), notes)
    paths, old_files = replace_folder(catalogue, folder, exported_from(workbook))
    if old_files:
        names, place = ", ".join(path.name for path in old_files), short_path(old_files[0].parent)
        notes.insert(0, f"{names} had been edited since the last import; as they were: {place}")
    notes += unseen(definition, catalogue, folder)
    use = "Commands started in this folder now use it." if to is None else f"To use it: {_use(folder)}"
    facts = {"sizes": sizes_of(catalogue), "catalogue_sha256": catalogue.sha256}
    return _written("import", paths, use, folder, notes=notes, **facts)


def _home(game: Game) -> Path:
    """Return the folder where commands started here look for the game's tables.

    A game in a local folder has its own: tables in `data/GAME` would hide those that its author edits.
    """
    from balance.game.local_games import local_games
    from balance.game.registry import shipped_folder

    local_folder = Path("data") / game.name
    return shipped_folder(game) if game.name in local_games() and not local_folder.is_dir() else local_folder
