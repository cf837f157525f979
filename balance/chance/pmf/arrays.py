"""Rows of integers with weights: merge equal rows, and choose a weight type that cannot overflow.

A table of outcomes is `int64[m, k]`, one row per outcome and one column per name; its weights are `[m]`, of dtype
int64 while every sum and product is known to stay below 2**62, of dtype object (Python integers) beyond that, and
float64 when they are probabilities rather than counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from balance.base.arrays import FloatArray, IntArray
from balance.base.errors import UsageError, suggestion

WeightArray: TypeAlias = npt.NDArray[Any]

LARGEST = 2**62
"""Totals up to this fit int64 with room for one addition."""
EXACT_FLOAT = 2**53
"""Whole numbers below this are exact as float64, and so is every sum of them that stays below."""
SPARSE = 8
"""Points of a lattice for each row up to which rows are merged by counting on the lattice, which needs no sorting."""


def as_weights(weights: npt.NDArray[Any] | Iterable[Any]) -> WeightArray:
    """Return weights as int64, object (large integers) or float64.

    >>> as_weights([1, 2]).dtype, as_weights([2**80]).dtype, as_weights([0.5]).dtype
    (dtype('int64'), dtype('O'), dtype('float64'))
    """
    array = weights if isinstance(weights, np.ndarray) else np.array(list(weights), object)
    values = array.tolist()
    if array.dtype == np.int64 and values and min(values) >= 0 and sum(values) <= LARGEST:
        return array
    if array.dtype.kind == "f" or not all(isinstance(value, int | np.integer) for value in values):
        return array.astype(np.float64)
    return array.astype(np.int64 if sum(map(abs, map(int, values))) <= LARGEST else object)


def widen(weights: WeightArray, largest: float) -> WeightArray:
    """Return weights whose type can hold integers up to `largest`: unchanged, or as Python integers.

    >>> widen(np.array([3]), 2**70).dtype
    dtype('O')
    """
    return weights.astype(object) if weights.dtype == np.int64 and largest > LARGEST else weights


def lattice(columns: Sequence[IntArray]) -> tuple[list[int], list[int]]:
    """Return the lowest value of each column, and how many values it spans.

    >>> lattice([np.array([3, 5]), np.array([0, 0])])
    ([3, 0], [3, 1])
    """
    lows = [int(np.minimum.reduce(values)) for values in columns]  # quicker than its method, which is felt
    return lows, [int(np.maximum.reduce(values)) - low + 1 for values, low in zip(columns, lows, strict=True)]


def encode(columns: Sequence[IntArray], lows: Sequence[int], spans: Sequence[int]) -> IntArray:
    """Return the lattice point of each row, `int64[m]`, in the same order; there are fewer than 2**62 points.

    `columns` are `int64[m]` each; column i runs over `spans[i]` values from `lows[i]`.

    >>> encode(np.array([[0, 2, 0], [1, 0, 1]]), [0, 0], [3, 2]).tolist()
    [1, 4, 1]
    """
    if len(columns) == 1:
        return np.subtract(columns[0], lows[0], dtype=np.int64)
    keys = np.zeros(len(columns[0]), np.int64)
    for values, low, span in zip(columns, lows, spans, strict=True):
        if span > 1:
            keys *= span
            keys += values
            keys -= low
    return keys


def decode(keys: IntArray, lows: Sequence[int], spans: Sequence[int]) -> IntArray:
    """Return the rows at lattice points `int64[m]`, as `int64[m, k]`: the inverse of `encode`.

    >>> decode(np.array([1, 4]), [0, 0], [3, 2]).tolist()
    [[0, 1], [2, 0]]
    """
    if len(lows) == 1:
        return (keys + lows[0])[:, None]
    rows = np.empty((len(keys), len(lows)), np.int64)
    for place, (values, low) in enumerate(zip(np.unravel_index(keys, spans), lows, strict=True)):
        np.add(values, low, out=rows[:, place])
    return rows


def merge_rows(rows: IntArray, weights: WeightArray) -> tuple[IntArray, WeightArray]:
    """Return the distinct rows of positive weight, `int64[m, k]`, in lexicographic order, with their summed weights.

    >>> rows, weights = merge_rows(np.array([[2], [1], [2]]), np.array([1, 5, 1]))
    >>> rows.tolist(), weights.tolist()
    ([[1], [2]], [5, 2])
    """
    merged_columns, weights = merge_columns(
        list(np.ascontiguousarray(rows.T)), weights
    )  # numpy reduces contiguous memory faster
    return rows[merged_columns], weights


def merged_table(columns: Sequence[IntArray], weights: WeightArray) -> tuple[IntArray, WeightArray]:
    """Return the distinct rows of columns `int64[m]`, sorted, without those of weight 0, and their summed weights.

    Rows are `int64[m, k]`, with a column for each of the k columns.

    >>> rows, weights = merged_table([np.array([2, 1, 2]), np.array([0, 0, 0])], np.array([1, 5, 1]))
    >>> rows.tolist(), weights.tolist()
    ([[1, 0], [2, 0]], [5, 2])
    """
    if weights.dtype == np.int64 and len(weights):
        lows, spans = lattice(columns)
        if prod(spans) <= SPARSE * len(weights):
            sums = np.bincount(encode(columns, lows, spans), weights)
            if np.add.reduce(sums) < EXACT_FLOAT:
                (keys,) = sums.nonzero()
                return decode(keys, lows, spans), sums[keys].astype(np.int64)
    merged_columns, weights = merge_columns(columns, weights)
    return np.stack([values[merged_columns] for values in columns], axis=1, dtype=np.int64), weights


def merge_columns(columns: Sequence[IntArray], weights: WeightArray) -> tuple[IntArray, WeightArray]:
    """Return the index of the first of each distinct row of positive weight, and its summed weight.

    `columns` are `int64[m]` each; indices follow the lexicographic order of the rows.

    >>> kept, weights = merge_columns([np.array([2, 1, 2]), np.array([0, 0, 0])], np.array([1, 5, 1]))
    >>> kept.tolist(), weights.tolist()
    ([1, 0], [5, 2])
    """
    possible = np.flatnonzero(weights)
    if len(possible) != len(weights):
        columns, weights = [values[possible] for values in columns], weights[possible]
    if not possible.size:
        return possible, weights
    lows, spans = lattice(columns)
    if prod(spans) > LARGEST:  # there a row goes by its rank
        keys: IntArray = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)[1].ravel()
    else:
        keys = encode(columns, lows, spans)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return possible[order[first]], np.add.reduceat(weights[order], first)


@dataclass(frozen=True, eq=False)
class Table:
    """Distinct outcomes and their weights, as the head of this module has them; a `Pmf` without its arithmetic."""

    columns: tuple[str, ...]
    outcomes: IntArray
    weights: WeightArray

    @cached_property
    def total(self) -> Any:
        """The sum of the weights: an int, or a float where weights are floats."""
        return sum(self.weights.tolist())

    @property
    def is_exact(self) -> bool:
        """Whether weights are integers, so that every probability is an exact fraction."""
        return self.weights.dtype != np.float64

    def __len__(self) -> int:
        """Return the number of distinct outcomes."""
        return len(self.outcomes)

    @cached_property
    def p(self) -> FloatArray:
        """Probabilities, `float64[m]`, in the order of `outcomes`."""
        if self.weights.dtype == object:
            return np.array([int(weight) / self.total for weight in self.weights])
        return np.asarray(self.weights / self.total, dtype=np.float64)

    def __getitem__(self, column: str) -> IntArray:
        """Return the values of one column, `int64[m]`."""
        return self.outcomes[:, self._place(column)]

    def _place(self, column: str) -> int:
        if column not in self.columns:
            tip = suggestion(column, self.columns)
            raise UsageError(f"no column {column!r}; columns are {', '.join(self.columns)}", tip)
        return self.columns.index(column)

    def marginal(self, *columns: str) -> Self:
        """Return the distribution of some of the columns.

        >>> from balance.chance.pmf import Pmf
        >>> Pmf.of({(1, 0): 2, (1, 1): 1}, ["hits", "flags"]).marginal("hits").to_dict()
        {'hits': [1], 'weight': [3]}
        """
        return type(self)(columns, *merged_table([self[name] for name in columns], self.weights))
