"""The normal distribution and mixtures of it, for arrays; what scipy has takes a second to load."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from balance.base.arrays import FloatArray

_UPPER = np.frompyfunc(math.erfc, 1, 1)
_QUANTILE = np.frompyfunc(NormalDist().inv_cdf, 1, 1)
MOST_STEPS = 60
NEAR = 1e-12
"""Largest step, in standard deviations, of a quantile that has been found: steps square."""


def normal_cdf(x: FloatArray) -> FloatArray:
    """Return the chance that a standard normal number lies below each x.

    >>> normal_cdf(np.array([-40.0, 0.0, 1.959963984540054])).tolist()[1:]
    [0.5, 0.975]
    """
    return np.asarray(_UPPER(np.asarray(x) * -math.sqrt(0.5)), np.float64) / 2


def normal_quantile(chance: FloatArray) -> FloatArray:
    """Return below which x a standard normal number lies with each chance, above 0 and below 1.

    >>> normal_quantile(np.array([0.5, 0.975])).round(6).tolist()
    [0.0, 1.959964]
    """
    return np.asarray(_QUANTILE(chance), np.float64)


def mixture_quantile(weights: FloatArray, means: FloatArray, sds: FloatArray, chance: float) -> FloatArray:
    """Return the quantiles, `float64[q]`, of mixtures of k normals: `weights` `[k]`, `means` and `sds` `[k, q]`.

    Newton's steps on the chance, or halves of what is left of the bracket where one would leave it.

    >>> mixture_quantile(np.array([0.5, 0.5]), np.array([[1.0], [3.0]]), np.ones((2, 1)), 0.5).round(9).tolist()
    [2.0]
    """
    wide = np.maximum(sds, 1e-12)
    reach = means + NormalDist().inv_cdf(chance) * wide
    low, high = reach.min(axis=0) - 1e-9, reach.max(axis=0) + 1e-9
    x = weights @ reach
    for _ in range(MOST_STEPS):
        scores = (x - means) / wide
        excess = weights @ normal_cdf(scores) - chance
        density = weights @ (np.exp(-(scores**2) / 2) / wide) / math.sqrt(2 * math.pi)
        low, high = np.where(excess < 0, x, low), np.where(excess < 0, high, x)
        step = excess / np.maximum(density, 1e-300)
        inside = (x - step > low) & (x - step < high)
        new = np.where(inside, x - step, (low + high) / 2)
        if (np.abs(new - x) <= NEAR * wide.max(axis=0)).all():
            return np.asarray(new)
        x = new
    return np.asarray(x)
