"""Numbers read off distributions, exact or simulated, and what can be told of their differences.

The distribution of a question is exact where it can be had; otherwise it is the counts of simulated trials. A number is
the mean of a variable that is 0 or 1, or lies between them, or is a difference of columns. If it is simulated it
carries a 95 % interval: Wilson's for a variable between 0 and 1 (for one that takes other values than these two it is
wider than need be), else the normal one. Two numbers of a difference are simulated apart, so their variances add.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from balance.core import Estimate
from balance.pmf import Pmf
from balance.protocol.question import Question
from balance.study.table_settings import Measure

__all__ = ["Answer", "AnswerOf", "read_off", "solve_steps"]

FLAT = 1e-9
"""Numbers no further apart than this are the same."""


@dataclass(frozen=True)
class Answer:
    """A distribution of the columns asked for, and the trials it was counted in; None if it is exact."""

    distribution: Pmf
    n_trials: int | None = None


@dataclass(frozen=True)
class AnswerOf:
    """A measure for `Runner`: question -> `Answer` with some of its columns.

    Attributes
    ----------
    columns
        The columns to keep.
    trials, seed
        How to simulate where there is no exact distribution, or where it is too large.
    """

    columns: tuple[str, ...]
    trials: int
    seed: int

    def __call__(self, question: Question) -> Answer:
        """Return the exact distribution, or the counts of a simulation."""
        distribution, n_trials = question.known(self.trials, self.seed)
        return Answer(distribution.marginal(*self.columns), n_trials)


def read_off(measure: Measure, answer: Answer, winners: Mapping[str, int], winner: str = "") -> Estimate:
    """Return the number that a measure takes from an answer; `winner` is the column that says who won, by `winners`.

    >>> from balance.pmf import die
    >>> read_off(Measure(chance="value", at_least=5), Answer(die(6)), {}).value
    0.3333333333333333
    """
    distribution, values = answer.distribution, _values(measure, answer.distribution, winners, winner)
    mean = float(distribution.p @ values)
    if answer.n_trials is None:
        return Estimate.exact(mean)
    n = answer.n_trials
    error = (max(float(distribution.p @ values**2) - mean**2, 0.0) / n) ** 0.5
    return replace(Estimate.of_share(mean, n), error=error) if measure.is_share else Estimate.of_mean(mean, error, n)


def _values(measure: Measure, distribution: Pmf, winners: Mapping[str, int], winner: str) -> npt.NDArray[np.float64]:
    """Return the variable whose mean is asked for, `float64[m]` over the m outcomes of a distribution."""
    if measure.mean is not None:
        less = distribution[measure.less] if measure.less is not None else 0
        return np.asarray(distribution[measure.mean] - less, np.float64)
    if measure.chance is not None:
        return np.asarray(distribution[measure.chance] >= measure.at_least, np.float64)
    found = distribution[winner]
    won = np.asarray(found == winners[str(measure.result)], np.float64)
    if measure.score is None or "draw" not in winners:
        return won
    return won + np.asarray(found == winners["draw"], np.float64) / 2


def solve_steps(steps: Sequence[int], values: Sequence[float], target: float) -> tuple[float | None, int | None]:
    """Return where straight lines between the points (step, value) reach a target.

    Steps at either end that change nothing more, such as dice taken away from nobody's hand, are left out.

    Returns
    -------
    float or None, int or None
        The place; or None and the first or last step that counts, if the target lies beyond that one. Both are None
        where the values neither rise nor fall throughout, so that no one place could be told.

    >>> solve_steps([0, 1, 2], [1.0, 3.0, 4.0], 2.0), solve_steps([0, 1, 2], [1.0, 3.0, 4.0], 5.0)
    ((0.5, None), (None, 2))
    >>> solve_steps([-2, -1, 0, 1], [0.0, 0.0, 2.0, 4.0], 1.0)
    (-0.5, None)
    """
    x, y = np.asarray(steps, np.float64), np.asarray(values, np.float64)
    moving = np.flatnonzero(np.abs(np.diff(y)) > FLAT)
    if not len(moving):
        return None, None
    x, y = x[moving[0] : moving[-1] + 2], y[moving[0] : moving[-1] + 2]
    sign = 1.0 if y[1] > y[0] else -1.0
    y, goal = sign * y, sign * target
    if not (np.diff(y) > 0).all():
        return None, None
    if goal < y[0] - FLAT or goal > y[-1] + FLAT:
        return None, int(x[0] if goal < y[0] else x[-1])
    return float(np.interp(goal, y, x)), None
