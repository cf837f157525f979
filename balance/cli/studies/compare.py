"""`balance compare`: what a patch, or another catalogue, does to the match-ups of a study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from balance.cli.options import completion, options
from balance.cli.options.results import result_of, say_result
from balance.cli.options.work import Cache, Executor, NoCache, Scheduler, Verify, ending_partial, judge
from balance.cli.process.exits import say_line
from balance.verbs.call.means import ALL_CORES

Subject = Annotated[str, options.argument("STUDY.toml|GAME", "Whose match-ups: a study, or a game.", completion.games)]
Base = Annotated[
    Path | None, typer.Option("--base", metavar="DIR", help="The catalogue before (default: the study's own).")
]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Folder to write (default: reports/compare_PATCH).")
]


def compare(
    subject: Subject,
    patch: Annotated[
        Path,
        options.option("--patch", metavar="PATCH.toml|DIR", help_text="What changes: a patch, or another catalogue."),
    ],
    base: Base = None,
    out: Out = None,
    format: Annotated[str, typer.Option("--format", metavar="FORMATS", help="html, pdf or both.")] = "html,pdf",
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
    """Say what a change does at equal points and in every match-up, on the same dice; status 1 if a limit is broken."""
    from balance.verbs import studies

    arguments = locals()
    with ending_partial():
        result = result_of(studies.compare, arguments)
    say_result(result, more, as_json, brief)
    for path in () if as_json or brief else result.value.files:
        say_line(path)
    judge(result.broken_limits)
