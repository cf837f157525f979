"""Where blocks are computed: here, on threads, on processes, or on a Dask cluster. The numbers are the same everywhere.

A pool takes jobs, which are picklable functions of their arguments and nothing else, and yields their results as they
are ready.

A Dask cluster is one that runs already, or one on this machine that nobody else's machine can reach.
"""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from typing import Any

from balance.base.errors import SourceWarning, UsageError, WorkerError, suggestion
from balance.base.limits import ONE_THREAD
from balance.base.parts import demand
from balance.engine.jobs import FutureJobs, Job, Pool
from balance.engine.verification import NOTHING_TO_VERIFY, Verification, verified
from balance.engine.workers import WorkerThreads, ignoring_interrupts, worker_processes

EXECUTORS = ("serial", "threads", "processes", "dask")
PATIENCE = 60.0
"""Seconds without a scheduler or without a single worker after which a cluster at work is given up."""
CONNECT = 5.0
"""Seconds in which a scheduler must answer at first, and in which its first worker must be there."""
LOOPBACK = "127.0.0.1"


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


@contextmanager
def dask_pool(n_workers: int, scheduler: str | None) -> Iterator[Pool]:
    """Open a pool on the Dask cluster at the address `scheduler`, or on a local one with `n_workers`, 1 or more.

    `UsageError` if Dask is not installed or no scheduler answers, `WorkerError` if the cluster has no workers or is
    lost.
    """
    demand("the dask executor", "distributed")
    distributed: Any = import_module("distributed")
    with _quiet(), _cluster(distributed, n_workers, scheduler) as address, _client(distributed, address) as client:
        watch = _Watch(client, address)
        watch.wait_for_workers()
        width = max(1, sum(client.nthreads().values()))
        worker_errors = (distributed.scheduler.KilledWorker,)
        try:
            yield FutureJobs(width, lambda: client.get_executor(pure=False, retries=0), worker_errors, watch)
        except (CancelledError, distributed.comm.CommClosedError):
            raise _cluster_error(f"the Dask scheduler at {address} was lost") from None


def _cluster_error(problem: str) -> WorkerError:
    return WorkerError(problem, "finished blocks are kept: see to the cluster, then the same command goes on")


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the log messages of Dask; what matters of them is said in one sentence."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


@contextmanager
def _cluster(distributed: Any, n_workers: int, scheduler: str | None) -> Iterator[str]:
    """Yield the address of a cluster; a local one listens on the loopback interface alone."""
    if scheduler is not None:
        yield scheduler
        return
    try:
        with ignoring_interrupts():
            cluster = distributed.LocalCluster(
                n_workers=n_workers,
                threads_per_worker=1,
                host=LOOPBACK,
                dashboard_address=f"{LOOPBACK}:0",
                env=ONE_THREAD,
            )
    except (OSError, RuntimeError) as error:
        raise WorkerError(f"no Dask cluster can be started here: {error}", "§executor=processes needs none") from None
    with cluster:
        yield cluster.scheduler_address


@contextmanager
def _client(distributed: Any, address: str) -> Iterator[Any]:
    _check_address(distributed, address)
    try:
        client = distributed.Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler answers at {address}: {error}") from None
    try:
        yield client
    finally:
        client.close(timeout=2)


def _check_address(distributed: Any, address: str) -> None:
    """Raise `UsageError` for an address that would make a client hang: malformed, or encrypted without certificate."""
    try:
        _, port = distributed.comm.get_address_host_port(address)
        if port < 1:
            raise ValueError("it has no port")
        secret = distributed.Security().get_connection_args("client").get("ssl_context")
    except (ValueError, OSError) as error:
        raise UsageError(f"no Dask scheduler can be at {address}: {error}", "such as tcp://host:8786") from None
    if address.startswith("tls") and secret is None:
        tip = "name one, as docs/how-to/scaling.md shows"
        raise UsageError(f"{address} wants a certificate, and Dask's settings name none", tip)


class _Watch:
    """Raises once a cluster has been without a scheduler or without workers for too long."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address, self._well, self._patience = client, address, time.monotonic(), CONNECT

    def __call__(self) -> None:
        now = time.monotonic()
        is_connected = self._client.status == "running"
        if is_connected and self._client.scheduler_info()["workers"]:
            self._well, self._patience = now, PATIENCE
        elif now - self._well > self._patience:
            problem = "has had no workers" if is_connected else "has not answered"
            raise _cluster_error(f"the Dask scheduler at {self._address} {problem} for {self._patience:.0f} s")

    def wait_for_workers(self) -> None:
        while not self._client.scheduler_info()["workers"]:
            self()
            time.sleep(0.2)
