"""Every card and every loadout with its one verdict, and what each setting says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from balance.analysis.prices.answer import CardPrice, LoadoutPrice, Price
from balance.analysis.prices.verdicts import NOT_MEASURABLE
from balance.base.answers import headings_of
from balance.reporting import Cell, Column, Table, literal, table
from balance.reporting.sections.common.price_verdicts import (
    PriceVerdict,
    all_setting_titles,
    between,
    by_certainty,
    dice_cell,
    points,
    price_source,
    price_verdicts,
)
from balance.reporting.sections.common.words import Pages
from balance.study.frames.army_prices import RUN_NAMES

MOST_ROWS = 40
"""Rows that a page shows, the farthest off for certain first; the table to download has all."""
_OUTSIDE = "their cost lies outside what is fair, as a share of it"
"""The measure of `PriceVerdict.off`, by which tables are ordered."""


def price_tables(pages: Pages) -> list[Table]:
    """Return the tables of all cards and of all loadouts, those surely off first."""
    words = pages.words
    loadouts = (
        f"Every {literal(words.entrant)}, first those surely off, by how far {_OUTSIDE}. A verdict holds for all of "
        "them at once, in every setting and for every way of playing that counts."
    )
    cards = (
        f"Every card, first those surely off, by how far {_OUTSIDE}: the costs whose sums come nearest to the fair "
        "ones. A card has a verdict only if no choice of the free constant turns it."
    )
    tables = [
        (price_verdicts(pages, "cards"), "card", CardPrice, cards, price_source(pages, "cards")),
        (price_verdicts(pages, "loadouts"), words.entrant, LoadoutPrice, loadouts, price_source(pages, "loadouts")),
    ]
    return [
        replace(_table(pages, entries, noun, kind, caption), source=source)
        for entries, noun, kind, caption, source in tables
        if entries
    ]


def _table(pages: Pages, entries: Sequence[PriceVerdict], noun: str, kind: type[Price], caption: str) -> Table:
    titles = all_setting_titles(pages)
    several = len(titles) > 1
    first = f", with {next(iter(titles.values()))}" if several else ""
    columns = [
        Column(noun.capitalize()),
        Column("Verdict"),
        Column("Cost", "right", unit=pages.words.points),
        *(
            [Column("Fair", "right", "the range over all settings, dice included", pages.words.points)]
            if several
            else []
        ),
        *(
            Column(_head(setting, titles), "right", f"what is fair with {title}", pages.words.points)
            for setting, title in titles.items()
        ),
        Column("Dice alone", "right", f"95 %{first}", pages.words.points),
        *(Column(column.head.capitalize(), "right") for column in headings_of(kind).values()),
    ]
    rows: list[list[Cell | str]] = [
        [
            entry.name,
            entry.verdict,
            Cell(points(entry.cost), entry.cost),
            *([_range(entry)] if several else []),
            *(_fair(entry, setting) for setting in titles),
            Cell("–") if entry.verdict == NOT_MEASURABLE else dice_cell(entry),
            *cells_under_headings(entry, kind),
        ]
        for entry in by_certainty(entries)[:MOST_ROWS]
    ]
    return table(columns, rows, caption, _left_out(len(entries) - MOST_ROWS))


def _left_out(n: int) -> str:
    return f"{n} more are in the table to download." if n > 0 else ""


def cells_under_headings(entry: PriceVerdict, kind: type[Price]) -> Iterator[Cell]:
    """Yield what the first setting has in columns that prices declare; a dash in a run that is older than these."""
    row = next(iter(entry.rows.values()))
    for key, column in headings_of(kind).items():
        value = row.get(RUN_NAMES.get(key, key))
        number = float(value) if isinstance(value, int | float) else None
        yield Cell("–") if value is None else Cell(column.show(value), number)


def _head(setting: str, titles: Mapping[str, str]) -> str:
    """Return the head of a setting's column: its id in words, or that it is fair where there is but one."""
    return setting.rpartition(":")[2].replace("_", " ").capitalize() if len(titles) > 1 else "Fair"


def _range(entry: PriceVerdict) -> Cell:
    """Return the range of fair costs over all settings; a dash where none is measurable."""
    return (
        Cell("–") if entry.verdict == NOT_MEASURABLE else Cell(between(*entry.ends), sum(entry.ends) / 2, *entry.ends)
    )


def _fair(entry: PriceVerdict, setting: str) -> Cell:
    """Return the fair cost in a setting; a dash where that setting does not price it."""
    row = entry.rows.get(setting)
    return (
        Cell("–")
        if row is None or entry.verdict == NOT_MEASURABLE
        else Cell(points(row["fair_points"]), row["fair_points"])
    )
