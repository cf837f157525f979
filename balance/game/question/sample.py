"""Simulated trials of a question: how many to play, and the estimates with their error bars."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from balance.chance.pmf import Agreement, Pmf
from balance.chance.rolls.streams import check_seed
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.stopping import anytime_interval, wilson_interval
from balance.chance.trials.tally import Tally
from balance.game.game import Lane, QuestionKind

if TYPE_CHECKING:
    from balance.game.question.question import Question


def results_of(kind: QuestionKind) -> dict[str, Callable[..., Any]]:
    """Return, for each result of a kind of question, a function of its columns that is true of outcomes with it.

    >>> from balance.chance.pmf import Pmf
    >>> from balance.game.loaded import load
    >>> results = results_of(load("warforged").definition.kinds["duel"])
    >>> {name: Pmf.of([1, 1, 2, 0], "winner").weight(won) for name, won in results.items()}
    {'a': 2, 'b': 1, 'draw': 1}
    """

    def result(code: int) -> Callable[..., Any]:
        return lambda **columns: columns[kind.winner] == code

    return {name: result(code) for name, code in kind.winners.items()}


class Spread(NamedTuple):
    """The spread of single results of a column: standard deviation and swing, None where not measurable."""

    sd: float | None
    swing: float | None


def spread_of(kind: QuestionKind, distribution: Pmf, column: str, is_exact: bool) -> Spread:
    """Return the spread of single results of a column.

    Neither number is measurable of codes, nor of simulated trials that are all alike, which say nothing of how far
    others may lie; nor the swing where the mean is 0 or values lie on both sides of 0.

    Parameters
    ----------
    kind
        The kind of question, which tells columns of codes.
    distribution
        A distribution with this column, exact or simulated.
    column
        Name of the column.
    is_exact
        Whether the distribution is exact.

    >>> from balance.chance.pmf import Pmf
    >>> from balance.game.loaded import load
    >>> kind = load("warforged").definition.kinds["attack"]
    >>> spread_of(kind, Pmf.of([1, 3], "damage"), "damage", is_exact=True)
    Spread(sd=1.0, swing=0.5)
    >>> spread_of(kind, Pmf.of({3: 1000}, "damage"), "damage", is_exact=False)
    Spread(sd=None, swing=None)
    """
    values = distribution[column]
    if column in kind.categories or (not is_exact and bool((values == values[0]).all())):
        return Spread(None, None)
    return Spread(distribution.sd(column), distribution.swing(column))


@dataclass(frozen=True)
class Budget:
    """How much to simulate: a number of trials, or until a half-width is reached; neither means no simulation."""

    trials: int | None = None
    half_width: float | None = None
    seed: int = 0
    lane: Lane = "literal"
    n_threads: int = 1

    @property
    def is_asked(self) -> bool:
        """Whether there is to be a simulation."""
        return self.trials is not None or self.half_width is not None

    def check(self, question: Question) -> None:
        """Check the budget for a question before any work is done.

        Raises
        ------
        UsageError
            A seed or a number out of range, or a half-width where nobody wins.
        """
        check_seed(self.seed)
        if self.is_asked:
            question.stop_rule(self.trials, self.half_width)


@dataclass(frozen=True)
class Sample:
    """Simulated trials of a question, with estimates and their intervals.

    Attributes
    ----------
    question, tally, seed, lane
        The question, its counted trials, and the seed and lane that they were played with.
    looked_repeatedly
        Whether the number of trials depended on the results, so that intervals must hold at every look.
    """

    question: Question
    tally: Tally
    seed: int
    lane: Lane
    looked_repeatedly: bool = False
    level: float = 0.95

    def __repr__(self) -> str:
        """Return the number of trials, the seed and the question in short."""
        return f"<sample of {self.n_trials:,} trials, seed {self.seed}, of {self.question!r}>"

    @property
    def n_trials(self) -> int:
        """Number of trials played."""
        return self.tally.n_trials

    @property
    def distribution(self) -> Pmf:
        """The empirical distribution: its weights are counts."""
        return self.tally.counts

    @cached_property
    def agreement(self) -> Agreement:
        """The G-tests of the trials against the exact distribution: all columns together, and each by itself."""
        return self.question.distribution.agreement(self.distribution)

    def p_win(self) -> dict[str, float]:
        """Return the share of trials with each result."""
        return self.question.p_win(self.distribution)

    def p_win_interval(self) -> dict[str, tuple[float, float]]:
        """Return an interval for each probability: Wilson's, or an anytime-valid one if we looked repeatedly."""
        interval = anytime_interval if self.looked_repeatedly else wilson_interval
        return {
            name: interval(int(self.distribution.weight(win_values)), self.n_trials, self.level)
            for name, win_values in results_of(self.question.kind).items()
        }

    def mean_interval(self, column: str) -> tuple[float, float]:
        """Return the normal interval of a column's mean from its standard error, as (low, high)."""
        error = (self.distribution.variance(column) / self.n_trials) ** 0.5
        estimate = Estimate.of_mean(self.distribution.mean(column), error, self.n_trials, level=self.level)
        return estimate.low, estimate.high

    def sd(self, column: str) -> Estimate | None:
        """Return a column's standard deviation with its normal interval; None where `spread_of` has none."""
        sd = spread_of(self.question.kind, self.distribution, column, is_exact=False).sd
        return None if sd is None else self._spread(column, sd, 0.0)

    def swing(self, column: str) -> Estimate | None:
        """Return a column's swing with its normal interval; None where `spread_of` has none.

        >>> from balance.game.loaded import load
        >>> shot = load("warforged").attack("nexus+assault_rifle", "trooper").simulate(1000)
        >>> (swing := shot.swing("damage")) and (round(swing.value, 3), round(swing.half_width, 3))
        (0.485, 0.026)
        """
        sd, swing = spread_of(self.question.kind, self.distribution, column, is_exact=False)
        return None if sd is None or swing is None else self._spread(column, swing, sd / self.distribution.mean(column))

    def _spread(self, column: str, value: float, slope: float) -> Estimate:
        """Return the standard deviation or swing, `value`, with an interval by the delta method.

        `slope` is by how much of itself a rise of the mean by one standard deviation lowers it.
        """
        distribution = self.distribution
        z = (distribution[column] - distribution.mean(column)) / distribution.sd(column)
        shifts = value * ((z**2 - 1) / 2 - slope * z)  # what a trial so far from the mean adds to it, times n
        error = float(distribution.p @ shifts**2 / self.n_trials) ** 0.5
        return Estimate.of_mean(value, error, self.n_trials, level=self.level)
