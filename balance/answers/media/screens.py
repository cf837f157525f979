"""First screens: what a verb prints unless it is asked for more fits a small terminal, the answer first.

A screen has three parts. What stands at its top and its foot is always printed: the answer in a sentence, what was
changed, what it rests on. Of what lies between, tables mostly, as much is printed as there is room for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from rich.console import Console, RenderableType

from balance.answers.media.terminal import Rows, console

HEIGHT = 24
"""Lines of a first screen, those of notes on standard error included."""
FEWEST_ROWS = 2
"""Rows below which a table is left out instead of cut."""
NOTE = "note: "


def first_screen(
    top: Iterable[RenderableType],
    body: Iterable[RenderableType],
    foot: Iterable[RenderableType],
    notes: Collection[str] = (),
) -> Iterator[RenderableType]:
    """Yield the parts of a first screen: all of its top and foot, and of its body what there is room for between.

    A table in the body may lose its last rows. `notes` are printed on standard error below, and need room too.
    """
    out, before, between, after = console(), list(top), list(body), list(foot)
    yield from before
    room = HEIGHT - sum(_height(out, part) for part in (*before, *after)) if between else 0
    room -= sum(-(-len(NOTE + note) // out.width) for note in notes)
    for part in between:
        blocks = _fit_into(out, part, room)
        room -= sum(_height(out, block) for block in blocks)
        yield from blocks
    yield from after


def _fit_into(out: Console, part: RenderableType, room: int) -> list[RenderableType]:
    """Return a part if it has no more than `room` lines, a table cut to fit; empty if two of its rows do not."""
    if not isinstance(part, Rows):
        return [part] if _height(out, part) <= room else []
    for n_rows in range(min(len(part.rows), max(room, 0)), 0, -1):
        if n_rows < len(part.rows) and n_rows < FEWEST_ROWS:
            break
        blocks = part.cut(n_rows)
        if sum(_height(out, block) for block in blocks) <= room:
            return blocks
    return []


def _height(out: Console, part: RenderableType) -> int:
    """Return how many lines a part takes."""
    return len(out.render_lines(part, pad=False))
