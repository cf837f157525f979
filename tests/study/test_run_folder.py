"""The folder of a run: what is told of one that is damaged, unfinished or none, and what is swept."""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import polars as pl
import pytest

from balance.base.errors import StudyError
from balance.study.loading.load import shipped_study
from balance.study.run import folder as run_folder
from balance.study.run.folder import Run, begin_run, load_run, sweep_run
from balance.study.settings.settings import Study, StudySettings
from tests.study.golden import Golden

AGAIN = "run the study again"


@pytest.fixture
def folder(golden: Golden, tmp_path: Path) -> Path:
    """A copy of a finished run."""
    copytree(golden.played["skirmish"].run.folder, tmp_path / "run")
    return tmp_path / "run"


def told(folder: Path, table: str | None = None) -> str:
    """What is told of a run, or of one of its tables, that cannot be read."""
    with pytest.raises(StudyError) as error:
        run = load_run(folder)
        if table is not None:
            run.table(table)
    return str(error.value).replace(f"{folder}", "run")


def put(folder: Path, name: str, content: bytes) -> None:
    """Put a table into a run, checksum and all."""
    (folder / "tables" / f"{name}.parquet").write_bytes(content)
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    manifest["tables"][name] = hashlib.sha256(content).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")


def parquet(frame: pl.DataFrame) -> bytes:
    content = io.BytesIO()
    frame.write_parquet(content, compression="zstd")
    return content.getvalue()


def test_a_run_gives_its_tables_once_each_and_no_others(folder: Path) -> None:
    run = load_run(folder)
    first = run.table("tasks")
    (folder / "tables" / "tasks.parquet").unlink()
    assert run.table("tasks") is first
    assert (run.has("tasks"), run.has("prices")) == (True, False)
    assert told(folder, "prices") == f"run/tables/prices.parquet: the run has no such table; {AGAIN}"


def test_what_is_wrong_with_a_table_is_told(folder: Path) -> None:
    path = folder / "tables" / "tasks.parquet"
    path.write_bytes(path.read_bytes() + b"x")
    assert told(folder, "tasks") == f"run/tables/tasks.parquet: the table was changed after the run; {AGAIN}"
    path.unlink()
    assert told(folder, "tasks") == f"run/tables/tasks.parquet: cannot be read: no such file or directory; {AGAIN}"
    put(folder, "tasks", b"no table")
    assert told(folder, "tasks").startswith("run/tables/tasks.parquet: is not a table in Parquet (")
    assert told(folder, "tasks").endswith(f"); {AGAIN}")


def test_a_table_that_swells_up_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = parquet(pl.DataFrame({"x": range(1000)}))
    put(folder, "tasks", content)
    monkeypatch.setattr(run_folder, "ROWS_PER_BYTE", 1000.01 / len(content))
    assert load_run(folder).table("tasks").height == 1000
    monkeypatch.setattr(run_folder, "ROWS_PER_BYTE", 999.99 / len(content))
    assert told(folder, "tasks") == f"run/tables/tasks.parquet: holds 1,000 rows in {len(content):,} bytes; {AGAIN}"


def test_a_table_that_leads_elsewhere_is_refused(folder: Path) -> None:
    path = folder / "tables" / "tasks.parquet"
    path.rename(folder.parent / "tasks.parquet")
    path.symlink_to(folder.parent / "tasks.parquet")
    assert told(folder, "tasks") == f"run/tables/tasks.parquet: leads out of the folder of the run; {AGAIN}"


@pytest.mark.parametrize(
    ("left", "words"),
    [
        ("balance run study.toml --out run", "is unfinished; continue with: balance run study.toml --out run"),
        ("  balance run 'a study.toml'\n", "is unfinished; continue with: balance run 'a study.toml'"),
        ("balance", "is unfinished; continue with: balance"),
        ("rm -r /", None),
        ("", None),
        ("balance run; rm -r /", None),
        ("balance run 'half", None),
        ("balance run $(rm)", None),
        ("balance run " + "x" * (10_000 - 12), ""),
        ("balance run " + "x" * (10_000 - 11), None),
    ],
)
def test_a_command_is_repeated_only_if_it_is_one_of_ours(left: str, words: str | None, tmp_path: Path) -> None:
    (tmp_path / "unfinished.txt").write_text(left, "utf-8")
    if words is None:
        words = "is not the folder of a run: it has no manifest.json"
    assert told(tmp_path) == f"run: {words or f'is unfinished; continue with: {left}'}"


def test_a_folder_without_a_command_is_no_run(tmp_path: Path) -> None:
    assert told(tmp_path / "none") == "run: is not the folder of a run: it has no manifest.json"


def test_the_command_that_goes_on_is_the_one_that_began(tmp_path: Path) -> None:
    path = tmp_path / "my study.toml"
    path.write_text("", "utf-8")
    study = Study(StudySettings(game="warforged"), path)
    begin_run(tmp_path / "run", study)
    assert (tmp_path / "run" / "unfinished.txt").read_text() == f"balance run '{path}' --out {tmp_path / 'run'}\n"
    begin_run(tmp_path / "run", shipped_study("warforged"))
    assert (tmp_path / "run" / "unfinished.txt").read_text() == f"balance report warforged --out {tmp_path / 'run'}\n"
    begin_run(tmp_path / "run", replace(study, path=tmp_path / "none.toml"))
    assert (tmp_path / "run" / "unfinished.txt").read_text() == f"balance report warforged --out {tmp_path / 'run'}\n"


def test_a_finished_run_leaves_no_command(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == [".lock", "blocks", "manifest.json", "tables"]


def test_tables_that_the_manifest_does_not_name_are_swept_and_nothing_else(folder: Path) -> None:
    """With a table goes the CSV that its report offered to download."""
    for name in ("old.parquet", "old.csv", "own.csv"):
        (folder / "tables" / name).write_bytes(b"x")
    sweep_run(folder)
    kept = {path.name for path in (folder / "tables").iterdir()}
    assert kept == {*(f"{name}.parquet" for name in load_run(folder).manifest["tables"]), "own.csv"}


def test_tables_elsewhere_are_not_swept(folder: Path, tmp_path: Path) -> None:
    (folder / "tables").rename(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "old.parquet").write_bytes(b"x")
    (folder / "tables").symlink_to(tmp_path / "elsewhere")
    sweep_run(folder)
    assert (tmp_path / "elsewhere" / "old.parquet").exists()


def test_a_summary_is_a_copy_and_broken_limits_are_its_own() -> None:
    run = Run(Path("run"), {"summary": {"n": 1, "broken_limits": ["a", "b"]}, "tables": {}})
    run.summary["n"] = 2
    assert (run.summary["n"], run.broken_limits) == (1, ("a", "b"))
    assert run == Run(Path("run"), run.manifest, {"x": pl.DataFrame()})
    assert repr(run).count("_cache") == 0


def test_tables_are_written_small_and_the_same_everywhere(folder: Path) -> None:
    frame = load_run(folder).table("tasks")
    content = io.BytesIO()
    frame.write_parquet(content, compression="zstd", statistics=False)
    assert (folder / "tables" / "tasks.parquet").read_bytes() == content.getvalue()
