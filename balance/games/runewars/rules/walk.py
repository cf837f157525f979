"""Walking face to face: what a move makes of the gap between two fronts, all in bands of the ruler."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray


def gap_after(gap: IntArray | int, bands: IntArray | int) -> IntArray:
    """Return the gap after a move of so many `bands` towards the enemy; 0 is contact, in which nobody moves.

    >>> gap_after(np.array([4, 2, 0]), 3).tolist()
    [1, 0, 0]
    """
    return np.maximum(np.asarray(gap) - bands, 0)


def collides(gap: IntArray | int, bands: IntArray | int) -> BoolArray:
    """Return where a move of so many `bands` towards the enemy runs into him."""
    return np.asarray((np.asarray(gap) > 0) & (np.asarray(gap) <= bands))


def in_range(gap: IntArray | int, range_bands: IntArray | int) -> BoolArray:
    """Return where a unit that shoots so many `range_bands` reaches the enemy; in contact nobody shoots.

    >>> in_range(np.array([4, 3, 0]), 3).tolist()
    [False, True, False]
    """
    return collides(gap, range_bands)
