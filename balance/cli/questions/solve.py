"""`balance solve`: what a game is worth, and how to play it, when both sides choose as well as they can."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from balance.cli.options import options
from balance.cli.options.results import result_of, say_result

MethodOption = Annotated[
    Literal["exact", "approximate"],
    typer.Option("--method", help="exact certifies every state; approximate is for games too large for that."),
]


def solve(
    game: options.GameName,
    a: Annotated[str, options.entrant("A", "One side.", 0)],
    b: Annotated[str, options.entrant("B", "The other side.", 1)],
    set: options.Changes = None,
    method: MethodOption = "exact",
    seed: options.Seed = 0,
    catalogue: options.CatalogueFolder = None,
    more: options.More = False,
    as_json: options.Json = False,
    brief: options.Brief = False,
    quiet: options.Quiet = False,
) -> None:
    """Solve a game between two sides."""
    from balance.verbs import questions

    say_result(result_of(questions.solve, locals()), more, as_json, brief)
