"""Any table of an answer as a picture: a distribution as bars, numbers with intervals as points, a matrix as a map.

What a column is for follows from its name, as everywhere in our tables: `p` is a probability, `low` and `high` are the
ends of an interval around the number before them, `score_low` and `score_high` of that around `score`, `cost` beside
`fair` is what a card costs today.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from balance.base.errors import UsageError
from balance.base.numbers import show_probability

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

MOST_ROWS = 40
"""Rows of a picture with a line for each."""
MOST_LINES = 10
MIN_VISIBLE = 1e-4
"""A bar of a smaller probability cannot be seen, and would only squeeze the others."""
COSTS = {"fair": "cost", "fair_points": "cost_points"}
"""Columns of what would be fair -> the column of what it costs today."""
INK, SOFT, COST = "#1f5f8b", "#c9d7e2", "#b03a2e"
CHANCES = {"p_win": "chance to win", "score": "score", "chance": "chance"}
"""Columns that are shares of games, drawn in per cent -> what the axis calls them."""


def plot_table(frame: pl.DataFrame, title: str) -> Figure:
    """Draw a table as the kind of picture that its columns call for; raise UsageError without numbers or rows."""
    from balance.answers.media.drawing import Drawing

    numbers = [name for name in frame.columns if frame[name].dtype.is_numeric()]
    names = [name for name in frame.columns if name not in numbers]
    if frame.is_empty() or not numbers:
        raise UsageError("there is nothing to draw in this table", "name another, of those in `tables`")
    lines = 8 if "p" in numbers else min(max(len(frame), 8), MOST_ROWS)
    figure = Drawing(figsize=(7, 1.6 + 0.24 * lines), layout="constrained")
    axes = figure.subplots()
    if "p" in numbers:
        _distributions(axes, frame, names) if names else _distribution(axes, frame)
    elif len(names) == 1 and _interval(numbers)[1] is None and len(numbers) == len(frame) > 1:
        _matrix(axes, frame, names[0], numbers)
    else:
        _points(axes, frame, names, numbers)
    _name(axes, title)
    return figure


def plot_matrix(frame: pl.DataFrame, title: str) -> Figure:
    """Draw a matrix as a heat map with its numbers: its first column names the rows, each other one is an opponent."""
    from balance.answers.media.drawing import Drawing

    rows, *columns = frame.columns
    figure = Drawing(figsize=(min(3 + 0.55 * len(columns), 9), 2 + 0.28 * len(frame)), layout="constrained")
    axes = figure.subplots()
    _matrix(axes, frame, rows, columns)
    _name(axes, title)
    return figure


def plot_steps(columns: Mapping[str, Sequence[int]], what: str, title: str) -> Figure:
    """Draw what was counted step by step, by name, each as a staircase over the steps."""
    from balance.answers.media.drawing import Drawing

    figure = Drawing(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    for name, counts in columns.items():
        axes.step(range(len(counts)), counts, where="post", label=name)
    axes.set_xlabel("step")
    axes.set_ylabel(what)
    axes.legend(fontsize=7)
    axes.set_title(title, loc="left", fontsize=9)
    return figure


def _name(axes: Axes, title: str) -> None:
    """Write the title, wrapped to the width of the picture."""
    letters = int(12 * axes.figure.get_figwidth())  # type: ignore[union-attr]
    axes.figure.suptitle("\n".join(textwrap.wrap(title, letters)), x=0.01, ha="left", fontsize=9)


def _distribution(axes: Axes, frame: pl.DataFrame) -> None:
    """Draw the probability of each value as a bar."""
    value = next(name for name in frame.columns if name != "p")
    frame = frame.filter(pl.col("p") >= MIN_VISIBLE)
    axes.bar(frame[value].to_list(), frame["p"].to_list(), color=INK, width=0.8)
    axes.set_xlabel(value.replace("_", " "))
    axes.set_ylabel("chance")
    axes.yaxis.set_major_formatter(_per_cent())


def _per_cent() -> PercentFormatter:
    """Return a formatter that writes a share on an axis in per cent: 14% for 0.14."""
    from matplotlib.ticker import PercentFormatter

    return PercentFormatter(1.0, decimals=None)


def _distributions(axes: Axes, frame: pl.DataFrame, names: list[str]) -> None:
    """Draw the probability of each value as a line, one for each combination of the columns `names`."""
    value = next(name for name in frame.columns if name not in {*names, "p"})
    for part in frame.partition_by(names, maintain_order=True)[:MOST_LINES]:
        label = ", ".join(str(part[name][0]) for name in names)
        axes.plot(part[value].to_list(), part["p"].to_list(), marker=".", label=label)
    axes.set_xlabel(value.replace("_", " "))
    axes.set_ylabel("chance")
    axes.yaxis.set_major_formatter(_per_cent())
    axes.legend(fontsize=7)


def _points(axes: Axes, frame: pl.DataFrame, names: list[str], numbers: list[str]) -> None:
    """Draw a point for each row, the first at the top, with its interval where it has one."""
    value, ends = _interval(numbers)
    frame = frame.drop_nulls(value).head(MOST_ROWS)
    named = frame.select(_labels(frame, names) or frame.columns[0])
    labels = [", ".join(map(_words, row)) for row in named.iter_rows()]
    places = list(range(len(labels)))
    if ends:
        low, high = ends
        axes.hlines(places, frame[low].to_list(), frame[high].to_list(), color=SOFT, linewidth=4)
    if value in CHANCES and not ends:
        bars = axes.barh(places, frame[value].to_list(), color=INK, height=0.6)
        axes.bar_label(bars, [show_probability(chance) for chance in frame[value].to_list()], padding=3)
        axes.set_xlim(0, 1.1)
    else:
        axes.plot(frame[value].to_list(), places, "o", color=INK, label=value.replace("_", " "))
    if (cost := COSTS.get(value)) in numbers:
        axes.plot(frame[cost].to_list(), places, "|", color=COST, markersize=14, label="cost today")
        axes.figure.legend(loc="outside lower right", ncols=2, fontsize=7)
    if value in CHANCES:
        axes.xaxis.set_major_formatter(_per_cent())
    axes.set_yticks(places, labels)
    axes.invert_yaxis()
    axes.set_xlabel(CHANCES.get(value, value.replace("_", " ")))


def _interval(numbers: Sequence[str]) -> tuple[str, tuple[str, str] | None]:
    """Return the column that is drawn, before all others a difference, and those of the ends of its interval.

    >>> _interval(["cost", "score", "low", "high"]), _interval(["cost", "score", "score_low", "score_high"])
    (('score', ('low', 'high')), ('score', ('score_low', 'score_high')))
    """
    for low, high in (("low", "high"), ("lowest", "highest")):
        if {low, high} <= {*numbers}:
            before = numbers[: numbers.index(low)]
            return before[-1] if before else numbers[0], (low, high)
    most_telling = sorted(numbers, key=lambda name: name != "difference")
    own = ((name, (f"{name}_low", f"{name}_high")) for name in most_telling)
    return next(((name, ends) for name, ends in own if {*ends} <= {*numbers}), (numbers[0], None))


def _labels(frame: pl.DataFrame, names: list[str]) -> list[str]:
    """Return the columns that tell rows apart, two at most; none for rows that have no name."""
    if name := next((name for name in ("label", "change") if name in names), ""):
        return [name]
    texts = [name for name in names if frame[name].dtype in (pl.String, pl.List(pl.String))]
    return [name for name in texts if frame[name].n_unique() > 1][:2] or texts[:1]


def _words(cell: Any) -> str:
    return " and ".join(cell) if isinstance(cell, list) else str(cell)


def _matrix(axes: Axes, frame: pl.DataFrame, rows: str, columns: list[str]) -> None:
    """Draw numbers as colours, chances centred on one half, others on 0; few of them are written too."""
    cells = frame.select(columns).cast(pl.Float64).to_numpy()
    furthest = max(float(abs(cells[cells == cells]).max(initial=0)), 1e-9)  # a cell that is not itself is empty
    chances = cells[cells == cells].min(initial=0) >= 0 and furthest <= 1
    ends = (0.0, 1.0) if chances else (-furthest, furthest)
    image = axes.imshow(cells, cmap="RdBu", vmin=ends[0], vmax=ends[1], aspect="auto")
    axes.set_yticks(range(len(frame)), frame[rows].to_list(), fontsize=7)
    axes.set_xticks(range(len(columns)), columns, rotation=90, fontsize=7)
    if len(columns) <= MOST_LINES and len(frame) <= MOST_ROWS:
        for (row, column), cell in zip(np.ndindex(cells.shape), cells.flat, strict=True):
            pale = abs(cell - sum(ends) / 2) < 0.6 * (ends[1] - ends[0]) / 2
            axes.text(column, row, "" if cell != cell else f"{cell:.2f}", ha="center", va="center", fontsize=7,
                      color="black" if pale else "white")  # fmt: skip
    else:
        axes.figure.colorbar(image, ax=axes)
