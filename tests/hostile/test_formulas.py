"""What a catalogue says stays text: no spreadsheet computes it, no terminal, page or figure obeys it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import openpyxl
import polars as pl
import pytest

from balance.catalogue import Record, TableSpec, load_table
from balance.catalogue.tables.cells import guard, unguard
from balance.catalogue.writer import table_csv
from balance.study.run.export import export_tables
from balance.study.run.folder import Run

LIVE = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1", '=HYPERLINK("x")', "'=1", "''+x"]
QUIET = ["-1", "+2", "-0,5", "-3.5%", "-", "", "x=1", "'tis", "#N/A", "1-2", "a\nb"]
FRAME = pl.DataFrame({"=head": LIVE, "n": [-1.5, *range(8)], "many": [["=1", "b"]] * 9})


class Unit(Record):
    id: str
    label: str


def exported(tmp_path: Path, fmt: str, frame: pl.DataFrame) -> Path:
    run = Run(tmp_path, {"tables": {"units": ""}}, {"units": frame})
    return export_tables(run, fmt, tmp_path / fmt)[0]


def test_a_workbook_of_tables_holds_no_formula_and_its_numbers(tmp_path: Path) -> None:
    rows = list(openpyxl.load_workbook(exported(tmp_path, "xlsx", FRAME))["units"].iter_rows())
    assert {cell.data_type for row in rows for cell in row} == {"s", "n"}
    assert [row[0].value for row in rows] == ["=head", *(text.replace("\r", "\n") for text in LIVE)]
    assert [row[1].value for row in rows[1:]] == FRAME["n"].to_list()
    assert rows[1][2].value == "=1, b"


def test_a_csv_of_tables_has_an_apostrophe_before_formulas_alone(tmp_path: Path) -> None:
    text = exported(tmp_path, "csv", FRAME).read_bytes().decode()
    head, *rows = list(csv.reader(io.StringIO(text, newline="")))
    assert head == ["'=head", "n", "many"]
    assert [row[0] for row in rows] == [f"'{live}" for live in LIVE]
    assert [float(row[1]) for row in rows] == FRAME["n"].to_list()
    assert {row[2] for row in rows} == {"'=1 b"}


@pytest.mark.parametrize("text", [*LIVE, *QUIET])
def test_guarding_is_undone_exactly(text: str) -> None:
    assert unguard(guard(text)) == text
    assert guard(text) == (f"'{text}" if text in LIVE else text)


def test_the_two_ways_to_guard_agree(tmp_path: Path) -> None:
    text = exported(tmp_path, "csv", pl.DataFrame({"t": [*LIVE, *QUIET, None]})).read_bytes().decode()
    cells = [row[0] if row else "" for row in csv.reader(io.StringIO(text, newline=""))]
    assert cells == ["t", *map(guard, [*LIVE, *QUIET, ""])]


def test_a_catalogue_written_as_csv_is_guarded_and_read_back_byte_for_byte(tmp_path: Path) -> None:
    labels = [text for text in (*LIVE, *QUIET) if text == text.strip() and "\n" not in text and text]
    units = [Unit(id=f"u{n}", label=label) for n, label in enumerate(labels)]
    (tmp_path / "units.csv").write_text(written := table_csv(Unit, units), encoding="utf-8", newline="")
    assert ",'=1+1\n" in written
    back = load_table(TableSpec("units", "units.csv", Unit), tmp_path)
    assert list(back.values()) == units
    assert table_csv(Unit, back.values()) == written
