"""Match-ups of a field as text: who does best and worst, then the matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import polars as pl

from balance.analysis.scores.matrix import SCORE, MatchUps
from balance.answers.media.screens import rests_on, screen_of
from balance.answers.media.terminal import table, table_in_parts
from balance.base.numbers import show_many, show_number, show_probability

if TYPE_CHECKING:
    from rich.console import RenderableType

MOST_COLUMNS = 6
"""Opponents beside each other on a first screen."""


def blocks(matches: MatchUps, more: bool) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: with `more` all opponents, else six columns of them."""
    show = show_probability if matches.measure == SCORE else show_number
    matrix = matches.matrix
    names = matrix.columns[1:] if more else matrix.columns[1 : 1 + MOST_COLUMNS]
    rows = [
        [name, *("" if cell is None else show(cell) for cell in cells)]
        for name, *cells in matrix.select("one", *names).iter_rows()
    ]
    heads = ["against", *names]
    parts = table_in_parts(heads, rows, names) if more else [table(heads, rows, names)]
    method = "exact" if matches.exact else "simulated"
    return screen_of(_sentence(matches, show), parts, rests_on(matches.game, method), more)


def _sentence(matches: MatchUps, show: Callable[[float], str]) -> str:
    """Return who has the highest and who the lowest mean over the opponents; `show` writes a number."""
    means = matches.table.group_by("one", maintain_order=True).agg(pl.col(matches.measure).mean()).drop_nulls()
    measure_text = "scores" if matches.measure == SCORE else f"mean {matches.measure.replace('_', ' ')}"
    if means.is_empty():
        return f"None of these may meet in a {matches.kind}."
    ranking = means.sort(matches.measure, descending=True, maintain_order=True).rows()
    (best, best_mean), (worst, worst_mean) = ranking[0], ranking[-1]
    n_others = matches.table["other"].n_unique()
    ends = f"{best} most, {show(best_mean)}; {worst} least, {show(worst_mean)}"
    return f"{measure_text[:1].upper()}{measure_text[1:]} over {show_many(n_others, 'opponent')}: {ends}."
