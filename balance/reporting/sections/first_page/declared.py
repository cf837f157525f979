"""The first page that a game declares in `[first_page]` of its `report.toml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from balance.base.numbers import show_fixed
from balance.reporting import Figure, Table
from balance.reporting.figures.ranges import Family, Range, plot_ranges
from balance.reporting.sections.claims.solution_changes import changes_table
from balance.reporting.sections.claims.solutions import solution_range, solution_row, solution_words
from balance.reporting.sections.common.cell_text import Row, cell_text
from balance.reporting.sections.common.findings import headline_text
from balance.reporting.sections.common.report_tables import draw_table, table_caption, tables_by_id
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.first_page.page import MOST_ANSWERS, MOST_CHANGES, MOST_MARKS, FirstPage
from balance.reporting.sections.first_page.reply import Reply, reply_of
from balance.reporting.sections.first_page.unseen import unseen_text
from balance.study.frames.report_tables import frame_name
from balance.study.settings.first_page import Chart
from balance.study.settings.tables import ReportTable

FAIR, UNKNOWN = "fair", "not yet known"
HALF = 50.0
"""An even score, in per cent."""


def declared_page(pages: Pages) -> FirstPage | None:
    """Return the first page that `report.toml` declares; None if that is a headline at most, or not in the run."""
    settings, tables, headline = pages.run.settings.first_page, tables_by_id(pages), declared_headline(pages)
    chart = table_chart(pages, settings.chart, *tables[settings.own_table]) if settings.own_table in tables else None
    answer = _answer(pages, *tables[settings.answer]) if settings.answer in tables else None
    change = _change(pages, settings.change, tables) if settings.change else None
    if not (answer or chart or change):
        return None
    kinds = [tables[name][0].rung for name in (settings.own_table, settings.change) if name in tables]
    cannot_see = settings.cannot_see or unseen_text(pages, kinds)
    return FirstPage(
        settings.title, headline, chart, change, cannot_see, answer=answer, reply=_reply(pages, settings.chart)
    )


def declared_headline(pages: Pages) -> str:
    """Return the headline that `report.toml` declares, as marked text; "" if the run lacks what it refers to."""
    settings = pages.run.settings.first_page
    return headline_text(settings.headline, settings.own_table, tables_by_id(pages), solution_words(pages))


def _reply(pages: Pages, chart: Chart | None) -> Reply | None:
    """Return whether the play that was found is fair to both sides; None where the chart draws no solution.

    One match-up is a typical one: of a bracket inside the band it lies within 60:40.
    """
    row = solution_row(pages, chart.solution) if chart and chart.solution and chart.fair else None
    if chart is None or row is None:
        return None
    family, _ = _verdict(*solution_range(row), chart)
    return reply_of(family in ("under", "over"), family == "fair", abs(row["value"] - 0.5))


def _answer(pages: Pages, part: ReportTable, frame: pl.DataFrame) -> Table:
    """Return the first rows of the table that is declared as the answer."""
    return _draw_rows(pages, part, frame, frame["row"].unique(maintain_order=True)[:MOST_ANSWERS])


def table_chart(pages: Pages, chart: Chart | None, part: ReportTable, frame: pl.DataFrame) -> Figure | None:
    """Return a table as a mark and an interval for each row; None without a chart or any number."""
    if chart is None:
        return None
    rows = [row for row in frame.iter_rows(named=True) if row["value"] is not None]
    rows = [row for row in rows if chart.column in ("", row["column"])][:MOST_MARKS]
    if not rows:
        return None
    alone = len({row["column"] for row in rows}) == 1
    ranges = [_range(row, chart, row["row"] if alone else f"{row['row']}, {row['column']}") for row in rows]
    size = _size(rows[0])
    solved = _solved(pages, chart, size)
    picture = plot_ranges(
        [*solved, *ranges], chart.axis,
        reference=_even(rows),
        band=(chart.fair[0] * size, chart.fair[1] * size) if chart.fair else None,
    )  # fmt: skip
    texts = [f"{shown.name} {show_fixed(shown.mark, 1)}{_verdict_text(shown)}" for shown in solved]
    texts += [f"{shown.name} {cell_text(row, part.decimals)}{_verdict_text(shown)}"
              for shown, row in zip(ranges, rows, strict=True)]  # fmt: skip
    first = " First row: the play that was found, over what the best answers leave." if solved else ""
    band = " Fair is shaded." if chart.fair else ""
    caption = f"{table_caption(part, frame, pages.run.settings)}{first}{band}"
    return Figure(picture, f"{chart.axis}: {'; '.join(texts)}.", caption, frame_name(part))


def _solved(pages: Pages, chart: Chart, size: float) -> list[Range]:
    """Return the row of the chart's solution: its value, within its bounds by best responses; [] without one."""
    row = solution_row(pages, chart.solution) if chart.solution else None
    if row is None:
        return []
    low, high = solution_range(row)
    family, word = _verdict(low, high, chart)
    return [Range(chart.solution_label, row["value"] * size, low * size, high * size, family, word)]


def _verdict_text(shown: Range) -> str:
    return f", {shown.word}" if shown.word else ""


def _range(row: Row, chart: Chart, name: str) -> Range:
    size = _size(row)
    low, high = (row["value"] if row[end] is None else row[end] for end in ("low", "high"))
    family, word = _verdict(low, high, chart)
    return Range(name, row["value"] * size, low * size, high * size, family, word)


def _size(row: Row) -> float:
    """Return the factor to the units of the axis: 100 for shares, as they are drawn in per cent."""
    return 100.0 if row["is_share"] else 1.0


def _verdict(low: float, high: float, chart: Chart) -> tuple[Family, str]:
    """Return the verdict of an interval against the chart's band, and the word for it; "" without a band."""
    if not chart.fair:
        return "plain", ""
    least, most = chart.fair
    if high < least:
        return "under", chart.too_low
    if low > most:
        return "over", chart.too_high
    return ("fair", FAIR) if least <= low and high <= most else ("unknown", UNKNOWN)


def _even(rows: Sequence[Row]) -> float | None:
    """Return where the axis is even: 0 for differences, 50 per cent for scores, None for anything else."""
    if all(row["show"] in ("difference", "worth") for row in rows):
        return 0.0
    even = all(row["show"] not in ("difference", "worth") and row["measure"].startswith(("wins of", "score of"))
               for row in rows)  # fmt: skip
    return HALF if even else None


def _change(pages: Pages, name: str, tables: Mapping[str, tuple[ReportTable, pl.DataFrame]]) -> Table | None:
    """Return what to change: the best rows of a table `name`, or what makes a solution `name` even."""
    return _changes(pages, *tables[name]) if name in tables else changes_table(pages, name)


def _changes(pages: Pages, part: ReportTable, frame: pl.DataFrame) -> Table:
    """Return the rows of the table of changes that come nearest to even, in the table's own order."""
    table = _draw_rows(pages, part, frame, _nearest_to_even(frame)[:MOST_CHANGES])
    return replace(table, caption=f"What to change. {table.caption}")


def _nearest_to_even(frame: pl.DataFrame) -> pl.Series:
    """Return row labels by their cell farthest from even, nearest first; in table order if they are no scores."""
    if _even(list(frame.drop_nulls("value").iter_rows(named=True))) != HALF:
        return frame["row"].unique(maintain_order=True)
    farthest = (pl.col("value") - HALF / 100).abs().max()
    rows = frame.group_by("row", maintain_order=True).agg(farthest)
    return rows.sort("value", nulls_last=True, maintain_order=True)["row"]


def _draw_rows(pages: Pages, part: ReportTable, frame: pl.DataFrame, names: pl.Series) -> Table:
    """Return some rows of a table, by label, in its own order."""
    return draw_table(part, frame.filter(pl.col("row").is_in(names.implode())), pages.run.settings)
