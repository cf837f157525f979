"""How far some work has come: told by whoever does it, drawn by whoever watches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

__all__ = ["Progress", "Stage", "Told"]


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
        """How much there will be in all, or about how much."""

    @property
    def unit(self) -> str:
        """What is counted, such as "trials"; empty for parts that are not told by their speed."""

    @property
    def rate(self) -> float:
        """How much is done in a second."""

    @property
    def details(self) -> tuple[str, ...]:
        """What else is worth telling."""

    @property
    def every(self) -> float:
        """Seconds between two lines of a log."""


Progress = Callable[[Told], None]


@dataclass(frozen=True)
class Stage:
    """Parts of a stage that are finished.

    >>> Stage("duels", 3, 9).unit
    ''
    """

    what: str
    done: int
    total: int
    unit: ClassVar[str] = ""
    rate: ClassVar[float] = 0.0
    details: ClassVar[tuple[str, ...]] = ()
    every: ClassVar[float] = 10.0
