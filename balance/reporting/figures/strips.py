"""A strip of dots for each name, one for each of its members, with the median marked: how far they lie apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from balance.answers.blocks.document import Picture
from balance.answers.blocks.marks import Marks
from balance.reporting.figures.canvas import Paper, demand_data, draw_picture, label_axes, make_axes, ticks_along
from balance.reporting.figures.ranges import LOOKS, Family
from balance.reporting.figures.rows import key, name_rows
from balance.reporting.figures.theme import LIGHT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PITCH = 0.30
"""Height of a strip in inches."""
NEAR = 0.012
"""Dots nearer to each other than this share of the axis are drawn beside each other."""


@dataclass(frozen=True)
class Strip:
    """One row of the picture: a dot for each value, and a mark at the median.

    `family` and `word`: the verdict on the median, as colour and shape, and as the key of the picture tells it; empty
    for no key. `members`: who has each value; empty where they have no names.
    """

    name: str
    values: tuple[float, ...]
    median: float
    family: Family = "plain"
    word: str = ""
    members: tuple[str, ...] = ()


def plot_strips(strips: Sequence[Strip], x_label: str, *, band: tuple[float, float] | None = None) -> Picture:
    """Return a strip of dots for each row, the first on top; medians shall lie in the shaded `band`.

    Raises `UsageError` for no row; each has at least one value.

    >>> plot_strips([Strip("2 heroes", (25.0, 57.0, 94.0), 57.0)], "chance, in per cent").wide[:4]
    '<svg'
    """
    demand_data(min((len(strip.values) for strip in strips), default=0), "plot_strips")
    names = [strip.name for strip in strips]

    def draw(paper: Paper) -> Figure:
        figure, axes = make_axes(paper, (1.3 if paper.narrow else 0.9) + PITCH * len(strips))
        if band is not None:
            axes.axvspan(*band, color=LIGHT.grid, alpha=0.75, linewidth=0, zorder=0.5)
        for row, strip in enumerate(strips):
            colour, shape = LOOKS[strip.family]
            values = np.sort(np.array(strip.values))
            axes.plot(values, row + side_steps(values), ".", color=colour, alpha=0.55, markersize=4.6, zorder=2)
            axes.plot([strip.median], [row], shape, color=colour, markersize=8.0, markeredgecolor=LIGHT.page.ground,
                      markeredgewidth=0.9, zorder=3)  # fmt: skip
        name_rows(axes, paper, names, paper.type)
        ticks_along(axes, paper, [value for strip in strips for value in strip.values])
        label_axes(figure, axes, paper, x_label)
        words = {strip.word: strip.family for strip in strips if strip.word}
        key(figure, {word: LOOKS[family] for word, family in words.items()}, paper)
        return figure

    return draw_picture(draw, _marks(strips, x_label))


def _marks(strips: Sequence[Strip], x_label: str) -> Marks:
    """Return the median of each strip, then its dots and whose they are, as the numbers of the picture."""
    rows: list[tuple[str, str, float, str]] = []
    places: list[tuple[float, float]] = []
    for row, strip in enumerate(strips):
        members = strip.members or ("",) * len(strip.values)
        dots = sorted(zip(strip.values, members, strict=True))
        rows.append(("median", strip.name, strip.median, strip.word))
        places.append((strip.median, float(row)))
        rows += [(member, strip.name, value, "") for value, member in dots]
        values = np.array([value for value, _ in dots])
        places += zip(values.tolist(), (row + side_steps(values)).tolist(), strict=True)
    return Marks(("name", "of", x_label, "verdict"), tuple(rows), tuple(places))


def side_steps(values: np.ndarray) -> np.ndarray:
    """Return the offsets from their row at which rising values are drawn, so that near dots do not hide each other.

    >>> side_steps(np.array([0.0, 50.0, 50.1, 50.2, 100.0])).round(2).tolist()
    [0.0, 0.0, 0.16, -0.16, 0.0]
    """
    near = NEAR * max(float(np.ptp(values)), 1e-9)
    steps, run = np.zeros(len(values)), 0
    for place in range(1, len(values)):
        run = run + 1 if values[place] - values[place - 1] < near else 0
        steps[place] = 0.16 * ((run + 1) // 2) * (1 if run % 2 else -1)
    return np.clip(steps, -0.4, 0.4) + 0.0  # no minus before a zero
