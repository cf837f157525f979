"""A notebook beside the report of a game file: its questions again in Python, to be changed and asked anew."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from balance.base.files import write_whole
from balance.game.loaded import LoadedGame

NAME = "notebook.ipynb"
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def write_notebook(game: LoadedGame, game_file: Path, folder: Path) -> Path:
    """Write the notebook of a game file into a folder, from which it finds the file, and return its path.

    Raises `OutputError` if the folder cannot be written.
    """
    cells = [_cell(number, kind, text) for number, (kind, text) in enumerate(_texts(game, game_file, folder))]
    notebook = {"cells": cells, "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}
    path = folder / NAME
    write_whole(path, (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode())
    return path


def _texts(game: LoadedGame, game_file: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield (kind, text) of each cell; the kind is "markdown" or "code"."""
    title, words = game.definition.title, game.words
    one, other = (game.entrants * 2)[:2]
    place = Path(os.path.relpath(game_file.absolute(), folder.absolute())).as_posix()
    kinds = game.definition.kinds
    yield "markdown", f"# {title}\n\nChange a cell, or the game file, and run it again."
    yield "code", f"import balance\n\ngame = balance.load({place!r})\ngame.entrants"
    yield "markdown", "## One attack"
    yield "code", f"balance.attack(game, {one!r}, {other!r})"
    yield "markdown", "## Who beats whom"
    yield "code", 'balance.matchups(game, "duel").plot()'
    if (field := _first_number(game, one)) is not None:
        name, value = field
        yield (
            "markdown",
            f"## What if?\n\nAny field can be changed for one question: {game.label(one)} has {value} {name}.",
        )
        changed = f"balance.duel(game, {one!r}, {other!r}, set={{'a.{name}': {value + 1}}})"
        yield "code", changed
    if kinds["duel"].solve is not None:
        yield "markdown", "## Played as well as can be"
        yield "code", f"balance.solve(game, {one!r}, {other!r})"
    yield "markdown", f"## What should each {words.entrant} cost?\n\nThis takes about a minute."
    yield "code", "balance.price(game)"


def _first_number(game: LoadedGame, unit: str) -> tuple[str, int] | None:
    """Return the first field of a unit that is a number and no cost, with its value."""
    card: Any = game.catalogue.find("units", unit)
    fields = ((name, value) for name, value in card.model_dump().items() if name != "cost_points")
    return next(((name, value) for name, value in fields if isinstance(value, int)), None)


def _cell(number: int, kind: str, text: str) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}}
    lines = text.splitlines(keepends=True)
    return cell | (
        {"source": lines} if kind == "markdown" else {"execution_count": None, "outputs": [], "source": lines}
    )
