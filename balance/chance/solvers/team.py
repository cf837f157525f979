"""Teams of forked processes that solve one problem together, on arrays in shared memory.

Threads of Python wait for each other wherever work is many short calls: two of them solved the first round of six cards
a side in War for Edadh in 121 s, one alone in 137 s; two processes take 80 s (2026-11-26, two Xeon cores). A copy of a
process begins with all that it knows, so nothing is packed and sent, and it ends when its work is done.

A process is copied on Linux only, by its main thread, and not inside a worker, whose cores others use as well.
Elsewhere threads share the work. Results are the same to the bit, whoever does the work.
"""

from __future__ import annotations

import math
import mmap
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import Pipe, current_process, get_context
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from operator import itemgetter
from threading import current_thread, main_thread
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from balance.base.arrays import Array
from balance.base.errors import WorkerError
from balance.base.limits import END_SIGNALS

T = TypeVar("T")
R = TypeVar("R")

MEMORY = 2**26
"""Bytes that a team takes at once: many arrays stand in them."""
NUMBER = 4
"""Bytes of the number of a task."""
LINE = 64
"""Bytes at whose multiples arrays begin: a line of the cache."""


def n_processes() -> int:
    """Return the number of processes that may work here: one for each core, or 1 where no fork is possible."""
    able = sys.platform == "linux" and not current_process().daemon and current_thread() is main_thread()
    return len(os.sched_getaffinity(0)) if able else 1


def shared(values: Array) -> Array:
    """Return a copy of an array in shared memory, which later forks of this process read and write too."""
    room = np.frombuffer(mmap.mmap(-1, max(values.nbytes, 1)), values.dtype, values.size).reshape(values.shape)
    room[...] = values
    return room


class Team:
    """A team of processes as one member sees it: all run the same program, and share out its long steps.

    All of them run the same, and come by the same steps in the same order; long steps they share. What is not in arrays
    of the team, or `shared` before, only the process knows that has done it.

    Attributes
    ----------
    number
        Number of this process, from 0; number 0 is the one that goes on when the work is done.
    size
        Number of processes.
    """

    def __init__(
        self, number: int = 0, size: int = 1, links: Sequence[Connection] = (), pool: ThreadPoolExecutor | None = None
    ) -> None:
        self.number, self.size = number, size
        self._links, self._pool = links, pool
        self._memory, self._n_used = memoryview(b""), 0

    def share_of(self, items: Sequence[T]) -> list[T]:
        """Return the items for this process: every `size`-th from its number on."""
        return list(items[self.number :: self.size])

    def is_own(self, number: int) -> bool:
        """Return whether the item of this number is for this process."""
        return number % self.size == self.number

    def run(self, do: Callable[[T], object], items: Iterable[T]) -> None:
        """Do items, of `share_of`, with threads if the team has them, and wait until all processes have done theirs."""
        for _ in (map if self._pool is None else self._pool.map)(do, items):
            pass
        self.meet()

    def meet(self) -> None:
        """Wait until every process has reached this call (a barrier)."""
        if self.number == 0:
            for link in self._links:
                link.recv_bytes()
        for link in self._links:
            link.send_bytes(b"")
        if self.number:
            for link in self._links:
                link.recv_bytes()

    def empty(self, shape: tuple[int, ...], dtype: npt.DTypeLike = np.float32) -> Array:
        """Return an uninitialised array in shared memory; all processes must ask for the same in the same order."""
        if self.size == 1:
            return np.empty(shape, dtype)
        n_bytes = -(-math.prod(shape) * np.dtype(dtype).itemsize // LINE) * LINE
        if self._n_used + n_bytes > len(self._memory):
            self._memory, self._n_used = self._more(max(n_bytes, MEMORY)), 0
        room = np.frombuffer(self._memory, dtype, math.prod(shape), self._n_used).reshape(shape)
        self._n_used += n_bytes
        return room

    def _more(self, n_bytes: int) -> memoryview:
        """Return shared memory of so many bytes, made by process 0, which passes its handle to the others."""
        if self.number == 0:
            handle = os.memfd_create("balance")
            os.ftruncate(handle, n_bytes)
            for link in self._links:
                send_handle(link, handle, 0)
        else:
            handle = recv_handle(self._links[0])
        try:
            return memoryview(mmap.mmap(handle, n_bytes))
        finally:
            os.close(handle)


@contextmanager
def alone() -> Iterator[Team]:
    """Yield a team of this process alone, whose threads share its work.

    >>> with alone() as team:
    ...     found = team.empty((3,))
    ...     team.run(lambda i: found.__setitem__(i, i * i), team.share_of([0, 1, 2]))
    >>> found.tolist()
    [0.0, 1.0, 4.0]
    """
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield Team(pool=pool)


def together(body: Callable[[Team], R], n: int) -> R:
    """Run `body` in n processes as one team, and return the result of this one, the first; threads if n is 1.

    Raise WorkerError if another process ends before its work is done.
    """
    if n == 1:
        with alone() as team:
            return body(team)
    with _helpers([partial(_run_as_helper, body, number, n) for number in range(1, n)]) as links:
        return body(Team(0, n, links))


def shares(tasks: Sequence[Callable[[], R]], n: int) -> list[R]:
    """Return the results of tasks, at most a few thousand, each done by whichever of n processes is free.

    Raise WorkerError if a process ends before its work is done.

    >>> shares([lambda: 1 + 1, lambda: 2 + 2], n=2)
    [2, 4]
    """
    reader, numbers = os.pipe()  # each number is read by one of them

    def take_shares() -> list[tuple[int, R]]:
        results = list[tuple[int, R]]()
        while number_bytes := os.read(reader, NUMBER):
            number = int.from_bytes(number_bytes, "little")
            results.append((number, tasks[number]()))
        return results

    try:
        os.write(numbers, b"".join(number.to_bytes(NUMBER, "little") for number in range(len(tasks))))
        os.close(numbers)
        with _helpers([lambda link: link.send(take_shares())] * (min(n, len(tasks)) - 1)) as links:
            results = take_shares()
            for link in links:
                results += link.recv()
    finally:
        os.close(reader)
    return [result for _, result in sorted(results, key=itemgetter(0))]


@contextmanager
def _helpers(works: Sequence[Callable[[Connection], object]]) -> Iterator[list[Connection]]:
    """Fork this process for each work and yield the pipes to the forks, which are killed on exit.

    They ignore Ctrl-C and the like. If this process is killed, their pipes break, and they end.
    """
    if not works:
        yield []
        return
    links = [Pipe() for _ in works]
    all_ends = [end for pair in links for end in pair]
    helpers = [
        get_context("fork").Process(target=_help, args=(work, helper_end, all_ends), daemon=True)
        for work, (_, helper_end) in zip(works, links, strict=True)
    ]
    try:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS)
        try:
            for helper in helpers:
                helper.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for _, helper_end in links:
            helper_end.close()
        yield [team_end for team_end, _ in links]
    except (EOFError, ConnectionError) as error:
        raise WorkerError("a process that shared the work ended before it was done", "too little memory?") from error
    finally:
        for helper in helpers:
            if helper.pid is not None:
                helper.kill()
                helper.join()
        for end in all_ends:
            end.close()


def _help(work: Callable[[Connection], object], link: Connection, all_ends: Sequence[Connection]) -> None:
    """Do the work of a fork, quietly ending if the process that forked it is gone."""
    for end in all_ends:
        if end is not link:
            end.close()
    with suppress(EOFError, ConnectionError):
        work(link)


def _run_as_helper(body: Callable[[Team], object], number: int, size: int, link: Connection) -> None:
    body(Team(number, size, [link]))
