"""The answer to one question, gathered for printing: exact law, sample, and what follows from them.

Everything that is asked of the game goes through its rungs. Two conventions tell what more can be said: an endless rung
reports how long it took in its first column that is not `winner`; a rung `kill` with the same sides says how many
actions it takes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from balance.errors import BalanceError
from balance.pmf import Agreement, Pmf
from balance.pmf.agreement import GTest
from balance.protocol.game import Rung
from balance.protocol.habits import Habits
from balance.protocol.question import Question, Sample

__all__ = [
    "Answer",
    "Exchange",
    "FirstMover",
    "about",
    "as_json",
    "clock_of",
    "exchange_of",
    "kill_question",
    "probabilities",
]

SCHEMA = 1


@dataclass(frozen=True)
class FirstMover:
    """What going first is worth to a side: its chance to win when first, and when second."""

    first: float
    second: float

    @property
    def advantage(self) -> float:
        """The difference."""
        return self.first - self.second


@dataclass(frozen=True)
class Answer:
    """A question with all that was found out.

    Attributes
    ----------
    question, changes
        What was asked; `changes` are the texts of --set.
    law
        The exact law, or None where it could not be had.
    sample, partial
        What was simulated, if anything, and whether that is less than was asked for.
    notes
        What the reader should know of the question itself, one sentence each.
    habits
        How other ways of playing do, for each side that has them.
    """

    question: Question
    changes: tuple[str, ...]
    law: Pmf | None
    sample: Sample | None = None
    partial: bool = False
    notes: tuple[str, ...] = ()
    habits: tuple[Habits, ...] = ()

    @property
    def inputs(self) -> dict[str, Any]:
        """What was asked, resolved."""
        return {**self.question.setup.inputs, "set": list(self.changes)}

    @cached_property
    def kill(self) -> Question | None:
        """The question of how many actions it takes, where the game can say so and the target can fall."""
        return kill_question(self.question, self.changes, self.law)

    @cached_property
    def _seated(self) -> dict[str, Question]:
        """The question with each side going first; empty where there is no such choice or no exact law."""
        question, sides = self.question, self.question.rung.sides
        if self.law is None or not question.rung.winners or not set(sides) <= set(question.rung.seats):
            return {}
        ask, chosen = question.loaded.ask, dict(question.choices)
        return {seat: ask(question.rung.name, *question.entrants, self.changes, seat, **chosen) for seat in sides}

    @cached_property
    def first_movers(self) -> dict[str, FirstMover]:
        """What going first is worth to each side; empty where there is no such choice or no exact law."""
        chances = {seat: seated.p_win() for seat, seated in self._seated.items()}
        return {
            side: FirstMover(chances[side][side], chances[other][side])
            for side, other in zip(chances, reversed(chances), strict=True)
        }

    @property
    def beside(self) -> tuple[Question, ...]:
        """The questions answered beside the one that was asked, as far as they do not follow from it."""
        seat, kill = self.question.first, self.kill
        seated = [other for side, other in self._seated.items() if seat in self._seated and side != seat]
        return (*seated, *([kill] if kill is not None else []))


def kill_question(question: Question, changes: Sequence[str], law: Pmf | None) -> Question | None:
    """Return the question how many actions it takes until the target falls; None if it never does."""
    rung = question.rung
    kill = question.loaded.game.rungs.get("kill")
    if kill is None or kill.name == rung.name or kill.sides != rung.sides or law is None:
        return None
    try:
        found = question.loaded.ask("kill", *question.entrants, changes)
    except BalanceError:
        return None
    return found if clock_of(found) is not None else None


def clock_of(question: Question) -> str | None:
    """Return the column that tells how long it took, if the rung has one."""
    if not question.rung.endless:
        return None
    return next((column for column in question.rung.columns if column != "winner"), None)


def probabilities(law: Pmf, column: str) -> dict[int, float]:
    """Return the law of one column as value -> probability; the values rise and the probabilities sum to 1."""
    marginal = law.marginal(column)
    p = marginal.p.tolist()
    total = math.fsum(p)
    return dict(zip(marginal[column].tolist(), (x / total for x in p), strict=True))


@dataclass(frozen=True)
class Exchange:
    """What the sides lost to each other: the joint law of the two columns that a rung declares."""

    columns: tuple[str, str]
    joint: Mapping[tuple[int, int], float]

    @property
    def marginals(self) -> tuple[dict[int, float], dict[int, float]]:
        """The law of each column, its values rising."""
        found: tuple[dict[int, float], dict[int, float]] = ({}, {})
        for values, p in self.joint.items():
            for value, chances in zip(values, found, strict=True):
                chances[value] = chances.get(value, 0.0) + p
        return dict(sorted(found[0].items())), dict(sorted(found[1].items()))

    @property
    def means(self) -> tuple[float, float]:
        """The mean of each column."""
        one, other = (math.fsum(value * p for value, p in chances.items()) for chances in self.marginals)
        return one, other


def exchange_of(rung: Rung, law: Pmf) -> Exchange | None:
    """Return the exchange in a law, if the rung declares one."""
    if rung.exchange is None:
        return None
    joint = law.marginal(*rung.exchange)
    rows = [(int(one), int(other)) for one, other in joint.outcomes.tolist()]
    return Exchange(rung.exchange, dict(zip(rows, joint.p.tolist(), strict=True)))


def about(question: Question) -> dict[str, Any]:
    """Return how a question is played, which choices played, and what its answer cannot see."""
    rung = question.rung
    return {
        "played": rung.played,
        "cannot_see": list(rung.cannot_see),
        "policies": {
            name: {"value": value, "is_default": value == rung.choices[name][0], "allowed": list(rung.choices[name])}
            for name, value in question.choices
        },
        "categories": {
            column: {str(code): name for code, name in names.items()} for column, names in rung.categories.items()
        },
    }


def _shape(question: Question, law: Pmf) -> dict[str, Any]:
    """Return a law as the JSON shape: the law and the mean of each column, and who wins."""
    laws = {column: probabilities(law, column) for column in law.columns}
    shape: dict[str, Any] = {
        "pmf": {column: {str(value): p for value, p in chances.items()} for column, chances in laws.items()},
        "mean": {column: law.mean(column) for column in law.columns},
    }
    if question.rung.winners:
        chances = laws["winner"]
        shape["p_win"] = {name: chances.get(value, 0.0) for name, value in question.rung.winners.items()}
    if (exchange := exchange_of(question.rung, law)) is not None:
        rows = [[*values, p] for values, p in sorted(exchange.joint.items())]
        shape["exchange"] = {"columns": [*exchange.columns, "p"], "rows": rows}
    return shape


def _simulated(sample: Sample) -> dict[str, Any]:
    interval: dict[str, Any] = {
        "level": sample.level,
        "mean": {column: list(sample.mean_interval(column)) for column in sample.law.columns},
    }
    if sample.question.rung.winners:
        interval["p_win"] = {name: list(ends) for name, ends in sample.p_win_interval().items()}
    facts = {"trials": sample.n_trials, "seed": sample.seed, "lane": sample.lane}
    return {**_shape(sample.question, sample.law), **facts, "interval": interval}


def _habits(habits: Habits) -> dict[str, Any]:
    return {
        "plays": habits.plays,
        "against": habits.against,
        "scores": {habit.name: {"score": habit.score, "interval": [habit.low, habit.high]} for habit in habits.found},
        "best": [habit.name for habit in habits.best],
        "trials": habits.n_trials,
        "seed": habits.seed,
    }


def _agreement(found: Agreement) -> dict[str, Any]:
    """Return the family's p-value, the test of all columns together, and that of each column by itself."""
    columns = {column: _test(test) for column, test in found.columns.items()}
    joint = _test(found.joint)
    return {
        "p_value": found.p_value,
        "statistic": joint["statistic"],
        "degrees": joint["degrees"],
        "joint": joint,
        "columns": columns,
    }


def _test(test: GTest) -> dict[str, Any]:
    statistic = test.statistic if math.isfinite(test.statistic) else None
    return {"p_value": test.p_value, "adjusted": test.adjusted, "statistic": statistic, "degrees": test.degrees}


def as_json(answer: Answer) -> dict[str, Any]:
    """Return the one object that --json prints; keys that do not apply are left out."""
    question, catalogue = answer.question, answer.question.loaded.catalogue
    found: dict[str, Any] = {
        "schema": SCHEMA,
        "game": question.loaded.game.name,
        "verb": question.rung.name,
        "inputs": answer.inputs,
        **about(question),
        "notes": list(answer.notes),
    }
    if answer.law is not None:
        found["exact"] = _shape(question, answer.law)
    if answer.kill is not None:
        law, n_trials = answer.kill.known()
        found["kill"] = _shape(answer.kill, law) | ({} if n_trials is None else {"trials": n_trials})
    if answer.first_movers:
        found["first_mover"] = {
            side: {"first": value.first, "second": value.second, "advantage": value.advantage}
            for side, value in answer.first_movers.items()
        }
    if answer.habits:
        found["habits"] = {habits.side: _habits(habits) for habits in answer.habits}
    if answer.sample is not None:
        found["simulated"] = _simulated(answer.sample)
    if answer.sample is not None and answer.law is not None:
        found["agreement"] = _agreement(answer.sample.agreement)
    if answer.partial:
        found["partial"] = True
    return {**found, "rules_version": catalogue.rules_version, "catalogue_sha256": catalogue.sha256}
