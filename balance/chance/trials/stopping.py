"""When to stop: after a number of trials, or when an estimate is as narrow as asked for.

A rule sees only the tally of the contiguous prefix of finished blocks, so where it stops does not depend on timing. A
rule that looks after every block must use an interval that stays valid however often one looks. `anytime_interval`
does: it is the confidence sequence of Robbins' beta-binomial mixture (Robbins 1970; Howard et al. 2021, sec. 4.1).
With s successes in n trials and a uniform prior on p, the ratio B(1+s, 1+n-s) / (p^s (1-p)^(n-s)) is a martingale
under p; it exceeds 1/alpha at any time with probability at most alpha (Ville), so the p at which it does not are a
valid interval at every n at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from balance.base.errors import UsageError

if TYPE_CHECKING:
    from balance.chance.trials.tally import Tally

MAX_TRIALS = 10**12
"""The most trials one task may ask for."""


class StopRule(Protocol):
    """A rule for when to stop: after `cap` trials, or when a tally is enough."""

    @property
    def cap(self) -> int:
        """Trials after which to stop in any case."""
        ...

    def is_enough(self, tally: Tally) -> bool:
        """Return whether to stop, given the tally of the first blocks."""
        ...


@dataclass(frozen=True)
class FixedTrials:
    """Stop after exactly `cap` trials.

    >>> FixedTrials(1000).cap
    1000
    """

    cap: int

    def __post_init__(self) -> None:
        """Raise UsageError for fewer than 1 or more than `MAX_TRIALS` trials."""
        if not 1 <= self.cap <= MAX_TRIALS:
            raise UsageError(f"trials must be from 1 to {MAX_TRIALS:,}, found {self.cap:,}")

    def is_enough(self, tally: Tally) -> bool:
        """Return whether all trials are counted."""
        return tally.n_trials >= self.cap


@dataclass(frozen=True)
class HalfWidth:
    """Stop when the anytime-valid interval of each event's probability is at most `width` to either side.

    * `width`: target half-width, above 0 and below 0.5.
    * `events`: functions of the outcome columns, as for `Pmf.chance`.
    * `cap`: trials after which to stop in any case.
    * `level`: confidence of each interval, over all looks together.
    """

    width: float
    events: tuple[Callable[..., Any], ...]
    cap: int = 10**9
    level: float = 0.95

    def __post_init__(self) -> None:
        """Raise UsageError for a width outside (0, 0.5), or a cap outside 1 to `MAX_TRIALS`."""
        if not 0 < self.width < 0.5:
            raise UsageError(f"a half-width lies between 0 and 0.5, found {self.width}")
        if not 1 <= self.cap <= MAX_TRIALS:
            raise UsageError(f"trials must be from 1 to {MAX_TRIALS:,}, found {self.cap:,}")

    def is_enough(self, tally: Tally) -> bool:
        """Return whether every event's interval is narrow enough."""
        return all(self.half_width(tally, event) <= self.width for event in self.events)

    def half_width(self, tally: Tally, event: Callable[..., Any]) -> float:
        """Return half the width of the anytime-valid interval of an event, a function as for `Pmf.chance`."""
        low, high = anytime_interval(int(tally.counts.weight(event)), tally.n_trials, self.level)
        return (high - low) / 2


def anytime_interval(successes: int, trials: int, level: float = 0.95) -> tuple[float, float]:
    """Return an interval for a probability that covers it at every number of trials at once with chance `level`."""
    from math import log

    from scipy.optimize import brentq
    from scipy.special import betaln, xlog1py, xlogy

    limit = -log(1 - level)

    def evidence(p: float) -> float:
        against = betaln(1 + successes, 1 + trials - successes)
        return float(against - xlogy(successes, p) - xlog1py(trials - successes, -p)) - limit

    estimate = successes / trials
    low = 0.0 if successes == 0 else float(brentq(evidence, 1e-300, estimate))
    high = 1.0 if successes == trials else float(brentq(evidence, estimate, 1 - 1e-16))
    return low, high


def normal_width(level: float) -> float:
    """Return the number of standard errors from the middle to an end of a normal interval.

    >>> round(normal_width(0.95), 4)
    1.96
    """
    from statistics import NormalDist

    return NormalDist().inv_cdf(0.5 + level / 2)


def wilson_interval(successes: int, trials: int, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's score interval for a proportion at one fixed number of trials (not valid under repeated looks).

    >>> [round(end, 4) for end in wilson_interval(0, 100)]
    [0.0, 0.037]
    """
    z2 = normal_width(level) ** 2
    centre = (successes + z2 / 2) / (trials + z2)
    half = (z2 * (successes * (trials - successes) / trials + z2 / 4)) ** 0.5 / (trials + z2)
    return (centre - half if successes else 0.0), (centre + half if successes < trials else 1.0)
