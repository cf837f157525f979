"""Outcomes are added up in bounded memory, and rightly."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import openpyxl
import polars as pl
import pytest

from balance.base.errors import OutputError, UsageError
from balance.study.run import export
from balance.study.run.export import FORMATS, export_tables, summarise_outcomes
from balance.study.run.folder import Run

MILLION = 1_000_000

AGGREGATE = """
import sys
from pathlib import Path
from tests.bench.commands import peak_megabytes
from balance.study.run.export import summarise_outcomes
found = summarise_outcomes(Path(sys.argv[1]), ["a", "b"])
peak = round(peak_megabytes())
print(found.height, found["n_pairs"].sum(), round(float(found["score"].mean()), 6), peak)
"""


def write_outcomes(path: Path, n_rows: int, seed: int) -> pl.DataFrame:
    generator = np.random.default_rng(seed)
    names = pl.Series([f"unit_{n}" for n in range(60)])
    winners = pl.Series(["a", "b", "draw"])
    frame = pl.DataFrame(
        {
            "a": names.gather(generator.integers(0, 60, n_rows, dtype=np.uint32)),
            "b": names.gather(generator.integers(0, 60, n_rows, dtype=np.uint32)),
            "a_first": winners.gather(generator.integers(0, 3, n_rows, dtype=np.uint32)),
            "b_first": winners.gather(generator.integers(0, 3, n_rows, dtype=np.uint32)),
            "n": generator.integers(1, 1000, n_rows),
        }
    )
    frame.write_parquet(path, compression="lz4", statistics=False)
    return frame


def test_scores_are_added_up(tmp_path: Path) -> None:
    rows = {"a": ["x", "x", "x", "y"], "a_first": ["a", "b", "a", "draw"], "b_first": ["a", "b", None, "a"]}
    pl.DataFrame(rows | {"n": [3, 1, None, 2]}, schema_overrides={"n": pl.Int64}).write_parquet(tmp_path / "o.parquet")
    found = summarise_outcomes(tmp_path / "o.parquet")
    assert found.to_dict(as_series=False) == {"a": ["x", "y"], "n_pairs": [4, 2], "score": [0.75, 0.75]}


@pytest.mark.parametrize(
    ("n_files", "n_rows", "most"),
    [(4, MILLION // 2, 500), pytest.param(20, 5 * MILLION, 1000, marks=pytest.mark.slow)],
)
def test_a_hundred_million_rows_fit_in_little_memory(n_files: int, n_rows: int, most: int, tmp_path: Path) -> None:
    """All rows at once would take 60 bytes each, 6 GB in the long form; `most` is in MB, the program included."""
    pytest.importorskip("resource")
    counted = 0
    for number in range(n_files):
        counted += int(write_outcomes(tmp_path / f"{number:02d}.parquet", n_rows, number)["n"].sum())
    done = subprocess.run([sys.executable, "-c", AGGREGATE, f"{tmp_path}"], capture_output=True, text=True, check=True)
    n_groups, n_pairs, score, peak = done.stdout.split()
    assert (int(n_groups), int(n_pairs)) == (3600, counted)
    assert abs(float(score) - 0.5) < 0.01
    assert int(peak) < most


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


def test_results_are_grouped_by_what_is_asked_and_sorted(tmp_path: Path) -> None:
    rows = {"a": ["y", "x", "x"], "b": ["p", "q", "p"], "a_first": ["a", "b", "draw"], "b_first": ["a", "a", None]}
    for part in range(2):
        pl.DataFrame(rows | {"n": [1, 2, 3]}).write_parquet(tmp_path / f"{part}.parquet")
    paths = sorted(tmp_path.glob("*.parquet"))
    assert summarise_outcomes(paths, ["a", "b"]).rows() == [("x", "p", 6, 0.5), ("x", "q", 4, 0.5), ("y", "p", 2, 1.0)]
    assert summarise_outcomes(tmp_path).rows() == [("x", 10, 0.5), ("y", 2, 1.0)]
