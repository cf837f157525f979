"""How far something has come: bars on a terminal, plain lines in a log now and then, nothing when asked."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from balance.cli.exits import say_note
from balance.cli.terminal import console
from balance.core import HalfWidth, StopRule

if TYPE_CHECKING:
    from balance.engine.progress import Progress, Told
    from balance.protocol.sample import Sample

__all__ = ["Lines", "Trials", "duration", "showing", "solving"]

DRAW_SECONDS = 0.2


def duration(seconds: float) -> str:
    """Return a time as people say it.

    >>> duration(42), duration(600), duration(9000)
    ('42 s', '10 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def line_of(told: Told) -> str:
    """Return how far something has come, in one line."""
    done, total = told.done, told.total
    if not told.unit:
        return f"{told.what}: {done:,} of {total:,}"
    left = [f"about {duration((total - done) / told.rate)} left"] if told.rate > 0 else []
    return ", ".join([f"{done:,} of about {total:,} {told.unit}", f"{told.rate:,.0f} a second", *left, *told.details])


@dataclass
class Lines:
    """Writes a plain line now and then, and at the end of what took longer; the functions are replaced by tests."""

    clock: Callable[[], float] = time.monotonic
    write: Callable[[str], None] = say_note
    _last: float = field(init=False)
    _told: set[str] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        """Start the clock."""
        self._last = self.clock()

    def __call__(self, told: Told) -> None:
        """Write a line if it is time."""
        now = self.clock()
        ended = not told.unit and told.what in self._told and told.done == told.total
        if now - self._last >= told.every or ended:
            self._last = now
            self._told.add(told.what)
            self.write(line_of(told))


@contextmanager
def _bars() -> Iterator[Progress]:
    from rich.progress import BarColumn, TaskID, TextColumn
    from rich.progress import Progress as Bars

    columns = (BarColumn(bar_width=20), TextColumn("{task.description}"))
    with Bars(*columns, console=console(sys.stderr), transient=True) as shown:
        bars, drawn = dict[str, TaskID](), dict[str, float]()

        def tell(told: Told) -> None:
            now = time.monotonic()
            if now - drawn.get(told.what, -DRAW_SECONDS) < DRAW_SECONDS and (told.unit or told.done != told.total):
                return
            drawn[told.what] = now
            if told.what not in bars:
                bars[told.what] = shown.add_task("", total=told.total)
            shown.update(bars[told.what], completed=told.done, total=told.total, description=line_of(told))

        yield tell


def showing(quiet: bool) -> AbstractContextManager[Progress]:
    """Return the context of work under way: what it yields is to be told how far that is."""
    if quiet:
        return nullcontext(lambda told: None)
    return _bars() if sys.stderr.isatty() else nullcontext(Lines())


def solving(quiet: bool, doing: str = "Solving exactly") -> AbstractContextManager[object]:
    """Return the context of an answer that may take a while."""
    if quiet or not sys.stderr.isatty():
        return nullcontext()
    return console(sys.stderr).status(doing)


@dataclass(frozen=True)
class Trials:
    """How far the simulation of one question has come, after so many seconds."""

    sample: Sample
    stop: StopRule
    seconds: float
    what: ClassVar[str] = "trials"
    unit: ClassVar[str] = "trials"
    every: ClassVar[float] = 10.0

    @property
    def done(self) -> int:
        """Trials played."""
        return self.sample.n_trials

    @property
    def total(self) -> int:
        """About how many there will be: for a half-width an estimate, since widths shrink as 1/sqrt(n)."""
        if not isinstance(self.stop, HalfWidth):
            return self.stop.cap
        return min(self.stop.cap, max(self.done, int(self.done * (self.half_width / self.stop.width) ** 2)))

    @property
    def rate(self) -> float:
        """Trials a second."""
        return self.done / max(self.seconds, 1e-9)

    @property
    def half_width(self) -> float:
        """Half the widest interval: of the chances to win, or where nobody wins, of the means."""
        sample = self.sample
        intervals = list(sample.p_win_interval().values())
        intervals = intervals or [sample.mean_interval(column) for column in sample.distribution.columns]
        return max((high - low) / 2 for low, high in intervals)

    @property
    def details(self) -> tuple[str, ...]:
        """How sure it is by now."""
        return (f"widest interval +-{self.half_width:.2g}",)
