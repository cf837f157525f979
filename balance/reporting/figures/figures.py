"""The pictures of a report, each drawn for the width of a page and for that of a phone.

Marks are few and labelled directly. Estimates carry their intervals; an exact value has none. Colours never carry a
meaning alone. The same input gives the same bytes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from balance.answers.blocks.document import Picture, VerdictWord
from balance.answers.blocks.marks import Marks, row_marks, share_name
from balance.base.errors import UsageError
from balance.base.numbers import show_probability
from balance.reporting.figures.canvas import (
    Paper,
    demand_data,
    draw_picture,
    draw_text,
    label_axes,
    make_axes,
    ticks_along,
)
from balance.reporting.figures.lines import Series, plot_lines
from balance.reporting.figures.rows import key, name_rows, pitch_of
from balance.reporting.figures.scatter import Point, plot_against
from balance.reporting.figures.theme import CATEGORIES, LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "Point",
    "Series",
    "plot_against",
    "plot_bars",
    "plot_intervals",
    "plot_lines",
]

_SPOTS: dict[str, tuple[str, str]] = {
    "too dear": (CATEGORIES[1], "^"),
    "too cheap": (CATEGORIES[0], "v"),
    "overpowered": (CATEGORIES[1], "^"),
    "underpowered": (CATEGORIES[0], "v"),
    "fair": (CATEGORIES[2], "o"),
    "not yet known": (CATEGORIES[6], "D"),
}


def plot_intervals(
    names: Sequence[str],
    estimates: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    x_label: str,
    *,
    reference: float | None = None,
    band: tuple[float, float] | None = None,
    verdicts: Sequence[VerdictWord] | None = None,
) -> Picture:
    """Return one dot with a whisker for each of n names, the first on top; low = high draws no whisker (exact).

    A line at `reference` marks "no difference" or "fair", and `band`, shaded, where everything is fair; `verdicts`
    choose colour and shape, None for one plain colour. Raises `UsageError` for no name, or lengths that differ.

    >>> plot_intervals(["Nexus"], [0.1], [0.0], [0.2], "points over its worth", reference=0.0).wide[:4]
    '<svg'
    """
    demand_data(len(names), "plot_intervals")
    parts = (estimates, lows, highs, verdicts if verdicts is not None else names)
    if any(len(part) != len(names) for part in parts):
        raise UsageError(f"plot_intervals was given {len(names)} names and {[len(part) for part in parts]} values")
    words = verdicts if verdicts is not None else [None] * len(names)

    def draw(paper: Paper) -> Figure:
        pitch = pitch_of(paper, names)
        figure, axes = make_axes(paper, (1.3 if paper.narrow else 0.9) + pitch * len(names))
        if band is not None:
            axes.axvspan(*band, color=LIGHT.grid, alpha=0.75, linewidth=0, zorder=0.5)
        if reference is not None:
            axes.axvline(reference, color=LIGHT.quiet, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1.5)
        for row, (estimate, low, high, word) in enumerate(zip(estimates, lows, highs, words, strict=True)):
            colour, mark = _SPOTS[word] if word else (CATEGORIES[0], "o")
            axes.plot([low, high], [row, row], color=colour, linewidth=1.3, alpha=0.6, solid_capstyle="butt")
            axes.plot([estimate], [row], mark, color=colour, markersize=4.6, zorder=3)
        name_rows(axes, paper, names, min(paper.type, 56 * pitch))
        ticks_along(axes, paper, [*lows, *highs])
        label_axes(figure, axes, paper, x_label)
        key(figure, {word: spot for word, spot in _SPOTS.items() if word in words}, paper)
        return figure

    rows = list(zip(names, estimates, lows, highs, [word or "" for word in words], strict=True))
    return draw_picture(draw, row_marks(("name", x_label, "lower", "upper", "verdict"), rows, estimates))


def plot_bars(
    values: Sequence[float], probabilities: Sequence[float], x_label: str, y_label: str = "probability"
) -> Picture:
    """Return the bars of a distribution, each with its percentage while there is room; equal values share a bar.

    Raises `UsageError` for no value, or lengths that differ.

    >>> plot_bars([0, 3], [0.4, 0.6], "damage (points)").wide[:4]
    '<svg'
    """
    demand_data(len(values), "plot_bars")
    if len(values) != len(probabilities):
        raise UsageError(f"plot_bars was given {len(values)} values and {len(probabilities)} probabilities")
    bars: dict[float, float] = defaultdict(float)
    for value, share in zip(values, probabilities, strict=True):
        bars[value] += share

    def draw(paper: Paper) -> Figure:
        from matplotlib.ticker import PercentFormatter

        figure, axes = make_axes(paper, 2.4)
        places = sorted(bars)
        gap = min((after - before for before, after in pairwise(places)), default=1.0)
        width = max(0.6 * gap, (places[-1] - places[0]) / 250)
        axes.bar(places, [bars[place] for place in places], width, color=CATEGORIES[0])
        label_axes(figure, axes, paper, x_label, y_label)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0 if max(bars.values()) > 0.08 else 1))
        axes.grid(visible=False, axis="x")
        axes.margins(x=0.03 if len(places) > 3 else 0.6, y=0.12)
        _tell_bars(figure, axes, paper, bars, gap)
        return figure

    shares = tuple(sorted(bars.items()))
    return draw_picture(draw, Marks((x_label, share_name(y_label)), shares, shares, "x"))


def _tell_bars(figure: Figure, axes: Axes, paper: Paper, bars: dict[float, float], gap: float) -> None:
    """Label each bar with its value below and its share above, unless the labels would overlap."""
    figure.draw_without_rendering()
    pitch = axes.get_window_extent().width * gap / (axes.get_xlim()[1] - axes.get_xlim()[0]) * 72 / figure.dpi
    letter = 0.68 * paper.type
    if pitch > letter * max(len(f"{value:g}") for value in bars) + 3:
        axes.set_xticks(list(bars), [f"{value:g}" for value in bars])
    else:
        ticks_along(axes, paper, list(bars))
    texts = {value: show_probability(share) for value, share in bars.items()}
    if pitch > letter * max(map(len, texts.values())):
        for value, text in texts.items():
            draw_text(axes, value, bars[value], text, xytext=(0, 2), ha="center", fontsize=paper.type, va="bottom")
