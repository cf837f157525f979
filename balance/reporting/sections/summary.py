"""The section that a report begins with: from prices, else as the game declares it, else from what there is."""

from __future__ import annotations

from dataclasses import replace

from balance.reporting import Callout, Section, literal
from balance.reporting.document.document import Block
from balance.reporting.sections.claims.robust import robust_findings
from balance.reporting.sections.claims.solutions import solution_findings
from balance.reporting.sections.common.report_tables import headline_findings
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.neighbours import neighbour_findings
from balance.reporting.sections.fights.luck import luck_findings
from balance.reporting.sections.fights.scaling import scaling_page
from balance.reporting.sections.first_page.caution import caution_text
from balance.reporting.sections.first_page.declared import declared_page
from balance.reporting.sections.first_page.duels import duels_page
from balance.reporting.sections.first_page.even_field import even_field_page
from balance.reporting.sections.first_page.page import FirstPage, first_page_section
from balance.reporting.sections.first_page.prices import prices_page


def summary_section(pages: Pages) -> Section | None:
    """Return the first page; None where match-ups are all there is, whose own section comes first then."""
    pages_of = (prices_page, scaling_page, even_field_page, declared_page, duels_page, _page_of_findings)
    page = next((page for page in (of(pages) for of in pages_of) if page is not None), None)
    if page is None:
        return None
    limits: list[Block] = []
    if pages.run.broken_limits:
        text = "; ".join(map(literal, pages.run.broken_limits))
        limits.append(Callout("caution", "Limits of this study that are broken", text))
    return first_page_section(replace(page, caution=caution_text(pages)), *limits)


def _page_of_findings(pages: Pages) -> FirstPage | None:
    """Return a page with the first finding of a run that is about nothing else."""
    findings = (
        *solution_findings(pages),
        *headline_findings(pages),
        *robust_findings(pages),
        *luck_findings(pages),
        *neighbour_findings(pages),
    )
    if findings:
        return FirstPage("What was found", findings[0])
    if pages.run.summary.get("match_ups"):
        return None
    return FirstPage("What was found", f"This run holds {pages.all_of_them()} and no duels.")
