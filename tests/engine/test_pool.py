"""Pools give the same results wherever they run, and survive the death of a worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from balance.base.errors import UsageError, WorkerError
from balance.engine import jobs as job_runs
from balance.engine.jobs import FutureJobs, Job
from balance.engine.pool import EXECUTORS, SERIAL, open_pool


def square(n: int) -> int:
    return n * n


def die_once(n: int, marker: str) -> int:
    if n == 3 and not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return n


def die_always(n: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return n


def fail(n: int) -> int:
    raise ValueError(f"no {n}")


@pytest.mark.parametrize("kind", EXECUTORS)
def test_every_job_is_done_once(kind: str) -> None:
    if kind == "dask":
        pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with open_pool(kind, 2) as pool:
            done = sorted((job.tag, result) for job, result in pool.run(Job("j", square, (n,), n) for n in range(20)))
    assert done == [(n, n * n) for n in range(20)]


@pytest.mark.parametrize("kind", ["processes", "dask"])
def test_a_killed_worker_takes_nothing_with_it(kind: str, tmp_path: Path) -> None:
    if kind == "dask":
        pytest.importorskip("distributed")
    marker = str(tmp_path / "killed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with open_pool(kind, 2) as pool:
            results = sorted(result for _, result in pool.run(Job("j", die_once, (n, marker)) for n in range(12)))
    assert results == list(range(12))
    assert Path(marker).exists()


@pytest.mark.slow("test_a_job_whose_worker_died_comes_before_new_ones_and_at_most_three_times")
def test_a_job_that_kills_every_worker_is_named() -> None:
    with open_pool("processes", 1) as pool, pytest.raises(WorkerError, match="duel x: its worker died 3 times"):
        list(pool.run([Job("duel x", die_always, (1,))]))


@pytest.mark.parametrize("kind", ["serial", "threads", "processes"])
def test_an_error_in_a_job_is_raised_here(kind: str) -> None:
    with open_pool(kind, 1) as pool, pytest.raises(ValueError, match="no 1"):
        list(pool.run([Job("j", fail, (1,))]))


def test_closing_the_iterator_drops_what_has_not_begun() -> None:
    with open_pool("threads", 2) as pool:
        results = pool.run(Job("j", square, (n,)) for n in range(10**9))
        assert next(results)[1] < 10
        results.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("kind", "n", "words"),
    [
        (
            "proceses",
            1,
            "an executor is one of serial, threads, processes, dask, found 'proceses'; did you mean processes?",
        ),
        ("cuda", 1, "an executor is one of serial, threads, processes, dask, found 'cuda'"),
        ("threads", 0, "workers must be 1 or more, found 0"),
        ("serial", -1, "workers must be 1 or more, found -1"),
    ],
)
def test_what_makes_no_sense_is_refused(kind: str, n: int, words: str) -> None:
    with pytest.raises(UsageError) as told, open_pool(kind, n):
        pass
    assert str(told.value) == words


def test_a_pool_has_as_many_workers_as_were_asked_for() -> None:
    with open_pool("serial", 3) as one, open_pool() as plain, open_pool("threads", 3) as three:
        assert (one, plain, three.n_workers) == (SERIAL, SERIAL, 3)
    assert SERIAL.n_workers == 1


def test_jobs_are_the_same_whatever_comes_back_with_their_results() -> None:
    assert Job("j", square, (1,), "one") == Job("j", square, (1,), "other") != Job("k", square, (1,), "one")


class GoneError(Exception):
    """What an executor of these tests raises when its worker is gone."""


class Scripted(Executor):
    """Does what it is told with each call in its turn: "ok", "die", "wait" for ever, or "gone" when given the call."""

    def __init__(self, script: Iterator[str]) -> None:
        self.script, self.given, self.futures = script, list[Any](), list[Future[Any]]()
        self.ended: dict[str, bool] | None = None

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        what, future = next(self.script, "ok"), Future[Any]()
        if what == "gone":
            raise GoneError
        self.given.append(args[0])
        self.futures.append(future)
        if what == "die":
            future.set_exception(GoneError())
        elif what == "ok":
            future.set_result(fn(*args))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.ended = {"wait": wait, "cancel_futures": cancel_futures}


def scripted(*script: str, n_workers: int = 1, **more: Any) -> tuple[FutureJobs, list[Scripted]]:
    """Return a pool that is told what to do with each call, and the executors that it opened."""
    opened, told = list[Scripted](), iter(script)

    def make() -> Executor:
        opened.append(Scripted(told))
        return opened[-1]

    return FutureJobs(n_workers, make, (GoneError,), **more), opened


def numbered(n: int) -> list[Job]:
    return [Job(f"job {k}", square, (k,), k) for k in range(n)]


def test_two_jobs_for_each_worker_are_under_way_and_dropped_when_nobody_wants_them() -> None:
    pool, (executor,) = scripted("ok", *["wait"] * 9, n_workers=2)
    results = pool.run(numbered(9))
    assert next(results)[1] == 0
    assert executor.given == [0, 1, 2, 3]
    results.close()  # type: ignore[attr-defined]
    assert [future.cancelled() for future in executor.futures] == [False, True, True, True]


def test_a_job_whose_worker_died_comes_before_new_ones_and_at_most_three_times() -> None:
    pool, (executor,) = scripted("die", "ok", "die", "ok", "ok")
    assert sorted(result for _, result in pool.run(numbered(3))) == [0, 1, 4]
    assert executor.given == [0, 1, 0, 2, 0]
    pool, (executor,) = scripted("die", "die", "ok")
    assert [result for _, result in pool.run(numbered(1))] == [0]
    assert executor.given == [0, 0, 0]
    pool, (executor,) = scripted("die", "die", "die", "ok")
    with pytest.raises(WorkerError) as told:
        list(pool.run(numbered(1)))
    assert executor.given == [0, 0, 0]
    assert isinstance(told.value.__cause__, GoneError)
    assert str(told.value) == (
        "job 0: its worker died 3 times; too little memory, or something kills the workers; try fewer (jobs=1)"
    )


def test_a_pool_that_broke_is_opened_again_for_the_next_job() -> None:
    pool, opened = scripted("ok", "gone", "ok", "ok")
    assert sorted(result for _, result in pool.run(numbered(3))) == [0, 1, 4]
    assert [executor.given for executor in opened] == [[0], [1, 2]]
    pool.close()
    assert [executor.ended for executor in opened] == [None, {"wait": True, "cancel_futures": True}]


def test_whoever_watches_is_asked_while_nothing_comes_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second, and may end it: here at the third look."""
    assert job_runs.WATCH_SECONDS == 0.25
    monkeypatch.setattr(job_runs, "WATCH_SECONDS", 0.01)
    looks: list[int] = []

    def watch() -> None:
        looks.append(1)
        if len(looks) == 3:
            raise WorkerError("nobody is there")

    pool, (executor,) = scripted("ok", "wait", watch=watch)
    results = pool.run(numbered(2))
    assert (next(results)[1], looks) == (0, [])
    with pytest.raises(WorkerError, match="nobody is there"):
        next(results)
    assert len(looks) == 3
    assert executor.futures[1].cancelled()


def test_a_pool_is_closed_when_its_work_fails() -> None:
    executors: list[ThreadPoolExecutor] = []
    with pytest.raises(ZeroDivisionError), open_pool("threads", 1) as pool:
        assert isinstance(pool, FutureJobs)
        executors.append(pool._executor)  # type: ignore[arg-type]
        raise ZeroDivisionError
    with pytest.raises(RuntimeError, match="after shutdown"):
        executors[0].submit(square, 1)


INTERRUPTED_WHILE_LOADING = """
import multiprocessing, os, signal, time
if multiprocessing.parent_process() is not None:
    os.kill(os.getpid(), signal.SIGINT)  # what Ctrl-C on a terminal does to every process of the command
    time.sleep(0.1)
from balance.engine.jobs import Job
from balance.engine.pool import open_pool
if __name__ == "__main__":
    with open_pool("processes", 1) as pool:
        print([result for _, result in pool.run([Job("j", abs, (-4,))])])
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_does_not_reach_workers_that_are_being_loaded(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED_WHILE_LOADING)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("[4]\n", "")
