"""Confidence sequences for a mean, valid however often one looks, from counts alone.

Let X be bounded in [0, 1] with mean m. A gambler who stakes a fixed fraction lambda of its capital on "X is above m"
each time holds K = prod(1 + lambda (X_i - m)), which is a martingale if m is the true mean, and so is any average of
such capitals over several lambdas. By Ville's inequality it ever exceeds 1/alpha with probability at most alpha, so the
values of m at which it has not are a confidence interval at every number of trials at once (Waudby-Smith and Ramdas
2024, "Estimating means of bounded random variables by betting"). Fixed stakes make K depend on the counts of each value
only, never on their order: the interval can be computed from a tally. It adapts to the variance, unlike bounds that
assume the worst.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from balance.base.arrays import FloatArray
from balance.base.errors import UsageError

STAKES: FloatArray = 0.96 * 2.0 ** -np.arange(0.0, 14.0)
"""Fractions of the capital staked, in equal parts; small ones win in long runs, large ones in short runs."""


def anytime_mean_interval(
    values: Sequence[float] | FloatArray,
    counts: Sequence[int] | npt.NDArray[np.int64],
    level: float = 0.95,
) -> tuple[float, float]:
    """Return an interval for the mean of a variable in [0, 1] that is valid at every number of trials at once.

    `values` and `counts` are the distinct values and how often each was seen, `[v]`; `level` is the confidence over all
    looks together. Raise UsageError for a value outside [0, 1], a negative count, or a level outside (0, 1).
    """
    x, n = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    if not ((x >= 0) & (x <= 1)).all() or (n < 0).any() or not 0 < level < 1:
        raise UsageError("an anytime interval needs values from 0 to 1, counts from 0 up and a level between 0 and 1")
    limit = np.log(2 / (1 - level))
    return _lower(x, n, limit), 1.0 - _lower(1.0 - x, n, limit)


def _lower(x: FloatArray, n: FloatArray, limit: float) -> float:
    """Return the largest mean that the gambler who bets on "above" has ruled out, found by bisection."""
    low, high = 0.0, 1.0
    if n.sum() == 0 or _log_capital(x, n, 0.0) < limit:
        return 0.0
    for _ in range(44):
        middle = (low + high) / 2
        low, high = (middle, high) if _log_capital(x, n, middle) >= limit else (low, middle)
    return low


def _log_capital(x: FloatArray, n: FloatArray, mean: float) -> float:
    """Return the log of the average capital over all stakes; it falls as `mean` rises."""
    logs = np.log1p(STAKES[:, None] * (x - mean)) @ n
    top = float(logs.max())
    return top + float(np.log(np.mean(np.exp(logs - top))))
