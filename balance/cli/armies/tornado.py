"""`balance tornado`: how far assumed values may move before a conclusion flips."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from balance.cli.options import options
from balance.cli.options.results import result_of, say_result
from balance.cli.options.work import Cache, Executor, NoCache, Scheduler, Verify
from balance.verbs.call.words import FIRST

Over = Annotated[
    list[str] | None,
    options.option(
        "--over",
        metavar="TABLE",
        help_text="Whose values may change: tables, rules or constants, several separated by commas (default: all; of "
        "cards, those of the two sides).",
    ),
]
MeasureText = Annotated[
    str | None,
    options.option(
        "--measure",
        metavar="WHAT",
        help_text="What is measured: score=a, wins=a, mean=COLUMN, mean=COLUMN,less=COLUMN or "
        "chance=COLUMN,at_least=N (default: what the first side scores, or the mean of what it does).",
    ),
]
AtLeast = Annotated[
    float | None,
    options.option(
        "--at-least",
        metavar="X",
        help_text="The conclusion: it is at least this much (default: on which side of one half a chance lies).",
    ),
]
AtMost = Annotated[
    float | None, options.option("--at-most", metavar="X", help_text="The conclusion: it is at most this much.")
]
Trials = Annotated[
    int | None,
    options.option(
        "--trials",
        metavar="N",
        parser=options.parse_count,
        help_text="Trials of a question that has no exact distribution (default: as many as it usually has).",
    ),
]
PictureFile = Annotated[
    Path | None,
    options.option(
        "--picture", metavar="FILE.svg", help_text="Draw how far each value moves the number, in a new file."
    ),
]
MaxMoves = Annotated[
    int, typer.Option("--moves", metavar="K", min=1, max=20, help="How many values may change at once.")
]


def tornado(
    game: options.GameName,
    kind: options.KindName,
    one: options.One,
    other: options.Other = "",
    over: Over = None,
    measure: MeasureText = None,
    at_least: AtLeast = None,
    at_most: AtMost = None,
    moves: MaxMoves = 4,
    first: options.First = FIRST,
    set: options.Changes = None,
    choose: options.Choices = None,
    trials: Trials = None,
    seed: options.Seed = 0,
    catalogue: options.CatalogueFolder = None,
    picture: PictureFile = None,
    jobs: options.Jobs = 1,
    executor: Executor = "auto",
    scheduler: Scheduler = None,
    verify: Verify = None,
    cache: Cache = None,
    no_cache: NoCache = False,
    more: options.More = False,
    as_json: options.Json = False,
    brief: options.Brief = False,
    quiet: options.Quiet = False,
) -> None:
    """Say which assumed values a conclusion rests on, and how many of them have to move before it flips."""
    from balance.verbs import sources

    say_result(result_of(sources.tornado, locals()), more, as_json, brief)
