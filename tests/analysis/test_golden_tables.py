"""Whole tables are as they were: every column, row and number of small fields."""

from __future__ import annotations

import csv

import pytest

from tests.analysis.golden_tables import FOLDER, GOLDEN, written


def numbers(text: str) -> list[list[float | str]]:
    """Return the cells of a CSV text, numbers as numbers."""

    def read(cell: str) -> float | str:
        try:
            return float(cell)
        except ValueError:
            return cell

    return [[read(cell) for cell in row] for row in csv.reader(text.splitlines())]


@pytest.mark.parametrize("name", GOLDEN)
def test_a_table_is_what_it_was(name: str) -> None:
    """Processors differ in the last of sixteen digits; the files have eight."""
    kept = (FOLDER / f"{name}.csv").read_text("utf-8")
    told, known = numbers(written(GOLDEN[name]())), numbers(kept)
    assert [len(row) for row in told] == [len(row) for row in known]
    for row, as_it_was in zip(told, known, strict=True):
        assert row == [
            pytest.approx(cell, rel=1e-6, abs=1e-9) if isinstance(cell, float) else cell for cell in as_it_was
        ]


def test_every_golden_file_is_of_a_table() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(GOLDEN)
