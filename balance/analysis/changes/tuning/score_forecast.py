"""A forecast of the scores that changes of numbers would bring, from fair costs, and the target for scores.

It rests on fair costs (see `fair_costs`): an entrant that costs less than it is worth wins more,

    score of l = logistic(slope_l * (log(fair cost of l / cost of l) - level) + shift_l),

with `slope_l` four times what a budget larger by 1 in the log is worth to it, `shift_l` what playing corrected, and the
level such that the mean score is one half: points are only compared with points. A change of a cost is exact in it; a
change of another number adds to the log of the fair cost what was measured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.numbers import EVEN_BAND

Values = TypeVar("Values", FloatArray, BoolArray)
NEWTON = 3
"""Steps towards the level: more change no score that a game could show."""
FAR_OFF = 0.4
"""The logit of a score of .4 or .6."""
AS_GOOD = 0.1
"""Sums of squares that differ by less than this share are as good as each other: what moves nobody out of the band is
then preferred."""


@dataclass(frozen=True)
class Step:
    """A new value of a number.

    `text`: as a patch writes it. `size`: of the change, as a share of the old value. `points` and `worth`:
    `float64[m]`: what it adds to the cost of each entrant, and to the log of its fair cost. `first_mover`: what it adds
    to the advantage of going first.
    """

    text: str
    size: float
    points: FloatArray
    worth: FloatArray
    first_mover: float = 0.0


@dataclass(frozen=True)
class Movable:
    """A number that may change, at `table.entry.column`, with the effects of all new values to be tried."""

    path: str
    old: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Target:
    """The band in which mean scores shall lie.

    * `low` and `high`: the ends of the band.
    * `first_mover`: the largest advantage of going first, either way; None if that does not matter.
    * `guard`: how far within the band scores are wanted where that takes no further change, since they are not known
      exactly.
    * `least_gain`: the share of the sum of squares that a further change has to take off to be worth making, below 1.
    * `judged`: `int[k]`: places of the entrants whose scores shall lie there; all by default.
    """

    low: float = EVEN_BAND[0]
    high: float = EVEN_BAND[1]
    first_mover: float | None = None
    guard: float = 0.0
    least_gain: float = 0.0
    judged: IntArray | None = None

    def of_judged(self, values: Values) -> Values:
        """Return the values `[..., k]` of the judged entrants from those of all, `[..., m]`."""
        return values if self.judged is None else values[..., self.judged]

    def holds(self, scores: FloatArray) -> BoolArray:
        """Return which scores `[..., m]` lie in the band."""
        return np.asarray((scores >= self.low) & (scores <= self.high))

    def unfairness(
        self, scores: FloatArray, first_mover: FloatArray | float, inside: BoolArray | None = None
    ) -> FloatArray:
        """Return the sum of squares by which scores `[..., m]` miss one half, a little more if some leave the band.

        `first_mover` `[...]` counts by how much it is too large; `inside`, `bool[m]`, says who lies in the band now and
        should stay there where that takes little else.

        >>> Target().unfairness(np.array([[0.4, 0.6], [0.3, 0.5]]), 0.0).round(3).tolist()
        [0.02, 0.04]
        """
        judged = self.of_judged(scores)
        squares = np.sum((judged - 0.5) ** 2, axis=-1) + self.misses(np.full(scores.shape[-1], 0.5), first_mover)
        if inside is None:
            return np.asarray(squares)
        moved_out = np.sum(self.of_judged(inside) & ~self.holds(judged), axis=-1)
        return np.asarray(squares * (1 + AS_GOOD * moved_out / (moved_out + 2)))

    def misses(self, scores: FloatArray, first_mover: FloatArray | float, guard: float = 0.0) -> FloatArray:
        """Return the sum of squares by which scores `[..., m]` and first mover `[...]` miss the target, or 0.

        With `guard`, scores have to lie so far within the band.
        """
        guard = min(guard, (self.high - self.low) / 4)
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2 - guard
        judged = self.of_judged(scores)
        miss = np.sum(np.maximum(np.abs(judged - middle) - half, 0.0) ** 2, axis=-1)
        if self.first_mover is not None:
            miss = miss + np.maximum(np.abs(first_mover) - self.first_mover, 0.0) ** 2 * judged.shape[-1]
        return np.asarray(miss)


@dataclass(frozen=True)
class ScoreForecast:
    """What is known of m entrants, from which scores are forecast.

    * `costs` and `log_fair`: `float64[m]`: what they cost, and the log of what they should.
    * `slopes`: `float64[m]`: four times what a budget larger by 1 in the log adds to a score.
    * `shifts`: `float64[m]`: what playing corrected, on the scale of logits.
    * `first_mover`: the advantage of going first, as a difference from one half.
    * `inside`: `bool[m]`: who lies in the band as things are; None where that does not matter.
    * `smallest_budget`: points that no cost may be raised to.
    * `printed`: `float64[m]`: what entrants cost in print, where that is not `costs`.
    """

    costs: FloatArray
    log_fair: FloatArray
    slopes: FloatArray
    shifts: FloatArray
    first_mover: float = 0.0
    inside: BoolArray | None = None
    smallest_budget: float = np.inf
    printed: FloatArray | None = None

    def too_dear(self, points: FloatArray) -> BoolArray:
        """Return whether added points `[..., m]` raise any cost to the smallest budget or beyond, `[...]`.

        >>> two = ScoreForecast(np.array([5.0, 30.0]), np.zeros(2), np.ones(2), np.zeros(2), smallest_budget=20)
        >>> two.too_dear(np.array([[14.0, 0.0], [15.0, 0.0], [0.0, 1.0], [0.0, -1.0]])).tolist()
        [False, True, True, False]
        """
        costs, printed = self.costs + points, self.costs if self.printed is None else self.printed
        return np.asarray(np.any((costs > printed) & (costs >= self.smallest_budget), axis=-1))

    def scores(self, points: FloatArray | float = 0.0, worth: FloatArray | float = 0.0) -> FloatArray:
        """Return mean scores with `points` added to costs and `worth` to the logs of fair costs, `[..., m]` each."""
        off = self.logits(points, worth)
        return _logistic(off - self.slopes * self.level(off))

    def level(self, off: FloatArray) -> FloatArray:
        """Return the level at which the mean score is one half, `[..., 1]`, for logits, `[..., m]`."""
        total = float(self.slopes.sum())
        level = off.sum(axis=-1, keepdims=True) / total
        for _ in range(NEWTON):
            scores = _logistic(off - self.slopes * level)
            weight = np.sum(self.slopes * scores * (1 - scores), axis=-1, keepdims=True)
            level = level + np.sum(scores - 0.5, axis=-1, keepdims=True) / np.maximum(weight, total / 50)
        return np.asarray(level)

    def logits(self, points: FloatArray | float, worth: FloatArray | float) -> FloatArray:
        """Return the logits of scores, `[..., m]`, before the level is taken off."""
        return np.asarray(self.slopes * (self.log_fair + worth - np.log(self.costs + points)) + self.shifts)

    def with_correction(self, scores: FloatArray, points: FloatArray, worth: FloatArray) -> ScoreForecast:
        """Return a forecast that gives these played scores, `float64[m]`, for changes of `points` and `worth`.

        Near one half logits are shifted; far from it the slope is changed, so that a fair cost stays a fair cost, by a
        factor between 1/2 and 2, and the rest is shifted. It is exact where the mean of scores is one half.
        """
        played_logits = np.log(clipped_scores := np.clip(scores, 0.01, 0.99)) - np.log(1 - clipped_scores)
        logits = self.logits(points, worth)
        off = logits - self.slopes * self.level(logits)
        far = (np.abs(played_logits) > FAR_OFF) & (np.abs(off) > FAR_OFF / 2)
        slope_factor = np.clip(np.where(far, played_logits / np.where(far, off, 1.0), 1.0), 0.5, 2.0)
        return replace(
            self,
            slopes=self.slopes * slope_factor,
            shifts=self.shifts * slope_factor + played_logits - off * slope_factor,
        )


def _logistic(x: FloatArray) -> FloatArray:
    with np.errstate(over="ignore"):  # of 1 / (1 + infinity) nothing is left
        return np.asarray(np.reciprocal(1 + np.exp(-x)))  # a hyperbolic tangent takes eight times as long
