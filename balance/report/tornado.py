"""The picture of a tornado: how far each assumed value moves a number, the widest on top."""

from __future__ import annotations

from balance.analysis.robustness import Robustness
from balance.errors import UsageError
from balance.report.document import Picture
from balance.report.figures import plot_intervals

__all__ = ["plot_tornado"]

MOST_ROWS = 20


def plot_tornado(found: Robustness) -> Picture:
    """Return a bar from the lowest to the highest number for each of the widest values, and a line at the limit.

    Raises
    ------
    UsageError
        No value moves the number.

    Examples
    --------
    >>> from balance.analysis.robustness import robustness
    >>> from balance.engine.query import Query
    >>> from balance.protocol.loaded import load
    >>> found = robustness(load("warforged"), Query("duel", "nexus+shotgun", "trooper+shotgun"), over=["units"])
    >>> plot_tornado(found).wide[:4]
    '<svg'
    """
    bench, wide = found.bench, [span for span in found.spans if span.width][:MOST_ROWS]
    if not wide:
        raise UsageError(f"no move changes the {bench.measure}, so there is nothing to draw")
    base = bench.base.value.value
    scale = 100.0 if bench.measure.is_share else 1.0
    lows, highs = ([scale * span.ends[end].value for span in wide] for end in (0, 1))
    unit = ", in per cent" if bench.measure.is_share else ""
    return plot_intervals(
        [f"{span.place.path}: {span.place.old or 'none'}" for span in wide],
        [scale * base] * len(wide),
        lows,
        highs,
        f"{bench.measure}{unit}",
        reference=None if bench.claim is None else scale * bench.claim.limit,
    )
