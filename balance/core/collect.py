"""Run a task block by block until its stop rule is satisfied, on one thread or on many, with the same numbers.

Blocks have a fixed size that is part of the contract: block b of a task always holds the same trials from the same
streams. Blocks may finish in any order; they are counted in order, and the stop rule is asked after each. What workers
did beyond the block at which it stops is thrown away.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from balance.core.laws import LawStack
from balance.core.lockstep import simulate
from balance.core.memory import keep_freed_memory
from balance.core.process import Process
from balance.core.rolls import RandomRolls
from balance.core.stopping import StopRule
from balance.core.tally import Tally, count_rows
from balance.pmf import Pmf
from balance.pmf.arrays import merge_rows

__all__ = ["BLOCK_TRIALS", "Task", "collect", "iterate", "law_task", "process_task"]

BLOCK_TRIALS = 65536
"""Trials in a block. A contract, not a tuning knob: changing it changes every simulated number."""


@dataclass(frozen=True)
class Task:
    """What is to be sampled: `sample` counts the outcomes of one block of trials, given its rolls.

    Attributes
    ----------
    key
        Names the task's streams; two tasks with one key roll the same dice.
    sample
        rolls (for `rolls.n` trials) -> counts.
    """

    key: str
    sample: Callable[[RandomRolls], Pmf]


def process_task(key: str, processes: tuple[Process, ...]) -> Task:
    """Return the task that plays one of several equally likely processes, in lockstep.

    >>> from balance.core import FixedTrials
    >>> once = Process({"x": 1}, (lambda s, r: {"x": r.d(6, 1, "die")[:, 0]},), lambda s: s["x"] > 0, lambda s, t: s, 1)
    >>> collect(process_task("demo", (once,)), FixedTrials(600), seed=0).n_trials
    600
    """

    def sample(rolls: RandomRolls) -> Pmf:
        if len(processes) == 1:
            return count_rows(simulate(processes[0], rolls))
        chosen = rolls.d(len(processes), 1, "which")[:, 0]
        shares = [int(np.count_nonzero(chosen == number + 1)) for number in range(len(processes))]
        parts = [
            count_rows(simulate(process, rolls.child(f"branch {number}", n)))
            for number, (process, n) in enumerate(zip(processes, shares, strict=True))
            if n
        ]
        rows = np.concatenate([part.outcomes for part in parts])
        return Pmf(parts[0].columns, *merge_rows(rows, np.concatenate([part.weights for part in parts])))

    return Task(key, sample)


def law_task(key: str, law: Pmf) -> Task:
    """Return the task that draws finished outcomes from an exact law, 16 random bits each.

    >>> from balance.core import FixedTrials
    >>> from balance.pmf import die
    >>> collect(law_task("demo", die(6)), FixedTrials(600), seed=0).n_trials
    600
    """
    stack = LawStack((law,))

    def sample(rolls: RandomRolls) -> Pmf:
        counts = rolls.count_draws(stack, 0, "outcome")
        seen = np.flatnonzero(counts)
        return Pmf(law.columns, stack.outcomes[seen], counts[seen])

    return Task(key, sample)


def iterate(
    task: Task,
    stop: StopRule,
    *,
    seed: int,
    executor: Executor | None = None,
    n_workers: int = 1,
    paired: bool = False,
) -> Iterator[Tally]:
    """Yield the tally after each block, until the stop rule is satisfied; closing the iterator stops the work.

    Parameters
    ----------
    executor, n_workers
        Where blocks run (default: here, one after the other), and how many may be under way at once.
    paired
        Draw for whole blocks at every step, so that runs with different rules stay on the same dice.
    """
    tally: Tally | None = None
    for number, counts in _blocks(task, stop.cap, seed, paired, executor, n_workers):
        block = Tally(counts, number)
        tally = block if tally is None else tally + block
        yield tally
        if stop.enough(tally):
            return


def collect(
    task: Task,
    stop: StopRule,
    *,
    seed: int,
    n_threads: int = 1,
    paired: bool = False,
    progress: Callable[[Tally], None] | None = None,
) -> Tally:
    """Run a task to the end and return its tally, the same for any number of threads.

    >>> from balance.core import FixedTrials
    >>> from balance.pmf import die
    >>> task = law_task("demo", die(6))
    >>> one = collect(task, FixedTrials(200_000), seed=0)
    >>> two = collect(task, FixedTrials(200_000), seed=0, n_threads=2)
    >>> one.counts == two.counts
    True
    """
    executor = ThreadPoolExecutor(n_threads) if n_threads > 1 else None
    try:
        for tally in iterate(task, stop, seed=seed, executor=executor, n_workers=n_threads, paired=paired):
            if progress is not None:
                progress(tally)
    finally:
        if executor is not None:
            executor.shutdown(cancel_futures=True)
    return tally


def _blocks(
    task: Task, cap: int, seed: int, paired: bool, executor: Executor | None, n_workers: int
) -> Iterator[tuple[int, Pmf]]:
    """Yield (block number, its counts) in order."""
    sizes = ((number, min(BLOCK_TRIALS, cap - start)) for number, start in enumerate(range(0, cap, BLOCK_TRIALS)))
    if executor is None:
        for number, n in sizes:
            yield number, _run_block(task, seed, number, n, paired)
        return
    waiting: deque[tuple[int, Future[Pmf]]] = deque()
    try:
        for number, n in sizes:
            waiting.append((number, executor.submit(_run_block, task, seed, number, n, paired)))
            if len(waiting) > 2 * n_workers:
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()
    finally:
        for _, future in waiting:
            future.cancel()


def _run_block(task: Task, seed: int, number: int, n: int, paired: bool) -> Pmf:
    keep_freed_memory()
    return task.sample(RandomRolls(seed, task.key, number, n, paired=paired))
