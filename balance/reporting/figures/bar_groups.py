"""Bars side by side: the same few shares of several sides at each place, each side with its colour and its order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from balance.answers.blocks.document import Picture
from balance.answers.blocks.marks import Marks, share_name
from balance.answers.blocks.text import shorten
from balance.base.errors import UsageError
from balance.reporting.figures.canvas import Paper, demand_data, draw_picture, label_axes, make_axes
from balance.reporting.figures.theme import CATEGORIES, LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SPAN = 0.78
"""Share of the room of a place that its bars take up together."""
LABEL_LIMIT = 16


@dataclass(frozen=True)
class Bars:
    """Named bars of n shares; `low` and `high`, of the same length, are the ends of whiskers on them."""

    name: str
    shares: tuple[float, ...]
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        for part in (self.low, self.high):
            if part is not None and len(part) != len(self.shares):
                raise UsageError(f"bars {self.name!r} have {len(self.shares)} shares and {len(part)} ends of whiskers")


def plot_groups(places: Sequence[str], groups: Sequence[Bars], x_label: str, y_label: str) -> Picture:
    """Return one bar of each group at each of n places, beside each other in the order of the groups.

    Each of up to eight groups has n shares of 1; low = high draws no whisker. Raises `UsageError` for no place, no
    group, more groups than there are colours, or a group of another length.

    >>> plot_groups(["1", "2"], [Bars("Ann", (0.2, 0.8)), Bars("Bob", (0.5, 0.5))], "card", "played").wide[:4]
    '<svg'
    """
    demand_data(min(len(places), len(groups)), "plot_groups")
    lengths = [len(group.shares) for group in groups]
    if len(groups) > len(CATEGORIES) or any(length != len(places) for length in lengths):
        raise UsageError(f"plot_groups was given {len(places)} places and {lengths} shares")

    def draw(paper: Paper) -> Figure:
        from matplotlib.ticker import MaxNLocator, PercentFormatter

        figure, axes = make_axes(paper, 2.3)
        top = max(0.01, *(share for group in groups for share in (*group.shares, *(group.high or ()))))
        for at, group in enumerate(groups):
            _draw_group(axes, at, group, len(groups))
        _name_places(axes, paper, [shorten(place, LABEL_LIMIT) for place in places])
        axes.set_xlim(-0.55, len(places) - 0.45)
        axes.set_ylim(0.0, 1.06 * top)
        axes.tick_params(axis="x", length=0, labelcolor=LIGHT.page.ink)
        axes.yaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10]))
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0 if top > 0.06 else 1))
        axes.grid(visible=False, axis="x")
        label_axes(figure, axes, paper, x_label, y_label)
        _key(figure, paper, groups)
        return figure

    return draw_picture(draw, _marks(places, groups, x_label, y_label))


def _marks(places: Sequence[str], groups: Sequence[Bars], x_label: str, y_label: str) -> Marks:
    """Return a mark for each bar, at the middle of its top, with its name and share."""
    rows, tops = [], []
    for at, group in enumerate(groups):
        ends = group.low or group.shares, group.high or group.shares
        starts, width = _starts(at, len(places), len(groups))
        rows += [(group.name, *values) for values in zip(places, group.shares, *ends, strict=True)]
        tops += [(start + width / 2, share) for start, share in zip(starts, group.shares, strict=True)]
    return Marks(
        ("name", x_label, share_name(y_label), share_name("lower"), share_name("upper")), tuple(rows), tuple(tops), "x"
    )


def _starts(at: int, n_places: int, n: int) -> tuple[list[float], float]:
    """Return the left edges of the bars of group `at` of n, and their width, in units of the axis."""
    width = SPAN / n
    return [place + (at - n / 2) * width for place in range(n_places)], width


def _draw_group(axes: Axes, at: int, group: Bars, n: int) -> None:
    """Draw the bars of one of n groups."""
    starts, width = _starts(at, len(group.shares), n)
    axes.bar(
        starts, group.shares, width, align="edge", color=CATEGORIES[at], linewidth=0.6, edgecolor=LIGHT.page.ground
    )
    for start, low, high in zip(starts, group.low or group.shares, group.high or group.shares, strict=True):
        if low < high:
            middle = start + width / 2
            axes.plot([middle, middle], [low, high], color=LIGHT.page.ink, linewidth=0.9, marker="_", markersize=4.0)


def _name_places(axes: Axes, paper: Paper, names: Sequence[str]) -> None:
    """Label the places along the axis, or every k-th of them where there is no room for all."""
    pitch = 0.8 * 72 * paper.width / len(names)
    step = math.ceil((0.66 * paper.type * max(map(len, names)) + 2) / pitch)
    axes.set_xticks(range(0, len(names), step), names[::step], parse_math=False)


def _key(figure: Figure, paper: Paper, groups: Sequence[Bars]) -> None:
    from matplotlib.lines import Line2D

    names = [shorten(group.name) for group in groups]
    room = 72 * paper.width / (0.6 * paper.type * max(map(len, names)) + 26)
    marks = [
        Line2D([], [], color=CATEGORIES[at], marker="s", linestyle="none", markersize=6) for at in range(len(groups))
    ]
    legend = figure.legend(
        marks, ["name"] * len(groups), loc="outside upper left", ncols=len(groups) if room >= len(groups) else 1,
        frameon=False, fontsize=paper.type, handlelength=1.0, borderpad=0,
    )  # fmt: skip
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(name)
