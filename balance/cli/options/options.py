"""The arguments and options that verbs share, and how their texts are parsed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from balance.cli import completion
from balance.verbs.call.words import MOST_JOBS


def option(*names: str, metavar: str, help_text: str, **more: Any) -> Any:
    """Return a typer option without the automatic default in its help: `help_text` states it in words."""
    return typer.Option(*names, metavar=metavar, help=help_text, show_default=False, **more)


def flag(*names: str, help_text: str) -> Any:
    """Return a typer option that takes no value."""
    return option(*names, metavar="", help_text=help_text)


def argument(metavar: str, help_text: str, complete: Callable[[typer.Context], list[str]] | None = None) -> Any:
    """Return a typer argument; `complete` offers words to a shell, and brackets in `metavar` mark it optional."""
    return typer.Argument(metavar=metavar, help=help_text, autocompletion=complete, show_default=False)


GameName = Annotated[str, argument("GAME", "A game, as `balance games` lists it.", completion.games)]
CatalogueFolder = Annotated[
    Path | None,
    option(
        "--catalogue",
        metavar="DIR",
        envvar="BALANCE_CATALOGUE",
        help_text="Folder of the catalogue (default: ./data/GAME if there is one, else the shipped one).",
    ),
]


Jobs = Annotated[
    int, typer.Option("--jobs", "-j", metavar="N", min=1, max=MOST_JOBS, help="How many workers run at once.")
]
Json = Annotated[bool, flag("--json", help_text="Print one JSON object and nothing else.")]
Brief = Annotated[
    bool,
    flag("--brief", help_text="As --json, at most 10,000 bytes: the sentence, the main tables, what it cannot see."),
]
More = Annotated[
    bool,
    flag("--more", help_text="Show everything: all distributions, settings, how it is played, what it cannot see."),
]
"""Without it a verb prints its first screen (`balance.answers.media.screens`): a sentence, tables, at most 24 lines."""
Quiet = Annotated[bool, flag("--quiet", "-q", help_text="Show no progress.")]
