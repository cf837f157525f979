"""A scatter of named points around the line on which both of their values are equal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from balance.answers.blocks.document import Picture
from balance.answers.blocks.marks import Marks, Value
from balance.answers.blocks.text import shorten
from balance.reporting.figures.canvas import (
    Paper,
    demand_data,
    draw_picture,
    draw_text,
    label_axes,
    make_axes,
    round_ticks,
)
from balance.reporting.figures.placing import Box, place_labels
from balance.reporting.figures.theme import CATEGORIES, LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Segment: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True)
class Point:
    """A named place in a plane, with an interval along each axis where one is known."""

    name: str
    x: float
    y: float
    x_low: float | None = None
    x_high: float | None = None
    y_low: float | None = None
    y_high: float | None = None


def plot_against(points: Sequence[Point], named_places: Sequence[int], x_label: str, y_label: str) -> Picture:
    """Return points, all values above 0, on two logarithmic axes of one kind, with the line of equal values.

    Those at `named_places` are coloured and named, the most important first. Raises `UsageError` for no point.

    >>> plot_against([Point("Sidearm", 3, 4)], [0], "cost (points)", "fair cost (points)").wide[:4]
    '<svg'
    """
    demand_data(len(points), "plot_against")

    def draw(paper: Paper) -> Figure:
        figure, axes = make_axes(paper, 4.3)
        label_axes(figure, axes, paper, x_label, y_label)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.margins(0.06, 0.06)
        front = [place in set(named_places) for place in range(len(points))]
        for point, best in zip(points, front, strict=True):
            _draw_spot(axes, point, CATEGORIES[0] if best else CATEGORIES[6], best)
        _draw_diagonal(axes)
        _name_points(figure, axes, paper, points, named_places, front)
        return figure

    return draw_picture(draw, _marks(points, x_label, y_label))


def _marks(points: Sequence[Point], x_label: str, y_label: str) -> Marks:
    """Return name and coordinates of each point, with its intervals along an axis if any point has one."""
    columns: list[tuple[str, list[Value]]] = [("name", [point.name for point in points])]
    for axis, label in (("x", x_label), ("y", y_label)):
        columns.append((label, [getattr(point, axis) for point in points]))
        ends = [(f"{label}, {word}", [getattr(point, f"{axis}_{end}") for point in points])
                for word, end in (("lower", "low"), ("upper", "high"))]  # fmt: skip
        columns += ends if any(value is not None for value in ends[0][1]) else []
    rows = tuple(zip(*(values for _, values in columns), strict=True))
    return Marks(tuple(name for name, _ in columns), rows, tuple((point.x, point.y) for point in points))


def _draw_diagonal(axes: Axes) -> None:
    """Draw the line x = y, as far as it is within the limits, and round ticks on both axes."""
    ends = axes.get_xlim(), axes.get_ylim()
    low, high = max(end[0] for end in ends), min(end[1] for end in ends)
    axes.plot([low, high], [low, high], color=LIGHT.quiet, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1.5)
    for axis, limits in zip((axes.xaxis, axes.yaxis), ends, strict=True):
        round_ticks(axis, *limits)
    axes.set_xlim(ends[0])
    axes.set_ylim(ends[1])


def _whiskers(point: Point) -> list[Segment]:
    ends = []
    if point.x_low is not None and point.x_high is not None:
        ends.append((point.x_low, point.y, point.x_high, point.y))
    if point.y_low is not None and point.y_high is not None:
        ends.append((point.x, point.y_low, point.x, point.y_high))
    return ends


def _draw_spot(axes: Axes, point: Point, colour: str, best: bool) -> None:
    for x0, y0, x1, y1 in _whiskers(point):
        axes.plot([x0, x1], [y0, y1], color=colour, linewidth=0.8, alpha=0.7, zorder=2.0)
    face = colour if best else LIGHT.page.ground
    axes.plot([point.x], [point.y], "o", color=colour, markerfacecolor=face, markersize=4.6, zorder=3)


def _name_points(
    figure: Figure,
    axes: Axes,
    paper: Paper,
    points: Sequence[Point],
    order: Sequence[int],
    front: Sequence[bool],
) -> None:
    """Label the points of `order`, first come, first served, and write how many found no room."""
    axes.set_title(" ", fontsize=paper.type, loc="left", color=LIGHT.quiet)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    unit = figure.dpi / 72
    spots = [tuple(axes.transData.transform((point.x, point.y))) for point in points]
    obstacles = _boxes(axes, [(point.x, point.y, point.x, point.y) for point in points], 3.2 * unit)
    obstacles += _boxes(axes, [ends for point in points for ends in _whiskers(point)], 0.8 * unit)
    names = [shorten(points[index].name) for index in order]
    sizes = [_text_size(figure, name, paper.type - 0.5) for name in names]
    left, bottom, right, top = axes.get_window_extent().extents
    frame = (left + 3 * unit, bottom + 2 * unit, right, top)
    boxes = place_labels([spots[index] for index in order], sizes, frame, obstacles, unit)
    for index, name, box in zip(order, names, boxes, strict=True):
        if box is not None:
            _write_name(axes, paper, spots[index], name, box, front[index], unit)
    missing = sum(box is None for box in boxes)
    if missing:
        title = f"{missing} of {len(order)} names left out for want of room"
        axes.set_title(title, fontsize=paper.type, loc="left")


def _boxes(axes: Axes, segments: Sequence[Segment], room: float) -> list[Box]:
    """Return boxes, in pixels, around vertical or horizontal segments, with `room` on all sides."""
    boxes = []
    for x0, y0, x1, y1 in segments:
        (left, bottom), (right, top) = axes.transData.transform(
            [(min(x0, x1), min(y0, y1)), (max(x0, x1), max(y0, y1))]
        )
        boxes.append((left - room, bottom - room, right + room, top + room))
    return boxes


def _text_size(figure: Figure, text: str, size: float) -> tuple[float, float]:
    probe = figure.text(0, 0, text, fontsize=size, parse_math=False)
    box = probe.get_window_extent()
    probe.remove()
    return box.width + 2, box.height + 1


def _write_name(
    axes: Axes, paper: Paper, spot: tuple[float, ...], name: str, box: Box, best: bool, unit: float
) -> None:
    colour = LIGHT.page.ink if best else LIGHT.quiet
    nearest = (min(max(spot[0], box[0]), box[2]), min(max(spot[1], box[1]), box[3]))
    if math.dist(spot, nearest) > 6.5 * unit:
        ends = axes.transData.inverted().transform([spot, nearest])
        axes.plot(ends[:, 0], ends[:, 1], color=LIGHT.rule, linewidth=0.6, zorder=1.2, scalex=False, scaley=False)
    left, bottom = (box[0] - spot[0]) / unit, (box[1] - spot[1]) / unit
    x, y = axes.transData.inverted().transform(spot)
    draw_text(axes, x, y, name, xytext=(left, bottom), fontsize=paper.type - 0.5, color=colour, va="bottom", zorder=4)
