"""An answer as the one JSON object that --json prints."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, cast

from balance.chance.pmf import Agreement, Pmf
from balance.chance.pmf.agreement import GTest
from balance.chance.trials.estimate import Estimate
from balance.game.question.answer import Answer, exchange_of
from balance.game.question.habits import Habits
from balance.game.question.question import Question, Sample
from balance.game.question.sentence import probabilities
from balance.game.question.spread import spread_of

if TYPE_CHECKING:
    from balance.answers.documents import common, questions

SCHEMA: Final = 1


def about(question: Question) -> common.About:
    """Return a question's resolved inputs, its policies with their options, names of codes and what it leaves out."""
    kind = question.kind
    return {
        "inputs": question.inputs,
        "played": kind.played,
        "cannot_see": list(kind.cannot_see),
        "policies": {
            name: {"value": value, "is_default": value == kind.choices[name][0], "allowed": list(kind.choices[name])}
            for name, value in question.choices
        },
        "categories": {
            column: {str(code): name for code, name in names.items()} for column, names in kind.categories.items()
        },
    }


def _shape(question: Question, distribution: Pmf, is_exact: bool = True) -> questions.Distribution:
    """Return probabilities, mean, sd and swing of each column, chances to win, and joint losses where they exist."""
    spreads = {column: spread_of(question.kind, distribution, column, is_exact) for column in distribution.columns}
    distributions = {column: probabilities(distribution, column) for column in distribution.columns}
    shape: questions.Distribution = {
        "pmf": {column: {str(value): p for value, p in chances.items()} for column, chances in distributions.items()},
        "mean": {column: distribution.mean(column) for column in distribution.columns},
        "sd": {column: spread.sd for column, spread in spreads.items()},
        "swing": {column: spread.swing for column, spread in spreads.items()},
    }
    if question.kind.winners:
        chances = distributions[question.kind.winner]
        shape["p_win"] = {name: chances.get(value, 0.0) for name, value in question.kind.winners.items()}
    if (exchange := exchange_of(question.kind, distribution)) is not None:
        rows: list[list[float | str]] = [[*values, p] for values, p in sorted(exchange.joint.items())]
        shape["exchange"] = {"columns": [*exchange.columns, "p"], "rows": rows}
    return shape


def _sample_json(sample: Sample) -> questions.SimulatedDistribution:
    columns = sample.distribution.columns
    interval: questions.SampleIntervals = {
        "level": sample.level,
        "mean": {column: list(sample.mean_interval(column)) for column in columns},
        "sd": {column: _ends(sample.sd(column)) for column in columns},
        "swing": {column: _ends(sample.swing(column)) for column in columns},
    }
    if sample.question.kind.winners:
        interval["p_win"] = {name: list(ends) for name, ends in sample.p_win_interval().items()}
    return {
        **_shape(sample.question, sample.distribution, is_exact=False),
        "trials": sample.n_trials,
        "seed": sample.seed,
        "lane": sample.lane,
        "interval": interval,
    }


def _ends(estimate: Estimate | None) -> list[float] | None:
    return None if estimate is None else [estimate.low, estimate.high]


def estimate_json(estimate: Estimate) -> common.KnownNumber:
    """Return a number with its interval, and whether it is exact."""
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "exact": estimate.is_exact}


def known_json(estimate: Estimate | None) -> common.KnownNumber | None:
    """Return a number as `estimate_json` does; None for None."""
    return None if estimate is None else estimate_json(estimate)


def _habits(habits: Habits) -> questions.Habits:
    document: questions.Habits = {
        "plays": habits.plays,
        "against": habits.against,
        "scores": {
            habit.name: {"score": habit.score.value, "interval": [habit.score.low, habit.score.high]}
            for habit in habits.ranking
        },
        "best": [habit.name for habit in habits.best],
        "trials": habits.n_trials,
        "seed": habits.seed,
    }
    if habits.n_heat_trials:
        document["heat_trials"] = habits.n_heat_trials
    return document


def _agreement(agreement: Agreement) -> questions.Agreement:
    """Return the G-tests of a simulation against the exact distribution: all columns jointly, and each by Holm."""
    columns = {column: _test(test) for column, test in agreement.columns.items()}
    joint = _test(agreement.joint)
    return {
        "p_value": agreement.p_value,
        "statistic": joint["statistic"],
        "degrees": joint["degrees"],
        "joint": joint,
        "columns": columns,
    }


def _test(test: GTest) -> questions.AgreementTest:
    statistic = test.statistic if math.isfinite(test.statistic) else None
    return {"p_value": test.p_value, "adjusted": test.adjusted_p_value, "statistic": statistic, "degrees": test.degrees}


def as_json(answer: Answer) -> questions.Answer:
    """Return the one object that --json prints; keys that do not apply are left out."""
    question, catalogue = answer.question, answer.question.game.catalogue
    part = about(question)
    document: questions.Answer = {
        "schema": SCHEMA,
        "game": question.game.definition.name,
        "verb": question.kind.name,
        "inputs": part["inputs"],
        "played": part["played"],
        "cannot_see": part["cannot_see"],
        "policies": part["policies"],
        "categories": part["categories"],
        "sentence": answer.sentence,
        "notes": list(answer.notes),
        "rules_version": catalogue.rules_version,
        "catalogue_sha256": catalogue.sha256,
    }
    if answer.exact is not None:
        document["exact"] = _shape(question, answer.exact)
    if answer.kill is not None:
        distribution, n_trials = answer.kill.known_distribution()
        shape, trials = _shape(answer.kill, distribution, is_exact=n_trials is None), {"trials": n_trials}
        document["kill"] = cast("questions.Kill", {**shape, **({} if n_trials is None else trials)})
    if answer.first_movers:
        document["first_mover"] = {
            side: {"first": value.first, "second": value.second, "advantage": value.advantage}
            for side, value in answer.first_movers.items()
        }
    if answer.habits:
        document["habits"] = {habits.side: _habits(habits) for habits in answer.habits}
    if answer.simulated is not None:
        document["simulated"] = _sample_json(answer.simulated)
    if answer.agreement is not None:
        document["agreement"] = _agreement(answer.agreement)
    if answer.partial:
        document["partial"] = True
    return document
