"""`balance page`: a page on which the numbers of two cards can be moved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from balance.cli.options import options
from balance.cli.options.results import result_of, say_result
from balance.cli.options.work import Cache, Executor, NoCache, Scheduler, Verify
from balance.verbs.call.words import FIRST

Out = Annotated[
    Path, options.option("--out", metavar="FILE.html", help_text="The page, a new file (default: what-if.html).")
]
Kinds = Annotated[
    str | None,
    options.option(
        "--kinds",
        metavar="KINDS",
        help_text="Which kinds of question it answers, separated by commas (default: attack, kill, duel).",
    ),
]
Answers = Annotated[
    int,
    options.option(
        "--answers",
        metavar="N",
        help_text="How many answers of each kind it holds; more of them answer more changes at once.",
    ),
]
Reach = Annotated[
    int, options.option("--reach", metavar="STEPS", help_text="How far a number may be moved, up and down.")
]


def page(
    game: options.GameName,
    one: Annotated[str, options.entrant("ONE", "One card.", 0)],
    other: Annotated[str, options.entrant("OTHER", "The other card.", 1)],
    out: Out = Path("what-if.html"),
    kinds: Kinds = None,
    answers: Answers = 2_000,
    reach: Reach = 3,
    first: options.First = FIRST,
    set: options.Changes = None,
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
    """Write a page on which the numbers of two cards can be changed: exact answers, in one file that works offline."""
    from balance.verbs.changes import pages

    say_result(result_of(pages.page, locals()), more, as_json, brief)
