"""A simulation that Ctrl-C ends cleanly: the block under way is finished, and what is counted is kept."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager

from balance.cli.progress import Trials, showing
from balance.cli.signals import interruptible
from balance.core import StopRule, Tally, iterate
from balance.protocol.question import Question
from balance.protocol.sample import Budget, Sample

__all__ = ["sample"]


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


def sample(question: Question, budget: Budget, quiet: bool) -> tuple[Sample, bool]:
    """Simulate a question within a budget; return what was counted and whether that is less than was asked for.

    Raises
    ------
    KeyboardInterrupt
        Interrupted before anything was counted.
    """
    stop = question.stop_rule(budget.trials, budget.half_width)
    task = question.task(budget.lane)
    last, begun = None, time.monotonic()
    with showing(quiet) as tell, _threads(budget.n_threads) as executor, interruptible() as interrupted:
        try:
            for tally in iterate(task, stop, seed=budget.seed, executor=executor, n_workers=budget.n_threads):
                last = _sample_of(question, budget, tally, stop)
                tell(Trials(last, stop, time.monotonic() - begun))
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
