"""Processes that solve together: the same as one alone, each step on all that the others did; and none is left over."""

from __future__ import annotations

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
from balance.chance.solvers import team as module
from balance.chance.solvers.team import Team, alone, n_processes, shared, shares, together

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")
STEPS = 40


def worked(team: Team) -> IntArray:
    """Return a table of which each row is worked out, a cell by each, from the whole row before."""
    table, own = team.empty((STEPS, 7), np.int64), team.share_of(range(7))
    for step in range(STEPS):

        def work(place: int, step: int = step) -> None:
            table[step, place] = (table[step - 1].sum() if step else 0) % 1009 + place**2

        team.run(work, own)
    return np.array(table)


@linux_only
@pytest.mark.parametrize("n", [2, 3, 8])
def test_what_a_team_finds_is_what_one_process_finds(n: int) -> None:
    """More of them than there is to do, too."""
    assert np.array_equal(together(worked, n), worked(Team()))
    assert not active_children()


def test_threads_share_the_work_of_a_process_that_is_alone() -> None:
    with alone() as team:
        assert np.array_equal(worked(team), worked(Team()))
        assert team.share_of(range(3)) == [0, 1, 2]
    assert np.array_equal(together(worked, 1), worked(Team()))


@linux_only
def test_arrays_are_seen_by_all_whatever_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that stand in the same memory and those larger than that; and what was shared before, both ways."""
    monkeypatch.setattr(module, "MEMORY", 4096)
    before = shared(np.arange(5.0))

    def work(team: Team) -> list[float]:
        rooms = [team.empty((n,), kind) for n in (1, 0, 700, 5000, 3) for kind in (np.float64, np.int16)]
        for room in rooms if team.number == 0 else []:
            room[...] = 7
        team.meet()
        if team.number == 1:
            before[0] = sum(int(room.sum()) for room in rooms)
        team.meet()
        if team.number == 2:
            rooms[-1][...] = 9
        team.meet()
        return [*before.tolist(), float(rooms[-1].sum()), float(rooms[-2].sum())]

    assert together(work, 3) == [7 * 2 * 5704, 1, 2, 3, 4, 27, 21]
    assert before[0] == 7 * 2 * 5704


@pytest.mark.parametrize("n", [1, pytest.param(2, marks=linux_only), pytest.param(5, marks=linux_only)])
def test_tasks_are_returned_in_their_order(n: int) -> None:
    begun = shared(np.zeros(4, np.int64))

    def task(number: int) -> tuple[int, int]:
        begun[number] = 1
        for _ in range(3000):  # until as many have begun as there are processes: so each of these has one
            if begun.sum() >= min(n, 4):
                return number**2, os.getpid()
            time.sleep(0.01)
        raise TimeoutError

    found = shares([partial(task, number) for number in range(4)], n)
    assert [square for square, _ in found] == [0, 1, 4, 9]
    assert len({process for _, process in found}) == min(n, 4)
    assert shares([], n) == []
    assert not active_children()


def killed(team: Team) -> None:
    """Meet for ever; the last process is killed on the way."""
    if team.number == team.size - 1:
        os.kill(os.getpid(), signal.SIGKILL)
    while True:
        team.meet()


def failing(team: Team) -> None:
    """Meet for ever; a process breaks off on the way."""
    if team.number == 1:
        os._exit(3)
    while True:
        team.meet()


@linux_only
@pytest.mark.parametrize("body", [killed, failing])
def test_a_process_that_ends_too_early_is_an_error_of_ours(body: Callable[[Team], None]) -> None:
    with pytest.raises(WorkerError, match="ended before it was done"):
        together(body, 3)
    assert not active_children()


@linux_only
def test_a_task_whose_process_ends_is_an_error_of_ours() -> None:
    first, begun = os.getpid(), shared(np.zeros(1))

    def task() -> None:
        if os.getpid() != first:
            begun[0] = 1
            os._exit(3)
        while not begun[0]:
            time.sleep(0.01)

    with pytest.raises(WorkerError, match="ended before it was done"):
        shares([task] * 2, 2)
    assert not active_children()


@linux_only
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_what_stops_the_first_process_ends_all(error: type[BaseException]) -> None:
    def body(team: Team) -> None:
        team.meet()
        if team.number == 0:
            raise error
        team.meet()

    with pytest.raises(error):
        together(body, 3)
    assert not active_children()


@linux_only
def test_ctrl_c_is_for_the_first_process_alone() -> None:
    """The terminal sends it to all; so do those who end a process politely."""

    def body(team: Team) -> bool:
        told = team.empty((1,), np.int64)
        if team.number:
            for kind in END_SIGNALS:
                os.kill(os.getpid(), kind)
            told[0] = 1
        team.meet()
        return bool(told[0])

    assert together(body, 2)


ORPHANS = r"""
import os, time
from balance.chance.solvers.team import together
def body(team):
    os.write(1, b"%d\n" % os.getpid())
    while True:
        team.meet()
        time.sleep(.01)
together(body, 3)
"""


@linux_only
def test_none_outlives_the_first_process_even_if_that_is_killed(tmp_path: Path) -> None:
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
