"""Answers as a study keeps them, whose dice answer which questions, and at which step a number would reach another.

Two numbers of a difference are simulated apart, so their variances add; see `balance.analysis.scores.measures`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from balance.analysis.scores.measures import Answer
from balance.engine.query import Query
from balance.engine.runner import packed_distribution_key
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question

FLAT = 1e-9
"""Numbers no further apart than this are the same."""


@dataclass(frozen=True)
class AnswerOf:
    """A measure for `Runner`: question -> `Answer` with some of its columns.

    `trials` and `seed` are for questions whose exact distribution is missing or too large.
    """

    columns: tuple[str, ...]
    trials: int
    seed: int

    def __call__(self, question: Question) -> Answer:
        """Return the exact distribution, or the counts of a simulation."""
        distribution, n_trials = question.known_distribution(self.trials, self.seed)
        return Answer(distribution.marginal(*self.columns), n_trials)


class Sample(NamedTuple):
    """The question whose dice answer others with the same distribution, and how often they are thrown."""

    ask: Query
    trials: int


def shared_samples(asks: Iterable[tuple[Query, int, bool]], game: LoadedGame) -> Mapping[Query, Sample]:
    """Return each question's sample, so that what several tables print is one number, however they ask for it.

    `asks` are questions with the trials that a table wants and whether their kind has exact distributions, which need
    no sample. The first that asks for a distribution is the sample of all, with the most trials that any table wants.
    """
    keys, firsts, most_trials = dict[Query, Hashable](), dict[Hashable, Query](), dict[Hashable, int]()
    for ask, trials, is_exact in asks:
        if ask not in keys:
            keys[ask] = ask if is_exact else packed_distribution_key(ask.to(game)) or ask
        firsts.setdefault(keys[ask], ask)
        most_trials[keys[ask]] = max(trials, most_trials.get(keys[ask], 0))
    return {ask: Sample(firsts[key], most_trials[key]) for ask, key in keys.items()}


def solve_steps(steps: Sequence[int], values: Sequence[float], target: float) -> tuple[float | None, int | None]:
    """Return where linear interpolation between the points (step, value) reaches a target, or what it lies beyond.

    Steps at either end that change nothing more, such as dice taken away from nobody's hand, are left out. The result
    is the place and None; None and the first or last step that counts, if the target lies beyond it; or None twice
    where the values are not monotone, so that no one place could be told. `steps` rise.

    >>> solve_steps([0, 1, 2], [1.0, 3.0, 4.0], 2.0), solve_steps([0, 1, 2], [1.0, 3.0, 4.0], 5.0)
    ((0.5, None), (None, 2))
    >>> solve_steps([-2, -1, 0, 1], [0.0, 0.0, 2.0, 4.0], 1.0)
    (-0.5, None)
    """
    x, y = np.asarray(steps, np.float64), np.asarray(values, np.float64)
    changing = np.flatnonzero(np.abs(np.diff(y)) > FLAT)
    if not len(changing):
        return None, None
    x, y = x[changing[0] : changing[-1] + 2], y[changing[0] : changing[-1] + 2]
    sign = 1.0 if y[1] > y[0] else -1.0
    y, goal = sign * y, sign * target
    if not (np.diff(y) > 0).all():
        return None, None
    if goal < y[0] - FLAT or goal > y[-1] + FLAT:
        return None, int(x[0] if goal < y[0] else x[-1])
    return float(np.interp(goal, y, x)), None
