"""How far the work under way has come: told by whoever does it, shown by whoever watches.

A step that may take more than two seconds says so, and needs nothing else: not a parameter, not a terminal.

>>> with announcing("reading cards"):
...     under_way().work
'reading cards'
>>> for number in range(3):
...     tell(Stage("seasons", number, 3))
>>> line_of(under_way())
'seasons: 2 of 3'

The command shows the newest of what was told in one line that is overwritten (`balance.verbs.call.watch`), and that
the verb is at work where nothing was told. Telling is as quick as keeping a value: tell as often as you like.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Protocol


class Progressing(Protocol):
    """How far some work has come; values are read only when they are drawn, so they may be worked out lazily."""

    @property
    def work(self) -> str:
        """What is being done, such as "reading cards"."""

    @property
    def n_done(self) -> int:
        """How much of it is done, in `unit`, out of `total`."""

    @property
    def total(self) -> int:
        """How much there will be in all, or an estimate; 0 if unknown."""

    @property
    def unit(self) -> str:
        """What is counted, such as "trials"; empty for parts whose speed says nothing."""

    @property
    def rate(self) -> float:
        """Units done per second; 0 where no speed is shown."""

    @property
    def details(self) -> tuple[str, ...]:
        """Further phrases for the line, such as the width of an interval."""


Progress = Callable[[Progressing], None]
GUESSED = 4
"""How many measured parts weigh as much as what their duration is guessed to be."""


@dataclass(frozen=True)
class Stage:
    """Parts of a stage that are finished; without a total, what is being done.

    >>> Stage("duels", 3, 9).unit
    ''
    """

    work: str
    n_done: int = 0
    total: int = 0
    unit: ClassVar[str] = ""
    rate: ClassVar[float] = 0.0
    details: ClassVar[tuple[str, ...]] = ()


@dataclass(frozen=True)
class Share:
    """How far several stages have come together, in thousandths of their expected time."""

    work: str
    n_done: int
    rate: float
    total: ClassVar[int] = 1000
    unit: ClassVar[str] = ""
    details: ClassVar[tuple[str, ...]] = ()


@dataclass(frozen=True)
class Part:
    """A stage that is expected: how many parts it has over all its rounds, and how long each takes.

    `duration` is in any unit that is the same for all stages.
    """

    count: float
    duration: float = 1.0


@dataclass
class Forecast:
    """Turns the progress of single stages into that of the whole, with the time that is left.

    `parts`: the stages that are expected, in their order. `progress`: receives the `Share` of the whole in place of
    each stage. How long a part of a stage takes is guessed from those before it, then more and more as it is measured.

    Examples
    --------
    >>> told, times = [], iter([0.0, 0.0, 10.0, 20.0, 20.0, 60.0])
    >>> forecast = Forecast({"ladder": Part(2), "battles": Part(16, 0.5)}, told.append, lambda: next(times))
    >>> for stage in (Stage("ladder", 0, 2), Stage("ladder", 1, 2), Stage("ladder", 2, 2)):
    ...     forecast(stage)
    >>> for stage in (Stage("battles", 0, 8), Stage("battles", 4, 8)):
    ...     forecast(stage)
    >>> [line_of(one) for one in told[1:]]
    ['ladder: 10% done, about 2 min left', 'ladder: 20% done, about 80 s left', 'battles: 20% done, about 80 s left', \
'battles: 40% done, about 2 min left']
    """

    parts: Mapping[str, Part]
    progress: Progress
    clock: Callable[[], float] = time.monotonic
    _start_time: float = field(init=False)
    _last_time: float = field(init=False)
    _seconds: dict[str, float] = field(init=False, default_factory=dict)
    _rounds: dict[str, list[tuple[int, int]]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Start the clock."""
        self._start_time = self._last_time = self.clock()

    def __call__(self, stage: Progressing) -> None:
        """Take the progress of a stage; one that is not in `parts` is passed on as it is."""
        since, self._last_time = self._last_time, self.clock()
        if stage.work not in self.parts or not stage.total:
            self.progress(stage)
            return
        rounds = self._rounds.setdefault(stage.work, [])
        if not rounds or stage.n_done < rounds[-1][0] or rounds[-1][0] == rounds[-1][1]:
            rounds.append((0, 0))
        rounds[-1] = stage.n_done, stage.total
        if stage.n_done:  # what came before a round begins belongs to no stage
            self._seconds[stage.work] = self._seconds.get(stage.work, 0.0) + self._last_time - since
        seconds, left = self._last_time - self._start_time, self._seconds_left(stage.work)
        share = seconds / (seconds + left) if seconds and left is not None else 0.0
        self.progress(Share(stage.work, int(1000 * share), 1000 * share / seconds if share else 0.0))

    def _seconds_left(self, now: str) -> float | None:
        """Return the time that the stage under way and those after it will take; None before anything is measured."""
        names, done = list(self.parts), {name: sum(n for n, _ in rounds) for name, rounds in self._rounds.items()}
        if not any(done.values()):
            return None
        left = 0.0
        for name in names[names.index(now) :]:
            part, (n, total) = self.parts[name], self._rounds.get(name, [(0, 0)])[-1]
            n_done, seconds = done.get(name, 0), self._seconds.get(name, 0.0)
            usual = sum(self.parts[other].duration * n for other, n in done.items() if other != name)
            guess = part.duration * (sum(self._seconds.values()) - seconds) / usual if usual else 0.0
            n_guessed = GUESSED if guess else 0
            left += max(part.count - n_done, total - n) * (n_guessed * guess + seconds) / (n_guessed + n_done)
        return left


@dataclass
class _Newest:
    """The latest progress reported in this process, None when no work is under way; what is known of the answer."""

    stage: Progressing | None = None
    estimate: str = ""


_NEWEST = _Newest()


def tell(stage: Progressing | None) -> None:
    """Report how far some work has come; None reports that it is over."""
    _NEWEST.stage = stage
    if stage is None:
        _NEWEST.estimate = ""


def tell_estimate(text: str) -> None:
    """Report what is known of an answer before it is whole: numbers with their intervals, and no verdict."""
    _NEWEST.estimate = text


def estimate_so_far() -> str:
    """Return what was reported of the answer last; empty where nothing is known yet."""
    return _NEWEST.estimate


def under_way() -> Progressing | None:
    """Return the latest progress reported, or None when no work is under way."""
    return _NEWEST.stage


@contextmanager
def announcing(work: str) -> Iterator[None]:
    """Report `work` as under way within the block, and restore the earlier report after it."""
    before = _NEWEST.stage
    tell(Stage(work))
    try:
        yield
    finally:
        tell(before)


def duration(seconds: float) -> str:
    """Return a time in seconds, minutes or hours, as people would say it.

    >>> duration(42), duration(600), duration(9000)
    ('42 s', '10 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def line_of(stage: Progressing) -> str:
    """Return progress as one line: the work, how much is done, and speed, time left and details where known."""
    n_done, total = stage.n_done, stage.total
    if not total:
        return stage.work
    if isinstance(stage, Share):
        more = f", about {duration((total - n_done) / stage.rate)} left" if stage.rate > 0 and n_done < total else ""
        return f"{stage.work}: {n_done / total:.0%} done{more}"
    if not stage.unit:
        return f"{stage.work}: {n_done:,} of {total:,}"
    time_left = [f"about {duration((total - n_done) / stage.rate)} left"] if stage.rate > 0 else []
    return ", ".join(
        [f"{n_done:,} of about {total:,} {stage.unit}", f"{stage.rate:,.0f} a second", *time_left, *stage.details]
    )
