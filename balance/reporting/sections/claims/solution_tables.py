"""The tables of a solved game on the page: sides by their names, and how often each card is played as bars."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from balance.answers.blocks.document import Block
from balance.answers.blocks.text import shorten
from balance.base.numbers import NO_BREAK, show_count, show_fixed, show_probability, show_probability_change, show_unit
from balance.game.solution import CHANGE
from balance.reporting import Column, Figure, Table, literal, table
from balance.reporting.figures.bar_groups import Bars, plot_groups
from balance.reporting.sections.common.words import Pages
from balance.study.frames.solutions import table_name

TABLES_WITH_BARS = ("opening", "usage")
"""Tables that are drawn as bars, too, if they tell what each side plays."""
HALF = "half interval"
"""The column that holds half a 95 % interval of the difference beside it."""
NAME_LIMIT = 18
VISIBLE_RANGE = 0.001
"""Range from which on the least and the most are drawn as different numbers: what the table tells apart."""


@dataclass(frozen=True)
class Sides:
    """Short, different names of the sides a and b of a solved question, plain."""

    a: str
    b: str

    @classmethod
    def of(cls, first: str, second: str) -> Sides:
        """Return names for two sides: without what they share, or by their order if they share the whole name.

        >>> Sides.of("Angueth, learning game", "Huaos-Dzaa, learning game")
        Sides(a='Angueth', b='Huaos-Dzaa')
        >>> Sides.of("Spears:2", "Spears:2")
        Sides(a='Spears (first)', b='Spears (second)')
        """
        a, b = (shorten(name, NAME_LIMIT) for name in _where_they_differ(first, second))
        return cls(f"{a} (first)", f"{b} (second)") if a == b else cls(a, b)

    def name(self, side: str) -> str:
        """Return the name of side "a" or "b"; any other text as it is."""
        return {"a": self.a, "b": self.b}.get(side, side)

    def head(self, column: str) -> str:
        """Return the heading of a column that may be about one side.

        >>> Sides("Spears", "Swords").head("b plays"), Sides("Spears", "Swords").head("card")
        ('Swords plays', 'card')
        """
        side, gap, rest = column.partition(" ")
        return f"{self.name(side)}{gap}{rest}" if rest else column

    def caption(self, title: str) -> str:
        """Return the title of a table as a marked caption that names its sides.

        >>> Sides("Spears", "Swords").caption("What side a scores, and side b.")
        'What Spears scores, and Swords.'
        """
        text = re.sub(r"\b[Ss]ide ([ab])\b", lambda match: literal(self.name(match[1])), title)
        return f"{text.rstrip('.')}."


def _where_they_differ(first: str, second: str) -> tuple[str, str]:
    """Return two names without the part, before or behind a comma or colon, that both have."""
    for mark in (", ", ":"):
        (head, _, end), (other_head, _, other_end) = first.partition(mark), second.partition(mark)
        if end and end == other_end:
            return head, other_head
        if mark == ", " and head == other_head and end and other_end:
            return end[0].upper() + end[1:], other_end[0].upper() + other_end[1:]
    return first, second


def solution_blocks(pages: Pages, solution_id: str, sides: Sides) -> list[Block]:
    """Return the tables that came with a solution; those of what is played have bars above them."""
    blocks: list[Block] = []
    titles = pages.run.table("solution_tables").filter(id=solution_id)
    for name, title, differences in titles.select("name", "title", "differences").iter_rows():
        frame = pages.table(table_name(solution_id, name))
        if frame is None:
            continue
        if name in TABLES_WITH_BARS and {"a plays", "b plays"} <= set(frame.columns):
            blocks.append(replace(_figure(frame, title, sides), source=table_name(solution_id, name)))
        frame = frame.drop(CHANGE, strict=False)
        named_frame = frame.with_columns(_with_names(pages.run.settings.names, frame, sides))
        drawn_table = _table(named_frame, sides.caption(title), differences, sides)
        blocks.append(replace(drawn_table, source=table_name(solution_id, name)))
    return blocks


def _with_names(names: Mapping[str, str], frame: pl.DataFrame, sides: Sides) -> list[pl.Series]:
    """Return text columns with ids replaced by names, also in each part between commas."""

    def name(cell: str) -> str:
        return names.get(cell) or ", ".join(map(part_name, cell.split(", ")))

    def part_name(part: str) -> str:
        word, gap, remark = part.partition(" (")
        return f"{names.get(word, word)}{gap}{remark}"

    texts = [column for column, kind in frame.schema.items() if kind == pl.String]
    return [
        pl.Series(column, [sides.name(cell) if column == "side" else name(cell) for cell in frame[column]], pl.String)
        for column in texts
    ]


def _table(frame: pl.DataFrame, caption: str, differences: Sequence[str], sides: Sides) -> Table:
    """Return a table of a solution: decimals are shown as chances or values, or as signed differences.

    Half an interval stands behind its difference.
    """
    heads: list[Column | str] = []
    columns = []
    halves = frame[HALF].to_list() if HALF in frame.columns else []
    for series in frame.drop(HALF, strict=False):
        head, number = sides.head(series.name), series.dtype.is_numeric()
        heads.append(Column(head, "right") if number else head)
        if not series.dtype.is_float():
            columns.append([(show_count(cell), cell) if number else str(cell) for cell in series])
            continue
        show = show_probability_change if series.name in differences else show_probability
        texts = [show(cell) for cell in series]
        if halves and series.name in differences:
            texts = [f"{text}{NO_BREAK}±{show_fixed(100 * half, 1)}" for text, half in zip(texts, halves, strict=True)]
        columns.append(list(zip(texts, series, strict=True)))
    return table(heads, list(map(list, zip(*columns, strict=True))), caption)


# -- what is played, as bars -----------------------------------------------------------------------------------------


def _figure(frame: pl.DataFrame, title: str, sides: Sides) -> Figure:
    """Return bars of how often each side plays what, with whiskers for the range that perfect play leaves open."""
    places = [str(place) for place in frame[frame.columns[0]]]
    groups = [_bars(frame, side, sides.name(side)) for side in ("a", "b")]
    order = f"Left bars: {literal(sides.a)}; right bars: {literal(sides.b)}."
    text = "; ".join(f"{group.name}: {_plays_text(places, group)}" for group in groups)
    return Figure(
        plot_groups(places, groups, frame.columns[0], "how often played"),
        f"{title.rstrip('.')}. {text}.",
        f"{sides.caption(title)} {order}{_whiskers(groups)}",
    )


def _bars(frame: pl.DataFrame, side: str, name: str) -> Bars:
    """Return the bars of a side; ranges too small to show in the table have no whisker."""
    shares, ends = tuple(frame[f"{side} plays"]), (f"{side} least", f"{side} most")
    if not set(ends) <= set(frame.columns):
        return Bars(name, shares)
    ranges = zip(shares, *(frame[end] for end in ends), strict=True)
    whiskers = [(low, high) if high - low >= VISIBLE_RANGE else (share, share) for share, low, high in ranges]
    return Bars(name, shares, tuple(low for low, _ in whiskers), tuple(high for _, high in whiskers))


def _whiskers(groups: Sequence[Bars]) -> str:
    """Return what the whiskers mean, or that no range is wide enough for one; "" without ranges."""
    if any(group.low is None for group in groups):
        return ""
    apart = show_unit(show_fixed(100 * VISIBLE_RANGE, 1), "pp")
    if all(group.low == group.high for group in groups):
        return f" The least and the most are nowhere {apart} apart, so there are no whiskers."
    return f" Whiskers go from the least to the most where these are {apart} apart or more."


def _plays_text(places: Sequence[str], group: Bars) -> str:
    texts = [f"{place} {show_probability(share)}" for place, share in zip(places, group.shares, strict=True) if share]
    return ", ".join(texts) or "none"
