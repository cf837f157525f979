"""How far a simulation has come: a bar on a terminal, a plain line every ten seconds in a log, nothing when asked."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field

from balance.cli.exits import say_note
from balance.cli.terminal import console
from balance.core import HalfWidth, StopRule, Tally
from balance.protocol.sample import Sample

__all__ = ["LogLines", "Watcher", "solving", "watching", "worst_half_width"]

LOG_SECONDS = 10.0
DRAW_SECONDS = 0.2

Watcher = Callable[[Sample], None]
"""Is shown the sample after each block."""


def worst_half_width(sample: Sample) -> float:
    """Return half the width of the widest interval: of the chances to win, or where nobody wins, of the means."""
    intervals = list(sample.p_win_interval().values())
    if not intervals:
        intervals = [sample.mean_interval(column) for column in sample.law.columns]
    return max((high - low) / 2 for low, high in intervals)


def trials_expected(tally: Tally, stop: StopRule, width: float) -> int:
    """Return how many trials there will be in all; for a half-width an estimate, since widths shrink as 1/sqrt(n)."""
    if not isinstance(stop, HalfWidth):
        return stop.cap
    return min(stop.cap, max(tally.n_trials, int(tally.n_trials * (width / stop.width) ** 2)))


@dataclass
class LogLines:
    """Writes one plain line every `every` seconds; `clock` and `write` can be replaced for tests."""

    stop: StopRule
    every: float = LOG_SECONDS
    clock: Callable[[], float] = time.monotonic
    write: Callable[[str], None] = say_note
    _start: float = field(init=False)
    _next: float = field(init=False)

    def __post_init__(self) -> None:
        """Start the clock."""
        self._start = self.clock()
        self._next = self._start + self.every

    def __call__(self, sample: Sample) -> None:
        """Write a line if it is time."""
        now = self.clock()
        if now < self._next:
            return
        self._next = now + self.every
        width, rate = worst_half_width(sample), sample.n_trials / (now - self._start)
        left = (trials_expected(sample.tally, self.stop, width) - sample.n_trials) / rate
        self.write(
            f"{sample.n_trials:,} trials, {rate:,.0f} a second, about {left:,.0f} s left, widest interval +-{width:.2g}"
        )


@contextmanager
def _bar(stop: StopRule) -> Iterator[Watcher]:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=console(sys.stderr), transient=True) as shown:
        task, start, drawn = shown.add_task("starting", total=stop.cap), time.monotonic(), 0.0

        def watch(sample: Sample) -> None:
            nonlocal drawn
            now = time.monotonic()
            if now - drawn < DRAW_SECONDS:
                return
            drawn, width = now, worst_half_width(sample)
            text = f"{sample.n_trials:,} trials, {sample.n_trials / (now - start):,.0f}/s, ±{width:.2g}"
            total = trials_expected(sample.tally, stop, width)
            shown.update(task, completed=sample.n_trials, total=total, description=text)

        yield watch


def watching(stop: StopRule, quiet: bool) -> AbstractContextManager[Watcher]:
    """Return the context of a simulation: what it yields is to be called after each block."""
    if quiet:
        return nullcontext(lambda sample: None)
    return _bar(stop) if sys.stderr.isatty() else nullcontext(LogLines(stop))


def solving(quiet: bool, doing: str = "Solving exactly") -> AbstractContextManager[object]:
    """Return the context of an answer that may take a while."""
    if quiet or not sys.stderr.isatty():
        return nullcontext()
    return console(sys.stderr).status(doing)
