"""An import over a folder that was edited by hand: which files are kept, where, and which are not worth it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from datetime import datetime
from pathlib import Path

import pytest

from balance.base.errors import OutputError
from balance.catalogue import Catalogue, load_catalogue, replace_folder
from balance.catalogue import folder_replacement as module

from .toy import FILES, RULES, SPEC, UNITS, Unit, write

NOW = datetime(2026, 11, 22, 9, 5, 7)
PLACE = "edited_2026-11-22_090507"
NEW_UNITS = UNITS.replace("long_rider,Long Rider,horse,12", "long_rider,Long Rider,horse,14")


@pytest.fixture
def new(tmp_path: Path) -> Catalogue:
    """Return the toy with a rider that goes 14."""
    return load_catalogue(SPEC, write(tmp_path / "new", units=NEW_UNITS))


def replaced(new: Catalogue, folder: Path, exported: str = "") -> tuple[list[str], dict[str, str]]:
    """Replace a folder; return the names of what was written, and the copies of what was kept."""
    written, kept = replace_folder(new, folder, exported, NOW)
    assert {path.name: path.read_text("utf-8") for path in written} == FILES | {"units.csv": NEW_UNITS}
    return [path.relative_to(folder).as_posix() for path in written], {
        path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in kept
    }


def test_a_new_folder_holds_the_files_and_a_record_of_their_checksums(new: Catalogue, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert replaced(new, folder) == (list(FILES), {})
    sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FILES}
    record = (folder / ".last_import").read_text("utf-8")
    assert json.loads(record) == sums
    assert record == json.dumps(sums, indent=1)
    assert sorted(path.name for path in folder.iterdir()) == sorted([*FILES, ".last_import"])


def test_files_that_nobody_says_he_wrote_are_kept(new: Catalogue, tmp_path: Path) -> None:
    folder = write(tmp_path / "out", rules=RULES + "\n# mine\n")
    assert replaced(new, folder) == (
        list(FILES),
        {f"{PLACE}/units.csv": UNITS, f"{PLACE}/rules.toml": RULES + "\n# mine\n"},
    )


def test_what_the_last_import_wrote_is_not_kept_but_what_was_edited_since_is(new: Catalogue, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    replace_folder(load_catalogue(SPEC, write(tmp_path / "old")), folder, "", NOW)
    assert replaced(new, folder) == (list(FILES), {})
    edited = NEW_UNITS.replace("foot,3", "foot,4")
    (folder / "units.csv").write_text(edited, "utf-8")
    assert replaced(new, folder) == (list(FILES), {f"{PLACE}/units.csv": edited})


def test_a_folder_that_still_holds_what_was_exported_loses_nothing(new: Catalogue, tmp_path: Path) -> None:
    folder = write(tmp_path / "out")
    exported = load_catalogue(SPEC, folder).sha256
    assert replaced(new, folder, exported) == (list(FILES), {})


@pytest.mark.parametrize(
    "changed", [{"units": UNITS.replace("foot,3", "foot,4")}, {"rules": RULES + "# mine\n"}, {"units": "broken"}]
)
def test_a_folder_changed_since_the_export_is_kept(new: Catalogue, tmp_path: Path, changed: dict[str, str]) -> None:
    exported = load_catalogue(SPEC, write(tmp_path / "old")).sha256
    folder = write(tmp_path / "out", **changed)
    before = {name: (folder / name).read_text("utf-8") for name in FILES}
    differing = [name for name in FILES if before[name] != (FILES | {"units.csv": NEW_UNITS})[name]]
    assert replaced(new, folder, exported)[1] == {f"{PLACE}/{name}": before[name] for name in differing}


@pytest.mark.parametrize("record", ["", "[]", "3", "{", "[" * 10_000, "{}"])
def test_a_record_that_says_nothing_is_none(new: Catalogue, tmp_path: Path, record: str) -> None:
    folder = write(tmp_path / "out")
    (folder / ".last_import").write_text(record)
    assert replaced(new, folder)[1] == {f"{PLACE}/units.csv": UNITS}


def test_a_record_that_cannot_be_read_is_none(new: Catalogue, tmp_path: Path) -> None:
    folder = write(tmp_path / "out")
    (folder / ".last_import").mkdir()
    with pytest.raises(OutputError) as caught:
        replaced(new, folder)
    assert "cannot be written: is a directory" in str(caught.value)
    assert module._last_import(folder) == {}
    assert (folder / "units.csv").read_text("utf-8") == UNITS


def test_a_file_that_cannot_be_kept_stops_the_import(new: Catalogue, tmp_path: Path) -> None:
    folder = write(tmp_path / "out")
    (folder / "units.csv").unlink()
    (folder / "units.csv").mkdir()
    with pytest.raises(OutputError) as caught:
        replaced(new, folder)
    place = f"{folder}/units.csv"
    assert str(caught.value) == f"{place}: cannot be kept: is a directory; nothing was changed; move it away first"
    (tmp_path / "large").mkdir()
    with (tmp_path / "large" / "units.csv").open("wb") as file:
        file.truncate(2**25 + 1)
    with pytest.raises(OutputError) as caught:
        replaced(new, tmp_path / "large")
    assert "units.csv: cannot be kept: it is larger than 32 MB; " in str(caught.value)


def test_a_folder_in_the_way_of_which_nothing_is_read_is_told_on_writing(new: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError) as caught:
        replace_folder(new, tmp_path / "file")
    assert str(caught.value).startswith(f"{tmp_path}/file: cannot be written: file exists; ")


def test_copies_are_named_by_the_hour_of_the_import(new: Catalogue, tmp_path: Path) -> None:
    _, (kept,) = replace_folder(new, write(tmp_path / "out"))
    named = re.fullmatch(r"edited_(\d{4}-\d\d-\d\d_\d{6})", kept.parent.name)
    assert named and abs((datetime.now() - datetime.strptime(named[1], "%Y-%m-%d_%H%M%S")).total_seconds()) < 60


def test_the_new_rider_goes_fourteen(new: Catalogue) -> None:
    assert new.entries(Unit)["long_rider"].move == 14
    assert dataclasses.replace(new) == new
