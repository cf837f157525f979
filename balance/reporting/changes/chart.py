"""The chart of a change: what each scores before and after, beside each other, and which changed card brings it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from balance.answers.blocks.document import Figure, Picture
from balance.answers.blocks.marks import row_marks
from balance.answers.blocks.text import literal
from balance.answers.words.changes.equal_points import listed_rows, verdict_text
from balance.answers.words.changes.sentences import Name, card_row
from balance.base.numbers import show_probability
from balance.reporting.figures.canvas import Paper, draw_picture, label_axes, make_axes, ticks_along
from balance.reporting.figures.rows import key, name_rows, pitch_of
from balance.reporting.figures.theme import CATEGORIES, LIGHT
from balance.study.compare.answer import ArmyScore, Comparison, Standing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

MOST_ROWS = 18
LOOKS = {
    "before": (LIGHT.quiet, "o"),
    "after: more": (CATEGORIES[0], ">"),
    "after: less": (CATEGORIES[1], "<"),
    "after: not told apart": (CATEGORIES[6], "D"),
    "after: the same": (CATEGORIES[2], "s"),
}
ELSEWHERE = "meets what is changed"


@dataclass(frozen=True)
class Move:
    """One row of the chart: scores and what the change adds, all in per cent; equal ends where that is exact.

    `verdict` is that on its price, empty where none is given; `why` is what is changed of it, or that it only meets it.
    """

    name: str
    before: float
    after: float
    low: float
    high: float
    verdict: str
    why: str

    @property
    def look(self) -> str:
        """The key of `LOOKS` for the mark after the change: by whether the score surely rises or falls."""
        if self.low == self.high == 0:
            return "after: the same"
        if self.low > 0:
            return "after: more"
        return "after: less" if self.high < 0 else "after: not told apart"


def change_chart(comparison: Comparison, name: Name) -> list[Figure]:
    """Return the chart of a change, as a list; empty where nobody's score is known before and after it.

    `name` gives the displayed name of the id of a card or entrant.
    """
    rows, axis = _moves(comparison, name)
    moves = rows[:MOST_ROWS]
    if not moves:
        return []
    texts = [
        f"{move.name} from {show_probability(move.before / 100)} to {show_probability(move.after / 100)} "
        f"({move.look.removeprefix('after: ')}), {move.why}"
        for move in moves
    ]
    first = f" The first {MOST_ROWS} of {len(rows)}." if len(rows) > MOST_ROWS else ""
    caption = f"Before and after: {literal(axis)}. Bars are intervals of what the change adds; none where it is exact."
    return [Figure(plot_moves(moves, f"{axis}, in per cent"), f"{axis}: {'; '.join(texts)}.", f"{caption}{first}")]


def _moves(comparison: Comparison, name: Name) -> tuple[list[Move], str]:
    """Return the rows of the first table of scores that are known, and what they are scores of."""
    armies = comparison.equal_points
    if armies is None:
        rows = (*comparison.affected.listed, *comparison.affected.others)
        ends = [(row, row.difference_low, row.difference_high, "") for row in rows]
        moves = [_move(comparison, name, *row) for row in ends if None not in (row[0].before, row[0].after)]
        return moves, "mean score against the whole field"
    settings, first = armies.typical_match_ups, armies.typical_match_ups[0]
    moves = [
        _move(comparison, name, score, score.low, score.high, verdict_text(price) if price else "")
        for score, price in listed_rows(comparison, armies)[first.setting]
    ]
    return moves, f"score at equal points{f', {first.title}' if len(settings) > 1 else ''}"


def _move(
    comparison: Comparison, name: Name, row: Standing | ArmyScore, low: float | None, high: float | None, verdict: str
) -> Move:
    shares = row.before, row.after, row.difference if low is None else low, row.difference if high is None else high
    before, after, least, most = (100 * (share or 0.0) for share in shares)
    why = "; ".join(reasons(comparison, row.entrant)) or ELSEWHERE
    return Move(name(row.entrant), before, after, least, most, verdict, why)


def reasons(comparison: Comparison, entrant: str) -> Iterable[str]:
    """Return what is changed of a card, or of the cards of an entrant, value by value; empty where nothing is."""
    cards = {entrant}.union(*(row.cards for row in comparison.affected.standing if row.entrant == entrant))
    for card in comparison.affected.cards:
        if card.card in cards:
            label, field, before, after = card_row(card)
            yield f"{label}: {field} {before} → {after}" if field else f"{label}: {after}"


def plot_moves(moves: Sequence[Move], x_label: str) -> Picture:
    """Return the picture of at least one row, the first on top: marks before and after, with a line between them.

    >>> plot_moves([Move("Ox", 60.0, 50.0, -12.0, -8.0, "fair", "Ox: cost 4 → 5")], "score, in per cent").wide[:4]
    '<svg'
    """
    names = [move.name for move in moves]

    def draw(paper: Paper) -> Drawing:
        figure, axes = make_axes(paper, (1.3 if paper.narrow else 0.9) + pitch_of(paper, names) * len(names))
        for place, move in enumerate(moves):
            _draw_move(axes, place, move)
        if axes.get_xlim()[0] < 50.0 < axes.get_xlim()[1]:
            axes.axvline(50.0, color=LIGHT.quiet, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1.5)
        name_rows(axes, paper, names, paper.type)
        ticks_along(axes, paper, [score for move in moves for score in (move.before, move.after)])
        label_axes(figure, axes, paper, x_label)
        looks = ["before", *dict.fromkeys(move.look for move in moves)]
        key(figure, {word: LOOKS[word] for word in LOOKS if word in looks}, paper)
        return figure

    scores = "before, in per cent", "after, in per cent", "change, in points", "lower", "upper"
    rows = [
        (move.name, move.before, move.after, move.after - move.before, move.low, move.high, move.verdict, move.why)
        for move in moves
    ]
    return draw_picture(draw, row_marks(("name", *scores, "verdict", "why"), rows, [move.after for move in moves]))


def _draw_move(axes: Axes, place: int, move: Move) -> None:
    colour, shape = LOOKS[move.look]
    ends = [move.before + move.low, move.before + move.high]
    axes.plot(ends, [place, place], color=colour, linewidth=4.2, alpha=0.4, solid_capstyle="butt")
    axes.plot([move.before, move.after], [place, place], color=colour, linewidth=1.0, zorder=2)
    axes.plot([move.before], [place], "o", color=LOOKS["before"][0], markersize=4.0, zorder=3)
    axes.plot([move.after], [place], shape, color=colour, markersize=6.0, markeredgecolor=LIGHT.page.ground,
              markeredgewidth=0.5, zorder=3)  # fmt: skip
