"""What `tornado` says: what a conclusion rests on, what flips it, and where it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from balance.analysis.claims.conclusion import Outcome, in_words
from balance.analysis.claims.region import Region
from balance.analysis.claims.robustness import Flip, Move, Robustness, Span
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Paragraph, Verbatim, plain
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Terms
from balance.answers.words.questions.asked import what_was_asked
from balance.base.errors import comma_list
from balance.base.numbers import (
    show_count,
    show_fixed,
    show_interval,
    show_many,
    show_number,
    show_probability,
    show_step,
)

if TYPE_CHECKING:
    import polars as pl

MOST_ROWS = 20
CHANGED = {1: "Changing one value", 2: "Changing either of two values"}


def sentence(robustness: Robustness, terms: Terms) -> str:
    """Return the conclusion, how many values moved, and the fewest moves that flip it."""
    flip = robustness.smallest_flip
    return f"{_begin(robustness)} {_nothing_concluded(robustness) if flip is None else _flip(robustness, flip)}"


def tables(robustness: Robustness) -> Mapping[str, Records | pl.DataFrame]:
    """Return between which ends each value moves the number, the fewest moves that flip it, and the turned faces."""
    import polars as pl

    flip, region = robustness.smallest_flip, robustness.region
    found = {"values": Records(Span, robustness.spans), "moves": Records(Move, flip.moves if flip is not None else ())}
    if region is None:
        return found
    rows = [
        (across, down, cell and cell.value.value, cell and cell.verdict)
        for down, row in zip(region.down.steps, region.cells, strict=True)
        for across, cell in zip(region.across.steps, row, strict=True)
    ]
    columns = {"across": pl.Int64, "down": pl.Int64, "number": pl.Float64, "verdict": pl.String}
    return {**found, "region": pl.DataFrame(rows, columns, orient="row")}


# -- the conclusion ---------------------------------------------------------------------------------------------------


def _basis(robustness: Robustness, terms: Terms) -> str:
    n = robustness.n_trials
    return terms.rests_on(f"simulated, {n:,} trials, seed {robustness.seed}" if n else "exact")


def _with_says(robustness: Robustness, outcome: Outcome) -> str:
    """Return the number of an outcome, with its interval where it is simulated, and the conclusion from it."""
    value, show = outcome.value, robustness.bench.measure.show
    number = show(value.value) + ("" if value.is_exact else f" ({show_interval(value.low, value.high, show)})")
    winners = robustness.question.kind.winners
    says = in_words(robustness.claim, robustness.bench.measure, outcome.verdict, winners)
    return ": ".join(filter(None, (number, says)))


def _begin(robustness: Robustness) -> str:
    """Return the number with its conclusion, and how many assumed values moved."""
    values_text = show_many(len(robustness.spans) + len(robustness.without_effect), "value")
    measure = robustness.measure
    begin = f"{measure[0].upper()}{measure[1:]} {_with_says(robustness, robustness.outcome)}"
    error = "" if robustness.outcome.value.is_exact else f" {_error(robustness)}"
    return f"{begin}. {values_text} that nobody stated moved, one at a time.{error}"


def _error(robustness: Robustness) -> str:
    """Return the widest half-interval of the simulated numbers in a sentence."""
    ends = [end for span in robustness.spans for end in span.ends] or [robustness.outcome.value]
    widest = max(end.half_width for end in ends)
    is_share = robustness.bench.measure.is_share
    width_text = f"{show_fixed(100 * widest, 1)} points" if is_share else show_number(widest)
    return f"All with the same dice; each number is known to within {width_text}, with a confidence of 95%."


def _nothing_concluded(robustness: Robustness) -> str:
    if robustness.claim is None:
        return "Nothing is concluded from it: say what should hold with --at-least X or --at-most X."
    return "What follows is not yet known from so few trials: ask for more with --trials N."


def _flip(robustness: Robustness, flip: Flip) -> str:
    n, then = len(flip.moves), _with_says(robustness, flip.outcome)
    if not flip.does_flip:
        near = f"the nearest, by {show_many(n, 'move')}, is {then}" if n else "no move brings it nearer"
        return f"Not found within {show_many(robustness.max_moves, 'move')}; {near}."
    if n == 1:
        alone = sum(bool(span.flips) for span in robustness.spans)
        return f"{CHANGED.get(alone, f'Changing any one of {alone:,} values')} can make it {then}."
    greedy = "" if n == 2 else " They were found one after the other, so that fewer may do."
    return f"No single move flips it; {n} together do: {then}.{greedy}"


# -- what it rests on -------------------------------------------------------------------------------------------------


def _asked(robustness: Robustness, terms: Terms, more: bool) -> Iterator[Block]:
    yield what_was_asked(robustness.question)


def _parts(robustness: Robustness, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield the tornado, the moves that flip the conclusion, the grid of turned faces, and values left out."""
    flip = robustness.smallest_flip
    yield from _spans(robustness)
    if flip is not None and flip.moves:
        yield grid(["move", "from", "to"], [(move.path, move.old or "none", move.new or "none") for move in flip.moves])
    if robustness.region is not None:
        yield from _region(robustness, robustness.region)
    unseen = "Not measurable here, as no move changes anything of the distribution"
    yield from _left_out(unseen, robustness.without_effect)
    yield from _left_out("Refused, whatever else they might be", robustness.fixed)


def _spans(robustness: Robustness) -> Iterator[Block]:
    """Yield the tornado: at most 20 rows, the widest first, values of equal effect in one row."""

    def end(span: Span, move: Move | None) -> str:
        show = robustness.bench.measure.show
        return show(span.number) if move is None else f"{show(move.outcome.value.value)} at {move.new or 'none'}"

    def order(span: Span) -> tuple[object, ...]:
        place, ends = span.place, (end(span, span.low), end(span, span.high))
        return -round(span.width, 9), place.table, place.field, place.old, ends, len(span.flips)

    def row(group: Sequence[Span]) -> tuple[str, ...]:
        span, more = group[0], len(group) - 1
        name = span.path + (f" (+{more})" if more else "")
        ends = (end(span, move) for move in (span.low, span.high))
        return name, span.old or "none", *ends, "yes" if span.flips else ""

    wide = sorted((span for span in robustness.spans if span.width), key=order)
    rows = [list(group) for _, group in groupby(wide, key=order)]
    if rows:
        yield grid(["value", "is", "lowest", "highest", "flips"], map(row, rows[:MOST_ROWS]), whole=["value"])
    if any(len(group) > 1 for group in rows[:MOST_ROWS]):
        yield plain("(+n): n others of the table that do the same", "aside", gap=True)
    if len(rows) > MOST_ROWS:
        yield plain(f"{show_count(len(rows) - MOST_ROWS)} more: --json lists all", "aside", gap=True)
    if n := len(robustness.spans) - len(wide):
        values_text = show_many(n, "other value" if wide else "value")
        yield plain(f"No move of {values_text} that can be seen here changes this number.", gap=True)


def _region(robustness: Robustness, region: Region) -> Iterator[Block]:
    """Yield the grid of the number by faces turned, in brackets where the conclusion flips."""
    heading = "Faces turned" if robustness.claim is None else "Where it stands"
    share = "" if robustness.claim is None else f": {show_probability(region.stands)} of this grid"
    unit = "In per cent; in" if robustness.bench.measure.is_share else "In"
    yield plain(f"{heading}{share}", "strong")
    yield plain(f"Across: {region.across}. Down: {region.down}. Below 0 the other way round.")
    yield plain(f"{unit} brackets where it flips.", gap=True)
    rows = [["", *map(show_step, region.across.steps)]]
    for step, cells in zip(region.down.steps, region.cells, strict=True):
        rows.append([show_step(step), *(_cell(robustness, cell) for cell in cells)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (" ".join(map(str.rjust, row, widths)) for row in rows)
    yield Verbatim(tuple(f"  {text}" for text in lines), gap=True)


def _cell(robustness: Robustness, cell: Outcome | None) -> str:
    if cell is None:
        return "-"
    value = cell.value.value
    text = show_fixed(100 * value, 0) if robustness.bench.measure.is_share else show_number(value, 2)
    if robustness.bench.flips(cell):
        return f"[{text}]"
    return f"{text}?" if cell.verdict == "not yet known" else text


def _left_out(reason: str, paths: Sequence[str]) -> Iterator[Paragraph]:
    """Yield how many values of each table were left out, and why."""
    if paths:
        counts = Counter(path.partition(".")[0] for path in paths)
        tables_text = comma_list(f"{n} of {name}" for name, n in sorted(counts.items()))
        yield plain(f"{reason}: {show_many(len(paths), 'value')} ({tables_text}).", "aside", gap=True)


WORDS = AnswerWords.alike(sentence, _parts, _basis, tables, _asked)
