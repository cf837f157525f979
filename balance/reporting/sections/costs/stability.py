"""Which prices hold: verdicts that are the same by every good way of playing, on every map and at every scale."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from balance.analysis.prices.over_settings import DEPENDS
from balance.analysis.prices.verdicts import OFF_VERDICTS
from balance.analysis.stability.agreement import MOVE_ERRORS
from balance.answers.blocks.document import Block
from balance.base.numbers import show_count, show_fixed, show_probability, show_probability_change
from balance.reporting import Cell, Column, Figure, Paragraph, Section, literal
from balance.reporting.figures.figures import Point, plot_against
from balance.reporting.sections.common.columns import TableColumn, frame_table, number, plain
from balance.reporting.sections.common.price_verdicts import price_verdicts
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.play_worth import play_titles
from balance.reporting.sections.costs.price_tables import price_tables

HOLD_TITLE = "Which prices hold"
MOST_NAMED = 14
"""Loadouts named in a figure, the farthest off first."""
LEAST_SHOWN = 0.5
"""Points below which nothing is drawn: the axes are ratios."""


def holding_section(pages: Pages) -> Section | None:
    """Return which prices hold in battles on a board; None where those priced nothing."""
    costs = pages.table("stable_costs")
    if costs is None:
        return None
    cards = pages.run.table("stable_card_costs")
    blocks: list[Block] = [Paragraph(_meaning(pages))]
    if pages.table("fair_costs") is None:  # else they stand under "Worth its points"
        blocks += price_tables(pages)
    verdicts = {entry.name: entry.verdict for entry in price_verdicts(pages, "loadouts")}
    for setting, title in play_titles(pages).items():
        setting_costs, setting_cards = (frame.filter(setting=setting) for frame in (costs, cards))
        if setting_costs.height:
            blocks += [_figure(pages, title, setting_costs, verdicts), *_depends(setting_cards)]
    blocks += [_setting_table(pages), Paragraph(_calibration_text(pages))]
    return Section(HOLD_TITLE, "holding", tuple(blocks))


def _meaning(pages: Pages) -> str:
    return (
        "Prices are read off battles of random legal armies, each pair played twice on the same luck with the seats "
        f"swapped: what each {literal(pages.words.entrant)} adds to the log-odds to win, beside what a point adds. The "
        "typical one keeps its cost, since points are only compared with points. That is done anew for every way of "
        "playing that counts, and for every map and scale named. **A verdict counts only if it is the same in all of "
        "these settings**; else it depends on play, on the map or on the scale, and that is told."
    )


def _depends(cards: pl.DataFrame) -> list[Block]:
    """Return a table, as a list, of cards about which settings on a board disagree; [] without any."""
    rows = cards.filter(pl.col("verdict").str.starts_with(DEPENDS))
    if not rows.height:
        return []
    columns = [plain("Card", "label"), plain("Which setting says what", "because")]
    return [
        frame_table(
            rows,
            columns,
            "Cards about which these settings disagree: no finding about the card.",
            source="stable_card_costs",
        )
    ]


def _figure(pages: Pages, title: str, costs: pl.DataFrame, verdicts: Mapping[str, str]) -> Block:
    """Return the picture of printed against fair costs, with ranges over all settings; those surely off are named."""
    rows = [
        row | {"label": pages.name(row["entrant"])} | {end: max(row[end], LEAST_SHOWN) for end in ("low", "high")}
        for row in costs.filter(pl.col("fair_points") > LEAST_SHOWN).iter_rows(named=True)
    ]
    spots = [
        Point(row["label"], row["cost_points"], row["fair_points"], y_low=row["low"], y_high=row["high"])
        for row in rows
    ]
    off = [max(row["low"] / row["cost_points"], row["cost_points"] / row["high"]) for row in rows]
    order = sorted(range(len(rows)), key=lambda at: (-off[at], at))
    named_places = [at for at in order if verdicts[rows[at]["label"]] in OFF_VERDICTS and off[at] > 1][:MOST_NAMED]
    return Figure(
        plot_against(spots, named_places, f"printed cost ({pages.words.points})", f"fair cost ({pages.words.points})"),
        f"Fair cost against printed cost of {len(spots)} {pages.words.entrants}; on the line both are equal.",
        f"{title[:1].upper()}{title[1:]}: fair cost against printed cost, both as ratios. A whisker reaches from the "
        f"least to the most over all settings. Named are the {literal(pages.words.entrants)} whose range "
        "lies farthest from their cost, as a ratio, of those too dear or too cheap in every setting of this report.",
        "stable_costs",
    )


def _setting_table(pages: Pages) -> Block:
    """Return how the fair costs of each setting agree with those of the first."""
    frame, titles = pages.run.table("stable_settings"), play_titles(pages)
    columns = [
        *([plain("Of", lambda row: row["setting"].replace("_", " "))] if len(titles) > 1 else []),
        plain("Setting", "scene"),
        number(
            "Correlation", "correlation", lambda value: show_fixed(value, 3), "of fair costs with the first setting"
        ),
        TableColumn(
            Column("Off", "right", f"by more than {MOVE_ERRORS:g} standard errors of the difference"),
            lambda row: Cell("–") if row["moved"] is None else Cell(f"{row['moved']} of {row['n']}", row["moved"]),
        ),
        number("Typical difference", "rms", show_probability, "root mean square, without what simulation adds"),
        number("Known to", "worst", show_probability, "largest standard error, as a share of the cost"),
        number("Going first", "going_first", lambda value: show_fixed(value, 2), "log-odds"),
        number("Battles", "n_battles", show_count),
    ]
    return frame_table(
        frame,
        columns,
        "The settings, and how fair costs there agree with those of the first.",
        source="stable_settings",
    )


def _calibration_text(pages: Pages) -> str:
    """Return a paragraph on the out-of-sample calibration of the fits."""
    frame = pages.run.table("battle_calibration").with_columns(off=pl.col("observed") - pl.col("predicted"))
    worst = frame.sort(pl.col("off").abs(), descending=True, maintain_order=True).row(0, named=True)
    rms = float(((frame["off"] ** 2 - frame["error"] ** 2).mean()) or 0.0)  # type: ignore[arg-type]
    return (
        "**Out of sample.** Each fit foretold battles that it had not seen, in tenths by the predicted chance: they "
        f"came out {show_probability(max(rms, 0.0) ** 0.5)} off (root mean square, without what luck adds), at worst "
        f"{show_probability_change(worst['off'])} with {literal(worst['scene'])}, where "
        f"{show_probability(worst['predicted'])} was foretold and {show_probability(worst['observed'])} seen. That "
        "much is lost by adding members up."
    )
