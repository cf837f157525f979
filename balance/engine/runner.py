"""Ask many questions at once: the same answers in the same order, on one process or on several.

A *measure* is a module-level function from a `Question` to plain values. Two questions with equal setups have equal
laws, whatever was changed to get there, so within a chunk each distinct setup is measured once: a reading of a rule
that does not touch a match-up costs nothing when it is asked beside the match-up as it stands. What was asked before is
not measured again either.

Work is cut into chunks of consecutive asks whose size does not depend on the number of processes. Threads would not
help here: a question is many small array operations, which hold the interpreter's lock.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property, partial
from types import TracebackType
from typing import Any, TypeVar

from balance.engine.pool import FutureJobs, Job
from balance.engine.workers import worker_processes
from balance.errors import RulesError
from balance.protocol.question import LoadedGame, Question

__all__ = ["Ask", "Asker", "Progress", "as_asker", "override", "same_law_key"]

CHUNK = 128
"""Asks that one process answers at a time, where they may share answers; elsewhere one is enough."""

Row = TypeVar("Row")
Progress = Callable[[str, int, int], None]
"""Told (what is being done, parts done, parts in all)."""


@dataclass(frozen=True)
class Ask:
    """One question, as text: which rung, about whom, with what changed.

    Attributes
    ----------
    rung
        "attack", "kill" or "duel".
    one, other
        The two entrants.
    changes
        Assignments such as ``rules.faces=0-9``.
    first
        Who goes first, where there is such a choice.
    choices
        What else is chosen, (name, value).
    """

    rung: str
    one: str
    other: str
    changes: tuple[str, ...] = ()
    first: str | None = None
    choices: tuple[tuple[str, str], ...] = ()

    def to(self, loaded: LoadedGame) -> Question:
        """Return the question."""
        return loaded.ask(self.rung, self.one, self.other, list(self.changes), self.first, **dict(self.choices))


def override(changes: Sequence[str], later: Sequence[str]) -> tuple[str, ...]:
    """Return assignments with later ones in place of others to the same path.

    >>> override(["rules.x=1", "a.y=2"], ["rules.x=3"])
    ('a.y=2', 'rules.x=3')
    """
    taken = {text.partition("=")[0] for text in later}
    return (*(text for text in changes if text.partition("=")[0] not in taken), *later)


def same_law_key(question: Question) -> Hashable | None:
    """Return a value that two questions share only if they have the same law, or None if there is none to be had.

    It is the question's setup without the record of what was asked, where that setup can be hashed.
    """
    setup = question.setup
    if not is_dataclass(setup):
        return None
    key = (question.rung.name, *(getattr(setup, field.name) for field in fields(setup) if field.name != "inputs"))
    try:
        hash(key)
    except TypeError:
        return None
    return key


class Asker:
    """A game to ask, and the processes that do the work; use it in a `with` so that they end.

    Parameters
    ----------
    loaded
        The game with its catalogue.
    n_jobs
        Processes to use; the answers do not depend on it.
    progress
        Told of each finished part.
    halt
        Asked after each part whether to stop, which raises KeyboardInterrupt.

    Examples
    --------
    >>> from balance.protocol.question import load
    >>> asker = Asker(load("warforged"))
    >>> asker([Ask("attack", "nexus+sidearm", "trooper")], lambda question: round(question.law.mean("damage"), 12))
    [0.7]
    """

    def __init__(
        self,
        loaded: LoadedGame,
        n_jobs: int = 1,
        progress: Progress | None = None,
        halt: Callable[[], bool] | None = None,
    ) -> None:
        self.loaded, self._n_jobs, self._progress, self._halt = loaded, n_jobs, progress, halt
        self._pool: FutureJobs | None = None
        self._told: dict[tuple[Callable[..., Any], Ask], Any] = {}

    def __enter__(self) -> Asker:
        """Return itself; processes start with the first work for them."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the processes, dropping what has not begun."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def __call__(
        self,
        asks: Sequence[Ask],
        measure: Callable[[Question], Row],
        what: str = "questions",
        *,
        skip_illegal: bool = False,
        share: bool = True,
    ) -> list[Row | None]:
        """Return the measure of each question, in order.

        Parameters
        ----------
        asks
            The questions; put those that may share a law close to each other.
        measure
            Must depend on the question's law and rung alone; a module-level function, if several processes work.
        what
            What is being done, for whoever watches.
        skip_illegal
            Answer None where the rules forbid what was asked, instead of raising `RulesError`.
        share
            Measure questions with the same law once; not for simulations, which must not share their dice.
        """
        size = CHUNK if share else 1
        chunks = [asks[start : start + size] for start in range(0, len(asks), size)]
        told = [
            {ask: self._told[measure, ask] for ask in chunk if (measure, ask) in self._told} if share else {}
            for chunk in chunks
        ]
        rows: list[Row | None] = []
        work = partial(_answer, measure, skip_illegal, share)
        for part in self._parts(what, chunks, told, work):
            rows += part
            self.tell(what, len(rows), len(asks))
        if share:
            found = zip(asks, rows, strict=True)
            self._told |= {(measure, ask): row for ask, row in found if row is not None}
        return rows

    def tell(self, what: str, done: int, total: int) -> None:
        """Tell whoever watches how far the work has come."""
        if self._progress is not None:
            self._progress(what, done, total)
        if self._halt is not None and self._halt():
            raise KeyboardInterrupt

    def _parts(
        self,
        what: str,
        chunks: Sequence[Sequence[Ask]],
        told: Sequence[Mapping[Ask, Row]],
        work: Callable[[LoadedGame, Sequence[Ask], Mapping[Ask, Row]], list[Row | None]],
    ) -> Iterator[list[Row | None]]:
        """Yield the answers of each chunk in order."""
        if self._n_jobs <= 1 or len(chunks) < 2 or not self._can_travel:
            for chunk, known in zip(chunks, told, strict=True):
                yield work(self.loaded, chunk, known)
            return
        jobs = (
            Job(f"{what}, part {place + 1}", _there, (work, chunk, known), place)
            for place, (chunk, known) in enumerate(zip(chunks, told, strict=True))
        )
        done, at = dict[int, list[Row | None]](), 0
        for job, rows in self._workers().run(jobs):
            done[job.tag] = rows
            while at in done:
                yield done.pop(at)
                at += 1

    @cached_property
    def _can_travel(self) -> bool:
        """Whether other processes can be given the game; one made of lambdas stays on this process."""
        try:
            pickle.dumps(self.loaded)
        except (pickle.PicklingError, AttributeError, TypeError):
            return False
        return True

    def _workers(self) -> FutureJobs:
        if self._pool is None:
            start = partial(worker_processes, self._n_jobs, _open, self.loaded)
            self._pool = FutureJobs(self._n_jobs, start, (BrokenProcessPool,))
        return self._pool


def as_asker(game: LoadedGame | Asker) -> Asker:
    """Return what to ask: an asker as it is, a loaded game as an asker on this process alone."""
    return game if isinstance(game, Asker) else Asker(game)


_here: dict[str, LoadedGame] = {}


def _open(loaded: LoadedGame) -> None:
    """Keep the game of a worker process for all of its chunks."""
    _here["game"] = loaded


def _there(work: Callable[..., list[Any]], chunk: Sequence[Ask], told: Mapping[Ask, Any]) -> list[Any]:
    return work(_here["game"], chunk, told)


def _answer(
    measure: Callable[[Question], Row],
    skip_illegal: bool,
    share: bool,
    loaded: LoadedGame,
    chunk: Sequence[Ask],
    told: Mapping[Ask, Row],
) -> list[Row | None]:
    """Answer a chunk; `told` holds what is known of its asks already."""
    known: dict[Hashable, Row] = {}
    rows: list[Row | None] = []
    for ask in chunk:
        try:
            question = ask.to(loaded)
        except RulesError:
            if not skip_illegal:
                raise
            rows.append(None)
            continue
        key = same_law_key(question) if share else None
        if ask in told:
            known[key] = told[ask]
        elif key is None or key not in known:
            known[key] = measure(question)
        rows.append(known[key])
    return rows
