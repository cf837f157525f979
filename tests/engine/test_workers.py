"""Worker processes: signals wait while they are started, and none outlives its parent."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Generator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from multiprocessing import resource_tracker
from threading import Event
from threading import enumerate as enumerate_threads
from time import sleep
from types import SimpleNamespace
from typing import Any, cast

import pytest

from balance.base.limits import ONE_THREAD
from balance.chance.rolls.process import Process
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.engine import workers
from balance.engine.jobs import Job
from balance.engine.pool import open_pool
from balance.engine.workers import _end_with_parent, _quiet_worker, ignoring_interrupts, worker_processes

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")


def blocked() -> set[int]:
    return set(signal.pthread_sigmask(signal.SIG_BLOCK, ()))


def test_ctrl_c_and_a_hang_up_wait_meanwhile_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start of the process that tracks what is shared lets them through again, so they are held twice."""
    monkeypatch.setattr(resource_tracker, "ensure_running", lambda: signal.pthread_sigmask(signal.SIG_SETMASK, ()))
    before = blocked()
    with ignoring_interrupts():
        assert blocked() - before == {signal.SIGINT, signal.SIGHUP}
    assert blocked() == before
    with pytest.raises(ZeroDivisionError), ignoring_interrupts():
        raise ZeroDivisionError
    assert blocked() == before


def test_a_system_without_signals_needs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "pthread_sigmask")
    with ignoring_interrupts():
        pass


def test_a_worker_ignores_ctrl_c_and_uses_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(workers, "_end_with_parent", lambda: ended.append(1))
    for name in ONE_THREAD:
        monkeypatch.setenv(name, "8")
    before = signal.getsignal(signal.SIGINT)
    try:
        _quiet_worker()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert {name: os.environ[name] for name in ONE_THREAD} == dict.fromkeys(ONE_THREAD, "1")
    assert ended == [1]


def test_a_worker_ends_when_its_parent_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe whose other end is closed is what a parent leaves behind."""
    reading, writing = os.pipe()
    before = set(enumerate_threads())
    codes, ended = list[int](), Event()
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: SimpleNamespace(sentinel=reading))

    def leave(code: int) -> None:
        codes.append(code)
        ended.set()

    monkeypatch.setattr(os, "_exit", leave)
    _end_with_parent()
    assert [thread.daemon for thread in enumerate_threads() if thread not in before] == [True]  # it holds nobody up
    assert not ended.wait(0.05)
    os.close(writing)
    assert ended.wait(5)
    assert codes == [1]
    os.close(reading)


def test_a_process_that_nobody_started_watches_for_nobody() -> None:
    assert multiprocessing.parent_process() is None
    _end_with_parent()


def test_workers_are_made_fresh_and_quiet() -> None:
    pool = worker_processes(3)
    inside = vars(pool)
    assert (inside["_max_workers"], inside["_initializer"]) == (3, _quiet_worker)
    assert inside["_mp_context"].get_start_method() == "spawn"
    pool.shutdown()


def test_workers_end_at_once_whatever_they_are_at() -> None:
    pool = worker_processes(1)
    begun = pool.submit(os.getpid).result()
    for_ever = pool.submit(sleep, 10_000.0)
    waiting = [pool.submit(pow, 2, n) for n in range(5)]
    pool.end_at_once()
    with pytest.raises(ProcessLookupError):
        os.kill(begun, 0)
    assert all(one.cancelled() or isinstance(one.exception(), BrokenProcessPool) for one in (for_ever, *waiting))
    pool.end_at_once()  # once more does nothing
    worker_processes(1).end_at_once()  # nor where nobody was started


def test_who_is_interrupted_waits_for_no_worker() -> None:
    """If it waited for the job under way, this would not end."""

    def asked() -> None:
        with open_pool("processes", 2) as pool:
            for _, result in pool.run([Job("quick", pow, (2, 3)), Job("endless", sleep, (10_000.0,))]):
                assert result == 8
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asked()


def endless(n: int) -> int:
    """Play trials that never end."""
    process = Process({"x": 0}, (lambda s, r: {"x": s["x"] + 1},), lambda s: s["x"] < 0, lambda s, steps: s, 10**9)
    return len(simulate(process, RandomRolls(0, "endless", 0, n))["x"])


def test_threads_that_nobody_waits_for_end_at_their_next_step() -> None:
    with pytest.raises(ZeroDivisionError), open_pool("threads", 2) as pool:
        for job, _ in pool.run([Job("endless", endless, (4,)), Job("quick", pow, (2, 3))]):
            assert job.name == "quick"
            raise ZeroDivisionError


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_workers_are_not_waited_for_when_their_results_were_dropped(kind: str) -> None:
    with open_pool(kind, 2) as pool:
        run = cast(Generator[Any], pool.run([Job("long", endless, (4,)), Job("quick", pow, (2, 3))]))
        with closing(run) as results:
            job, result = next(results)
    assert (job.name, result) == ("quick", 8)
