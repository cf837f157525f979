"""Evaluate parts without dice for many values of the names in them at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from balance.chance.dice.exact.expressions import COMPARE
from balance.chance.dice.exact.rows import Values
from balance.chance.dice.tree import (
    Applied,
    Best,
    Comparison,
    Gives,
    If,
    Logic,
    LookUp,
    Name,
    Node,
    Not,
    Number,
    Product,
    Quotient,
    Span,
    Sum,
)


def values_of(node: Node, numbers: Mapping[str, Values]) -> Values:
    """Return the value of a part without dice, `int64[n]`, or a scalar where all values of `numbers` are scalars.

    Raise UsageError if a look-up table lacks a value, and TypeError if the part has dice.

    >>> values_of(Sum(((1, Name("hits")), (-1, Number(2)))), {"hits": np.array([5, 1])}).tolist()
    [3, -1]
    """
    match node:
        case Number():
            return np.asarray(node.value, np.int64)
        case Name():
            return np.asarray(numbers[node.text], np.int64)
        case Product():
            return np.asarray(reduce(np.multiply, (values_of(factor, numbers) for factor in node.factors)))
        case If() | Gives():
            return _branched(node, numbers)
        case Sum() | Quotient() | Applied() | Not() | Comparison() | Best() | Logic() | LookUp():
            return combined(node, lambda part: values_of(part, numbers))
        case _:
            raise TypeError(f"{node} has dice")


def combined(
    node: Sum | Quotient | Applied | Not | Comparison | Best | Logic | LookUp, value: Callable[[Node], Values]
) -> Values:
    """Return a part computed from its subparts, rolled or not, `int64[n]`.

    `value` gives the values of a subpart, `int64[n]` or one for all; it is called once for each, in written order.
    """
    match node:
        case Sum():
            terms = (value(term) if sign == 1 else sign * value(term) for sign, term in node.terms)
            return np.asarray(reduce(np.add, terms))
        case Quotient():
            return np.asarray(node.of(value(node.over)))
        case Applied():
            return np.asarray(node.function.of(value(node.of)))
        case Not():
            return np.asarray(value(node.of) == 0).astype(np.int64)
        case Comparison():
            return _compared(node, value)
        case Best():
            totals = np.sort(np.stack(np.broadcast_arrays(*map(value, node.parts))), axis=0)
            kept = totals[-node.n_totals :] if node.highest else totals[: node.n_totals]
            return np.asarray(kept.sum(axis=0))
        case Logic():
            holds = [value(part) != 0 for part in node.parts]
            join = np.logical_and if node.word == "and" else np.logical_or
            return np.asarray(reduce(join, holds), np.int64)
        case LookUp():
            places = np.stack(np.broadcast_arrays(*(np.atleast_1d(value(place)) for place in node.places)), axis=1)
            rows, row_of = np.unique(places, axis=0, return_inverse=True)
            return np.array([node.chart.at(*row) for row in rows.tolist()], np.int64)[row_of.ravel()]


def _compared(node: Comparison, value: Callable[[Node], Values]) -> Values:
    totals = value(node.first)
    if isinstance(node.second, Span):
        within = (totals >= node.second.low) & (totals <= node.second.high)
        return np.asarray(within == (node.sign == "=")).astype(np.int64)
    holds: Callable[[Any, Any], Any] = COMPARE[node.sign]
    return np.asarray(holds(totals, value(node.second)), np.int64)


def _branched(node: If | Gives, numbers: Mapping[str, Values]) -> Values:
    if isinstance(node, If):
        return _chosen(np.atleast_1d(values_of(node.condition, numbers) != 0), [node.then, node.otherwise], numbers)
    totals = np.atleast_1d(values_of(node.of, numbers))
    if len(totals) == 1:
        return values_of(node.branch(int(totals[0])), numbers)
    rest, results = np.ones(totals.shape, bool), np.zeros(totals.shape, np.int64)
    for faces, branch in node.branches:
        holds = rest if faces is None else rest & np.isin(totals, [v for v in {*totals.tolist()} if faces.has(v)])
        results = np.where(holds, _of_rows(branch, holds, numbers), results)
        rest = rest & ~holds
    return results


def _chosen(holds: Values, branches: Sequence[Node], numbers: Mapping[str, Values]) -> Values:
    then, otherwise = branches
    if (n_holding := int(np.count_nonzero(holds))) in (0, len(holds)):  # the same for all
        return values_of(then if n_holding else otherwise, numbers)
    return np.where(holds, _of_rows(then, holds, numbers), _of_rows(otherwise, ~holds, numbers))


def _of_rows(node: Node, is_meant: Values, numbers: Mapping[str, Values]) -> Values:
    """Evaluate a part in the rows where it is meant, and put 0 in the others, where it may be invalid."""
    results = np.zeros(is_meant.shape, np.int64)
    if is_meant.any():
        rows = {
            name: value[is_meant] if np.ndim(value) and len(value) > 1 else value for name, value in numbers.items()
        }
        results[is_meant] = values_of(node, rows)
    return results
