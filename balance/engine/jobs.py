"""Jobs: function calls to be made somewhere, and what runs them on a `concurrent.futures` executor until each is done.

A worker that is killed takes nothing with it: its jobs are given to others, at most three times each, and a job that
broke every worker it was given to is reported by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from typing import Any, Protocol

from balance.base.errors import WorkerError
from balance.engine.workers import WorkerProcesses, WorkerThreads

MAX_TRIES = 3
"""Workers that one job may be given to before it is called broken."""
WATCH_SECONDS = 0.25
"""Seconds between two looks at whether an end was asked for, since a signal that another thread was given does not wake
a wait without end; and at whether there is still a worker, where jobs can wait for ever."""


@dataclass(frozen=True)
class Job:
    """A function call to be made somewhere; `name` is for people, `tag` comes back with the result."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    tag: Any = field(default=None, compare=False)


class Pool(Protocol):
    """Workers that run jobs: this process, threads, processes or a Dask cluster."""

    n_workers: int

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
        """Yield (job, result) as results come in, in any order; closing the iterator drops what has not begun."""
        ...


class FutureJobs:
    """Runs jobs on a `concurrent.futures` executor, two per worker under way, and again when workers die.

    `make` opens an executor, again when one breaks; `worker_errors` mean that a worker died; `watch` is called every
    `WATCH_SECONDS` without a result, and raises if none will ever come.
    """

    def __init__(
        self,
        n_workers: int,
        make: Callable[[], Executor],
        worker_errors: tuple[type[BaseException], ...],
        watch: Callable[[], None] | None = None,
    ) -> None:
        self.n_workers = n_workers
        self._make, self._worker_errors, self._watch = make, worker_errors, watch
        self._executor = make()
        self._dropped: list[Future[Any]] = []

    def close(self) -> None:
        """Shut the workers down, at once if they still run jobs whose results were dropped."""
        if any(not future.done() for future in self._dropped):
            self.end_at_once()
        self._executor.shutdown(cancel_futures=True)

    def end_at_once(self) -> None:
        """Shut the workers down without waiting for the jobs under way."""
        if isinstance(self._executor, WorkerProcesses | WorkerThreads):
            self._executor.end_at_once()
        self._executor.shutdown(cancel_futures=True)

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
        """Keep `2 n_workers` jobs under way, started in order; `WorkerError` for one that broke `MAX_TRIES` workers."""
        source, again = iter(jobs), list[tuple[Job, int]]()
        futures: dict[Future[Any], tuple[Job, int]] = {}
        try:
            while True:
                while len(futures) < 2 * self.n_workers and (job_and_tries := self._next(source, again)):
                    futures[self._submit(job_and_tries[0])] = job_and_tries
                if not futures:
                    return
                finished_futures, _ = wait(futures, WATCH_SECONDS, FIRST_COMPLETED)
                if not finished_futures and self._watch is not None:
                    self._watch()
                yield from self._collect(finished_futures, futures, again)
        finally:
            self._dropped += [future for future in futures if not future.cancel()]

    def _next(self, source: Iterator[Job], again: list[tuple[Job, int]]) -> tuple[Job, int] | None:
        if again:
            return again.pop()
        job = next(source, None)
        return (job, MAX_TRIES - 1) if job is not None else None

    def _submit(self, job: Job) -> Future[Any]:
        try:
            return self._executor.submit(job.function, *job.arguments)
        except self._worker_errors:
            self._executor = self._make()
            return self._executor.submit(job.function, *job.arguments)

    def _collect(
        self,
        finished_futures: Iterable[Future[Any]],
        futures: dict[Future[Any], tuple[Job, int]],
        again: list[tuple[Job, int]],
    ) -> Iterator[tuple[Job, Any]]:
        for future in finished_futures:
            job, more_tries = futures.pop(future)
            try:
                result = future.result()
            except self._worker_errors as error:
                if not more_tries:
                    raise WorkerError(
                        f"{job.name}: its worker died {MAX_TRIES} times",
                        "too little memory, or something kills the workers; try fewer (§jobs=1)",
                    ) from error
                again.append((job, more_tries - 1))
            else:
                yield job, result
