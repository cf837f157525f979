"""By how much a cost may miss the fair one, and the verdict that the interval of the fair cost gives.

A verdict compares how far a cost lies from the fair one with the smallest imbalance worth caring about: the whole
interval outside on one side is *too dear* or *too cheap*, all of it inside is *fair*, else it is *not yet known*.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from balance.base.numbers import show_fixed

VERDICTS = ("too dear", "too cheap", "fair", "not yet known")


@dataclass(frozen=True)
class Tolerance:
    """The smallest imbalance worth caring about: `share` of the cost, but at least `points`.

    >>> Tolerance().of(40.0), Tolerance().of(6.0)
    (4.0, 2.0)
    """

    share: float = 0.10
    points: float = 2.0

    @classmethod
    def usual(cls, costs: Iterable[float]) -> Tolerance:
        """Return the default tolerance among these costs: `points` is at most a fifth of their median.

        >>> Tolerance.usual([15, 30, 50]), Tolerance.usual([1, 1, 1])
        (Tolerance(share=0.1, points=2.0), Tolerance(share=0.1, points=0.2))
        """
        usual = cls()
        return cls(points=min(usual.points, round(float(np.median(list(costs))) / 5, 3)))

    def of(self, cost: float) -> float:
        """Return the tolerance in points for a cost, max(`share` * cost, `points`)."""
        return max(self.share * cost, self.points)


def judge(low: float, high: float, tolerance: float) -> str:
    """Return the verdict on cost less fair cost, whose interval is `low` to `high`, in points.

    >>> [judge(*ends, 2.0) for ends in ((3.0, 5.0), (-5.0, -2.5), (-1.0, 1.5), (1.0, 3.0))]
    ['too dear', 'too cheap', 'fair', 'not yet known']
    """
    if low > tolerance:
        return "too dear"
    if high < -tolerance:
        return "too cheap"
    return "fair" if -tolerance <= low and high <= tolerance else "not yet known"


def judge_cost(cost: float, low: float, high: float, tolerance: float) -> str:
    """Return the verdict on a cost where the interval of the fair one is `low` to `high`, all in points.

    >>> judge_cost(19.0, 19.4, 20.6, 2.0), judge_cost(19.0, 19.4, 21.6, 2.0)
    ('fair', 'not yet known')
    """
    return judge(cost - high, cost - low, tolerance)


def fair_within(verdict: str, cost: float, low: float, high: float, tolerance: float) -> str:
    """Return a `judge_cost` verdict as shown: a fair cost outside its own interval is "fair within" the tolerance.

    >>> fair_within("fair", 19.0, 19.4, 20.6, 2.0), fair_within("fair", 20.0, 19.4, 20.6, 2.0)
    ('fair within 2', 'fair')
    """
    if verdict != "fair" or low <= cost <= high:
        return verdict
    return f"fair within {show_fixed(tolerance, 1).removesuffix('.0')}"
