"""`balance export` and `balance import`: a catalogue out to a spreadsheet and back, or out with a patch applied."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from balance.base.errors import Fault, OutputError, UsageError
from balance.base.numbers import show_many
from balance.base.paths import short_path
from balance.cli.catalogues.check import entries_text, say_unseen, tables_before
from balance.cli.options import options
from balance.cli.process.exits import say_line
from balance.game.local_games import FILE_ENDING
from balance.verbs.call.words import check_new_file

if TYPE_CHECKING:
    from balance.game.game import Game
    from balance.game.loaded import LoadedGame

MOST_NAMED = 8
"""Files that are named one by one when they were written."""
Workbook = Annotated[Path, options.argument("FILE.xlsx", "The workbook.")]
Target = Annotated[
    Path,
    options.argument("FILE.xlsx|DIR|FILE.toml", "The workbook; with --patch also a folder, of a game file another."),
]
Patch = Annotated[
    Path | None,
    options.option(
        "--patch", metavar="PATCH.toml", help_text="A patch to apply first, such as one of `balance price`."
    ),
]


def export_game(
    game: options.GameName,
    file: Target,
    patch: Patch = None,
    force: Annotated[bool, options.flag("--force", help_text="Replace a folder or a game file.")] = False,
    catalogue: options.CatalogueFolder = None,
    quiet: options.Quiet = False,
) -> None:
    """Write a game's catalogue to one workbook; or with a patch as a folder, or as a game file, that holds it."""
    from balance.catalogue import export_workbook
    from balance.game.loaded import load
    from balance.study.settings.patch import find_patch

    is_workbook = file.suffix.lower() == ".xlsx"
    if patch is None and not is_workbook:
        raise UsageError(Fault("is not a name for a workbook", "FILE.xlsx", found=file.name, tip="end it in .xlsx"))
    loaded_game = load(game, catalogue)
    if patch is not None:
        loaded_game = find_patch(patch, loaded_game.definition).apply(loaded_game)
    is_file = loaded_game.definition.file is not None
    if not is_workbook:
        say_line(_write_file(loaded_game, file, force) if is_file else _write_folder(loaded_game, file, force))
        return
    workbook = export_workbook(loaded_game.catalogue, file)
    if is_file:
        say_line(f'Wrote {workbook}. To use it, write units = "{workbook.name}#units" into {game}')
    else:
        say_line(f"Wrote {workbook}. Edit it, then: balance import {game} {workbook}")


def _write_folder(game: LoadedGame, folder: Path, force: bool) -> str:
    """Write a catalogue into a folder, with copies of files edited by hand; return what to say of it."""
    from balance.catalogue import replace_folder

    if not force and folder.is_dir() and any(folder.iterdir()):
        tip = "name another folder, or replace it with --force"
        raise OutputError(Fault("is already there", str(folder), tip=tip))
    paths, _ = replace_folder(game.catalogue, folder)
    return f"Wrote {show_many(len(paths), 'file')} into {short_path(folder)}. To use it: {_use(folder)}"


def _write_file(game: LoadedGame, file: Path, force: bool) -> str:
    """Write a changed game file; return what to say of it."""
    from balance.base.files import write_whole
    from balance.rulebook import changed_text

    check_new_file(file, "FILE", "a game file", [FILE_ENDING], force)
    write_whole(file, changed_text(game.catalogue).encode())
    return f"Wrote {short_path(file)}. To use it, name it as the game: balance check {shlex.quote(short_path(file))}"


def _use(folder: Path) -> str:
    """Return how commands read a folder."""
    return f"--catalogue {shlex.quote(str(folder))}, or BALANCE_CATALOGUE={shlex.quote(str(folder))}"


def import_game(
    game: options.GameName,
    file: Workbook,
    to: Annotated[
        Path | None,
        typer.Option(
            "--to", metavar="DIR", help="Folder to write (default: ./data/GAME, or the data of a game beside you)."
        ),
    ] = None,
) -> None:
    """Read a workbook and write it as a catalogue folder; on a fault nothing is written, and edits there are kept."""
    from balance.catalogue import exported_from, import_workbook, replace_folder
    from balance.game.registry import find_game

    definition, notes = find_game(game), list[str]()
    if definition.file is not None:
        tip = f'write units = "{file.name}#units" into {definition.called}: the workbook is read where it lies'
        raise UsageError(Fault("is a game file, which reads its units by itself", found=game, tip=tip))
    if file.is_dir() or file.suffix.lower() == ".csv":
        tip = f"tables are used where they lie: put them into data/{game}, or say --catalogue FOLDER"
        raise UsageError(Fault("is no workbook", "FILE.xlsx", found=str(file), tip=tip))
    folder = to or _home(definition)
    catalogue = import_workbook(definition.spec, file, tables_before(definition, folder), notes)
    paths, old_files = replace_folder(catalogue, folder, exported_from(file))
    if len(paths) > MOST_NAMED:
        say_line(f"Wrote {show_many(len(paths), 'file')} into {short_path(folder)}")
    else:
        for path in paths:
            say_line(f"Wrote {short_path(path)}")
    if old_files:
        names = ", ".join(path.name for path in old_files)
        say_line(
            f"note: {names} had been edited since the last import; as they were: {short_path(old_files[0].parent)}"
        )
    for note in notes:
        say_line(f"note: {note}")
    say_line(f"{entries_text(catalogue)}; {catalogue.sha256[:12]}")
    say_unseen(definition, catalogue, folder)
    if to is None:
        say_line("Commands started in this folder now use it.")
    else:
        say_line(f"To use it: {_use(folder)}")


def _home(game: Game) -> Path:
    """Return the folder where commands started here look for the game's tables.

    A game in a local folder has its own: tables in `data/GAME` would hide those that its author edits.
    """
    from balance.game.local_games import local_games
    from balance.game.registry import shipped_folder

    local_folder = Path("data") / game.name
    return shipped_folder(game) if game.name in local_games() and not local_folder.is_dir() else local_folder
