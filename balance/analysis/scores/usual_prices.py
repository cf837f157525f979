"""By how much a cost may miss the fair one, and the verdict that the interval of the fair cost gives.

A verdict compares how far a cost lies from the fair one with the smallest imbalance worth caring about: the whole
interval outside on one side is *too dear* or *too cheap*, all of it inside is *fair*, else it is *not yet known*.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd, sqrt

from balance.base.numbers import show_fixed

VERDICTS = ("too dear", "too cheap", "fair", "not yet known")


@dataclass(frozen=True)
class Tolerance:
    """The smallest imbalance worth caring about: `share` of the cost, but at least `points`.

    Without `points` at least as far as the next cost that can be printed is no better: half way, as ratios go, to the
    neighbours `grid` away.

    >>> Tolerance(points=2.0).band(40.0), Tolerance(points=2.0).band(6.0)
    ((36.0, 44.0), (4.0, 8.0))
    >>> [round(end, 2) for end in Tolerance().band(2.0)]  # 1 and 3 are no better from 1.41 to 2.45
    [1.41, 2.45]
    """

    share: float = 0.10
    points: float | None = None
    grid: float = 1.0

    @classmethod
    def usual(cls, costs: Iterable[float], share: float = 0.10) -> Tolerance:
        """Return the default tolerance among these costs, printed in steps of their greatest common divisor.

        >>> Tolerance.usual([15, 30, 50]).grid, Tolerance.usual([1, 2, 1]).grid, Tolerance.usual([0.5, 2]).grid
        (5.0, 1.0, 0.5)
        """
        hundredths = [round(100 * cost) for cost in costs]
        return cls(share, grid=(gcd(*hundredths) or 100) / 100)

    def band(self, cost: float) -> tuple[float, float]:
        """Return the ends of the fair costs for which a cost is fair, in points."""
        if self.points is not None:
            room = max(self.share * cost, self.points)
            return cost - room, cost + room
        if not cost:
            return 0.0, self.grid / 2
        least = 1.0 if cost > 1 else 0.0  # the next whole cost below the first step
        below, above = cost - self.grid if cost > self.grid else least, cost + self.grid
        return min(cost * (1 - self.share), sqrt(cost * below)), max(cost * (1 + self.share), sqrt(cost * above))

    def of(self, cost: float) -> float:
        """Return by how many points at most a cost may miss the fair one."""
        low, high = self.band(cost)
        return max(cost - low, high - cost)

    def judge(self, cost: float, low: float, high: float) -> str:
        """Return the verdict on a cost where the interval of the fair one is `low` to `high`, all in points.

        >>> [Tolerance().judge(20.0, *ends) for ends in ((15.0, 17.0), (23.0, 25.0), (19.0, 21.5), (21.0, 23.0))]
        ['too dear', 'too cheap', 'fair', 'not yet known']
        """
        least, most = self.band(cost)
        if high < least:
            return "too dear"
        if low > most:
            return "too cheap"
        return "fair" if least <= low and high <= most else "not yet known"


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
