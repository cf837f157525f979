"""Games solved: what perfect play is worth, how well that is known, and what perfect players do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from balance.numbers import (
    NO_BREAK,
    show_count,
    show_fixed,
    show_number,
    show_probability,
    show_probability_change,
)
from balance.report import Column, Facts, Paragraph, Section, Table, table
from balance.report.document import Block
from balance.report.sections.words import Pages
from balance.study.solutions import ReportSolution, table_name

__all__ = ["solution_findings", "solution_sections"]

Row = Mapping[str, Any]


def solution_sections(pages: Pages) -> list[Section]:
    """Return a section for each question that the run solved."""
    return [_section(pages, one, row) for one, row in _solved(pages)]


def solution_findings(pages: Pages) -> list[str]:
    """Return the sentences on solutions that belong on the first page, as marked text."""
    return [one.finding.replace("{value}", _value(row)) for one, row in _solved(pages) if one.finding]


def _solved(pages: Pages) -> list[tuple[ReportSolution, Row]]:
    known = pages.table("solutions")
    rows = {} if known is None else {row["id"]: row for row in known.iter_rows(named=True)}
    return [(one, rows[one.id]) for one in pages.run.settings.solutions if one.id in rows]


def _section(pages: Pages, one: ReportSolution, row: Row) -> Section:
    blocks: list[Block] = [Paragraph(one.text)] if one.text else []
    blocks += [Paragraph(_verdict(row)), _facts(pages, row)]
    titles = pages.run.table("solution_tables").filter(id=one.id)
    for name, title, differences in titles.select("name", "title", "differences").iter_rows():
        frame = pages.table(table_name(one.id, name))
        if frame is not None:
            sides = f"Side a is {pages.name(row['one'])}, side b {pages.name(row['other'])}"
            named = frame.with_columns(_named(pages, frame))
            blocks.append(_table(named, f"{title.rstrip('.')}. {sides}", differences))
    return Section(one.title, f"solution-{one.id}", tuple(blocks))


def _named(pages: Pages, frame: pl.DataFrame) -> list[pl.Expr]:
    """Return the columns of text with names for people where the game's settings have them."""
    return [pl.col(name).replace(pages.run.settings.names) for name, kind in frame.schema.items() if kind == pl.String]


def _certified(row: Row) -> bool:
    return bool(row["kind"] == "exact" and row["converged"])


def _verdict(row: Row) -> str:
    """Return what was found in a sentence that claims no more than was measured."""
    if _certified(row):
        return (
            f"With perfect play on both sides this is worth **{_share(row['value'])}** to the first named, a draw "
            f"counting half. Certified: best responses to both strategies gain {row['exploitability']:.0e} in all, so "
            "the value cannot be further off than that."
        )
    return (
        f"The play that was found scores **{_measured(row, 'value')}** for the first named against itself, a draw "
        f"counting half. The best answers found bring that down to {_measured(row, 'lower')} from the one side and up "
        f"to {_measured(row, 'upper')} from the other, so that it is exploitable by at least "
        f"{_points(row['exploitability'])}{_error(2**0.5 * _half(row))} over both seats. These are estimates: "
        "what perfect play would score may lie outside them. What ± covers is the duels they were measured in, not the "
        "training: on another kind of processor, or with another seed, it may find other play with other numbers."
    )


def _value(row: Row) -> str:
    """Return the value in words for the first page: alone if it is certified, else with what it was answered by."""
    if _certified(row):
        return _share(row["value"])
    return (
        f"{_measured(row, 'value')} against itself, {_measured(row, 'lower')} and {_measured(row, 'upper')} against "
        "the best answers found to the one side and to the other (estimates of what one training found; perfect play "
        "may score outside them)"
    )


def _measured(row: Row, name: str) -> str:
    return f"{_share(row[name])}{_error(_half(row))}"


def _half(row: Row) -> float:
    return float(row["half_width"] or 0.0)


def _error(half: float) -> str:
    return f"{NO_BREAK}±{show_fixed(100 * half, 1)}" if half else ""


def _points(share: float) -> str:
    return show_probability_change(share).lstrip("+")


def _facts(pages: Pages, row: Row) -> Block:
    named = f"{pages.name(row['one'])} against {pages.name(row['other'])}"
    found = [("Solved", named), ("How", row["how"]), ("States", show_count(row["n_states"]))]
    if row["changes"]:
        found.append(("Changed", ", ".join(row["changes"])))
    found.append(("Rounds", show_count(row["iterations"])))
    if _certified(row):
        found.append(("Between", f"{show_number(row['lower'], 6)} and {show_number(row['upper'], 6)}"))
    else:
        found.append(("Against the best answers found", f"{_measured(row, 'lower')}, {_measured(row, 'upper')}"))
    return Facts(tuple(found))


def _share(value: float) -> str:
    return show_probability(value)


def _table(frame: pl.DataFrame, title: str, differences: Sequence[str]) -> Table:
    """Return a table of a solution; numbers with decimals are chances or values, unless they are differences."""
    heads: list[Column | str] = []
    columns = []
    for series in frame:
        number = series.dtype.is_numeric()
        heads.append(Column(series.name, "right") if number else series.name)
        if not series.dtype.is_float():
            columns.append([(show_count(cell), cell) if number else str(cell) for cell in series])
            continue
        show = show_probability_change if series.name in differences else show_probability
        columns.append([(show(cell), cell) for cell in series])
    return table(heads, list(map(list, zip(*columns, strict=True))), f"{title.rstrip('.')}.")
