"""Finished outcomes drawn from a table: the compiled lane.

A stack of distributions over the same columns is compiled once; after that one 16-bit random number draws a whole
attack. Distribution i gives each of its outcomes floor(65536 w / W) of 65536 cells, so a cell is exactly 1/65536. What
the weights do not divide falls on spare cells, and a draw that lands there is drawn again from the remainder
distribution, whose weights are the exact remainders w * 65536 - floor(...) * W. Nothing is rounded, so the draw follows
the distribution exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import lcm

import numpy as np
import numpy.typing as npt

from balance.base.arrays import FloatArray, IntArray
from balance.base.errors import UsageError
from balance.chance.pmf import Pmf
from balance.chance.pmf.arrays import LARGEST, WeightArray

CELLS = 65536
"""Cells of a table: one for each 16-bit number."""

NO_VALUE = -(2**15)
"""Marks a spare cell among values; no column is that low."""

FEW_OUTCOMES = 20
"""Up to so many outcomes, comparing every number with each outcome's end counts faster than looking it up."""


@dataclass(frozen=True, eq=False)
class DistributionStack:
    """Distributions over the same columns, compiled so that one 16-bit number draws from any of them by index.

    `distributions`: at least one exact distribution (integer weights); all have the same columns. L of them.

    >>> from balance.chance.pmf import die
    >>> DistributionStack((die(2), die(4))).outcomes.tolist()
    [[1], [2], [3], [4]]
    """

    distributions: tuple[Pmf, ...]

    def __post_init__(self) -> None:
        """Raise UsageError unless there is a distribution, and all are exact and have the same columns."""
        if len({distribution.columns for distribution in self.distributions}) != 1 or not all(
            distribution.is_exact for distribution in self.distributions
        ):
            raise UsageError("a stack needs at least one distribution, all exact and with the same columns")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of every outcome, by name."""
        return self.distributions[0].columns

    @cached_property
    def outcomes(self) -> IntArray:
        """Every outcome some distribution can give, `int64[M, k]`, sorted."""
        rows = np.concatenate([distribution.outcomes for distribution in self.distributions])
        return np.unique(rows, axis=0, return_index=True)[0]  # without the index it would import masked arrays: 15 ms

    @cached_property
    def weights(self) -> list[list[int]]:
        """Integer weight of outcome j under distribution i: L lists of M Python ints."""
        place = {tuple(row): index for index, row in enumerate(self.outcomes.tolist())}
        table = [[0] * len(place) for _ in self.distributions]
        for weights, distribution in zip(table, self.distributions, strict=True):
            for row, weight in zip(distribution.outcomes.tolist(), distribution.weights.tolist(), strict=True):
                weights[place[tuple(row)]] = weight
        return table

    @cached_property
    def p(self) -> FloatArray:
        """Probability of outcome j under distribution i, `float64[L, M]`."""
        totals = [sum(weights) for weights in self.weights]
        return np.array([[x / total for x in weights] for weights, total in zip(self.weights, totals, strict=True)])

    @cached_property
    def to_one_total(self) -> tuple[WeightArray, int]:
        """Weight of outcome j under distribution i, `[L, M]`, as integers of one total, and that total."""
        totals = [sum(weights) for weights in self.weights]
        common = lcm(*totals)
        rows = [[x * (common // total) for x in row] for row, total in zip(self.weights, totals, strict=True)]
        return np.array(rows, object if common > LARGEST else np.int64), common

    @cached_property
    def values(self) -> dict[str, npt.NDArray[np.int16]]:
        """Value of each column by outcome, `int16[M]`."""
        return {name: self.outcomes[:, place].astype(np.int16) for place, name in enumerate(self.columns)}

    @cached_property
    def table(self) -> Table:
        """The compiled table whose cells hold the index of an outcome."""
        n = len(self.outcomes)
        return Table.compile(self.weights, np.arange(n, dtype=np.uint8 if n < 256 else np.uint16), spare=n)

    @cached_property
    def value_table(self) -> Table:
        """The compiled table of a stack with one column, whose cells hold values instead of indices."""
        return Table.compile(self.weights, next(iter(self.values.values())), spare=NO_VALUE)

    def columns_of(self, index: IntArray) -> dict[str, npt.NDArray[np.int16]]:
        """Return the columns of drawn outcomes, `int16[n]` each, from their index, `int[n]`."""
        return {name: values.take(index) for name, values in self.values.items()}


@dataclass(frozen=True, eq=False)
class Table:
    """A compiled table of 65,536 cells per distribution, and the remainders that the cells could not hold.

    * `labels`: what stands for each outcome, [M]: its index (`uint8` or `uint16`), or the value of its only column
      (`int16`).
    * `spare`: the label of a spare cell: "draw again".
    * `ends`: where the cells of each outcome end, counted from the first cell of its distribution, `int64[L, M]`.
    * `remainders`: integer weights of the remainder distributions, L lists of M (empty where a distribution divides
      evenly).
    * `is_seldom`: whether so little is drawn from it that its cells are not worth their memory.
    """

    labels: IntArray
    spare: int
    ends: IntArray
    remainders: list[list[int]]
    is_seldom: bool = False

    @classmethod
    def compile(
        cls, weights: Sequence[Sequence[int]], labels: IntArray, spare: int, *, is_seldom: bool = False
    ) -> Table:
        """Compile L lists of M integer weights; a list of zeros is a distribution that is never drawn from.

        `labels`, `int[M]`, stand for the outcomes, and `spare` for cells that must be drawn again.
        """
        cells, remainders = [], []
        for distribution in weights:
            total = sum(distribution) or 1
            whole = [weight * CELLS // total for weight in distribution]
            cells.append(whole)
            remainders.append([weight * CELLS - n * total for weight, n in zip(distribution, whole, strict=True)])
        return cls(labels, spare, np.cumsum(cells, axis=1), remainders, is_seldom)

    @cached_property
    def cells(self) -> IntArray:
        """The label of each cell, `[L * 65536]`, or `spare`."""
        n_cells = np.diff(self.ends, axis=1, prepend=0, append=CELLS)
        return np.repeat(np.tile(self._labels_and_spare, len(self.ends)), n_cells.ravel())

    @property
    def n_spare(self) -> IntArray:
        """Spare cells of each distribution, `int64[L]`."""
        return np.asarray(CELLS - self.ends[:, -1])

    @cached_property
    def has_spare(self) -> bool:
        """Whether any distribution has spare cells."""
        return bool(self.n_spare.any())

    @cached_property
    def again(self) -> Table:
        """The compiled table of the remainder distributions, for draws that fell on spare cells."""
        return Table.compile(self.remainders, self.labels, self.spare, is_seldom=True)

    def look_up(self, rows: IntArray | int, bits: npt.NDArray[np.uint16]) -> IntArray:
        """Return the label in the cell of each 16-bit number, `[n]`, that of spare cells included.

        `rows` are the distributions of the numbers, `int[n]` or one for all.
        """
        if self.is_seldom:
            places = np.searchsorted(self._all_ends, np.multiply(rows, CELLS, dtype=np.int64) + bits, side="right")
            return self._labels_and_spare.take(places - np.multiply(rows, self.ends.shape[1], dtype=np.int64))
        if isinstance(rows, int):
            return self.cells[rows * CELLS : (rows + 1) * CELLS].take(bits)
        return self.cells.take(np.asarray(rows, np.int32) * CELLS + bits)

    @cached_property
    def _labels_and_spare(self) -> IntArray:
        return np.append(self.labels, self.labels.dtype.type(self.spare))

    @cached_property
    def _all_ends(self) -> IntArray:
        """The ends of all distributions, counted from the first cell of the first, `int64[L * M]`; they rise."""
        return (self.ends + np.arange(len(self.ends))[:, None] * CELLS).ravel()

    def count(self, row: int, bits: npt.NDArray[np.uint16]) -> IntArray:
        """Return how many 16-bit numbers, `[n]`, fall on each outcome's cells, last on spare ones, `int64[M + 1]`."""
        if self.ends.shape[1] > FEW_OUTCOMES:
            return np.bincount(self.look_up(row, bits), minlength=self.ends.shape[1] + 1)
        ends = self.ends[row].tolist()
        below = [len(bits) if end == CELLS else np.count_nonzero(bits < np.uint16(end)) for end in ends]
        return np.array([end - start for start, end in pairwise([0, *below, len(bits)])])
