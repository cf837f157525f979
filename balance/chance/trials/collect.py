"""Run a task block by block until its stop rule is satisfied, with the same numbers for any number of threads.

The size of a task's blocks is part of the contract: block b of a task always holds the same trials from the same
streams. Blocks may finish in any order; they are counted in order, and the stop rule is asked after each. What workers
did beyond the block at which it stops is discarded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.base.arrays import IntArray
from balance.base.errors import UsageError
from balance.chance.pmf import Pmf
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.chance.trials.memory import keep_freed_memory
from balance.chance.trials.stopping import StopRule
from balance.chance.trials.tally import Result, Tally, count_rows

BLOCK_TRIALS = 65536
"""Trials in a block, if a task says nothing else. A contract: changing it changes every simulated number."""


@dataclass(frozen=True)
class Task:
    """A sampling task: `sample` plays one block of trials with its rolls.

    `key`: name of the task's streams; two tasks with one key roll the same dice. `sample`: function from rolls (for
    `rolls.n` trials) to counts of outcomes, the trials themselves, or sums over them. `block_trials`: trials in a
    block: few where a trial is long or its state large. Part of what fixes the numbers.
    """

    key: str
    sample: Callable[[RandomRolls], Result]
    block_trials: int = BLOCK_TRIALS

    def __post_init__(self) -> None:
        """Raise UsageError for a block without trials."""
        if self.block_trials < 1:
            raise UsageError(f"a block holds 1 trial or more, found {self.block_trials}")


def process_task(
    key: str,
    processes: tuple[Process, ...],
    block_trials: int = BLOCK_TRIALS,
    keep: Callable[[Mapping[str, npt.NDArray[Any]]], Result] = count_rows,
) -> Task:
    """Return the task that plays one of several equally likely processes, in lockstep.

    `keep` reduces a block: `count_rows`, or `keep_rows`, which takes them in the order of their trials.
    """
    is_ordered = keep is not count_rows

    def sample(rolls: RandomRolls) -> Result:
        return keep(play_block(processes, rolls, is_ordered))

    return Task(key, sample, block_trials)


def play_block(processes: tuple[Process, ...], rolls: RandomRolls, in_order: bool = False) -> State:
    """Play a block of trials, each one of several equally likely processes; return outcome columns, `[n]` each.

    They come in the order of the trials with `in_order`, else as they end, process by process.
    """
    if len(processes) == 1:
        return simulate(processes[0], rolls, in_order)
    parts = [
        (simulate(process, branch_rolls, in_order), place)
        for process, (branch_rolls, place) in zip(processes, branches(len(processes), rolls), strict=True)
        if len(place)
    ]
    columns = {name: np.concatenate([part[name] for part, _ in parts]) for name in parts[0][0]}
    order = np.argsort(np.concatenate([place for _, place in parts])) if in_order else slice(None)
    return {name: values[order] for name, values in columns.items()}


def branches(n_processes: int, rolls: RandomRolls) -> list[tuple[RandomRolls, IntArray]]:
    """Return what each of several equally likely processes plays of a block: its rolls, and its trials, rising.

    >>> [place.tolist() for _, place in branches(2, RandomRolls(0, "demo", 0, 6))]
    [[1, 4, 5], [0, 2, 3]]
    """
    if n_processes == 1:
        return [(rolls, np.arange(rolls.n))]
    branch_numbers = rolls.d(n_processes, 1, "which")[:, 0]
    places = [np.flatnonzero(branch_numbers == number + 1) for number in range(n_processes)]
    return [(rolls.child(f"branch {number}", len(place)), place) for number, place in enumerate(places)]


def distribution_task(key: str, distribution: Pmf, block_trials: int = BLOCK_TRIALS) -> Task:
    """Return the task that draws finished outcomes from an exact distribution, 16 random bits each."""
    stack = DistributionStack((distribution,))

    def sample(rolls: RandomRolls) -> Pmf:
        counts = rolls.count_draws(stack, 0, "outcome")
        drawn_rows = np.flatnonzero(counts)
        return Pmf(distribution.columns, stack.outcomes[drawn_rows], counts[drawn_rows])

    return Task(key, sample, block_trials)


def iterate(
    task: Task, stop: StopRule, *, seed: int, executor: Executor | None = None, n_workers: int = 1
) -> Iterator[Tally]:
    """Yield the tally after each block, until the stop rule is satisfied; closing the iterator stops the work.

    Blocks run on `executor` (default: here, one after the other), at most `n_workers` at once.
    """
    tally: Tally | None = None
    for number, result in _blocks(task, stop.cap, seed, executor, n_workers):
        block = Tally(result, number)
        tally = block if tally is None else tally + block
        yield tally
        if stop.is_enough(tally):
            return


def collect(
    task: Task, stop: StopRule, *, seed: int, n_threads: int = 1, progress: Callable[[Tally], None] | None = None
) -> Tally:
    """Run a task to the end and return its tally, the same for any number of threads.

    `progress` is called with the tally after each block.
    """
    executor = ThreadPoolExecutor(n_threads) if n_threads > 1 else None
    try:
        for tally in iterate(task, stop, seed=seed, executor=executor, n_workers=n_threads):
            if progress is not None:
                progress(tally)
    finally:
        if executor is not None:
            executor.shutdown(cancel_futures=True)
    return tally


def _blocks(task: Task, cap: int, seed: int, executor: Executor | None, n_workers: int) -> Iterator[tuple[int, Result]]:
    """Yield the number and the result of each block in order, whatever the order in which workers finish them."""
    sizes = block_sizes(task, cap)
    if executor is None:
        for number, n in sizes:
            yield number, run_block(task, seed, number, n)
        return
    futures: deque[tuple[int, Future[Result]]] = deque()
    try:
        for number, n in sizes:
            futures.append((number, executor.submit(run_block, task, seed, number, n)))
            if len(futures) > 2 * n_workers:
                first, future = futures.popleft()
                yield first, future.result()
        while futures:
            first, future = futures.popleft()
            yield first, future.result()
    finally:
        for _, future in futures:
            future.cancel()


def block_sizes(task: Task, cap: int) -> Iterator[tuple[int, int]]:
    """Yield the number of each block, and its number of trials, `cap` in all; only the last may be shorter.

    >>> list(block_sizes(Task("demo", print, 100), 250))
    [(0, 100), (1, 100), (2, 50)]
    """
    size = task.block_trials
    return ((number, min(size, cap - start)) for number, start in enumerate(range(0, cap, size)))


def run_block(task: Task, seed: int, number: int, n: int) -> Result:
    """Play block `number` of a task, of n trials, on the streams of this seed."""
    keep_freed_memory()
    return task.sample(RandomRolls(seed, task.key, number, n))
