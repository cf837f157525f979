"""One number with what is known of its error: exact, simulated, fitted or measured.

An exact number has no interval to speak of: its ends are the number itself. Sums and differences stay exact as long as
all their terms are; an exact term moves an interval without widening it. Terms with standard errors are taken as
independent, so their variances add and the interval is the normal one. A term without one (an interval that holds at
every look) has only its ends to give: ends add up, and the chances of missing do too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil, floor, sqrt
from typing import Annotated, Literal, TypeAlias

from balance.base.answers import BEHIND, Doc, formula
from balance.chance.trials.stopping import normal_width, wilson_interval

Source: TypeAlias = Literal["exact", "simulated", "fitted", "measured"]
SOURCES: tuple[Source, ...] = ("exact", "simulated", "fitted", "measured")
"""How a number was had. What is made of several was had as the last of theirs in this order."""
LEVEL = 0.95
"""Confidence of an interval where nothing else is said."""


@dataclass(frozen=True)
class Estimate:
    """A number with its confidence interval and standard error, of which answers tell whether it is exact.

    Attributes
    ----------
    value
        The point estimate.
    low, high
        The ends of its interval; both are `value` where it is exact.
    n_trials
        Trials (or pairs of them, or games on a table) it rests on; 0 where it is exact.
    how
        Origin of the number, one of `SOURCES`.
    level
        Coverage of the interval, 0 to 1.
    error
        The standard error; None where only the interval is known.

    Examples
    --------
    >>> half = Estimate.exact(0.5)
    >>> won = Estimate.of_share(0.6, 1000)
    >>> (half - half).is_exact, (won - half).is_exact, round((won - half).low, 3)
    (True, False, 0.069)
    """

    value: float
    low: float
    high: float
    n_trials: int = field(default=0, metadata=BEHIND)
    how: Source = field(default="simulated", metadata=BEHIND)
    level: float = field(default=LEVEL, metadata=BEHIND)
    error: float | None = field(default=None, metadata=BEHIND)

    @classmethod
    def exact(cls, value: float) -> Estimate:
        """Return a number without error."""
        return cls(value, value, value, 0, "exact", LEVEL, 0.0)

    @classmethod
    def of_mean(
        cls, value: float, error: float, n_trials: int, how: Source = "simulated", level: float = LEVEL
    ) -> Estimate:
        """Return a mean, in any unit, with its standard error and the normal interval of a level from 0 to 1."""
        half = normal_width(level) * error
        return cls(value, value - half, value + half, n_trials, how, level, error)

    @classmethod
    def mean_of(cls, terms: Sequence[Estimate]) -> Estimate:
        """Return the mean of independent numbers; exact if all of them are.

        >>> Estimate.mean_of([Estimate.exact(0.5), Estimate.of_mean(0.7, 0.1, 100)]).error
        0.05
        """
        value = sum(term.value for term in terms) / len(terms)
        if all(term.is_exact for term in terms):
            return cls.exact(value)
        error = sqrt(sum((term.error or 0.0) ** 2 for term in terms)) / len(terms)
        return cls.of_mean(value, error, sum(term.n_trials for term in terms))

    @classmethod
    def of_share(cls, share: float, n_trials: int, how: Source = "simulated", level: float = LEVEL) -> Estimate:
        """Return a mean of values from 0 to 1 with Wilson's interval, whichever is wider where halves were counted."""
        successes = share * n_trials
        low, _ = wilson_interval(floor(successes + 1e-6), n_trials, level)
        _, high = wilson_interval(ceil(successes - 1e-6), n_trials, level)
        return cls(share, low, high, n_trials, how, level, (share * (1 - share) / n_trials) ** 0.5)

    @property
    def is_exact(self) -> bool:
        """Whether the number has no error."""
        return self.how == "exact"

    @formula
    def exact_(self) -> Annotated[bool, Doc("Whether it has no error.")]:
        """Whether the number has no error, as answers tell it."""
        return self.is_exact

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def is_within(self, band: tuple[float, float]) -> bool:
        """Return whether the whole interval lies in a band, its ends included.

        >>> Estimate.of_share(0.5, 1000).is_within((0.45, 0.55)), Estimate.of_share(0.5, 100).is_within((0.45, 0.55))
        (True, False)
        """
        return band[0] <= self.low and self.high <= band[1]

    def __neg__(self) -> Estimate:
        """Return the negated number, whose interval is mirrored."""
        return replace(self, value=-self.value, low=-self.high, high=-self.low)

    def __add__(self, addend: Estimate | float) -> Estimate:
        """Return the sum; the terms are taken as independent where both have a standard error."""
        more = addend if isinstance(addend, Estimate) else Estimate.exact(addend)
        if self.is_exact:
            return more._shift(self.value)
        if more.is_exact:
            return self._shift(more.value)
        value, n_trials = self.value + more.value, self.n_trials + more.n_trials
        how = max(self.how, more.how, key=SOURCES.index)
        if self.error is not None and more.error is not None:
            error = (self.error**2 + more.error**2) ** 0.5
            return Estimate.of_mean(value, error, n_trials, how, min(self.level, more.level))
        level = max(0.0, self.level + more.level - 1)
        return Estimate(value, self.low + more.low, self.high + more.high, n_trials, how, level)

    def __sub__(self, subtrahend: Estimate | float) -> Estimate:
        """Return the difference, by the rules of the sum."""
        return self + -subtrahend

    def _shift(self, by: float) -> Estimate:
        return replace(self, value=self.value + by, low=self.low + by, high=self.high + by)
