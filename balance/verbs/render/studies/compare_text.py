"""What `balance compare` prints: what a change does at equal points, then whom it affects one against one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from balance.answers.media.screens import screen_of
from balance.answers.media.terminal import line, table
from balance.base.numbers import show_many, show_probability, show_probability_change

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.answers.blocks.tables import Table
    from balance.study.compare.compare import Comparison
    from balance.study.compare.equal_points import EqualPoints

MAX_ROWS = 24, 12, 6
"""Rows of values, of entrants that contain a changed one, and of others; of match-ups as many as of the last."""
LONGEST_WHOLE = 30
"""Letters of an id that is not broken over lines."""


def blocks(comparison: Comparison, written_files: Sequence[Path] = (), more: bool = True) -> Iterator[RenderableType]:
    """Yield what the change does to armies and in duels; room is left for the files written.

    Parameters
    ----------
    comparison
        The match-ups before and after a change.
    written_files
        Files whose paths are printed below, for which room is left.
    more
        Whether everything is printed, instead of the first screen.
    """
    from balance.reporting.changes.equal_points import army_lead, duel_text
    from balance.reporting.changes.sentences import lead

    armies = comparison.equal_points
    text = lead(comparison, str) if armies is None else army_lead(comparison, armies, str)
    parts = _duels_alone(comparison) if armies is None else _armies_first(comparison, armies, more)
    foot = [] if armies is None or comparison.touches_duels else [line(duel_text(comparison))]
    files = [str(path) for path in written_files]
    return screen_of(text, parts, f"{comparison.before.definition.title}: {comparison.title}", more, files, foot)


def _duels_alone(comparison: Comparison) -> Iterator[RenderableType]:
    """Yield whom the change affects in duels, which is all there is."""
    from balance.reporting.changes.tables import changed_table

    yield from _shown(changed_table(comparison, MAX_ROWS[0]))
    yield from _standings(comparison)
    yield from _match_ups(comparison)


def _armies_first(comparison: Comparison, armies: EqualPoints, more: bool) -> Iterator[RenderableType]:
    """Yield what the change does where armies of equal points meet, then, for `more`, what it does one against one."""
    from balance.reporting.changes.equal_points import army_tables, duel_text
    from balance.reporting.changes.tables import changed_table

    yield from _shown(army_tables(comparison, armies, str, MAX_ROWS[1], brief=True), has_captions=True)
    yield from _shown(changed_table(comparison, MAX_ROWS[0]))
    if more and comparison.touches_duels:
        yield line(duel_text(comparison), after=1)
        yield from _standings(comparison)
        yield from _match_ups(comparison)


def _standings(comparison: Comparison) -> Iterator[RenderableType]:
    """Yield where entrants stand in duels, and who is dominated from now on or no longer."""
    from balance.reporting.changes.sentences import turned_around
    from balance.reporting.changes.tables import standing_tables

    yield from _shown(standing_tables(comparison, str, MAX_ROWS[1:], brief=True))
    yield from (line(text) for text in turned_around(comparison, str))


def _shown(tables: Iterable[Table], has_captions: bool = False) -> Iterator[RenderableType]:
    """Yield tables of the report as a screen has them, each with its note, and with its caption where that is short."""
    for part in tables:
        heads = [column.name.lower() for column in part.columns]
        right = [head for head, column in zip(heads, part.columns, strict=True) if column.align == "right"]
        cells = [[cell.text for cell in row] for row in part.rows]
        ids = heads[:1] if max((len(row[0]) for row in cells), default=0) <= LONGEST_WHOLE else []
        yield replace(table(heads, cells, right, ids), caption=part.caption if has_captions else "")
        if part.note:
            yield line(part.note.replace("`", ""), "dim", after=1)


def _match_ups(comparison: Comparison) -> Iterator[RenderableType]:
    """Yield the match-ups that change most."""
    numbers = comparison.summary
    changes = comparison.changes.filter(comparison.changes["effect"].is_in(["changed", "small"]))
    top = changes.sort(changes["difference"].abs(), descending=True, maintain_order=True).head(MAX_ROWS[-1])
    if numbers["n_touched"]:
        effects = ", ".join(f"{n:,} {word}" for word, n in numbers["effects_touched"].items())
        yield line(f"{show_many(numbers['n_touched'], 'match-up')} can be touched: {effects}", after=1)
    rows = [
        (a, b, show_probability(old), show_probability(new), show_probability_change(by, unit=""))
        for a, b, old, new, by in top.select("a", "b", "before", "after", "difference").iter_rows()
    ]
    if rows:
        yield table(["a", "b", "before", "after", "change, % points"], rows, ("before", "after", "change, % points"))
    if numbers["n_not_touched"]:
        rest = show_many(numbers["n_not_touched"], "match-up stays as it was", "match-ups stay as they were")
        yield line(f"{rest}: counted in mean scores, and nowhere else", "dim")
