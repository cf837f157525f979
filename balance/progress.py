"""How far the work under way has come: told by whoever does it, shown by whoever watches.

A step that may take more than two seconds says so, and needs nothing else: not a parameter, not a terminal.

>>> with doing("reading cards"):
...     under_way().what
'reading cards'
>>> for number in range(3):
...     tell(Stage("seasons", number, 3))
>>> line_of(under_way())
'seasons: 2 of 3'

The command shows the newest of what was told in one line that is overwritten (`balance.cli.progress`), and that the
verb is at work where nothing was told. Telling is as quick as keeping a value: tell as often as you like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar, Protocol

__all__ = ["Progress", "Stage", "Told", "doing", "duration", "line_of", "tell", "under_way"]


class Told(Protocol):
    """How far some work has come; only what is drawn is asked for, so numbers may be worked out when they are."""

    @property
    def what(self) -> str:
        """What is being done."""

    @property
    def done(self) -> int:
        """How much of it is done."""

    @property
    def total(self) -> int:
        """How much there will be in all, or about how much; 0 where nobody knows."""

    @property
    def unit(self) -> str:
        """What is counted, such as "trials"; empty for parts that are not told by their speed."""

    @property
    def rate(self) -> float:
        """How much is done in a second."""

    @property
    def details(self) -> tuple[str, ...]:
        """What else is worth telling."""


Progress = Callable[[Told], None]


@dataclass(frozen=True)
class Stage:
    """Parts of a stage that are finished; without a total, what is being done.

    >>> Stage("duels", 3, 9).unit
    ''
    """

    what: str
    done: int = 0
    total: int = 0
    unit: ClassVar[str] = ""
    rate: ClassVar[float] = 0.0
    details: ClassVar[tuple[str, ...]] = ()


@dataclass
class _Newest:
    """What was told last in this process."""

    told: Told | None = None


_NEWEST = _Newest()


def tell(told: Told | None) -> None:
    """Tell how far some work has come; None tells that it is over."""
    _NEWEST.told = told


def under_way() -> Told | None:
    """Return what was told last, or None where nothing was."""
    return _NEWEST.told


@contextmanager
def doing(what: str) -> Iterator[None]:
    """Tell what is done within the block, and after it what was told before."""
    before = _NEWEST.told
    tell(Stage(what))
    try:
        yield
    finally:
        tell(before)


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
    if not total:
        return told.what
    if not told.unit:
        return f"{told.what}: {done:,} of {total:,}"
    left = [f"about {duration((total - done) / told.rate)} left"] if told.rate > 0 else []
    return ", ".join([f"{done:,} of about {total:,} {told.unit}", f"{told.rate:,.0f} a second", *left, *told.details])
