"""A Dask cluster that is lost, empty or unreachable is told; one of our own listens to this machine alone."""

from __future__ import annotations

import logging
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from balance.base.errors import UsageError, WorkerError
from balance.engine import pool as cluster
from balance.engine.jobs import Job
from balance.engine.pool import open_pool

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


@pytest.mark.slow("test_a_cluster_of_our_own_has_single_threads_on_this_machine_and_is_ended")
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


# -- every word, and what Dask is asked for: of a stand-in ------------------------------------------------------------


class KilledError(Exception):
    """A worker was killed."""


class LostError(Exception):
    """The scheduler went away."""


class StandIn:
    """What we use of the package `distributed`, and a note of how."""

    def __init__(self, workers: tuple[int, ...] = (2, 1), wait: float = 0.0) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.closed: list[float] = []
        self.status = "running"
        self.scheduler_address = "tcp://127.0.0.1:7"
        self.scheduler = SimpleNamespace(KilledWorker=KilledError)
        self.comm = SimpleNamespace(CommClosedError=LostError, get_address_host_port=self.host_and_port)
        self.secret: object = None
        self._workers, self._since, self._wait = workers, time.monotonic(), wait

    def host_and_port(self, address: str) -> tuple[str, int]:
        return "host", int(address.rpartition(":")[2])

    def Security(self) -> Any:  # noqa: N802 - as Dask calls it
        secret = self.secret
        return SimpleNamespace(get_connection_args=lambda role: {"ssl_context": secret} if role == "client" else {})

    def Client(self, address: str, **how: Any) -> StandIn:  # noqa: N802 - as Dask calls it
        self.asked.append((address, how))
        return self

    def LocalCluster(self, **how: Any) -> StandIn:  # noqa: N802 - as Dask calls it
        self.asked.append(("local", how))
        return self

    def __enter__(self) -> StandIn:
        return self

    def __exit__(self, *error: object) -> None:
        self.asked.append(("ended", {}))

    def scheduler_info(self) -> dict[str, Any]:
        there = time.monotonic() - self._since >= self._wait
        return {"workers": dict(enumerate(self._workers)) if there else {}}

    def nthreads(self) -> dict[int, int]:
        return dict(enumerate(self._workers))

    def get_executor(self, **how: Any) -> ThreadPoolExecutor:
        self.asked.append(("executor", how))
        return ThreadPoolExecutor(1)

    def close(self, timeout: float) -> None:
        self.closed.append(timeout)


@pytest.fixture
def dask(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    found = StandIn()
    monkeypatch.setattr(cluster, "import_module", lambda name: {"distributed": found}[name])
    return found


def test_a_scheduler_is_asked_for_all_its_threads_and_left_running(dask: StandIn) -> None:
    with open_pool("dask", 1, "tcp://host:8786") as pool:
        assert pool.n_workers == 3
        assert [result for _, result in pool.run([Job("j", abs, (-4,))])] == [4]
        assert vars(pool)["_worker_errors"] == (KilledError,)
    assert dask.asked == [
        ("tcp://host:8786", {"timeout": 0.5, "set_as_default": False}),
        ("executor", {"pure": False, "retries": 0}),
    ]
    assert dask.closed == [2]


def test_a_cluster_of_our_own_has_single_threads_on_this_machine_and_is_ended(dask: StandIn) -> None:
    with open_pool("dask", 5):
        pass
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
    how = {"n_workers": 5, "threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    assert [what for what, _ in dask.asked] == ["local", "tcp://127.0.0.1:7", "executor", "ended"]
    assert dask.asked[0][1] == how | {"env": dict.fromkeys(threads, "1")}


def test_a_cluster_whose_workers_come_late_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    late = StandIn((1,), 0.25)
    monkeypatch.setattr(cluster, "import_module", lambda name: late)
    with open_pool("dask", 1, "tcp://host:1") as pool:
        assert pool.n_workers == 1


def test_a_cluster_whose_workers_have_just_left_is_still_a_pool(dask: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "nthreads", dict)
    with open_pool("dask", 1, "tcp://host:1") as pool:
        assert pool.n_workers == 1


def told_by(address: str | None = "tcp://host:8786", harm: Callable[[], None] | None = None) -> str:
    with pytest.raises((UsageError, WorkerError)) as told, open_pool("dask", 1, address):
        if harm is not None:
            harm()
    return str(told.value)


def raising(error: BaseException) -> Callable[..., Any]:
    def fail(*given: object, **how: object) -> Any:
        raise error

    return fail


KEPT = "finished blocks are kept: see to the cluster, then the same command goes on"


def test_a_missing_package_is_told_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    words = 'the dask executor needs distributed, which is not installed; add it: pip install "tabletop-balance[dask]"'
    assert told_by() == words


@pytest.mark.parametrize("error", [LostError(), CancelledError()])
def test_a_scheduler_that_is_lost_is_told_in_one_sentence(dask: StandIn, error: BaseException) -> None:
    assert told_by(harm=raising(error)) == f"the Dask scheduler at tcp://host:8786 was lost; {KEPT}"
    assert dask.closed == [2]


def test_nobody_and_nobody_at_work_are_told_apart(dask: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 0.05)
    monkeypatch.setattr(dask, "_wait", 60)
    assert told_by() == f"the Dask scheduler at tcp://host:8786 has had no workers for 0 s; {KEPT}"
    dask.status = "closed"
    assert told_by() == f"the Dask scheduler at tcp://host:8786 has not answered for 0 s; {KEPT}"


def test_a_pool_looks_whether_anybody_is_still_there(dask: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.engine.jobs.WATCH_SECONDS", 0.01)
    monkeypatch.setattr(cluster, "PATIENCE", 0.05)
    monkeypatch.setattr(cluster, "CONNECT", 0.05)
    with pytest.raises(WorkerError, match="has not answered"), open_pool("dask", 1, "tcp://host:1") as pool:
        dask.status = "closed"
        list(pool.run([Job("j", doze, (0.5,))]))


@pytest.mark.parametrize("error", [OSError("no socket"), RuntimeError("no socket")])
def test_a_cluster_that_cannot_be_started_is_told(
    dask: StandIn, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask, "LocalCluster", raising(error))
    assert told_by(None) == "no Dask cluster can be started here: no socket; executor=processes needs none"


@pytest.mark.parametrize("error", [OSError("too slow"), ValueError("too slow")])
def test_a_scheduler_that_does_not_answer_is_told(
    dask: StandIn, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask, "Client", raising(error))
    assert told_by() == "no Dask scheduler answers at tcp://host:8786: too slow"


def test_an_address_without_a_port_and_one_without_a_certificate_are_told(dask: StandIn) -> None:
    where = "no Dask scheduler can be at tcp://host:0: it has no port; such as tcp://host:8786"
    assert told_by("tcp://host:0") == where
    tip = "name one, as docs/how-to/scaling.md shows"
    assert told_by("tls://host:1") == f"tls://host:1 wants a certificate, and Dask's settings name none; {tip}"
    dask.secret = object()
    with open_pool("dask", 1, "tls://host:1"):
        pass


def test_dasks_own_messages_are_kept_back_meanwhile_and_no_other_ones(dask: StandIn) -> None:
    logs = [logging.getLogger(name) for name in ("distributed", "distributed.worker", "distributed_by_others")]
    before, levels = [log.level for log in logs], [logging.INFO, logging.ERROR, logging.WARNING]
    for log, level in zip(logs, levels, strict=True):
        log.setLevel(level)
    with open_pool("dask", 1, "tcp://host:1"):
        assert [log.level for log in logs] == [logging.CRITICAL + 1, logging.CRITICAL + 1, logging.WARNING]
        assert not logs[1].isEnabledFor(logging.CRITICAL)
    found = [log.level for log in logs]
    for log, level in zip(logs, before, strict=True):
        log.setLevel(level)
    assert found == levels


def test_how_long_anybody_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few seconds for a first answer and a first worker, a minute for a later one; the tests above wait less."""
    monkeypatch.undo()
    assert (cluster.PATIENCE, cluster.CONNECT) == (60.0, 5.0)
