"""Does a sample agree with a law? The likelihood-ratio (G) test, with rare outcomes pooled.

For counts O_i and expected counts E_i = n p_i, G = 2 sum O_i log(O_i / E_i) is asymptotically chi-squared with one
degree of freedom fewer than cells (Sokal and Rohlf, Biometry, ch. 17). The approximation wants E_i of about 5 or more,
so the rarest outcomes are pooled into one cell until that cell expects enough; a sample that shows an outcome the law
calls impossible disagrees outright, with p-value 0. Two samples are compared by the same statistic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from balance.errors import UsageError

if TYPE_CHECKING:
    from balance.pmf.pmf import Pmf

__all__ = ["Agreement", "g_test", "same_law_test"]

SMALLEST_EXPECTED = 5.0
"""Expected count below which a cell is pooled with the other rare ones."""


@dataclass(frozen=True)
class Agreement:
    """The outcome of comparing a sample with a law.

    Attributes
    ----------
    p_value
        Chance of a sample at least this far from the law, if it were drawn from it; 1.0 when one cell is left.
    statistic, degrees, n_trials
        G, its degrees of freedom, and the size of the sample.
    """

    p_value: float
    statistic: float
    degrees: int
    n_trials: int


def g_test(law: Pmf, sample: Pmf) -> Agreement:
    """Compare a sample (weights are counts) with a law over the same columns.

    Raises
    ------
    UsageError
        The columns differ.

    >>> from balance.pmf import Pmf, die
    >>> g_test(die(2), Pmf.of({1: 40, 2: 60})).degrees
    1
    >>> g_test(die(2), Pmf.of({3: 1})).p_value
    0.0
    """
    if law.columns != sample.columns:
        raise UsageError(f"the law has columns {law.columns}, the sample {sample.columns}")
    counts = _counts_in(law, sample)
    n_trials = int(sample.total)
    if counts is None:
        return Agreement(0.0, float("inf"), max(len(law) - 1, 1), n_trials)
    observed, expected = _pool_rare(counts, law.p * n_trials)
    return _compare(observed, expected, len(observed) - 1, n_trials)


def same_law_test(one: Pmf, other: Pmf) -> Agreement:
    """Test whether two samples (weights are counts) over the same columns follow one law.

    Each cell is expected to be shared as the samples' sizes are; cells that expect too little are pooled.

    Raises
    ------
    UsageError
        The columns differ.

    >>> from balance.pmf import Pmf
    >>> same_law_test(Pmf.of({1: 40, 2: 60}), Pmf.of({1: 400, 2: 600})).p_value
    1.0
    >>> same_law_test(Pmf.of({1: 400, 2: 600}), Pmf.of({1: 500, 2: 500})).p_value < 1e-4
    True
    """
    if one.columns != other.columns:
        raise UsageError(f"one sample has columns {one.columns}, the other {other.columns}")
    rows = sorted({tuple(row) for sample in (one, other) for row in sample.outcomes.tolist()})
    place = {row: index for index, row in enumerate(rows)}
    table = np.zeros((2, len(rows)))
    for counts, sample in zip(table, (one, other), strict=True):
        counts[[place[tuple(row)] for row in sample.outcomes.tolist()]] = sample.weights
    shares = table.sum(axis=1) / table.sum()
    rare = table.sum(axis=0) * shares.min() < SMALLEST_EXPECTED
    pooled = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)]) if rare.any() else table
    expected = shares[:, None] * pooled.sum(axis=0)
    return _compare(pooled.ravel(), expected.ravel(), pooled.shape[1] - 1, int(table.sum()))


def _compare(
    observed: npt.NDArray[np.float64], expected: npt.NDArray[np.float64], degrees: int, n_trials: int
) -> Agreement:
    """Return G and its p-value."""
    from scipy.special import gammaincc

    seen = observed > 0
    statistic = max(0.0, 2.0 * float(np.sum(observed[seen] * np.log(observed[seen] / expected[seen]))))
    p_value = float(gammaincc(degrees / 2, statistic / 2)) if degrees else 1.0
    return Agreement(p_value, statistic, degrees, n_trials)


def _counts_in(law: Pmf, sample: Pmf) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
    """Return the count of each outcome of the law, or None when the sample holds an outcome outside it."""
    place = {tuple(row): index for index, row in enumerate(law.outcomes.tolist())}
    counts = np.zeros(len(law))
    for row, count in zip(sample.outcomes.tolist(), sample.weights.tolist(), strict=True):
        index = place.get(tuple(row))
        if index is None:
            return None
        counts[index] = count
    return counts


def _pool_rare(
    observed: np.ndarray[tuple[int], np.dtype[np.float64]], expected: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], np.ndarray[tuple[int], np.dtype[np.float64]]]:
    order = np.argsort(expected, kind="stable")
    observed, expected = observed[order], expected[order]
    n_rare = int(np.searchsorted(expected, SMALLEST_EXPECTED))
    if n_rare == 0:
        return observed, expected
    while n_rare < len(expected) and expected[:n_rare].sum() < SMALLEST_EXPECTED:
        n_rare += 1
    pooled = slice(0, n_rare)
    return (
        np.concatenate(([observed[pooled].sum()], observed[n_rare:])),
        np.concatenate(([expected[pooled].sum()], expected[n_rare:])),
    )
