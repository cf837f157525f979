"""How a study is played: the options for it, its progress, and how Ctrl-C ends it with every finished block kept."""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli.exits import say_note

if TYPE_CHECKING:
    from balance.engine.runner import Engine
    from balance.study.sampling import Status

__all__ = ["Cache", "Executor", "Means", "MinuteLines", "NoCache", "Scheduler", "duration", "playing", "user_cache"]

LOG_SECONDS = 60.0
DRAW_SECONDS = 0.2

Executor = Annotated[
    str,
    typer.Option("--executor", metavar="KIND", help="Where the work is done: serial, threads, processes or dask."),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        envvar="BALANCE_SCHEDULER",
        help="A running Dask scheduler, such as tcp://host:8786; a local cluster without it.",
        show_default=False,
    ),
]
Cache = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="DIR",
        envvar="BALANCE_CACHE",
        help="Folder of finished blocks that studies share; the user's cache folder without it.",
        show_default=False,
    ),
]
NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Share no blocks with other studies.", show_default=False, metavar="")
]


def user_cache() -> Path | None:
    """Return the folder of this user's caches, by the custom of the system; None for a user without a home."""
    try:
        home = Path.home()
    except RuntimeError:
        named = os.environ.get("XDG_CACHE_HOME")
        return Path(named) / "balance" if named else None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "balance" / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "balance"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "balance"


def status_line(status: Status) -> str:
    """Return how far the sampling is, in one line."""
    left = status.seconds_left
    words = [f"{status.pairs:,} of about {status.expected:,} pairs", f"{status.rate:,.0f} a second"]
    words += [f"about {duration(left)} left"] if left is not None else []
    words += [f"{status.n_open:,} of {status.n_all:,} match-ups open"]
    words += [f"widest interval +-{status.worst:.2g}"] if status.worst is not None else []
    return ", ".join(words)


def duration(seconds: float) -> str:
    """Return a time as people say it.

    >>> duration(42), duration(600), duration(9000)
    ('42 s', '10 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


@dataclass
class MinuteLines:
    """Writes one plain line every `every` seconds; `clock` and `write` can be replaced for tests."""

    every: float = LOG_SECONDS
    clock: Callable[[], float] = time.monotonic
    write: Callable[[str], None] = say_note
    _next: float = field(init=False)

    def __post_init__(self) -> None:
        """Start the clock."""
        self._next = self.clock() + self.every

    def __call__(self, status: Status) -> None:
        """Write a line if it is time."""
        if self.clock() >= self._next:
            self._next = self.clock() + self.every
            self.write(status_line(status))


@contextmanager
def _bar() -> Iterator[Callable[[Status], None]]:
    from rich.progress import BarColumn, Progress, TextColumn

    from balance.cli.terminal import console

    columns = (BarColumn(bar_width=20), TextColumn("{task.description}"))
    with Progress(*columns, console=console(sys.stderr), transient=True) as shown:
        bar, drawn = shown.add_task("", total=None, visible=False), 0.0

        def tell(status: Status) -> None:
            nonlocal drawn
            if time.monotonic() - drawn < DRAW_SECONDS and status.n_open:
                return
            drawn = time.monotonic()
            line = status_line(status)
            shown.update(bar, total=status.expected, completed=status.pairs, description=line, visible=True)

        yield tell


@contextmanager
def _watching(quiet: bool) -> Iterator[Callable[[Status], None] | None]:
    if quiet:
        yield None
    elif sys.stderr.isatty():
        with _bar() as tell:
            yield tell
    else:
        yield MinuteLines()


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Let a warning be one line on standard error."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)

        def show(message: Any, *_: Any, **__: Any) -> None:
            say_note(f"warning: {message}")

        warnings.showwarning = show
        yield


@dataclass(frozen=True)
class Means:
    """How the options say that work is to be done."""

    jobs: int
    executor: str = "auto"
    scheduler: str | None = None
    cache: Path | None = None
    no_cache: bool = False


@contextmanager
def playing(means: Means, quiet: bool, progress: Callable[[str, int, int], None] | None = None) -> Iterator[Engine]:
    """Yield the engine that the options ask for; the first Ctrl-C lets work under way finish."""
    from balance.cli.sampling import interruptible
    from balance.engine.runner import Engine

    kind = "dask" if means.scheduler and means.executor == "auto" else means.executor
    folder = None if means.no_cache else means.cache or user_cache()
    with plain_warnings(), _watching(quiet) as watch, interruptible() as halt:
        if folder is None and not means.no_cache:
            warnings.warn("you have no home folder, so no blocks are shared; --cache DIR names a place", stacklevel=2)
        yield Engine(kind, means.jobs, means.scheduler, folder, watch, progress, halt)
