"""`balance army`: the best army that a search finds under a budget, or random legal ones."""

from __future__ import annotations

from typing import Annotated

from balance.cli.options import options
from balance.cli.options.results import result_of, say_result
from balance.cli.options.work import Cache, Executor, NoCache, Scheduler, Verify

MOST_RANDOM = 100_000

Budget = Annotated[
    str,
    options.option(
        "--budget",
        metavar="POINTS[:UNITS]",
        help_text="What the army may cost; its unit limit may follow, as in --limit.",
    ),
]
Limit = Annotated[
    int | None,
    options.option(
        "--limit",
        metavar="UNITS",
        help_text="Units that it may have, and actions per turn where those are a pool (default: as the rules pair it "
        "with the budget).",
    ),
]
Against = Annotated[
    str | None,
    options.option(
        "--against",
        metavar="ARMY",
        help_text="The army that it should beat, legal or not (default: random legal armies).",
    ),
]
Random = Annotated[
    int | None,
    options.option(
        "--random", metavar="N", help_text="Print N random legal armies instead, one per line.", min=1, max=MOST_RANDOM
    ),
]


def army(
    game: options.GameName,
    budget: Budget,
    limit: Limit = None,
    against: Against = None,
    random: Random = None,
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
    """Find the best army for a budget, or draw random legal ones."""
    from balance.verbs import armies

    say_result(result_of(armies.army, locals()), more, as_json, brief)
