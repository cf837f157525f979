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
    """The range of a number while one assumed value moves; `old` is that value as it is."""

    path: str
    old: str
    low: float
    high: float


def plot_tornado(robustness: Robustness) -> Picture:
    """Return a bar from the lowest to the highest number for each of the widest values, and a line at the limit.

    Raises `UsageError` if no value moves the number.
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
    """Return the picture of bars, the first on top, around `base`, the number while no value is moved.

    More than 20 bars, the widest first, are not drawn. A line at `limit` is where the conclusion turns, None for no
    conclusion; shares are shown in per cent. Raises `UsageError` if there is no bar.
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
