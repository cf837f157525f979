"""First screens: what a verb prints unless it is asked for more fits a small terminal, the answer first.

A screen has three parts. What stands at its top and its foot is always printed: the answer in a sentence, what was
changed, what it rests on. Of what lies between, tables mostly, as much is printed as there is room for.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, RenderableType
from rich.padding import Padding

from balance.cli.terminal import console, line, table
from balance.numbers import show_many

__all__ = ["HEIGHT", "Rows", "first_screen", "in_one_line", "more_line"]

HEIGHT = 24
"""Lines of a first screen, those of notes on standard error included."""
FEWEST_ROWS = 2
"""Rows below which a table is left out instead of cut."""
NOTE = "note: "


@dataclass(frozen=True)
class Rows:
    """A table that may be cut where there is no room for all of its rows; `rest` is what those left out are called."""

    headers: Sequence[str]
    rows: Sequence[Sequence[object]]
    right: Collection[str] = ()
    whole: Collection[str] = ()
    rest: str = "more row"

    def cut(self, n_rows: int) -> list[RenderableType]:
        """Return its first rows, and a line that tells how many more there are."""
        shown = table(self.headers, self.rows[:n_rows], self.right, self.whole)
        left = len(self.rows) - n_rows
        return [shown] if left <= 0 else [_tight(shown), line(f"and {show_many(left, self.rest)}", "dim", 1)]


def first_screen(
    top: Iterable[RenderableType],
    body: Iterable[Rows | RenderableType],
    foot: Iterable[RenderableType],
    notes: Collection[str] = (),
) -> Iterator[RenderableType]:
    """Yield the parts of a first screen: all of its top and foot, and of its body what there is room for between.

    `notes` are printed on standard error below, and need room too.
    """
    out, before, after = console(), list(top), list(foot)
    left = HEIGHT - sum(_height(out, part) for part in (*before, *after))
    left -= sum(-(-len(NOTE + note) // out.width) for note in notes)
    yield from before
    for part in body:
        shown = _fitting(out, part, left)
        left -= sum(_height(out, each) for each in shown)
        yield from shown
    yield from after


def _fitting(out: Console, part: Rows | RenderableType, room: int) -> list[RenderableType]:
    """Return what of a part there is room for."""
    if not isinstance(part, Rows):
        return [part] if _height(out, part) <= room else []
    for n_rows in range(min(len(part.rows), max(room, 0)), 0, -1):
        if n_rows < len(part.rows) and n_rows < FEWEST_ROWS:
            break
        shown = part.cut(n_rows)
        if sum(_height(out, each) for each in shown) <= room:
            return shown
    return []


def _height(out: Console, part: RenderableType) -> int:
    """Return how many lines a part takes."""
    return len(out.render_lines(part, pad=False))


def _tight(part: RenderableType) -> RenderableType:
    """Return a table without the empty line after it."""
    return Padding(part.renderable, (0, 0, 0, 1)) if isinstance(part, Padding) else part


def in_one_line(text: str, style: str = "dim") -> RenderableType:
    """Return a text in the one line that there is room for; `…` stands for the rest."""
    return line(textwrap.shorten(text, max(console().width - 4, 20), placeholder=" …"), style)


def more_line(about: str, provenance: str = "") -> RenderableType:
    """Return the last line: where the numbers come from, and what --more shows."""
    return line(f"{f'{provenance}. ' if provenance else ''}--more shows {about}.", "dim")
