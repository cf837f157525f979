"""The smallest change after which groups of every size win about as often; sizes that agree already are left alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

LEAST_GAIN = 0.25
"""Share of its distance from the middle of the band that a change must make up for, to be more than luck."""


@dataclass(frozen=True)
class Goal:
    """The band in which the chances of all sizes shall lie, and the sizes whose chances lie in it already."""

    low: float
    high: float
    kept: tuple[int, ...]

    @property
    def middle(self) -> float:
        """The middle of the band."""
        return (self.low + self.high) / 2


def goal_of(chances: Mapping[int, float], width: float) -> Goal:
    """Return the band of a width that holds most sizes already; of several such, the one nearest to the others.

    >>> goal_of({2: 0.58, 3: 0.78, 4: 0.36, 5: 0.62}, 0.10).kept
    (2, 5)
    """

    def key(kept: tuple[int, ...]) -> tuple[int, float, tuple[int, ...]]:
        middle = _middle([chances[size] for size in kept])
        away = sum(abs(chances[size] - middle) for size in chances if size not in kept)
        return -len(kept), away, kept

    sizes = sorted(chances)
    sets = [
        kept
        for n in range(1, len(sizes) + 1)
        for kept in combinations(sizes, n)
        if max(chances[size] for size in kept) - min(chances[size] for size in kept) <= width
    ]
    kept = min(sets, key=key)
    middle = _middle([chances[size] for size in kept])
    return Goal(middle - width / 2, middle + width / 2, kept)


def _middle(values: Sequence[float]) -> float:
    return (min(values) + max(values)) / 2


@dataclass(frozen=True)
class Choice:
    """The change for one size: its place among those tried in turn, None for no change, and how many were tried."""

    step: int | None
    tried: int


def smallest_steps(
    chances: Mapping[int, float],
    goal: Goal,
    steps: Mapping[int, Sequence[bool]],
    measure: Callable[[int, int], float],
) -> dict[int, Choice]:
    """Return the first step of each size outside the goal that brings it in, else the one that brings it nearest.

    `steps` says by size, from the smallest step to the largest, whether each makes things easier; only those in the
    right direction are tried. `measure` is (size, place of a step) -> the chance after it. A step with hardly any gain
    is not taken.

    >>> goal = goal_of({2: 0.5, 3: 0.8}, 0.1)
    >>> smallest_steps({2: 0.5, 3: 0.8}, goal, {3: [True, False, False]}, lambda size, step: [0.9, 0.7, 0.52][step])
    {2: Choice(step=None, tried=0), 3: Choice(step=2, tried=2)}
    """
    choices = {}
    for size, chance in sorted(chances.items()):
        best, nearest, tried = None, (1 - LEAST_GAIN) * abs(chance - goal.middle), 0
        options = [] if size in goal.kept else list(enumerate(steps.get(size, ())))
        for place, is_easier in options:
            if is_easier != (chance < goal.middle):
                continue
            tried, after = tried + 1, measure(size, place)
            if abs(after - goal.middle) < nearest:
                best, nearest = place, abs(after - goal.middle)
            if goal.low <= after <= goal.high:
                break
        choices[size] = Choice(best, tried)
    return choices
