"""Where blocks are computed: here, on threads, on processes, or on a Dask cluster. The numbers are the same everywhere.

A pool takes jobs, which are picklable functions of their arguments and nothing else, and yields their results as they
are ready. A worker that is killed takes nothing with it: its jobs are given to others, at most three times each, and a
job that broke every worker it was given to is reported by name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing import get_context
from typing import Any, Protocol

from balance.errors import UsageError, WorkerError, nearest

__all__ = ["EXECUTORS", "Job", "Pool", "end_with_parent", "open_pool"]

EXECUTORS = ("serial", "threads", "processes", "dask")
MOST_TRIES = 3
"""Workers that one job may be given to before it is called broken."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"), "1")


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


class _Futures:
    """Runs jobs on a `concurrent.futures` executor, two per worker under way, and again when workers die."""

    def __init__(self, n_workers: int, make: Callable[[], Executor], broken: tuple[type[BaseException], ...]) -> None:
        self.n_workers = n_workers
        self._make, self._broken = make, broken
        self._executor = make()

    def close(self) -> None:
        self._executor.shutdown(cancel_futures=True)

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
        """Keep `2 n_workers` jobs under way, in the order given."""
        source, again = iter(jobs), list[tuple[Job, int]]()
        running: dict[Future[Any], tuple[Job, int]] = {}
        try:
            while True:
                while len(running) < 2 * self.n_workers and (found := self._next(source, again)):
                    job, tries = found
                    running[self._submit(job)] = (job, tries)
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                yield from self._collect(done, running, again)
        finally:
            for future in running:
                future.cancel()

    def _next(self, source: Iterator[Job], again: list[tuple[Job, int]]) -> tuple[Job, int] | None:
        if again:
            return again.pop(0)
        job = next(source, None)
        return (job, 0) if job is not None else None

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
            job, tries = running.pop(future)
            try:
                result = future.result()
            except self._broken as error:
                if tries + 1 >= MOST_TRIES:
                    raise WorkerError(
                        f"{job.name}: its worker died {MOST_TRIES} times",
                        "too little memory, or something kills the workers; try fewer (--jobs 1)",
                    ) from error
                again.append((job, tries + 1))
            else:
                yield job, result


def _quiet_worker() -> None:
    """Let a worker process ignore Ctrl-C: whoever started it decides when to stop."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(ONE_THREAD)
    end_with_parent()


def end_with_parent() -> None:
    """Let this worker process end when the process that started it is gone, however it went."""
    import multiprocessing
    from multiprocessing.connection import wait as wait_for
    from threading import Thread

    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch(sentinel: int) -> None:
        wait_for([sentinel])
        os._exit(1)

    Thread(target=watch, args=(parent.sentinel,), daemon=True).start()


def _processes(n_workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(n_workers, mp_context=get_context("spawn"), initializer=_quiet_worker)


@contextmanager
def _dask(n_workers: int, scheduler: str | None) -> Iterator[Pool]:
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise UsageError(
            "the dask executor needs the package `distributed`", "pip install 'tabletop-balance[dask]'"
        ) from None
    cluster = None
    if scheduler is None:
        cluster = distributed.LocalCluster(
            n_workers=n_workers, threads_per_worker=1, dashboard_address=None, env=ONE_THREAD
        )
    try:
        with distributed.Client(scheduler or cluster, timeout="30s", set_as_default=False) as client:
            width = max(1, sum(client.nthreads().values()))
            yield _Futures(
                width, lambda: client.get_executor(pure=False, retries=0), (distributed.scheduler.KilledWorker,)
            )
    except OSError as error:
        raise UsageError(f"no Dask scheduler answers at {scheduler}: {error}") from None
    finally:
        if cluster is not None:
            cluster.close()


@contextmanager
def _closing(pool: _Futures) -> Iterator[Pool]:
    try:
        yield pool
    finally:
        pool.close()


@contextmanager
def _serial() -> Iterator[Pool]:
    yield _Serial()


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
        close = nearest(kind, EXECUTORS)
        tip = f"did you mean {close}?" if close else ""
        raise UsageError(f"an executor is one of {', '.join(EXECUTORS)}, found {kind!r}", tip)
    if n_workers < 1:
        raise UsageError(f"workers must be 1 or more, found {n_workers}")
    if kind == "dask":
        return _dask(n_workers, scheduler)
    if kind == "serial":
        return _serial()
    if kind == "threads":
        return _closing(_Futures(n_workers, lambda: ThreadPoolExecutor(n_workers), ()))
    return _closing(_Futures(n_workers, lambda: _processes(n_workers), (BrokenProcessPool,)))
