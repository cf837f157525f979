"""Does a sample agree with a distribution? Likelihood-ratio (G) tests of all columns together and of each by itself.

For counts O_i and expected counts E_i = n p_i, G = 2 sum O_i log(O_i / E_i) is asymptotically chi-squared with one
degree of freedom fewer than cells (Sokal and Rohlf, Biometry, ch. 17). The approximation wants E_i of about 10 or more,
so outcomes that expect less are merged with those next to them in chance, and G is divided by Williams' factor (1976).
Without the two, many cells of few trials are called different twice as often as they should be; with them the tests
keep their size, which `tests/chance/pmf/test_agreement.py` measures. A sample that shows an outcome the distribution
calls impossible disagrees outright, with p-value 0.

A difference in one column, such as a win chance 1 % too high, is lost among a thousand cells of all columns together.
So each column is tested by itself too, and Holm's procedure (1979) keeps the chance of any false alarm of the family.

Two samples are compared by the same statistic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from balance.base.answers import BEHIND, formula
from balance.base.errors import UsageError

if TYPE_CHECKING:
    from balance.chance.pmf.arrays import Table

SMALLEST_EXPECTED = 10.0
"""Expected count below which a cell is merged with the other rare ones."""
Cells = npt.NDArray[np.float64]


@dataclass(frozen=True)
class GTest:
    """The outcome of one test.

    Attributes
    ----------
    p_value
        Chance of a sample at least this far from the distribution, if it were drawn from it; 1.0 when one cell is left.
    statistic, degrees
        G by Williams' correction, and its degrees of freedom; 0 when there is nothing to test.
    adjusted_p_value
        The p-value by Holm's procedure, where it is one of a family.
    """

    p_value: float
    statistic: float
    degrees: int
    adjusted_p_value: float = 1.0


@dataclass(frozen=True)
class Agreement:
    """The outcome of comparing a sample with a distribution.

    Attributes
    ----------
    p_value
        The family's: the smallest that Holm's procedure leaves. If the sample were drawn from the distribution, it
        would be below alpha with a chance of at most alpha.
    n_trials
        The size of the sample.
    joint
        The test of all columns together.
    columns
        Column -> the test of that column by itself; empty if there is only one.
    """

    p_value: float
    n_trials: int = field(metadata=BEHIND)
    joint: GTest
    columns: Mapping[str, GTest] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Return the p-value, the statistic and the number of trials in short."""
        return f"<agreement over {self.n_trials:,} trials: p-value {self.p_value:.3g}>"

    @formula
    def statistic(self) -> float:
        """G of all columns together."""
        return self.joint.statistic

    @formula
    def degrees(self) -> int:
        """Its degrees of freedom."""
        return self.joint.degrees

    @property
    def is_tested(self) -> bool:
        """Whether there was anything to test: more than one cell with trials enough, or an impossible outcome."""
        return any(test.degrees or test.p_value < 1 for test in (self.joint, *self.columns.values()))

    def columns_that_differ(self, alpha: float) -> tuple[str, ...]:
        """Return the columns that disagree at a family error rate; none if only all together do."""
        return tuple(column for column, test in self.columns.items() if test.adjusted_p_value < alpha)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values: reject those at most alpha, and any error has probability at most alpha.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda place: (p_values[place], place))
    adjusted_p, lower_bound = list(p_values), 0.0
    for rank, place in enumerate(order):
        lower_bound = max(lower_bound, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted_p[place] = lower_bound
    return adjusted_p


def agreement_of(distribution: Table, sample: Table) -> Agreement:
    """Compare a sample (weights are counts) with a distribution: all columns together, and each by itself.

    Raise UsageError if the columns differ.
    """
    joint = g_test(distribution, sample)
    names = distribution.columns if len(distribution.columns) > 1 else ()
    alone = {name: g_test(distribution.marginal(name), sample.marginal(name)) for name in names}
    tests = {"": joint, **alone}
    open_ = [name for name, test in tests.items() if test.degrees or test.p_value < 1]
    adjusted_p = dict(zip(open_, holm([tests[name].p_value for name in open_]), strict=True))
    joint, *columns = (replace(test, adjusted_p_value=adjusted_p.get(name, 1.0)) for name, test in tests.items())
    p_value = min(adjusted_p.values(), default=1.0)
    return Agreement(p_value, int(sample.total), joint, dict(zip(names, columns, strict=True)))


def g_test(distribution: Table, sample: Table) -> GTest:
    """Test a sample (weights are counts) against a distribution over all columns together.

    Raise UsageError if the columns differ.
    """
    if distribution.columns != sample.columns:
        raise UsageError(f"the distribution has columns {distribution.columns}, the sample {sample.columns}")
    counts = _counts_in(distribution, sample)
    if counts is None:
        return GTest(0.0, float("inf"), max(len(distribution) - 1, 1))
    n_trials = int(sample.total)
    observed, expected = _merge_rare(counts, distribution.p * n_trials)
    degrees = len(observed) - 1
    surplus = float((n_trials / expected).sum()) - 1
    return _compare(observed, expected, degrees, surplus / (6 * n_trials * max(degrees, 1)))


def same_distribution_test(first: Table, second: Table) -> GTest:
    """Test whether two samples (weights are counts) over the same columns follow one distribution.

    Each cell is expected to be shared in proportion to the samples' sizes; cells that expect too little are pooled.
    Raise UsageError if the columns differ.
    """
    if first.columns != second.columns:
        raise UsageError(f"one sample has columns {first.columns}, the other {second.columns}")
    rows = sorted({tuple(row) for sample in (first, second) for row in sample.outcomes.tolist()})
    place = {row: index for index, row in enumerate(rows)}
    table = np.zeros((2, len(rows)))
    for counts, sample in zip(table, (first, second), strict=True):
        counts[[place[tuple(row)] for row in sample.outcomes.tolist()]] = sample.weights
    shares = table.sum(axis=1) / table.sum()
    totals = table.sum(axis=0)
    cells = _cells(totals * shares.min())
    merged_table = np.array([np.bincount(cells, weights=row) for row in table])
    expected = shares[:, None] * merged_table.sum(axis=0)
    n, degrees = float(totals.sum()), merged_table.shape[1] - 1
    surplus = (float((1 / shares).sum()) - 1) * (float((n / merged_table.sum(axis=0)).sum()) - 1)
    return _compare(merged_table.ravel(), expected.ravel(), degrees, surplus / (6 * n * max(degrees, 1)))


def _compare(observed: Cells, expected: Cells, degrees: int, excess: float) -> GTest:
    """Return G, divided by Williams' factor 1 + excess, and its p-value."""
    from scipy.special import gammaincc

    is_observed = observed > 0
    g = max(0.0, 2.0 * float(np.sum(observed[is_observed] * np.log(observed[is_observed] / expected[is_observed]))))
    statistic = g / (1 + excess)
    p_value = float(gammaincc(degrees / 2, statistic / 2)) if degrees else 1.0
    return GTest(p_value, statistic, degrees)


def _counts_in(distribution: Table, sample: Table) -> Cells | None:
    """Return the count of each outcome of the distribution, or None when the sample holds an outcome outside it."""
    place = {tuple(row): index for index, row in enumerate(distribution.outcomes.tolist())}
    counts = np.zeros(len(distribution))
    for row, count in zip(sample.outcomes.tolist(), sample.weights.tolist(), strict=True):
        index = place.get(tuple(row))
        if index is None:
            return None
        counts[index] = count
    return counts


def _merge_rare(observed: Cells, expected: Cells) -> tuple[Cells, Cells]:
    """Return observed and expected counts after outcomes that expect too little are merged."""
    cells = _cells(expected)
    n_observed, n_expected = (np.asarray(np.bincount(cells, weights=x), np.float64) for x in (observed, expected))
    return n_observed, n_expected


def _cells(expected: Cells) -> npt.NDArray[np.intp]:
    """Return the cell of each outcome, merging outcomes from the rarest up until a cell expects enough."""
    order = np.argsort(expected, kind="stable")
    cells, cell, so_far = np.zeros(len(expected), np.intp), 0, 0.0
    for place in order.tolist():
        cells[place] = cell
        so_far += expected[place]
        if so_far >= SMALLEST_EXPECTED:
            cell, so_far = cell + 1, 0.0
    if cell:
        cells[cells == cell] = cell - 1
    return cells
