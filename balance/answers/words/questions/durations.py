"""How long it takes, and how many actions it takes until a target falls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from balance.answers.blocks.lines import plain
from balance.answers.blocks.tables import Table, grid
from balance.base.numbers import show_number, show_probability
from balance.chance.clauses import mostly_in, unit
from balance.chance.pmf import Pmf
from balance.chance.swing import show_swing
from balance.game.question.question import Question
from balance.game.question.sentence import probabilities
from balance.game.question.spread import spread_of

if TYPE_CHECKING:
    from balance.answers.blocks.document import Block

WITHIN = range(1, 9)
LOW, MIDDLE, LATE = 0.05, 0.5, 0.99


def falls_by(question: Question, distribution: Pmf) -> Table:
    """Return the chance that the target has fallen, or the task is done, within up to eight counts of actions."""
    kind = question.kind
    falls = question.game.definition.main_of(kind.name) != kind.name
    clock, label = kind.column("duration") or "", "down by" if falls else "done by"
    return _by_number(clock.replace("_", " "), marks(distribution, clock, MIDDLE), label, distribution, clock)


def how_long(question: Question, distribution: Pmf) -> Iterator[Block]:
    """Yield how long it takes, and how likely it is not over after so long; nothing where nothing says."""
    if (clock := question.kind.column("duration")) is not None:
        yield plain(f"{clock.capitalize()}: {typically(distribution, clock)}.", gap=True)
        yield _by_number(clock, marks(distribution, clock, LATE), "not over", distribution, clock)


def how_long_until_it_falls(kill: Question, effect: str) -> Iterator[Block]:
    """Yield how many actions a target takes to fall, and how much of the `effect` on it is wasted."""
    if (clock := kill.kind.column("duration")) is None:
        return
    distribution, n_trials = kill.known_distribution()

    def swing(column: str) -> str:
        value = spread_of(kill.kind, distribution, column, n_trials is None).swing
        return "" if value is None else f" (swing {show_swing(value)})"

    spread = typically(distribution, clock, swing(clock))
    text = f"{clock.capitalize()} until the {kill.kind.sides[1]} falls: {spread}."
    if (waste := kill.kind.column("waste")) is not None:
        mean = show_number(distribution.mean(waste))
        text += f" {waste.capitalize()}: {mean} {effect} wasted on average{swing(waste)}."
    if n_trials is not None:
        text += f" Simulated, {n_trials:,} trials, seed 0: {kill.why_no_distribution}."
    yield plain(text, gap=True)
    yield _by_number(clock, marks(distribution, clock, MIDDLE), "falls by", distribution, clock)


def typically(distribution: Pmf, clock: str, swing: str = "") -> str:
    """Return the mean of a duration with its swing in words, its median, and the range that holds 95% of it."""
    low, high = mostly_in(probabilities(distribution, clock))
    mean, middle = show_number(distribution.mean(clock)), distribution.quantile(MIDDLE, clock)
    return f"{mean} on average{swing}, at most {middle} half of the time, {low} to {high} in 95% of cases"


def marks(distribution: Pmf, clock: str, mostly: float) -> Sequence[int]:
    """Return up to eight values of the column `clock` at which to tell probabilities.

    They are 1 to 8 where these hold the share `mostly` of the distribution, else spread from its 5% to its 99%
    quantile.
    """
    if distribution.quantile(mostly, clock) <= len(WITHIN):
        return WITHIN
    low, late = distribution.quantile(LOW, clock), distribution.quantile(LATE, clock)
    step = (late - low) / (len(WITHIN) - 1)
    return sorted({round(low + step * place) for place in range(len(WITHIN))})


def _by_number(head: str, numbers: Sequence[int], label: str, distribution: Pmf, clock: str) -> Table:
    """Return a table of one row, `label`: the chance at each number of `head`, such as rounds or actions."""
    chances, heads = probabilities(distribution, clock), [f"{n:,}" for n in numbers]
    is_over = [sum(p for value, p in chances.items() if (value > n) == (label == "not over")) for n in numbers]
    return grid([head, *heads], [[label, *(show_probability(unit(p)) for p in is_over)]], heads)
