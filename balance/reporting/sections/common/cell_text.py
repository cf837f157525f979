"""Cells of report tables as text: numbers with their units and error bars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from balance.base.numbers import NO_BREAK, show_fixed, show_probability, show_unit

Row = Mapping[str, Any]
NO_NUMBER = "–"


def grid(frame: pl.DataFrame) -> tuple[list[str], list[str], dict[tuple[str, str], Row]]:
    """Return the labels of rows and columns, and the cells by both."""
    rows = frame["row"].unique(maintain_order=True).to_list()
    columns = frame["column"].unique(maintain_order=True).to_list()
    return rows, columns, {(row["row"], row["column"]): row for row in frame.iter_rows(named=True)}


def cell_text(row: Row, decimals: int | None, bare: bool = False) -> str:
    """Return a cell's number, with half of its interval where it is simulated; `bare` leaves out units.

    `decimals` None lets the kind of number decide.
    """
    if row["value"] is None:
        return _beyond(row["beyond"])
    text = number_text(row, row["value"], decimals, bare)
    if row["low"] is None:
        return text
    half = (row["high"] - row["low"]) / 2 * (100 if row["is_share"] else 1)
    return f"{text}{NO_BREAK}±{_half(half, _decimals(row, decimals) + bool(row['is_share']))}"


def _half(half: float, places: int) -> str:
    """Return half an interval; one that would round to 0 is shown as below the last digit.

    >>> _half(0.01, 1), _half(0.31, 2)
    ('<0.1', '0.31')
    """
    text = show_fixed(half, places)
    return text if text.strip("0.") else f"<{show_fixed(10.0**-places, places)}"


def number_text(row: Row, value: float, decimals: int | None, bare: bool) -> str:
    """Return a number with the unit and digits of its cell's kind; `bare` leaves out units, for heat maps."""
    places = _decimals(row, decimals)
    if row["show"] in ("difference", "worth"):
        number = show_fixed(100 * value if row["is_share"] else value, places)
        text = f"+{number}" if value > 0 and number.strip("0.,") else number
        return show_unit(text, "pp") if row["is_share"] and not bare else text
    if row["is_share"]:
        text = show_probability(value, places)
        return text.removesuffix("%") if bare else text
    return show_fixed(value, places)


def measure_unit(row: Row) -> str:
    """Return the unit of the numbers of a report table, as its own frame has them.

    >>> measure_unit({"is_share": True, "show": "difference", "measure": "wins of a"})
    'difference of shares'
    >>> measure_unit({"is_share": False, "show": "value", "measure": "mean figures_lost"})
    'mean figures lost'
    """
    unit = "share" if row["is_share"] else str(row["measure"]).replace("_", " ")
    if row["show"] == "worth":
        return "steps"
    return f"difference of {'shares' if row['is_share'] else unit}" if row["show"] == "difference" else unit


def _decimals(row: Row, decimals: int | None) -> int:
    return decimals if decimals is not None else 0 if row["is_share"] else 1 if row["show"] == "worth" else 2


def _beyond(step: int | None) -> str:
    if step is None:
        return NO_NUMBER
    return f"{'>' if step > 0 else '<'}{NO_BREAK}{show_fixed(step, 0)}"
