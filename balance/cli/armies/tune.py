"""`balance tune`: the fewest and smallest changes that make armies of equal points fair, written as a patch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from balance.cli.options import options
from balance.cli.options.results import result_of, say_result
from balance.cli.options.work import Cache, Executor, NoCache, Scheduler, Verify
from balance.cli.process.exits import BROKEN_LIMIT, say_errors
from balance.verbs.call.means import ALL_CORES

Band = Annotated[
    str | None,
    options.option(
        "--band",
        metavar="LOW:HIGH",
        help_text="The per cent between which every mean score should lie (default: as near to 45:55 as possible). A "
        "band that you name is a demand: if it is not met, nothing is written.",
    ),
]
FirstMover = Annotated[
    float | None,
    options.option(
        "--first-mover", metavar="P", help_text="Another demand: going first adds at most this to the chance to win."
    ),
]
MaxChanges = Annotated[int, typer.Option("--changes", metavar="K", min=1, max=20, help="How many numbers may change.")]
Move = Annotated[
    list[str] | None,
    options.option(
        "--move",
        metavar="FIELDS",
        help_text="What may change: columns such as precision, paths such as weapons.*.cost_points, rules.* or "
        "constants.*; several separated by commas (default: all costs).",
    ),
]
Out = Annotated[Path, typer.Option("--out", metavar="FILE.toml", help="The patch to write.")]


def tune(
    game: options.GameName,
    band: Band = None,
    first_mover: FirstMover = None,
    changes: MaxChanges = 5,
    move: Move = None,
    set: options.Changes = None,
    budget: options.Budgets = None,
    out: Out = Path("tuned.toml"),
    force: Annotated[bool, options.flag("--force", help_text="Replace an existing file.")] = False,
    nearest: Annotated[
        bool, options.flag("--nearest", help_text="Write the nearest result where a demand is not met.")
    ] = False,
    seed: options.Seed = 0,
    catalogue: options.CatalogueFolder = None,
    jobs: options.Jobs = ALL_CORES,
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
    """Find the changes, check them on fresh seeds, and write them as a patch; status 1 if a demand is not met."""
    from balance.verbs import armies

    result = result_of(armies.tune, locals())
    say_result(result, more, as_json, brief)
    if result.broken_limits:
        say_errors(result.broken_limits)
        raise typer.Exit(BROKEN_LIMIT)
