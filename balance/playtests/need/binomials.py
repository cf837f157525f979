"""The binomial law, vectorised, without `scipy.stats`, which takes a second to load."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from balance.base.arrays import FloatArray


def at_most(successes: npt.ArrayLike, trials: npt.ArrayLike, chance: float) -> FloatArray:
    """Return P(X <= successes) of a binomial law; `successes` may be below 0 or above the trials.

    >>> [float(at_most(successes, 2, 0.5)) for successes in (-1, 0, 1, 2, 3)]
    [0.0, 0.25, 0.75, 1.0, 1.0]
    """
    from scipy.special import bdtr

    k, n = np.asarray(successes, np.float64), np.asarray(trials, np.float64)
    inside = bdtr(np.clip(k, 0, np.maximum(n, 0)), n, chance)
    return np.asarray(np.where(k < 0, 0.0, np.where(k >= n, 1.0, inside)), np.float64)


def at_least(successes: npt.ArrayLike, trials: npt.ArrayLike, chance: float) -> FloatArray:
    """Return P(X >= successes) of a binomial law, without the cancellation of 1 - `at_most`.

    >>> [float(at_least(successes, 2, 0.5)) for successes in (-1, 0, 1, 2, 3)]
    [1.0, 1.0, 0.75, 0.25, 0.0]
    """
    return at_most(np.asarray(trials, np.float64) - np.asarray(successes, np.float64), trials, 1 - chance)


def exactly(successes: npt.ArrayLike, trials: npt.ArrayLike, chance: float) -> FloatArray:
    """Return P(X = successes) of a binomial law, for successes from 0 to the trials.

    >>> float(exactly(1, 2, 0.5).round(12)), float(exactly(2, 2, 1.0))
    (0.5, 1.0)
    """
    from scipy.special import gammaln, xlog1py, xlogy

    k, n = np.asarray(successes, np.float64), np.asarray(trials, np.float64)
    ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return np.asarray(np.exp(ways + xlogy(k, chance) + xlog1py(n - k, -chance)), np.float64)
