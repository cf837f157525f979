"""The answer to a question: its exact distribution, a simulation, and what follows from them.

Which statistics an answer has beside its distribution, the game declares: the roles of its columns, and which other
kind of question is answered with it.

>>> from balance.game.loaded import load
>>> duel = load("warforged").duel("nexus+assault_rifle", "trooper+shotgun", first="a")
>>> print(answer(duel, Budget(trials=1000)))
Warforged, table edition: duel, nexus+assault_rifle against trooper+shotgun
a wins: 92.82% exactly, 90.3% to 93.6% in 1,000 trials
b wins: 7.18% exactly, 6.4% to 9.7% in 1,000 trials
draw: 0% exactly, 0% to 0.4% in 1,000 trials
mean rounds: 1.6724 (swing 0.366) exactly, 1.61 to 1.68 (swing 0.36 to 0.39) in 1,000 trials
mean a_health: 5.6014 (swing 0.470) exactly, 5.51 to 5.83 (swing 0.44 to 0.50) in 1,000 trials
mean b_health: 0.1460 (swing 4.097) exactly, 0.12 to 0.20 (swing 3.42 to 4.33) in 1,000 trials
mean overkill: 0.6020 (swing 1.113) exactly, 0.52 to 0.60 (swing 1.10 to 1.24) in 1,000 trials
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from balance.base.numbers import show_fixed, show_interval, show_probability
from balance.chance.pmf import Pmf
from balance.chance.swing import show_swing
from balance.game.game import QuestionKind
from balance.game.question.choices import Budget
from balance.game.question.findings import Findings
from balance.game.question.habits import Habits, compare_habits
from balance.game.question.idle import idle_changes
from balance.game.question.question import Question, Sample
from balance.game.question.sentence import sentence_of

Sampler = Callable[[Question, Budget], tuple[Sample, bool]]
"""Simulates a question within a budget; returns what was counted, and whether that is less than was asked for."""
EXACT_ONLY = Budget()
"""No simulation, unless there is no exact distribution."""


@dataclass(frozen=True)
class Exchange:
    """The joint distribution of what the sides lost to each other: P(first column = i, second = j) by (i, j)."""

    columns: tuple[str, str]
    joint: Mapping[tuple[int, int], float]

    @property
    def marginals(self) -> tuple[dict[int, float], dict[int, float]]:
        """The distribution of each column, its values rising."""
        marginals: tuple[dict[int, float], dict[int, float]] = ({}, {})
        for values, p in self.joint.items():
            for value, chances in zip(values, marginals, strict=True):
                chances[value] = chances.get(value, 0.0) + p
        return dict(sorted(marginals[0].items())), dict(sorted(marginals[1].items()))

    @property
    def means(self) -> tuple[float, float]:
        """The mean of each column."""
        mean_a, mean_b = (math.fsum(value * p for value, p in chances.items()) for chances in self.marginals)
        return mean_a, mean_b


@dataclass(frozen=True)
class Answer(Findings):
    """A question with its exact distribution and its simulation; statistics are worked out on first use.

    Attributes
    ----------
    question, seed
        The question, and the seed of everything that is simulated for it.
    exact
        The exact distribution of the outcome columns; None where it cannot be computed.
    simulated, partial
        The simulated trials, if any, and whether they were interrupted before the end.
    """

    def __repr__(self) -> str:
        """Return in short whether it is exact or simulated, and its question."""
        sources = " and ".join(["exact"] * (self.exact is not None) + ["simulated"] * (self.simulated is not None))
        return f"<answer, {sources}, to {self.question!r}>"

    @cached_property
    def exchange(self) -> Exchange | None:
        """The joint losses of both sides; None if the kind of question does not declare such columns."""
        return exchange_of(self.question.kind, self.distribution) if self.distribution is not None else None

    @cached_property
    def habits(self) -> tuple[Habits, ...]:
        """For each side, how other ways of playing fare against what the other side plays; empty without any."""
        return compare_habits(self.question, self.seed, sample=self.simulated)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Sentences on why the answer is not exact, and on changes that had no effect."""
        question, first = self.question, self.question.first
        large = question.kind.has_distribution and question.why_no_distribution
        notes = [f"simulated, since the exact distribution is too large: {large}"] if large else []
        if question.changes or question.choices:
            beside = self.going_first if first in self.going_first else {}
            other_orders = [question for side, question in beside.items() if side != first]
            notes += idle_changes(question, *other_orders, *([self.kill] if self.kill is not None else []))
        return tuple(notes)

    @cached_property
    def sentence(self) -> str:
        """The answer in one sentence, for people."""
        return sentence_of(self)

    def _summary_lines(self) -> Iterator[tuple[str, str, str]]:
        """Yield (label, exact text, simulated text) for each result and each mean."""
        exact, sample, kind = self.exact, self.simulated, self.question.kind
        chances = self.question.p_win(exact) if exact is not None else {}
        ends = sample.p_win_interval() if sample is not None else {}
        for name in kind.winners:
            exact_text = show_probability(chances[name], 2) if chances else ""
            yield name if name == "draw" else f"{name} wins", exact_text, _ends(ends.get(name), show_probability)
        for column in () if self.distribution is None else self.distribution.columns:
            if column in kind.categories:
                continue
            exact_text, sample_text = "", ""
            if exact is not None:
                exact_text = f"{show_fixed(exact.mean(column), 4)} (swing {show_swing(exact.swing(column))})"
            if sample is not None:
                swing = sample.swing(column)
                swing_text = show_swing(None) if swing is None else _ends((swing.low, swing.high), show_fixed)
                sample_text = f"{_ends(sample.mean_interval(column), show_fixed)} (swing {swing_text})"
            yield f"mean {column}", exact_text, sample_text

    @property
    def _title(self) -> str:
        game, (side_a, side_b) = self.question.game.definition, self.question.entrants
        return f"{game.title}: {self.question.kind.name}, {side_a} against {side_b}"

    def __str__(self) -> str:
        """Return a line for each result and each mean, exact and simulated."""
        trials = f" in {self.simulated.n_trials:,} trials" if self.simulated is not None else ""
        rows = [
            f"{label}: {', '.join(filter(None, [exact and f'{exact} exactly', sample and f'{sample}{trials}']))}"
            for label, exact, sample in self._summary_lines()
        ]
        return "\n".join([self._title, *rows])

    def _repr_html_(self) -> str:
        """Return the summary as an HTML table, for a notebook."""
        sample_title = f"simulated, {self.simulated.n_trials:,} trials" if self.simulated is not None else ""
        heads = ["", "exact" if self.exact is not None else "", sample_title]
        rows = [
            "".join(f"<td>{html.escape(cell)}</td>" for place, cell in enumerate(row) if not place or heads[place])
            for row in self._summary_lines()
        ]
        head = "".join(f"<th>{cell}</th>" for place, cell in enumerate(heads) if not place or cell)
        body = "".join(f"<tr>{row}</tr>" for row in [head, *rows])
        return f"<table><caption>{html.escape(self._title)}</caption>{body}</table>"


def _ends(ends: tuple[float, float] | None, show: Callable[[float], str]) -> str:
    return "" if ends is None else show_interval(*ends, show=show)


def _simulate(question: Question, budget: Budget) -> tuple[Sample, bool]:
    sample = question.simulate(
        budget.trials, half_width=budget.half_width, seed=budget.seed, lane=budget.lane, n_threads=budget.n_threads
    )
    return sample, False


def answer(question: Question, budget: Budget = EXACT_ONLY, sampler: Sampler = _simulate) -> Answer:
    """Compute the exact distribution if possible, and simulate if asked for, or if it is not possible.

    Without an exact distribution and a budget, the kind's usual trials are played. `sampler` returns the sample and
    whether it was stopped early. Raise UsageError for a budget that makes no sense for the question.

    >>> from balance.game.loaded import load
    >>> shot = answer(load("warforged").attack("nexus+assault_rifle", "trooper"))
    >>> round(shot.exact.mean("damage"), 4), shot.simulated is None, shot.kill.kind.name
    (3.6, True, 'kill')
    """
    question.check(budget)
    if question.why_no_distribution and not budget.is_asked:
        budget = replace(budget, trials=question.kind.usual_trials)
    result = Answer(question, None if question.why_no_distribution else question.distribution, seed=budget.seed)
    if not budget.is_asked:
        return result
    sample, partial = sampler(question, budget)
    return replace(result, simulated=sample, partial=partial)


def exchange_of(kind: QuestionKind, distribution: Pmf) -> Exchange | None:
    """Return the joint distribution of what both sides lost; None if the kind does not declare such columns."""
    if kind.exchange is None:
        return None
    joint = distribution.marginal(*kind.exchange)
    rows = [(int(damage_a), int(damage_b)) for damage_a, damage_b in joint.outcomes.tolist()]
    return Exchange(kind.exchange, dict(zip(rows, joint.p.tolist(), strict=True)))
