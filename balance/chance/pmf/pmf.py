"""Exact finite distributions over named integer columns.

A `Pmf` is a table of distinct integer outcomes, one column per name, each with a positive weight. Weights are integers
of any size, so that an enumerated distribution is exact; the probability of an outcome is its weight over `total`. A
distribution summed up by a floating-point programme (a duel without end) carries float weights instead, and says so
through `is_exact`.

Outcomes are sorted lexicographically and never repeat: two distributions are equal when their tables are proportional.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from inspect import CO_VARARGS, CO_VARKEYWORDS, signature
from math import gcd, inf, lcm
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from balance.base.arrays import IntArray
from balance.base.errors import UsageError
from balance.chance.pmf.arrays import LARGEST, Table, WeightArray, as_weights, merge_rows, merged_table, widen
from balance.chance.statistics import Statistics

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from balance.chance.pmf.agreement import Agreement

Columns = Mapping[str, Any]
LONGEST_TOTAL = 128
"""Bits of a total that is told in digits."""
STAR_FLAGS = CO_VARARGS | CO_VARKEYWORDS


@dataclass(frozen=True, eq=False)
class Pmf(Table, Statistics):
    """A distribution over named integer columns; build one with `of`, `from_faces`, `die` or `pool`.

    Parameters
    ----------
    columns
        Names of the columns, k of them.
    outcomes
        `int64[m, k]`, m >= 1 distinct rows, sorted.
    weights
        `[m]`, positive: int64, Python integers (object) or float64.

    >>> twos = die(6).map(lambda value: {"twos": value == 2})
    >>> twos.mean("twos"), twos.fraction(lambda twos: twos == 1)
    (0.16666666666666666, Fraction(1, 6))
    """

    # -- makers ---------------------------------------------------------------------------------------------------

    @classmethod
    def from_rows(cls, columns: Sequence[str], rows: npt.ArrayLike, weights: WeightArray | Iterable[Any]) -> Pmf:
        """Build a distribution from `rows` [m, k] that may repeat and their `weights` [m]; weights of 0 are dropped.

        Parameters
        ----------
        columns
            Names of the k columns.
        rows
            The outcomes, integers `[m, k]`.
        weights
            The weight of each row, 0 or more.

        Raises
        ------
        UsageError
            Shapes do not fit, a weight is negative or not finite, or nothing is left.

        >>> Pmf.from_rows(["hit"], [[1], [0], [1]], [1, 1, 2]).to_dict()
        {'hit': [0, 1], 'weight': [1, 3]}
        """
        table, row_weights = np.asarray(rows), as_weights(weights)
        names = tuple(columns)
        if table.shape != (len(row_weights), len(names)) or len(set(names)) != len(names):
            raise UsageError(f"rows of shape {table.shape} do not fit {len(row_weights)} weights and columns {names}")
        if table.dtype.kind not in "iub":
            raise UsageError(f"outcomes must be integers, found dtype {table.dtype}")
        if not (row_weights >= 0).all() or not 0 < sum(row_weights.tolist()) < inf:
            raise UsageError("weights must be finite, not negative, and not all zero")
        return cls(names, *merge_rows(table.astype(np.int64), row_weights))

    @classmethod
    def of(cls, weights: Mapping[Any, int] | Iterable[Any], columns: str | Sequence[str] = "value") -> Pmf:
        """Build a distribution from {outcome: weight}, or equally likely outcomes; each is an int or a tuple.

        Parameters
        ----------
        weights
            Weights by outcome, or outcomes of weight 1.
        columns
            The name of the column, or of each column where outcomes are tuples.

        >>> Pmf.of({(1, 0): 2, (0, 1): 1}, ["hits", "flags"]).mean("hits")
        0.6666666666666666
        >>> Pmf.of([1, 2, 2]).to_dict()
        {'value': [1, 2], 'weight': [1, 2]}
        """
        names = (columns,) if isinstance(columns, str) else tuple(columns)
        pairs = list(weights.items()) if isinstance(weights, Mapping) else [(outcome, 1) for outcome in weights]
        rows = [outcome if isinstance(outcome, tuple) else (outcome,) for outcome, _ in pairs]
        if {len(row) for row in rows} != {len(names)}:
            raise UsageError(f"outcomes must be one or more, each with a value for {names}")
        return cls.from_rows(names, rows, [weight for _, weight in pairs])

    @classmethod
    def from_faces(cls, faces: Sequence[Mapping[str, int]]) -> Pmf:
        """Build the distribution of a die whose faces carry symbols, each a {symbol: how many}; equal faces merge.

        >>> Pmf.from_faces([{"hit": 1}, {"hit": 1, "flag": 1}, {}, {}]).to_dict()
        {'hit': [0, 1, 1], 'flag': [0, 0, 1], 'weight': [2, 1, 1]}
        """
        names = tuple(dict.fromkeys(symbol for face in faces for symbol in face))
        if not names:
            raise UsageError("a die needs a face that carries a symbol")
        face_counts: dict[tuple[int, ...], int] = {}
        for face in faces:
            outcome = tuple([face.get(name, 0) for name in names])
            face_counts[outcome] = face_counts.get(outcome, 0) + 1
        rows = sorted(face_counts)
        table, weights = np.array(rows), np.array([face_counts[outcome] for outcome in rows])
        return cls(names, table, weights) if table.dtype == np.int64 else cls.from_rows(names, table, weights)

    # -- numbers --------------------------------------------------------------------------------------------------

    def __eq__(self, value: object) -> bool:
        """Return whether both give the same outcomes the same probabilities, compared in integers."""
        if not isinstance(value, Pmf):
            return NotImplemented
        same_outcomes = self.columns == value.columns and np.array_equal(self.outcomes, value.outcomes)
        return same_outcomes and bool(np.array_equal(self._reduced_weights(), value._reduced_weights()))

    __hash__: Callable[[], int] = None  # type: ignore[assignment]  # a table of arrays is not a dictionary key

    def _reduced_weights(self) -> WeightArray:
        return self.weights // gcd(*self.weights.tolist()) if self.is_exact else self.weights / self.total

    def mean(self, column: str | None = None) -> float:
        """Return the mean of a column; exact distributions are summed in integers first.

        >>> die(6).mean("value")
        3.5
        """
        return super().mean(column) if self.is_exact else float(self.p @ self._values(column))

    def variance(self, column: str | None = None) -> float:
        """Return the variance of a column.

        >>> die(6).variance("value")
        2.9166666666666665
        """
        if self.is_exact:
            return super().variance(column)
        values = self._values(column)
        away = values - values[0]  # so that rounding adds nothing to a column of one value
        return float(self.p @ (away - self.p @ away) ** 2)

    def weights_of(self, column: str | None = None) -> Mapping[int, Any]:
        """Return the weight of each value of a column, values rising; raise UsageError where there is none such."""
        marginal = self.marginal(self.columns[0] if column is None else column)
        return dict(zip(marginal.outcomes[:, 0].tolist(), marginal.weights.tolist(), strict=True))

    def _values(self, column: str | None) -> IntArray:
        return self[self.columns[0] if column is None else column]

    def _moment(self, column: str | None, power: int) -> Fraction:
        values, weights = self._values(column), self.weights
        if weights.dtype == np.int64 and self.total * int(np.abs(values).max(initial=0)) ** power <= LARGEST:
            return Fraction(int(weights @ values**power), self.total)
        pairs = zip(values.tolist(), weights.tolist(), strict=True)
        return Fraction(sum(int(value) ** power * int(weight) for value, weight in pairs)) / Fraction(self.total)

    def _weight_where(self, event: Callable[..., Any]) -> Any:
        happens = np.asarray(self._call(event), dtype=bool)
        return sum(self.weights[happens].tolist())

    # -- new distributions from old -------------------------------------------------------------------------------

    def _arrays(self) -> dict[str, IntArray]:
        return {name: self.outcomes[:, place] for place, name in enumerate(self.columns)}

    def _call(self, function: Callable[..., Any]) -> Any:
        """Call a function with the columns that its parameters name, or with all if it takes **keywords."""
        required_names, optional_names = _parameters(function)
        if optional_names is None:
            return function(**self._arrays())
        arguments = {name: self[name] for name in required_names}
        return function(**arguments, **{name: self[name] for name in optional_names if name in self.columns})

    def map(self, function: Callable[..., Columns]) -> Pmf:
        """Return the distribution of new columns computed from the old ones, given and returned by name as arrays [m].

        >>> die(6).map(lambda value: {"low": value <= 2}).to_dict()
        {'low': [0, 1], 'weight': [4, 2]}
        """
        new, n = self._call(function), len(self)
        columns = [np.asarray(values) for values in new.values()]
        if not all(values.dtype.kind in "iub" for values in columns):
            return Pmf.from_rows(tuple(new), np.stack([np.broadcast_to(x, n) for x in columns], axis=1), self.weights)
        whole = [(x if x.shape == (n,) else np.broadcast_to(x, n)).astype(np.int64) for x in columns]
        return Pmf(tuple(new), *merged_table(whole, self.weights))

    def where(self, event: Callable[..., Any]) -> Pmf:
        """Return the distribution given that an event happened.

        Raises
        ------
        UsageError
            The event cannot happen.

        >>> die(6).where(lambda value: value > 4).to_dict()
        {'value': [5, 6], 'weight': [1, 1]}
        """
        mask = np.asarray(self._call(event), dtype=bool)
        if not mask.any():
            raise UsageError("cannot condition on an event of probability 0")
        return Pmf(self.columns, self.outcomes[mask], self.weights[mask])

    def __add__(self, addend: Pmf) -> Pmf:
        """Return the distribution of the sum of two independent ones, column by column; a missing column counts 0.

        >>> (die(6) + die(6)).fraction(lambda value: value == 7)
        Fraction(1, 6)
        """
        names = tuple(dict.fromkeys(self.columns + addend.columns))
        own_terms, right = self._widened_to(names), addend._widened_to(names)
        rows = (own_terms[:, None, :] + right[None, :, :]).reshape(len(own_terms) * len(right), len(names))
        return Pmf(names, *merge_rows(rows, self._products(addend)))

    def joint(self, second: Pmf) -> Pmf:
        """Return the distribution of two independent distributions side by side; their columns must differ.

        >>> die(2).joint(die(2, "other")).columns
        ('value', 'other')
        """
        if shared := set(self.columns) & set(second.columns):
            raise UsageError(f"both distributions have a column {min(shared)!r}")
        n, m, k = len(self), len(second), len(self.columns)
        rows = np.empty((n, m, k + len(second.columns)), np.int64)  # which is sorted as both are
        rows[:, :, :k], rows[:, :, k:] = self.outcomes[:, None], second.outcomes
        table, weights, columns = rows.reshape(n * m, -1), self._products(second), self.columns + second.columns
        exact = self.is_exact and second.is_exact  # else a weight may have become 0
        return Pmf(columns, table, weights) if exact else Pmf(columns, *merge_rows(table, weights))

    def then(self, function: Callable[..., Pmf]) -> Pmf:
        """Return the joint distribution of this and one that depends on it: `function` gets an outcome, by name.

        >>> from balance.chance.pmf import pool
        >>> heads = die(2).then(lambda value: pool(Pmf.of([0, 1], "heads"), value))
        >>> heads.marginal("heads").to_dict()
        {'heads': [0, 1, 2], 'weight': [3, 4, 1]}
        """
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.outcomes.tolist()]
        distributions = [Pmf.of([tuple(row.values())], self.columns).joint(function(**row)) for row in rows]
        return mixture(zip(self.weights.tolist(), distributions, strict=True))

    def _widened_to(self, names: Sequence[str]) -> IntArray:
        rows = np.zeros((len(self), len(names)), np.int64)
        rows[:, [names.index(name) for name in self.columns]] = self.outcomes
        return rows

    def _products(self, second: Pmf) -> WeightArray:
        largest = self.total * second.total
        own_weights, right = widen(self.weights, largest), widen(second.weights, largest)
        return np.asarray(own_weights[:, None] * right).ravel()

    # -- against a sample, and out of here ------------------------------------------------------------------------

    def agreement(self, sample: Pmf) -> Agreement:
        """Compare with a sample whose weights are counts: G-tests of all columns together, and of each by itself.

        >>> round(die(2).agreement(Pmf.of({1: 480, 2: 520})).p_value, 3)
        0.206
        """
        from balance.chance.pmf.agreement import agreement_of

        return agreement_of(self, sample)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the table as {column: values} with a last column `weight`; table libraries accept it as it is."""
        return {**{name: self[name].tolist() for name in self.columns}, "weight": self.weights.tolist()}

    def to_polars(self) -> pl.DataFrame:
        """Return a polars frame: the columns as Int64, and the probability `p` as Float64."""
        from balance.chance.pmf import export

        return export.to_polars(self)

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas frame: the columns as int64, and the probability `p`."""
        from balance.chance.pmf import export

        return export.to_pandas(self)

    def to_markdown(self, digits: int = 4) -> str:
        """Return a Markdown table: the columns, and the probability with `digits` digits after the point."""
        from balance.chance.pmf import export

        return export.to_markdown(self, digits)

    def __repr__(self) -> str:
        """Return a short description: columns, number of outcomes, kind of weights."""
        total = self.total
        short = not isinstance(total, int) or total.bit_length() <= LONGEST_TOTAL
        whole = f"total {total}" if short else f"total of {total.bit_length():,} bits"
        kind = whole if self.is_exact else "float weights"
        return f"Pmf({', '.join(self.columns)}: {len(self)} outcomes, {kind})"


def _parameters(function: Callable[..., Any]) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """Return the column names that a function requires, and those it may take (None: any, by **keywords)."""
    if isinstance(function, FunctionType) and not function.__dict__ and not function.__defaults__:
        code = function.__code__  # as of most; `signature` takes longer than a small pool
        if not (code.co_kwonlyargcount or code.co_posonlyargcount or code.co_flags & STAR_FLAGS):
            return code.co_varnames[: code.co_argcount], ()
    parameters = signature(function).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return (), None
    required_names = tuple(parameter.name for parameter in parameters if parameter.default is parameter.empty)
    return required_names, tuple(p.name for p in parameters if p.default is not p.empty)


def die(faces: int, column: str = "value") -> Pmf:
    """Return the distribution of a fair die with faces 1 to `faces`.

    Parameters
    ----------
    faces
        Number of faces, 1 or more.
    column
        Name of the column.

    >>> die(4).to_dict()
    {'value': [1, 2, 3, 4], 'weight': [1, 1, 1, 1]}
    """
    if faces < 1:
        raise UsageError(f"a die has at least 1 face, found {faces}")
    return Pmf((column,), np.arange(1, faces + 1)[:, None], np.ones(faces, np.int64))


def mixture(parts: Iterable[tuple[Any, Pmf]]) -> Pmf:
    """Return the distribution of a draw from one of several, each chosen in proportion to its weight.

    Raises
    ------
    UsageError
        No parts, or parts with different columns.

    >>> mixture([(1, die(2)), (1, die(4))]).fraction(lambda value: value == 1)
    Fraction(3, 8)
    """
    pairs = [(weight, distribution) for weight, distribution in parts if weight]
    columns = {distribution.columns for _, distribution in pairs}
    if len(columns) != 1:
        raise UsageError("a mixture needs at least one distribution, and the same columns in each")
    exact = all(distribution.is_exact and isinstance(weight, int) for weight, distribution in pairs)
    if exact:
        common = lcm(*(distribution.total for _, distribution in pairs))
        total = common * sum(weight for weight, _ in pairs)
        scaled_weights = [widen(part.weights, total) * (weight * (common // part.total)) for weight, part in pairs]
    else:
        scaled_weights = [(part.weights * (weight / part.total)).astype(np.float64) for weight, part in pairs]
    rows = np.concatenate([distribution.outcomes for _, distribution in pairs])
    return Pmf(columns.pop(), *merge_rows(rows, np.concatenate(scaled_weights)))
