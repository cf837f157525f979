"""`balance new-game`: a game of one's own to start from, as one file or as a Python package."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import wrap
from typing import Annotated

import typer

from balance.base.errors import UsageError
from balance.base.text import one_line
from balance.cli import completion
from balance.cli.options import options

WIDTH = 80
"""Characters of a line of a terminal."""


def new_game(
    name: Annotated[str, options.argument("NAME", "The name that commands use for it, such as sky_rats.")] = "",
    template: Annotated[
        str | None,
        typer.Option(
            "--template",
            metavar="KIND",
            help="Write one file NAME.toml, rules and units without any code, of this kind; alone: which there are.",
            autocompletion=completion.templates,
            show_default=False,
        ),
    ] = None,
    python: Annotated[
        bool, options.flag("--python", help_text="Write a Python package, as without --template.")
    ] = False,
) -> None:
    """Write a small game of your own, ready to be asked and to be changed."""
    if template is not None and python:
        raise UsageError("a game is one file or a Python package", "say --template KIND or --python, not both")
    if template == "":
        _list_templates()
        return
    if not name:
        raise UsageError("the name of the game is missing", "such as balance new-game sky_rats")
    lines = _package_lines(name) if template is None else _file_lines(name, template)
    for text in lines:
        is_command = text.startswith(" ")  # which is to be copied whole
        rows = [f"  {one_line(text)}"] if is_command else wrap(one_line(text), WIDTH, break_on_hyphens=False)
        sys.stdout.writelines(f"{row}\n" for row in rows)


def _list_templates() -> None:
    """Print the templates that a game file can be started from."""
    from balance.answers.media.terminal import line, say, table
    from balance.game.authoring.new_file import template_texts

    texts = template_texts()
    first = line(f"{len(texts)} kinds of game to begin with: balance new-game NAME --template KIND", "bold", after=1)
    say(first, table(["kind", "what such a game is"], [*map(list, texts.items())], whole=["kind"]))


def _package_lines(name: str) -> list[str]:
    """Write a Python package, and return the lines to print about it."""
    from balance.game.authoring.new_game import write_game

    folder = write_game(name, Path())
    return [
        f"Wrote {folder}: a whole game. Change it into yours; it answers already:",
        f"  balance duel {name} knight giant",
        f"  balance report {name}",
        f"Its rules are {folder / 'game.py'}, its cards {folder / 'data'}. What to do next: {folder / 'README.md'}",
    ]


def _file_lines(name: str, template: str) -> list[str]:
    """Write a game file from a template, and return the lines to print about it."""
    from balance.game.authoring.new_file import write_file
    from balance.rulebook.text import read_game_file

    path = write_file(name, template, Path())
    file = read_game_file(path)
    first, second = file.units.ids[0], file.units.ids[min(1, len(file.units.ids) - 1)]
    n_units, n_steps, n_keywords = len(file.units.ids), len(file.rulebook.attack), len(file.rulebook.keywords)
    keywords = f" and {_count(n_keywords, 'keyword')}" if n_keywords else ""
    parts = f"{_count(n_units, 'unit')}, an attack of {_count(n_steps, 'step')}{keywords}"
    return [
        f"Wrote {path}: {parts}. Change it into yours; it answers already:",
        f"  balance duel {path} {first} {second}",
        f"  balance price {path}",
        f"What is wrong with it while you change it: balance check {path}",
    ]


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"
