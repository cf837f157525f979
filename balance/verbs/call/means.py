"""With what a verb does its work: how many processes, where, and which finished work it shares with other calls."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from balance.base.errors import BalanceError, Fault, Interruption, UsageError
from balance.base.progress import Progress, estimate_so_far, tell
from balance.verbs.call.words import MOST_JOBS

if TYPE_CHECKING:
    from balance.engine.answers import SharedAnswers
    from balance.engine.runner import Engine, Runner
    from balance.engine.verification import Verification
    from balance.game.loaded import LoadedGame

_SHARE = re.compile(r"\s*(\d{1,3}(?:[.,]\d{1,9})?)\s*%\s*", re.ASCII)
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
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
    """The options of a call about work: how many processes, on which backend, and which results are shared or checked.

    `executor` names a backend or is "auto", `scheduler` is the address of a Dask scheduler, `cache` a folder (None for
    the user's, unless `no_cache`), `verified_share` above 0 and up to 1, None for nothing; `fresh` reads no cache.
    """

    jobs: int
    executor: str = "auto"
    scheduler: str | None = None
    cache: Path | None = None
    no_cache: bool = False
    verified_share: float | None = None
    fresh: bool = False

    @property
    def backend(self) -> str:
        """Where jobs run: "dask" if a scheduler is named and the executor is left to "auto"."""
        return "dask" if self.scheduler and self.executor == "auto" else self.executor

    @property
    def shared(self) -> Path | None:
        """The folder of the cache that calls share; None without one."""
        return None if self.no_cache else self.cache or user_cache()


def means_of(
    jobs: int,
    executor: str = "auto",
    scheduler: str | None = None,
    cache: Cache = None,
    verify: str | None = None,
    fresh: bool = False,
) -> Means:
    """Return the means that a call names; without a `cache`, or with True, `BALANCE_CACHE` or else the user's is meant.

    `cache` False means none. Raise UsageError where `verify`, such as "2%", is no share.

    >>> means_of(2, cache=False).shared is None, means_of(1, cache="kept").shared
    (True, PosixPath('kept'))
    """
    folder = os.environ.get("BALANCE_CACHE") if cache is None or cache is True else cache
    return Means(jobs, executor, scheduler, Path(folder) if folder else None, cache is False, share_of(verify), fresh)


def share_of(verify: str | None) -> float | None:
    """Return a share of work in per cent as a number; raise UsageError unless it is above 0% and at most 100%.

    >>> share_of("2%"), share_of("0,5 %"), share_of(None)
    (0.02, 0.005, None)
    """
    if verify is None:
        return None
    match = _SHARE.fullmatch(verify)
    share = float(match[1].replace(",", ".")) / 100 if match else 0.0
    if not 0 < share <= 1:
        allowed = "more than 0% and at most 100%"
        raise UsageError(Fault("is no share of the work", "§verify", found=verify, allowed=allowed, tip="such as 2%"))
    return share


def verification_of(share: float | None) -> Verification | None:
    """Return the verification of this share of the workers' results, drawn with this user's key; None for None."""
    if share is None:
        return None
    from balance.engine.verification import Verification

    return Verification(share, _user_key())


def _user_key() -> bytes:
    """Return the 32 secret bytes that decide which results are verified: from the user's cache, else fresh ones."""
    from balance.base.foreign import read_at_most

    fresh_key, folder = secrets.token_bytes(32), user_cache()
    if folder is None:
        return fresh_key
    path = folder / "verify.key"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError), os.fdopen(os.open(path, _NEW_FILE, 0o600), "wb") as file:
            file.write(fresh_key)
        key = read_at_most(path, 64)
    except (OSError, BalanceError):
        return fresh_key
    return key if len(key) == len(fresh_key) else fresh_key


def shared_answers(means: Means, name: str = "answers") -> SharedAnswers | None:
    """Return a store of finished answers in the shared cache, trimmed of what is old; None without a cache."""
    from balance.engine.answers import SharedAnswers

    if means.shared is None:
        return None
    answers = SharedAnswers(means.shared, name)
    answers.fresh = means.fresh
    answers.tidy()
    return answers


@contextmanager
def runner_for(game: LoadedGame, means: Means, quiet: bool, progress: Progress = tell) -> Iterator[Runner]:
    """Yield a runner for a verb that has no folder; what it works out stays in the cache that calls share.

    Ctrl-C ends it at once and tells what is known so far; what is finished is kept in the cache, and who asks the same
    again goes on from there.
    What work tells of itself goes to `progress`, such as a forecast of how long an answer may take, unless `quiet`.
    """
    from balance.engine.runner import Engine, Runner

    answers = shared_answers(means)
    engine = Engine(
        means.backend,
        means.jobs,
        means.scheduler,
        verification_of(means.verified_share),
        progress=None if quiet else progress,
    )
    try:
        with Runner(game, engine, answers=answers) as runner:
            yield runner
    except (KeyboardInterrupt, Interruption):
        words = [f"so far {estimate}"] if (estimate := estimate_so_far()) else []
        if answers is not None and not answers.given_up:
            words.append("what is finished is kept, and the same command goes on from there")
        raise KeyboardInterrupt("; ".join(words)) from None


class WorkInterrupted(Interruption):
    """An interruption of work that has a folder, where all that is finished is kept."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"Interrupted; finished blocks are kept in {folder}. The same command goes on from there.")


@contextmanager
def engine_for(folder: Path, means: Means, quiet: bool) -> Iterator[Engine]:
    """Yield the engine for work kept in a folder, new or old; the first Ctrl-C lets work under way finish.

    Raise OutputError where the folder cannot be made, WorkInterrupted after an interruption.
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
            verification, cache = verification_of(means.verified_share), None if means.fresh else means.shared
            yield Engine(means.backend, means.jobs, means.scheduler, verification, cache, progress, halt)
    except (KeyboardInterrupt, Interruption):
        raise WorkInterrupted(folder) from None
