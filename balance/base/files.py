"""Files that appear whole or not at all, alone or as a set that belongs together.

A file is first written beside its place under a temporary name, forced to the disk and then renamed over it, so a
kill, a full disk or an interruption leaves what was there before.

A set is written to a hidden folder first. One rename of that folder to `.balance-switch` is the moment from which the
new set counts; then its files are moved to their places one by one. Who reads looks there first (`read_current`), so
every reader sees the old set or the new one, and the next command finishes the moves after a kill (`settle`). A move
that fails takes all of it back.

What is being written is locked, so that what a killed process left is told from what another one is at work on.
"""

from __future__ import annotations

import contextlib
import glob
import os
import secrets
import shutil
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from balance.base.errors import Fault, OutputError
from balance.base.foreign import lies_in, read_at_most
from balance.base.limits import END_SIGNALS

SWITCH = ".balance-switch"
_STAGE, _PART = ".balance-", ".part"
_LOCK, _OLD = ".lock", ".old"
_WAIT, _LOOKS = 0.05, 100
"""Seconds between looks at a switch that another process is at work on, and how many."""

_FRESH = 3600.0
"""Seconds in which a temporary folder may be at work, where locks cannot tell."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; `OutputError` if there is no permission, no space or no such folder."""
    temporary = path.with_name(f".{path.name}.{_unique()}{_PART}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for leftover in path.parent.glob(f"[.]{glob.escape(path.name)}.*{_PART}"):
            _remove_if_left(leftover, leftover)
        with temporary.open("xb") as file:
            _lock(file.fileno())
            _fill(file.fileno(), content)
        temporary.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def write_set(folder: Path, files: Iterable[tuple[str, bytes]]) -> tuple[Path, ...]:
    """Write files that belong together, all of them or none; return their paths in the order given.

    `files` has (name below the folder, content), taken one at a time so that they need not be in memory together; the
    folder is made if need be, and its other files are left alone. `OutputError` means that none was written; the text
    of a `KeyboardInterrupt` says so if everything was written before it.
    """
    at, new = folder, not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        settle(folder)
        with _stage(folder) as stage:
            names = []
            for name, content in files:
                names.append(name)
                at = folder / name
                _stage_file(stage, folder, name, content)
            at = folder
            with _signals_held_back(folder):
                _switch(stage, folder, names)
    except OSError as error:
        raise _unwritable(at, error) from error
    finally:
        if new:
            with contextlib.suppress(OSError):
                folder.rmdir()  # which only takes an empty one
    return tuple(folder / name for name in names)


def place_of(folder: Path, name: str) -> Path:
    """Return where a file of a set lies now: in its place, or still in the switch that a kill left half done."""
    waiting_file = folder / SWITCH / name
    return waiting_file if waiting_file.exists() else folder / name


def stamp_of(folder: Path, name: str) -> tuple[int, int, int] | None:
    """Return what changes when a file of a set is written anew, and not when it is moved; None where there is none."""
    try:
        status = place_of(folder, name).stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def read_current(folder: Path, name: str, max_bytes: int) -> bytes:
    """Return the bytes of a file of a set, as of the last set written whole.

    `OSError` if it cannot be read or holds more than `max_bytes`; see `balance.base.foreign.read_at_most`.
    """
    try:
        return read_at_most(folder / SWITCH / name, max_bytes)
    except (FileNotFoundError, NotADirectoryError):
        return read_at_most(folder / name, max_bytes)


def settle(folder: Path) -> None:
    """Finish the moves of writers that were killed, or remove what they left; a read-only folder stays as it is."""
    with contextlib.suppress(OSError):
        for leftover in folder.glob(f"{_STAGE}*{_PART}"):
            _remove_if_left(leftover / _LOCK, leftover)
        switch = folder / SWITCH
        if switch.is_dir() and not switch.is_symlink():  # a link would make us move somebody's files
            with _locking(switch / _LOCK) as is_ours:
                if is_ours is not False:
                    files = [path.relative_to(switch) for path in switch.rglob("*") if path.is_file()]
                    ours_alone = [path for path in files if lies_in((folder / path).parent, folder)]
                    names = [path.as_posix() for path in ours_alone if path.parts[0] not in (_LOCK, _OLD)]
                    _move(names, switch, folder)
                    _remove(switch)


@contextmanager
def scratch() -> Iterator[None]:
    """Turn an `OSError` in the block, such as a full disk or no permission, into an `OutputError`."""
    try:
        yield
    except OSError as error:
        tip = "free some space there, or let TMPDIR name another folder"
        fault = Fault(f"temporary files cannot be written: {_reason(error)}", os.environ.get("TMPDIR", "/tmp"), tip=tip)
        raise OutputError(fault) from error


# -- the steps of a switch ---------------------------------------------------------------------------------------------


@contextmanager
def _stage(folder: Path) -> Iterator[Path]:
    """Make a hidden folder that is locked as long as it is needed, and removed after that."""
    stage = folder / f"{_STAGE}{_unique()}{_PART}"
    try:
        stage.mkdir()
        (stage / _LOCK).touch()
        with _locking(stage / _LOCK):
            yield stage
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _stage_file(stage: Path, folder: Path, name: str, content: bytes) -> None:
    """Write a new file, and keep the one that it will replace beside it."""
    path, old = stage / name, stage / _OLD / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        _fill(file.fileno(), content)
    if (folder / name).exists():
        old.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(folder / name, old)
        except (OSError, NotImplementedError):
            shutil.copy2(folder / name, old)


def _switch(stage: Path, folder: Path, names: Sequence[str]) -> None:
    """Make a staged set count by one rename, and move its files to their places; on a failure take it back."""
    switch = folder / SWITCH
    for place in {stage, *((stage / name).parent for name in names)}:
        _sync_folder(place)
    for _ in range(_LOOKS):
        settle(folder)
        if not switch.exists():
            break
        time.sleep(_WAIT)
    stage.rename(switch)
    _sync_folder(folder)
    try:
        _move(names, switch, folder)
    except OSError:
        _take_back(names, switch, folder)
        switch.rename(stage)
        raise
    _remove(switch)


def _move(names: Sequence[str], switch: Path, folder: Path) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (switch / name).replace(folder / name)
    for place in {folder, *((folder / name).parent for name in names)}:
        _sync_folder(place)  # before the switch goes, for it tells where the files are


def _take_back(names: Iterable[str], switch: Path, folder: Path) -> None:
    """Put the old files in place again while the new ones still count; the caller then ends the switch."""
    for name in names:
        if not (switch / name).exists():
            (folder / name).replace(switch / name)
            if (switch / _OLD / name).exists():
                (switch / _OLD / name).replace(folder / name)


def _remove(switch: Path) -> None:
    """Remove a switch whose files have all been moved; a new one that took its name meanwhile is not empty."""
    with contextlib.suppress(OSError):
        shutil.rmtree(switch / _OLD, ignore_errors=True)
        for inner in sorted(switch.rglob("*"), reverse=True):
            if inner.is_dir():
                inner.rmdir()
        (switch / _LOCK).unlink(missing_ok=True)
        switch.rmdir()


@contextmanager
def _signals_held_back(folder: Path) -> Iterator[None]:
    """Hold back Ctrl-C and its like for the moment that a switch takes, and pass them on after it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    signals: list[int] = []
    before = {kind: signal.signal(kind, lambda number, _: signals.append(number)) for kind in END_SIGNALS}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)
    if signals:
        try:
            signal.raise_signal(signals[0])
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"all of {folder} had been written") from None


# -- small parts -----------------------------------------------------------------------------------------------------


def _fill(descriptor: int, content: bytes) -> None:
    """Write all bytes to a file and force them to the disk."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.fsync(descriptor)


def _sync_folder(folder: Path) -> None:
    """Force the names in a folder to the disk, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _lock(descriptor: int) -> bool | None:
    """Lock an open file until it is closed; return False if another process holds it, None where nobody can tell."""
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return None  # no locks here, as on the disks of some clusters
    return True


@contextmanager
def _locking(path: Path) -> Iterator[bool | None]:
    """Hold a lock file, if there is one; yield whether nobody else does, None where nobody can tell."""
    if os.name == "nt" or not path.exists():
        yield None if os.name == "nt" else True  # Windows cannot rename the folder of an open file
        return
    descriptor = os.open(path, os.O_RDWR)
    try:
        yield _lock(descriptor)
    finally:
        os.close(descriptor)


def _remove_if_left(lock: Path, leftover: Path) -> None:
    """Remove a temporary file or folder unless another process holds its lock."""
    with contextlib.suppress(OSError), _locking(lock) as is_ours:
        if is_ours is False or (is_ours is None and time.time() - leftover.stat().st_mtime < _FRESH):
            return
        if not leftover.is_dir():
            leftover.unlink()
        elif lock.exists():
            shutil.rmtree(leftover)
        else:
            leftover.rmdir()  # if it is empty


def _unwritable(path: Path, error: OSError) -> OutputError:
    tip = "what was there before still is; choose another place, free some space, or close the program that holds it"
    return OutputError(Fault(f"cannot be written: {_reason(error)}", path=str(path), tip=tip))


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _unique() -> str:
    """Return letters that no other writer uses; chosen before a file is made, so that it is always known by name."""
    return secrets.token_hex(6)
