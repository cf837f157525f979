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
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.collect import block_sizes
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.tally import count_rows
from balance.chance.trials.together import Block, play_blocks
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
    """
    kind, choices = question.kind, dict(question.choices)
    if not kind.winners or not question.is_quick or len(kind.habits) != len(kind.sides):
        return ()
    names = tuple(kind.habits)
    is_raced = trials is None and kind.is_long
    n = kind.usual_trials // FINAL_SHARE if is_raced else trials or TRIALS
    n_heat = n // HEAT_SHARE if is_raced else 0
    rankings = _races(question, seed, n_heat, n, sample) if is_raced else _scores(question, kind.habits, seed, n)
    return tuple(
        Habits(side, choices[name], choices[other_name], rankings[name], n, seed, n_heat)
        for side, name, other_name in zip(kind.sides, names, reversed(names), strict=True)
    )


def _races(
    question: Question, seed: int, n_heat: int, trials: int, sample: Sample | None
) -> dict[str, tuple[Habit, ...]]:
    """Return by decision a ranking from a heat of few trials and a final of its better half on fresh dice."""
    kind, plays = question.kind, dict(question.choices)
    others = {name: [value for value in values if value != plays[name]] for name, values in kind.habits.items()}
    heats, rankings = _scores(question, others, seed, n_heat), dict[str, tuple[Habit, ...]]()
    n_final = {name: max(1, len(heat) // 2) for name, heat in heats.items()}
    finalists = {
        name: [habit.name for habit in heat[: n_final[name]]] + ([plays[name]] if sample is None else [])
        for name, heat in heats.items()
    }
    finals = _scores(question, finalists, seed, trials, key="habits/final")
    for side, (name, heat) in zip(kind.sides, heats.items(), strict=True):
        final = list(finals[name])
        if sample is not None:
            winners = sample.distribution.marginal(kind.winner)
            final.append(_habit(plays[name], kind.winners, winners, side, sample.n_trials, _draw(question, side)))
        rankings[name] = (*_by_score(final), *heat[n_final[name] :])
    return rankings


def _scores(
    question: Question, ways: Mapping[str, Sequence[str]], seed: int, trials: int, key: str = "habits"
) -> dict[str, tuple[Habit, ...]]:
    """Return by decision a ranking of ways by trials on the dice of a key; impossible ways are left out."""
    kind, entries, blocks = question.kind, list[tuple[str, str, str, slice]](), list[Block]()
    for side, (name, values) in zip(kind.sides, ways.items(), strict=True):
        for value in values:
            try:
                other = question.again(**{name: value})
            except BalanceError:
                continue  # a way of playing that this side cannot have
            sizes = block_sizes(other.task(key=key), trials)
            own = [(other.setup, RandomRolls(seed, key, number, size)) for number, size in sizes]
            entries.append((side, name, value, slice(len(blocks), len(blocks) + len(own))))
            blocks += own
    outcomes = play_blocks(blocks, kind.processes, kind.joint)
    rankings: dict[str, list[Habit]] = {name: [] for name in ways}
    for side, name, value, places in entries:
        winners = count_rows({kind.winner: np.concatenate([outcome[kind.winner] for outcome in outcomes[places]])})
        rankings[name].append(_habit(value, kind.winners, winners, side, trials, _draw(question, side)))
    return {name: _by_score(habits) for name, habits in rankings.items()}


def _by_score(habits: Sequence[Habit]) -> tuple[Habit, ...]:
    return tuple(sorted(habits, key=lambda habit: -habit.score.value))


def _draw(question: Question, side: str) -> float:
    """Return what a draw counts for a side: its fair share."""
    return question.fair_share if side == question.kind.sides[0] else 1 - question.fair_share


def _habit(
    name: str, winners: Mapping[str, int], distribution: Pmf, side: str, trials: int, draw: float = 0.5
) -> Habit:
    """Return the score of a way, a draw counting so much; its error is never 0, even of equal results."""
    win_values = distribution[distribution.columns[0]]
    points = (win_values == winners[side]) + (win_values == winners.get("draw", -1)) * draw
    score = float(distribution.p @ points)
    spread = max(float(distribution.p @ points**2) - score**2, 1 / trials)  # a streak of one result is no certainty
    estimate = Estimate.of_mean(score, (spread / trials) ** 0.5, trials)
    return Habit(name, replace(estimate, low=max(0.0, estimate.low), high=min(1.0, estimate.high)))
