"""Findings of report tables as sentences: the words of the settings, with every comparison worked out.

`most`, `least` and `largest` (without its sign) are the ends of a table, or of one column of it, and say how far they
can be told apart from the rest; `most_row`, `most_column` and `most_range` are where that is and how its row goes from
column to column. `even_row` is the first row of shares that are surely even, `than` says whether one cell is more than
another, and `shares` whether the numbers go with the rows or with the columns. So no claim stands that the numbers do
not make.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from balance.answers.words.lists import list_some
from balance.base.numbers import show_count, show_many, show_probability
from balance.reporting import literal
from balance.reporting.sections.common.cell_text import Row, cell_text, grid
from balance.study.frames.claims import OF_SOLUTIONS, Field, apart, fields_of, is_even, rank, variance_shares
from balance.study.settings.tables import ReportTable

WORDS = {"most": "the highest of {}", "least": "the lowest of {}", "largest": "the largest of {}, either way"}
THAN = {1: "more than", -1: "less than"}


class _MissingCellError(Exception):
    """A finding refers to a cell that the run does not have, so that it is left out."""


def finding_text(part: ReportTable, frame: pl.DataFrame) -> str:
    """Return the finding of a table as marked text; "" if it refers to cells that this run does not have."""
    return _claim_text(part.finding, part, frame)


def caution_text(part: ReportTable, frame: pl.DataFrame) -> str:
    """Return the caution of a table as marked text; "" if it refers to cells that this run does not have."""
    return _claim_text(part.caution, part, frame)


def headline_text(
    headline: str, own: str, tables: Mapping[str, tuple[ReportTable, pl.DataFrame]], values: Mapping[str, str]
) -> str:
    """Return the headline of a first page as marked text; "" if it refers to what this run does not have.

    `own` is the table of fields that name none; `values` has the words on solutions by field and id, such as "value of
    duel".
    """
    try:
        parts = [f"{words}{_headline_field(field, own, tables, values)}" for words, field in fields_of(headline)]
    except (_MissingCellError, KeyError):
        return ""
    return "".join(parts)


def _headline_field(
    field: Field | None, own: str, tables: Mapping[str, tuple[ReportTable, pl.DataFrame]], values: Mapping[str, str]
) -> str:
    if field is None:
        return ""
    if field.name in OF_SOLUTIONS:
        return values[f"{field.name} of {field.table}"]
    return _Claims(*tables[field.table or own]).field_text(field)


def _claim_text(claim: str, part: ReportTable, frame: pl.DataFrame) -> str:
    claims = _Claims(part, frame)
    try:
        parts = [f"{words}{claims.field_text(field) if field else ''}" for words, field in fields_of(claim)]
    except _MissingCellError:
        return ""
    return "".join(parts)


def is_headline(part: ReportTable, frame: pl.DataFrame) -> bool:
    """Return whether the finding of a table belongs on the first page: declared so, or a number is surely so large."""
    if part.headline_from is None:
        return part.headline
    sizes = [
        min(abs(row["low"]), abs(row["high"])) if row["low"] is not None else abs(row["value"])
        for row in frame.drop_nulls("value").iter_rows(named=True)
        if row["low"] is None or row["low"] * row["high"] > 0
    ]
    return max(sizes, default=0.0) >= part.headline_from


@dataclass(frozen=True)
class _Claims:
    """Fills the fields of a table's finding with its numbers, as words."""

    part: ReportTable
    frame: pl.DataFrame

    @cached_property
    def _grid(self) -> tuple[list[str], list[str], dict[tuple[str, str], Row]]:
        return grid(self.frame)

    def field_text(self, field: Field) -> str:
        """Return a field in words; raises `_MissingCellError` if the run lacks its cells."""
        if field.name == "cell":
            return self._text(self._cell(*field.labels))
        if field.name == "than":
            return self._than(self._cell(*field.labels[:2]), self._cell(*field.labels[2:]))
        if field.name == "shares":
            return self._shares()
        if field.name == "even_row":
            return self._even_row(field.labels)
        if field.name == "row_range":
            return self._range([self._cell(field.labels[0], column) for column in self._grid[1]], "column")
        if field.name == "column_range":
            return self._range([self._cell(row, field.labels[0]) for row in self._grid[0]], "row")
        return self._end(field)

    def _cell(self, row: str, column: str) -> Row:
        try:
            return self._grid[2][row, column]
        except KeyError:
            raise _MissingCellError from None

    def _text(self, row: Row) -> str:
        return cell_text(row, self.part.decimals)

    def _rows_with_number(self, rows: Sequence[Row]) -> list[Row]:
        numbered_rows = [row for row in rows if rank(row) is not None]
        if not numbered_rows:
            raise _MissingCellError
        return numbered_rows

    def _end(self, field: Field) -> str:
        """Return the extreme cell of a field such as `most` and whether it is told apart, or where it is."""
        name, _, place = field.name.partition("_")
        rows = self._rows_with_number([row for row in self._grid[2].values() if field.labels in ((), (row["column"],))])
        size = name == "largest"
        sign = -1 if name == "least" else 1
        best = max(rows, key=lambda row: abs(rank(row) or 0) if size else sign * (rank(row) or 0))
        if place == "range":
            return self._range([self._cell(best["row"], column) for column in self._grid[1]], "column")
        if place:
            return literal(best[place])
        equals = [row for row in rows if row is not best and not apart(best, row, len(rows) - 1, by_size=size)]
        equals += [row for row in rows if row is not best and row not in equals and self._text(row) == self._text(best)]
        is_one_column = bool(field.labels) or len(self._grid[1]) == 1
        others = [literal(row["row"] if is_one_column else f"{row['row']}, {row['column']}") for row in equals]
        return f"{self._text(best)} ({WORDS[name].format(show_count(len(rows)))}{_equals(others, best['low'] is None)})"

    def _range(self, rows: Sequence[Row], axis: str) -> str:
        """Return the least and the most of some cells with all their places on `axis`; one number if not apart."""
        numbered_rows = self._rows_with_number(rows)
        ends = [choose(numbered_rows, key=lambda row: rank(row) or 0.0) for choose in (min, max)]
        if not apart(ends[1], ends[0], len(numbered_rows) * (len(numbered_rows) - 1) // 2):
            alike = "the same" if ends[0]["low"] is None else "not told apart"
            return (
                f"{self._text(ends[0])} ({alike} in all {show_count(len(numbered_rows))})"
                if len(numbered_rows) > 1
                else self._text(ends[0])
            )
        texts = list(map(self._text, ends))
        places = [[literal(row[axis]) for row in numbered_rows if self._text(row) == text] for text in texts]
        return " to ".join(f"{text} ({list_some(names)})" for text, names in zip(texts, places, strict=True))

    def _even_row(self, columns: Sequence[str]) -> str:
        """Return the label of the first row whose shares are surely even in these columns, all if none is named."""
        for row in self._grid[0]:
            if all(is_even(self._cell(row, column)) for column in columns or self._grid[1]):
                return literal(row)
        return "none of these, as far as can be told"

    def _than(self, first: Row, second: Row) -> str:
        self._rows_with_number([first]), self._rows_with_number([second])
        exact = first["low"] is None and second["low"] is None
        return THAN.get(apart(first, second), "the same as" if exact else "not told apart from")

    def _shares(self) -> str:
        """Return the variance shares of rows and columns, and which is surely larger, in words."""
        shares = variance_shares(list(self._grid[2].values()), len(self._grid[1]))
        if shares is None:
            raise _MissingCellError
        names = literal(self.part.row_title), literal(self.part.column_title)
        texts = [
            f"{show_probability(part.value, 0)} ({_share(part.low)} to {_share(part.high)}) with the {name}"
            for part, name in zip((shares.rows, shares.columns), names, strict=True)
        ]
        verdict = {
            1: f"more with the {names[0]} than with the {names[1]}",
            -1: f"more with the {names[1]} than with the {names[0]}",
        }.get(shares.sign, "with which of the two more, cannot be told")
        rest = max(0.0, 1 - shares.rows.value - shares.columns.value)
        return f"{texts[0]}, {texts[1]} and {show_probability(rest, 0)} with both at once: {verdict}"


def _share(share: float) -> str:
    return show_probability(min(max(share, 0.0), 1.0), 0)


def _equals(others: Sequence[str], exact: bool) -> str:
    """Return which others equal an extreme, or are not significantly apart from it; of several how many.

    >>> _equals([], True), _equals(["elf"], True), _equals(["elf", "orc"], False)
    ('', ', shared with elf', ', not told apart from 2 others')
    """
    if not others:
        return ""
    who = others[0] if len(others) == 1 else show_many(len(others), "other")
    return f", {'shared with' if exact else 'not told apart from'} {who}"
