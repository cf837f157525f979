"""A mark and a range for each name: what is, and where it would be fair, or what is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from balance.answers.blocks.document import Picture
from balance.answers.blocks.marks import Marks, row_marks
from balance.reporting.figures.canvas import Paper, demand_data, draw_picture, label_axes, make_axes, ticks_along
from balance.reporting.figures.rows import key, name_rows, pitch_of
from balance.reporting.figures.theme import CATEGORIES, LIGHT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Family = Literal["over", "under", "fair", "depends", "unknown", "hidden", "plain"]
"""What kind of verdict a mark has: it chooses colour and shape."""
LOOKS: dict[Family, tuple[str, str]] = {
    "over": (CATEGORIES[1], "^"),
    "under": (CATEGORIES[0], "v"),
    "fair": (CATEGORIES[2], "o"),
    "depends": (CATEGORIES[5], "s"),
    "unknown": (CATEGORIES[6], "D"),
    "hidden": (CATEGORIES[3], "X"),
    "plain": (CATEGORIES[0], "o"),
}

PITCH = 0.13
"""Height of a row on a page, in inches: low, so that a verdict, its picture and a table share one page."""


@dataclass(frozen=True)
class Range:
    """One row of the picture.

    `mark`: where its mark stands, in the units of the axis. `low` and `high`: the ends of its bar; equal ends draw
    none. `family`: the kind of its verdict, which chooses colour and shape. `word`: the verdict as the key of the
    picture tells it; empty for no key.
    """

    name: str
    mark: float
    low: float
    high: float
    family: Family = "plain"
    word: str = ""


def plot_ranges(
    rows: Sequence[Range],
    x_label: str,
    *,
    reference: float | None = None,
    band: tuple[float, float] | None = None,
    heads: tuple[str, str] = ("name", ""),
) -> Picture:
    """Return a mark over a bar for each row, the first on top; colour and shape of the mark tell its verdict.

    A line at `reference` marks "no difference", and `band`, shaded, where everything is fair. `heads` say what the rows
    are, and what a bar is between its ends; "" where it is the interval of the mark. Raises `UsageError` for no row.

    >>> plot_ranges([Range("Shotgun", 10.0, 22.0, 36.0, "under", "too cheap")], "war points").wide[:4]
    '<svg'
    """
    demand_data(len(rows), "plot_ranges")
    names = [row.name for row in rows]

    def draw(paper: Paper) -> Figure:
        pitch = pitch_of(paper, names) if paper.narrow else PITCH
        figure, axes = make_axes(paper, (1.3 if paper.narrow else 0.9) + pitch * len(names))
        if band is not None:
            axes.axvspan(*band, color=LIGHT.grid, alpha=0.75, linewidth=0, zorder=0.5)
        if reference is not None:
            axes.axvline(reference, color=LIGHT.quiet, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1.5)
        for place, row in enumerate(rows):
            colour, shape = LOOKS[row.family]
            axes.plot([row.low, row.high], [place, place], color=colour, linewidth=4.2, alpha=0.4,
                      solid_capstyle="butt")  # fmt: skip
            axes.plot([row.mark], [place], shape, color=colour, markersize=6.0, markeredgecolor=LIGHT.page.ground,
                      markeredgewidth=0.5, zorder=3)  # fmt: skip
        name_rows(axes, paper, names, paper.type)
        ticks_along(axes, paper, [end for row in rows for end in (row.mark, row.low, row.high)])
        label_axes(figure, axes, paper, x_label)
        looks = {row.word: LOOKS[family] for family in LOOKS for row in rows if row.word and row.family == family}
        key(figure, looks, paper)
        return figure

    return draw_picture(draw, _marks(rows, x_label, *heads))


def _marks(rows: Sequence[Range], x_label: str, name: str, bar: str) -> Marks:
    """Return mark, bar and verdict of each row, as the numbers of the picture."""
    ends = (f"{bar}, lower", f"{bar}, upper") if bar else ("lower", "upper")
    values = [(row.name, row.mark, row.low, row.high, row.word) for row in rows]
    return row_marks((name, x_label, *ends, "verdict"), values, [row.mark for row in rows])
