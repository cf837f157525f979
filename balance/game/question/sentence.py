"""The answer to a question in one sentence, as a designer would say it: the same on a screen, in JSON and in Python.

What is worth saying follows from the roles of the columns: who won, what the first side did to the second, how long it
took. Without an exact distribution, numbers have the interval of the simulation.

>>> from balance.game.question.answer import answer
>>> from balance.game.loaded import load
>>> sentence_of(answer(load("warforged").ask("kill", "nexus+assault_rifle", "colossus")))
'Nexus + Assault Rifle against Colossus: down in 6.76 actions on average, 95% in 4 to 9.'
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from balance.base.numbers import show_interval, show_many, show_probability
from balance.chance.clauses import (
    ROUNDING,
    going_first,
    how_long,
    share_text,
    show_brief,
    sides_called,
    who_wins,
)
from balance.chance.pmf import Pmf
from balance.chance.trials.stopping import wilson_interval

if TYPE_CHECKING:
    from balance.game.question.findings import Findings
    from balance.game.question.question import Question

MOST_MEANS = 2
"""Means that are told where no column is declared to be what a question is about."""


def sentence_of(answer: Findings) -> str:
    """Return the answer in one sentence; empty where there is neither an exact nor a simulated distribution."""
    parts = [part for part in _parts(answer) if part]
    if not parts:
        return ""
    sample, close = answer.simulated, ""
    if sample is not None:
        sample_text = f"{show_many(sample.n_trials, 'simulated trial')}, 95% intervals"
        close = f" ({sample_text})" if answer.exact is None else " (exact)"
    if answer.question.kind.winners:
        return f"{'; '.join(parts)}{close}."
    return f"{' against '.join(names_of(answer.question).values())}: {', '.join(parts)}{close}."


def probabilities(distribution: Pmf, column: str) -> dict[int, float]:
    """Return the distribution of one column as value -> probability, values rising; probabilities sum to 1."""
    marginal = distribution.marginal(column)
    p = marginal.p.tolist()
    total = math.fsum(p)
    return dict(zip(marginal[column].tolist(), (x / total for x in p), strict=True))


def _parts(answer: Findings) -> Iterator[str]:
    kind, distribution = answer.question.kind, answer.distribution
    if distribution is None:
        return
    if kind.winners:
        yield _who_wins(answer)
        yield _fair_share(answer.question)
        yield going_first({side: value.advantage for side, value in answer.first_movers.items()})
    yield from _happenings(answer, distribution)
    if (effect := kind.column("effect")) is not None:
        harmless = answer.kill is not None and not distribution.mean(effect) and not _is_endless(answer.kill)
        yield _mean(answer, distribution, effect) + (" in this attack, though not in later ones" if harmless else "")
    if (loss := kind.column("loss")) is not None and distribution.mean(loss):
        yield f"{_mean(answer, distribution, loss)} in return"
    if answer.kill is not None:
        yield _falls(answer.kill)
    elif (clock := kind.column("duration")) is not None:
        falls = answer.question.game.definition.main_of(kind.name) != kind.name
        begin = "down in" if falls else "over in" if kind.winners else "done in"
        yield _how_long(begin, distribution, clock, _limit(answer.question))
    if not kind.about:
        yield from _columns_otherwise(answer, distribution)


# -- who wins ---------------------------------------------------------------------------------------------------------


def name_and_cost(question: Question, side: str, entrant: str) -> tuple[str, int]:
    """Return the name and the cost in points of a side, after overrides if its inputs have them; `entrant` is its id.

    >>> from balance.game.loaded import load
    >>> shot = load("warforged").attack("nexus+assault_rifle", "whisper")
    >>> name_and_cost(shot, "attacker", shot.entrants[0])
    ('Nexus + Assault Rifle', 38)
    """
    side_inputs, game = question.inputs.get(side), question.game
    facts = side_inputs if isinstance(side_inputs, dict) else {}
    name = facts["name"] if "name" in facts else game.label(entrant)
    return str(name), int(facts["cost_points"] if "cost_points" in facts else game.cost_points(entrant))


def names_of(question: Question) -> dict[str, str]:
    """Return what to call each side in a sentence: its name, unless that is too long or both names are equal."""
    sides = question.kind.sides
    names = {
        side: name_and_cost(question, side, entrant)[0] for side, entrant in zip(sides, question.entrants, strict=True)
    }
    return sides_called(names, bool(question.kind.winners))


def _who_wins(answer: Findings) -> str:
    question, names = answer.question, names_of(answer.question)
    chances, sample = _chances_to_win(answer), answer.simulated if answer.exact is None else None
    ends = sample.p_win_interval() if sample is not None else {}
    return who_wins(names, {result: chances[result] for result in question.kind.winners}, ends)


def _fair_share(question: Question) -> str:
    """Return what the first side wins where nobody is favoured; empty where that is one half."""
    is_half = question.fair_share == 1 / 2
    return "" if is_half else f"a fair share of {question.kind.sides[0]} is {show_probability(question.fair_share)}"


def _chances_to_win(answer: Findings) -> dict[str, float]:
    if answer.exact is not None:
        return answer.question.p_win(answer.exact)
    return answer.simulated.p_win() if answer.simulated is not None else {}


# -- what happens, and how long it takes ------------------------------------------------------------------------------


def _happenings(answer: Findings, distribution: Pmf) -> Iterator[str]:
    """Yield the chance of each column with `says` to be at least 1; only the first of them if it is 0."""
    sample = answer.simulated if answer.exact is None else None
    columns_said = [
        name for name, column in answer.question.kind.columns.items() if column.says and name in distribution.columns
    ]
    for name in columns_said:
        p = math.fsum(distribution.p[distribution[name] >= 1].tolist())
        p = 1.0 if p > 1 - ROUNDING else p
        ends = None if sample is None else wilson_interval(round(p * sample.n_trials), sample.n_trials, sample.level)
        if p or name == columns_said[0]:
            yield f"{answer.question.kind.columns[name].says} {share_text(p, ends)}"


def _mean(answer: Findings, distribution: Pmf, column: str) -> str:
    words = column.replace("_", " ")
    if answer.exact is not None and not distribution.variance(column):
        return f"always {show_brief(distribution.mean(column))} {words}"
    return f"{_mean_of(answer, distribution, column)} {words} on average"


def _mean_of(answer: Findings, distribution: Pmf, column: str) -> str:
    """Return the mean of a column as text, with its interval if it is simulated."""
    sample = answer.simulated if answer.exact is None else None
    ends = "" if sample is None else f" ({show_interval(*sample.mean_interval(column), show=show_brief)})"
    return f"{show_brief(distribution.mean(column))}{ends}"


def _falls(kill: Question) -> str:
    clock = kill.kind.column("duration")
    distribution, n_trials = kill.known_distribution()
    if clock is None:
        return ""
    text = _how_long("down in", distribution, clock, _limit(kill))
    return text + ("" if n_trials is None else f" ({n_trials:,} simulated trials)")


def _limit(question: Question) -> int:
    """Return the steps after which waiting for a target to fall ends; 0 for other kinds of question."""
    if question.kind.winners or not question.kind.unbounded:
        return 0
    return question.kind.processes(question.setup, "compiled")[0].max_steps


def _is_endless(kill: Question) -> bool:
    """Return whether the target never falls within the limit of steps."""
    clock = kill.kind.column("duration")
    return clock is not None and min(probabilities(kill.known_distribution()[0], clock)) == _limit(kill)


def _how_long(begin: str, distribution: Pmf, clock: str, limit: int = 0) -> str:
    """Return the clause on a duration: its mean and 95% range, or that it never ends within the limit."""
    return how_long(begin, probabilities(distribution, clock), distribution.mean(clock), clock, limit)


# -- where no column is declared to be what it is about ---------------------------------------------------------------


def _columns_otherwise(answer: Findings, distribution: Pmf) -> Iterator[str]:
    """Yield clauses on columns without a main role: shares of codes, then a few means, both sides together."""
    kind, means = answer.question.kind, dict[str, list[str]]()
    for name in distribution.columns:
        column = kind.columns[name]
        if column.names:
            chances = probabilities(distribution, name)
            shares = [
                f"{label} {show_probability(chances[code])}" for code, label in column.names.items() if code in chances
            ]
            yield f"{name.replace('_', ' ')}: {', '.join(shares)}"
        elif column.side:
            means.setdefault(column.called or column.of.replace("_", " "), []).append(name)
        else:
            means[name.replace("_", " ")] = [name]
    for label, names in list(means.items())[:MOST_MEANS]:
        labels = [
            f"{_mean_of(answer, distribution, name)}{f' for {side}' if (side := kind.columns[name].side) else ''}"
            for name in names
        ]
        yield f"{label} {' and '.join(labels)} on average"
