"""Tasks shared out among processes: each is done once, in whichever process; and none of them is left over."""

from __future__ import annotations

import mmap
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import numpy as np
import pytest

from balance.base.arrays import IntArray
from balance.base.errors import WorkerError
from balance.base.limits import END_SIGNALS
from balance.chance.solvers import processes as module
from balance.chance.solvers.processes import n_processes, shares

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")


def marks(n: int) -> IntArray:
    """Return n zeros in memory that forks of this process share."""
    return np.frombuffer(mmap.mmap(-1, 8 * n), np.int64)


def wait_for(marked: IntArray, number: int) -> None:
    for _ in range(3000):
        if marked.sum() >= number:
            return
        time.sleep(0.01)
    raise TimeoutError


@pytest.mark.parametrize("n", [1, pytest.param(2, marks=linux_only), pytest.param(5, marks=linux_only)])
def test_tasks_are_returned_in_their_order(n: int) -> None:
    begun = marks(4)

    def task(number: int) -> tuple[int, int]:
        begun[number] = 1
        wait_for(begun, min(n, 4))  # until as many have begun as there are processes: so each of these has one
        return number**2, os.getpid()

    found = shares([partial(task, number) for number in range(4)], n)
    assert [square for square, _ in found] == [0, 1, 4, 9]
    assert len({process for _, process in found}) == min(n, 4)
    assert shares([], n) == []
    assert not active_children()


@linux_only
@pytest.mark.parametrize("end", [lambda: os._exit(3), lambda: os.kill(os.getpid(), signal.SIGKILL)])
def test_a_task_whose_process_ends_is_an_error_of_ours(end: Callable[[], None]) -> None:
    first, begun = os.getpid(), marks(1)

    def task() -> None:
        if os.getpid() != first:
            begun[0] = 1
            end()
        wait_for(begun, 1)

    with pytest.raises(WorkerError, match="ended before it was done"):
        shares([task] * 2, 2)
    assert not active_children()


@linux_only
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_what_stops_the_first_process_ends_all(error: type[BaseException]) -> None:
    first, begun = os.getpid(), marks(1)

    def task() -> None:
        if os.getpid() == first:
            wait_for(begun, 1)
            raise error
        begun[0] = 1
        time.sleep(30)

    with pytest.raises(error):
        shares([task] * 2, 2)
    assert not active_children()


@linux_only
def test_ctrl_c_is_for_the_first_process_alone() -> None:
    """The terminal sends it to all; so do those who end a process politely."""
    first, begun = os.getpid(), marks(1)

    def task() -> bool:
        if os.getpid() != first:
            for kind in END_SIGNALS:
                os.kill(os.getpid(), kind)
            begun[0] = 1
        wait_for(begun, 1)
        return bool(begun[0])

    assert shares([task] * 2, 2) == [True, True]


ORPHANS = r"""
import os, time
from balance.chance.solvers.processes import shares
def task():
    os.write(1, b"%d\n" % os.getpid())
    time.sleep(1)
shares([task] * 3, 3)
"""


@linux_only
def test_none_outlives_the_first_process_even_if_that_is_killed(tmp_path: Path) -> None:
    """They notice once they are done with their task."""
    with subprocess.Popen([sys.executable, "-c", ORPHANS], stdout=subprocess.PIPE, text=True, cwd=tmp_path) as first:
        try:
            assert first.stdout is not None
            pids = [int(first.stdout.readline()) for _ in range(3)]
            assert all(running(pid) for pid in pids)
        finally:
            first.kill()
    for _ in range(500):
        if not any(running(pid) for pid in pids):
            break
        time.sleep(0.01)
    assert not any(running(pid) for pid in pids)


def running(pid: int) -> bool:
    """Return whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_process_is_not_copied_where_that_is_not_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by another thread, not in a worker, not on another system: there it is alone."""
    usual, found = n_processes(), list[int]()
    assert usual == (len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1)
    thread = Thread(target=lambda: found.append(n_processes()))
    thread.start()
    thread.join()
    with monkeypatch.context() as patched:
        patched.setattr(module, "current_process", lambda: SimpleNamespace(daemon=True))
        found.append(n_processes())
    with monkeypatch.context() as patched:
        patched.setattr(sys, "platform", "darwin")
        found.append(n_processes())
    assert found == [1, 1, 1]
