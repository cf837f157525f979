"""A run is exported as what it is: texts as texts, numbers as numbers."""

from __future__ import annotations

import io
from pathlib import Path

import openpyxl
import polars as pl
import pytest

from balance.base.errors import OutputError, UsageError
from balance.study.run import export
from balance.study.run.export import FORMATS, export_tables
from balance.study.run.folder import Run

FRAME = pl.DataFrame({"a": ["x", "=1"], "n": [1.5, None], "many": [["p", "q"], []], "ok": [True, None]})


def run_of(**frames: pl.DataFrame) -> Run:
    return Run(Path("run"), {"tables": dict.fromkeys(frames, "")}, dict(frames))


def test_every_format_holds_the_same_table(tmp_path: Path) -> None:
    run = run_of(b=FRAME, a=FRAME.head(1))
    written = {fmt: export_tables(run, fmt, tmp_path / fmt) for fmt in FORMATS}
    assert {fmt: [path.relative_to(tmp_path).as_posix() for path in paths] for fmt, paths in written.items()} == {
        "csv": ["csv/a.csv", "csv/b.csv"],
        "parquet": ["parquet/a.parquet", "parquet/b.parquet"],
        "xlsx": ["xlsx/tables.xlsx"],
    }
    assert (tmp_path / "csv" / "b.csv").read_text("utf-8") == 'a,n,many,ok\nx,1.5,p q,true\n\'=1,,"",\n'
    assert pl.read_parquet(tmp_path / "parquet" / "b.parquet").equals(FRAME)
    content = io.BytesIO()
    FRAME.write_parquet(content, compression="zstd", statistics=False)
    assert (tmp_path / "parquet" / "b.parquet").read_bytes() == content.getvalue()
    book = openpyxl.load_workbook(tmp_path / "xlsx" / "tables.xlsx")
    assert book.sheetnames == ["a", "b"]
    assert list(book["b"].values) == [("a", "n", "many", "ok"), ("x", 1.5, "p, q", True), ("=1", None, None, None)]


def test_only_the_tables_that_are_named_are_written_in_that_order(tmp_path: Path) -> None:
    run = run_of(a=FRAME, b=FRAME, c=FRAME)
    assert [path.name for path in export_tables(run, "csv", tmp_path, ["c", "a"])] == ["c.csv", "a.csv"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "c.csv"]


def test_a_workbook_holds_numbers_that_are_none_and_long_names(tmp_path: Path) -> None:
    frame = pl.DataFrame({"n": [float("nan"), float("inf"), 0.1], "t": ["\x00", "", "-1"]})
    (path,) = export_tables(run_of(**{"x" * 40: frame}), "xlsx", tmp_path)
    (sheet,) = openpyxl.load_workbook(path).worksheets
    assert sheet.title == "x" * 31
    assert list(sheet.values) == [("n", "t"), ("nan", "\ufffd"), ("inf", None), (0.1, "-1")]


def test_what_cannot_be_exported_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(tasks=FRAME, prices=FRAME)
    with pytest.raises(UsageError) as error:
        export_tables(run, "cvs", tmp_path)
    assert str(error.value) == "'cvs' is not a format; allowed: csv, parquet, xlsx; did you mean csv?"
    with pytest.raises(UsageError) as error:
        export_tables(run, "csv", tmp_path, ["task", "tasks", "zzz"])
    assert str(error.value) == (
        "'task' is not a table of this run; allowed: prices, tasks; did you mean tasks?\n"
        "'zzz' is not a table of this run; allowed: prices, tasks"
    )
    monkeypatch.setattr(export, "EXCEL_ROWS", 2)
    assert export_tables(run, "xlsx", tmp_path)
    monkeypatch.setattr(export, "EXCEL_ROWS", 1)
    with pytest.raises(OutputError) as told:
        export_tables(run, "xlsx", tmp_path)
    assert str(told.value) == "has more than 1 rows: tasks, prices; use csv or parquet".replace(
        "tasks, prices", "prices, tasks"
    )


def test_a_sheet_holds_as_many_rows_as_excel_has_below_its_header() -> None:
    assert export.EXCEL_ROWS == 2**20 - 1
