"""Memory limits: lack of memory is reported in one sentence, before a library ends the process for it.

Some libraries do not report that there is no memory left but end the process. Under a limit (`ulimit -v`) each thread
of theirs takes a large share, so they are given one.
"""

from __future__ import annotations

import os
from mmap import mmap

from balance.base.limits import ONE_THREAD

LEAST_BYTES = 2**30
"""What a command needs to begin with, most of it only reserved."""
PROBE_BYTES = 256 * 2**20
"""If not even this can be had, whatever went wrong was the memory."""
OUT_OF_MEMORY = (
    "out of memory; nothing was left half-written; use fewer processes (--jobs 1) or ask for less, and a run goes on "
    "where it was"
)
_SIGNS = ("cannot allocate memory", "can't start new thread", "could not spawn threads", "memory allocation of")
"""What the system, Python and polars say when there is no memory."""
_FRUGAL = {**ONE_THREAD, "_RJEM_MALLOC_CONF": "background_thread:false"}


def fit_into_limit() -> str | None:
    """Limit libraries to one thread under a memory limit of the system; return a sentence if it is too small."""
    try:
        import resource
    except ImportError:
        return None  # Windows has no such limit
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    for name, value in _FRUGAL.items():
        os.environ.setdefault(name, value)
    if limit >= LEAST_BYTES:
        return None
    return f"memory is limited to {limit // 2**20} MB here (ulimit -v), and balance needs {LEAST_BYTES // 2**20} MB"


def out_of_memory(error: BaseException) -> bool:
    """Return whether an error comes from a lack of memory, by its type, its text, or since allocation fails now.

    >>> out_of_memory(MemoryError()), out_of_memory(ValueError("no such unit"))
    (True, False)
    """
    words = str(error).lower()
    if isinstance(error, MemoryError) or any(sign in words for sign in _SIGNS):
        return True
    try:
        mmap(-1, PROBE_BYTES).close()  # asked for without being written to: every error of a user comes by here
    except OSError:
        return True
    return False
