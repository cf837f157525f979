"""Comparison of ways of playing: each is tried in the very match-up asked about.

Where trials are quick all ways of playing are tried alike. Where they are long each has a *heat* of few trials first,
and the better half a *final* on fresh dice, whose scores alone count: the winner of a heat is overestimated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from balance.base.answers import Doc, formula
from balance.base.errors import BalanceError
from balance.chance.pmf import Pmf
from balance.chance.trials.collect import collect
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.stopping import FixedTrials
from balance.game.question.question import Question, Sample

TRIALS = 2048
"""Trials of each way of playing where they are quick."""
FINAL_SHARE = 16
"""One in so many of the usual trials of a question is played in a final of long ones."""
HEAT_SHARE = 4
"""One in so many of a final's trials is played in the heat before it."""


@dataclass(frozen=True)
class Habit:
    """A way of playing, and its score (wins, draws counting half), with an interval."""

    name: str
    score: Estimate


@dataclass(frozen=True)
class Habits:
    """How the ways of playing of one side fare against what the other side plays.

    Attributes
    ----------
    side, plays, against
        The side, the way that it played, and the way that the other side played.
    ranking
        All ways, the best score first; those eliminated after a heat come last.
    n_trials, seed
        Trials of each way, or of each in the final, and the seed. The way that was played may have more.
    n_heat_trials
        Trials of each way in the heat; 0 without one.
    """

    side: str
    plays: str
    against: str
    ranking: tuple[Habit, ...]
    n_trials: int
    seed: int
    n_heat_trials: int = 0

    def trials_text(self, of: str = "") -> str:
        """Return the number of trials in words; `of` names one of the ways, such as "way to play", or is empty."""
        each = f"{self.n_heat_trials or self.n_trials:,} trials of each {of}".rstrip()
        if not self.n_heat_trials:
            return each
        return f"{each} and {self.n_trials:,} fresh ones of the better half"

    @formula
    def best(self) -> Annotated[tuple[str, ...], Doc("The best way, and those that cannot be told apart from it.")]:
        """Return the best way and those whose intervals overlap its own."""
        return tuple(habit.name for habit in self.ranking if habit.score.high >= self.ranking[0].score.low)

    @property
    def played_habit(self) -> Habit:
        """The way that was played, with its score."""
        return next(habit for habit in self.ranking if habit.name == self.plays)


def compare_habits(
    question: Question, seed: int = 0, trials: int | None = None, sample: Sample | None = None
) -> tuple[Habits, ...]:
    """Return how the ways of playing of each side fare; empty where nobody wins or a policy must be learnt first.

    Each way has `trials`, by default a usual number, with a heat where trials are long. `sample` holds trials of the
    question as it is, which the final need not play again.

    >>> from balance.game.loaded import load
    >>> a, b = compare_habits(load("edadh").ask("duel", "spears", "shieldsmen", policy_b="low"), trials=512)
    >>> a.against, a.plays, len(a.ranking), b.against
    ('low', 'cautious', 8, 'cautious')
    """
    kind, choices = question.kind, dict(question.choices)
    if not kind.winners or not question.is_quick or len(kind.habits) != len(kind.sides):
        return ()
    names = tuple(kind.habits)
    sides = zip(kind.sides, names, reversed(names), strict=True)
    is_raced = trials is None and kind.is_long
    n = kind.usual_trials // FINAL_SHARE if is_raced else trials or TRIALS
    n_heat = n // HEAT_SHARE if is_raced else 0

    def ranking(name: str, side: str) -> tuple[Habit, ...]:
        if n_heat:
            return _race(question, name, side, seed, n_heat, n, sample)
        return _scores(question, name, side, seed, n)

    return tuple(
        Habits(side, choices[name], choices[other_name], ranking(name, side), n, seed, n_heat)
        for side, name, other_name in sides
    )


def _race(
    question: Question, name: str, side: str, seed: int, n_heat: int, trials: int, sample: Sample | None
) -> tuple[Habit, ...]:
    """Return a ranking from a heat of few trials and a final of its better half on fresh dice."""
    kind, plays = question.kind, dict(question.choices)[name]
    ways = [value for value in kind.habits[name] if value != plays]
    heat = _scores(question, name, side, seed, n_heat, ways)
    n_final = max(1, len(heat) // 2)
    finalists = [habit.name for habit in heat[:n_final]] + ([plays] if sample is None else [])
    final = list(_scores(question, name, side, seed, trials, finalists, key="habits/final"))
    if sample is not None:
        final.append(_habit(plays, kind.winners, sample.distribution.marginal(kind.winner), side, sample.n_trials))
    return (*_by_score(final), *heat[n_final:])


def _scores(
    question: Question,
    name: str,
    side: str,
    seed: int,
    trials: int,
    ways: Sequence[str] | None = None,
    key: str = "habits",
) -> tuple[Habit, ...]:
    """Return a ranking of ways (None: all quick ones) by trials on the dice of a key; impossible ways are left out."""
    estimates = []
    for value in question.kind.habits[name] if ways is None else ways:
        try:
            distribution = _sample_distribution(question, {name: value}, seed, trials, key)
        except BalanceError:
            continue  # a way of playing that this side cannot have
        estimates.append(_habit(value, question.kind.winners, distribution, side, trials))
    return _by_score(estimates)


def _by_score(habits: Sequence[Habit]) -> tuple[Habit, ...]:
    return tuple(sorted(habits, key=lambda habit: -habit.score.value))


def _sample_distribution(question: Question, choices: Mapping[str, str], seed: int, trials: int, key: str) -> Pmf:
    """Return the winners in trials with other options; equal keys roll the same dice."""
    task = question.again(**choices).task(key=key)
    return collect(task, FixedTrials(trials), seed=seed).counts.marginal(question.kind.winner)


def _habit(name: str, winners: Mapping[str, int], distribution: Pmf, side: str, trials: int) -> Habit:
    """Return the score of a way from the distribution of winners; its error is never 0, even of equal results."""
    win_values = distribution[distribution.columns[0]]
    points = (
        np.asarray(win_values == winners[side], float) + np.asarray(win_values == winners.get("draw", -1), float) / 2
    )
    score = float(distribution.p @ points)
    spread = max(float(distribution.p @ points**2) - score**2, 1 / trials)  # a streak of one result is no certainty
    estimate = Estimate.of_mean(score, (spread / trials) ** 0.5, trials)
    return Habit(name, replace(estimate, low=max(0.0, estimate.low), high=min(1.0, estimate.high)))
