"""The first screen of `balance dice`: a sentence that answers, then the table, in the room of a small terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from balance.answers.media.screens import HEIGHT, first_screen
from balance.answers.media.terminal import Rows, line, title
from balance.base.numbers import show_many, show_probability
from balance.chance.swing import show_swing
from balance.verbs.render.dice.comparison import (
    about_means,
    about_shares,
    is_grid,
    law_table,
    one_number_each,
    shares_at_least,
)
from balance.verbs.render.dice.number_text import number_text, shown_mean
from balance.verbs.render.dice.sentences import sentence_of
from balance.verbs.render.dice.text import beside, how_it_was_had, simple_totals

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
    """Yield the first screen of one expression, or of several; room is left for `notes`.

    `samples` has a simulation for each of the odds, or None.
    """
    if len(rows) == 1:
        return _expression_screen(rows[0], samples[0], notes)
    return _comparison_screen(families, rows, notes)


# -- one expression ---------------------------------------------------------------------------------------------------


def _expression_screen(odds: Odds, sample: Odds | None, notes: Sequence[str]) -> Iterator[RenderableType]:
    method = "exact" if odds.is_exact else f"{odds.n_trials:,} trials of seed {odds.seed}"
    top = [title(str(odds.expression), method), line(sentence_of([odds]), "bold", after=1)]
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


def _numbers(odds: Odds) -> str:
    """Return the standard deviation of a total and, where it is measurable, the swing, with what that is."""
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
    top = [title(name, method), line(sentence_of(rows), "bold", after=1)]
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
