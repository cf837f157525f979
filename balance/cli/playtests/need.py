"""`balance need`: how many games it takes to tell, and what fewer can tell."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from balance.cli.options import options
from balance.cli.options.results import result_of, say_result

Difference = Annotated[
    str | None,
    options.option(
        "--difference",
        metavar="5pp",
        help_text="How far from 50% a win chance must lie to be named; 5pp, 5, 5% and 0.05 are the same (default: 5pp, "
        "unless a band is given).",
    ),
]
Band = Annotated[
    str | None,
    options.option(
        "--band",
        metavar="45:55",
        help_text="What counts as fair: plans the games after which a fair side is called fair.",
    ),
]
Options = Annotated[
    int,
    options.option(
        "--options",
        metavar="K",
        parser=options.parse_count,
        help_text="This many factions or weapons play a round robin (default: a pair).",
    ),
]
Power = Annotated[
    str, options.option("--power", metavar="80%", help_text="How often it is named or called fair (default: 80%).")
]
Error = Annotated[
    str,
    options.option("--error", metavar="5%", help_text="How often anything at all may be named wrongly (default: 5%)."),
]
Draws = Annotated[
    str,
    options.option(
        "--draws",
        metavar="20%",
        help_text="The share of draws, each half a win (default: none, which is the safe side).",
    ),
]
Evenings = Annotated[
    int | None,
    options.option(
        "--evenings", metavar="N", parser=options.parse_count, help_text="Show what this many evenings can show."
    ),
]
PerEvening = Annotated[
    int,
    options.option(
        "--games-per-evening", metavar="G", parser=options.parse_count, help_text="Games of one evening (default: 4)."
    ),
]
PlanName = Annotated[
    str,
    options.option(
        "--plan",
        metavar="fixed|sequential",
        help_text="The plan to spell out: one look at the end, or one after every evening.",
    ),
]
Runs = Annotated[
    int,
    options.option(
        "--runs",
        metavar="N",
        parser=options.parse_count,
        help_text="How often each plan is played out as a check (default: 10,000).",
    ),
]
Out = Annotated[
    Path | None,
    options.option("--out", metavar="FILE.csv", help_text="Write when to stop after each evening, in a new file."),
]


def need(
    difference: Difference = None,
    band: Band = None,
    options: Options = 2,
    power: Power = "80%",
    error: Error = "5%",
    draws: Draws = "0%",
    games_per_evening: PerEvening = 4,
    evenings: Evenings = None,
    plan: PlanName = "fixed",
    runs: Runs = 10_000,
    seed: options.Seed = 0,
    out: Out = None,
    more: options.More = False,
    as_json: options.Json = False,
    brief: options.Brief = False,
    quiet: options.Quiet = False,
) -> None:
    """Say how many games it takes to tell, and what fewer can tell."""
    from balance.verbs import playtests

    say_result(result_of(playtests.need, locals()), more, as_json, brief)
