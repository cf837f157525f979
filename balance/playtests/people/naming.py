"""Which of many effects may be named: simultaneous intervals by the largest |t|."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
from scipy.special import ndtri

from balance.base.arrays import BoolArray, FloatArray

_N_DRAWS = 20_000
_POWER = 0.8


@dataclass(frozen=True)
class Named:
    """Effects with intervals that hold together; `critical` is the largest |t| that chance alone reaches at the level.

    `low` and `high` are of each effect alone, `simultaneous_low` and `simultaneous_high` of all; `p` is adjusted.
    """

    se: FloatArray
    low: FloatArray
    high: FloatArray
    simultaneous_low: FloatArray
    simultaneous_high: FloatArray
    p: FloatArray
    named: BoolArray
    critical: float


def max_t(estimates: FloatArray, covariance: FloatArray, level: float = 0.95, seed: int = 1) -> Named:
    """Return which effects differ from 0, all taken together, by normal draws of their correlation.

    The draws are given out by the size of t, so that neither order nor names of the effects matter. An effect without
    an error is not named.
    """
    se = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    known = se > 0
    t = np.abs(estimates) / np.where(known, se, np.inf)
    order = np.argsort(t)[np.sum(~known) :]
    largest = _largest_t(covariance[np.ix_(order, order)] / se[order] / se[order][:, None], seed)
    critical = float(np.quantile(largest, level)) if len(order) else float(ndtri((1 + level) / 2))
    p = (1 + len(largest) - np.searchsorted(np.sort(largest), t)) / (1 + len(largest))
    alone, together = float(ndtri((1 + level) / 2)) * se, critical * se
    ends = (estimates - alone, estimates + alone, estimates - together, estimates + together)
    return Named(se, *ends, np.where(known, p, 1.0), known & (t > critical), critical)


def _largest_t(correlation: FloatArray, seed: int) -> FloatArray:
    values, vectors = np.linalg.eigh(correlation)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    draws = np.random.default_rng(seed).standard_normal((_N_DRAWS, len(root))) @ root
    return np.asarray(np.abs(draws).max(axis=1, initial=0.0))


def games_until(effect: float, se: float, n_games: float, critical: float) -> int:
    """Return how many games like the `n_games` so far name an effect of that size with a chance of 80 %.

    >>> games_until(1.0, 0.5, 100, 2.8)
    332
    """
    return ceil(n_games * ((critical + float(ndtri(_POWER))) * se / abs(effect)) ** 2)
