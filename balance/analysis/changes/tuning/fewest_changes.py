"""The fewest and smallest changes of numbers that bring the scores of armies of equal points into a band.

Sets of numbers are tried from small to large, each an extension of the best of the size before: every one where there
are few, as many as `WIDTH` of them elsewhere (a beam search). Within a set values are optimised one at a time
(coordinate descent), and in the best sets two at a time. All this is forecast; the verdict comes from playing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, product

import numpy as np

from balance.analysis.changes.tuning.powers import PowerOfCosts
from balance.analysis.changes.tuning.score_forecast import Movable, ScoreForecast, Step, Target
from balance.base.arrays import FloatArray, IntArray

WIDTH = {"band": 200, "spread": 60}
"""Sets of each size that are extended, by what is looked for: of a spread, a little more than the least will do."""
N_POLISHED = 12
"""Sets of each size whose values are changed two at a time."""
COARSE = 40
"""Values of a number that are tried about at most when a set is extended by it; all of them later."""
NEAR = 6
"""Places by which two values are changed together."""
MOST_PASSES = 8
CELLS = 200_000
"""Scores worked out at a time: no more than the cache holds."""
CLOSE = 1e-12
"""A miss of the target that rounding makes."""
FAR = 1e6
"""What any miss of the target weighs beside the sizes of changes."""


@dataclass(frozen=True)
class Tuning:
    """Changes, and their forecast effect.

    * `changes`: (number, its new value), in the order given.
    * `meets_target`: whether scores are forecast to meet the target; else these changes shrink their spread most.
    * `scores`: `float64[m]`: as forecast.
    * `points` and `worth`: `float64[m]`: what the changes add to costs and to the logs of fair costs.
    * `first_mover`: advantage of going first, as forecast.
    * `unfairness`: the sum of squares by which scores miss one half, as `Target.unfairness` has it.
    * `least_gain`: the share of it that each change has to take off.
    * `power`: all costs to a power, before single numbers change; None where they stay.
    """

    changes: tuple[tuple[Movable, Step], ...]
    meets_target: bool
    scores: FloatArray
    points: FloatArray
    worth: FloatArray
    first_mover: float
    unfairness: float
    least_gain: float
    power: PowerOfCosts | None = None

    @classmethod
    def of(cls, forecast: ScoreForecast, target: Target, changes: Sequence[tuple[Movable, Step]] = ()) -> Tuning:
        """Return changes, (number, its new value) each, with their forecast effect."""
        points, worth = np.zeros((2, len(forecast.costs)))
        for _, step in changes:
            points, worth = points + step.points, worth + step.worth
        first_mover = forecast.first_mover + sum(step.first_mover for _, step in changes)
        scores = forecast.scores(points, worth)
        meets_target = bool(target.misses(scores, first_mover) <= CLOSE)
        unfairness = float(target.unfairness(scores, first_mover, forecast.inside))
        if forecast.too_dear(points):
            meets_target, unfairness = False, np.inf
        return cls(tuple(changes), meets_target, scores, points, worth, first_mover, unfairness, target.least_gain)

    def miss(self, target: Target) -> float:
        """Return the sum of squares by which forecast scores and first mover miss a target; 0 if they meet it."""
        return float(target.misses(self.scores, self.first_mover))

    @property
    def size(self) -> float:
        """Sum of the sizes of all changes, each as a share of the old value."""
        return sum(step.size for _, step in self.changes)

    @property
    def n_changes(self) -> int:
        """How many changes there are; all costs to a power count as one."""
        return len(self.changes) + (self.power is not None)

    @property
    def values(self) -> dict[str, str]:
        """Path -> text of every new value."""
        powered = {} if self.power is None else self.power.costs
        return powered | {number.path: step.text for number, step in self.changes}

    @property
    def rank(self) -> tuple[float, ...]:
        """Sort key, best first: few changes, then small ones, that meet the target; else those that leave it fairest.

        A further change counts only if it takes off at least the share `least_gain` of the sum of squares.
        """
        if self.meets_target:
            return (0, self.n_changes, self.power is not None, self.size)
        return (1, self.unfairness * (1 - self.least_gain) ** -self.n_changes, self.n_changes)


def fewest_changes(forecast: ScoreForecast, movable: Sequence[Movable], target: Target, max_changes: int) -> Tuning:
    """Return the fewest changes that meet the target, and of these the smallest.

    Where as many as `max_changes` do not meet it, return those that shrink the spread of scores most, each of them
    worth making.
    """
    best = Tuning.of(forecast, target)
    if best.meets_target or not movable:
        return best
    for goal in ("band", "spread"):
        search, most = _ChangeSearch.of(forecast, movable, target, goal), min(max_changes, len(movable))
        tunings = [Tuning.of(forecast, target)]
        for sets, values in search.levels(most):
            tunings.append(search.tuning_of(sets[0], values[0]))
            if goal == "band" and tunings[-1].meets_target:
                return tunings[-1]
            if goal == "band" and _is_hopeless([tuning.miss(target) for tuning in tunings], most):
                break
        best = min([best, *tunings], key=lambda tuning: tuning.rank)
    return best


def _is_hopeless(misses: Sequence[float], most: int) -> bool:
    """Return whether the target would be missed even if each change to come gained as much as the best so far."""
    largest_gain = max(before - after for before, after in pairwise(misses))
    return misses[-1] > (most + 1 - len(misses)) * largest_gain


@dataclass(frozen=True)
class _ChangeSearch:
    """The search in arrays: p numbers by v values, of which the first leaves the number as it is.

    `points`, `worth`, `first_mover`, `sizes`: `float64[p, v, m]` twice and `float64[p, v]` twice; the last value is
    repeated where a number has fewer. `goal`: "band": least miss, then least size; "spread": least spread.
    """

    forecast: ScoreForecast
    movable: tuple[Movable, ...]
    target: Target
    goal: str
    points: FloatArray
    worth: FloatArray
    first_mover: FloatArray
    sizes: FloatArray

    @cached_property
    def last_values(self) -> IntArray:
        """The place of the last value of each number, `int64[p]`."""
        return np.array([len(number.steps) for number in self.movable], np.int64)

    @classmethod
    def of(cls, forecast: ScoreForecast, movable: Sequence[Movable], target: Target, goal: str) -> _ChangeSearch:
        still = Step("", 0.0, np.zeros(len(forecast.costs)), np.zeros(len(forecast.costs)))
        width = 1 + max((len(number.steps) for number in movable), default=0)
        steps = [
            ([still, *number.steps] + [number.steps[-1] if number.steps else still] * width)[:width]
            for number in movable
        ]
        shape = (len(movable), width)
        return cls(
            forecast, tuple(movable), target, goal,
            np.array([[step.points for step in row] for row in steps]).reshape(*shape, -1),
            np.array([[step.worth for step in row] for row in steps]).reshape(*shape, -1),
            np.array([[step.first_mover for step in row] for row in steps]).reshape(shape),
            np.array([[step.size for step in row] for row in steps]).reshape(shape),
        )  # fmt: skip

    def keys(self, points: FloatArray, worth: FloatArray, first: FloatArray, sizes: FloatArray) -> FloatArray:
        """Return the objective to minimise, `[...]`, of sums of points and worth, `[..., m]`, and the rest, `[...]`."""
        scores, first = self.forecast.scores(points, worth), self.forecast.first_mover + first
        sizes = sizes + FAR**3 * self.forecast.too_dear(points)
        if self.goal == "spread":
            return np.asarray(self.target.unfairness(scores, first, self.forecast.inside) + 1e-9 * sizes)
        guarded_miss = self.target.misses(scores, first, self.target.guard)
        miss = self.target.misses(scores, first)
        beyond = np.where(miss > CLOSE, FAR**2 * (1 + miss), FAR * (1 + guarded_miss))
        return np.asarray(np.where(guarded_miss > CLOSE, beyond, 0.0) + sizes)

    def levels(self, max_size: int) -> Iterator[tuple[IntArray, IntArray]]:
        """Yield the best sets of 1, 2, ... numbers with their values, `int[b, k]` both, best first."""
        sets: IntArray = np.zeros((1, 0), np.int64)
        values: IntArray = np.zeros((1, 0), np.int64)
        for _ in range(max_size):
            sets, values, new = self.extend(sets, values)
            for part in self.parts(len(sets)):
                self.try_values(sets[part], values[part], new[part], stride=max(1, self.points.shape[1] // COARSE))
            sets, values = (array[: WIDTH[self.goal]] for array in self.best_first(sets, values))
            for part in self.parts(len(sets)):
                self.go_down(sets[part], values[part])
            sets, values = self.best_first(sets, values)
            for at in range(min(N_POLISHED, len(sets))):
                self.go_down_in_pairs(sets[at], values[at])
            sets, values = self.best_first(sets, values)
            yield sets, values

    def parts(self, n: int) -> Iterator[slice]:
        """Yield slices of n sets, so small that all values of a number can be tried in each within memory."""
        size = max(1, CELLS // max(self.points[0].size, 1))
        yield from (slice(at, at + size) for at in range(0, n, size))

    def best_first(self, sets: IntArray, values: IntArray) -> tuple[IntArray, IntArray]:
        """Return sets and values, `int[b, k]` both, sorted by the objective."""
        order = np.argsort(self.keys_of(sets, values), kind="stable")
        return sets[order], values[order]

    def extend(self, sets: IntArray, values: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """Return every set with one more number, the best values of the set it extends, and the new number's place."""
        extensions: dict[tuple[int, ...], tuple[list[int], int]] = {}
        for numbers, chosen_values in zip(sets.tolist(), values.tolist(), strict=True):
            for new in range(len(self.movable)):
                if new not in numbers:
                    pairs = sorted(zip([*numbers, new], [*chosen_values, 0], strict=True))
                    more = tuple(number for number, _ in pairs)
                    extensions.setdefault(more, ([value for _, value in pairs], more.index(new)))
        chosen_values, places = zip(*extensions.values(), strict=True)
        return np.array(list(extensions), np.int64), np.array(chosen_values, np.int64), np.array(places, np.int64)

    def sums(self, sets: IntArray, values: IntArray) -> tuple[FloatArray, ...]:
        """Return points, worth, first mover and sizes of `int[b, k]` numbers at their values, summed over k."""
        tables = (self.points, self.worth, self.first_mover, self.sizes)
        return tuple(table[sets, values].sum(axis=1) for table in tables)

    def keys_of(self, sets: IntArray, values: IntArray) -> FloatArray:
        """Return the objective of each set at its values, `float64[b]`."""
        size = max(1, CELLS // self.points.shape[2])
        parts = [
            self.keys(*self.sums(sets[at : at + size], values[at : at + size])) for at in range(0, len(sets), size)
        ]
        return np.concatenate(parts)

    def try_values(self, sets: IntArray, values: IntArray, slots: IntArray, stride: int = 1) -> None:
        """Give the number at one slot of each set the best of every `stride`-th value beside the others, in place."""
        rows = np.arange(len(sets))
        number, value = sets[rows, slots], values[rows, slots]
        tables = (self.points, self.worth, self.first_mover, self.sizes)
        rest = [total - table[number, value] for total, table in zip(self.sums(sets, values), tables, strict=True)]
        totals = [old[:, None] + table[number, ::stride] for old, table in zip(rest, tables, strict=True)]
        best = np.argmin(self.keys(*totals), axis=1) * stride
        values[rows, slots] = np.minimum(best, self.last_values[number])

    def go_down(self, sets: IntArray, values: IntArray) -> None:
        """Optimise values by coordinate descent, in place, until nothing gets better.

        A value is tried again only where another of its set has changed since.
        """
        is_open = np.ones(sets.shape, bool)
        for _, slot in product(range(MOST_PASSES), range(sets.shape[1])):
            rows = np.flatnonzero(is_open[:, slot])
            if not len(rows):
                continue
            better = values[rows]
            self.try_values(sets[rows], better, np.full(len(rows), slot))
            is_open[rows[better[:, slot] != values[rows, slot]]] = True
            is_open[rows, slot] = False
            values[rows] = better

    def go_down_in_pairs(self, numbers: IntArray, values: IntArray) -> None:
        """Optimise every two numbers of one set together, in place, over values near the present ones and no change."""
        for _ in range(MOST_PASSES):
            before = values.copy()
            for a, b in combinations(range(len(numbers)), 2):
                near = [self.near(int(numbers[at]), int(values[at])) for at in (a, b)]
                candidates = np.tile(values, (near[0].size * near[1].size, 1))
                candidates[:, [a, b]] = np.array(np.meshgrid(*near)).reshape(2, -1).T
                values[:] = candidates[np.argmin(self.keys_of(np.tile(numbers, (len(candidates), 1)), candidates))]
            if np.array_equal(values, before):
                return

    def near(self, number: int, value: int) -> IntArray:
        """Return the places of values near a given one, and 0, that of no change."""
        last = int(self.last_values[number])
        return np.union1d([0], np.arange(max(value - NEAR, 0), min(value + NEAR, last) + 1))

    def tuning_of(self, numbers: IntArray, values: IntArray) -> Tuning:
        """Return a set of numbers at its values, `int[k]` both, as changes; those at value 0 are left out."""
        choices = [(self.movable[at], value) for at, value in zip(numbers.tolist(), values.tolist(), strict=True)]
        changes = [(number, number.steps[value - 1]) for number, value in choices if value]
        return Tuning.of(self.forecast, self.target, changes)
