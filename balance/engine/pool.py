"""Where blocks are computed: here, on threads, on processes, or on a Dask cluster. The numbers are the same everywhere.

A pool takes jobs, which are picklable functions of their arguments and nothing else, and yields their results as they
are ready. A worker that is killed takes nothing with it: its jobs are given to others, at most three times each, and a
job that broke every worker it was given to is reported by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Protocol

from balance.base.errors import UsageError, WorkerError, suggestion
from balance.engine.workers import WorkerProcesses, worker_processes

__all__ = ["EXECUTORS", "SERIAL", "FutureJobs", "Job", "Pool", "open_pool"]

EXECUTORS = ("serial", "threads", "processes", "dask")
MOST_TRIES = 3
"""Workers that one job may be given to before it is called broken."""
LOOK_SECONDS = 0.25
"""How often it is looked at whether an end was asked for, since a signal that another thread was given does not wake
who waits without end; and whether there is still somebody at work, where jobs can wait for ever."""


@dataclass(frozen=True)
class Job:
    """A function call to be made somewhere; `name` is for people, `tag` comes back with the result."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    tag: Any = field(default=None, compare=False)


class Pool(Protocol):
    """Somewhere to run jobs."""

    n_workers: int

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
        """Yield (job, result) as results come in, in any order; closing the iterator drops what has not begun."""
        ...


class _Serial:
    """Runs each job here when its result is asked for."""

    n_workers = 1

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
        for job in jobs:
            yield job, job.function(*job.arguments)


SERIAL: Pool = _Serial()
"""This process alone."""


class FutureJobs:
    """Runs jobs on a `concurrent.futures` executor, two per worker under way, and again when workers die.

    Parameters
    ----------
    n_workers
        How many.
    make
        Opens an executor; called again when one breaks.
    broken
        Errors that mean that a worker died.
    watch
        Called now and then while nothing comes in; raises if nothing ever will.
    """

    def __init__(
        self,
        n_workers: int,
        make: Callable[[], Executor],
        broken: tuple[type[BaseException], ...],
        watch: Callable[[], None] | None = None,
    ) -> None:
        self.n_workers = n_workers
        self._make, self._broken, self._watch = make, broken, watch
        self._executor = make()

    def close(self) -> None:
        """End the workers, dropping what has not begun."""
        self._executor.shutdown(cancel_futures=True)

    def end_at_once(self) -> None:
        """End the workers, dropping what is under way too, as far as those that are no processes allow."""
        if isinstance(self._executor, WorkerProcesses):
            self._executor.end_at_once()
        self.close()

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
        """Keep `2 n_workers` jobs under way, in the order given."""
        source, again = iter(jobs), list[tuple[Job, int]]()
        running: dict[Future[Any], tuple[Job, int]] = {}
        try:
            while True:
                while len(running) < 2 * self.n_workers and (found := self._next(source, again)):
                    running[self._submit(found[0])] = found
                if not running:
                    return
                done, _ = wait(running, LOOK_SECONDS, FIRST_COMPLETED)
                if not done and self._watch is not None:
                    self._watch()
                yield from self._collect(done, running, again)
        finally:
            for future in running:
                future.cancel()

    def _next(self, source: Iterator[Job], again: list[tuple[Job, int]]) -> tuple[Job, int] | None:
        if again:
            return again.pop()
        job = next(source, None)
        return (job, MOST_TRIES - 1) if job is not None else None

    def _submit(self, job: Job) -> Future[Any]:
        try:
            return self._executor.submit(job.function, *job.arguments)
        except self._broken:
            self._executor = self._make()
            return self._executor.submit(job.function, *job.arguments)

    def _collect(
        self, done: Iterable[Future[Any]], running: dict[Future[Any], tuple[Job, int]], again: list[tuple[Job, int]]
    ) -> Iterator[tuple[Job, Any]]:
        for future in done:
            job, more_tries = running.pop(future)
            try:
                result = future.result()
            except self._broken as error:
                if not more_tries:
                    raise WorkerError(
                        f"{job.name}: its worker died {MOST_TRIES} times",
                        "too little memory, or something kills the workers; try fewer (--jobs 1)",
                    ) from error
                again.append((job, more_tries - 1))
            else:
                yield job, result


@contextmanager
def _closing(pool: FutureJobs) -> Iterator[Pool]:
    try:
        yield pool
    except BaseException:  # nobody waits for what is under way any more
        pool.end_at_once()
        raise
    pool.close()


def open_pool(kind: str = "serial", n_workers: int = 1, scheduler: str | None = None) -> AbstractContextManager[Pool]:
    """Open a pool of workers; leaving the context closes it.

    Parameters
    ----------
    kind
        "serial", "threads", "processes" or "dask".
    n_workers
        Workers to start, 1 or more; serial has one.
    scheduler
        Address of a running Dask scheduler, such as `tcp://host:8786`; a local cluster is started without one.

    Raises
    ------
    UsageError
        There is no such executor, no worker to start, or Dask is not installed.

    >>> with open_pool("threads", 2) as pool:
    ...     sorted(result for _, result in pool.run(Job("square", pow, (n, 2)) for n in range(4)))
    [0, 1, 4, 9]
    """
    if kind not in EXECUTORS:
        tip = suggestion(kind, EXECUTORS)
        raise UsageError(f"an executor is one of {', '.join(EXECUTORS)}, found {kind!r}", tip)
    if n_workers < 1:
        raise UsageError(f"workers must be 1 or more, found {n_workers}")
    match kind:
        case "serial":
            return nullcontext(SERIAL)
        case "threads":
            return _closing(FutureJobs(n_workers, lambda: ThreadPoolExecutor(n_workers), ()))
        case "processes":
            return _closing(FutureJobs(n_workers, lambda: worker_processes(n_workers), (BrokenProcessPool,)))
    from balance.engine.cluster import dask_pool

    return dask_pool(n_workers, scheduler)
