"""`balance play` and `balance stability`: what play is worth, and which verdicts on prices hold whatever is played."""

from __future__ import annotations

from typing import Annotated

from balance.cli.armies.price import Field, TolerableText
from balance.cli.options import completion, options
from balance.cli.options.results import result_of, say_result
from balance.cli.options.work import Cache, Executor, NoCache, Scheduler, Verify
from balance.verbs.call.means import ALL_CORES

Kind = Annotated[
    str,
    options.argument("[KIND]", "The kind of question in which armies meet (default: the first).", completion.meetings),
]
Among = Annotated[
    str | None,
    options.option(
        "--among", metavar="NAME[,...]", help_text="Which adventures, where sides come in such pairs (default: all)."
    ),
]
Ways = Annotated[
    str | None,
    options.option(
        "--ways", metavar="NAME[,...]", help_text="Ways of playing, or `all` (default: those that are quick to play)."
    ),
]
Pairs = Annotated[
    int | None,
    options.option(
        "--pairs",
        metavar="N",
        help_text="Pairs of armies for each match-up (default: 512, or 128 where a trial is long).",
        min=8,
        max=1_000_000,
    ),
]
Slow = Annotated[
    int,
    options.option(
        "--slow", metavar="N", help_text="Pairs of armies where a way is not quick to play.", min=8, max=1_000_000
    ),
]
Near = Annotated[
    float,
    options.option(
        "--near", metavar="POINTS", help_text="Rating points that a way may be behind the best and count.", min=0
    ),
]
Over = Annotated[
    list[str] | None,
    options.option(
        "--over", metavar="PATH=VALUE,...", help_text="What verdicts must hold over, such as a map; may be repeated."
    ),
]
Scales = Annotated[
    str | None,
    options.option(
        "--scales",
        metavar="POINTS:UNITS[,...]",
        help_text="Budgets with unit limits over which verdicts must hold too.",
    ),
]
Battles = Annotated[
    int,
    options.option("--battles", metavar="N", help_text="Battles of each setting, at most.", min=1000, max=100_000_000),
]
Precision = Annotated[
    float,
    options.option(
        "--precision",
        metavar="SHARE",
        help_text="Stop in a setting when every price is known to this share of its cost; 0 plays all battles.",
        min=0,
        max=1,
    ),
]


def play(
    game: options.GameName,
    kind: Kind = "",
    among: Among = None,
    ways: Ways = None,
    set: options.Changes = None,
    choose: options.Choices = None,
    budget: options.Budgets = None,
    pairs: Pairs = None,
    slow: Slow = 64,
    near: Near = 20.0,
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
    """Play every way of playing against every other, with the same armies on the same luck."""
    from balance.verbs import play as verb

    say_result(result_of(verb.play, locals()), more, as_json, brief)


def stability(
    game: options.GameName,
    kind: Kind = "",
    among: Field = None,
    over: Over = None,
    scales: Scales = None,
    ways: Ways = None,
    set: options.Changes = None,
    choose: options.Choices = None,
    budget: options.Budgets = None,
    battles: Battles = 131_072,
    precision: Precision = 0.05,
    pairs: Pairs = None,
    near: Near = 20.0,
    tolerance: TolerableText = None,
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
    """Say which verdicts on prices are the same by every way of playing that counts, and over maps and scales."""
    from balance.verbs import play as verb

    say_result(result_of(verb.stability, locals()), more, as_json, brief)
