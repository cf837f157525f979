"""With what a verb does its work: how many processes, where, and which finished work it shares with other calls."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from balance.base.errors import Interruption
from balance.base.progress import Progress, tell

if TYPE_CHECKING:
    from balance.engine.answers import SharedAnswers
    from balance.engine.runner import Engine, Runner
    from balance.game.loaded import LoadedGame

MOST_JOBS = 256
ALL_CORES = min(MOST_JOBS, os.cpu_count() or 1)
"""How many processes long work uses if nobody says; the results do not depend on it."""
Cache = Path | str | bool | None
"""Which finished work is shared: that of a folder, of the user's cache (None or True), or none (False)."""


def user_cache() -> Path | None:
    """Return the folder of this user's caches, by the custom of the system; None for a user without a home."""
    try:
        home = Path.home()
    except RuntimeError:
        folder = os.environ.get("XDG_CACHE_HOME")
        return Path(folder) / "balance" if folder else None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "balance" / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "balance"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "balance"


@dataclass(frozen=True)
class Means:
    """How the options say that work is to be done."""

    jobs: int
    executor: str = "auto"
    scheduler: str | None = None
    cache: Path | None = None
    no_cache: bool = False

    @property
    def backend(self) -> str:
        """Where jobs are done; a scheduler that is named is used."""
        return "dask" if self.scheduler and self.executor == "auto" else self.executor

    @property
    def shared(self) -> Path | None:
        """The cache that commands share; None for none."""
        return None if self.no_cache else self.cache or user_cache()


def means_of(jobs: int, executor: str = "auto", scheduler: str | None = None, cache: Cache = None) -> Means:
    """Return the means that a call names; a cache that it leaves open is that of `BALANCE_CACHE`, as in the command.

    Parameters
    ----------
    jobs
        How many processes or threads work at once.
    executor, scheduler
        Where they work, and the address of a Dask scheduler.
    cache
        A folder of finished work; the user's for None and True, none for False.

    >>> means_of(2, cache=False).shared is None, means_of(1, cache="kept").shared
    (True, PosixPath('kept'))
    """
    folder = os.environ.get("BALANCE_CACHE") if cache is None or cache is True else cache
    return Means(jobs, executor, scheduler, Path(folder) if folder else None, cache is False)


def shared_answers(means: Means) -> SharedAnswers | None:
    """Return the answers that calls leave to each other, if the options do not say otherwise."""
    from balance.engine.answers import SharedAnswers

    if means.shared is None:
        return None
    answers = SharedAnswers(means.shared, "answers")
    answers.tidy()
    return answers


@contextmanager
def runner_for(game: LoadedGame, means: Means, quiet: bool, progress: Progress = tell) -> Iterator[Runner]:
    """Yield a runner for a verb that has no folder; what it works out stays in the cache that calls share.

    Ctrl-C ends it at once: of an answer that is not whole nothing is kept, so that nothing under way is worth a wait.
    What work tells of itself goes to `progress`, such as a forecast of how long all parts of an answer may take.

    Parameters
    ----------
    game
        The game with its catalogue.
    means
        How many processes work, and where.
    quiet
        Whether no progress is shown.
    progress
        What hears how far the work is.
    """
    from balance.engine.runner import Engine, Runner

    answers = shared_answers(means)
    engine = Engine(means.backend, means.jobs, means.scheduler, progress=None if quiet else progress)
    with Runner(game, engine, answers=answers) as runner:
        yield runner


class WorkInterrupted(Interruption):
    """An interruption of work that has a folder, where all that is finished is kept."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"Interrupted; finished blocks are kept in {folder}. The same command goes on from there.")


@contextmanager
def engine_for(folder: Path, means: Means, quiet: bool) -> Iterator[Engine]:
    """Yield the engine for work that is kept in a folder; the first Ctrl-C lets work under way finish.

    Parameters
    ----------
    folder
        Where the work is kept; it need not be there yet.
    means
        How many processes work, and where.
    quiet
        Whether no progress is shown.

    Raises
    ------
    OutputError
        The folder cannot be made.
    Unfinished
        The work was interrupted.
    """
    from balance.base.signals import interruptible
    from balance.engine.runner import Engine
    from balance.verbs.call.words import check_writable

    check_writable(folder)
    progress = None if quiet else tell
    try:
        with interruptible() as halt:
            if means.shared is None and not means.no_cache:
                reason = "you have no home folder, so no blocks are shared; --cache DIR names a place"
                warnings.warn(reason, stacklevel=2)
            yield Engine(means.backend, means.jobs, means.scheduler, means.shared, progress, halt)
    except (KeyboardInterrupt, Interruption):
        raise WorkInterrupted(folder) from None
