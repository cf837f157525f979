"""With what a verb does its work: how many processes, where, and which finished work it shares with other calls."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from balance.progress import Progress, tell

if TYPE_CHECKING:
    from balance.engine.answers import SharedAnswers
    from balance.engine.runner import Runner
    from balance.protocol.loaded import LoadedGame

__all__ = ["ALL_CORES", "MOST_JOBS", "Cache", "Means", "answering", "means_of", "shared_answers", "user_cache"]

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
        named = os.environ.get("XDG_CACHE_HOME")
        return Path(named) / "balance" if named else None
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
    def where(self) -> str:
        """Where jobs are done; a scheduler that is named is used."""
        return "dask" if self.scheduler and self.executor == "auto" else self.executor

    @property
    def shared(self) -> Path | None:
        """The cache that commands share; None for none."""
        return None if self.no_cache else self.cache or user_cache()


def means_of(jobs: int, executor: str = "auto", scheduler: str | None = None, cache: Cache = None) -> Means:
    """Return the means that a call names; a cache that it leaves open is that of `BALANCE_CACHE`, as in the command.

    >>> means_of(2, cache=False).shared is None, means_of(1, cache="kept").shared
    (True, PosixPath('kept'))
    """
    named = os.environ.get("BALANCE_CACHE") if cache is None or cache is True else cache
    return Means(jobs, executor, scheduler, Path(named) if named else None, cache is False)


def shared_answers(means: Means) -> SharedAnswers | None:
    """Return the answers that calls leave to each other, if the options do not say otherwise."""
    from balance.engine.answers import SharedAnswers

    if means.shared is None:
        return None
    answers = SharedAnswers(means.shared, "answers")
    answers.tidy()
    return answers


@contextmanager
def answering(loaded: LoadedGame, means: Means, quiet: bool, progress: Progress = tell) -> Iterator[Runner]:
    """Yield a runner for a verb that has no folder; what it works out stays in the cache that calls share.

    Ctrl-C ends it at once: of an answer that is not whole nothing is kept, so that nothing under way is worth a wait.
    What work tells of itself goes to `progress`, such as a forecast of how long all parts of an answer may take.
    """
    from balance.engine.runner import Engine, Runner

    answers = shared_answers(means)
    engine = Engine(means.where, means.jobs, means.scheduler, progress=None if quiet else progress)
    with Runner(loaded, engine, answers=answers) as runner:
        yield runner
