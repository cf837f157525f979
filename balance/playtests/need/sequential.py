"""Plans that may look after every evening: boundaries on the lead that spend the errors little by little.

Looking again and again with the interval of one look raises the false alarm far above what it says. A plan with looks
spends its error instead: by the time a fraction t of the games is played, at most

    error_spending(t) = 2 - 2 Phi(z / sqrt(t)),  z the quantile of the normal curve at 1 - error / 2,

has been used up, which is little at first and all of it at the end (Lan and DeMets 1983, Biometrika 70, 659, for the
boundaries of O'Brien and Fleming 1979, Biometrics 35, 549). At each look the boundary is the smallest lead that keeps
within what may have been spent, found on the lattice of leads and so exactly, draws included.

The outer boundaries name a thing underpowered or overpowered; they are worked out as if nobody ever stopped for "fair",
so that one may play on. The inner ones call it fair: by the same spending of the chance to miss what is off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

from balance.playtests.need.fixed import fixed_size
from balance.playtests.need.goals import HALF, Goal
from balance.playtests.need.lattice import NEVER, Leads, Zone, walk

MOST_LOOKS = 250
"""Looks of a plan: with more games it looks after every second, third... evening, which costs next to nothing."""


def error_spending(fraction: float, error: float) -> float:
    """Return how much of a one-sided error may be spent by a fraction t of the games, 2 - 2 Phi(z / sqrt(t)).

    >>> [round(error_spending(fraction / 5, 0.025), 6) for fraction in (1, 2, 3, 4, 5)]
    [1e-06, 0.000394, 0.003808, 0.012212, 0.025]
    """
    normal = NormalDist()
    return 2 * normal.cdf(-normal.inv_cdf(1 - error / 2) / fraction**0.5) if fraction < 1 else error


@dataclass(frozen=True)
class Edges:
    """What boundaries must keep: a true score of `low` or `high` ends wrongly with a chance of at most `error`."""

    low: float
    high: float
    error: float


def boundaries(looks: Sequence[int], draws: float, outer: Edges, inner: Edges | None) -> list[Zone]:
    """Return the zones of a plan that looks after `looks` games, rising.

    `draws` is the share of draws: errors are larger with fewer, so that 0 is the safe side. By `outer`, score `high` is
    called overpowered and `low` underpowered at most with chance `error`; by `inner` each of them fair, None: never
    early.

    >>> zones = boundaries([10, 20], 0.0, Edges(0.5, 0.5, 0.025), None)
    >>> [(zone.games, zone.down, zone.up) for zone in zones]
    [(10, -10, 10), (20, -10, 10)]
    """
    ups = _ups(looks, draws, outer.high, outer.error)
    downs = ups if outer.low == 1 - outer.high else _ups(looks, draws, 1 - outer.low, outer.error)
    middle = [(NEVER, -NEVER)] * len(looks) if inner is None else _middles(looks, draws, inner)
    return [
        Zone(games, -down, *_between(low, high, -down, up), up)
        for games, down, (low, high), up in zip(looks, downs, middle, ups, strict=True)
    ]


def _between(low: int, high: int, down: int, up: int) -> tuple[int, int]:
    """Return the middle zone cut to what lies between the outer ones, which come first; empty if low exceeds high."""
    return (max(low, down + 1), min(high, up - 1)) if low <= high else (NEVER, -NEVER)


def _ups(looks: Sequence[int], draws: float, score: float, error: float) -> list[int]:
    """Return the upper boundary: at each look the least lead that spends no more error than allowed by then."""
    leads, used_error, boundary_leads = Leads(score, draws), 0.0, []
    for games in looks:
        leads.play(games)
        up = leads.least_up(error_spending(games / looks[-1], error) - used_error)
        used_error += leads.take(up, NEVER)
        boundary_leads.append(up)
    return boundary_leads


def _middles(looks: Sequence[int], draws: float, inner: Edges) -> list[tuple[int, int]]:
    """Return the inner boundaries at each look, (low, high) leads that are called fair; low above high for none."""
    above, below = Leads(inner.high, draws), Leads(1 - inner.low, draws)
    used_errors, ranges = [0.0, 0.0], []
    for games in looks:
        may = error_spending(games / looks[-1], inner.error)
        above.play(games)
        below.play(games)
        high, low = above.most_down(may - used_errors[0]), -below.most_down(may - used_errors[1])
        if low > high:
            low, high = NEVER, -NEVER
        else:
            used_errors[0] += above.take(low, high)
            used_errors[1] += below.take(-high, -low)
        ranges.append((low, high))
    return ranges


def power_with(goal: Goal, zones: Sequence[Zone]) -> float:
    """Return the exact power of a plan with looks: the least over all that the goal wants to be named."""
    powers = []
    if goal.difference is not None:
        low, high = goal.sides
        powers = [walk(zones, high, goal.draws).up.sum(), walk(zones, low, goal.draws).down.sum()]
    if goal.band is not None:
        powers.append(walk(zones, HALF, goal.draws).fair.sum())
    return float(min(powers))


def error_with(goal: Goal, zones: Sequence[Zone]) -> float:
    """Return the exact false-alarm rate of a plan with looks, as `balance.playtests.need.fixed.error_of` defines it."""
    if goal.band is not None:
        return max(float(walk(zones, edge, goal.draws).fair.sum()) for edge in goal.band)
    ends = walk(zones, HALF, goal.draws)
    return float(ends.up.sum() + ends.down.sum())


@lru_cache(maxsize=64)
def sequential_zones(goal: Goal) -> tuple[Zone, ...]:
    """Return the plan with the fewest evenings, and a look after each, that has the goal's power and error.

    >>> zones = sequential_zones(Goal(0.2, games_per_evening=8))
    >>> len(zones), zones[-1].games
    (8, 64)
    """
    evening = goal.games_per_evening
    low = max(1, int(0.8 * fixed_size(goal).games / evening))
    high = low + 1
    while not _has_power(goal, high):
        low, high = high, int(1.15 * high) + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _has_power(goal, middle) else (middle, high)
    return _zones(goal, high)


def _has_power(goal: Goal, evenings: int) -> bool:
    """Return whether a plan of so many evenings has the goal's power."""
    return power_with(goal, _zones(goal, evenings)) >= goal.power


def evenings_a_look(evenings: int) -> int:
    """Return the evenings between two looks, so that there are at most `MOST_LOOKS` looks.

    >>> evenings_a_look(250), evenings_a_look(251)
    (1, 2)
    """
    return -(-evenings // MOST_LOOKS)


@lru_cache(maxsize=64)
def _zones(goal: Goal, evenings: int) -> tuple[Zone, ...]:
    evenings_per_look = evenings_a_look(evenings)
    looks = [goal.games_per_evening * at for at in range(evenings, 0, -evenings_per_look)][::-1]
    side = (1 - goal.level) / 2
    if goal.band is None:
        outer, inner = Edges(HALF, HALF, side), Edges(*goal.sides, 1 - goal.power)
    else:
        outer = inner = Edges(*goal.band, side)
    return tuple(boundaries(looks, goal.draws, outer, inner))
