"""What `balance dice` prints of several expressions: a table that compares them, or a grid of two families."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from balance.answers.media.terminal import Rows, bar, distribution_line, line, table, table_in_parts, title
from balance.base.numbers import show_count, show_fixed, show_many, show_probability
from balance.chance.swing import show_swing
from balance.verbs.render.dice.number_text import BAR, Cells, share_text, shown_mean

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.chance.dice import Family, Odds

MOST_COLUMNS = 9
"""Totals that a table of several expressions has a column for."""
SPARKS = (13, 10)
"""Bars of a small picture of a law: one for each value up to so many, else at most fewer."""


def comparison_blocks(families: Sequence[Family], rows: Sequence[Odds]) -> Iterator[RenderableType]:
    """Yield all that is printed of several expressions: a grid for one over two families, else a table with a row each.

    `rows` are the odds of every expression that `families`, as they were typed, stand for.
    """
    alone = families[0] if len(families) == 1 else None
    method = "exact" if all(odds.is_exact for odds in rows) else "some of it simulated"
    yield title(" ".join(alone.text.split()) if alone else show_many(len(rows), "expression"), method)
    if alone and is_grid(families, rows):
        yield from one_number_each(alone, rows)
        return
    kinds = {odds.kind for odds in rows}
    if kinds == {"chance"}:
        yield _whole(about_shares(rows))
    elif kinds == {"contest"}:
        yield _whole(about_means(rows))
    else:
        yield _whole(law_table(rows))
        yield from shares_at_least(rows)


def is_grid(families: Sequence[Family], rows: Sequence[Odds]) -> bool:
    """Whether the rows come from one expression over two families of values, with a single column of odds in each."""
    totals = all(odds.columns == ("total",) for odds in rows)
    return len(families) == 1 and len(families[0].families) == 2 and totals


def _whole(rows: Rows) -> RenderableType:
    return table(rows.headers, rows.rows, rows.right)


def about_shares(rows: Sequence[Odds]) -> Rows:
    """Return the chance of each comparison, with a bar."""
    cells = [[str(odds.expression), share_text(odds, odds.column().get(1, 0)), bar(odds.mean, BAR)] for odds in rows]
    return Rows(["expression", "chance", ""], cells, ("chance",))


def about_means(rows: Sequence[Odds]) -> Rows:
    """Return the chances to win, tie and lose of each contest, and its mean margin."""
    cells = [
        [str(odds.expression), *(show_probability(share, 2) for share in odds.results.values()), shown_mean(odds)]
        for odds in rows
    ]
    heads = ["contest", "win", "tie", "lose", "margin"]
    return Rows(heads, cells, heads[1:])


def law_table(rows: Sequence[Odds], spreads: bool = True) -> Rows:
    """Return mean, quantiles and shape for each expression and symbol; with `spreads` also deviation and swing."""
    cells = list[Cells]()
    for odds in rows:
        for column in odds.columns:
            label = str(odds.expression) if column == "total" else f"{odds.expression}: {column}"
            low, middle, high = odds.quantiles_of((5, 50, 95), column)
            picture = distribution_line(odds.chances(column), *SPARKS, tells=False)
            spread = show_fixed(odds.sd_of(column), 3), show_swing(odds.swing_of(column))
            cells.append([label, shown_mean(odds, column), *(spread if spreads else ()), low, middle, high, picture])
    heads = ["expression", "mean", *(("deviation", "swing") if spreads else ()), "5%", "50%", "95%", "odds"]
    return Rows(heads, cells, heads[1:-1])


def shares_at_least(rows: Sequence[Odds]) -> Iterator[RenderableType]:
    """Yield a table of the chance of at least each total, where all expressions together have at most ten totals."""
    values = sorted({value for odds in rows for column in odds.columns for value in odds.column(column)})
    if all(odds.columns == ("total",) for odds in rows) and 2 < len(values) <= MOST_COLUMNS + 1:
        heads = ["at least", *map(show_count, values[1:])]
        shares = [[str(odds.expression), *(show_probability(odds.at_least(v), 1) for v in values[1:])] for odds in rows]
        yield from table_in_parts(heads, shares, right=heads[1:])


def one_number_each(family: Family, rows: Sequence[Odds]) -> Iterator[RenderableType]:
    """Yield a grid of a chance, the share won, or a mean for each pair of values of two families.

    `rows` are the odds of each, the second family changing fastest.
    """
    down, across = family.families
    kind = rows[0].kind
    label = {"chance": "Chance", "contest": "Chance that the first wins"}.get(kind, "Mean")
    yield line(f"{label}: the first family down, the second across.", after=1)
    cells = [_cell(odds) for odds in rows]
    heads = [" ", *map(show_count, across)]
    body = [[show_count(value), *cells[at * len(across) : (at + 1) * len(across)]] for at, value in enumerate(down)]
    yield from table_in_parts(heads, body, right=heads)


def _cell(odds: Odds) -> str:
    if odds.kind == "chance":
        return show_probability(odds.mean, 1)
    return show_probability(odds.results["win"], 1) if odds.kind == "contest" else show_fixed(odds.mean, 2)
