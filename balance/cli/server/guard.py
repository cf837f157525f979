"""A sandbox for the server's worker: it reads allowed files only, writes nothing, and starts and connects to nothing.

An audit hook of Python sees every file that is opened, listed or changed, every process and every connection, before it
happens; what is not allowed is refused there, whatever code asks, by whatever path.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import balance
from balance.base.foreign import real_path
from balance.base.paths import data_folder
from balance.catalogue import forget_catalogues

SYSTEM = ("/dev/null", "/dev/urandom", "/etc/localtime", "/proc", "/sys/devices/system/cpu", "/usr/share/zoneinfo")
"""What libraries read of a system: chance, the time zone, and how many processors and how much memory there are."""
CHANGES = (
    *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.chmod", "os.chown", "os.truncate"),
    *("os.utime", "os.setxattr", "os.removexattr", "os.mkfifo", "shutil.", "tempfile."),
)
"""How events begin that change files."""
STARTS = (
    *("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.startfile", "pty.spawn"),
    *("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "socket.gethostby", "urllib.", "ftplib."),
)
"""How events begin that start a process or call somebody."""
NO_CHANGE = "a server for assistants writes nothing"
NO_START = "this takes other processes or a connection, and a server for assistants has none; ask the command instead"
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class RefusalError(PermissionError):
    """An operation that the worker may not do; a PermissionError, which libraries expect from a system."""


def allowed_roots(folders: Sequence[Path]) -> tuple[str, ...]:
    """Return the paths below which files may be read: Python and its packages, this package, its data, the folders."""
    python = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    here = Path(balance.__file__).parent
    roots = [*map(Path, python), here, data_folder(), *folders]
    return tuple(dict.fromkeys([*(str(real_path(root)) for root in roots), *SYSTEM]))


def is_below(path: str, roots: Sequence[str]) -> bool:
    """Return whether a path, with links resolved, is one of some roots or lies below one.

    >>> is_below("/srv/cards/units.csv", ["/srv/cards"]), is_below("/srv/cards2", ["/srv/cards"])
    (True, False)
    """
    real = os.path.realpath(path)
    return any(real == root or real.startswith(root.rstrip(os.sep) + os.sep) for root in roots)


def guard(folders: Sequence[Path]) -> None:
    """Restrict this process for good to reading the folders and what `allowed_roots` adds to them."""
    roots = allowed_roots(folders)
    forget_catalogues()  # some were read to learn what there is to ask, through links that lead elsewhere

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            _check_open(arguments, roots)
        elif event in ("os.listdir", "os.scandir"):
            _check_read(arguments[0], roots)
        elif event.startswith(CHANGES):
            raise RefusalError(NO_CHANGE)
        elif event.startswith(STARTS):
            raise RefusalError(NO_START)

    sys.addaudithook(look)


def _check_open(arguments: tuple[Any, ...], roots: Sequence[str]) -> None:
    path, mode, flags = arguments
    writes = bool(flags & WRITING) if isinstance(flags, int) else any(sign in (mode or "r") for sign in "wax+")
    if writes and not isinstance(path, int) and path != os.devnull:
        raise RefusalError(NO_CHANGE)
    _check_read(path, roots)


def _check_read(path: Any, roots: Sequence[str]) -> None:
    if path is None or isinstance(path, int):  # the folder it stands in, and what is open already
        return
    if not is_below(os.fsdecode(path), roots):
        raise RefusalError("lies outside the folders that this server was started with")
