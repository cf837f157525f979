"""Figures with a row for each name: how high a row is, its name beside the axes, and the key above."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from balance.answers.blocks.text import shorten
from balance.reporting.figures.canvas import Paper
from balance.reporting.figures.theme import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME_LIMIT = 44


def pitch_of(paper: Paper, names: Sequence[str]) -> float:
    """Return the height of a row in inches: on a page all rows share its height, on a phone it is fixed."""
    if paper.narrow:
        return 0.34 if any("\n" in _row_name(name, paper) for name in names) else 0.2
    return min(0.19, max(0.112, 8.4 / len(names)))


def _row_name(name: str, paper: Paper) -> str:
    line = shorten(name, NAME_LIMIT)
    return textwrap.fill(line, NAME_LIMIT // 2) if paper.narrow else line


def name_rows(axes: Axes, paper: Paper, names: Sequence[str], size: float) -> None:
    """Write the names of the rows beside the axes, the first on top; `size` is that of the type in points."""
    axes.set_yticks(range(len(names)), [_row_name(name, paper) for name in names], parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0, labelcolor=LIGHT.page.ink, labelsize=size)
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)


def key(figure: Figure, looks: Mapping[str, tuple[str, str]], paper: Paper) -> None:
    """Draw a legend above a figure: `looks` maps a word to colour and shape; nothing without words."""
    from matplotlib.lines import Line2D

    if looks:
        marks = [Line2D([], [], color=colour, marker=shape, markersize=4.6) for colour, shape in looks.values()]
        room = 72 * paper.width / (0.6 * paper.type * max(map(len, looks)) + 30)
        figure.legend(
            marks, list(looks), loc="outside upper right", ncols=max(1, min(4, int(room))), frameon=False,
            fontsize=paper.type, handlelength=1.4,
        )  # fmt: skip
