"""A simulation that Ctrl-C ends cleanly: the block under way is finished, and what is counted is kept.

The flag is looked at between blocks, so that no tally is ever half counted. A second Ctrl-C drops the block under way.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType

from balance.cli.progress import watching
from balance.cli.signals import heed
from balance.core import StopRule, Tally, iterate
from balance.limits import END_SIGNALS
from balance.protocol.question import Question
from balance.protocol.sample import Budget, Sample

__all__ = ["interruptible", "sample"]

STOPPING = b"\nStopping after the trials under way; press Ctrl-C again to stop at once.\n"


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether an end was asked for, as by Ctrl-C; a second one interrupts as usual."""
    pressed = threading.Event()

    def note(signum: int, frame: FrameType | None) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()
        with contextlib.suppress(OSError):
            os.write(2, STOPPING)  # the only way to write that is safe inside a signal handler

    if threading.current_thread() is not threading.main_thread():
        yield pressed.is_set
        return
    before = {kind: signal.getsignal(kind) for kind in END_SIGNALS}
    heed(note)
    try:
        yield pressed.is_set
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


@contextmanager
def _threads(n_threads: int) -> Iterator[Executor | None]:
    if n_threads == 1:
        yield None
        return
    executor = ThreadPoolExecutor(n_threads)
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def sample(question: Question, budget: Budget, quiet: bool = False) -> tuple[Sample, bool]:
    """Simulate a question within a budget; return what was counted and whether that is less than was asked for.

    Raises
    ------
    KeyboardInterrupt
        Interrupted before anything was counted.
    """
    stop = question.stop_rule(budget.trials, budget.half_width)
    task = question.task(budget.lane)
    last: Sample | None = None
    with watching(stop, quiet) as watch, _threads(budget.n_threads) as executor, interruptible() as interrupted:
        try:
            for tally in iterate(task, stop, seed=budget.seed, executor=executor, n_workers=budget.n_threads):
                last = _sample_of(question, budget, tally, stop)
                watch(last)
                if interrupted():
                    break
        except KeyboardInterrupt:
            if last is None:
                raise
    if last is None:
        raise KeyboardInterrupt
    return last, not stop.enough(last.tally)


def _sample_of(question: Question, budget: Budget, tally: Tally, stop: StopRule) -> Sample:
    """Return the tally with its intervals: any that ended for what was seen on the way must hold at every look."""
    looked = budget.half_width is not None or not stop.enough(tally)
    return Sample(question, tally, budget.seed, budget.lane, looked_repeatedly=looked)
