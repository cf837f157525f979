"""A record is the same twice, and a byte that changes is found and named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.record.__main__ import main
from tests.record.cases import cases

TWO = ("dice/simple", "schema/need")


@pytest.fixture
def records(tmp_path: Path) -> tuple[Path, Path]:
    """Two records of the same two cases."""
    old, new = tmp_path / "old", tmp_path / "new"
    assert [main([str(folder), *TWO]) for folder in (old, new)] == [0, 0]
    return old, new


def test_the_same_code_says_the_same_and_a_changed_byte_is_found(
    records: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--diff", *map(str, records)]
    capsys.readouterr()
    assert main(words) == 0
    assert capsys.readouterr().out == "2 cases, no difference\n"
    kept = records[1] / "dice" / "simple.txt"
    text = kept.read_text("utf-8")
    assert all(part in text for part in ("$ balance dice", "--json", "--brief", "table ", "<table ", "[0]"))
    kept.write_text(text.replace("[0]", "[1]"), "utf-8")
    (records[0] / "schema" / "need.txt").unlink()
    assert main(words) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"only in {records[1]}: schema/need"
    assert [line for line in told[3:-1] if line.startswith(("-", "+"))] == ["-[0]", "+[1]"]
    assert told[-1].startswith("1 of 1 cases differ; ")


def test_a_whole_record_wants_a_folder_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "of_today.txt").touch()
    with pytest.raises(SystemExit, match="holds a record"):
        main([str(tmp_path)])


def test_every_case_has_a_name_of_its_own_and_what_is_typed() -> None:
    every = cases()
    assert len({case.name for case in every}) == len(every)
    assert all(line.strip() == line and line for case in every for line in case.lines)
