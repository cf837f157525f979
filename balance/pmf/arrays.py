"""Rows of integers with weights: merge equal rows, and choose a weight type that cannot overflow.

A table of outcomes is `int64[m, k]`, one row per outcome and one column per name; its weights are `[m]`, of dtype
int64 while every sum and product is known to stay below 2**62, of dtype object (Python integers) beyond that, and
float64 when they are probabilities rather than counts.
"""

from __future__ import annotations

from math import prod
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["IntArray", "WeightArray", "as_weights", "merge_rows", "row_keys", "widen"]

IntArray: TypeAlias = npt.NDArray[np.integer[Any]]
WeightArray: TypeAlias = npt.NDArray[Any]

LARGEST = 2**62
"""Totals up to this fit int64 with room for one addition."""


def as_weights(weights: object) -> WeightArray:
    """Return weights as int64, object (large integers) or float64.

    >>> as_weights([1, 2]).dtype, as_weights([2**80]).dtype, as_weights([0.5]).dtype
    (dtype('int64'), dtype('O'), dtype('float64'))
    """
    array = np.asarray(weights)
    if array.dtype == object:
        return array if sum(array.tolist()) > LARGEST else array.astype(np.int64)
    if array.dtype.kind in "iub":
        return array.astype(np.int64) if sum(array.tolist()) <= LARGEST else array.astype(object)
    return array.astype(np.float64)


def widen(weights: WeightArray, largest: float) -> WeightArray:
    """Return weights able to hold integers up to `largest`: unchanged, or as Python integers.

    >>> widen(np.array([3]), 2**70).dtype
    dtype('O')
    """
    return weights.astype(object) if weights.dtype == np.int64 and largest > LARGEST else weights


def row_keys(rows: IntArray) -> IntArray:
    """Return one integer per row, ordered as the rows are lexicographically.

    Parameters
    ----------
    rows
        `int64[m, k]` with m >= 1.

    Returns
    -------
    int64[m]
        Equal keys for equal rows; a mixed-radix number where it fits, else the rank of the row.

    >>> row_keys(np.array([[0, 1], [2, 0], [0, 1]])).tolist()
    [1, 4, 1]
    """
    columns = np.ascontiguousarray(rows.T)  # numpy reduces along contiguous memory many times faster
    low = columns.min(axis=1)
    spans = [int(span) for span in columns.max(axis=1) - low + 1]
    if prod(spans) > LARGEST:
        return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
    keys = np.zeros(len(rows), np.int64)
    for values, lowest, span in zip(columns, low, spans, strict=True):
        keys *= span
        keys += values
        keys -= lowest
    return keys


def merge_rows(rows: IntArray, weights: WeightArray) -> tuple[IntArray, WeightArray]:
    """Return the distinct rows with positive weight, sorted lexicographically, and the sum of weights of each.

    >>> rows, weights = merge_rows(np.array([[2], [1], [2]]), np.array([1, 5, 1]))
    >>> rows.tolist(), weights.tolist()
    ([[1], [2]], [5, 2])
    """
    kept = np.flatnonzero(weights)
    if len(kept) != len(weights):
        rows, weights = rows[kept], weights[kept]
    if len(rows) == 0:
        return rows, weights
    keys = row_keys(rows)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return rows[order[first]], np.add.reduceat(weights[order], first)
