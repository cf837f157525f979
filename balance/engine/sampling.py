"""A simulation that Ctrl-C ends cleanly: the block under way is finished, and what is counted is kept."""

from __future__ import annotations

import time
import warnings
from collections.abc import Generator, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from typing import ClassVar

from balance.base.errors import Interruption, SourceWarning
from balance.base.progress import tell
from balance.base.signals import interruptible
from balance.chance.trials.collect import block_sizes, iterate, run_block
from balance.chance.trials.stopping import HalfWidth, StopRule
from balance.chance.trials.tally import Result, Tally
from balance.engine.jobs import Job, Pool
from balance.engine.pool import open_pool
from balance.engine.verification import NOTHING_TO_VERIFY, Verification
from balance.engine.workers import WorkerThreads
from balance.game.game import Lane
from balance.game.question.choices import Budget
from balance.game.question.question import Question, Sample


@dataclass(frozen=True)
class Trials:
    """Progress of the simulation of one question after so many seconds."""

    sample: Sample
    stop: StopRule
    seconds: float
    work: ClassVar[str] = "trials"
    unit: ClassVar[str] = "trials"

    @property
    def n_done(self) -> int:
        """Trials played."""
        return self.sample.n_trials

    @property
    def total(self) -> int:
        """About how many there will be: for a half-width an estimate, since widths shrink as 1/sqrt(n)."""
        if not isinstance(self.stop, HalfWidth):
            return self.stop.cap
        return min(self.stop.cap, max(self.n_done, int(self.n_done * (self.half_width / self.stop.width) ** 2)))

    @property
    def rate(self) -> float:
        """Trials per second."""
        return self.n_done / max(self.seconds, 1e-9)

    @property
    def half_width(self) -> float:
        """Half the widest interval: of the win probabilities, or where nobody wins, of the means."""
        sample = self.sample
        intervals = list(sample.p_win_interval().values())
        intervals = intervals or [sample.mean_interval(column) for column in sample.distribution.columns]
        return max((high - low) / 2 for low, high in intervals)

    @property
    def details(self) -> tuple[str, ...]:
        """The half-width of the widest interval so far, in words."""
        return (f"widest interval +-{self.half_width:.2g}",)


@contextmanager
def _threads(n_threads: int) -> Iterator[Executor | None]:
    if n_threads == 1:
        yield None
        return
    threads = WorkerThreads(n_threads)
    try:
        yield threads
    finally:
        threads.end_at_once()  # what is under way is more than enough, or too late


def sample(
    question: Question,
    budget: Budget,
    executor: str = "auto",
    scheduler: str | None = None,
    verification: Verification | None = None,
) -> tuple[Sample, bool]:
    """Simulate a question within a budget; return what was counted, and whether that is less than was asked for.

    `executor`, `scheduler` and `verification` are those of `open_pool`; the numbers are the same everywhere. "auto" is
    threads, or one for the lane "compiled", which stays in this process, where its table is. `Interruption` or
    `KeyboardInterrupt` if stopped before anything was counted.
    """
    stop = question.stop_rule(budget.trials, budget.half_width)
    last, start = None, time.monotonic()
    is_here = executor in ("auto", "threads", "serial") or budget.lane == "compiled"
    if is_here and verification is not None:
        warnings.warn(NOTHING_TO_VERIFY, SourceWarning, stacklevel=2)
    opened = (
        _tallies_here(question, budget, stop, executor)
        if is_here
        else _tallies_of(question, budget, stop, open_pool(executor, budget.n_threads, scheduler, verification))
    )
    with opened as tallies, interruptible() as is_interrupted:
        try:
            for tally in tallies:
                last = _sample_of(question, budget, tally, stop)
                tell(Trials(last, stop, time.monotonic() - start))
                if is_interrupted():
                    break
        except KeyboardInterrupt:
            if last is None:
                raise
    if last is None:
        raise Interruption
    return last, not stop.is_enough(last.tally)


@contextmanager
def _tallies_here(question: Question, budget: Budget, stop: StopRule, executor: str) -> Iterator[Iterator[Tally]]:
    """Yield an iterator of the running tally after each block, in order, played on threads of this process.

    The lane "compiled" has one thread unless threads are asked for: its blocks are so short that two wait for each
    other, and together look up a fifth fewer trials in a second of CPU time than one.
    """
    is_alone = executor == "serial" or (executor == "auto" and budget.lane == "compiled")
    task, n_threads = question.task(budget.lane), 1 if is_alone else budget.n_threads
    with _threads(n_threads) as threads:
        yield iterate(task, stop, seed=budget.seed, executor=threads, n_workers=n_threads)


@contextmanager
def _tallies_of(
    question: Question, budget: Budget, stop: StopRule, opened: AbstractContextManager[Pool]
) -> Iterator[Iterator[Tally]]:
    """Yield an iterator of the running tally after each block, in order, played by the workers of a pool."""
    with opened as pool, closing(_in_pool(question, budget, stop, pool)) as tallies:
        yield tallies


def _in_pool(question: Question, budget: Budget, stop: StopRule, pool: Pool) -> Generator[Tally]:
    """Yield the running tally after each block, in the order of their numbers, whichever worker is done first."""
    sizes = block_sizes(question.task(budget.lane), stop.cap)
    jobs = (Job(f"block {at}", play, (question, budget.lane, budget.seed, at, n), at) for at, n in sizes)
    unordered: dict[int, Tally] = {}
    tally: Tally | None = None
    place = 0
    for job, result in pool.run(jobs):
        unordered[job.tag] = Tally(result, job.tag)
        while place in unordered:
            block = unordered.pop(place)
            tally = block if tally is None else tally + block
            place += 1
            yield tally
            if stop.is_enough(tally):
                return


def play(question: Question, lane: Lane, seed: int, number: int, n: int) -> Result:
    """Play block `number` of a question with `n` trials.

    A function of this module, so that other processes find it.

    * `question`: what is simulated.
    * `lane`: "literal" rolls dice one by one, "compiled" draws whole results from a table of their law.
    * `seed`: seed of the run; with `number` it fixes the rolls.
    * `number`: position of the block, 0 or more.
    * `n`: trials of the block, 1 or more.
    """
    return run_block(question.task(lane), seed, number, n)


def _sample_of(question: Question, budget: Budget, tally: Tally, stop: StopRule) -> Sample:
    """Return the tally as a sample.

    A stop that depends on the results makes its intervals hold at every look; a fixed number of trials does not.
    """
    at_every_look = budget.half_width is not None or not stop.is_enough(tally)
    return Sample(question, tally, budget.seed, budget.lane, looked_repeatedly=at_every_look)
