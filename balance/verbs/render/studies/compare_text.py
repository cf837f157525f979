"""What `balance compare` prints: whom a change affects, and the match-ups that change most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from balance.base.numbers import show_many, show_probability, show_probability_change
from balance.verbs.render.screens import screen_of
from balance.verbs.render.terminal import line, table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.study.compare.compare import Comparison

MAX_ROWS = 24, 12, 6
"""Rows of values, of entrants that contain a changed one, and of others; of match-ups as many as of the last."""
LONGEST_WHOLE = 30
"""Letters of an id that is not broken over lines."""


def blocks(comparison: Comparison, written_files: Sequence[Path] = (), more: bool = True) -> Iterator[RenderableType]:
    """Yield whom the change affects, then the match-ups that it can touch; room is left for the files written.

    Parameters
    ----------
    comparison
        The match-ups before and after a change.
    written_files
        Files whose paths are printed below, for which room is left.
    more
        Whether everything is printed, instead of the first screen.
    """
    from balance.reporting.changes.sentences import lead, turned_around

    parts = [
        *_affected_tables(comparison),
        *(line(text) for text in turned_around(comparison, str)),
        *_match_ups(comparison),
    ]
    files = [str(path) for path in written_files]
    return screen_of(
        lead(comparison, str), parts, f"{comparison.before.definition.title}: {comparison.title}", more, files
    )


def _affected_tables(comparison: Comparison) -> Iterator[RenderableType]:
    """Yield a table of each kind of what is affected."""
    from balance.reporting.changes.tables import affected_tables

    for affected_table in affected_tables(comparison, str, MAX_ROWS, brief=True):
        heads = [column.name.lower() for column in affected_table.columns]
        right = [head for head, column in zip(heads, affected_table.columns, strict=True) if column.align == "right"]
        cells = [[cell.text for cell in row] for row in affected_table.rows]
        ids = heads[:1] if max((len(row[0]) for row in cells), default=0) <= LONGEST_WHOLE else []
        yield table(heads, cells, right, ids)
        if affected_table.note:
            yield line(affected_table.note.replace("`", ""), "dim", after=1)


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
