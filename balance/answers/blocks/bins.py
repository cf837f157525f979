"""Values gathered into classes of equal width, so that a long distribution fits a screen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from balance.base.numbers import show_count

MOST_VALUES = 16
"""A column with more values than this is shown in classes."""
MOST_ROWS = 12
"""Classes that such a column gets at most."""
TAIL = 0.001
"""Chance at either end that may be put into one open class."""
NICE = (1, 2, 5)


@dataclass(frozen=True)
class Bin:
    """Values from `low` to `high`, both included; None where the class is open."""

    low: int | None
    high: int | None

    def __contains__(self, value: int) -> bool:
        """Return whether a value lies between the ends, both included."""
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def share_of(self, chances: Mapping[int, float]) -> float:
        """Return the chance of its values together; `chances` is value -> chance."""
        return math.fsum(p for value, p in chances.items() if value in self)

    @property
    def label(self) -> str:
        """The range in words, with a minus sign for people.

        >>> Bin(5, 9).label, Bin(7, 7).label, Bin(None, -1).label, Bin(60, None).label
        ('5 to 9', '7', 'up to −1', '60 or more')
        """
        if self.low is None:
            return f"up to {show_count(self.high or 0)}"
        if self.high is None:
            return f"{show_count(self.low)} or more"
        return show_count(self.low) if self.low == self.high else f"{show_count(self.low)} to {show_count(self.high)}"


def bins_of(chances: Mapping[int, float], most_values: int = MOST_VALUES, most_rows: int = MOST_ROWS) -> list[Bin]:
    """Return classes that hold every value once: one for each if there are few, else of one width, open at the ends.

    `chances` has its values in rising order. There are at most `most_rows` classes, or `most_values` single values.

    >>> [found.label for found in bins_of(dict.fromkeys(range(21), 1 / 21))]
    ['0 to 1', '2 to 3', '4 to 5', '6 to 7', '8 to 9', '10 to 11', '12 to 13', '14 to 15', '16 to 17', '18 to 19', '20']
    """
    values = list(chances)
    if len(values) <= most_values:
        return [Bin(value, value) for value in values]
    middle = _middle(chances)
    min_width = (middle[1] - middle[0]) // (2 * most_rows)  # a narrower class makes far too many
    widths = (width for width in _widths() if width >= min_width)
    return next(bins for width in widths if len(bins := _classes(values, middle, width)) <= most_rows)


def _classes(values: Sequence[int], middle: tuple[int, int], width: int) -> list[Bin]:
    """Return classes of a width over the middle (its lowest and highest value), with an open one for values beyond."""
    starts = range(middle[0] // width * width, middle[1] + 1, width)
    before, after = starts[0] - 1, starts[-1] + width
    inner_bins = [Bin(max(start, values[0]), min(start + width - 1, values[-1])) for start in starts]
    below, above = values[0] <= before, values[-1] >= after
    return [*([Bin(None, before)] if below else []), *inner_bins, *([Bin(after, None)] if above else [])]


def _middle(chances: Mapping[int, float]) -> tuple[int, int]:
    """Return the values between which all but a chance of 0.001 at either end lies."""
    total, values = 0.0, list(chances)
    low, high = values[0], values[-1]
    for value, p in chances.items():
        if total <= TAIL:
            low = value
        total += p
        if total >= 1 - TAIL:
            high = value
            break
    return low, high


def _widths() -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, 50 and so on, without end."""
    scale = 1
    while True:
        yield from (scale * nice for nice in NICE)
        scale *= 10
