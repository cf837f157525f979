"""What `roster` says of BattleScribe files: what they hold, and the first rows of their table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Title, plain
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Terms
from balance.base.numbers import show_count, show_many
from balance.catalogue.battlescribe.answer import Roster
from balance.catalogue.battlescribe.entry_table import EntryTable

if TYPE_CHECKING:
    import polars as pl

MOST_SHOWN, MOST_TOLD, WIDEST = 20, 5, 8
"""Rows, unresolved links and columns that a screen shows."""
LONG = ("id", "categories", "holds", "rules", "file", "line")
"""Columns that wait for the file."""


def sentence(roster: Roster, terms: Terms) -> str:
    """Return how large the table is."""
    return f"A table of {size_text(roster.table)}."


def size_text(table: EntryTable) -> str:
    """Return how many rows and columns a table has."""
    return f"{show_many(len(table.rows), 'row')}, {show_many(len(table.headers), 'column')}"


def blocks(roster: Roster, terms: Terms) -> Iterator[Block]:
    """Yield the types of profile, then the first rows in those columns that fit a screen."""
    yield Title("BattleScribe", (", ".join(roster.files),))
    types = [(name, show_count(count), _traits(roster, name)) for name, count in roster.profile_types.items()]
    yield grid(["type of profile", "rows", "characteristics and costs"], types, right=("rows",))
    places = _visible_columns(roster)
    yield grid(
        [roster.columns[at] for at in places], [[_text(row[at]) for at in places] for row in roster.rows[:MOST_SHOWN]]
    )
    if (more := len(roster.rows) - MOST_SHOWN) > 0:
        yield plain(f"{show_many(more, 'more row')}: --out FILE.csv writes all.", "aside", gap=True)


def tables(roster: Roster) -> Mapping[str, pl.DataFrame]:
    """Return the table as it was read, every cell a text."""
    import polars as pl

    columns = zip(roster.columns, zip(*roster.rows, strict=True), strict=True)
    return {"rows": pl.DataFrame({name: list(map(_text, cells)) for name, cells in columns})}


def notes(roster: Roster) -> tuple[str, ...]:
    """Return the notes of the files and of the table, and the first links that lead to none of the files."""
    links = roster.library.unresolved_links
    more = f"{show_many(len(links) - MOST_TOLD, 'more link')} to what is in none of the files; --json lists each"
    return (*roster.notes, *map(str, links[:MOST_TOLD]), *([more] if len(links) > MOST_TOLD else []))


WORDS = AnswerWords.whole(sentence, blocks, tables)


def _text(cell: object) -> str:
    return "" if cell is None else str(cell)


def _visible_columns(roster: Roster) -> list[int]:
    """Return the indices of columns that fit a screen: all named ones, else traits of one type, or what entries are."""
    table, hidden = roster.table, [] if roster.is_mapped else [*LONG]
    if hidden and len({row[table.headers.index("profile type")] for row in table.rows}) == 1:
        hidden += ["type", "profile", "profile type"]
    places = [place for place, header in enumerate(table.headers) if header not in hidden]
    costs = [place for place in places if table.headers[place] in table.costs][: WIDEST - 2]
    others = [place for place in places if table.headers[place] not in table.costs][: WIDEST - len(costs)]
    return sorted((*costs, *others))


def _traits(roster: Roster, name: str) -> str:
    """Return the names of the characteristics and costs of a type of profile, separated by commas."""
    entries = [entry for entry in roster.library.entries if entry.profile_type == name]
    return ", ".join(dict.fromkeys(trait for entry in entries for trait in (*entry.characteristics, *entry.costs)))
