"""The unit of every column of every table of the six published reports fits the numbers behind its texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from balance.reporting.page.units import ends_of_column, unit_of_column
from tests.reporting.claims import PageReader

REPORTS = sorted((Path(__file__).parents[2] / "reports").glob("*/index.html"))
FOUND_WRONG = {
    "immortal_souls": {"best, %": "share", "chance to win, %": "share", "today, %": "%"},
    "battlelore": {"Mean hits": "", "Spider killed": "share", "Gone": "share"},
    "runewars": {"Rounds": "", "Nobody": "share"},
    "edadh": {"Draws": "share"},
}
"""Columns whose unit was once another, by report: what it is."""


@dataclass
class PublishedColumn:
    """A column of a published table: what it is called, its declared unit, and its cells, texts with numbers."""

    name: str
    unit: str
    cells: list[tuple[str, float | None]] = field(default_factory=list)


def columns(path: Path) -> list[PublishedColumn]:
    """Return the columns of all tables of a page that have numbers behind their texts."""
    tables = PageReader(path.read_text("utf-8")).tables
    read = [
        PublishedColumn(*head, [row[at] for row in table.rows if len(row) > at])
        for table in tables
        for at, head in enumerate(table.heads)
    ]
    return [column for column in read if any(number is not None for _, number in column.cells)]


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.parent.name)
def test_the_unit_of_every_column_fits_its_numbers(path: Path) -> None:
    read = columns(path)
    assert len(read) > 5
    units = dict[str, set[str]]()
    for column in read:
        unit = unit_of_column(column.name, column.unit, column.cells)
        units.setdefault(column.name, set()).add(unit)
        written = [(text.rstrip("%").strip(), number) for text, number in column.cells if number is not None]
        numbers = [(float(text.replace("−", "-")), number) for text, number in written if is_number(text)]
        if unit in ("share", "difference of shares"):
            assert all(-1 * (unit != "share") <= number <= 1 for _, number in numbers), column
            assert all(abs(shown - 100 * number) <= 0.6 for shown, number in numbers if abs(shown) > 1), column
        elif numbers:
            assert all(abs(shown - number) <= 0.51 for shown, number in numbers), column
            assert unit in ("%", "pp") or not any("%" in text for text, _ in column.cells), column
    for name, unit in FOUND_WRONG.get(path.parent.name, {}).items():
        assert unit in units[name], (name, units[name])


def is_number(text: str) -> bool:
    try:
        float(text.replace("−", "-"))
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("texts", "ends"),
    [
        (["62 to 66", "–"], [(62, 66), None]),
        (["−3 to +4.5"], [(-3, 4.5)]),
        (["40% to 60%", "5% to 7%"], [(0.4, 0.6), (0.05, 0.07)]),
        (["hexes per flag 1 to 0"], [None]),
        (["1 to 2", "none"], [None, None]),
    ],
)
def test_intervals_as_texts_have_ends(texts: list[str], ends: list[tuple[float, float] | None]) -> None:
    assert ends_of_column([(text, None) for text in texts]) == [
        None if pair is None else pytest.approx(pair) for pair in ends
    ]
