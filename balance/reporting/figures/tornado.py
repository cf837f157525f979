"""The picture of a tornado: how far each assumed value moves a number, the widest on top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from balance.analysis.claims.robustness import Robustness
from balance.answers.blocks.document import Picture
from balance.base.errors import UsageError
from balance.reporting.figures.figures import plot_intervals

MOST_ROWS = 20


class Bar(NamedTuple):
    """A value, what it is, and between which ends its moves bring the number."""

    path: str
    old: str
    low: float
    high: float


def plot_tornado(robustness: Robustness) -> Picture:
    """Return a bar from the lowest to the highest number for each of the widest values, and a line at the limit.

    Raises
    ------
    UsageError
        No value moves the number.

    Examples
    --------
    >>> from balance.analysis.claims.robustness import robustness
    >>> from balance.engine.query import Query
    >>> from balance.engine.runner import Runner
    >>> from balance.game.loaded import load
    >>> found = robustness(Runner(load("warforged")), Query("duel", "nexus+shotgun", "trooper+shotgun"), over=["units"])
    >>> plot_tornado(found).wide[:4]
    '<svg'
    """
    bench = robustness.bench
    bars = [
        Bar(span.place.path, span.place.old, *(end.value for end in span.ends))
        for span in robustness.spans
        if span.width
    ]
    limit = None if bench.claim is None else bench.claim.limit
    return plot_bars_of(bars, bench.base.value.value, limit, str(bench.measure), is_share=bench.measure.is_share)


def plot_bars_of(bars: Sequence[Bar], base: float, limit: float | None, measure: str, *, is_share: bool) -> Picture:
    """Return the picture of these bars, the first on top, around the number as it is; shares in per cent.

    Parameters
    ----------
    bars
        The widest first; more than 20 are not drawn.
    base
        The number while no value is moved.
    limit
        Where the conclusion turns; None where nothing is concluded.
    measure
        What the number is.
    is_share
        Whether the number is a share of 1, shown in per cent.

    Raises
    ------
    UsageError
        There is no bar.
    """
    if not bars:
        raise UsageError(f"no move changes the {measure}, so there is nothing to draw")
    wide, scale = bars[:MOST_ROWS], 100.0 if is_share else 1.0
    return plot_intervals(
        [f"{bar.path}: {bar.old or 'none'}" for bar in wide],
        [scale * base] * len(wide),
        [scale * bar.low for bar in wide],
        [scale * bar.high for bar in wide],
        f"{measure}{', in per cent' if is_share else ''}",
        reference=None if limit is None else scale * limit,
    )
