"""The pictures of a report, each as SVG text the width of a page.

Marks are few and labelled directly. Estimates carry their intervals; an exact value has none. Colours are Okabe and
Ito's and never carry a meaning alone. The same input gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from balance.errors import UsageError
from balance.report.canvas import demand_data, draw_text, make_axes, styled, to_svg
from balance.report.document import VerdictWord
from balance.report.placing import spread
from balance.report.scatter import Point, plot_scatter_front
from balance.report.text import shorten
from balance.report.theme import CATEGORIES, LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Point", "Series", "plot_bars", "plot_intervals", "plot_lines", "plot_scatter_front"]

_LINES = ("solid", (0, (5, 1.6)), (0, (1.2, 1.4)), (0, (5, 1.4, 1.2, 1.4)))
_SPOTS: dict[str, tuple[str, str]] = {
    "overpriced": (CATEGORIES[0], "^"),
    "underpriced": (CATEGORIES[1], "v"),
    "fair": (CATEGORIES[2], "o"),
    "not yet known": (CATEGORIES[6], "D"),
}


@dataclass(frozen=True)
class Series:
    """A named line of n points; `low` and `high`, of the same length, are the edges of its band."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        for part in (self.y, self.low, self.high):
            if part is not None and len(part) != len(self.x):
                raise UsageError(f"series {self.name!r} has {len(self.x)} x values and {len(part)} others")


def plot_lines(
    series: Sequence[Series], x_label: str, y_label: str, *, steps: bool = False, percent: bool = False
) -> str:
    """Return lines with their bands, each named at its right end.

    Parameters
    ----------
    series
        One line each, told apart by colour and by dashes.
    steps
        Draw stairs, for what changes only at whole numbers.
    percent
        y runs from 0 to 1 and is shown in percent.

    Raises
    ------
    UsageError
        No series.

    Examples
    --------
    >>> plot_lines([Series("Nexus", (0, 1, 2), (1.0, 0.6, 0.2))], "actions", "standing", percent=True)[:4]
    '<svg'
    """
    from matplotlib.ticker import MaxNLocator

    demand_data(len(series), "plot_lines")
    with styled():
        figure, axes = make_axes(3.5)
        axes.set(xlabel=shorten(x_label, 90), ylabel=shorten(y_label, 60))
        for index, line in enumerate(series):
            _draw_line(axes, line, index, steps)
        if percent:
            _show_percent(axes)
        axes.margins(x=0.0)
        if all(isinstance(x, int) for line in series for x in line.x):
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        _name_lines(figure, axes, series)
        return to_svg(figure)


def _draw_line(axes: Axes, line: Series, index: int, steps: bool) -> None:
    colour = CATEGORIES[index % len(CATEGORIES)]
    dashes = _LINES[index // len(CATEGORIES) % len(_LINES)] if index >= len(CATEGORIES) else _LINES[index % 4]
    how = "steps-post" if steps else "default"
    axes.plot(line.x, line.y, color=colour, linestyle=dashes, linewidth=1.4, drawstyle=how, clip_on=False, zorder=3)
    if line.low is not None and line.high is not None:
        axes.fill_between(
            line.x, line.low, line.high, color=colour, alpha=0.16, linewidth=0, step="post" if steps else None
        )


def _show_percent(axes: Axes) -> None:
    from matplotlib.ticker import PercentFormatter

    axes.set_ylim(0.0, 1.0)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))


def _name_lines(figure: Figure, axes: Axes, series: Sequence[Series]) -> None:
    """Write each name right of its line's end, pushed apart, with a thin lead to the end."""
    figure.draw_without_rendering()
    unit = figure.dpi / 72
    bottom, top = axes.get_ylim()
    right = axes.get_xlim()[1]
    height = axes.get_window_extent().height
    wanted = [(line.y[-1] - bottom) / (top - bottom) * height if line.x else 0.0 for line in series]
    gap = min(10.5 * unit, height / max(1, len(series) - 1))
    for index, (line, place) in enumerate(zip(series, spread(wanted, gap, 0.0, height), strict=True)):
        colour = CATEGORIES[index % len(CATEGORIES)]
        end = (line.x[-1], line.y[-1]) if line.x else (right, bottom)
        text_y = bottom + place / height * (top - bottom)
        style = {"arrowstyle": "-", "color": colour, "linewidth": 1.1, "shrinkA": 0, "shrinkB": 1, "relpos": (0, 0.5)}
        axes.annotate(
            shorten(line.name), end, (1.04, (text_y - bottom) / (top - bottom)), textcoords="axes fraction",
            fontsize=7.5, va="center", arrowprops=style, parse_math=False, annotation_clip=False,
        )  # fmt: skip


def plot_intervals(
    names: Sequence[str],
    estimates: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    x_label: str,
    *,
    reference: float | None = None,
    verdicts: Sequence[VerdictWord] | None = None,
) -> str:
    """Return one dot with a whisker per name, the first on top.

    Parameters
    ----------
    names, estimates, lows, highs
        n of each; low = high draws no whisker (an exact value).
    x_label
        What is measured, with the unit.
    reference
        Where a line marks "no difference" or "fair".
    verdicts
        n verdicts that choose colour and shape; None for one plain colour.

    Raises
    ------
    UsageError
        No name, or lengths that differ.

    Examples
    --------
    >>> plot_intervals(["Nexus"], [0.1], [0.0], [0.2], "points over its worth", reference=0.0)[:4]
    '<svg'
    """
    demand_data(len(names), "plot_intervals")
    parts = (estimates, lows, highs, verdicts if verdicts is not None else names)
    if any(len(part) != len(names) for part in parts):
        raise UsageError(f"plot_intervals was given {len(names)} names and {[len(part) for part in parts]} values")
    with styled():
        pitch = min(0.19, max(0.112, 8.4 / len(names)))
        figure, axes = make_axes(0.75 + pitch * len(names))
        words = verdicts if verdicts is not None else [None] * len(names)
        if reference is not None:
            axes.axvline(reference, color=LIGHT.quiet, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1.5)
        for row, (estimate, low, high, word) in enumerate(zip(estimates, lows, highs, words, strict=True)):
            colour, mark = _SPOTS[word] if word else (CATEGORIES[0], "o")
            axes.plot([low, high], [row, row], color=colour, linewidth=1.3, alpha=0.6, solid_capstyle="butt")
            axes.plot([estimate], [row], mark, color=colour, markersize=4.6, zorder=3)
        _name_rows(axes, names, x_label, size=min(7.5, 56 * pitch))
        _key(figure, [word for word in _SPOTS if word in words])
        return to_svg(figure)


def _name_rows(axes: Axes, names: Sequence[str], x_label: str, size: float) -> None:
    axes.set_yticks(range(len(names)), [shorten(name, 44) for name in names], parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0, labelcolor=LIGHT.page.ink, labelsize=size)
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(shorten(x_label, 90))


def _key(figure: Figure, words: list[str]) -> None:
    from matplotlib.lines import Line2D

    if words:
        marks = [Line2D([], [], color=_SPOTS[word][0], marker=_SPOTS[word][1], markersize=4.6) for word in words]
        figure.legend(marks, words, loc="outside upper right", ncols=4, frameon=False, fontsize=7.5, handlelength=1.4)


def plot_bars(
    values: Sequence[float], probabilities: Sequence[float], x_label: str, y_label: str = "probability"
) -> str:
    """Return the bars of a distribution, each with its percentage while there is room.

    Raises
    ------
    UsageError
        No value, or lengths that differ.

    Examples
    --------
    >>> plot_bars([0, 3], [0.4, 0.6], "damage (points)")[:4]
    '<svg'
    """
    demand_data(len(values), "plot_bars")
    if len(values) != len(probabilities):
        raise UsageError(f"plot_bars was given {len(values)} values and {len(probabilities)} probabilities")
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    with styled():
        figure, axes = make_axes(2.4)
        gaps = [after - before for before, after in zip(sorted(values), sorted(values)[1:], strict=False)]
        width = 0.6 * min((gap for gap in gaps if gap > 0), default=1.0)
        axes.bar(values, probabilities, width, color=CATEGORIES[0])
        axes.set(xlabel=shorten(x_label, 90), ylabel=shorten(y_label, 60))
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0 if max(probabilities) > 0.08 else 1))
        if len(values) <= 14:
            axes.set_xticks(list(values))
        else:
            axes.xaxis.set_major_locator(
                MaxNLocator(integer=all(float(value).is_integer() for value in values), nbins=12)
            )
        axes.grid(visible=False, axis="x")
        axes.margins(x=0.03 if len(values) > 3 else 0.6, y=0.12)
        if (max(values) - min(values)) / width < 18:
            _write_shares(axes, values, probabilities)
        return to_svg(figure)


def _write_shares(axes: Axes, values: Sequence[float], probabilities: Sequence[float]) -> None:
    from balance.report.numbers import show_probability

    for value, share in zip(values, probabilities, strict=True):
        draw_text(axes, value, share, show_probability(share), xytext=(0, 2), ha="center", fontsize=7, va="bottom")
