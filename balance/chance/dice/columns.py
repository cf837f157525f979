"""What is told of the odds of an expression: numbers and chances of each of its columns, and who wins a contest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from balance.base.answers import Chance, Count, Doc


@dataclass(frozen=True)
class ColumnNumbers:
    """The numbers of a column of odds."""

    expression: str
    column: Annotated[str, Doc("`total`, of a contest the margin of the first; or a symbol.")]
    mean: Annotated[float, Doc("Of a comparison the chance that it holds.")]
    low: Annotated[float, Doc("The lower end of the 95 % interval of the mean, which is the mean where it is exact.")]
    high: Annotated[float, Doc("Its upper end.")]
    sd: Annotated[float, Doc("The standard deviation.")]
    swing: Annotated[float | None, Doc("The standard deviation over the mean; null where that is not measurable.")]
    mode: Annotated[tuple[int, ...], Doc("The likeliest values.")]
    q5: Annotated[int, Doc("The lowest value that 5 % of rolls do not exceed.")]
    q25: int
    q50: int
    q75: int
    q95: int
    values: Annotated[tuple[int, ...], Doc("Of a row of a family, the values that were put in.")]
    n_trials: Annotated[Count, Doc("0 where it is exact.")]

    @property
    def label(self) -> str:
        """What a row of a table is called."""
        return self.expression if self.column == "total" else f"{self.expression}: {self.column}"

    @property
    def quantiles(self) -> tuple[int, ...]:
        """All of them, rising."""
        return self.q5, self.q25, self.q50, self.q75, self.q95


@dataclass(frozen=True)
class Distribution:
    """The chances of the values of a column of odds."""

    p: Annotated[Mapping[int, Chance], Doc("Value -> chance.")]
    at_least: Annotated[Mapping[int, Chance], Doc("Value -> chance of so much or more.")]
    fractions: Annotated[Mapping[int, str] | None, Doc("The same chances, where they are exact and not too long.")]


@dataclass(frozen=True)
class ContestResults:
    """How often the first of a contest wins, ties and loses, with 95 % intervals, which are the chances if exact."""

    expression: str
    win: Chance
    win_low: Chance
    win_high: Chance
    tie: Chance
    tie_low: Chance
    tie_high: Chance
    lose: Chance
    lose_low: Chance
    lose_high: Chance
