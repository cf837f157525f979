"""What the terminal shows: one quiet table style, and bars in colour."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import IO, Any

from rich import box
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from balance.base.numbers import show_many
from balance.base.text import one_line

COLUMN_GAP = 3
MOST_ROWS = 400
"""Rows up to which rich lays out a table; it takes about a millisecond for each."""
MOST_WIDTH = 1000
"""Columns of a screen on which a table is as wide as it wants to be."""


def console(file: IO[str] | None = None) -> Console:
    """Return a console that prints texts as they are: what a catalogue holds is never taken for markup."""
    return Console(file=file, markup=False, highlight=False, emoji=False)


def title(text: str, *details: str) -> Text:
    """Return a heading in bold, with details after it in dim text."""
    return Text.assemble((one_line(text), "bold"), *((f"  {one_line(detail)}", "dim") for detail in details))


class Whole(Text):
    """Lines that are never wrapped nor cut, and keep their spaces: commands, armies, what is set in columns."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(" ".join(map(one_line, text.split(" "))) for text in lines))


@dataclass(frozen=True)
class Rows:
    """A table without frames, in which a cell is text or a rich object, and which can be cut after some of its rows.

    Columns named in `right` are set flush right; those in `whole` are no narrower than their cells, such as ids; those
    in `spare` are left out where there is no room for all. `after` is how many empty lines stand below it; `caption`
    is a line above it, if there is one.
    """

    headers: Sequence[str]
    rows: Sequence[Sequence[object]]
    right: Collection[str] = ()
    whole: Collection[str] = ()
    after: int = 1
    caption: str = ""
    spare: Collection[str] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.caption:
            yield line(self.caption)
        if len(self.rows) > MOST_ROWS and len((lines := self._lines())[0]) < options.max_width - 1:
            yield Padding(Text("\n".join(map(str.rstrip, lines)), no_wrap=True), (0, 0, self.after, 2))
            return
        grid = self._grid()
        if self.spare and console.measure(grid, options=options.update(width=MOST_WIDTH)).maximum >= options.max_width:
            grid = self._grid(self.spare)
        yield Padding(grid, (0, 0, self.after, 1))

    def _grid(self, left_out: Collection[str] = ()) -> Table:
        grid = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1), header_style="dim", border_style="dim")
        grid.show_header = any(self.headers)
        places = [at for at, header in enumerate(self.headers) if header not in left_out]
        for header in (self.headers[at] for at in places):
            justify: JustifyMethod = "right" if header in self.right else "left"
            grid.add_column(header, justify=justify, overflow="fold", no_wrap=header in self.whole)
        for row in self.rows:
            cells = (row[at] for at in places)
            grid.add_row(*(cell if isinstance(cell, Text) else Text(one_line(cell)) for cell in cells))
        return grid

    def _lines(self) -> list[str]:
        """Return heads and rows as plain lines of one width."""
        texts = [[one_line(str(cell)) for cell in row] for row in (self.headers, *self.rows)]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        flush = [str.rjust if head in self.right else str.ljust for head in self.headers]
        return [
            (" " * COLUMN_GAP).join(place(cell, width) for place, cell, width in zip(flush, row, widths, strict=True))
            for row in texts
        ]

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


def picture(text: str) -> Text:
    """Return bars in colour, and whatever stands beside them dim."""
    drawn = Text(text)
    drawn.highlight_regex("[▁-▌]+", "cyan")
    drawn.highlight_regex("[^▁-▌ ]+", "dim")
    return drawn


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
