"""Sets of files that are switched from the old to the new all at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from balance.errors import OutputError
from balance.files import SWITCH, place_of, read_current, settle, write_set, write_whole

OLD = [("a.csv", b"old a"), ("b.csv", b"old b")]
NEW = [("a.csv", b"new a"), ("b.csv", b"new b"), ("in/to/c.csv", b"new c")]


def half_moved(folder: Path) -> Path:
    """Return a folder as a kill leaves it after the new set counts and one of its files was moved."""
    (folder / SWITCH / "in" / "to").mkdir(parents=True)
    (folder / SWITCH / "b.csv").write_bytes(b"new b")
    (folder / SWITCH / "in" / "to" / "c.csv").write_bytes(b"new c")
    (folder / "a.csv").write_bytes(b"new a")
    (folder / "b.csv").write_bytes(b"old b")
    return folder


def test_a_half_moved_set_is_read_as_the_new_one(tmp_path: Path) -> None:
    folder = half_moved(tmp_path)
    assert [(name, read_current(folder, name, 10**6)) for name, _ in NEW] == NEW
    assert place_of(folder, "in/to/c.csv").exists()


def test_the_next_command_finishes_a_half_moved_set(tmp_path: Path) -> None:
    settle(half_moved(tmp_path))
    assert [(name, (tmp_path / name).read_bytes()) for name, _ in NEW] == NEW
    assert not (tmp_path / SWITCH).exists()


def test_a_new_set_replaces_a_half_moved_one(tmp_path: Path) -> None:
    write_set(half_moved(tmp_path), OLD)
    assert [(name, (tmp_path / name).read_bytes()) for name, _ in OLD] == OLD
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "b.csv", "in"]


@pytest.mark.skipif(os.name != "posix", reason="locks")
def test_what_another_process_is_at_work_on_is_left_to_it(tmp_path: Path) -> None:
    stages: list[bool] = []

    def files() -> Iterator[tuple[str, bytes]]:
        yield "a.csv", b"new"
        settle(tmp_path)
        stages.extend(path.is_dir() for path in tmp_path.glob(".balance-*.part"))

    write_set(tmp_path, files())
    assert stages == [True]


def test_what_a_kill_left_is_removed_by_the_next_writer(tmp_path: Path) -> None:
    (tmp_path / ".a.csv.x.part").write_text("half")
    (tmp_path / ".balance-x.part").mkdir()
    (tmp_path / ".balance-y.part").mkdir()
    (tmp_path / ".balance-y.part" / ".lock").touch()
    write_whole(tmp_path / "a.csv", b"whole")
    write_set(tmp_path, [("b.csv", b"b")])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "b.csv"]


def test_a_new_folder_that_cannot_be_filled_is_not_left(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written"):
        write_set(tmp_path / "mine", [("a.csv", b""), ("x" * 300, b"")])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interruption_in_a_switch_says_that_all_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    move = Path.replace

    def interrupted(self: Path, target: Path) -> Path:
        os.kill(os.getpid(), signal.SIGINT)
        return move(self, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt, match="had been written"):
        write_set(tmp_path, NEW)
    assert [(name, (tmp_path / name).read_bytes()) for name, _ in NEW] == NEW


def test_a_switch_that_is_a_link_moves_nobodys_files(tmp_path: Path) -> None:
    (mine := tmp_path / "mine").mkdir()
    (mine / "letter.txt").write_text("dear")
    (theirs := tmp_path / "theirs").mkdir()
    (theirs / SWITCH).symlink_to(mine)
    settle(theirs)
    assert [path.name for path in mine.iterdir()] == ["letter.txt"]


def test_moves_are_forced_to_the_disk_in_every_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = list[tuple[Path, bool]]()
    monkeypatch.setattr(
        "balance.files._sync_folder", lambda place: synced.append((place, (tmp_path / SWITCH).exists()))
    )
    write_set(tmp_path, [("a.csv", b"new"), ("sub/b.csv", b"new")])
    assert {(tmp_path, True), (tmp_path / "sub", True)} <= set(synced)
