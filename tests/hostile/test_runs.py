"""A run folder that somebody else wrote, or damaged, is refused by name or reported; it never leads elsewhere."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from balance.base.errors import BalanceError, StudyError
from balance.base.foreign import is_file_name
from balance.cli.main import main
from balance.study.frames.report_settings import Sweep
from balance.study.run.export import export_tables
from balance.study.run.folder import load_run, sweep_run

RUN = Path(__file__).parents[2] / "reports" / "edadh"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return a copy of a finished run."""
    folder = tmp_path / "run"
    (folder / "tables").mkdir(parents=True)
    for path in ("manifest.json", *(f"tables/{table.name}" for table in (RUN / "tables").glob("*.parquet"))):
        shutil.copy(RUN / path, folder / path)
    return folder


def change(run: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    manifest = json.loads((run / "manifest.json").read_text())
    edit(manifest)
    (run / "manifest.json").write_text(json.dumps(manifest))


def put_table(run: Path, name: str, content: bytes) -> None:
    """Put a table into a run, checksum and all."""
    (run / "tables" / f"{name}.parquet").write_bytes(content)
    change(run, lambda manifest: manifest["tables"].update({name: hashlib.sha256(content).hexdigest()}))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("schema", 2), ("title", ["no", "text"]), ("seed", -1), ("summary", []),
        ("summary", {"n_entrants": "six", "provenance": {}, "broken_limits": []}),
        ("summary", {"n_entrants": 6, "provenance": {"stated": -1}, "broken_limits": []}),
        ("summary", {"n_entrants": 6, "provenance": {}, "broken_limits": "none"}),
        ("report_settings", {"words": 3}), ("study", {"game": 7}), ("tables", []), ("rules", None),
    ],
)  # fmt: skip
def test_a_foreign_manifest_is_refused_by_field(
    run: Path, field: str, value: object, capsys: pytest.CaptureFixture[str]
) -> None:
    change(run, lambda manifest: manifest.update({field: value}))
    assert main(["report", str(run), "--out", str(run / "out"), "--quiet"]) == 2
    told = capsys.readouterr().err
    assert "manifest.json" in told
    assert field in told
    assert not (run / "out").exists()


@pytest.mark.parametrize("text", ["", "[" * 100_000, '{"schema": 1' + "0" * 5000 + "}", '{"schema": NaN}', "[]", '"x"'])
def test_a_manifest_that_is_no_json_is_refused(run: Path, text: str) -> None:
    (run / "manifest.json").write_text(text)
    with pytest.raises(StudyError, match=r"manifest\.json"):
        load_run(run)


@pytest.mark.parametrize(
    "name", ["../../evil", "/tmp/evil", "a/b", "a\\b", "..", "", "CON", "nul.csv", ".hidden", "a:b"]
)
def test_a_table_never_becomes_a_file_elsewhere(run: Path, name: str) -> None:
    change(run, lambda manifest: manifest["tables"].update({name: "0" * 64}))
    with pytest.raises(StudyError, match="no plain name of a file"):
        export_tables(load_run(run), "csv", run / "csv")
    assert not is_file_name(name)


def test_a_sweep_is_named_plainly() -> None:
    with pytest.raises(ValueError, match="no plain name"):
        Sweep(id="../evil", title="t", path="a.b", values=[1], value_title="v", target="x")


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_a_link_out_of_the_folder_is_not_followed(run: Path, tmp_path: Path) -> None:
    table = run / "tables" / "entrants.parquet"
    table.rename(tmp_path / "elsewhere.parquet")
    table.symlink_to(tmp_path / "elsewhere.parquet")
    with pytest.raises(StudyError, match="leads out of the folder"):
        load_run(run).table("entrants")


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_tables_are_not_written_through_a_link_of_the_folder(run: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (run / "csv").symlink_to(tmp_path / "home")
    assert main(["tables", str(run)]) == 2
    assert list((tmp_path / "home").iterdir()) == []
    assert main(["tables", str(run), "entrants", "--out", str(tmp_path / "home")]) == 0


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_a_switch_that_was_left_is_not_finished_through_a_link(run: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (run / ".balance-switch" / "keys").mkdir(parents=True)
    (run / ".balance-switch" / "keys" / "evil").write_text("evil")
    (run / "keys").symlink_to(tmp_path / "home")
    load_run(run)
    assert list((tmp_path / "home").iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_old_tables_are_not_swept_through_a_link(run: Path, tmp_path: Path) -> None:
    (run / "tables").rename(tmp_path / "elsewhere")
    (run / "tables").symlink_to(tmp_path / "elsewhere")
    change(run, lambda manifest: manifest["tables"].clear())
    sweep_run(run)
    assert (tmp_path / "elsewhere" / "entrants.parquet").exists()


@pytest.mark.parametrize("command", ["rm -rf ~", "balance run x; rm -rf ~", "balance run $(rm x)", "'", "\x1b[31m"])
def test_a_foreign_folder_does_not_say_which_command_to_run(
    run: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (run / "manifest.json").unlink()
    (run / "unfinished.txt").write_text(command)
    assert main(["report", str(run)]) == 2
    assert "it has no manifest.json" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + b"\xff" * 50 + b"PAR1", b"a,b\n1,2\n"])
def test_a_table_that_is_no_parquet_is_refused(run: Path, content: bytes) -> None:
    put_table(run, "entrants", content)
    with pytest.raises(StudyError, match=r"entrants\.parquet: is not a table"):
        load_run(run).table("entrants")


def test_a_table_that_swells_up_is_refused(run: Path) -> None:
    bomb = run / "bomb.parquet"
    pl.DataFrame({"x": pl.repeat(0, 5_000_000, eager=True)}).write_parquet(bomb, compression="zstd")
    put_table(run, "entrants", bomb.read_bytes())
    with pytest.raises(StudyError, match="5,000,000 rows in"):
        load_run(run).table("entrants")


@pytest.mark.parametrize("frame", [pl.DataFrame({"x": [1]}), pl.DataFrame({"entrant": [1], "label": [[2]]})])
def test_a_table_of_something_else_is_an_error_of_the_run(
    run: Path, frame: pl.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    frame.write_parquet(run / "other.parquet")
    put_table(run, "entrants", (run / "other.parquet").read_bytes())
    assert main(["report", str(run), "--out", str(run / "out"), "--quiet"]) == 2
    assert "its tables do not hold what this version reports" in capsys.readouterr().err


def test_a_manifest_that_sums_up_nothing_of_its_tables_is_refused(run: Path) -> None:
    change(run, lambda manifest: manifest["tables"].update(prices="0" * 64))
    with pytest.raises(StudyError, match=r"the summary lacks n_duels, .*dominated"):
        load_run(run)


def test_the_untouched_run_is_read(run: Path) -> None:
    assert load_run(run).table("entrants").height == load_run(RUN).table("entrants").height
    with pytest.raises(BalanceError, match="no such table"):
        load_run(run).table("nothing")
