"""A scatter of named points with its front: what no other point beats on both axes at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from balance.errors import UsageError
from balance.report.canvas import demand_data, draw_text, make_axes, styled, to_svg
from balance.report.placing import Box, place_labels
from balance.report.text import shorten
from balance.report.theme import CATEGORIES, LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Point", "plot_scatter_front"]


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


def plot_scatter_front(points: Sequence[Point], front: Sequence[bool], x_label: str, y_label: str) -> str:
    """Return a scatter of named points with the best ones, joined by a stair, in colour.

    Parameters
    ----------
    points
        n points.
    front
        n booleans: which of them no other beats (low x, high y).
    x_label, y_label
        What the axes measure, with the unit.

    Raises
    ------
    UsageError
        No point, or a mask of another length.

    Examples
    --------
    >>> plot_scatter_front([Point("Sidearm", 3, 1.2)], [True], "cost (points)", "damage per action")[:4]
    '<svg'
    """
    demand_data(len(points), "plot_scatter_front")
    if len(front) != len(points):
        raise UsageError(f"plot_scatter_front was given {len(points)} points and {len(front)} front marks")
    with styled():
        figure, axes = make_axes(4.3)
        axes.set(xlabel=shorten(x_label, 90), ylabel=shorten(y_label, 60))
        axes.margins(0.1, 0.12)
        _draw_stair(axes, [point for point, best in zip(points, front, strict=True) if best])
        for point, best in zip(points, front, strict=True):
            _draw_spot(axes, point, CATEGORIES[0] if best else CATEGORIES[6], best)
        _name_points(figure, axes, points, front)
        return to_svg(figure)


def _draw_stair(axes: Axes, best: list[Point]) -> None:
    ordered = sorted(best, key=lambda point: (point.x, point.y))
    xs, ys = [point.x for point in ordered], [point.y for point in ordered]
    axes.step(xs, ys, where="post", color=CATEGORIES[0], linewidth=0.9, alpha=0.55, zorder=1.5)


def _draw_spot(axes: Axes, point: Point, colour: str, best: bool) -> None:
    whisker: dict[str, Any] = {"color": colour, "linewidth": 0.8, "alpha": 0.7, "zorder": 2.0}
    if point.x_low is not None and point.x_high is not None:
        axes.plot([point.x_low, point.x_high], [point.y, point.y], **whisker)
    if point.y_low is not None and point.y_high is not None:
        axes.plot([point.x, point.x], [point.y_low, point.y_high], **whisker)
    face = colour if best else "#ffffff"
    axes.plot([point.x], [point.y], "o", color=colour, markerfacecolor=face, markersize=4.6, zorder=3)


def _name_points(figure: Figure, axes: Axes, points: Sequence[Point], front: Sequence[bool]) -> None:
    """Label the points, the best first, and tell how many found no room."""
    axes.set_title(" ", fontsize=7, loc="left", color=LIGHT.quiet)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    unit = figure.dpi / 72
    order = sorted(range(len(points)), key=lambda index: (not front[index], index))
    spots = [tuple(axes.transData.transform((point.x, point.y))) for point in points]
    taken = [box for point in points for box in _marks(axes, point, 3.2 * unit)]
    names = [shorten(points[index].name) for index in order]
    sizes = [_text_size(figure, name, 7.0) for name in names]
    frame = axes.get_window_extent().extents
    boxes = place_labels(
        [spots[index] for index in order], sizes, (frame[0], frame[1], frame[2], frame[3]), taken, unit
    )
    for index, name, box in zip(order, names, boxes, strict=True):
        if box is not None:
            _write_name(axes, spots[index], name, box, front[index], unit)
    missing = sum(box is None for box in boxes)
    if missing:
        axes.set_title(f"{missing} of {len(points)} names left out for want of room", fontsize=7, loc="left")


def _marks(axes: Axes, point: Point, near: float) -> list[Box]:
    """Return the boxes, in pixels, of a dot and of its whiskers."""
    ends = [(point.x, point.y, point.x, point.y)]
    if point.x_low is not None and point.x_high is not None:
        ends.append((point.x_low, point.y, point.x_high, point.y))
    if point.y_low is not None and point.y_high is not None:
        ends.append((point.x, point.y_low, point.x, point.y_high))
    boxes = []
    for place, (left, bottom, right, top) in enumerate(ends):
        room = near if place == 0 else near / 4
        (x0, y0), (x1, y1) = axes.transData.transform([(left, bottom), (right, top)])
        boxes.append((x0 - room, y0 - room, x1 + room, y1 + room))
    return boxes


def _text_size(figure: Figure, text: str, size: float) -> tuple[float, float]:
    probe = figure.text(0, 0, text, fontsize=size, parse_math=False)
    box = probe.get_window_extent()
    probe.remove()
    return box.width + 2, box.height + 1


def _write_name(axes: Axes, spot: tuple[float, ...], name: str, box: Box, best: bool, unit: float) -> None:
    colour = LIGHT.page.ink if best else LIGHT.quiet
    nearest = (min(max(spot[0], box[0]), box[2]), min(max(spot[1], box[1]), box[3]))
    if math.dist(spot, nearest) > 6.5 * unit:
        ends = axes.transData.inverted().transform([spot, nearest])
        axes.plot(ends[:, 0], ends[:, 1], color=LIGHT.rule, linewidth=0.6, zorder=1.2, scalex=False, scaley=False)
    left, bottom = (box[0] - spot[0]) / unit, (box[1] - spot[1]) / unit
    x, y = axes.transData.inverted().transform(spot)
    draw_text(axes, x, y, name, xytext=(left, bottom), fontsize=7.0, color=colour, va="bottom", zorder=4)
