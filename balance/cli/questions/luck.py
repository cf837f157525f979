"""`balance luck`: how much of a result is luck, from which dice, and how it comes about."""

from __future__ import annotations

from typing import Annotated

from balance.cli.options import options
from balance.cli.options.results import result_of, say_result
from balance.cli.options.work import Cache, Executor, NoCache, Scheduler, Verify
from balance.verbs.call.words import FIRST

Among = Annotated[
    str | None,
    options.option(
        "--among", metavar="IDS", help_text="Who is in the field, separated by commas (default: all, or 24 drawn)."
    ),
]
Play = Annotated[
    bool,
    options.flag("--play", help_text="Of a field: either side may play in any of the ways that are quick to play."),
]
Groups = Annotated[
    int | None,
    options.option(
        "--groups",
        metavar="N",
        parser=options.parse_count,
        help_text="Groups of 32 games that share dice, where shares have to be simulated.",
    ),
]


def luck(
    game: options.GameName,
    kind: options.KindName,
    one: Annotated[str, options.entrant("[ONE]", "One side; without both, two of the whole field.", 0)] = "",
    other: Annotated[str, options.entrant("[OTHER]", "The other side.", 1)] = "",
    among: Among = None,
    play: Play = False,
    groups: Groups = None,
    seed: options.Seed = 0,
    first: options.First = FIRST,
    set: options.Changes = None,
    choose: options.Choices = None,
    policy_a: options.PolicyA = None,
    policy_b: options.PolicyB = None,
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
    """Say how much of a result is luck, from which dice, and how it comes about."""
    from balance.verbs import sources

    say_result(result_of(sources.luck, locals()), more, as_json, brief)
