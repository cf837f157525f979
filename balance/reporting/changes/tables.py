"""The tables of a change: the changed cards, and those whose standing in duels they move."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from balance.answers.blocks.tables import Cell, Column, Table, table
from balance.answers.blocks.text import literal
from balance.base.numbers import (
    show_count,
    show_fixed,
    show_many,
    show_probability,
    show_probability_change,
)
from balance.reporting.changes.sentences import Name, card_row, show_cost, standing_words
from balance.reporting.sections.common.columns import Row, TableColumn, ends, frame_table, number, plain
from balance.study.compare.compare import Comparison

SCORE = "The score is the mean over the whole field and both turn orders, a draw counting half."


def changed_table(comparison: Comparison, max_rows: int = 16) -> list[Table]:
    """Return the table of at most `max_rows` changed values, as a list, empty without any; `compare.json` has all."""
    cards = comparison.effects.cards
    if not cards:
        return []
    rows = [card_row(card) for card in cards[:max_rows]]
    heads: list[Column | str] = ["Card", "Value", Column("Before", "right"), Column("After", "right")]
    return [table(heads, rows, "What is changed.", left_out(len(cards) - max_rows))]


def standing_tables(
    comparison: Comparison, name: Name, max_rows: Sequence[int] = (18, 8), brief: bool = False
) -> list[Table]:
    """Return the tables of entrants that contain what is changed, and of others whose standing surely changes.

    Each has at most so many of `max_rows`, `compare.json` holds all; `brief` shortens them for narrow screens.
    """
    effects, words = comparison.effects, comparison.words
    entrants, other_rows = effects.listed_entrants, effects.other_entrants
    plural = literal(words.entrants)
    tables = []
    if entrants.height:
        heading = (
            f"The {plural} whose standing changes"
            if effects.concerns_all
            else f"The {plural} that contain a changed card"
        )
        stay = effects.entrants.height - entrants.height
        stays = show_many(stay, "more contains one and stays as it was", "more contain one and stay as they were")
        still = f" {stays}." if stay else ""
        columns = _columns(comparison, entrants, words.entrant.capitalize(), name, brief)
        note = left_out(entrants.height - max_rows[0]) + still
        tables.append(frame_table(entrants.head(max_rows[0]), columns, f"{heading}. {SCORE}", note.strip()))
    if other_rows.height:
        caption = f"Other {plural}, without a changed card, whose standing changes all the same."
        columns = _columns(comparison, other_rows, f"Other {words.entrant}", name, brief)
        tables.append(
            frame_table(other_rows.head(max_rows[1]), columns, caption, left_out(other_rows.height - max_rows[1]))
        )
    return tables


def left_out(n: int) -> str:
    """Return a note with the number of rows left out of a table; "" for none."""
    return f"{show_count(n)} more {'is' if n == 1 else 'are'} in `compare.json`." if n > 0 else ""


def _columns(comparison: Comparison, rows: pl.DataFrame, heading: str, name: Name, brief: bool) -> list[TableColumn]:
    """Return the columns of a table of entrants: name under `heading`, cost, scores, and whether dominated."""
    is_army = comparison.equal_points is not None
    cost = TableColumn(Column("Cost", "right"), lambda row: Cell(show_cost(row), row["cost_after"]))
    columns = [
        plain(heading, lambda row: name(row["entrant"])),
        *([] if is_army else [cost]),
        number("Before", "before", show_probability),
        number("After", "after", show_probability),
        number("Change", "difference", show_probability_change),
    ]
    if rows["difference_low"].null_count() < rows.height:
        head, show = ("Interval, pp", _in_points) if brief else ("Interval", show_probability_change)
        columns.append(ends(head, "difference_low", "difference_high", show, without="exact"))
    if not rows["dominated_after"].null_count():
        full = plain("Loses alone", lambda row: standing_words(row, name))
        columns.append(plain("Loses alone", _in_a_word) if brief else full)
    return columns


def _in_points(share: float) -> str:
    return show_fixed(100 * share, 1)


def _in_a_word(row: Row) -> str:
    words = {(True, True): "still", (False, True): "now", (True, False): "no longer"}
    return words.get((row["dominated_before"], row["dominated_after"]), "–")
