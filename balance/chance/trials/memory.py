"""Keep freed arrays for the next step, instead of giving them back to the system.

Lockstep simulation makes and drops arrays of some hundred kilobytes at every step. By default glibc takes such a block
from the system anew each time, and every page of it faults on first use: half the time of a simulation and more. But
glibc learns: once a large block was freed, blocks up to that size stay with the process (mallopt(3), M_MMAP_THRESHOLD).
So one such block is taken and freed, untouched. Other allocators are not disturbed by it.
"""

from __future__ import annotations

from functools import cache

import numpy as np

KEPT_BYTES = 16 * 2**20
"""Size up to which blocks are kept; at most twice as much lies idle."""


@cache
def keep_freed_memory() -> None:
    """Make glibc keep freed blocks in this process; cached, and at no cost in time."""
    np.empty(KEPT_BYTES, np.uint8)
