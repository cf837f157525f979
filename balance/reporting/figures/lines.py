"""Lines with their bands, each named beside its end, or above the axes where a phone has no room beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from balance.answers.blocks.document import Picture
from balance.answers.blocks.marks import Marks, Value, share_name
from balance.answers.blocks.text import shorten
from balance.base.errors import UsageError
from balance.reporting.figures.canvas import (
    Paper,
    demand_data,
    draw_picture,
    label_axes,
    make_axes,
    ticks_along,
)
from balance.reporting.figures.placing import spread
from balance.reporting.figures.theme import CATEGORIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DASHES = ("solid", (0, (5, 1.6)), (0, (1.2, 1.4)), (0, (5, 1.4, 1.2, 1.4)))
MOST_NAMES = 60


@dataclass(frozen=True)
class Series:
    """A named line of n points; `low` and `high` are the edges of its band, both n long."""

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
) -> Picture:
    """Return lines with their bands, told apart by colour and dashes, each named with a sample, the highest first.

    `steps` draws stairs, for what changes only at whole numbers; with `percent`, y runs from 0 to 1 and is shown in
    percent. Raises `UsageError` for no series, or one without a point.

    >>> plot_lines([Series("Nexus", (0, 1, 2), (1.0, 0.6, 0.2))], "actions", "standing", percent=True).wide[:4]
    '<svg'
    """
    demand_data(min((len(line.x) for line in series), default=0), "plot_lines")

    def draw(paper: Paper) -> Figure:
        n = min(len(series), MOST_NAMES)
        pitch = 1.5 * paper.type / 72
        figure, axes = make_axes(paper, 2.7 + n * pitch if paper.narrow else max(3.5, 0.8 + n * pitch))
        for index, line in enumerate(series):
            _draw_line(axes, line, _style(index), steps)
        if percent:
            _show_percent(axes)
        label_axes(figure, axes, paper, x_label, y_label)
        axes.margins(x=0.0)
        ticks_along(axes, paper, [x for line in series for x in line.x])
        (_name_above if paper.narrow else _name_beside)(figure, axes, series, paper)
        return figure

    return draw_picture(draw, _marks(series, x_label, y_label, percent))


def _marks(series: Sequence[Series], x_label: str, y_label: str, percent: bool) -> Marks:
    """Return a mark for each point of the lines, with band edges if any series has them."""
    has_band = any(line.low is not None for line in series)
    rows: list[tuple[Value, ...]] = []
    places: list[tuple[float, float]] = []
    for line in series:
        edges = (line.low or line.y, line.high or line.y) if has_band else ()
        rows += [(line.name, *values) for values in zip(line.x, line.y, *edges, strict=True)]
        places += zip(line.x, line.y, strict=True)
    told = (y_label, *(("lower", "upper") if has_band else ()))
    return Marks(("name", x_label, *(map(share_name, told) if percent else told)), tuple(rows), tuple(places))


def _style(index: int) -> dict[str, Any]:
    shift = index // len(CATEGORIES)
    return {"color": CATEGORIES[index % len(CATEGORIES)], "linestyle": _DASHES[(index + shift) % len(_DASHES)]}


def _draw_line(axes: Axes, line: Series, style: dict[str, Any], steps: bool) -> None:
    draw_style = "steps-post" if steps else "default"
    axes.plot(line.x, line.y, **style, linewidth=1.4, drawstyle=draw_style, clip_on=False, zorder=3)
    if line.low is not None and line.high is not None:
        step: dict[str, Any] = {"step": "post"} if steps else {}
        axes.fill_between(line.x, line.low, line.high, color=style["color"], alpha=0.16, linewidth=0, **step)


def _show_percent(axes: Axes) -> None:
    from matplotlib.ticker import PercentFormatter

    axes.set_ylim(0.0, 1.0)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))


def _from_the_top(series: Sequence[Series]) -> list[int]:
    """Return the order of the series by their last value, the highest first; ties by the mean of the line."""
    return sorted(range(len(series)), key=lambda i: (-series[i].y[-1], -sum(series[i].y) / len(series[i].y), i))


def _name_beside(figure: Figure, axes: Axes, series: Sequence[Series], paper: Paper) -> None:
    """Write the names right of the axes, as near to the ends of their lines as fits without overlap."""
    order = _from_the_top(series)[:MOST_NAMES]
    figure.draw_without_rendering()
    bottom, top = axes.get_ylim()
    height = axes.get_window_extent().height
    gap = min(1.4 * paper.type * figure.dpi / 72, height / max(1, len(order) - 1))
    targets = [
        (series[index].y[-1] - bottom) / (top - bottom) * height - place * 1e-6 for place, index in enumerate(order)
    ]
    for index, place in zip(order, spread(targets, gap, 0.0, height), strict=True):
        share = place / height
        axes.plot(
            [1.015, 1.06], [share, share], **_style(index), linewidth=1.4, transform=axes.transAxes, clip_on=False,
            scalex=False, scaley=False,
        )  # fmt: skip
        axes.annotate(
            shorten(series[index].name), (1.07, share), xycoords="axes fraction", fontsize=paper.type, va="center",
            parse_math=False, annotation_clip=False,
        )  # fmt: skip
    _tell_missing(axes, len(series), paper)


def _name_above(figure: Figure, axes: Axes, series: Sequence[Series], paper: Paper) -> None:
    from matplotlib.lines import Line2D

    order = _from_the_top(series)[:MOST_NAMES]
    samples = [Line2D([], [], **_style(index), linewidth=1.4) for index in order]
    legend = figure.legend(
        samples, ["name"] * len(order), loc="outside upper left", frameon=False, fontsize=paper.type, handlelength=2.6,
        borderpad=0, labelspacing=0.35,
    )  # fmt: skip
    for text, index in zip(legend.get_texts(), order, strict=True):
        text.set_text(shorten(series[index].name))
    _tell_missing(axes, len(series), paper)


def _tell_missing(axes: Axes, n: int, paper: Paper) -> None:
    if n > MOST_NAMES:
        axes.set_title(f"{n - MOST_NAMES} of {n} names left out for want of room", fontsize=paper.type, loc="left")
