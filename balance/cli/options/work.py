"""Options for how a study is worked on, its progress, and how Ctrl-C ends it with every finished block kept."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli.options import options
from balance.cli.process.exits import BROKEN_LIMIT, PARTIAL, say_errors, say_note
from balance.verbs.call.means import Means, WorkInterrupted, engine_for

if TYPE_CHECKING:
    from balance.engine.runner import Engine

Executor = Annotated[
    str, typer.Option("--executor", metavar="KIND", help="Where the work is done: serial, threads, processes or dask.")
]
Scheduler = Annotated[
    str | None,
    options.option(
        "--scheduler",
        metavar="ADDRESS",
        envvar="BALANCE_SCHEDULER",
        help_text="A running Dask scheduler, such as tcp://host:8786 (default: a local cluster).",
    ),
]
Verify = Annotated[
    str | None,
    options.option(
        "--verify",
        metavar="PERCENT",
        help_text="Work out this share of the workers' results again here, such as 2%, and name a worker that differs.",
    ),
]
Cache = Annotated[
    Path | None,
    options.option(
        "--cache",
        metavar="DIR",
        envvar="BALANCE_CACHE",
        help_text="Folder of finished work that commands share (default: the user's cache folder).",
    ),
]
NoCache = Annotated[bool, options.flag("--no-cache", help_text="Share nothing with other commands.")]


@contextmanager
def study_engine(folder: Path, means: Means, quiet: bool) -> Iterator[Engine]:
    """Yield the engine for these means, with its work kept in `folder`; an interruption exits with `PARTIAL`."""
    with ending_partial(), engine_for(folder, means, quiet) as engine:
        yield engine


@contextmanager
def ending_partial() -> Iterator[None]:
    """On an interruption, say where finished work is kept, and exit with its status."""
    try:
        yield
    except WorkInterrupted as stop:
        say_note(stop)
        raise typer.Exit(PARTIAL) from None


def judge(broken_limits: Sequence[str]) -> None:
    """Print broken limits, and exit with their status if there are any."""
    if broken_limits:
        sys.stdout.flush()
        say_errors(f"limit broken: {limit}" for limit in broken_limits)
        raise typer.Exit(BROKEN_LIMIT)
