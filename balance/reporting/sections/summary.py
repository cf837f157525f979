"""The section that a report begins with: from prices, else as the game declares it, else from what there is.

Of a run that is about none of the usual questions its first finding comes first, with a chart of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import polars as pl

from balance.answers.blocks.document import Block
from balance.answers.blocks.text import plain
from balance.base.numbers import show_fixed
from balance.reporting import Callout, Figure, Section, literal
from balance.reporting.figures.ranges import Range, plot_ranges
from balance.reporting.sections.claims.robust import robust_findings
from balance.reporting.sections.claims.solutions import solution_findings, solution_range, solution_rows
from balance.reporting.sections.common.cell_text import measure_unit
from balance.reporting.sections.common.report_tables import headline_findings, headline_tables
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.neighbours import in_words, neighbour_findings, visible_changes
from balance.reporting.sections.fights.luck import luck_chart, luck_findings
from balance.reporting.sections.fights.scaling import scaling_page
from balance.reporting.sections.first_page.declared import declared_headline, declared_page, table_chart
from balance.reporting.sections.first_page.duels import duels_page
from balance.reporting.sections.first_page.even_field import even_field_page
from balance.reporting.sections.first_page.page import MOST_MARKS, FirstPage, caution_text, first_page_section
from balance.reporting.sections.first_page.prices import prices_page
from balance.study.settings.first_page import Chart

TITLE = "What was found"
MOST_FINDINGS = 4


def summary_section(pages: Pages) -> Section | None:
    """Return the first page, on prices or what there is, with the declared headline; None for mere match-ups."""
    pages_of = (prices_page, scaling_page, even_field_page, declared_page, duels_page, findings_page)
    page = next((page for page in (of(pages) for of in pages_of) if page is not None), None)
    if page is None:
        return None
    limits: list[Block] = []
    if pages.run.broken_limits:
        text = "; ".join(map(literal, pages.run.broken_limits))
        limits.append(Callout("caution", "Limits of this study that are broken", text))
    declared = declared_headline(pages)
    headline = page.headline if declared in page.headline else f"{page.headline} {declared}"
    return first_page_section(replace(page, headline=headline, caution=caution_text(pages)), *limits)


def findings_page(pages: Pages) -> FirstPage | None:
    """Return a page with the first findings of a run; None where match-ups are all there is."""
    for findings_of, chart_of, most in _SOURCES:
        if findings := findings_of(pages):
            return FirstPage(TITLE, " ".join(findings[:most]), chart_of(pages) if chart_of else None)
    if pages.run.summary.get("match_ups"):
        return None
    return FirstPage(TITLE, f"This run holds {pages.all_of_them()} and no duels.")


def _solution_chart(pages: Pages) -> Figure:
    """Return the picture of each solution's value, within its bounds by best responses."""
    rows = []
    for solution, row in solution_rows(pages):
        low, high = solution_range(row)
        rows.append(Range(solution.title, 100 * row["value"], 100 * low, 100 * high))
    caption = "What each solved game is worth; bars are how well that is known"
    return _figure(rows, "score of the first side, in per cent", caption, 50.0)


def _headline_chart(pages: Pages) -> Figure | None:
    """Return the picture of the table whose finding is the headline; None where it has no number."""
    part, frame = headline_tables(pages)[0]
    unit = measure_unit(frame.row(0, named=True)).replace("share", "per cent")
    return table_chart(pages, Chart(table=part.id, axis=f"{plain(part.caption)} ({unit})"), part, frame)


def _neighbour_chart(pages: Pages) -> Figure | None:
    """Return the picture of the changes that move the first card's score most; None without any."""
    card = pages.run.table("neighbour_cards").row(0, named=True)
    changes = visible_changes(pages, card).filter(pl.col("score").is_not_null()).head(MOST_MARKS)
    rows = [
        Range(in_words(row["change"]), 100 * row["score"], 100 * row["low"], 100 * row["high"])
        for row in changes.iter_rows(named=True)
    ]
    if not rows:
        return None
    caption = f"By how much each change of {literal(card['label'])} moves its score, with 95 % intervals"
    return _figure(rows, "change of the score, in points of a per cent", caption, 0.0)


def _figure(rows: Sequence[Range], axis: str, caption: str, reference: float) -> Figure:
    texts = [f"{row.name} {show_fixed(row.mark, 1)}" for row in rows]
    return Figure(plot_ranges(rows, axis, reference=reference), f"{axis}: {'; '.join(texts)}.", f"{caption}.")


_SOURCES: tuple[tuple[Callable[[Pages], list[str]], Callable[[Pages], Figure | None] | None, int], ...] = (
    (solution_findings, _solution_chart, 1),
    (headline_findings, _headline_chart, 1),
    (robust_findings, None, MOST_FINDINGS),
    (luck_findings, luck_chart, MOST_FINDINGS),
    (neighbour_findings, _neighbour_chart, MOST_FINDINGS),
)
"""Findings, the chart of the first, and how many stand on the page: all but one are told only there."""
