"""Which way of playing does best against what the other side plays: each is tried in the very match-up asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from balance.base.errors import BalanceError
from balance.chance.pmf import Pmf
from balance.chance.trials.collect import collect
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.stopping import FixedTrials
from balance.game.question.question import Question

TRIALS = 2048


@dataclass(frozen=True)
class Habit:
    """A way of playing, and its score (a draw counts half)."""

    name: str
    score: Estimate


@dataclass(frozen=True)
class Habits:
    """How the ways of playing of one side do against what the other side plays.

    Attributes
    ----------
    side, plays, against
        Whose they are, which one was played, and what the other side played.
    ranking
        All of them, the best first.
    n_trials, seed
        Trials of each, and the seed of all.
    """

    side: str
    plays: str
    against: str
    ranking: tuple[Habit, ...]
    n_trials: int
    seed: int

    @property
    def best(self) -> tuple[Habit, ...]:
        """The best, and those whose intervals meet its own: they cannot be told apart."""
        return tuple(habit for habit in self.ranking if habit.score.high >= self.ranking[0].score.low)

    @property
    def played_habit(self) -> Habit:
        """The one that was played."""
        return next(habit for habit in self.ranking if habit.name == self.plays)


def compare_habits(question: Question, seed: int = 0, trials: int | None = None) -> tuple[Habits, ...]:
    """Return, for each side that has ways of playing, how they do; nothing where nobody wins or one must be learnt.

    Parameters
    ----------
    question
        The question, of a duel.
    seed
        Seed of the simulation, where no exact answer is to be had.
    trials
        Trials of a simulation of each way of playing.

    Examples
    --------
    >>> from balance.game.loaded import load
    >>> a, b = compare_habits(load("edadh").ask("duel", "spears", "shieldsmen", policy_b="low"), trials=512)
    >>> a.against, a.plays, len(a.ranking), b.against
    ('low', 'cautious', 8, 'cautious')
    """
    kind, choices, n = question.kind, dict(question.choices), trials or TRIALS
    if not kind.winners or not question.is_quick or len(kind.habits) != len(kind.sides):
        return ()
    names = tuple(kind.habits)
    return tuple(
        Habits(side, choices[name], choices[other_name], _scores(question, name, side, seed, n), n, seed)
        for side, name, other_name in zip(kind.sides, names, reversed(names), strict=True)
    )


def _scores(question: Question, name: str, side: str, seed: int, trials: int) -> tuple[Habit, ...]:
    estimates = []
    for value in question.kind.habits[name]:
        try:
            distribution = _sample_distribution(question, {name: value}, seed, trials)
        except BalanceError:
            continue  # a way of playing that this side cannot have
        estimates.append(_habit(value, question.kind.winners, distribution, side, trials))
    return tuple(sorted(estimates, key=lambda habit: -habit.score.value))


def _sample_distribution(question: Question, choices: Mapping[str, str], seed: int, trials: int) -> Pmf:
    """Return trials of a question with something else chosen; all are played with the same dice."""
    task = question.again(**choices).task(key="habits")
    return collect(task, FixedTrials(trials), seed=seed).counts.marginal(question.kind.winner)


def _habit(name: str, winners: Mapping[str, int], distribution: Pmf, side: str, trials: int) -> Habit:
    """Return how a side fares that plays so, from the distribution of the winner alone."""
    win_values = distribution[distribution.columns[0]]
    points = (
        np.asarray(win_values == winners[side], float) + np.asarray(win_values == winners.get("draw", -1), float) / 2
    )
    score = float(distribution.p @ points)
    spread = max(float(distribution.p @ points**2) - score**2, 1 / trials)  # a streak of one result is no certainty
    estimate = Estimate.of_mean(score, (spread / trials) ** 0.5, trials)
    return Habit(name, replace(estimate, low=max(0.0, estimate.low), high=min(1.0, estimate.high)))
