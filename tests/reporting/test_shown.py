"""Columns that say what they show of a row: texts, numbers that sort by themselves, intervals, and dashes."""

from __future__ import annotations

import polars as pl
import pytest

from balance.base.numbers import show_probability
from balance.reporting import Cell, Column
from balance.reporting.sections.common.columns import TableColumn, ends, frame_table, number, plain

ROW = {"name": "Nexus", "cost": 24.0, "n": 3, "low": -0.5, "high": 0.25, "none": None}

BETWEEN = Column("Interval", "right", "95 %")


@pytest.mark.parametrize(
    ("shown", "column", "cell"),
    [
        (plain("Card", "name", "its name"), Column("Card", "left", "its name"), "Nexus"),
        (plain("Card", lambda row: f"the {row['name']}"), Column("Card", "left"), "the Nexus"),
        (number("Cost", "cost", note="points"), Column("Cost", "right", "points"), Cell("24", 24.0)),
        (number("Share", "high", show_probability), Column("Share", "right"), Cell("25.0%", 0.25)),
        (number("Cost", "none"), Column("Cost", "right"), Cell("–")),
        (
            ends("Interval", "low", "high", str, "95 %"),
            Column("Interval", "right", "95 %"),
            Cell("-0.5 to 0.25", None, -0.5, 0.25),
        ),
        (ends("Interval", "none", "high", str), Column("Interval", "right"), Cell("–")),
        (
            ends("Interval", "low", "none", str, without="exact", align="left"),
            Column("Interval", "left"),
            Cell("exact"),
        ),
    ],
)
def test_a_column_has_its_head_and_its_cell(shown: TableColumn, column: Column, cell: Cell | str) -> None:
    assert shown.column == column
    assert shown.cell(ROW) == cell


def test_a_table_has_the_rows_of_its_frame_in_their_order() -> None:
    frame = pl.DataFrame({"name": ["b", "a"], "cost": [2.0, 10.0]})
    table = frame_table(frame, [plain("Card", "name"), number("Cost", "cost")], "Costs", "A note.")
    assert table.columns == (Column("Card"), Column("Cost", "right"))
    assert table.rows == ((Cell("b"), Cell("2", 2.0)), (Cell("a"), Cell("10", 10.0)))
    assert (table.caption, table.note) == ("Costs", "A note.")


def test_a_frame_without_rows_is_a_table_without_rows() -> None:
    assert frame_table(pl.DataFrame({"name": []}), [plain("Card", "name")], "None").rows == ()
