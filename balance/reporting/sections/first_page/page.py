"""The first page of a report, from its parts, in one order for every game.

A game with prices has it from its fair costs, another from the `[first_page]` of its `report.toml` (see
`balance.study.settings.first_page`). Whatever makes one returns a `FirstPage`; a part that is missing is left out.

Before a first page is believed, assumed numbers are to be known, in a sentence, and what its tables caution against.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from balance.answers.blocks.document import Block
from balance.reporting import Callout, Figure, Paragraph, Section, Table
from balance.reporting.sections.claims.assumptions import LARGE_SHARE
from balance.reporting.sections.common.report_tables import table_cautions
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.first_page.reply import Reply

MOST_ANSWERS = 8
"""Rows of the table that answers the question."""
MOST_CHANGES = 5
"""Rows of the table "What to change"."""
MOST_MARKS = 30
"""Rows of the chart."""


@dataclass(frozen=True)
class FirstPage:
    """The parts of a first page.

    * `title`: what stands over the headline, plain.
    * `headline`: the verdict in one or two sentences, marked.
    * `change`: what to change: at most `MOST_CHANGES` rows.
    * `cannot_see`: what none of it can see, as the end of a sentence, marked.
    * `caution`: what to know before believing it, in a sentence or two, marked.
    * `answer`: the table that answers the question, under the chart: at most `MOST_ANSWERS` rows.
    * `reply`: the reply to the question of the report's title, which the headline begins with; None if that is no
      question of yes or no.
    """

    title: str
    headline: str
    chart: Figure | None = None
    change: Table | None = None
    cannot_see: str = ""
    caution: str = ""
    answer: Table | None = None
    reply: Reply | None = None


def first_page_section(page: FirstPage, *more: Block) -> Section:
    """Return the section that every report begins with; `more` follows the page, such as limits that are broken."""
    reply = f"**{page.reply}.**" if page.reply else ""
    headline = " ".join(filter(None, (reply, page.headline)))
    blocks: list[Block] = [Callout("key", page.title, headline)] if headline else []
    caution = Callout("caution", "Before you believe it", page.caution) if page.caution else None
    blocks += [block for block in (page.chart, page.answer, caution, page.change) if block is not None]
    if page.cannot_see:
        blocks.append(Paragraph(f"**What this cannot see:** {page.cannot_see}"))
    return Section("In one page", "summary", (*blocks, *more))


def caution_text(pages: Pages) -> str:
    """Return sentences on assumed numbers, where they are many, and the cautions of tables, as marked text."""
    return " ".join([*_assumed(pages), *table_cautions(pages)])


def _assumed(pages: Pages) -> list[str]:
    sources = pages.run.table("provenance")
    costs = sources.filter(pl.col("field").str.contains("cost"))
    n_costs, n_values = (frame.filter(status="assumed").height for frame in (costs, sources))
    if pages.table("prices") is not None and pages.has_prices and n_costs:
        count = f"All {n_costs} costs" if n_costs == costs.height else f"{n_costs} of {costs.height} costs"
        return [f"**{count} are assumed**: put in your own before you act on a verdict."]
    if n_values and n_values >= LARGE_SHARE * sources.height:
        return [f"**{n_values} of {sources.height} values are assumed**, and every number here rests on them."]
    return []
