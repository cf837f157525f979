"""Where blocks are computed: here, on threads, on processes, or on a Dask cluster. The numbers are the same everywhere.

A pool takes jobs, which are picklable functions of their arguments and nothing else, and yields their results as they
are ready.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from balance.base.errors import SourceWarning, UsageError, suggestion
from balance.engine.cluster import dask_pool
from balance.engine.jobs import FutureJobs, Job, Pool
from balance.engine.verification import NOTHING_TO_VERIFY, Verification, verified
from balance.engine.workers import WorkerThreads, worker_processes

EXECUTORS = ("serial", "threads", "processes", "dask")


class _Serial:
    """Runs each job in this process when its result is requested."""

    n_workers = 1

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
        for job in jobs:
            yield job, job.function(*job.arguments)


SERIAL: Pool = _Serial()
"""This process alone."""


@contextmanager
def _pool_until_exit(pool: FutureJobs) -> Iterator[Pool]:
    try:
        yield pool
    except BaseException:  # nobody waits for what is under way any more
        pool.end_at_once()
        raise
    pool.close()


def open_pool(
    kind: str = "serial", n_workers: int = 1, scheduler: str | None = None, verification: Verification | None = None
) -> AbstractContextManager[Pool]:
    """Open a pool "serial", "threads", "processes" or "dask" with 1 or more workers; leaving the context closes it.

    `scheduler` is the address of a running Dask scheduler, such as `tcp://host:8786`, and None starts a local cluster;
    `verification` says which results are recomputed here. `UsageError` for an unknown kind, no worker, or no Dask.

    >>> with open_pool("threads", 2) as pool:
    ...     sorted(result for _, result in pool.run(Job("square", pow, (n, 2)) for n in range(4)))
    [0, 1, 4, 9]
    """
    if kind not in EXECUTORS:
        tip = suggestion(kind, EXECUTORS)
        raise UsageError(f"an executor is one of {', '.join(EXECUTORS)}, found {kind!r}", tip)
    if n_workers < 1:
        raise UsageError(f"workers must be 1 or more, found {n_workers}")
    if kind == "serial":
        if verification is not None:
            warnings.warn(NOTHING_TO_VERIFY, SourceWarning, stacklevel=2)
        return nullcontext(SERIAL)
    opened = _open_workers(kind, n_workers, scheduler)
    return opened if verification is None else verified(opened, verification)


def _open_workers(kind: str, n_workers: int, scheduler: str | None) -> AbstractContextManager[Pool]:
    match kind:
        case "threads":
            return _pool_until_exit(FutureJobs(n_workers, lambda: WorkerThreads(n_workers), ()))
        case "processes":
            return _pool_until_exit(FutureJobs(n_workers, lambda: worker_processes(n_workers), (BrokenProcessPool,)))
    return dask_pool(n_workers, scheduler)
