"""What `balance dice` prints: everything of one expression with its picture, and how the odds were had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from balance.answers.blocks.bins import Bin, bins_of
from balance.answers.media.terminal import Rows, bar, line, table, table_in_parts, title
from balance.base.errors import comma_list
from balance.base.numbers import show_count, show_probability
from balance.chance.dice.odds import QUANTILES, fraction_text
from balance.chance.swing import about_swing, show_swing, why_no_swing
from balance.verbs.render.dice.comparison import comparison_blocks, is_grid
from balance.verbs.render.dice.number_text import (
    BAR,
    Cells,
    interval_text,
    known_mean,
    number_text,
    share_text,
    shown_mean,
)
from balance.verbs.render.dice.sentences import LONGEST_FRACTION, RESULT_NAMES, chance_text, short_fraction

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.chance.dice import Family, Odds
    from balance.chance.dice.exact.weights import Law

MOST_TOTALS, MOST_CLASSES = 36, 24
"""Rows for single totals up to so many; else classes, at most so many."""
MOST_ROWS = 400
"""Rows of a table that is laid out by what its cells need."""
MOST_MODES = 3


def blocks(
    families: Sequence[Family], rows: Sequence[Odds], samples: Sequence[Odds | None], all_totals: bool
) -> Iterator[RenderableType]:
    """Yield everything, from top to bottom; with `all_totals` a row for every total, instead of classes of many.

    `samples` has a simulation for each of the odds, or None.
    """
    if len(rows) == 1:
        yield from _expression_blocks(rows[0], samples[0], all_totals)
    else:
        yield from comparison_blocks(families, rows)
    has_swings = {odds.kind for odds in rows} - {"chance", "contest"} and not is_grid(families, rows)
    yield from how_it_was_had(rows)
    if len(rows) == 1 or has_swings:
        yield from _about_swings(rows)


# -- one expression ---------------------------------------------------------------------------------------------------


def _expression_blocks(odds: Odds, sample: Odds | None, all_totals: bool) -> Iterator[RenderableType]:
    yield title(str(odds.expression), "exact" if odds.is_exact else f"{odds.n_trials:,} trials of seed {odds.seed}")
    if odds.kind == "contest":
        yield _results(odds, sample)
    if odds.kind == "chance":
        yield line(chance_text(odds), "bold", after=1)
    else:
        yield from _numbers(odds)
        if not odds.is_exact:
            yield line(f"Known: {comma_list(f'mean {known_mean(odds, name)}' for name in odds.columns)}.", after=1)
        for name in odds.columns:
            yield _totals(odds, name, all_totals)
    if sample is not None:
        yield line(beside(odds, sample), after=1)


def _results(odds: Odds, sample: Odds | None) -> RenderableType:
    """Return the chance of each result of a contest, as a fraction too where that is exact and short."""
    sure = odds.is_exact and not odds.tail
    rows: list[Cells] = []
    for name, share in odds.result_fractions.items():
        exact = fraction_text(share, LONGEST_FRACTION) if sure else ""
        row: Cells = [RESULT_NAMES[name], share_text(odds, round(share * odds.weight)), bar(float(share), BAR), exact]
        rows.append([*row, show_probability(sample.results[name], 2)] if sample is not None else row)
    heads = ["result", "chance", "", "exactly" if any(row[3] for row in rows) else " "]
    return table([*heads, "simulated"] if sample is not None else heads, rows, right=("chance", "exactly", "simulated"))


def _numbers(odds: Odds) -> Iterator[RenderableType]:
    """Yield one row for each column: mean, standard deviation, swing, mode and quantiles."""
    quantiles = [f"{q}%" for q in QUANTILES]
    heads = ["mean margin" if odds.kind == "contest" else "mean", "deviation", "swing", "mode", *quantiles]
    if odds.kind == "symbols":
        rows = [[name, *_summary(odds, name)] for name in odds.columns]
        yield from table_in_parts(["symbol", *heads], rows, right=heads)
    else:
        yield from table_in_parts(heads, [_summary(odds, "total")], right=heads)


def _summary(odds: Odds, name: str) -> Cells:
    mode = odds.mode_of(name)
    modes = ", ".join(map(show_count, mode[:MOST_MODES])) + ("…" if len(mode) > MOST_MODES else "")
    if not odds.is_exact and len(odds.law) > MOST_TOTALS:
        modes = "–"  # which of very many totals came up most is an accident
    quantiles = map(show_count, odds.quantiles_of(QUANTILES, name))
    return [shown_mean(odds, name), number_text(odds.sd_of(name)), show_swing(odds.swing_of(name)), modes, *quantiles]


def simple_totals(odds: Odds, name: str, max_classes: int) -> Rows:
    """Return every total, or at most `max_classes` classes of them, with its chance, a bar, and that of as much."""
    return _rows(odds, name, bins_of(odds.chances(name), max_classes, max_classes))


def _totals(odds: Odds, name: str, all_totals: bool) -> RenderableType:
    law, chances = odds.column(name), odds.chances(name)
    if len(law) == 1:
        return line(f"Always {show_count(next(iter(law)))}.", after=1)
    classes = [Bin(v, v) for v in law] if all_totals else bins_of(chances, MOST_TOTALS, MOST_CLASSES)
    totals = _rows(odds, name, classes)
    if len(classes) > MOST_ROWS:
        return _plain(totals)
    return table(totals.headers, totals.rows, totals.right)


def _plain(totals: Rows) -> RenderableType:
    """Return a table of over 400 rows as lines of text, because rich takes about a millisecond to lay out each row."""
    rows = [list(map(str, totals.headers)), *(list(map(str, row)) for row in totals.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    flush = [header in totals.right for header in totals.headers]
    lines = [
        "   ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, flush, strict=True)
        ).rstrip()
        for row in rows
    ]
    return Padding(Text("\n".join(lines), no_wrap=True), (0, 0, 1, 2))


def _rows(odds: Odds, name: str, classes: Sequence[Bin]) -> Rows:
    weights = _weights(odds.column(name), classes)
    max_weight, rest, rows = max(weights), odds.weight, list[Cells]()
    for span, weight in zip(classes, weights, strict=True):
        chance, at_least = show_probability(weight / odds.weight, 2), show_probability(rest / odds.weight, 2)
        exact = short_fraction(odds, span.low, name) if span.low == span.high and span.low is not None else ""
        cell = chance if odds.is_exact else interval_text(odds, weight)
        rows.append([span.label, cell, bar(weight / max_weight, BAR), at_least, exact])
        rest -= weight
    head = "margin" if odds.kind == "contest" else name
    heads = [head, "chance", "", "at least", "exactly"]
    keep = 5 if any(row[4] for row in rows) else 4
    return Rows(heads[:keep], [row[:keep] for row in rows], (head, "chance", "at least", "exactly"))


def _weights(law: Law, classes: Sequence[Bin]) -> list[int]:
    """Return the weight of each class; classes and values are in rising order."""
    class_weights, place = [0] * len(classes), 0
    for value, weight in law.items():
        while value not in classes[place]:
            place += 1
        class_weights[place] += weight
    return class_weights


def beside(odds: Odds, sample: Odds) -> str:
    """Return what a simulation of an expression gave, for the line beside the exact answer."""
    begin = f"Simulated, {sample.n_trials:,} trials of seed {sample.seed}: "
    if odds.kind == "chance":
        return f"{begin}chance {share_text(sample, sample.column().get(1, 0))}."
    means = [f"{'mean' if name == 'total' else name} {known_mean(sample, name)}" for name in sample.columns]
    return f"{begin}{comma_list(means)}."


# -- how it was had ---------------------------------------------------------------------------------------------------


def how_it_was_had(rows: Sequence[Odds]) -> list[RenderableType]:
    """Return the limits of the numbers: where explosions are cut off, and why something is simulated."""
    notes = []
    if tail := max(odds.tail for odds in rows):
        text = (
            f"Explosions are followed until more of them have a chance below {tail:.0e}, which is on the highest total."
        )
        notes.append(line(text, "dim"))
    reasons = dict.fromkeys(odds.reason for odds in rows if odds.reason)
    return [*notes, *(line(f"Simulated: {reason}.", "dim") for reason in reasons)]


def _about_swings(rows: Sequence[Odds]) -> Iterator[RenderableType]:
    """Yield what swing is, unless all expressions are comparisons, which have none."""
    if totals := [odds for odds in rows if odds.kind != "chance"]:
        signed = any(odds.swing_of(name) is None for odds in totals for name in odds.columns)
        yield line(about_swing(why_no_swing("totals") if signed else ""), "dim")
