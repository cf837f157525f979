"""A table of a report from a table of a run: each column says what it shows of a row, how, and what it means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from balance.answers.blocks.tables import Align, interval_cell, number_cell
from balance.reporting import Cell, Column, Table, table

Row = Mapping[str, Any]


class TableColumn(NamedTuple):
    """One column of a table that people read: its head, and a function from a row to what is shown."""

    column: Column
    cell: Callable[[Row], Cell | str]


def number(head: str, name: str, show: Callable[[Any], str] = "{:g}".format, note: str = "") -> TableColumn:
    """Return a column of the frame's numbers, sorted by the number itself; a dash where there is none.

    `note` says in marked text what the column holds, and is printed below the table.

    >>> column = number("Cost", "cost_points")
    >>> column.cell({"cost_points": 24.0}), column.cell({"cost_points": None})
    (Cell(text='24', sort=24.0), Cell(text='–', sort=None))
    """
    return TableColumn(Column(head, "right", note), lambda row: number_cell(row[name], show))


def plain(head: str, cell: str | Callable[[Row], str], note: str = "") -> TableColumn:
    """Return a column of texts: those of a column of the frame, or made of a row; `note` is as for `number`.

    >>> plain("Card", "label").cell({"label": "Nexus"})
    'Nexus'
    """
    return TableColumn(Column(head, "left", note), cell if callable(cell) else lambda row: str(row[cell]))


def ends(
    head: str,
    low: str,
    high: str,
    show: Callable[[float], str],
    note: str = "",
    *,
    without: str = "–",
    align: Align = "right",
) -> TableColumn:
    """Return a column of intervals between two columns of the frame; `without` is shown where an end is missing.

    `note` is as for `number`.

    >>> ends("Interval", "low", "high", str).cell({"low": 1.0, "high": 2.0})
    Cell(text='1.0 to 2.0', sort=None)
    """
    return TableColumn(Column(head, align, note), lambda row: interval_cell(row[low], row[high], show, without))


def frame_table(
    frame: pl.DataFrame, columns: Sequence[TableColumn], caption: str, note: str = "", source: str = ""
) -> Table:
    """Return a table with one row for each row of a frame; `source` is the name of the table of the run.

    >>> frame_table(pl.DataFrame({"cost": [3.0]}), [number("Cost", "cost")], "Costs").rows
    ((Cell(text='3', sort=3.0),),)
    """
    rows = [[column.cell(row) for column in columns] for row in frame.iter_rows(named=True)]
    return table([column.column for column in columns], rows, caption, note, source)
