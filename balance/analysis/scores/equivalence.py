"""Marks by which equal scores and equal distributions are recognised.

Distributions are compared by their *mark*, the mean of a fixed pseudo-random function of the outcome: a distribution of
any size becomes one number, sums of floating point that differ in their last digits stay equal, and two different
distributions have the same mark with a chance of about one in a million million.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from balance.chance.pmf import Pmf

MARK_TOLERANCE = 1e-11
"""Marks that differ by no more are of the same distribution."""
TIE = 1e-9
"""Scores that differ by no more are equal: the last digits of long sums are not."""


def distribution_mark(distribution: Pmf) -> float:
    """Return a number from 0 to 1 that distributions of the same columns share if they are equal, else hardly ever."""
    mixed = np.zeros(len(distribution), np.uint64)
    for name in distribution.columns:
        salt = np.uint64(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8]))
        mixed = _mix(mixed ^ (distribution[name].astype(np.uint64) + salt))
    return float(distribution.p @ ((mixed >> np.uint64(11)).astype(np.float64) * 2.0**-53))


def _mix(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the values scattered over all 64 bits (the finaliser of SplitMix64, Steele, Lea and Flood 2014)."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        values = (values ^ (values >> np.uint64(shift))) * np.uint64(factor)
    return values ^ (values >> np.uint64(31))
