"""Files that others wrote: how much of one is read, and what one may be called.

A name in a file must never lead elsewhere: no folder, no device, no hidden file, on any system.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path

_PLAIN = re.compile(r"\w[\w.+-]*(?<!\.)")
_DEVICES = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9¹²³])(\..*)?", re.IGNORECASE)
_LONGEST = 120
_HANDED_OVER = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")


def is_file_name(name: str) -> bool:
    r"""Return whether a name is that of an ordinary file on every system: no path, no hidden file, no device.

    >>> [is_file_name(name) for name in ("duels", "../duels", "a\\b", "con.csv", ".ssh", "")]
    [True, False, False, False, False, False]
    """
    return len(name.encode(errors="replace")) <= _LONGEST and bool(
        _PLAIN.fullmatch(name) and not _DEVICES.fullmatch(name)
    )


PIECE = 2**20
"""Bytes read at once: Python takes room for all that is asked for, however little there is."""


def lies_in(path: Path, folder: Path) -> bool:
    """Return whether a path stays inside a folder once symbolic links and ".." are resolved.

    >>> lies_in(Path("runs/a/../../b"), Path("runs"))
    False
    """
    return real_path(path).is_relative_to(real_path(folder))


def real_path(path: Path) -> Path:
    """Return a path with its links followed; where they lead in a circle, which nothing can open, as far as it goes.

    >>> real_path(Path("/tmp/../tmp/./a")).name
    'a'
    """
    return Path(os.path.realpath(path))


def read_at_most(path: Path, max_bytes: int) -> bytes:
    """Return the bytes of a file that anybody may have written, or a pipe from the shell.

    `OSError` if it cannot be read, holds more than `max_bytes`, or is any other device, which could keep us waiting.

    >>> len(read_at_most(Path(__file__), 10**6)) > 1000
    True
    """
    kind = path.stat().st_mode
    if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind) or str(path).startswith(_HANDED_OVER)):
        raise OSError(errno.EINVAL, "it is no ordinary file")
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        content = bytearray()
        while max(size, len(content)) <= max_bytes and (piece := file.read(PIECE)):
            content += piece
    if max(size, len(content)) > max_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {show_bytes(max_bytes)}")
    return bytes(content)


def show_bytes(n: int) -> str:
    """Return a size in whole megabytes of 2**20 bytes, or in bytes below one megabyte.

    >>> show_bytes(64 * 2**20), show_bytes(10)
    ('64 MB', '10 bytes')
    """
    return f"{n // 2**20} MB" if n >= 2**20 else f"{n} bytes"
