"""What one step of a card does: each of its fields a step up and down, the most telling changes first."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from balance.answers.words.lists import list_words
from balance.base.errors import first_of
from balance.base.numbers import show_many, show_probability_change
from balance.reporting import literal
from balance.reporting.sections.common.columns import Row
from balance.reporting.sections.common.words import Pages

MOST_NAMED = 8
TOLERANCE = 1e-6


def neighbour_findings(pages: Pages) -> list[str]:
    """Return a marked sentence for each card on its most telling changes; [] where none was asked about."""
    cards = pages.table("neighbour_cards")
    return (
        []
        if cards is None
        else [_largest_change_text(row, visible_changes(pages, row)) for row in cards.iter_rows(named=True)]
    )


def _changes(pages: Pages, row: Row) -> pl.DataFrame:
    return pages.run.table("neighbours").filter(setting=row["setting"], card=row["card"])


def visible_changes(pages: Pages, row: Row) -> pl.DataFrame:
    """Return the changes of a card that have an effect, largest score first; `row` is of `neighbour_cards`."""
    sizes = [pl.col(name).abs().fill_null(0.0) for name in ("score", "kills", "stands")]
    return _changes(pages, row).filter("seen").sort(sizes, descending=True, maintain_order=True)


def _largest_change_text(row: Row, visible: pl.DataFrame) -> str:
    """Return a sentence on the changes that surely help and hurt a card most, or that none surely does."""
    head = f"**{literal(row['label'])}.**"
    up, down = (visible.filter(end).to_dicts() for end in (pl.col("low") > TOLERANCE, pl.col("high") < -TOLERANCE))
    if not up and not down:
        reason = (
            "no change can be told to do anything"
            if visible.height
            else "no change does anything that can be seen here"
        )
        return f"{head} Against {_field(row)}, {reason}."
    ways = (("most for it", up), ("most against it", down))
    return f"{head} Against {_field(row)}, {'; '.join(_foremost(rows, direction) for direction, rows in ways if rows)}."


def _foremost(rows: Sequence[Row], direction: str) -> str:
    """Return the largest change in one direction, with those not told apart from it, as a clause."""
    top = rows[0]
    level = [row for row in rows if row["low"] <= top["high"] + TOLERANCE and row["high"] >= top["low"] - TOLERANCE]
    names = list_words(first_of([f"**{literal(in_words(row['change']))}**" for row in level], MOST_NAMED))
    if len(level) == 1:
        return f"{names} does {direction}: {_change(top)}"
    return f"{names} do {direction}, {'the same each' if _is_exact(top) else 'not told apart'}: {_change(top)}"


def _field(row: Row) -> str:
    return show_many(len(row["field"]), "opponent")


def _is_exact(row: Row) -> bool:
    return bool(row["low"] == row["high"])


def in_words(change: str) -> str:
    """Return a change without the underscores of a field's name.

    >>> in_words("hexes_per_flag 1 to 0")
    'hexes per flag 1 to 0'
    """
    return change.replace("_", " ")


def _change(row: Row) -> str:
    """Return a change of the score with its 95 % interval."""
    change = show_probability_change(row["score"])
    if _is_exact(row):
        return f"{change} (exact)"
    return f"{change} (95%: {show_probability_change(row['low'])} to {show_probability_change(row['high'])})"
