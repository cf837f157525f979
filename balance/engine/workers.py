"""Workers that whoever started them ends: Ctrl-C does not reach processes, and none outlives its parent."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from threading import Event, Thread
from typing import ParamSpec, TypeVar

from balance.base.limits import ONE_THREAD
from balance.base.signals import work_until

P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def ignoring_interrupts() -> Iterator[None]:
    """Let processes started meanwhile never see Ctrl-C, not even while they are being loaded."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    kinds = {signal.SIGINT, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, kinds)
    try:
        resource_tracker.ensure_running()  # now, for its start lets the signals through again
        signal.pthread_sigmask(signal.SIG_BLOCK, kinds)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def without_the_script() -> Iterator[None]:
    """Let processes started meanwhile not run the script again that starts them.

    Python would run it once more in each, to find what it defines, so that a script without a main guard would start
    processes without end. Workers need nothing of it: a game that a script defines stays in its process (`Source`).
    """
    script = sys.modules["__main__"]
    file = getattr(script, "__file__", None)
    if file is None or script.__spec__ is not None:
        yield
        return
    del script.__file__
    try:
        yield
    finally:
        script.__file__ = file


class WorkerProcesses(ProcessPoolExecutor):
    """A pool that starts its processes as they are needed, out of the reach of Ctrl-C."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Hand a call to a worker, starting one out of the reach of Ctrl-C if need be; all of it must be picklable."""
        with ignoring_interrupts(), without_the_script():
            return super().submit(fn, *args, **kwargs)

    def end_at_once(self) -> None:
        """End the processes, whatever they are at; what they were given is lost."""
        for process in list((self._processes or {}).values()):
            process.kill()
        self.shutdown(cancel_futures=True)


class WorkerThreads(ThreadPoolExecutor):
    """A pool of threads; trials under way end at their next step once the pool is ended at once."""

    def __init__(self, n_threads: int) -> None:
        self._abandoned = Event()
        super().__init__(n_threads, initializer=work_until, initargs=(self._abandoned.is_set,))

    def end_at_once(self) -> None:
        """Drop the jobs that have not begun; trials under way end at their next step."""
        self._abandoned.set()
        self.shutdown(cancel_futures=True)


def worker_processes(n_workers: int) -> WorkerProcesses:
    """Return a pool of fresh (spawned) processes, which end with this one."""
    with ignoring_interrupts():
        return WorkerProcesses(n_workers, get_context("spawn"), _quiet_worker)


def _quiet_worker() -> None:
    """Let a worker process ignore Ctrl-C: whoever started it decides when to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(ONE_THREAD)
    _end_with_parent()


def _end_with_parent() -> None:
    """Let this worker process end when the process that started it is gone, however it went."""
    import multiprocessing
    from multiprocessing.connection import wait as wait_for

    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch(sentinel: int) -> None:
        wait_for([sentinel])
        os._exit(1)

    Thread(target=watch, args=(parent.sentinel,), daemon=True).start()
