"""Tables and heat maps: texts for readers, and behind each text the number it is short for."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from balance.base.errors import UsageError
from balance.base.numbers import show_interval

Align: TypeAlias = Literal["left", "center", "right"]
Number: TypeAlias = "tuple[float | None, float | None, float | None]"
"""A number and the two ends of its interval."""
Palette: TypeAlias = Literal["sequential", "diverging"]
Better: TypeAlias = Literal["more", "less"]


def demand(value: str, choices: tuple[str, ...], subject: str) -> None:
    """Raise `UsageError` unless `value` is one of `choices`; the message begins with `subject`."""
    if value not in choices:
        raise UsageError(f"{subject} is {value!r}; allowed: {', '.join(choices)}")


def demand_length(length: int, required_length: int, subject: str) -> None:
    """Raise `UsageError` unless the two lengths agree; the message begins with `subject`."""
    if length != required_length:
        raise UsageError(f"{subject}: found {length}, expected {required_length}")


@dataclass(frozen=True)
class Column:
    """A column of a table. `tip` says in marked text what the column holds; it is printed below the table.

    `unit` is that of its numbers, plain, for who takes them elsewhere; without it, texts in per cent say it. What is
    `whole`, such as an id, is never broken over lines; what `is_spare` is left out where there is no room for it.
    """

    name: str
    align: Align = "left"
    tip: str = ""
    unit: str = ""
    whole: bool = False
    is_spare: bool = False

    def __post_init__(self) -> None:
        demand(self.align, get_args(Align), f"alignment of column {self.name!r}")


@dataclass(frozen=True)
class Cell:
    """A plain text and, where the text would sort wrongly, the number to sort by.

    Where the text is a number, `sort` is that number with all its digits; `low` and `high` are the ends of its
    interval, or of the interval that the text is. `is_drawing` is a text of bars, as in `blocks.bars`. `mark` is a
    letter beside the text that says where it comes from, and `is_doubtful` is what nobody vouches for.
    """

    text: str
    sort: float | None = None
    low: float | None = field(default=None, repr=False)
    high: float | None = field(default=None, repr=False)
    is_drawing: bool = field(default=False, repr=False)
    mark: str = field(default="", repr=False)
    is_doubtful: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        if any(value is not None and math.isnan(value) for value in (self.sort, self.low, self.high)):
            raise UsageError(f"cell {self.text!r} has the value nan; use None for no value")


@dataclass(frozen=True)
class Table:
    """A numbered table; the first cell of a row names the row. `caption` and `note` are marked.

    `source` is the name of the table of the run that it is made of, if it is made of one. `in_parts`: where it is too
    wide, it is set in parts below each other, each with its first column. Raises `UsageError` for no column, or a row
    whose length is not the number of columns.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str
    note: str = ""
    source: str = ""
    in_parts: bool = False

    def __post_init__(self) -> None:
        if not self.columns:
            raise UsageError(f"table {self.caption!r} has no column")
        for number, row in enumerate(self.rows, start=1):
            demand_length(len(row), len(self.columns), f"cells in row {number} of table {self.caption!r}")


def table(
    columns: Sequence[Column | str],
    rows: Sequence[Sequence[Cell | str | tuple[str, float]]],
    caption: str,
    note: str = "",
    source: str = "",
) -> Table:
    """Return a `Table` from plain Python rows.

    A bare string is a column aligned left; a cell is a `Cell`, a text, or a text with the number it sorts by. `source`
    is the name of the table of the run that it is made of.

    >>> table(["Unit", Column("Cost", "right")], [["Nexus", ("24", 24.0)]], "Costs").rows[0][1]
    Cell(text='24', sort=24.0)
    """
    heads = tuple(Column(column) if isinstance(column, str) else column for column in columns)
    return Table(heads, tuple(tuple(map(_cell, row)) for row in rows), caption, note, source)


def grid(
    heads: Sequence[str],
    rows: Iterable[Sequence[Cell | str]],
    right: Collection[str] = (),
    whole: Collection[str] = (),
    in_parts: bool = False,
) -> Table:
    """Return a table of plain texts and drawings without a caption, a row of cells for each of `rows`.

    `right` and `whole` are heads of columns set flush right, and of those never broken over lines; `in_parts` is as of
    a `Table`.
    """
    columns = tuple(Column(head, "right" if head in right else "left", whole=head in whole) for head in heads)
    return Table(columns, tuple(tuple(map(_cell, row)) for row in rows), "", in_parts=in_parts)


def number_cell(value: float | None, show: Callable[[float], str]) -> Cell:
    """Return the cell of a number, which it sorts by; a dash where there is none."""
    return Cell("–") if value is None else Cell(show(value), value)


def interval_cell(
    low: float | None, high: float | None, show: Callable[[float], str], without: str = "–", best: float | None = None
) -> Cell:
    """Return the cell of an interval; `without` is shown where an end is missing, `best` is what it sorts by."""
    if low is None or high is None:
        return Cell(without, best)
    return Cell(show_interval(low, high, show), best, low, high)


def _cell(value: Cell | str | tuple[str, float]) -> Cell:
    if isinstance(value, Cell):
        return value
    return Cell(value) if isinstance(value, str) else Cell(*value)


@dataclass(frozen=True)
class HeatMap:
    """A shaded matrix of texts, drawn as a real table and numbered with the tables.

    Raises `UsageError` for a shape that does not fit, or a shade out of range.

    * `row_labels` and `column_labels`: plain; r and c of them.
    * `cells`: r rows of c plain texts. Keep them short (``63``, not ``63.2%``) and put the unit in the caption.
    * `shades`: r rows of c numbers: 0 to 1 for `sequential`, -1 to 1 for `diverging`, None for an unshaded cell.
    * `better` and `favours`: whether more or less is good for whom the map favours; what is good for them has the same
      colour in every map.
    * `row_title` and `column_title`: what the rows and the columns are, plain.
    * `legend`: plain texts to spread along the colour bar, lowest first.
    * `numbers`: r rows of c numbers that the texts are short for, each with the ends of its interval, or None in any
      place; empty where the texts are all there is.
    * `unit`: the unit of these numbers, plain.
    * `source`: the name of the table of the run that it is made of.
    """

    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    shades: tuple[tuple[float | None, ...], ...]
    caption: str
    palette: Palette = "sequential"
    row_title: str = ""
    column_title: str = ""
    legend: tuple[str, ...] = ()
    note: str = ""
    better: Better = "more"
    favours: str = "the row"
    numbers: tuple[tuple[Number, ...], ...] = ()
    unit: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        demand(self.palette, get_args(Palette), "palette")
        demand(self.better, get_args(Better), "better")
        place = f"of heat map {self.caption!r}"
        if not self.row_labels or not self.column_labels:
            raise UsageError(f"one side {place} is empty")
        for name, grid in (("cells", self.cells), ("shades", self.shades), ("numbers", self.numbers or self.cells)):
            demand_length(len(grid), len(self.row_labels), f"rows of {name} {place}")
            for number, row in enumerate(grid, start=1):
                demand_length(len(row), len(self.column_labels), f"{name} in row {number} {place}")
        lowest = 0.0 if self.palette == "sequential" else -1.0
        for shade in (shade for row in self.shades for shade in row if shade is not None):
            if not lowest <= shade <= 1.0:
                raise UsageError(f"a shade {place} is {shade}; allowed: {lowest:g} to 1, or None")
