"""Every loadout and every card with its one verdict, the range that it rests on, and what other settings say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from balance.analysis.prices.answer import CardPrice, LoadoutPrice, Price
from balance.analysis.prices.verdicts import NOT_MEASURABLE, OFF_VERDICTS
from balance.base.answers import headings_of
from balance.reporting import Cell, Column, Figure, Table, literal, table
from balance.reporting.figures.figures import Point, plot_against
from balance.reporting.sections.common.columns import Row
from balance.reporting.sections.common.price_verdicts import (
    PriceVerdict,
    between,
    by_certainty,
    points,
    price_source,
    price_verdicts,
)
from balance.reporting.sections.common.words import Pages
from balance.study.frames.army_prices import RUN_NAMES

MOST_ROWS = 40
"""Rows that a page shows, the farthest off for certain first; the table to download has all."""
MOST_NAMED = 14
"""Loadouts named in a figure, the farthest off first."""
_OUTSIDE = "their cost lies outside what is fair, as a share of it"
"""The measure of `PriceVerdict.off`, by which tables are ordered."""
FAIR_NOTE = "95 %, for all that is judged at once: the verdict rests on it"
ELSEWHERE_NOTE = "whether it holds in every other setting, or what the first says that says otherwise"


def price_tables(pages: Pages) -> list[Table]:
    """Return the tables of all loadouts, which are what is bought, and of all cards; those surely off first."""
    words = pages.words
    order = f"first those surely off, by how far {_OUTSIDE}"
    loadouts = (
        f"Every {literal(words.entrant)}, {order}. A verdict holds for all of them at once, by every way of playing "
        "that counts."
    )
    cards = (
        f"Every card, {order}. What is bought is a {literal(words.entrant)}: its cost is split between its cards as "
        "near to today's costs as can be."
    )
    tables = [
        (price_verdicts(pages, "loadouts"), words.entrant, LoadoutPrice, loadouts, price_source(pages, "loadouts")),
        (price_verdicts(pages, "cards"), "card", CardPrice, cards, price_source(pages, "cards")),
    ]
    return [
        replace(_table(pages, entries, noun, kind, caption), source=source)
        for entries, noun, kind, caption, source in tables
        if entries
    ]


def _table(pages: Pages, entries: Sequence[PriceVerdict], noun: str, kind: type[Price], caption: str) -> Table:
    shown = by_certainty(entries)[:MOST_ROWS]
    elsewhere = any(entry.elsewhere for entry in shown)
    columns = [
        Column(noun.capitalize()),
        Column("Verdict"),
        Column("Cost", "right", unit=pages.words.points),
        Column("Fair", "right", FAIR_NOTE, pages.words.points),
        *([Column("Elsewhere", "left", ELSEWHERE_NOTE)] if elsewhere else []),
        *(Column(column.head.capitalize(), "right") for column in headings_of(kind).values()),
    ]
    rows: list[list[Cell | str]] = [
        [
            entry.name,
            entry.verdict,
            Cell(points(entry.cost), entry.cost),
            fair_cell(entry),
            *([entry.elsewhere] if elsewhere else []),
            *cells_under_headings(entry, kind),
        ]
        for entry in shown
    ]
    return table(columns, rows, caption, _left_out(len(entries) - MOST_ROWS))


def _left_out(n: int) -> str:
    return f"{n} more are in the table to download." if n > 0 else ""


def cells_under_headings(entry: PriceVerdict, kind: type[Price]) -> Iterator[Cell]:
    """Yield what the first setting has in columns that prices declare; a dash in a run that is older than these."""
    row = entry.leading
    for key, column in headings_of(kind).items():
        value = row.get(RUN_NAMES.get(key, key))
        number = float(value) if isinstance(value, int | float) else None
        yield Cell("–") if value is None else Cell(column.show(value), number)


def cost_figure(pages: Pages, rows: Sequence[Row], caption: str, source: str) -> Figure:
    """Return the picture of printed against fair costs; the farthest of those surely off are named."""
    words = pages.words
    spots = [
        Point(row["label"], row["cost_points"], row["fair_points"], y_low=row["low"], y_high=row["high"])
        for row in rows
    ]
    off = [max(row["low"] / row["cost_points"], row["cost_points"] / row["high"]) for row in rows]
    order = sorted(range(len(rows)), key=lambda at: (-off[at], at))
    places = [at for at in order if rows[at]["verdict"] in OFF_VERDICTS and off[at] > 1][:MOST_NAMED]
    return Figure(
        plot_against(spots, places, f"printed cost ({words.points})", f"fair cost ({words.points})"),
        f"Fair cost against printed cost of {len(spots)} {words.entrants}; on the line both are equal.",
        caption,
        source,
    )


def fair_cell(entry: PriceVerdict) -> Cell:
    """Return the range of fair costs that a verdict rests on; a dash where none is measurable."""
    if entry.verdict == NOT_MEASURABLE:
        return Cell("–")
    return Cell(between(*entry.ends), sum(entry.ends) / 2, *entry.ends)
