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
    details: tuple[str, ...] = ()
    total: ClassVar[int] = 1000
    unit: ClassVar[str] = ""


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
    each stage. `answer`: what is known of the answer already; it is shown instead of the name of the stage.

    Examples
    --------
    >>> told, times = [], iter([0.0, 10.0, 20.0, 30.0, 40.0])
    >>> forecast = Forecast({"ladder": Part(2), "battles": Part(16, 0.5)}, told.append, lambda: next(times))
    >>> for stage in (Stage("ladder", 1, 2), Stage("ladder", 2, 2), Stage("battles", 8, 8)):
    ...     forecast(stage)
    >>> [line_of(one) for one in told]
    ['ladder: 10% done, about 2 min left', 'ladder: 20% done, about 80 s left', 'battles: 60% done, about 20 s left']
    >>> forecast.answer = "about 21 (18 to 24)"
    >>> forecast(Stage("battles", 16, 16))
    >>> line_of(told[-1])
    'about 21 (18 to 24); 100% done'
    """

    parts: Mapping[str, Part]
    progress: Progress
    clock: Callable[[], float] = time.monotonic
    answer: str = ""
    _start_time: float = field(init=False)
    _rounds: dict[str, list[tuple[int, int]]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Start the clock."""
        self._start_time = self.clock()

    def __call__(self, stage: Progressing) -> None:
        """Take the progress of a stage; one that is not in `parts` is passed on as it is."""
        if stage.work not in self.parts or not stage.total:
            self.progress(stage)
            return
        rounds = self._rounds.setdefault(stage.work, [])
        if not rounds or stage.n_done < rounds[-1][0] or rounds[-1][0] == rounds[-1][1]:
            rounds.append((0, 0))
        rounds[-1] = stage.n_done, stage.total
        share, seconds = self._share(stage.work), self.clock() - self._start_time
        known_parts = (self.answer,) if self.answer else ()
        self.progress(Share(stage.work, int(1000 * share), 1000 * share / seconds if seconds > 0 else 0.0, known_parts))

    def _share(self, now: str) -> float:
        """Return the share of the expected time that is done, 0 to 1.

        Stages before `now` count as complete, and parts beyond the forecast are added to it.
        """
        whole, n_done, names = 0.0, 0.0, list(self.parts)
        for at, (name, part) in enumerate(self.parts.items()):
            n_stage_done, n_stage_parts = (
                sum(numbers) for numbers in zip((0, 0), *self._rounds.get(name, []), strict=True)
            )
            is_over = at < names.index(now)
            whole += part.duration * (n_stage_parts if is_over else max(part.count, n_stage_parts))
            n_done += part.duration * (n_stage_parts if is_over else n_stage_done)
        return n_done / whole if whole else 0.0


@dataclass
class _Newest:
    """The latest progress reported in this process; None when no work is under way."""

    stage: Progressing | None = None


_NEWEST = _Newest()


def tell(stage: Progressing | None) -> None:
    """Report how far some work has come; None reports that it is over."""
    _NEWEST.stage = stage


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
        subject = f"{', '.join(stage.details)};" if stage.details else f"{stage.work}:"
        return f"{subject} {n_done / total:.0%} done{more}"
    if not stage.unit:
        return f"{stage.work}: {n_done:,} of {total:,}"
    time_left = [f"about {duration((total - n_done) / stage.rate)} left"] if stage.rate > 0 else []
    return ", ".join(
        [f"{n_done:,} of about {total:,} {stage.unit}", f"{stage.rate:,.0f} a second", *time_left, *stage.details]
    )
