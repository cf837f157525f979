"""Shares of a whole as bars in parts, one bar for each name, with a key of the parts in their order."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from balance.answers.blocks.document import Picture
from balance.answers.blocks.marks import Marks, share_name
from balance.answers.blocks.text import shorten
from balance.base.errors import UsageError
from balance.reporting.figures.canvas import Paper, demand_data, draw_picture, draw_text, label_axes, make_axes
from balance.reporting.figures.theme import CATEGORIES, LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME_LIMIT = 56
LEAST_TOLD = 0.05
"""Share from which a part says how large it is."""
_COLOURS = tuple(CATEGORIES[at] for at in (0, 1, 2, 3, 5, 6, 4, 7))
"""By part: those that resemble each other are the farthest apart."""


def plot_shares(names: Sequence[str], parts: Sequence[str], shares: Sequence[Sequence[float]], x_label: str) -> Picture:
    """Return a bar for each of n names, the first on top, cut into up to eight parts, the first on the left.

    `shares` has n rows, one share for each part; below 0 nothing is drawn, and the bar is as long as the shares say.
    Raises `UsageError` for no name, no part, more parts than there are colours, or a row of another length.

    >>> plot_shares(["a duel"], ["seat", "chance"], [[0.1, 0.9]], "share of the variance").wide[:4]
    '<svg'
    """
    demand_data(min(len(names), len(parts)), "plot_shares")
    if len(parts) > len(CATEGORIES) or len(shares) != len(names) or any(len(row) != len(parts) for row in shares):
        raise UsageError(
            f"plot_shares was given {len(names)} names, {len(parts)} parts, {list(map(len, shares))} shares"
        )

    def draw(paper: Paper) -> Figure:
        from matplotlib.ticker import PercentFormatter

        labels = [textwrap.fill(shorten(name, NAME_LIMIT), 20 if paper.narrow else 30) for name in names]
        lines = max(label.count("\n") + 1 for label in labels)
        pitch = max(0.3, lines * 1.35 * paper.type / 72 + 0.06)
        rows = -(-len(parts) // _columns(paper, parts))
        figure, axes = make_axes(paper, 0.62 + pitch * len(names) + rows * 1.6 * paper.type / 72)
        for at, row in enumerate(shares):
            _draw_bar(axes, paper, at, row)
        axes.set_yticks(range(len(names)), labels, parse_math=False)
        axes.set_ylim(len(names) - 0.45, -0.55)
        axes.set_xlim(0.0, max(1.0, *(round(sum(max(share, 0.0) for share in row), 2) for row in shares)))
        axes.tick_params(axis="y", length=0, labelcolor=LIGHT.page.ink, labelsize=paper.type)
        axes.grid(visible=False, axis="y")
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        label_axes(figure, axes, paper, x_label)
        _key(figure, paper, parts)
        return figure

    return draw_picture(draw, _marks(names, parts, shares, x_label))


def _marks(names: Sequence[str], parts: Sequence[str], shares: Sequence[Sequence[float]], x_label: str) -> Marks:
    """Return a mark at the middle of each part of each bar; a part that is not drawn stands where it would begin."""
    rows, places = [], []
    for at, (name, bar) in enumerate(zip(names, shares, strict=True)):
        start = 0.0
        for part, share in zip(parts, bar, strict=True):
            rows.append((name, part, share))
            places.append((start + max(share, 0.0) / 2, float(at), max(share, 0.0) / 2))
            start += max(share, 0.0)
    return Marks(("name", "part", share_name(x_label)), tuple(rows), tuple(places))


def _draw_bar(axes: Axes, paper: Paper, at: int, row: Sequence[float]) -> None:
    start = 0.0
    for part, share in enumerate(row):
        if share <= 0:
            continue
        axes.barh(at, share, 0.62, start, color=_COLOURS[part], linewidth=0.8, edgecolor=LIGHT.page.ground)
        if share >= LEAST_TOLD * (1.9 if paper.narrow else 1.0):
            label = f"{100 * share:.0f}%"
            draw_text(axes, start + share / 2, at, label, xytext=(0, 0), ha="center", va="center", fontsize=paper.type)
        start += share


def _columns(paper: Paper, parts: Sequence[str]) -> int:
    """Return the number of columns in which the parts of the key fit."""
    room = 72 * paper.width / (0.6 * paper.type * max(map(len, parts)) + 26)
    return max(1, min(len(parts), int(room)))


def _key(figure: Figure, paper: Paper, parts: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    n, columns = len(parts), _columns(paper, parts)
    order = [at for column in range(columns) for at in range(column, n, columns)]  # matplotlib fills a column first
    marks = [Line2D([], [], color=_COLOURS[at], marker="s", linestyle="none", markersize=6) for at in order]
    legend = figure.legend(
        marks, ["name"] * n, loc="outside upper left", ncols=columns, frameon=False, fontsize=paper.type,
        handlelength=1.0, borderpad=0,
    )  # fmt: skip
    for text, at in zip(legend.get_texts(), order, strict=True):
        text.set_text(shorten(parts[at]))
