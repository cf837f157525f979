"""Pools give the same results wherever they run, and survive the death of a worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from balance.engine.pool import EXECUTORS, Job, open_pool
from balance.errors import UsageError, WorkerError


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
    [("proceses", 1, "did you mean processes"), ("cuda", 1, "is one of"), ("threads", 0, "1 or more")],
)
def test_what_makes_no_sense_is_refused(kind: str, n: int, words: str) -> None:
    with pytest.raises(UsageError, match=words), open_pool(kind, n):
        pass


INTERRUPTED_WHILE_LOADING = """
import multiprocessing, os, signal, time
if multiprocessing.parent_process() is not None:
    os.kill(os.getpid(), signal.SIGINT)  # what Ctrl-C on a terminal does to every process of the command
    time.sleep(0.1)
from balance.engine.pool import Job, open_pool
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
