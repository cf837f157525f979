"""Which prices hold: verdicts that are the same by every good way of playing, on every map and at every scale."""

from __future__ import annotations

import polars as pl

from balance.answers.blocks.document import Block
from balance.reporting import Paragraph, Section, literal
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.price_tables import cost_figure, price_tables

HOLD_TITLE = "Which prices hold"
LEAST_SHOWN = 0.5
"""Points below which nothing is drawn: the axes are ratios."""


def holding_section(pages: Pages) -> Section | None:
    """Return which prices hold in battles on a board; None where those priced nothing."""
    costs = pages.table("stable_costs")
    if costs is None:
        return None
    blocks: list[Block] = [Paragraph(_meaning(pages))]
    if pages.table("fair_costs") is None:  # else they stand under "Worth its points"
        blocks += price_tables(pages)
    for setting, title in play_titles(pages).items():
        if (of_setting := costs.filter(setting=setting)).height:
            blocks.append(_figure(pages, title, of_setting))
    return Section(HOLD_TITLE, "holding", tuple(blocks))


def play_titles(pages: Pages) -> dict[str, str]:
    """Return id -> title of each setting of battles, as marked text."""
    frame = pages.table("play_settings")
    return {} if frame is None else {name: literal(title) for name, title in frame.select("setting", "title").rows()}


def _meaning(pages: Pages) -> str:
    return (
        "Prices are read off battles of random legal armies, each pair played twice on the same luck with the seats "
        f"swapped: what each {literal(pages.words.entrant)} adds to the log-odds to win, beside what a point adds. The "
        "typical one keeps its cost, since points are only compared with points. That is done anew for every way of "
        "playing that counts, and for every map and scale named. **A verdict counts only if it is the same in all of "
        "these settings**; else it depends on play, on the map or on the scale, and that is told."
    )


def _figure(pages: Pages, title: str, costs: pl.DataFrame) -> Block:
    """Return the picture of printed against fair costs, with ranges over all settings; those surely off are named."""
    rows = [
        row | {"label": pages.name(row["entrant"])} | {end: max(row[end], LEAST_SHOWN) for end in ("low", "high")}
        for row in costs.filter(pl.col("fair_points") > LEAST_SHOWN).iter_rows(named=True)
    ]
    return cost_figure(
        pages,
        rows,
        f"{title[:1].upper()}{title[1:]}: fair cost against printed cost, both as ratios. A whisker reaches from the "
        f"least to the most over all settings. Named are the {literal(pages.words.entrants)} whose range "
        "lies farthest from their cost, as a ratio, of those too dear or too cheap here.",
        "stable_costs",
    )
