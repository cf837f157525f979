"""Pools of equal dice: the distribution of their sum, column by column."""

from __future__ import annotations

import numpy as np

from balance.errors import UsageError
from balance.pmf.arrays import widen
from balance.pmf.pmf import Pmf

__all__ = ["pool"]


def pool(one: Pmf, n_dice: int) -> Pmf:
    """Return the distribution of the sum of `n_dice` independent draws from `one`, column by column.

    Faces that show the same symbols are already one outcome of `one`, so the cost depends on classes, not faces. The
    sums live on a small lattice, where adding one die is one shifted addition per class.

    >>> pool(Pmf.from_faces([{"hit": 1}, {"hit": 1}, {}]), 2).to_dict()
    {'hit': [0, 1, 2], 'weight': [1, 4, 4]}
    """
    if n_dice < 0:
        raise UsageError(f"a pool has no fewer than 0 dice, found {n_dice}")
    low = one.outcomes.min(axis=0)
    spans = (one.outcomes.max(axis=0) - low) * n_dice + 1
    strides = np.append(np.cumprod(spans[::-1].astype(object))[::-1][1:], 1)
    size = int(np.prod(spans.astype(object)))
    if size > max(4096, 64 * len(one) * n_dice**2):
        return _pool_by_halves(one, n_dice)
    dense = np.zeros(size, np.float64 if not one.is_exact else np.int64)
    dense[0] = 1
    shifts = ((one.outcomes - low) @ strides.astype(np.int64)).tolist()
    for n in range(1, n_dice + 1):
        if one.is_exact:
            dense = widen(dense, one.total**n)
        longer = np.zeros_like(dense)
        for shift, weight in zip(shifts, one.weights.tolist(), strict=True):
            longer[shift:] += weight * dense[: size - shift]
        dense = longer
    found = np.flatnonzero(dense)
    rows = found[:, None] // strides.astype(np.int64) % spans + low * n_dice
    return Pmf(one.columns, rows, dense[found])


def _pool_by_halves(one: Pmf, n_dice: int) -> Pmf:
    """Pool on scattered values, where a dense lattice would be mostly empty."""
    if n_dice == 0:
        return Pmf.of([(0,) * len(one.columns)], one.columns)
    half = _pool_by_halves(one, n_dice // 2)
    return half + half + one if n_dice % 2 else half + half
