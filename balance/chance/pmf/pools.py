"""Pools of equal dice: the distribution of their sum, column by column."""

from __future__ import annotations

from math import prod

import numpy as np

from balance.base.errors import UsageError
from balance.chance.pmf.arrays import LARGEST, WeightArray, decode, widen
from balance.chance.pmf.pmf import Pmf

SHORT = 1024
"""Points of a lattice up to which a pool is a power of one integer."""


def pool(die: Pmf, n_dice: int) -> Pmf:
    """Return the distribution of the sum of `n_dice` independent draws from `die`, column by column.

    Faces that show the same symbols are already one outcome of `die`, so the cost depends on classes, not faces. The
    sums live on a small lattice, where adding one die is one shifted addition per class.

    Parameters
    ----------
    die
        Distribution of one draw.
    n_dice
        How many draws are added, 0 or more.

    >>> pool(Pmf.from_faces([{"hit": 1}, {"hit": 1}, {}]), 2).to_dict()
    {'hit': [0, 1, 2], 'weight': [1, 4, 4]}
    """
    if n_dice < 0:
        raise UsageError(f"a pool has no fewer than 0 dice, found {n_dice}")
    if len(die) == 2 and die.is_exact:
        return _pool_of_two(die, n_dice)
    lows, spans, shifts = [], [], [0] * len(die)
    for column in die.outcomes.T.tolist():
        low, span = min(column), (max(column) - min(column)) * n_dice + 1
        shifts = [shift * span + value - low for shift, value in zip(shifts, column, strict=True)]
        lows.append(low * n_dice)
        spans.append(span)
    size = prod(spans)
    if size > max(4096, 64 * len(die) * n_dice**2):
        return _pool_by_halves(die, n_dice)
    fits_in_words = size <= SHORT and die.is_exact and die.total**n_dice <= LARGEST
    dense = (_packed_power if fits_in_words else _dense_power)(die, shifts, n_dice, size)
    (nonzero_places,) = dense.nonzero()
    return Pmf(die.columns, decode(nonzero_places, lows, spans), dense[nonzero_places])


def _pool_of_two(die: Pmf, n_dice: int) -> Pmf:
    """Return the pool of dice with two outcomes by the binomial formula, whatever the outcomes show."""
    first, second = die.weights.tolist()
    ways, weights = first**n_dice, []
    for k in range(n_dice + 1):
        weights.append(ways)
        ways = ways * second * (n_dice - k) // (first * (k + 1))
    low, high = die.outcomes
    rows = n_dice * low + np.arange(n_dice + 1)[:, None] * (high - low)  # which is sorted, as both are
    return Pmf(die.columns, rows, np.array(weights, np.int64 if die.total**n_dice <= LARGEST else object))


def _packed_power(die: Pmf, shifts: list[int], n_dice: int, size: int) -> WeightArray:
    """Return the weights of the pool on the lattice as digits of a power of one integer, fastest if short."""
    digits = sum(weight << 64 * shift for shift, weight in zip(shifts, die.weights.tolist(), strict=True))
    return np.frombuffer((digits**n_dice).to_bytes(8 * size, "little"), "<i8")


def _dense_power(die: Pmf, shifts: list[int], n_dice: int, size: int) -> WeightArray:
    """Return the weights of the pool on the lattice by adding one die after the other."""
    dense = np.zeros(size, np.float64 if not die.is_exact else np.int64)
    dense[0] = 1
    weights = die.weights.tolist()
    for n in range(1, n_dice + 1):
        if die.is_exact:
            dense = widen(dense, die.total**n)
        longer = np.zeros_like(dense)
        for shift, weight in zip(shifts, weights, strict=True):
            longer[shift:] += weight * dense[: size - shift]
        dense = longer
    return dense


def _pool_by_halves(die: Pmf, n_dice: int) -> Pmf:
    """Return the pool by repeated squaring, for values so scattered that a lattice would be mostly empty."""
    if n_dice == 0:
        return Pmf.of([(0,) * len(die.columns)], die.columns)
    half = _pool_by_halves(die, n_dice // 2)
    return half + half + die if n_dice % 2 else half + half
