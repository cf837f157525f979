"""Tasks shared out among forked processes.

Threads of Python wait for each other wherever work is many short calls. A copy of a process begins with all that it
knows, so nothing is packed and sent, and it ends when its work is done.

A process is copied on Linux only, by its main thread, and not inside a worker, whose cores others use as well.
Elsewhere one process does all. Results are the same to the bit, whoever does the work.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import Pipe, current_process, get_context
from multiprocessing.connection import Connection
from operator import itemgetter
from threading import current_thread, main_thread
from typing import TypeVar

from balance.base.errors import WorkerError
from balance.base.limits import END_SIGNALS

R = TypeVar("R")

NUMBER = 4
"""Bytes of the number of a task."""


def n_processes() -> int:
    """Return the number of processes that may work here: one for each core, or 1 where no fork is possible."""
    able = sys.platform == "linux" and not current_process().daemon and current_thread() is main_thread()
    return len(os.sched_getaffinity(0)) if able else 1


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
        yield [own_end for own_end, _ in links]
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
