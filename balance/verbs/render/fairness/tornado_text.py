"""What `balance tornado` prints: what the conclusion rests on, what flips it, and where it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from balance.analysis.claims.assumptions import Place
from balance.analysis.claims.conclusion import Outcome, in_words
from balance.analysis.claims.region import Region
from balance.analysis.claims.robustness import Flip, Move, Robustness, Span
from balance.answers.media.screens import rests_on, screen_of
from balance.answers.media.terminal import line, table
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
from balance.chance.trials.estimate import Estimate
from balance.game.question.question import Question

if TYPE_CHECKING:
    from rich.console import RenderableType

MOST_ROWS = 20
CHANGED = {1: "Changing one value", 2: "Changing either of two values"}


def blocks(
    question: Question,
    robustness: Robustness,
    region: Region | None,
    max_moves: int,
    more: bool = True,
    notes: Collection[str] = (),
) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen with room for `notes` below it.

    `region` is None where no faces of dice can be turned.
    """
    from balance.verbs.render.answers.text import short_question_table

    words = _Words(question, robustness)
    n = robustness.bench.base.value.n_trials
    basis = rests_on(question.game, f"simulated, {n:,} trials, seed {robustness.bench.seed}" if n else "exact")
    return screen_of(
        words.sentence(max_moves),
        _parts(words, region),
        basis,
        more,
        notes,
        [short_question_table(question)],
    )


def sentence(question: Question, robustness: Robustness, max_moves: int) -> str:
    """Return what is concluded, what was moved, and whether that flips it."""
    return _Words(question, robustness).sentence(max_moves)


def _parts(words: _Words, region: Region | None) -> Iterator[RenderableType]:
    """Yield the tornado, the moves that flip the conclusion, the grid of turned faces, and values left out."""
    robustness = words.robustness
    yield from words.spans()
    yield from words.flip_table(robustness.smallest_flip)
    if region is not None:
        yield from words.region(region)
    yield from _left_out(
        "Not measurable here, as no move changes anything of the distribution", robustness.without_effect
    )
    yield from _left_out("Refused, whatever else they might be", robustness.fixed)


class _Words:
    """The texts on a conclusion, made from one question and its robustness."""

    def __init__(self, question: Question, robustness: Robustness) -> None:
        self.question, self.robustness, self.bench = question, robustness, robustness.bench

    def number(self, estimate: Estimate) -> str:
        """Return a number in the measure's unit, with its interval where it is simulated."""
        interval = (
            "" if estimate.is_exact else f" ({show_interval(estimate.low, estimate.high, self.bench.measure.show)})"
        )
        return f"{self.bench.measure.show(estimate.value)}{interval}"

    def says(self, outcome: Outcome) -> str:
        """Return the conclusion from an outcome in words; empty where none is drawn."""
        return in_words(self.bench.claim, self.bench.measure, outcome.verdict, self.question.kind.winners)

    def with_says(self, outcome: Outcome) -> str:
        """Return the number of an outcome and the conclusion from it."""
        return ": ".join(filter(None, (self.number(outcome.value), self.says(outcome))))

    def sentence(self, max_moves: int) -> str:
        """Return the conclusion, how many values moved, and the fewest moves that flip it."""
        flip = self.robustness.smallest_flip
        return f"{self.begin()} {self._nothing_concluded() if flip is None else self._flip_text(flip, max_moves)}"

    def begin(self) -> str:
        """Return the number with its conclusion, and how many assumed values moved."""
        robustness = self.robustness
        values_text = show_many(len(robustness.spans) + len(robustness.without_effect), "value")
        measure = str(self.bench.measure)
        begin = f"{measure[0].upper()}{measure[1:]} {self.with_says(self.bench.base)}"
        error = "" if self.bench.base.value.is_exact else f" {self._error()}"
        return f"{begin}. {values_text} that nobody stated moved, one at a time.{error}"

    def _error(self) -> str:
        """Return the widest half-interval of the simulated numbers in a sentence."""
        ends = [end for span in self.robustness.spans for end in span.ends] or [self.bench.base.value]
        widest = max(end.half_width for end in ends)
        width_text = f"{show_fixed(100 * widest, 1)} points" if self.bench.measure.is_share else show_number(widest)
        return f"All with the same dice; each number is known to within {width_text}, with a confidence of 95%."

    # -- what it rests on -------------------------------------------------------------------------------------------

    def spans(self) -> Iterator[RenderableType]:
        """Yield the tornado: at most 20 rows, the widest first, values of equal effect in one row."""
        wide = sorted((span for span in self.robustness.spans if span.width), key=self._order)
        rows = [list(group) for _, group in groupby(wide, key=self._order)]
        if rows:
            heads = ["value", "is", "lowest", "highest", "flips"]
            yield table(heads, [self._row(group) for group in rows[:MOST_ROWS]], whole=["value"])
        if any(len(group) > 1 for group in rows[:MOST_ROWS]):
            yield line("(+n): n others of the table that do the same", "dim", 1)
        if len(rows) > MOST_ROWS:
            yield line(f"{show_count(len(rows) - MOST_ROWS)} more: --json lists all", "dim", 1)
        if n := len(self.robustness.spans) - len(wide):
            values_text = show_many(n, "other value" if wide else "value")
            yield line(f"No move of {values_text} that can be seen here changes this number.", after=1)

    def _order(self, span: Span) -> tuple[object, ...]:
        place, ends = span.place, (self._end(span, span.low), self._end(span, span.high))
        return -round(span.width, 9), place.table, place.field, place.old, ends, len(span.flips)

    def _row(self, group: Sequence[Span]) -> tuple[str, ...]:
        span, more = group[0], len(group) - 1
        name = span.place.path + (f" (+{more})" if more else "")
        ends = (self._end(span, move) for move in (span.low, span.high))
        return name, span.place.old or "none", *ends, "yes" if span.flips else ""

    def _end(self, span: Span, move: Move | None) -> str:
        if move is None:
            return self.bench.measure.show(span.base.value.value)
        return f"{self.bench.measure.show(move.outcome.value.value)} at {move.new or 'none'}"

    # -- what flips it ----------------------------------------------------------------------------------------------

    def flip_table(self, flip: Flip | None) -> Iterator[RenderableType]:
        """Yield the moves that flip the conclusion, or bring it nearest to that."""
        if flip is not None and flip.moves:
            rows = [(move.place.path, move.place.old or "none", move.new or "none") for move in flip.moves]
            yield table(["move", "from", "to"], rows)

    def _nothing_concluded(self) -> str:
        if self.bench.claim is None:
            return "Nothing is concluded from it: say what should hold with --at-least X or --at-most X."
        return "What follows is not yet known from so few trials: ask for more with --trials N."

    def _flip_text(self, flip: Flip, max_moves: int) -> str:
        n, then = len(flip.moves), self.with_says(flip.outcome)
        if not flip.does_flip:
            near = f"the nearest, by {show_many(n, 'move')}, is {then}" if n else "no move brings it nearer"
            return f"Not found within {show_many(max_moves, 'move')}; {near}."
        if n == 1:
            alone = sum(bool(span.flips) for span in self.robustness.spans)
            return f"{CHANGED.get(alone, f'Changing any one of {alone:,} values')} can make it {then}."
        greedy = "" if n == 2 else " They were found one after the other, so that fewer may do."
        return f"No single move flips it; {n} together do: {then}.{greedy}"

    # -- where it stands --------------------------------------------------------------------------------------------

    def region(self, region: Region) -> Iterator[RenderableType]:
        """Yield the grid of the number by faces turned, in brackets where the conclusion flips."""
        heading = "Where it stands" if self.bench.claim is not None else "Faces turned"
        share = f": {show_probability(region.stands)} of this grid" if self.bench.claim is not None else ""
        unit = "In per cent; in" if self.bench.measure.is_share else "In"
        yield line(f"{heading}{share}", "bold")
        yield line(f"Across: {region.across}. Down: {region.down}. Below 0 the other way round.")
        yield line(f"{unit} brackets where it flips.", after=1)
        rows = [[Text(""), *(Text(show_step(x), "dim") for x in region.across.steps)]]
        for y, row in zip(region.down.steps, region.cells, strict=True):
            rows.append([Text(show_step(y), "dim"), *map(self._cell, row)])
        yield _grid(rows)

    def _cell(self, cell: Outcome | None) -> Text:
        if cell is None:
            return Text("-", "dim")
        value = cell.value.value
        text = show_fixed(100 * value, 0) if self.bench.measure.is_share else show_number(value, 2)
        if self.bench.flips(cell):
            return Text(f"[{text}]", "yellow")
        return Text(f"{text}?" if cell.verdict == "not yet known" else text)


def _grid(rows: Sequence[Sequence[Text]]) -> RenderableType:
    """Return cells set flush right in columns as narrow as they may be: a grid has many."""
    grid = Table.grid(padding=(0, 1))
    for _ in rows[0]:
        grid.add_column(justify="right", no_wrap=True)
    for row in rows:
        grid.add_row(*row)
    return Padding(grid, (0, 0, 1, 2))


def _left_out(reason: str, places: Sequence[Place]) -> Iterator[RenderableType]:
    """Yield how many values of each table were left out, and why."""
    if places:
        counts = Counter(place.table for place in places)
        tables_text = comma_list(f"{n} of {name}" for name, n in sorted(counts.items()))
        yield line(f"{reason}: {show_many(len(places), 'value')} ({tables_text}).", "dim", 1)
