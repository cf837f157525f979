"""`balance handicap`: the smallest change that makes a match-up even, or takes the edge off going first."""

from __future__ import annotations

from typing import Annotated

from balance.cli.options import options
from balance.cli.options.results import result_of, say_result
from balance.cli.options.work import Cache, Executor, NoCache, Scheduler, Verify
from balance.verbs.call.words import FIRST

Kind = Annotated[
    str,
    options.option("--kind", metavar="KIND", help_text="A kind of question that has a winner (default: the simplest)."),
]
Fields = Annotated[
    list[str] | None,
    options.option(
        "--field",
        metavar="FIELD",
        help_text="Which numbers may change, separated by commas: health, or b.health of one side (default: all).",
    ),
]
Band = Annotated[
    str,
    options.option(
        "--band", metavar="LOW:HIGH", help_text="The scores, in per cent, between which a match-up is even."
    ),
]
Bid = Annotated[
    str | None,
    options.option(
        "--bid",
        metavar="FIELD",
        help_text="What going first is worth in a number, such as health, b.health or lost_actions; or in points.",
    ),
]
Cost = Annotated[
    bool, options.flag("--cost", help_text="What the first should cost against the other at equal points.")
]
Worth = Annotated[
    str | None,
    options.option(
        "--worth",
        metavar="NUMBER",
        help_text="What every single change is worth in a number of one side, such as b.banners or a.health.",
    ),
]
Among = Annotated[
    str | None,
    options.option(
        "--among",
        metavar="IDS",
        help_text="Without sides: who is in the field, separated by commas (default: 12 drawn).",
    ),
]


def handicap(
    game: options.GameName,
    one: Annotated[str, options.entrant("[ONE]", "One side; without both, the first move of a field.", 0)] = "",
    other: Annotated[str, options.entrant("[OTHER]", "The other side.", 1)] = "",
    kind: Kind = "",
    field: Fields = None,
    bid: Bid = None,
    cost: Cost = False,
    worth: Worth = None,
    band: Band = "45:55",
    among: Among = None,
    budget: options.Budgets = None,
    first: options.First = FIRST,
    set: options.Changes = None,
    choose: options.Choices = None,
    seed: options.Seed = 0,
    catalogue: options.CatalogueFolder = None,
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
    """Say which smallest change makes a match-up even or takes the edge off going first, and what that is worth."""
    from balance.verbs.changes import handicaps

    say_result(result_of(handicaps.handicap, locals()), more, as_json, brief)
