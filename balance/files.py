"""Files that appear whole or not at all.

A file is first written beside its place under a temporary name, forced to the disk and then renamed over it, so a
kill, a full disk or an interruption leaves what was there before.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from balance.errors import Fault, OutputError

__all__ = ["write_whole"]


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all.

    Raises
    ------
    OutputError
        It cannot be written: a folder that is a file, no permission, no space left.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        tip = (
            "what was there before still is; choose another place, free some space, or close the program that holds it"
        )
        raise OutputError(Fault(f"cannot be written: {reason}", path=str(path), tip=tip)) from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def _umask() -> int:
    """Return the user's file mask, which can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
