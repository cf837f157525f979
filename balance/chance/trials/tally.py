"""Tallies of the blocks played so far: counts of outcomes, or the trials themselves.

Counts are integers, and rows are kept in the order of their trials, so adding blocks is exact and does not depend on
who played them: serial or threaded, resumed or not, the same blocks give the same result. Counts take as much room as
there are distinct outcomes; rows grow with the trials.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from balance.base.arrays import IntArray
from balance.base.errors import UsageError
from balance.chance.pmf import Pmf
from balance.chance.pmf.arrays import decode, encode, lattice, merge_rows


@dataclass(frozen=True, eq=False)
class Rows:
    """The outcome of every trial, in the order of the trials.

    `columns`: names of the k outcome columns. `parts`: `int64[n_i, k]` each, block by block.

    >>> (keep_rows({"hit": np.array([1, 0])}) + keep_rows({"hit": np.array([1])})).values.tolist()
    [[1], [0], [1]]
    """

    columns: tuple[str, ...]
    parts: tuple[IntArray, ...]

    @cached_property
    def values(self) -> IntArray:
        """All trials, `int64[n, k]`."""
        return np.concatenate(self.parts)

    @property
    def n_trials(self) -> int:
        """Number of trials over all blocks."""
        return sum(len(part) for part in self.parts)

    def __add__(self, later: Rows) -> Rows:
        """Return these trials followed by those of later blocks."""
        return Rows(self.columns, self.parts + later.parts)


Result: TypeAlias = Pmf | Rows
"""What a block of trials gives: counts as the weights of a `Pmf`, or the rows."""


@dataclass(frozen=True, eq=False)
class Tally:
    """The result of `n_blocks` consecutive blocks of a task.

    `result`: counts or rows. `first_block` and `n_blocks`: the contiguous range of blocks in it.

    >>> a = Tally(Pmf.of({0: 3, 1: 1}, "hit"), 0, 1)
    >>> b = Tally(Pmf.of({1: 4}, "hit"), 1, 1)
    >>> (a + b).n_trials, (a + b).counts.mean("hit")
    (8, 0.625)
    """

    result: Result
    first_block: int = 0
    n_blocks: int = 1

    @property
    def counts(self) -> Pmf:
        """How often each outcome came up, as the weights of a `Pmf`; `UsageError` if the task keeps rows."""
        if not isinstance(self.result, Pmf):
            raise UsageError("this task keeps rows, and no counts")
        return self.result

    @property
    def n_trials(self) -> int:
        """Number of trials over all blocks."""
        return int(self.result.total) if isinstance(self.result, Pmf) else self.result.n_trials

    def __add__(self, later: Tally) -> Tally:
        """Add the blocks that follow; raise UsageError if ranges overlap or leave a gap, or results differ in kind."""
        if later.first_block != self.first_block + self.n_blocks:
            raise UsageError(
                f"blocks {later.first_block} and on do not follow blocks "
                f"{self.first_block} to {self.first_block + self.n_blocks - 1}"
            )
        result = add_results([self.result, later.result])
        return Tally(result, self.first_block, self.n_blocks + later.n_blocks)


def add_results(results: Sequence[Result]) -> Result:
    """Return the results of consecutive blocks as one; raise UsageError if their kinds or columns differ."""
    first = results[0]
    for result in results[1:]:
        if type(result) is not type(first) or result.columns != first.columns:
            kinds = [f"{type(part).__name__} of {part.columns}" for part in (first, result)]
            raise UsageError(f"cannot add {kinds[1]} to {kinds[0]}")
    if isinstance(first, Pmf):
        return _add_counts([part for part in results if isinstance(part, Pmf)])
    for result in results[1:]:
        first = first + result  # type: ignore[operator]  # of one kind, as was seen
    return first


def _add_counts(parts: Sequence[Pmf]) -> Pmf:
    first = parts[0]
    if all(np.array_equal(first.outcomes, part.outcomes) for part in parts):
        return Pmf(first.columns, first.outcomes, np.sum([part.weights for part in parts], axis=0))
    rows = np.concatenate([part.outcomes for part in parts])
    return Pmf(first.columns, *merge_rows(rows, np.concatenate([part.weights for part in parts])))


def keep_rows(columns: Mapping[str, npt.NDArray[Any]]) -> Rows:
    """Return outcome columns `[n]` as rows.

    >>> keep_rows({"hit": np.array([True, False]), "n": np.array([2, 3])}).values.tolist()
    [[1, 2], [0, 3]]
    """
    return Rows(tuple(columns), (np.stack(list(columns.values()), axis=1, dtype=np.int64, casting="unsafe"),))


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
    places = np.flatnonzero(counts)
    return Pmf(tuple(columns), decode(places, lows, spans), counts[places])


def _count_scattered(arrays: list[IntArray], lows: list[int], spans: list[int]) -> tuple[IntArray, IntArray]:
    """Return distinct rows in order and their counts, where the lattice is much larger than the sample.

    Columns are taken in one by one; whenever the lattice so far gets too large, the points that occur are renumbered in
    their order. Nothing is sorted, unless a single column spans too much.
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
    places = np.flatnonzero(counts)
    example = np.empty(len(counts), np.int64)
    example[keys] = np.arange(n)
    return np.stack([values[example[places]] for values in arrays], axis=1, dtype=np.int64), counts[places]


def _whole(values: npt.NDArray[Any]) -> IntArray:
    return values if values.dtype.kind in "iu" else values.astype(np.int64)
