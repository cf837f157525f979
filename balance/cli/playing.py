"""How a study is played: the options for it, its progress, and how Ctrl-C ends it with every finished block kept."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli import options
from balance.cli.exits import BROKEN_LIMIT, PARTIAL, say_errors, say_note
from balance.progress import tell
from balance.verbs.means import Means
from balance.verbs.words import check_writable

if TYPE_CHECKING:
    from balance.engine.runner import Engine

__all__ = [
    "Cache",
    "Executor",
    "NoCache",
    "Scheduler",
    "judge",
    "working",
]

Executor = Annotated[
    str,
    typer.Option("--executor", metavar="KIND", help="Where the work is done: serial, threads, processes or dask."),
]
Scheduler = Annotated[
    str | None,
    options.option(
        "--scheduler",
        metavar="ADDRESS",
        envvar="BALANCE_SCHEDULER",
        told="A running Dask scheduler, such as tcp://host:8786; a local cluster without it.",
    ),
]
Cache = Annotated[
    Path | None,
    options.option(
        "--cache",
        metavar="DIR",
        envvar="BALANCE_CACHE",
        told="Folder of finished work that commands share; the user's cache folder without it.",
    ),
]
NoCache = Annotated[bool, options.flag("--no-cache", told="Share nothing with other commands.")]


@contextmanager
def working(folder: Path, means: Means, quiet: bool) -> Iterator[Engine]:
    """Yield the engine that the options ask for; the first Ctrl-C lets work under way finish.

    An interruption is told, with the folder in which what is finished is kept, and ends with its status.
    """
    from balance.engine.runner import Engine
    from balance.verbs.signals import interruptible

    check_writable(folder)
    progress = None if quiet else tell
    try:
        with interruptible() as halt:
            if means.shared is None and not means.no_cache:
                told = "you have no home folder, so no blocks are shared; --cache DIR names a place"
                warnings.warn(told, stacklevel=2)
            yield Engine(means.where, means.jobs, means.scheduler, means.shared, progress, halt)
    except KeyboardInterrupt:
        say_note(f"Interrupted; finished blocks are kept in {folder}. The same command goes on from there.")
        raise typer.Exit(PARTIAL) from None


def judge(broken_limits: Sequence[str]) -> None:
    """Say which limits are broken, and end with the status for it."""
    if broken_limits:
        sys.stdout.flush()
        say_errors(f"limit broken: {limit}" for limit in broken_limits)
        raise typer.Exit(BROKEN_LIMIT)
