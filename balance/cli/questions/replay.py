"""`balance replay`: one trial of a simulation in words, in the terminal or as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from balance.cli.options import options
from balance.cli.options.results import result_of, say_result
from balance.verbs.call.words import FIRST

Trial = Annotated[
    int,
    typer.Option(
        "--trial", metavar="N", parser=options.parse_count, help="Which trial of the simulation with this seed, from 0."
    ),
]
Winner = Annotated[
    str,
    options.option(
        "--winner",
        metavar="NAME",
        help_text="The first trial from there on with this result, as the answer names it.",
    ),
]
Page = Annotated[
    Path | None,
    options.option("--page", metavar="FILE.html", help_text="Also write it as a page, in a new .html or .pdf file."),
]


def replay(
    game: options.GameName,
    kind: options.KindName,
    one: options.One,
    other: options.Other = "",
    trial: Trial = 0,
    winner: Winner = "",
    seed: options.Seed = 0,
    first: options.First = FIRST,
    set: options.Changes = None,
    choose: options.Choices = None,
    policy_a: options.PolicyA = None,
    policy_b: options.PolicyB = None,
    catalogue: options.CatalogueFolder = None,
    page: Page = None,
    more: options.More = False,
    as_json: options.Json = False,
    brief: options.Brief = False,
    quiet: options.Quiet = False,
) -> None:
    """Tell one trial of a simulation in words."""
    from balance.verbs import questions

    say_result(result_of(questions.replay, locals()), more, as_json, brief)
