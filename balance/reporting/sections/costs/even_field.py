"""What would bring a field to one half in which everybody costs the same: who is how far off, now and after changes."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from balance.analysis.changes.handicaps.even_field import LINE, READING
from balance.analysis.prices.over_settings import DEPENDS
from balance.answers.words.lists import list_words
from balance.base.numbers import show_many, show_probability
from balance.reporting import Cell, Column, Paragraph, Section, Table, literal
from balance.reporting.sections.common.columns import Row, TableColumn, frame_table, number, plain
from balance.reporting.sections.common.words import Pages

EVEN_TITLE = "What would even the field"


def even_field_section(pages: Pages) -> Section | None:
    """Return the table of all scores, now and with all proposed changes in force; None where nobody asked."""
    field = pages.table("even_field")
    if field is None:
        return None
    words = pages.words
    text = (
        f"Every {literal(words.entrant)} costs {pages.points(1)}, so who {literal(words.wins)} more often than every "
        f"other time is too cheap. The one farthest from one half is changed first, then the next, "
        f"{show_many(_n_changes(pages), 'change')} in all, each chosen so that all of them hold together; nobody else "
        f"changes. {settings_text(pages)}"
    )
    return Section(EVEN_TITLE, "even-field", (Paragraph(text), _table(pages, field)))


def _n_changes(pages: Pages) -> int:
    return pages.run.table("even_changes").height


def _table(pages: Pages, field: pl.DataFrame) -> Table:
    columns = [
        group_column(pages),
        number("Now", "score", percent, "mean score against all, one against one"),
        span_column("Range now", "low", "high", "over all settings"),
        plain("At one cost for all", verdict_text, "a verdict is firm only if it is the same in every setting"),
        number("Then", "after", percent, "with all changes in force"),
        span_column("Range then", "after_low", "after_high", "over all settings"),
    ]
    return frame_table(
        field, columns, "Everybody now, and with the changes of the first page in force. Exact.", source="even_field"
    )


def group_name(pages: Pages, entrants: Sequence[str]) -> str:
    """Return the displayed names of entrants that play alike, plain, joined in one text."""
    return list_words([pages.name(name) for name in entrants])


def group_column(pages: Pages) -> TableColumn:
    """Return the column that says who a row is about; those whom no duel tells apart share one."""
    return plain(pages.words.entrant.capitalize(), lambda row: group_name(pages, row["entrants"]))


def span_column(head: str, low: str, high: str, note: str = "") -> TableColumn:
    """Return a column with the range of a score over all settings; `note` says what it holds, as marked text."""
    return TableColumn(
        Column(head, "right", note, "share"), lambda row: Cell(span(row[low], row[high]), row[low], row[low], row[high])
    )


def span(low: float, high: float) -> str:
    """Return a range of scores in whole per cent, one number if the ends round alike.

    >>> span(0.386, 0.413), span(0.501, 0.502)
    ('39% to 41%', '50%')
    """
    return " to ".join(dict.fromkeys(map(percent, (low, high)))).replace("\u00a0", "")


def percent(share: float) -> str:
    """Return a share in whole per cent."""
    return show_probability(share, 0)


def verdict_text(row: Row) -> str:
    """Return the verdict on a cost, with the setting that it depends on, if any."""
    return f"{DEPENDS}{list_words(row['depends'])}" if row["depends"] else str(row["verdict"])


def settings_text(pages: Pages) -> str:
    """Return a sentence on the settings in which everything was asked, as marked text."""
    settings = pages.run.table("even_settings")
    n_readings = settings.filter(setting=READING).height
    parts = ["one against one as the rules are read"]
    parts += ["two against two in line"] if settings.filter(setting=LINE).height else []
    parts += [f"{show_many(n_readings, 'other reading')} of the open rules, one at a time"] if n_readings else []
    return f"Ranges are over {list_words(parts)}." if len(parts) > 1 else ""
