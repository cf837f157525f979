"""Small drawings of block characters that stand in cells of tables: a bar for a share, a row of bars."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from balance.answers.blocks.tables import Cell
from balance.base.numbers import show_count

MOST_SPARKS, FEWER_SPARKS = 32, 16
"""Bars of a distribution in a row: one for each value up to so many, else at most fewer of several values each."""
_SPARKS = "▁▂▃▄▅▆▇█"


def bar(share: float, width: int = 20) -> Cell:
    """Return a bar for a share from 0 to 1, half cells counted; a share of 1 is `width` cells long.

    >>> bar(0.5, 5).text
    '██▌'
    """
    halves = round(share * width * 2)
    return Cell("█" * (halves // 2) + "▌" * (halves % 2), is_drawing=True)


def sparkline(shares: Sequence[float]) -> str:
    """Return one character per share from 0 to 1; only a true 0 is drawn as nothing.

    >>> sparkline([0.0, 0.01, 0.5, 1.0])
    ' ▁▄█'
    """
    return "".join(" " if share <= 0 else _SPARKS[min(8, math.ceil(share * 8)) - 1] for share in shares)


def distribution_line(
    chances: Mapping[int, float], max_bars: int = MOST_SPARKS, max_grouped_bars: int = FEWER_SPARKS, tells: bool = True
) -> Cell:
    """Draw a distribution, value -> chance, as a row of bars, without ends where almost nothing is.

    It has up to `max_bars` bars of one value each, or up to `max_grouped_bars` of several; the cell `tells` of how
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
    return Cell(f"{show_count(low)} {bars} {show_count(high)}{wide}", is_drawing=True)
