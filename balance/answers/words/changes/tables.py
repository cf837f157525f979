"""The tables of a change: the changed cards, and those whose standing in duels they move.

`brief` makes a table fit a screen; else it is that of the report.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from balance.answers.blocks.tables import Cell, Column, Table, interval_cell, number_cell, table
from balance.answers.blocks.text import literal
from balance.answers.form import Terms
from balance.answers.words.changes.sentences import Name, before_after, card_row, standing_words
from balance.base.numbers import show_count, show_fixed, show_many, show_probability, show_probability_change
from balance.study.compare.answer import Affected, Comparison, Standing

SCORE = "The score is the mean over the whole field and both turn orders, a draw counting half."
LONGEST_WHOLE = 30
"""Letters of an id that is not broken over lines of a screen."""
Row = TypeVar("Row")
Columns = list[tuple[Column | str, Callable[[Row], Cell | str]]]
"""Heads of columns, each with what it shows of a row."""


def right(head: str) -> Column:
    """Return a column of numbers, set flush right."""
    return Column(head, "right")


def table_of(rows: Sequence[Row], columns: Columns[Row], caption: str, note: str = "") -> Table:
    """Return a table with one row for each record."""
    return table([head for head, _ in columns], [[cell(row) for _, cell in columns] for row in rows], caption, note)


def on_screen(block: Table) -> Table:
    """Return a table with small heads, as screens have them, and with ids that stay whole unless they are long."""
    whole = max((len(row[0].text) for row in block.rows), default=0) <= LONGEST_WHOLE
    heads = [
        replace(column, name=column.name.lower(), whole=whole and place == 0)
        for place, column in enumerate(block.columns)
    ]
    return replace(block, columns=tuple(heads))


def changed_table(affected: Affected, caption: str = "", max_rows: int = 16) -> list[Table]:
    """Return the table of at most `max_rows` changed values, as a list, empty without any; `compare.json` has all."""
    if not affected.cards:
        return []
    rows = [card_row(card) for card in affected.cards[:max_rows]]
    return [
        table(
            ["Card", "Value", right("Before"), right("After")], rows, caption, left_out(len(affected.cards) - max_rows)
        )
    ]


def standing_tables(
    comparison: Comparison, terms: Terms, name: Name, max_rows: Sequence[int] = (18, 8), brief: bool = False
) -> list[Table]:
    """Return the tables of entrants that contain what is changed, and of others whose standing surely changes.

    Each has at most so many of `max_rows`; `compare.json` holds all.
    """
    affected, plural, tables = comparison.affected, literal(terms.entrants), list[Table]()
    if rows := affected.listed:
        whose = "whose standing changes" if affected.everybody else "that contain a changed card"
        stay = len(affected.entrants) - len(rows)
        stays = show_many(stay, "more contains one and stays as it was", "more contain one and stay as they were")
        note = left_out(len(rows) - max_rows[0]) + (f" {stays}." if stay else "")
        columns = _columns(comparison, rows, terms.entrant.capitalize(), name, brief)
        caption = "" if brief else f"The {plural} {whose}. {SCORE}"
        tables.append(table_of(rows[: max_rows[0]], columns, caption, note.strip()))
    if rows := affected.others:
        caption = "" if brief else f"Other {plural}, without a changed card, whose standing changes all the same."
        columns = _columns(comparison, rows, f"Other {terms.entrant}", name, brief)
        tables.append(table_of(rows[: max_rows[1]], columns, caption, left_out(len(rows) - max_rows[1])))
    return tables


def left_out(n: int) -> str:
    """Return a note with the number of rows left out of a table; "" for none."""
    return f"{show_count(n)} more {'is' if n == 1 else 'are'} in `compare.json`." if n > 0 else ""


def _columns(
    comparison: Comparison, rows: Sequence[Standing], heading: str, name: Name, brief: bool
) -> Columns[Standing]:
    """Return the columns of a table of entrants: name under `heading`, cost, scores, and whether dominated."""
    columns: Columns[Standing] = [(heading, lambda row: name(row.entrant))]
    if comparison.equal_points is None:
        columns.append((right("Cost"), lambda row: cost_cell(row.cost_before, row.cost_after)))
    columns += [
        (right("Before"), lambda row: number_cell(row.before, show_probability)),
        (right("After"), lambda row: number_cell(row.after, show_probability)),
        (right("Change"), lambda row: number_cell(row.difference, show_probability_change)),
    ]
    if any(row.difference_low is not None for row in rows):
        head, show = ("Interval, pp", _in_points) if brief else ("Interval", show_probability_change)
        columns.append((right(head), lambda row: interval_cell(row.difference_low, row.difference_high, show, "exact")))
    if all(row.dominated_after is not None for row in rows):
        columns.append(("Loses alone", _in_a_word if brief else lambda row: standing_words(row, name)))
    return columns


def cost_cell(before: float, after: float) -> Cell:
    """Return what an entrant costs, and what it did where that is something else.

    >>> cost_cell(4.0, 5.0).text, cost_cell(4.0, 4.0).text
    ('4 → 5', '4')
    """
    return Cell(before_after(f"{before:g}", f"{after:g}"), after)


def _in_points(share: float) -> str:
    return show_fixed(100 * share, 1)


def _in_a_word(row: Standing) -> str:
    words = {(True, True): "still", (False, True): "now", (True, False): "no longer"}
    return words.get((bool(row.dominated_before), bool(row.dominated_after)), "–")
