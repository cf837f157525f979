"""What a picture shows, mark by mark: where each mark stands, and the numbers it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from balance.base.errors import UsageError

Value: TypeAlias = "str | float | None"
Spread: TypeAlias = Literal["x", "y", "both"]
SHARE = "(share)"
"""End of the name of a column whose numbers are shares of 1, which readers are shown in per cent."""


@dataclass(frozen=True)
class Marks:
    """The numbers of a picture as a table with a row for each mark.

    Raises `UsageError` for rows of unequal length, or not one place for each row.

    `columns`: what each value is, with its unit; the first says what a mark is called. A column that ends in "lower",
    and the one that ends in "upper" after it, are the two ends of an interval. `rows`: n rows, one value for each
    column. `places`: n points in the units of the axes: where each mark stands, and behind that half its width if it
    has any. `spread`: along which axis the marks are told apart: `y` for a row each, `x` for bars beside each other.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    places: tuple[tuple[float, ...], ...]
    spread: Spread = "both"

    def __post_init__(self) -> None:
        if len(self.places) != len(self.rows):
            raise UsageError(f"{len(self.rows)} marks have {len(self.places)} places")
        if any(len(row) != len(self.columns) for row in self.rows):
            raise UsageError(f"a mark has other than {len(self.columns)} values: {', '.join(self.columns)}")


def share_name(name: str) -> str:
    """Return the name of a column of shares of 1, with that unit.

    >>> share_name("chance")
    'chance (share)'
    """
    return f"{name} {SHARE}"


def row_marks(
    columns: Sequence[str], rows: Sequence[Sequence[Value]], at: Sequence[float], spread: Spread = "y"
) -> Marks:
    """Return marks of a picture with a row for each name, the first on top; with `spread` `x` they stand side by side.

    `rows` has n rows, one value for each column, the first the name; `at` is the place of each on the other axis.

    >>> row_marks(["card", "cost"], [["Nexus", 24.0]], [24.0]).places
    ((24.0, 0.0),)
    """
    places = [(value, float(place)) for place, value in enumerate(at)]
    turned = places if spread == "y" else [(place, value) for value, place in places]
    return Marks(tuple(columns), tuple(map(tuple, rows)), tuple(turned), spread)
