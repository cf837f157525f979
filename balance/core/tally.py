"""What has been counted so far: a sample as a law whose weights are counts, and which blocks it comes from.

Counts are integers, so adding tallies is exact and does not depend on their order: serial or threaded, resumed or not,
the same blocks give the same tally. Its size is the number of distinct outcomes, not the number of trials.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.errors import UsageError
from balance.pmf import Pmf
from balance.pmf.arrays import IntArray, decode, encode, lattice, merge_rows

__all__ = ["Tally", "count_rows"]


@dataclass(frozen=True, eq=False)
class Tally:
    """Counts of outcomes over the first `n_blocks` blocks of a task.

    Attributes
    ----------
    counts
        A `Pmf` whose weights are how often each outcome came up.
    first_block, n_blocks
        The contiguous range of blocks counted.

    >>> a = Tally(Pmf.of({0: 3, 1: 1}, "hit"), 0, 1)
    >>> b = Tally(Pmf.of({1: 4}, "hit"), 1, 1)
    >>> (a + b).n_trials, (a + b).counts.mean("hit")
    (8, 0.625)
    """

    counts: Pmf
    first_block: int = 0
    n_blocks: int = 1

    @property
    def n_trials(self) -> int:
        """Trials counted."""
        return int(self.counts.total)

    def __add__(self, other: Tally) -> Tally:
        """Add the counts of the blocks that follow on.

        Raises
        ------
        UsageError
            The two ranges overlap or leave a gap, or their columns differ.
        """
        if self.counts.columns != other.counts.columns:
            raise UsageError(f"cannot add counts of {other.counts.columns} to counts of {self.counts.columns}")
        if other.first_block != self.first_block + self.n_blocks:
            raise UsageError(
                f"blocks {other.first_block} and on do not follow blocks "
                f"{self.first_block} to {self.first_block + self.n_blocks - 1}"
            )
        return Tally(_add(self.counts, other.counts), self.first_block, self.n_blocks + other.n_blocks)


def _add(one: Pmf, other: Pmf) -> Pmf:
    if np.array_equal(one.outcomes, other.outcomes):
        return Pmf(one.columns, one.outcomes, one.weights + other.weights)
    rows = np.concatenate([one.outcomes, other.outcomes])
    return Pmf(one.columns, *merge_rows(rows, np.concatenate([one.weights, other.weights])))


def count_rows(columns: Mapping[str, npt.NDArray[Any]]) -> Pmf:
    """Return how often each row of outcome columns `[n]` comes up.

    >>> count_rows({"hit": np.array([1, 0, 1])}).to_dict()
    {'hit': [0, 1], 'weight': [1, 2]}
    """
    arrays = [_whole(np.asarray(values)) for values in columns.values()]
    lows, spans = lattice(arrays)
    if prod(spans) > 4 * len(arrays[0]):
        return Pmf(tuple(columns), *_count_scattered(arrays, lows, spans))
    counts = np.bincount(encode(arrays, lows, spans))
    found = np.flatnonzero(counts)
    return Pmf(tuple(columns), decode(found, lows, spans), counts[found])


def _count_scattered(arrays: list[IntArray], lows: list[int], spans: list[int]) -> tuple[IntArray, IntArray]:
    """Return the distinct rows in order, and how often each comes up, where the lattice is much larger than the sample.

    Columns are taken in one by one; whenever the lattice so far gets too large, its points that came up are numbered
    afresh in their order. No sorting, unless a single column spans too much.
    """
    n = len(arrays[0])
    keys, size = np.zeros(n, np.int64), 1
    for values, low, span in zip(arrays, lows, spans, strict=True):
        if size * span > 4 * n:
            number = np.cumsum(np.bincount(keys, minlength=size) > 0) - 1
            keys, size = number[keys], int(number[-1]) + 1
        if size * span > 64 * n:
            return merge_rows(np.stack(arrays, axis=1, dtype=np.int64), np.ones(n, np.int64))
        if span > 1:
            keys *= span
            keys += values
            keys -= low
            size *= span
    counts = np.bincount(keys)
    found = np.flatnonzero(counts)
    example = np.empty(len(counts), np.int64)
    example[keys] = np.arange(n)
    return np.stack([values[example[found]] for values in arrays], axis=1, dtype=np.int64), counts[found]


def _whole(values: npt.NDArray[Any]) -> IntArray:
    return values if values.dtype.kind in "iu" else values.astype(np.int64)
