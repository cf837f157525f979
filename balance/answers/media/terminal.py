"""What the terminal shows: one quiet table style, bars and sparklines."""

from __future__ import annotations

import math
import sys
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import IO, Any

from rich import box
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from balance.base.numbers import show_count, show_many
from balance.base.text import one_line

COLUMN_GAP = 3
MOST_SPARKS, FEWER_SPARKS = 32, 16
"""Bars of a distribution drawn as a line: one for each value up to so many, else at most fewer of several values
each."""
_SPARKS = "▁▂▃▄▅▆▇█"


def console(file: IO[str] | None = None) -> Console:
    """Return a console that prints texts as they are: what a catalogue holds is never taken for markup."""
    return Console(file=file, markup=False, highlight=False, emoji=False)


def title(text: str, *details: str) -> Text:
    """Return a heading in bold, with details after it in dim text."""
    return Text.assemble((one_line(text), "bold"), *((f"  {one_line(detail)}", "dim") for detail in details))


class Whole(Text):
    """Lines that are never wrapped nor cut, so that they can be copied: commands, armies."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(map(one_line, lines)))


@dataclass(frozen=True)
class Rows:
    """A table without frames, in which a cell is text or a rich object, and which can be cut after some of its rows.

    Columns named in `right` are set flush right; those in `whole` are no narrower than their cells, such as ids.
    `after` is how many empty lines stand below it; `caption` is a line above it, if there is one.
    """

    headers: Sequence[str]
    rows: Sequence[Sequence[object]]
    right: Collection[str] = ()
    whole: Collection[str] = ()
    after: int = 1
    caption: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.caption:
            yield line(self.caption)
        grid = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1), header_style="dim", border_style="dim")
        for header in self.headers:
            justify: JustifyMethod = "right" if header in self.right else "left"
            grid.add_column(header, justify=justify, overflow="fold", no_wrap=header in self.whole)
        for row in self.rows:
            grid.add_row(*(cell if isinstance(cell, Text) else Text(one_line(cell)) for cell in row))
        yield Padding(grid, (0, 0, self.after, 1))

    def cut(self, n_rows: int) -> list[RenderableType]:
        """Return its first rows, and a line that tells how many more there are."""
        n_cut = len(self.rows) - n_rows
        if n_cut <= 0:
            return [self]
        head = replace(self, rows=self.rows[:n_rows], after=0)
        return [head, line(f"and {show_many(n_cut, 'more row')}", "dim", self.after)]


@dataclass(frozen=True)
class Shortened:
    """A sentence in the one line that a terminal has room for; a page shows all of it."""

    text: str
    style: str = "dim"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield what rich draws; `…` stands for the rest."""
        yield line(textwrap.shorten(self.text, max(options.max_width - 4, 20), placeholder=" …"), self.style)


def table(
    headers: Sequence[str], rows: Iterable[Sequence[object]], right: Collection[str] = (), whole: Collection[str] = ()
) -> Rows:
    """Return a table of rows, whose cells are texts, numbers or rich objects.

    Columns whose headers are in `right` are set flush right; those in `whole`, such as ids, are never narrower than
    cells.
    """
    return Rows(headers, tuple(rows), right, whole)


def table_in_parts(headers: Sequence[str], rows: Sequence[Sequence[object]], right: Collection[str] = ()) -> list[Any]:
    """Return one table, or several below each other where one would be too wide; each repeats the first column.

    Columns whose headers are in `right` are set flush right.
    """
    cells = [[cell if isinstance(cell, Text) else Text(one_line(cell)) for cell in row] for row in rows]
    heads = [header.replace("_", "\n") for header in headers]
    widths = [
        max([len(word) for word in head.split("\n")] + [row[place].cell_len for row in cells]) + COLUMN_GAP
        for place, head in enumerate(heads)
    ]
    parts: list[list[int]] = [[0]]
    for place in range(1, len(heads)):
        if len(parts[-1]) > 1 and sum(widths[at] for at in parts[-1]) + widths[place] > console().width - 1:
            parts.append([0])
        parts[-1].append(place)
    flush = {head for header, head in zip(headers, heads, strict=True) if header in right}
    return [table([heads[at] for at in part], [[row[at] for at in part] for row in cells], flush) for part in parts]


def bar(share: float, width: int = 20) -> Text:
    """Return a bar for a share from 0 to 1, half cells counted; a share of 1 is `width` cells long.

    >>> bar(0.5, 5).plain
    '██▌'
    """
    halves = round(share * width * 2)
    return Text("█" * (halves // 2) + "▌" * (halves % 2), "cyan")


def sparkline(shares: Sequence[float]) -> str:
    """Return one character per share from 0 to 1; only a true 0 is drawn as nothing.

    >>> sparkline([0.0, 0.01, 0.5, 1.0])
    ' ▁▄█'
    """
    return "".join(" " if share <= 0 else _SPARKS[min(8, math.ceil(share * 8)) - 1] for share in shares)


def distribution_line(
    chances: Mapping[int, float], max_bars: int = MOST_SPARKS, max_grouped_bars: int = FEWER_SPARKS, tells: bool = True
) -> Text:
    """Draw a distribution, value -> chance, as a line, without ends where almost nothing is.

    It has up to `max_bars` bars of one value each, or up to `max_grouped_bars` of several; the line `tells` of how
    many.
    """
    min_chance = 5e-4 * max(chances.values())
    values = [value for value, p in chances.items() if p > min_chance]
    low, high = min(values), max(values)
    step = 1 if high - low < max_bars else -(-(high - low + 1) // max_grouped_bars)
    shares = [0.0] * ((high - low) // step + 1)
    for value, p in chances.items():
        if low <= value <= high:
            shares[(value - low) // step] += p if p > min_chance else 0.0
    bars = sparkline([p / max(shares) for p in shares])
    wide = f" ({step} a bar)" if step > 1 and tells else ""
    return Text(f"{show_count(low)} ", "dim") + Text(bars, "cyan") + Text(f" {show_count(high)}{wide}", "dim")


def line(text: str, style: str = "", after: int = 0) -> RenderableType:
    """Return a sentence in a style of rich, indented also where it wraps, with `after` empty lines below it."""
    return Padding(Text(one_line(text), style), (0, 0, after, 2))


def say(*parts: RenderableType) -> None:
    """Print to standard output, without blanks at the ends of lines."""
    out = console()
    with out.capture() as capture:
        for part in parts:
            out.print(part, soft_wrap=isinstance(part, Whole))
    sys.stdout.write("\n".join(row.rstrip() for row in capture.get().split("\n")))
    sys.stdout.flush()
