"""Mixtures of candidates that gain on everybody at no higher cost, found by a linear program, with few parts.

The input is numbers alone: what each candidate gains against each opponent, and what it saves. The result of the linear
program is not trusted; `meets` checks every mixture by itself before it is returned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from balance.analysis.scores.equivalence import TIE
from balance.base.arrays import FloatArray

DENOMINATORS = (*range(2, 13), 100, 1000)
"""Shares are told as parts of the first of these that does."""
FINE = (10**4, 10**5, 10**6)
"""Of which where no simpler one does, so that the last digits of a linear program are not told."""
LP_TOLERANCE = 1e-10
TIE_BREAK = 1e-3
"""What a mean gain counts beside the least gain."""


@dataclass(frozen=True)
class Demands:
    """What is asked of a mixture of m candidates.

    `gains`: `float64[m, k]`: what each candidate gains against each of k opponents. `savings`: `float64[m]`: how much
    cheaper each is, as a share of something; below 0 if dearer. `means`: `float64[m]`: what each gains on average, to
    choose between mixtures. `slack`: how much a mixture may lose against an opponent; only a gain of more than that
    counts as one.
    """

    gains: FloatArray
    savings: FloatArray
    means: FloatArray
    slack: float = 0.0

    def among(self, places: npt.NDArray[np.int64]) -> Demands:
        """Return the demands on candidates at these places only."""
        return replace(self, gains=self.gains[places], savings=self.savings[places], means=self.means[places])


def meets(shares: FloatArray, demands: Demands) -> bool:
    """Return whether a mixture loses nothing against anyone, is no dearer, and is cheaper or gains something.

    `shares` is `float64[m]`.
    """
    gains, savings, limit = shares @ demands.gains, float(shares @ demands.savings), demands.slack + TIE
    is_whole = abs(float(shares.sum()) - 1) < TIE and bool((shares >= 0).all())
    return bool(is_whole and gains.min() >= -limit and savings >= -TIE and (savings > TIE or gains.max() > limit))


def find_mixture(demands: Demands) -> FloatArray | None:
    """Return the mixture with the largest least gain, of several the one with the larger mean gain; None if none meets.

    Shares are `float64[m]` and add up to 1.
    """
    from scipy.optimize import linprog

    gains, savings = demands.gains, demands.savings
    m, k = gains.shape
    if m == 0 or k == 0 or gains.max(axis=0).min() < -demands.slack - TIE:  # there is somebody on whom nobody gains
        return None
    at_most = np.block([[-gains.T, np.ones((k, 1))], [-savings, np.zeros(1)]])
    value = TIE_BREAK * (demands.means + savings / 100)
    solution = linprog(
        -np.append(value, 1.0), at_most, np.zeros(k + 1), np.append(np.ones(m), 0.0)[None], np.ones(1),
        bounds=[*[(0.0, 1.0)] * m, (-demands.slack, None)], method="highs",
        options={"primal_feasibility_tolerance": LP_TOLERANCE, "dual_feasibility_tolerance": LP_TOLERANCE},
    )  # fmt: skip
    if solution.x is None:
        return None
    shares = np.where(solution.x[:m] > TIE, solution.x[:m], 0.0)
    shares /= shares.sum()
    return shares if meets(shares, demands) else None


def fewest_parts(demands: Demands, mixture: FloatArray) -> FloatArray:
    """Return a mixture, `float64[m]`, that meets the demands with few parts and simple shares, given one that does.

    Two parts if any two do, the simplest shares first and then the largest least gain; else the known mixture without
    the parts that it can do without.
    """
    two = _two_parts(demands)
    return two if two is not None else _simple(demands, _prune(demands, mixture))


def _two_parts(demands: Demands) -> FloatArray | None:
    """Return the mixture of two with the simplest shares, and of these the largest least gain; None if no two meet."""
    columns = np.column_stack([demands.gains + demands.slack, demands.savings]).round(15)
    short = (columns < -TIE).astype(np.float32)  # whom two of them fall short of, no mixture of the two suffices
    first, second = np.nonzero(np.triu(short @ short.T == 0, 1))
    low, high = _ranges(columns[first], columns[second])
    for denominator in DENOMINATORS:
        share = np.arange(1, denominator) / denominator
        pair, part = np.nonzero((low[:, None] <= share) & (share <= high[:, None]))
        mixed = np.zeros((len(pair), len(demands.savings)))
        mixed[range(len(pair)), first[pair]], mixed[range(len(pair)), second[pair]] = share[part], share[::-1][part]
        value = (mixed @ demands.gains).min(axis=1, initial=1.0) + TIE_BREAK * mixed @ demands.means
        for best in np.argsort(-value.round(12), kind="stable"):
            if meets(mixed[best], demands):
                return np.asarray(mixed[best])
    return None


def _ranges(first: FloatArray, second: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the range of shares of `first`, mixed with `second`, that meets every column; low above high if none."""
    slope, shortfall = first - second, -TIE - second
    bound = np.divide(shortfall, slope, where=slope != 0, out=np.where(shortfall > 0, np.inf, 0.0))
    low = np.max(np.where(slope >= 0, bound, 0.0), axis=1, initial=0.0)
    return low, np.min(np.where(slope < 0, bound, 1.0), axis=1, initial=1.0)


def _prune(demands: Demands, shares: FloatArray) -> FloatArray:
    """Return a mixture without the parts that it can do without, tried from the smallest share."""
    parts = np.flatnonzero(shares)
    for part in parts[np.argsort(shares[parts], kind="stable")]:
        remaining = np.setdiff1d(np.flatnonzero(shares), [part])
        if (mixture := find_mixture(demands.among(remaining))) is not None:
            shares = np.zeros_like(shares)
            shares[remaining] = mixture
    return shares


def _simple(demands: Demands, shares: FloatArray) -> FloatArray:
    """Return the shares rounded to the smallest denominator at which they meet the demands, else as they are."""
    return next((candidate for candidate in _round_shares(shares) if meets(candidate, demands)), shares)


def _round_shares(shares: FloatArray) -> Iterator[FloatArray]:
    """Yield the shares as parts of each denominator, those with the largest remainder rounded up."""
    for denominator in DENOMINATORS + FINE:
        whole = np.floor(shares * denominator)
        missing = denominator - int(whole.sum())
        whole[np.argsort(whole - shares * denominator, kind="stable")[:missing]] += 1
        yield whole / denominator
