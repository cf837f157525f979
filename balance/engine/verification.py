"""Some results of workers are worked out again here and compared: a worker that differs is named.

Workers are trusted: whoever runs one can give what numbers they like. This finds those that are broken, of another
make, or careless; and one that lies now and then sooner or later. Which results are worked out again is drawn from a
stream of a key that workers are never sent: the same key and the same work give the same choice, and no worker can
know it. The first result of each worker is always among them.
"""

from __future__ import annotations

import os
import random
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from balance.base.errors import DifferingWorkerError, SourceWarning
from balance.chance.pmf import Pmf
from balance.engine.jobs import Job, Pool

NOTHING_TO_VERIFY = "all work was done in this process, so that there was nothing of a worker to verify"


@dataclass(frozen=True)
class Verification:
    """Recompute a share of the results of workers, 0 to 1; a secret key chooses which."""

    share: float
    key: bytes

    def choices(self) -> Iterator[bool]:
        """Yield of each job, in the order in which they are handed out, whether it is chosen.

        >>> chosen = Verification(0.5, b"key").choices()
        >>> [next(chosen) for _ in range(6)]
        [True, True, False, True, False, True]
        """
        stream = random.Random(f"verify {self.key.hex()}")
        while True:
            yield stream.random() < self.share


class VerifiedPool:
    """A pool some of whose results are recomputed here and compared before they are passed on."""

    def __init__(self, pool: Pool, verification: Verification) -> None:
        self.n_workers = pool.n_workers
        self.n_results = self.n_verified = 0
        self._pool, self._choices = pool, verification.choices()
        self._known_workers = set[str]()

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
        """Yield (job, result) as results come in; `DifferingWorkerError` where a worker's differs from ours."""
        signed_jobs = (
            Job(job.name, signed, (job.function, job.arguments), (job, is_chosen))
            for job, is_chosen in zip(jobs, self._choices, strict=False)
        )
        for signed_job, (worker, result) in self._pool.run(signed_jobs):
            job, is_chosen = signed_job.tag
            self.n_results += 1
            if is_chosen or worker not in self._known_workers:
                self._known_workers.add(worker)
                self._verify(worker, job, result)
            yield job, result

    def _verify(self, worker: str, job: Job, result: Any) -> None:
        self.n_verified += 1
        if facts_of(job.function(*job.arguments)) != facts_of(result):
            raise DifferingWorkerError(
                f"{worker} gave another result for {job.name!r} than this machine; what workers gave was thrown away",
                "leave that worker out, or look for what differs there; then the same command goes on",
            )


@contextmanager
def verified(opened: AbstractContextManager[Pool], verification: Verification) -> Iterator[Pool]:
    """Open a pool whose results are verified; at its end a warning says how many were."""
    with opened as pool:
        verified_pool = VerifiedPool(pool, verification)
        yield verified_pool
    n, total = verified_pool.n_verified, verified_pool.n_results
    warnings.warn(f"{n:,} of {total:,} results of workers were verified: all are the same here", SourceWarning, 2)


def signed(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, Any]:
    """Return the name of the worker that runs a job, with its result."""
    return name_of_worker(), function(*arguments)


def name_of_worker() -> str:
    """Return the address of a Dask worker, else the name of this process or thread."""
    if (distributed := sys.modules.get("distributed")) is not None:
        try:
            return f"the worker {distributed.get_worker().address}"
        except ValueError:  # no Dask worker
            pass
    if threading.current_thread() is threading.main_thread():
        return f"the worker process {os.getpid()}"
    return f"the worker thread {threading.current_thread().name}"


def facts_of(result: Any) -> Any:
    """Return what must be equal in two results of one job, as plain values: fields that are not compared are left out.

    >>> facts_of([0.5, np.arange(2)]) == facts_of([0.5, np.arange(2)]) != facts_of([0.5, np.arange(3)])
    True
    """
    if isinstance(result, Pmf):
        return [list(result.columns), facts_of(result.outcomes), facts_of(result.weights)]
    if isinstance(result, np.ndarray):
        return [result.dtype.str, result.shape, repr(result.tolist())]
    if isinstance(result, list | tuple):
        return [facts_of(part) for part in result]
    if isinstance(result, dict):
        return [[facts_of(key), facts_of(part)] for key, part in result.items()]
    if is_dataclass(result) and not isinstance(result, type):
        parts = [facts_of(getattr(result, part.name)) for part in fields(result) if part.compare]
        return [type(result).__qualname__, *parts]
    return repr(result)
