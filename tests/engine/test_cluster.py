"""A Dask cluster that is lost, empty or unreachable is told; one of our own listens to this machine alone."""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from balance.engine import cluster
from balance.engine.pool import Job, open_pool
from balance.errors import UsageError, WorkerError

distributed: Any = pytest.importorskip("distributed")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    monkeypatch.setattr(cluster, "CONNECT", 0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def scheduler(n_workers: int) -> Any:
    """Return a cluster inside this process, which is quickly made and as quickly gone."""
    made = distributed.LocalCluster(
        n_workers=n_workers, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
    )
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    return made


def doze(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def run_while(address: str, harm: Callable[[], object]) -> None:
    with open_pool("dask", 1, address) as pool:
        results = pool.run(Job("j", doze, (0.05,)) for _ in range(1000))
        next(results)
        harm()
        list(results)


def test_a_scheduler_without_workers_is_given_up() -> None:
    words = r"has had no workers for 0 s.*same command goes on"
    with scheduler(0) as made, pytest.raises(WorkerError, match=words), open_pool("dask", 1, made.scheduler_address):
        pass


def test_a_scheduler_that_dies_in_mid_run_is_told() -> None:
    with scheduler(1) as made, pytest.raises(WorkerError, match=r"was lost|has not answered"):
        run_while(made.scheduler_address, made.close)


def test_workers_that_leave_in_mid_run_are_missed() -> None:
    with scheduler(1) as made, pytest.raises(WorkerError, match="has had no workers"):
        run_while(made.scheduler_address, lambda: made.scale(0))


def test_nobody_at_an_address_is_told() -> None:
    with (
        pytest.raises(UsageError, match="no Dask scheduler answers at tcp://127"),
        open_pool("dask", 1, "tcp://127.0.0.1:1"),
    ):
        pass


def test_a_cluster_of_our_own_listens_to_this_machine_alone() -> None:
    psutil: Any = pytest.importorskip("psutil")
    with open_pool("dask", 1) as pool:
        list(pool.run([Job("j", doze, (0.0,))]))
        ours = [psutil.Process(), *psutil.Process().children(recursive=True)]
        heard = [at.laddr.ip for one in ours for at in one.net_connections("inet") if at.status == psutil.CONN_LISTEN]
    assert len(heard) >= 4
    assert set(heard) == {"127.0.0.1"}


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("tls://127.0.0.1:1", "wants a certificate"),
        ("nonsense", "no Dask scheduler can be at nonsense"),
        ("tcp://127.0.0.1", "no Dask scheduler can be at tcp://127.0.0.1"),
        ("foo://127.0.0.1:1", "no Dask scheduler can be at foo"),
    ],
)
def test_an_address_that_cannot_be_one_is_refused_at_once(address: str, words: str) -> None:
    with pytest.raises(UsageError, match=words), open_pool("dask", 1, address):
        pass
