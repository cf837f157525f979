"""Files and sets of files that appear whole or not at all, wherever a writer fails, is interrupted or is killed."""

from __future__ import annotations

import os
import re
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from balance.base import files as module
from balance.base.errors import OutputError
from balance.base.files import SWITCH, place_of, read_current, scratch, settle, write_set, write_whole
from balance.base.limits import END_SIGNALS

OLD = [("a.csv", b"old a"), ("b.csv", b"old b")]
NEW = [("a.csv", b"new a"), ("b.csv", b"new b"), ("in/to/c.csv", b"new c")]
TIP = "what was there before still is; choose another place, free some space, or close the program that holds it"

posix = pytest.mark.skipif(os.name != "posix", reason="locks, signals and forks")


def half_moved(folder: Path) -> Path:
    """Return a folder as a kill leaves it after the new set counts and one of its files was moved."""
    (folder / SWITCH / "in" / "to").mkdir(parents=True)
    (folder / SWITCH / "b.csv").write_bytes(b"new b")
    (folder / SWITCH / "in" / "to" / "c.csv").write_bytes(b"new c")
    (folder / "a.csv").write_bytes(b"new a")
    (folder / "b.csv").write_bytes(b"old b")
    return folder


def held(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder, hidden ones too; an empty folder is told by a slash."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    empty = {f"{name}/": b"" for name, path in found.items() if path.is_dir() and not any(path.iterdir())}
    return {name: path.read_bytes() for name, path in found.items() if path.is_file()} | empty


class Machine:
    """The system as `balance.base.files` sees it: what it is asked is noted, and one step may be met by something."""

    STEPS = ("mkdir", "touch", "replace", "rename")
    CALLS = ("write", "fsync", "link")

    def __init__(self, patch: pytest.MonkeyPatch, at: int | None = None, then: Callable[[], object] = lambda: None):
        self.steps: list[str] = []
        self.at, self.then = at, then
        self.name, self.inside = os.name, False
        for step in self.STEPS:
            patch.setattr(Path, step, self._noted(step, getattr(Path, step)))
        for call in self.CALLS:
            setattr(self, call, self._noted(call, getattr(os, call)))
        patch.setattr(module, "os", self)

    def __getattr__(self, name: str) -> object:
        return getattr(os, name)

    def _noted(self, step: str, do: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*args: Any, **options: Any) -> Any:
            if self.inside:
                return do(*args, **options)
            first = str(Path(f"/proc/self/fd/{args[0]}").readlink() if isinstance(args[0], int) else args[0])
            where = [first, *(str(bytes(arg) if isinstance(arg, memoryview) else arg) for arg in args[1:])]
            plain = [re.sub(r"\.balance-[0-9a-f]{12}\.part", "STAGE", text) for text in where]
            plain = [re.sub(r"\.[0-9a-f]{12}\.part", ".PART", text) for text in plain]
            self.steps.append(f"{step} {' '.join(plain)}")
            if len(self.steps) - 1 == self.at:
                self.then()
            self.inside = True
            try:
                return do(*args, **options)
            finally:
                self.inside = False

        return noted


def full_disk() -> None:
    raise OSError(28, "No space left on device")


def test_a_half_moved_set_is_read_as_the_new_one(tmp_path: Path) -> None:
    folder = half_moved(tmp_path)
    assert [(name, read_current(folder, name, 10**6)) for name, _ in NEW] == NEW
    assert place_of(folder, "in/to/c.csv") == folder / SWITCH / "in" / "to" / "c.csv"
    assert place_of(folder, "a.csv") == folder / "a.csv"


def test_a_file_is_read_up_to_a_limit_wherever_it_lies(tmp_path: Path) -> None:
    folder = half_moved(tmp_path)
    for name in ("a.csv", "b.csv"):
        assert read_current(folder, name, 5) == f"new {name[0]}".encode()
        with pytest.raises(OSError, match="larger than 4 bytes"):
            read_current(folder, name, 4)
    with pytest.raises(FileNotFoundError):
        read_current(folder, "none", 10)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / SWITCH).touch()
    (tmp_path / "other" / "a.csv").write_bytes(b"a")
    assert read_current(tmp_path / "other", "a.csv", 1) == b"a"


def test_the_next_command_finishes_a_half_moved_set(tmp_path: Path) -> None:
    settle(half_moved(tmp_path))
    assert held(tmp_path) == dict(NEW)


def test_a_new_set_replaces_a_half_moved_one(tmp_path: Path) -> None:
    write_set(half_moved(tmp_path), OLD)
    assert held(tmp_path) == dict(OLD) | {"in/to/c.csv": b"new c"}


@posix
def test_what_another_process_is_at_work_on_is_left_to_it(tmp_path: Path) -> None:
    stages: list[bool] = []

    def files() -> Iterator[tuple[str, bytes]]:
        yield "a.csv", b"new"
        settle(tmp_path)
        stages.extend(path.is_dir() for path in tmp_path.glob(".balance-*.part"))

    write_set(tmp_path, files())
    assert stages == [True]


@posix
def test_a_switch_that_another_process_is_at_work_on_is_waited_for_and_left_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, waits = half_moved(tmp_path), list[float]()
    (folder / SWITCH / ".lock").touch()
    (folder / "in").mkdir()
    (folder / "in" / "c.csv").touch()
    before = held(folder)
    monkeypatch.setattr(time, "sleep", waits.append)
    with (folder / SWITCH / ".lock").open("rb+") as lock:
        assert module._lock(lock.fileno())
        settle(folder)
        assert held(folder) == before
        with pytest.raises(OutputError) as caught:
            write_set(folder, OLD)
        assert str(caught.value) == f"{folder}: cannot be written: directory not empty; {TIP}"
        assert held(folder) == before
    assert waits == [0.05] * 100
    waits.clear()
    write_set(folder, OLD)
    assert waits == []


@posix
def test_a_switch_that_ends_meanwhile_is_followed_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, waits = half_moved(tmp_path), list[float]()
    (folder / SWITCH / ".lock").touch()
    lock = (folder / SWITCH / ".lock").open("rb+")
    module._lock(lock.fileno())

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            lock.close()

    monkeypatch.setattr(time, "sleep", sleep)
    write_set(folder, OLD)
    assert (held(folder), len(waits)) == (dict(OLD) | {"in/to/c.csv": b"new c"}, 3)


def test_what_a_kill_left_is_removed_by_the_next_writer(tmp_path: Path) -> None:
    (tmp_path / ".a.csv.x.part").write_text("half")
    (tmp_path / ".b.csv.x.part").write_text("half of another")
    (tmp_path / ".a[b].csv.x.part").write_text("half of a third")
    (tmp_path / ".balance-x.part").mkdir()
    (tmp_path / ".balance-y.part").mkdir()
    (tmp_path / ".balance-y.part" / ".lock").touch()
    (tmp_path / ".balance-y.part" / "deep").mkdir()
    (tmp_path / ".balance-z.part").mkdir()
    (tmp_path / ".balance-z.part" / "mine").write_text("not ours: there is no lock")
    write_whole(tmp_path / "a.csv", b"whole")
    write_set(tmp_path, [("b.csv", b"b")])
    rest = {".b.csv.x.part", ".a[b].csv.x.part", ".balance-z.part"}
    assert {path.name for path in tmp_path.iterdir()} == {"a.csv", "b.csv"} | rest
    write_whole(tmp_path / "a[b].csv", b"whole")
    assert not (tmp_path / ".a[b].csv.x.part").exists()


@posix
def test_a_temporary_file_that_is_being_written_is_left_to_its_writer(tmp_path: Path) -> None:
    left = tmp_path / ".a.csv.x.part"
    with left.open("xb") as file:
        assert module._lock(file.fileno())
        write_whole(tmp_path / "a.csv", b"whole")
        assert left.exists()
    write_whole(tmp_path / "a.csv", b"whole")
    assert held(tmp_path) == {"a.csv": b"whole"}


def test_a_file_is_written_whole_into_a_new_folder_and_over_an_old_one(tmp_path: Path) -> None:
    path = tmp_path / "in" / "to" / "a.csv"
    write_whole(path, b"one")
    write_whole(path, b"")
    assert held(tmp_path) == {"in/to/a.csv": b""}
    write_whole(path, b"x" * 100_000)
    assert held(tmp_path) == {"in/to/a.csv": b"x" * 100_000}


@posix
def test_a_file_is_forced_to_the_disk_under_another_name_before_it_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        machine = Machine(patched)
        write_whole(tmp_path / "a.csv", b"new")
    assert machine.steps == [
        f"mkdir {tmp_path}",
        f"write {tmp_path}/.a.csv.PART b'new'",
        f"fsync {tmp_path}/.a.csv.PART",
        f"replace {tmp_path}/.a.csv.PART {tmp_path}/a.csv",
    ]


@posix
@pytest.mark.parametrize("step", range(4))
def test_a_file_that_cannot_be_written_is_as_it_was(step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_bytes(b"old")
    with monkeypatch.context() as patched, pytest.raises(OutputError) as caught:
        Machine(patched, step, full_disk)
        write_whole(tmp_path / "a.csv", b"new")
    assert str(caught.value) == f"{tmp_path}/a.csv: cannot be written: no space left on device; {TIP}"
    assert held(tmp_path) == {"a.csv": b"old"}


def test_a_reason_without_words_of_the_system_is_told_in_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError("The Drive Is Gone")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OutputError) as caught:
        write_whole(tmp_path / "a.csv", b"new")
    assert str(caught.value) == f"{tmp_path}/a.csv: cannot be written: the drive is gone; {TIP}"


@posix
def test_a_disk_that_takes_a_few_bytes_at_a_time_gets_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, bytes(data)[:3]))
    write_whole(tmp_path / "a.csv", b"0123456789")
    assert held(tmp_path) == {"a.csv": b"0123456789"}


def test_a_set_is_told_in_the_order_given_and_other_files_stay(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_bytes(b"mine")
    for _ in range(2):
        written = write_set(tmp_path, iter(NEW[::-1]))
        assert written == tuple(tmp_path / name for name, _ in NEW[::-1])
    assert held(tmp_path) == dict(NEW) | {"mine.txt": b"mine"}


def new_over_old(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name, content in OLD:
        (folder / name).write_bytes(content)


SET_STEPS = [
    "mkdir F",
    "mkdir F/STAGE",
    "touch F/STAGE/.lock",
    "mkdir F/STAGE",
    "write F/STAGE/a.csv b'new a'",
    "fsync F/STAGE/a.csv",
    "mkdir F/STAGE/.old",
    "link F/a.csv F/STAGE/.old/a.csv",
    "mkdir F/STAGE",
    "write F/STAGE/b.csv b'new b'",
    "fsync F/STAGE/b.csv",
    "mkdir F/STAGE/.old",
    "link F/b.csv F/STAGE/.old/b.csv",
    "mkdir F/STAGE/in/to",
    "write F/STAGE/in/to/c.csv b'new c'",
    "fsync F/STAGE/in/to/c.csv",
    "fsync F/STAGE",  # these two in any order
    "fsync F/STAGE/in/to",
    f"rename F/STAGE F/{SWITCH}",
    "fsync F",
    "mkdir F",
    f"replace F/{SWITCH}/a.csv F/a.csv",
    "mkdir F",
    f"replace F/{SWITCH}/b.csv F/b.csv",
    "mkdir F/in/to",
    f"replace F/{SWITCH}/in/to/c.csv F/in/to/c.csv",
    "fsync F",  # these two, too
    "fsync F/in/to",
]
"""What the system is asked for when the new set is written over the old one."""


def set_steps(folder: Path, patch: pytest.MonkeyPatch, at: int | None = None, then: Any = None) -> list[str]:
    """Write the new set over the old one, and return what the system was asked."""
    machine = Machine(patch, at, then)
    try:
        write_set(folder, NEW)
    finally:
        patch.undo()
    return [step.replace(str(folder), "F") for step in machine.steps]


@posix
def test_a_set_is_on_the_disk_before_it_counts_and_moved_before_the_switch_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_over_old(tmp_path / "f")
    steps = set_steps(tmp_path / "f", monkeypatch)
    for first in (16, 26):
        steps[first : first + 2] = sorted(steps[first : first + 2])
    assert steps == SET_STEPS
    assert held(tmp_path / "f") == dict(NEW)


def count_steps(folder: Path, patch: pytest.MonkeyPatch) -> list[str]:
    new_over_old(folder)
    return set_steps(folder, patch)


@posix
def test_wherever_the_disk_is_full_a_set_is_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = count_steps(tmp_path / "count", monkeypatch)
    assert len(steps) > 20
    for at, step in enumerate(steps):
        folder = tmp_path / str(at)
        new_over_old(folder)
        if step.startswith("link") or (step.startswith("fsync") and not step.endswith(".csv")):
            set_steps(folder, monkeypatch, at, full_disk)  # a copy does too, and a folder is forced where it can be
            assert held(folder) == dict(NEW), step
            continue
        with pytest.raises(OutputError) as caught:
            set_steps(folder, monkeypatch, at, full_disk)
        staged = re.fullmatch(r"(?:mkdir|write|fsync) F/STAGE(?:/.old)?/?(.*)", step)
        named = str(caught.value).removesuffix(f": cannot be written: no space left on device; {TIP}")
        if staged and staged[1].endswith(".csv"):
            assert named == f"{folder}/{staged[1]}", step
        assert named in {str(folder), *(f"{folder}/{name}" for name, _ in NEW)}, step
        if step.startswith(("replace", "rename", "touch")):
            assert named == str(folder), step
        left = {name: content for name, content in held(folder).items() if name not in {"in/", "in/to/"}}
        assert left == dict(OLD), step


@pytest.mark.slow("test_wherever_the_disk_is_full_a_set_is_as_it_was")
@posix
def test_wherever_a_writer_is_killed_the_set_is_the_old_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = count_steps(tmp_path / "count", monkeypatch)
    counts_from = next(place for place, step in enumerate(steps) if step.startswith("rename"))
    for at, step in enumerate(steps):
        folder = tmp_path / str(at)
        new_over_old(folder)
        if not (child := os.fork()):
            set_steps(folder, monkeypatch, at, lambda: os._exit(9))
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
        expected = NEW if at > counts_from else OLD
        assert [(name, read_current(folder, name, 100)) for name, _ in expected] == expected, step
        settle(folder)
        assert held(folder) == dict(expected), step


def test_a_new_folder_that_cannot_be_filled_is_not_left(tmp_path: Path) -> None:
    with pytest.raises(OutputError) as caught:
        write_set(tmp_path / "mine", [("a.csv", b""), ("x" * 300, b"")])
    assert str(caught.value) == f"{tmp_path}/mine/{'x' * 300}: cannot be written: file name too long; {TIP}"
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "old").mkdir()
    with pytest.raises(OutputError, match="file name too long"):
        write_set(tmp_path / "old", [("x" * 300, b"")])
    assert held(tmp_path) == {"old/": b""}


def test_a_file_in_the_place_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError) as caught:
        write_set(tmp_path / "file", NEW)
    assert str(caught.value) == f"{tmp_path}/file: cannot be written: file exists; {TIP}"
    assert held(tmp_path) == {"file": b"x"}


def test_where_files_cannot_be_linked_a_copy_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (OSError(1, "Operation not permitted"), NotImplementedError()):
        folder = tmp_path / type(error).__name__
        new_over_old(folder)

        def refuse(*_: object, error: BaseException = error) -> None:
            raise error

        with monkeypatch.context() as patched:
            copied, copy = list[str](), shutil.copy2

            def noted(a: Path, b: Path, copied: list[str] = copied, copy: Any = copy) -> None:
                copied.append(a.name)
                copy(a, b)

            patched.setattr(os, "link", refuse)
            patched.setattr(shutil, "copy2", noted)
            replace = Path.replace

            def fail_at_last(self: Path, target: Path, replace: Any = replace) -> Path:
                if self.name == "c.csv":
                    full_disk()
                return Path(replace(self, target))

            patched.setattr(Path, "replace", fail_at_last)
            with pytest.raises(OutputError, match="no space left"):
                write_set(folder, NEW)
        assert copied == ["a.csv", "b.csv"]
        assert {name: content for name, content in held(folder).items() if name != "in/to/"} == dict(OLD)


@posix
def test_an_interruption_in_a_switch_says_that_all_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    move = Path.replace

    def interrupted(self: Path, target: Path) -> Path:
        os.kill(os.getpid(), signal.SIGINT)
        return move(self, target)

    before = [signal.getsignal(kind) for kind in END_SIGNALS]
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt) as caught:
            write_set(tmp_path, NEW)
    assert str(caught.value) == f"all of {tmp_path} had been written"
    assert caught.value.__cause__ is None and caught.value.__suppress_context__
    assert held(tmp_path) == dict(NEW)
    assert [signal.getsignal(kind) for kind in END_SIGNALS] == before


@posix
def test_another_request_to_end_is_passed_on_after_the_switch_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    move, heard = Path.replace, list[tuple[int, bool]]()
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append((number, (tmp_path / SWITCH).exists())))

    def asked(self: Path, target: Path) -> Path:
        os.kill(os.getpid(), signal.SIGTERM)
        return move(self, target)

    monkeypatch.setattr(Path, "replace", asked)
    try:
        write_set(tmp_path, NEW)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert heard == [(signal.SIGTERM, False)]
    assert held(tmp_path) == dict(NEW)


@posix
def test_a_switch_that_fails_gives_the_signals_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = [signal.getsignal(kind) for kind in END_SIGNALS]
    monkeypatch.setattr(Path, "rename", lambda *_: full_disk())
    with pytest.raises(OutputError, match="no space left"):
        write_set(tmp_path, NEW)
    assert [signal.getsignal(kind) for kind in END_SIGNALS] == before


def test_a_set_can_be_written_from_any_thread(tmp_path: Path) -> None:
    thread = threading.Thread(target=write_set, args=(tmp_path, NEW))
    thread.start()
    thread.join()
    assert held(tmp_path) == dict(NEW)


def test_a_switch_that_is_a_link_moves_nobodys_files(tmp_path: Path) -> None:
    (mine := tmp_path / "mine").mkdir()
    (mine / "letter.txt").write_text("dear")
    (theirs := tmp_path / "theirs").mkdir()
    (theirs / SWITCH).symlink_to(mine)
    settle(theirs)
    assert [path.name for path in mine.iterdir()] == ["letter.txt"]


def test_a_switch_moves_nothing_through_a_link_out_of_the_folder(tmp_path: Path) -> None:
    (mine := tmp_path / "mine").mkdir()
    (theirs := tmp_path / "theirs").mkdir()
    (theirs / SWITCH / "out").mkdir(parents=True)
    (theirs / SWITCH / "out" / "a.csv").write_text("theirs")
    (theirs / SWITCH / "b.csv").write_text("theirs")
    (theirs / "out").symlink_to(mine)
    settle(theirs)
    assert held(mine) == {}
    assert held(theirs) == {"b.csv": b"theirs", f"{SWITCH}/out/a.csv": b"theirs", "out/": b""}


def test_a_folder_that_is_not_there_needs_no_settling(tmp_path: Path) -> None:
    settle(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


class Windows:
    """Another system: no locks, and the folder of an open file cannot be renamed."""

    name = "nt"

    def __getattr__(self, name: str) -> object:
        assert name != "O_RDWR", "a lock file is not opened there"
        return getattr(os, name)


def test_without_locks_what_is_an_hour_old_is_taken_to_be_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, age in (("young", 3599.0), ("old", 3601.0)):
        (tmp_path / f".balance-{name}.part").mkdir()
        (tmp_path / f".balance-{name}.part" / ".lock").touch()
        os.utime(tmp_path / f".balance-{name}.part", (10_000 - age, 10_000 - age))
    monkeypatch.setattr(module, "os", Windows())
    monkeypatch.setattr(time, "time", lambda: 10_000.0)
    settle(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".balance-young.part"]
    write_set(tmp_path, NEW)
    assert {name for name in held(tmp_path) if not name.startswith(".")} == dict(NEW).keys()


def test_a_file_system_without_locks_is_hoped_to_have_one_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    def refuse(*_: object) -> None:
        raise OSError(38, "Function not implemented")

    (tmp_path / ".balance-x.part").mkdir()
    (tmp_path / ".balance-x.part" / ".lock").touch()
    monkeypatch.setattr(fcntl, "flock", refuse)
    write_set(half_moved(tmp_path), OLD)
    assert held(tmp_path) == dict(OLD) | {"in/to/c.csv": b"new c", ".balance-x.part/.lock": b""}
    os.utime(tmp_path / ".balance-x.part", (0, 0))
    settle(tmp_path)
    assert held(tmp_path) == dict(OLD) | {"in/to/c.csv": b"new c"}


def test_room_for_temporary_files_is_asked_for_where_they_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    tip = "free some space there, or let TMPDIR name another folder"
    monkeypatch.setenv("TMPDIR", "/elsewhere")
    with pytest.raises(OutputError) as caught, scratch():
        full_disk()
    assert str(caught.value) == f"/elsewhere: temporary files cannot be written: no space left on device; {tip}"
    monkeypatch.delenv("TMPDIR")
    with pytest.raises(OutputError) as caught, scratch():
        full_disk()
    assert str(caught.value) == f"/tmp: temporary files cannot be written: no space left on device; {tip}"
    with pytest.raises(KeyError), scratch():
        raise KeyError


def test_of_several_signals_during_a_switch_the_first_is_passed_on_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed = list[int]()
    first, last = END_SIGNALS[0], END_SIGNALS[-1]
    assert first != last
    with module._signals_held_back(tmp_path):
        for kind in (last, first, last, first):
            signal.raise_signal(kind)
        assert passed == []
        monkeypatch.setattr(signal, "raise_signal", passed.append)
    assert passed == [last]
