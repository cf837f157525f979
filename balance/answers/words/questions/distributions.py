"""What happens, for people: means where a column counts something, shares by name where its values are codes.

A distribution that several columns share is told once, and one of many values is gathered into classes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from balance.answers.blocks.bars import bar, distribution_line
from balance.answers.blocks.bins import Bin, bins_of
from balance.answers.blocks.lines import plain
from balance.answers.blocks.tables import Cell, Table, grid
from balance.answers.words.questions.wins import share
from balance.base.numbers import show_fixed, show_interval, show_number, show_signed
from balance.chance.clauses import unit
from balance.chance.pmf import Pmf
from balance.chance.swing import show_swing
from balance.chance.trials.stopping import wilson_interval
from balance.game.game import QuestionKind
from balance.game.question.answer import Answer, Exchange
from balance.game.question.question import Sample
from balance.game.question.sentence import probabilities

if TYPE_CHECKING:
    from balance.answers.blocks.document import Block

MOST_SIDE = 7
"""Classes of either side of an exchange."""
QUANTILES = (0.05, 0.5, 0.95)
SPARKS = 24, 12
"""Bars of a distribution drawn in a row: one for each value up to so many, else fewer, of several values each."""

Chances = Mapping[int, float]


def column_blocks(answer: Answer, distribution: Pmf) -> Iterator[Block]:
    """Yield the means of the columns, those that never change, each distinct distribution once, and the exchange.

    `distribution` is exact, or that of a simulation.
    """
    kind = answer.question.kind
    columns = {column: probabilities(distribution, column) for column in distribution.columns if column != kind.winner}
    varying_columns = {column: chances for column, chances in columns.items() if len(chances) > 1}
    count_columns = {column: chances for column, chances in varying_columns.items() if column not in kind.categories}
    if count_columns:
        yield _summary(answer, distribution, count_columns)
    yield from what_never_changes(
        kind, {column: next(iter(chances)) for column, chances in columns.items() if len(chances) == 1}
    )
    value_columns = {
        column: chances
        for column, chances in varying_columns.items()
        if not kind.unbounded or column in kind.categories
    }
    if value_columns:
        yield _values(kind, value_columns, answer)
    if answer.exchange is not None:
        yield from exchange_blocks(kind, answer.exchange, answer)


def what_never_changes(kind: QuestionKind, values: Mapping[str, int]) -> Iterator[Block]:
    """Yield a line for each value that some columns always have, with these columns."""
    columns_by_name: dict[str, list[str]] = {}
    for column, value in sorted(values.items(), key=lambda item: item[1]):
        columns_by_name.setdefault(kind.categories.get(column, {}).get(value, str(value)), []).append(column)
    for name, columns in columns_by_name.items():
        yield plain(f"Always {name}: {', '.join(columns)}.", "aside", gap=True)


def _summary(answer: Answer, distribution: Pmf, columns: Mapping[str, Chances]) -> Table:
    """Return the table of means and swings: of one action with the chance of at least 1, of a fight with quantiles."""
    kind, rows = answer.question.kind, list[list[Cell | str]]()
    for column, chances in columns.items():
        row: list[Cell | str] = [column, show_fixed(distribution.mean(column), 4), show_swing(answer.swing[column])]
        if kind.unbounded:
            row += [*(str(distribution.quantile(q, column)) for q in QUANTILES), distribution_line(chances, *SPARKS)]
        else:
            chance_of_any = math.fsum(p for value, p in chances.items() if value >= 1)
            row += ["–" if min(chances) < 0 else share(unit(chance_of_any)), kind.columns[column].meaning]
        rows.append(row)
    quantiles = ["5%", "50%", "95%"]
    last_heads = [*quantiles, "shape"] if kind.unbounded else ["at least 1", "what it counts"]
    return grid(["outcome", "mean", "swing", *last_heads], rows, right=("mean", "swing", "at least 1", *quantiles))


# -- each distinct distribution once ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Distribution:
    """The labels of a column's values or classes, with a chance for each and, of a sample, a count.

    It is hashable, so that columns of equal distributions share their rows.
    """

    labels: tuple[str, ...]
    chances: tuple[float, ...]
    counts: tuple[int, ...]


def _values(kind: QuestionKind, columns: Mapping[str, Chances], answer: Answer) -> Table:
    """Return the table of the chance of every value or class; beside it, the share and interval in the sample."""
    sample = answer.simulated
    sharing: dict[_Distribution, list[str]] = {}
    for column, chances in columns.items():
        sharing.setdefault(_distribution(kind, column, chances, sample), []).append(column)
    rows = [row for distribution, names in sharing.items() for row in _rows(names, distribution, answer)]
    heads = ["outcome", "value", "exact" if answer.exact is not None else "simulated", ""]
    heads += ["simulated"] if answer.exact is not None and sample else []
    heads += ["95% interval"] if sample else []
    return grid(heads, rows, right=("value", "exact", "simulated"))


def _distribution(kind: QuestionKind, column: str, chances: Chances, sample: Sample | None) -> _Distribution:
    names, counts = kind.categories.get(column, {}), _counts(sample, column) if sample else {}
    bins = [Bin(value, value) for value in chances] if names else bins_of(chances)
    return _Distribution(
        tuple(names.get(value_bin.low or 0, value_bin.label) if names else value_bin.label for value_bin in bins),
        tuple(round(value_bin.share_of(chances), 12) for value_bin in bins),
        tuple(sum(n for value, n in counts.items() if value in value_bin) for value_bin in bins) if sample else (),
    )


def _counts(sample: Sample, column: str) -> dict[int, int]:
    distribution = sample.distribution.marginal(column)
    return dict(zip(distribution[column].tolist(), map(int, distribution.weights.tolist()), strict=True))


def _rows(columns: Sequence[str], distribution: _Distribution, answer: Answer) -> Iterator[list[Cell | str]]:
    """Yield the rows of a distribution, the columns that have it named one below the other."""
    names = [f"{column}," for column in columns[:-1]] + [columns[-1]]
    sample, exact = answer.simulated, answer.exact is not None
    width = 3 + exact + (2 if sample else 0)
    for place in range(max(len(names), len(distribution.labels))):
        name = names[place] if place < len(names) else ""
        if place >= len(distribution.labels):
            yield [name, *[""] * (width - 1)]
            continue
        p = unit(distribution.chances[place])
        shares = _simulated_share(distribution.counts[place], sample) if sample else []
        cells = [share(p), *shares] if exact else shares
        yield [name, distribution.labels[place], cells[0], bar(p, 16 if sample else 30), *cells[1:]]


def _simulated_share(count: int, sample: Sample) -> list[str]:
    ends = wilson_interval(count, sample.n_trials, sample.level)
    return [share(count / sample.n_trials), show_interval(*ends, show=share)]


# -- the exchange -----------------------------------------------------------------------------------------------------


def exchange_blocks(kind: QuestionKind, exchange: Exchange, answer: Answer) -> Iterator[Block]:
    """Yield the mean losses of both sides and, unless a side always loses the same, their joint distribution."""
    first, second = exchange.means
    sentence = (
        f"Exchange: the {kind.sides[1]} loses {show_number(first)} ({exchange.columns[0]}), the {kind.sides[0]} "
        f"{show_number(second)} ({exchange.columns[1]}), a difference of {show_signed(first - second)} on average"
    )
    sample = None if answer.exact is not None else answer.simulated
    yield plain(f"{sentence}{'' if sample is None else f', in {sample.n_trials:,} trials'}.", gap=True)
    sides = [bins_of(chances, MOST_SIDE, MOST_SIDE) for chances in exchange.marginals]
    if min(map(len, sides)) < 2:
        return
    heads = [f"{exchange.columns[0]} \\ {exchange.columns[1]}", *(value_bin.label for value_bin in sides[1])]
    rows = [
        [
            row.label,
            *(
                share(unit(math.fsum(p for (x, y), p in exchange.joint.items() if x in row and y in column)))
                for column in sides[1]
            ),
        ]
        for row in sides[0]
    ]
    yield grid(heads, rows, right=heads[1:])
