"""What to know before believing a first page: assumed numbers, in a sentence, and what its tables caution against."""

from __future__ import annotations

import polars as pl

from balance.reporting.sections.claims.assumptions import LARGE_SHARE
from balance.reporting.sections.common.report_tables import table_cautions
from balance.reporting.sections.common.words import Pages


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
