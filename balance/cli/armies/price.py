"""`balance price`: what cards should cost where armies of equal points meet, and what one could change instead."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from balance.cli.options import completion, options
from balance.cli.options.results import result_of, say_result
from balance.cli.options.work import Cache, Executor, NoCache, Scheduler, Verify
from balance.verbs.call.means import ALL_CORES

Card = Annotated[
    str, options.argument("[CARD]", "A card or a loadout (default: all of them, in brief).", completion.priced_entries)
]
Kind = Annotated[
    str,
    options.option(
        "--kind",
        metavar="KIND",
        help_text="The kind of question in which armies meet (default: the game as its rulebook prints it).",
        autocompletion=completion.meetings,
    ),
]
Field = Annotated[
    str | None,
    options.option(
        "--among", metavar="IDS", help_text="The loadouts that armies are made of, separated by commas (default: all)."
    ),
]
Battles = Annotated[
    int | None,
    options.option(
        "--battles",
        metavar="N",
        help_text="Battles for each loadout in a round (default: 300, more where there are few loadouts).",
        min=100,
        max=1_000_000,
    ),
]
MaxChanges = Annotated[
    int | None,
    options.option(
        "--changes",
        metavar="K",
        help_text="How many costs a proposal may change at most (default: as many as are off).",
        min=1,
        max=20,
    ),
]
Keep = Annotated[
    str | None,
    options.option(
        "--keep",
        metavar="TABLE",
        help_text="The table whose costs stay, such as units, where a loadout's cost is split between its cards "
        "(default: the costs of all cards change as little as can be).",
    ),
]
MinCost = Annotated[
    int,
    options.option("--min-cost", metavar="POINTS", help_text="The least cost of a card.", min=0, max=1_000_000),
]
Patch = Annotated[
    Path | None,
    options.option("--patch", metavar="FILE.toml", help_text="Write the costs proposed as a patch, if there are any."),
]
TolerableText = Annotated[
    str | None,
    options.option(
        "--tolerance",
        metavar="PERCENT[:POINTS]",
        help_text="How far a fair price may be off: per cent of its cost, and points at least (default: 10, and as far "
        "as the next cost that can be printed is no better).",
    ),
]


def price(
    game: options.GameName,
    card: Card = "",
    kind: Kind = "",
    among: Field = None,
    set: options.Changes = None,
    choose: options.Choices = None,
    budget: options.Budgets = None,
    battles: Battles = None,
    changes: MaxChanges = None,
    tolerance: TolerableText = None,
    keep: Keep = None,
    min_cost: MinCost = 1,
    patch: Patch = None,
    force: Annotated[bool, options.flag("--force", help_text="Replace an existing file.")] = False,
    more: options.More = False,
    seed: options.Seed = 0,
    catalogue: options.CatalogueFolder = None,
    jobs: options.Jobs = ALL_CORES,
    executor: Executor = "auto",
    scheduler: Scheduler = None,
    verify: Verify = None,
    cache: Cache = None,
    no_cache: NoCache = False,
    as_json: options.Json = False,
    brief: options.Brief = False,
    quiet: options.Quiet = False,
) -> None:
    """Say what everything should cost, or one card, and what could change instead."""
    from balance.verbs import prices

    say_result(result_of(prices.price, locals()), more, as_json, brief)
