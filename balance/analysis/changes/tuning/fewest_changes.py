"""The fewest and smallest changes of numbers that bring the scores of armies of equal points into a band.

What changes do is foretold from fair costs (see `fair_costs`): an entrant that costs less than it is worth wins more,

    score of l = logistic(slope_l * (log(fair cost of l / cost of l) - level) + shift_l),

with `slope_l` four times what a budget larger by 1 in the log is worth to it, `shift_l` what playing corrected, and the
level such that the mean score is one half: points are only compared with points. A change of a cost is exact in it; a
change of another number adds to the log of the fair cost what was measured.

Sets of numbers are tried from small to large, each an extension of the best of the size before: every one where there
are few, as many as `WIDTH` of them elsewhere. Within a set values go down one at a time, and the best sets two at a
time. What is foretold is no verdict: that is played for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
WIDTH = 200
"""Sets of each size that are extended."""
N_POLISHED = 12
"""Sets of each size whose values are changed two at a time."""
NEAR = 6
"""Places by which two values are changed together."""
MOST_PASSES = 8
NEWTON = 3
"""Steps towards the level: more change no score that a game could show."""
CELLS = 2_000_000
"""Scores worked out at a time."""
CLOSE = 1e-12
"""A miss of the target that rounding makes."""
FAR_OFF = 0.4
"""The logit of a score of .4 or .6."""
FAR = 1e6
"""What any miss of the target weighs beside the sizes of changes."""


@dataclass(frozen=True)
class Step:
    """A new value of a number.

    Attributes
    ----------
    text
        As a patch writes it.
    size
        Of the change, as a share of the old value.
    points, worth
        `float64[m]`: what it adds to the cost of each entrant, and to the log of its fair cost.
    first_mover
        What it adds to the advantage of going first.
    """

    text: str
    size: float
    points: FloatArray
    worth: FloatArray
    first_mover: float = 0.0


@dataclass(frozen=True)
class Movable:
    """A number that may change: where it stands, as `table.entry.column`, its value, and the new ones to be tried."""

    path: str
    old: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Target:
    """Where mean scores shall lie.

    Attributes
    ----------
    low, high
        The band.
    first_mover
        The largest advantage of going first, either way; None if that does not matter.
    guard
        How far within the band scores are wanted where that takes no further change, since they are not known exactly.
    """

    low: float = 0.45
    high: float = 0.55
    first_mover: float | None = None
    guard: float = 0.0

    def misses(self, scores: FloatArray, first_mover: FloatArray | float, guard: float = 0.0) -> FloatArray:
        """Return the sum of squares by which scores `[..., m]` and the first mover `[...]` miss the target.

        Parameters
        ----------
        scores
            Mean scores of m entrants.
        first_mover
            The advantage of going first.
        guard
            How far within the band scores have to lie to count as no miss.
        """
        guard = min(guard, (self.high - self.low) / 4)
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2 - guard
        miss = np.sum(np.maximum(np.abs(scores - middle) - half, 0.0) ** 2, axis=-1)
        if self.first_mover is not None:
            miss = miss + np.maximum(np.abs(first_mover) - self.first_mover, 0.0) ** 2 * scores.shape[-1]
        return np.asarray(miss)


@dataclass(frozen=True)
class ScoreForecast:
    """What is known of m entrants, from which scores are foretold.

    Attributes
    ----------
    costs, log_fair
        `float64[m]`: what they cost, and the log of what they should.
    slopes
        `float64[m]`: four times what a budget larger by 1 in the log adds to a score.
    shifts
        `float64[m]`: what playing corrected, on the scale of logits.
    first_mover
        The advantage of going first, as a difference from one half.
    """

    costs: FloatArray
    log_fair: FloatArray
    slopes: FloatArray
    shifts: FloatArray
    first_mover: float = 0.0

    def scores(self, points: FloatArray | float = 0.0, worth: FloatArray | float = 0.0) -> FloatArray:
        """Return mean scores `[..., m]` where costs and logs of fair costs `[..., m]` have grown by so much.

        Parameters
        ----------
        points
            What is added to the cost of each entrant.
        worth
            What is added to the log of its fair cost.

        >>> fair = np.array([10.0, 20.0, 30.0, 40.0])
        >>> forecast = ScoreForecast(fair, np.log(fair), np.full(4, 4.0), np.zeros(4))
        >>> forecast.scores().tolist()
        [0.5, 0.5, 0.5, 0.5]
        >>> forecast.scores(np.array([2.0, 0.0, 0.0, 0.0])).round(2).tolist()  # a dearer one wins less, the others more
        [0.37, 0.54, 0.54, 0.54]
        """
        return _logistic(self.logits(points, worth) - self.slopes * self.level(points, worth))

    def level(self, points: FloatArray | float, worth: FloatArray | float) -> FloatArray:
        """Return the level at which the mean score is one half, `[..., 1]`.

        Parameters
        ----------
        points
            `[..., m]`: what is added to the cost of each entrant.
        worth
            `[..., m]`: what is added to the log of its fair cost.
        """
        off, total = self.logits(points, worth), float(self.slopes.sum())
        level = off.sum(axis=-1, keepdims=True) / total
        for _ in range(NEWTON):
            scores = _logistic(off - self.slopes * level)
            weight = np.sum(self.slopes * scores * (1 - scores), axis=-1, keepdims=True)
            level = level + np.sum(scores - 0.5, axis=-1, keepdims=True) / np.maximum(weight, total / 50)
        return np.asarray(level)

    def logits(self, points: FloatArray | float, worth: FloatArray | float) -> FloatArray:
        """Return the logits of scores before the level is taken off.

        Parameters
        ----------
        points
            `[..., m]`: what is added to the cost of each entrant.
        worth
            `[..., m]`: what is added to the log of its fair cost.
        """
        return np.asarray(self.slopes * (self.log_fair + worth - np.log(self.costs + points)) + self.shifts)

    def with_correction(self, scores: FloatArray, points: FloatArray, worth: FloatArray) -> ScoreForecast:
        """Return the same, so corrected that scores which were played after some changes are foretold as they were.

        Near one half they are shifted; far from it the slope is another, so that a fair cost stays a fair cost, but at
        most twice or half of what it was: the rest is shifted. Exact where the mean of scores is one half.

        Parameters
        ----------
        scores
            `float64[m]`: as played.
        points, worth
            `float64[m]`: what the changes added to costs and to the logs of fair costs.
        """
        played_logits = np.log(clipped_scores := np.clip(scores, 0.01, 0.99)) - np.log(1 - clipped_scores)
        off = self.logits(points, worth) - self.slopes * self.level(points, worth)
        far = (np.abs(played_logits) > FAR_OFF) & (np.abs(off) > FAR_OFF / 2)
        slope_factor = np.clip(np.where(far, played_logits / np.where(far, off, 1.0), 1.0), 0.5, 2.0)
        return replace(
            self,
            slopes=self.slopes * slope_factor,
            shifts=self.shifts * slope_factor + played_logits - off * slope_factor,
        )


def _logistic(x: FloatArray) -> FloatArray:
    return np.asarray(0.5 + 0.5 * np.tanh(x / 2))


@dataclass(frozen=True)
class Tuning:
    """The changes found.

    Attributes
    ----------
    changes
        (number, its new value), in the order given.
    meets_target
        Whether scores are foretold to meet the target; else these changes shrink their spread most.
    scores
        `float64[m]`: as foretold.
    points, worth
        `float64[m]`: what the changes add to costs and to the logs of fair costs.
    first_mover
        As foretold.
    """

    changes: tuple[tuple[Movable, Step], ...]
    meets_target: bool
    scores: FloatArray
    points: FloatArray
    worth: FloatArray
    first_mover: float

    @property
    def size(self) -> float:
        """Sizes of all changes together, each as a share of the old value."""
        return sum(step.size for _, step in self.changes)


def fewest_changes(forecast: ScoreForecast, movable: Sequence[Movable], target: Target, max_changes: int) -> Tuning:
    """Return the fewest changes that meet the target, and of these the smallest.

    Where as many as `max_changes` do not meet it, those that shrink the spread of scores most are returned.

    Parameters
    ----------
    forecast
        What is known of the entrants.
    movable
        The numbers that may change, with the values to be tried.
    target
        Where mean scores shall lie.
    max_changes
        Numbers that may change at once.

    Examples
    --------
    >>> fair = np.array([10.0, 20.0, 30.0, 40.0])
    >>> forecast = ScoreForecast(fair + [0, 0, 9, 0], np.log(fair), np.full(4, 4.0), np.zeros(4))
    >>> def cost(at):
    ...     old, alone = forecast.costs[at], np.eye(4)[at]
    ...     steps = [Step(f"{new}", abs(new / old - 1), (new - old) * alone, np.zeros(4)) for new in range(5, 60)]
    ...     return Movable(f"units.{at}.cost", f"{old:g}", tuple(steps))
    >>> found = fewest_changes(forecast, [cost(at) for at in range(4)], Target(), max_changes=2)
    >>> [(number.path, step.text) for number, step in found.changes], found.meets_target
    ([('units.2.cost', '32')], True)
    """
    scores, still = forecast.scores(), np.zeros(len(forecast.costs))
    tuning = Tuning(
        (), bool(target.misses(scores, forecast.first_mover) <= CLOSE), scores, still, still, forecast.first_mover
    )
    if tuning.meets_target or not movable:
        return tuning
    for goal in ("band", "spread"):
        search = _ChangeSearch.of(forecast, movable, target, goal)
        for sets, values in search.levels(min(max_changes, len(movable))):
            tuning = search.tuning_of(sets[:1], values[:1])
            if goal == "band" and tuning.meets_target:
                return tuning
    return tuning


@dataclass(frozen=True)
class _ChangeSearch:
    """The search in arrays: numbers p by values v, the first of which leaves the number as it is.

    Attributes
    ----------
    points, worth, first_mover, sizes
        `float64[p, v, m]` twice and `float64[p, v]` twice; the last value is repeated where a number has fewer.
    goal
        "band": least miss, then least size; "spread": least spread.
    """

    forecast: ScoreForecast
    movable: tuple[Movable, ...]
    target: Target
    goal: str
    points: FloatArray
    worth: FloatArray
    first_mover: FloatArray
    sizes: FloatArray

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
        """Return what is to be least, `[...]`, of sums `[..., m]` and `[...]`."""
        scores, first = self.forecast.scores(points, worth), self.forecast.first_mover + first
        if self.goal == "spread":
            miss = self.target.misses(np.full_like(scores, 0.5), first)  # a first mover too strong counts here too
            return np.asarray(np.sum((scores - 0.5) ** 2, axis=-1) + miss + 1e-9 * sizes)
        guarded_miss = self.target.misses(scores, first, self.target.guard)
        miss = self.target.misses(scores, first)
        beyond = np.where(miss > CLOSE, FAR**2 * (1 + miss), FAR * (1 + guarded_miss))
        return np.asarray(np.where(guarded_miss > CLOSE, beyond, 0.0) + sizes)

    def levels(self, max_size: int) -> Iterator[tuple[IntArray, IntArray]]:
        """Yield the best sets of 1, 2, ... numbers with their values, `int[b, k]` both, best first."""
        sets, values = np.zeros((1, 0), np.int64), np.zeros((1, 0), np.int64)
        for _ in range(max_size):
            sets, values, new = self.extend(sets, values)
            for part in self.parts(len(sets)):
                self.try_values(sets[part], values[part], new[part])
            sets, values = (array[:WIDTH] for array in self.best_first(sets, values))
            for part in self.parts(len(sets)):
                self.go_down(sets[part], values[part])
            sets, values = self.best_first(sets, values)
            for at in range(min(N_POLISHED, len(sets))):
                self.go_down_in_pairs(sets[at], values[at])
            sets, values = self.best_first(sets, values)
            yield sets, values

    def parts(self, n: int) -> Iterator[slice]:
        """Yield slices of so many sets that all values of a number can be tried at once in each."""
        size = max(1, CELLS // max(self.points[0].size, 1))
        yield from (slice(at, at + size) for at in range(0, n, size))

    def best_first(self, sets: IntArray, values: IntArray) -> tuple[IntArray, IntArray]:
        """Return sets and values in order of what is to be least."""
        order = np.argsort(self.keys_of(sets, values), kind="stable")
        return sets[order], values[order]

    def extend(self, sets: IntArray, values: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """Return every set with one number more, each once, with the values of the best that it extends, and where."""
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
        """Return what is to be least of each set."""
        size = max(1, CELLS // self.points.shape[2])
        parts = [
            self.keys(*self.sums(sets[at : at + size], values[at : at + size])) for at in range(0, len(sets), size)
        ]
        return np.concatenate(parts)

    def try_values(self, sets: IntArray, values: IntArray, slots: IntArray) -> None:
        """Give one number of each set its best value beside the others, in place."""
        rows = np.arange(len(sets))
        number, value = sets[rows, slots], values[rows, slots]
        tables = (self.points, self.worth, self.first_mover, self.sizes)
        rest = [total - table[number, value] for total, table in zip(self.sums(sets, values), tables, strict=True)]
        totals = [old[:, None] + table[number] for old, table in zip(rest, tables, strict=True)]
        values[rows, slots] = np.argmin(self.keys(*totals), axis=1)

    def go_down(self, sets: IntArray, values: IntArray) -> None:
        """Give one number after the other its best value, in place, until nothing gets better."""
        for _ in range(MOST_PASSES):
            before = values.copy()
            for slot in range(sets.shape[1]):
                self.try_values(sets, values, np.full(len(sets), slot))
            if np.array_equal(values, before):
                return

    def go_down_in_pairs(self, numbers: IntArray, values: IntArray) -> None:
        """Give every two numbers of a set their best values near those they have, or none, in place."""
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
        """Return the places of values near one, and that of no change."""
        last = len(self.movable[number].steps)
        return np.union1d([0], np.arange(max(value - NEAR, 0), min(value + NEAR, last) + 1))

    def tuning_of(self, sets: IntArray, values: IntArray) -> Tuning:
        """Return one set (`int[1, k]`) with its values as the changes found."""
        points, worth, first, _ = self.sums(sets, values)
        first_mover = self.forecast.first_mover + float(first[0])
        scores = self.forecast.scores(points[0], worth[0])
        choices = zip(sets[0].tolist(), values[0].tolist(), strict=True)
        changes = tuple((self.movable[at], self.movable[at].steps[value - 1]) for at, value in choices if value)
        meets_target = bool(self.target.misses(scores, first_mover) <= CLOSE)
        return Tuning(changes, meets_target, scores, points[0], worth[0], first_mover)
