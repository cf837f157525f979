"""How a study is played: the options for it, its progress, and how Ctrl-C ends it with every finished block kept."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli import options
from balance.cli.exits import BROKEN_LIMIT, PARTIAL, say_errors, say_note
from balance.progress import Progress, tell

if TYPE_CHECKING:
    from balance.engine.answers import SharedAnswers
    from balance.engine.runner import Engine, Runner
    from balance.protocol.loaded import LoadedGame

__all__ = [
    "Cache",
    "Executor",
    "Means",
    "NoCache",
    "Scheduler",
    "answering",
    "check_new_file",
    "check_writable",
    "judge",
    "shared_answers",
    "user_cache",
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


def shared_answers(means: Means) -> SharedAnswers | None:
    """Return the answers that commands leave to each other, if the options do not say otherwise."""
    from balance.engine.answers import SharedAnswers

    if means.shared is None:
        return None
    found = SharedAnswers(means.shared, "answers")
    found.tidy()
    return found


@contextmanager
def answering(loaded: LoadedGame, means: Means, quiet: bool, progress: Progress = tell) -> Iterator[Runner]:
    """Yield a runner for a command that has no folder; what it finds stays in the cache that commands share.

    Ctrl-C ends it at once: of an answer that is not whole nothing is kept, so that nothing under way is worth a wait.
    What work tells of itself goes to `progress`, such as a forecast of how long all parts of an answer may take.
    """
    from balance.engine.runner import Engine, Runner

    answers = shared_answers(means)
    engine = Engine(means.where, means.jobs, means.scheduler, progress=None if quiet else progress)
    with Runner(loaded, engine, answers=answers) as runner:
        yield runner


@contextmanager
def working(folder: Path, means: Means, quiet: bool) -> Iterator[Engine]:
    """Yield the engine that the options ask for; the first Ctrl-C lets work under way finish.

    An interruption is told, with the folder in which what is finished is kept, and ends with its status.
    """
    from balance.cli.signals import interruptible
    from balance.engine.runner import Engine

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


def check_writable(folder: Path) -> None:
    """Refuse a folder that cannot be made before the long work begins; nothing is made yet."""
    from balance.errors import Fault, OutputError

    there = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        reason = "may not be written to" if there.is_dir() else "is not a folder"
        raise OutputError(Fault(reason, str(there), tip="choose another folder with --out"))


def check_new_file(file: Path, option: str, what: str, endings: Sequence[str], forced: bool | None = None) -> None:
    """Refuse a file that an option names and that cannot be made, before the long work begins.

    Parameters
    ----------
    what, endings
        What it is to be, such as "a picture", and how its name may end.
    forced
        Whether one that is there is replaced; None where that cannot be asked for.
    """
    from balance.errors import Fault, OutputError, UsageError

    if file.suffix.lower() not in endings:
        tip = f"end it in {' or '.join(endings)}"
        raise UsageError(Fault(f"is not a name for {what}", option, found=file.name, tip=tip))
    if file.is_dir():
        raise OutputError(Fault("is a folder", str(file), tip="name a file in it"))
    if file.exists() and not forced:
        tip = f"name another file with {option}" if forced is None else "name another file, or replace it with --force"
        raise OutputError(Fault("is already there", str(file), tip=tip))
    check_writable(file.parent)


def judge(broken_limits: Sequence[str]) -> None:
    """Say which limits are broken, and end with the status for it."""
    if broken_limits:
        sys.stdout.flush()
        say_errors(f"limit broken: {limit}" for limit in broken_limits)
        raise typer.Exit(BROKEN_LIMIT)
