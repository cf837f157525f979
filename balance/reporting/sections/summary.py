"""The section that a report begins with: from prices, else as the game declares it, else from what there is."""

from __future__ import annotations

from dataclasses import replace

from balance.answers.blocks.document import Block
from balance.reporting import Callout, Section, literal
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.fights.scaling import scaling_page
from balance.reporting.sections.findings import findings_page
from balance.reporting.sections.first_page.caution import caution_text
from balance.reporting.sections.first_page.declared import declared_page
from balance.reporting.sections.first_page.duels import duels_page
from balance.reporting.sections.first_page.even_field import even_field_page
from balance.reporting.sections.first_page.page import first_page_section
from balance.reporting.sections.first_page.prices import prices_page


def summary_section(pages: Pages) -> Section | None:
    """Return the first page: on prices, else as declared, else on what there is; None if that is only match-ups."""
    pages_of = (prices_page, scaling_page, even_field_page, declared_page, duels_page, findings_page)
    page = next((page for page in (of(pages) for of in pages_of) if page is not None), None)
    if page is None:
        return None
    limits: list[Block] = []
    if pages.run.broken_limits:
        text = "; ".join(map(literal, pages.run.broken_limits))
        limits.append(Callout("caution", "Limits of this study that are broken", text))
    return first_page_section(replace(page, caution=caution_text(pages)), *limits)
