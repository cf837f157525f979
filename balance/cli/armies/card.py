"""`balance card`: what every small change of a card does, and what two abilities do together."""

from __future__ import annotations

from typing import Annotated

from balance.cli.options import completion, options
from balance.cli.options.results import result_of, say_result
from balance.cli.options.work import Cache, Executor, NoCache, Scheduler, Verify

Card = Annotated[str, options.argument("CARD", "A card, or an entrant that holds several.", completion.priced_entries)]
Points = Annotated[
    bool,
    options.flag("--points", help_text="Also show what each change is worth in points; this takes a minute or more."),
]
Among = Annotated[
    str | None,
    options.option(
        "--among", metavar="IDS", help_text="Its opponents, separated by commas (default: 12 drawn by the seed)."
    ),
]


def card(
    game: options.GameName,
    card: Card,
    among: Among = None,
    set: options.Changes = None,
    points: Points = False,
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
    """Say what every small change of a card does, and what two abilities do together."""
    from balance.verbs import prices

    say_result(result_of(prices.card, locals()), more, as_json, brief)
