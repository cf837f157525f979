"""`balance export` and `balance import`: a catalogue out to a spreadsheet, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from balance.base.errors import Fault, UsageError
from balance.base.numbers import show_many
from balance.base.paths import short_path
from balance.cli.catalogues.check import entries_text, say_unseen, tables_before
from balance.cli.options import options
from balance.cli.process.exits import say_line

if TYPE_CHECKING:
    from balance.game.game import Game

MOST_NAMED = 8
"""Files that are named one by one when they were written."""
Workbook = Annotated[Path, options.argument("FILE.xlsx", "The workbook.")]


def export_game(
    game: options.GameName, file: Workbook, catalogue: options.CatalogueFolder = None, quiet: options.Quiet = False
) -> None:
    """Write a game's catalogue to one workbook."""
    from balance.catalogue import export_workbook
    from balance.game.loaded import load

    if file.suffix.lower() != ".xlsx":
        raise UsageError(Fault("is not a name for a workbook", "FILE.xlsx", found=file.name, tip="end it in .xlsx"))
    loaded_game = load(game, catalogue)
    workbook = export_workbook(loaded_game.catalogue, file)
    if loaded_game.definition.file is not None:
        say_line(f'Wrote {workbook}. To use it, write units = "{workbook.name}#units" into {game}')
    else:
        say_line(f"Wrote {workbook}. Edit it, then: balance import {game} {workbook}")


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
        say_line(f"To use it: --catalogue {folder}, or BALANCE_CATALOGUE={folder}")


def _home(game: Game) -> Path:
    """Return the folder where commands started here look for the game's tables.

    A game in a local folder has its own: tables in `data/GAME` would hide those that its author edits.
    """
    from balance.game.local_games import local_games
    from balance.game.registry import shipped_folder

    local_folder = Path("data") / game.name
    return shipped_folder(game) if game.name in local_games() and not local_folder.is_dir() else local_folder
