"""`balance dice`: the odds of expressions such as `3d6 keep 2`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from balance.cli.options import options
from balance.cli.options.results import say_result
from balance.cli.process.exits import say_line

Expressions = Annotated[
    list[str] | None,
    options.argument(
        "EXPRESSION...",
        "Dice, each expression in quotation marks; `docs/reference/dice.md` describes the whole language.",
    ),
]
Trials = Annotated[
    int | None,
    options.option(
        "--trials",
        metavar="N",
        parser=options.parse_count,
        help_text="Also simulate, N times; what is too large to be exact is simulated anyway.",
    ),
]
PictureFile = Annotated[
    Path | None, options.option("--picture", metavar="FILE.svg", help_text="Draw the odds, in a new file.")
]
Page = Annotated[
    Path | None,
    options.option(
        "--page",
        metavar="FILE.html",
        help_text="Also write a page, in a new .html or .pdf file; in a folder, one that answers what you type.",
    ),
]
EveryTotal = Annotated[bool, options.flag("--every", help_text="Print every total, even where there are many.")]


def dice(
    expressions: Expressions = None,
    trials: Trials = None,
    seed: options.Seed = 0,
    every: EveryTotal = False,
    picture: PictureFile = None,
    page: Page = None,
    as_json: options.Json = False,
    brief: options.Brief = False,
    more: options.More = False,
    quiet: options.Quiet = False,
) -> None:
    """Tell the odds of dice."""
    from balance.verbs import rolls

    result = rolls.dice(
        *(expressions or ()), trials=trials, seed=seed, every=every, picture=picture, page=page, quiet=quiet
    )
    say_result(result, more, as_json, brief)
    if not (as_json or brief or quiet):
        for file in filter(None, (picture, page)):
            say_line(f"Wrote {file if file.suffix else file / rolls.LIVE_PAGE}")
