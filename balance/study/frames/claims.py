"""What may be claimed of a report table: the fields that a finding may hold, and which of its numbers differ.

A finding says in words of its own only where its numbers stand; so does a caution, in another place. Whatever compares
them, such as which is the highest or whether one is more than another, is a field, and so comes out as the numbers have
it. Numbers that are exact differ if they are not equal; simulated ones if the interval of their difference leaves out 0
(after Newcombe, 1998), widened after Bonferroni where one number is held against several.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from string import Formatter
from typing import Any

import numpy as np

from balance.base.arrays import FloatArray
from balance.base.errors import Fault, unknown
from balance.base.numbers import EVEN_BAND
from balance.chance.trials.estimate import LEVEL, Estimate
from balance.chance.trials.stopping import normal_width

Row = Mapping[str, Any]
ROUNDING = 1e-9
DRAWS = 2_000
ENDS = ("most", "least", "largest")
FIELDS: Mapping[str, tuple[str, ...]] = {
    "cell": ("ROW", "COLUMN"),
    "than": ("ROW", "COLUMN", "ROW", "COLUMN"),
    "row_range": ("ROW",),
    "column_range": ("COLUMN",),
    **{name: ("COLUMN",) for end in ENDS for name in (end, f"{end}_row")},
    **{name: () for end in ENDS for name in (f"{end}_column", f"{end}_range")},
    "shares": (),
    "even_row": ("COLUMN",),
}
"""Field -> what stands in brackets behind it; of `most`, `least`, `largest` and `even_row` it may be left out."""
OF_SOLUTIONS = ("value", "remedy")
"""Fields of a headline that say what a solution is worth, and which change makes it even."""
_FIELD = re.compile(r"(?:([a-z][a-z0-9_]*)\.)?([a-z_]+)((?:\[[^\[\]]+\])*)")


@dataclass(frozen=True)
class Field:
    """One field of a finding, such as `cell[ROW][COLUMN]`; in a headline its table may stand before a dot."""

    name: str
    labels: tuple[str, ...] = ()
    table: str = ""

    def __str__(self) -> str:
        """Return it as it is written between the braces."""
        table = f"{self.table}." if self.table else ""
        return table + self.name + "".join(f"[{label}]" for label in self.labels)

    @property
    def of_all(self) -> bool:
        """Whether it compares cells of all columns, which must then measure the same thing."""
        return not self.labels and self.name.partition("_")[0] in (*ENDS, "shares", "even")


def fields_of(finding: str) -> Iterator[tuple[str, Field | None]]:
    """Yield the words of a finding, each with the field that follows them, None at the end.

    >>> for words, field in fields_of("{most_row} has {duels.cell[a][b]}."):
    ...     print(repr(words), field)
    '' most_row
    ' has ' duels.cell[a][b]
    '.' None
    """
    for words, text, _, _ in Formatter().parse(finding):
        if text is None:
            yield words, None
            continue
        match = _FIELD.fullmatch(text)
        if match is None:
            yield words, Field(text)
        else:
            yield words, Field(match[2], tuple(re.findall(r"\[([^\[\]]+)\]", match[3])), match[1] or "")


def claim_faults(finding: str, kinds: int, place: str = "finding") -> Iterator[Fault]:
    """Yield what is wrong with a finding of a table with `kinds` kinds of numbers; `place` is its setting."""
    fields, faults = _fields(finding, place)
    yield from faults
    for field in fields:
        yield from _field_faults(field, "" if field.table else field.name, kinds, place)


def headline_faults(
    headline: str, own: str, kinds_of: Mapping[str, int], solutions: Collection[str]
) -> Iterator[Fault]:
    """Yield what is wrong with the headline of a first page, whose fields may name a table, or else mean `own`.

    `kinds_of` gives the number of kinds of numbers by table, `solutions` are the ids of what is solved.
    """
    place = "first_page.headline"
    fields, faults = _fields(headline, place)
    yield from faults
    for field in fields:
        table = field.table or own
        if field.name in OF_SOLUTIONS and table in solutions:
            continue
        if table not in kinds_of:
            yield unknown(table or str(field), kinds_of, "is no table of this report", field=place)
        else:
            yield from _field_faults(field, field.name, kinds_of[table], place)


def _fields(claim: str, place: str) -> tuple[list[Field], list[Fault]]:
    """Return the fields of a claim, and a fault if its braces cannot be parsed."""
    try:
        return [field for _, field in fields_of(claim) if field is not None], []
    except ValueError as error:
        tip = "write a brace twice to print it"
        return [], [Fault(f"has braces that do not fit: {error}", field=place, tip=tip)]


def _field_faults(field: Field, name: str, kinds: int, place: str) -> Iterator[Fault]:
    """Yield what is wrong with a field: an unknown name, a wrong number of labels, or columns that do not compare."""
    legal_text = ", ".join(name + "".join(f"[{word}]" for word in words) for name, words in FIELDS.items())
    field_text, axes = str(field), FIELDS.get(name)
    if axes is None or (len(field.labels) != len(axes) and not field.of_all):
        yield Fault(f"is no field of a {place.rpartition('.')[2]}", "", None, place, field_text, legal_text)
    elif field.of_all and kinds > 1:
        end = field.name.partition("_")[0]
        tip = f"name one: {end}[COLUMN]" if end in ENDS else ""
        yield Fault("compares columns that measure different things", "", None, place, field_text, tip=tip)


def claim_gaps(
    finding: str, rows: Collection[str], columns: Collection[str], place: str = "finding"
) -> Iterator[Fault]:
    """Yield a fault for each field of a sound finding whose row or column the table lacks, as if a card was removed."""
    for field in [field for _, field in fields_of(finding) if field is not None]:
        yield from _field_gaps(field, rows, columns, place)


def headline_gaps(
    headline: str, own: str, axes_of: Mapping[str, tuple[Collection[str], Collection[str]]]
) -> Iterator[Fault]:
    """Yield a fault for each field of a sound headline whose row or column its table lacks.

    `axes_of` gives the labels of rows and columns by table.
    """
    for field in [field for _, field in fields_of(headline) if field is not None]:
        rows, columns = axes_of.get(field.table or own, ((), ()))
        if field.name not in OF_SOLUTIONS:
            yield from _field_gaps(field, rows, columns, "first_page.headline")


def _field_gaps(field: Field, rows: Collection[str], columns: Collection[str], place: str) -> Iterator[Fault]:
    axes = zip(field.labels, FIELDS[field.name], strict=False)
    if any(label not in (rows if axis == "ROW" else columns) for label, axis in axes):
        yield Fault("is no cell of this table", "", None, place, str(field))


def rank(row: Row) -> float | None:
    """Return the number that a cell sorts by: its value, or the last step of a worth beyond its steps."""
    value = row["beyond"] if row["value"] is None else row["value"]
    return None if value is None else float(value)


def apart(first: Row, second: Row, n_looks: int = 1, *, by_size: bool = False) -> int:
    """Return 1 or -1 if one cell is significantly above or below another, else 0, by Newcombe's interval.

    `n_looks` comparisons hold together (Bonferroni); `by_size` compares absolute values.

    >>> exact = {"value": 0.5, "beyond": None, "low": None, "high": None}
    >>> loose = {"value": 0.6, "beyond": None, "low": 0.45, "high": 0.75}
    >>> apart(exact | {"value": 0.6}, exact), apart(loose, exact)
    (1, 0)
    """
    x, y = (_estimate(row, by_size) for row in (first, second))
    difference, wider = x.value - y.value, normal_width(1 - (1 - LEVEL) / max(1, n_looks)) / normal_width(LEVEL)
    if difference - wider * hypot(x.value - x.low, y.high - y.value) > ROUNDING:
        return 1
    return -1 if difference + wider * hypot(x.high - x.value, y.value - y.low) < -ROUNDING else 0


def _estimate(row: Row, by_size: bool) -> Estimate:
    """Return a cell's number with its interval; with `by_size` its absolute value."""
    value = rank(row) or 0.0
    estimate = Estimate.exact(value) if row["low"] is None else Estimate(value, row["low"], row["high"])
    return -estimate if by_size and value < 0 else estimate


def is_even(row: Row) -> bool:
    """Return whether the whole interval of a share lies within `EVEN_BAND`.

    >>> is_even({"value": 0.5, "low": 0.46, "high": 0.54}), is_even({"value": 0.5, "low": 0.44, "high": 0.56})
    (True, False)
    """
    if row["value"] is None:
        return False
    low, high = (row["value"] if row[end] is None else row[end] for end in ("low", "high"))
    return bool(EVEN_BAND[0] <= low and high <= EVEN_BAND[1])


@dataclass(frozen=True)
class Shares:
    """The shares of a table's variance that rows and columns explain.

    `sign` is 1 if rows surely explain more, -1 if columns do, else 0.
    """

    rows: Estimate
    columns: Estimate
    sign: int


def variance_shares(cells: Sequence[Row], n_columns: int, seed: int = 0) -> Shares | None:
    """Return the shares of variance between rows and between columns, None if a cell is missing or none varies.

    The rest is interaction and the dice of simulated cells; the intervals come from a parametric bootstrap, which draws
    each cell anew by its error. `cells` come row by row.
    """
    values = [rank(row) for row in cells]
    if None in values or len({value for value in values if value is not None}) < 2:
        return None
    grid = np.array(values, np.float64).reshape(-1, n_columns)
    halves = np.array([0.0 if row["low"] is None else (row["high"] - row["low"]) / 2 for row in cells])
    errors = halves.reshape(grid.shape) / normal_width(LEVEL)
    draws = _shares(grid + errors * np.random.default_rng(seed).standard_normal((DRAWS, *grid.shape)))
    best = _shares(grid[None])
    rows, columns = (_symmetric_estimate(float(numbers[0]), numbers[1:]) for numbers in np.concatenate([best, draws]).T)
    more = _symmetric_estimate(float(best[0, 0] - best[0, 1]), draws[:, 0] - draws[:, 1])
    return Shares(rows, columns, 1 if more.low > ROUNDING else -1 if more.high < -ROUNDING else 0)


def _symmetric_estimate(best: float, draws: FloatArray) -> Estimate:
    """Return an estimate with a symmetric interval that reaches the farther 95 % quantile, as draws are biased."""
    half = float(np.abs(np.quantile(draws, [0.025, 0.975]) - best).max())
    return Estimate(best, best - half, best + half, len(draws), "fitted")


def _shares(grids: FloatArray) -> FloatArray:
    """Return `float64[k, 2]`: the shares of variance between row means and column means of k grids."""
    middle = grids.mean(axis=(1, 2))
    whole = grids.var(axis=(1, 2))
    by_row = ((grids.mean(axis=2) - middle[:, None]) ** 2).mean(axis=1)
    by_column = ((grids.mean(axis=1) - middle[:, None]) ** 2).mean(axis=1)
    return np.asarray(np.stack([by_row, by_column], axis=1) / whole[:, None])
