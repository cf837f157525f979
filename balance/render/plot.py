"""Any table of an answer as a picture: a distribution as bars, numbers with intervals as points, a matrix as a map.

What a column is for follows from its name, as everywhere in our tables: `p` is a probability, `low` and `high` are the
ends of an interval around the number before them.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from balance.errors import UsageError

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_table"]

MOST_ROWS = 40
"""Rows of a picture with a line for each."""
MOST_LINES = 10
INK, SOFT = "#1f5f8b", "#c9d7e2"


def plot_table(frame: pl.DataFrame, title: str) -> Figure:
    """Draw a table.

    Raises
    ------
    UsageError
        It holds no numbers, or no rows.
    """
    from matplotlib.figure import Figure

    numbers = [name for name in frame.columns if frame[name].dtype.is_numeric()]
    names = [name for name in frame.columns if name not in numbers]
    if frame.is_empty() or not numbers:
        raise UsageError("there is nothing to draw in this table", "name another, of those in `tables`")
    figure = Figure(figsize=(7, 1.6 + 0.24 * min(max(len(frame), 8), MOST_ROWS)), layout="constrained")
    axes = figure.subplots()
    if "p" in numbers:
        _distributions(axes, frame, names) if names else _distribution(axes, frame)
    elif len(names) == 1 and not {"low", "high"} & {*numbers} and len(numbers) == len(frame) > 1:
        _matrix(axes, frame, names[0], numbers)
    else:
        _points(axes, frame.head(MOST_ROWS), names, numbers)
    axes.set_title("\n".join(textwrap.wrap(title, 80)), loc="left", fontsize=9)
    return figure


def _distribution(axes: Axes, frame: pl.DataFrame) -> None:
    """Draw the probability of each value as a bar."""
    value = next(name for name in frame.columns if name != "p")
    axes.bar(frame[value].to_list(), frame["p"].to_list(), color=INK, width=0.8)
    axes.set_xlabel(value.replace("_", " "))
    axes.set_ylabel("probability")


def _distributions(axes: Axes, frame: pl.DataFrame, names: list[str]) -> None:
    """Draw the probability of each value as a line, a line for each thing that is named."""
    value = next(name for name in frame.columns if name not in {*names, "p"})
    for part in frame.partition_by(names, maintain_order=True)[:MOST_LINES]:
        label = ", ".join(str(part[name][0]) for name in names)
        axes.plot(part[value].to_list(), part["p"].to_list(), marker=".", label=label)
    axes.set_xlabel(value.replace("_", " "))
    axes.set_ylabel("probability")
    axes.legend(fontsize=7)


def _points(axes: Axes, frame: pl.DataFrame, names: list[str], numbers: list[str]) -> None:
    """Draw a point for each row, the first at the top, with its interval where it has one."""
    ends = {"low", "high"} <= {*numbers}
    before = [name for name in frame.columns[: frame.columns.index("low")] if name in numbers] if ends else numbers
    value = before[-1] if ends and before else numbers[0]
    labels = [", ".join(str(cell) for cell in row) for row in frame.select(names[:2] or [value]).iter_rows()]
    places = list(range(len(labels)))
    if ends:
        axes.hlines(places, frame["low"].to_list(), frame["high"].to_list(), color=SOFT, linewidth=4)
    axes.plot(frame[value].to_list(), places, "o", color=INK)
    axes.set_yticks(places, labels)
    axes.invert_yaxis()
    axes.set_xlabel(value.replace("_", " "))


def _matrix(axes: Axes, frame: pl.DataFrame, rows: str, columns: list[str]) -> None:
    """Draw a square of numbers as colours around one half."""
    drawn = axes.imshow(frame.select(columns).to_numpy().astype(float), cmap="RdBu", vmin=0, vmax=1, aspect="auto")
    axes.set_yticks(range(len(frame)), frame[rows].to_list(), fontsize=7)
    axes.set_xticks(range(len(columns)), columns, rotation=90, fontsize=7)
    axes.figure.colorbar(drawn, ax=axes)
