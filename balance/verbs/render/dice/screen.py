"""The first screen of `balance dice`: a sentence that answers, then the table, in the room of a small terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from balance.base.errors import comma_list
from balance.base.numbers import show_count, show_many, show_probability
from balance.base.swing import show_swing
from balance.verbs.render.dice.comparison import (
    about_means,
    about_shares,
    is_grid,
    law_table,
    one_number_each,
    shares_at_least,
)
from balance.verbs.render.dice.number_text import known_mean, number_text, shown_mean
from balance.verbs.render.dice.text import beside, chance_text, how_it_was_had, results_text, simple_totals
from balance.verbs.render.screens import HEIGHT, first_screen
from balance.verbs.render.terminal import Rows, line, title

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.chance.dice import Family, Odds

BESIDE_ROWS = 11
"""Lines of a first screen beside the rows of its table, if no note is printed and nothing was simulated."""
FEWEST_CLASSES = 4
MOST_ROWS = 15
"""Rows of a table that surely have room."""
MOST_SYMBOL_COLUMNS = 5
"""Columns of a table of symbols: none, 1, 2, 3, more."""


def screen(
    families: Sequence[Family], rows: Sequence[Odds], samples: Sequence[Odds | None], notes: Sequence[str]
) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom.

    Parameters
    ----------
    families
        The expressions as they were typed, each of which may stand for several.
    rows
        The odds of every expression.
    samples
        A simulation for each of the odds, None where there is none.
    notes
        Notes that are printed below, for which room is left.
    """
    if len(rows) == 1:
        return _expression_screen(rows[0], samples[0], notes)
    return _comparison_screen(families, rows, notes)


# -- one expression ---------------------------------------------------------------------------------------------------


def _expression_screen(odds: Odds, sample: Odds | None, notes: Sequence[str]) -> Iterator[RenderableType]:
    method = "exact" if odds.is_exact else f"{odds.n_trials:,} trials of seed {odds.seed}"
    top = [title(str(odds.expression), method), line(_answer(odds), "bold", after=1)]
    foot = [line(beside(odds, sample), after=0)] if sample is not None else []
    foot += how_it_was_had([odds])
    if odds.kind in ("total", "contest") and len(odds.law) > 1:
        foot.append(line(_numbers(odds), "dim"))
    foot += [_more_line(_more(odds))] if len(odds.law) > 1 and odds.kind != "chance" else []
    return first_screen(top, _tables(odds, HEIGHT - len(notes) - len(foot)), foot, notes)


def _more(odds: Odds) -> str:
    if odds.kind == "symbols":
        return "the distribution of every symbol"
    return f"{'finer classes' if len(odds.law) > HEIGHT else 'quantiles'}, --every every total"


def _more_line(about: str) -> RenderableType:
    return line(f"--more shows {about}.", "dim")


def _answer(odds: Odds) -> str:
    """Return the sentence that answers."""
    if odds.kind == "chance":
        return chance_text(odds)
    if odds.kind == "contest":
        return results_text(odds)
    if odds.kind == "symbols":
        mean = known_mean if odds.n_trials else shown_mean
        return f"On average {comma_list(f'{mean(odds, name)} {name}' for name in odds.columns)}."
    if len(odds.law) == 1:
        return f"Always {show_count(next(iter(odds.law)))}."
    low, middle, high = odds.quantiles_of((5, 50, 95))
    often = show_probability(sum(w for value, w in odds.law.items() if low <= value <= high) / odds.weight, 0)
    half = show_probability(odds.at_least(middle), 0)
    begin = f"On average {shown_mean(odds) if odds.is_exact else known_mean(odds, 'total')}"
    if low == high:
        return f"{begin}; {show_count(low)} in {often} of rolls."
    span = f"{show_count(low)} to {show_count(high)}"
    return f"{begin}; {span} in {often} of rolls, {show_count(middle)} or more in {half}."


def _numbers(odds: Odds) -> str:
    """Return what is known of a total beside its law, with what the words mean."""
    swing = odds.swing_of()
    spread = f"Standard deviation {number_text(odds.sd)}"
    return f"{spread}, {show_swing(swing)} of the mean (the swing)." if swing is not None else f"{spread}."


def _tables(odds: Odds, room: int) -> Iterator[Rows | RenderableType]:
    if odds.kind == "symbols":
        yield _symbols(odds)
    elif odds.kind != "chance" and len(odds.law) > 1:
        max_classes = max(FEWEST_CLASSES, room - BESIDE_ROWS + 4)
        yield simple_totals(odds, "total", max_classes)


def _symbols(odds: Odds) -> Rows:
    """Return a row for each symbol: its mean, and the chance of none, of 1, 2 and so on."""
    max_symbols = min(MOST_SYMBOL_COLUMNS - 1, max(max(odds.column(name)) for name in odds.columns))
    cells = []
    for name in odds.columns:
        chances = odds.chances(name)
        shares = [chances.get(count, 0.0) for count in range(max_symbols)]
        shares.append(odds.at_least(max_symbols, name))
        cells.append([name, shown_mean(odds, name), *(show_probability(share, 1) for share in shares)])
    beyond = any(max(odds.column(name)) > max_symbols for name in odds.columns)
    last_head = f"{max_symbols} or more" if beyond else str(max_symbols)
    heads = ["symbol", "mean", "none", *map(str, range(1, max_symbols)), last_head]
    return Rows(heads if max_symbols else ["symbol", "mean", "none"], cells, heads[1:])


# -- several ----------------------------------------------------------------------------------------------------------


def _comparison_screen(
    families: Sequence[Family], rows: Sequence[Odds], notes: Sequence[str]
) -> Iterator[RenderableType]:
    alone = families[0] if len(families) == 1 else None
    method = "exact" if all(odds.is_exact for odds in rows) else "some of it simulated"
    name = " ".join(alone.text.split()) if alone else show_many(len(rows), "expression")
    top = [title(name, method), line(_range(rows), "bold", after=1)]
    kinds = {odds.kind for odds in rows}
    body: list[Rows | RenderableType]
    if alone and is_grid(families, rows):
        body = list(one_number_each(alone, rows))
    elif kinds == {"chance"}:
        body = [about_shares(rows)]
    elif kinds == {"contest"}:
        body = [about_means(rows)]
    else:
        body = [law_table(rows, spreads=False), *shares_at_least(rows)]
    foot = how_it_was_had(rows)
    if kinds & {"total", "symbols"} or len(rows) > MOST_ROWS:
        foot.append(_more_line("deviations, swings and whatever had no room"))
    return first_screen(top, body, foot, notes)


def _range(rows: Sequence[Odds]) -> str:
    """Return between which rows the answers lie."""
    if {odds.kind for odds in rows} == {"contest"}:
        low, high = (edge(rows, key=lambda odds: odds.results["win"]) for edge in (min, max))
        ends = [f"{show_probability(odds.results['win'], 2)} ({odds.expression})" for odds in (low, high)]
        return f"The first wins {ends[0]} to {ends[1]}."
    if {odds.kind for odds in rows} == {"chance"}:
        low, high = (edge(rows, key=lambda odds: odds.mean) for edge in (min, max))
        ends = [f"{show_probability(odds.mean, 2)} ({odds.expression})" for odds in (low, high)]
        return f"Chances from {ends[0]} to {ends[1]}."
    low, high = (edge(rows, key=lambda odds: odds.mean) for edge in (min, max))
    return f"Means from {shown_mean(low)} ({low.expression}) to {shown_mean(high)} ({high.expression})."
