"""The statistics of a distribution over columns of whole numbers: the same of the odds of dice and of a `Pmf`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import accumulate
from math import sqrt
from typing import Any, TypeAlias

from balance.base.errors import UsageError
from balance.chance.swing import swing_of

Event: TypeAlias = int | Callable[..., Any]
"""A value of a column, or a function of the columns, by name, to whether it happens."""


class Statistics:
    """What a distribution can be asked; a column goes by its name, and without one the first is meant.

    Weights are whole numbers of any size, or floats; the probability of an outcome is its weight over `total`.
    """

    columns: tuple[str, ...]

    @property
    def total(self) -> Any:
        """The sum of the weights."""
        raise NotImplementedError

    def weights_of(self, column: str | None = None) -> Mapping[int, Any]:
        """Return the weight of each value of a column, values rising; raise UsageError where there is none such."""
        raise NotImplementedError

    def _weight_where(self, event: Callable[..., Any]) -> Any:
        raise NotImplementedError

    def _moment(self, column: str | None, power: int) -> Fraction:
        """Return the exact mean of a power of a column."""
        weights = self.weights_of(column)
        return Fraction(sum(value**power * weight for value, weight in weights.items())) / Fraction(self.total)

    def weight(self, event: Event, column: str | None = None) -> Any:
        """Return the weight of a value of a column, or of an event: a function of the columns to bool.

        >>> from balance import die
        >>> die(6).weight(5), die(6).weight(lambda value: value > 4)
        (1, 2)
        """
        return self._weight_where(event) if callable(event) else self.weights_of(column).get(event, 0)

    def fraction(self, event: Event, column: str | None = None) -> Fraction:
        """Return the probability of a value or an event as an exact fraction (of floats: of their exact values).

        >>> from balance import die
        >>> die(6).fraction(lambda value: value > 4)
        Fraction(1, 3)
        """
        return Fraction(self.weight(event, column)) / Fraction(self.total)

    def chance(self, event: Event, column: str | None = None) -> float:
        """Return the probability of a value or an event.

        >>> from balance import die
        >>> die(6).chance(5), die(6).chance(lambda value: value > 4)
        (0.16666666666666666, 0.3333333333333333)
        """
        return float(self.weight(event, column) / self.total)

    def at_least(self, value: int, column: str | None = None) -> float:
        """Return the probability of a value of a column or more.

        >>> from balance import die
        >>> die(6).at_least(5)
        0.3333333333333333
        """
        weights = self.weights_of(column)
        return float(Fraction(sum(weights[high] for high in weights if high >= value)) / Fraction(self.total))

    def chances(self, column: str | None = None) -> dict[int, float]:
        """Return {value: probability} of a column, values rising."""
        return {value: weight / self.total for value, weight in self.weights_of(column).items()}

    def tail_chances(self, column: str | None = None) -> dict[int, float]:
        """Return {value: probability of it or more} of a column, values rising."""
        chances, rest = dict[int, float](), self.total
        for value, weight in self.weights_of(column).items():
            chances[value] = rest / self.total
            rest -= weight
        return chances

    def mean(self, column: str | None = None) -> float:
        """Return the mean of a column; whole weights are summed before they are divided.

        >>> from balance import die
        >>> die(6).mean()
        3.5
        """
        return float(self._moment(column, 1))

    def variance(self, column: str | None = None) -> float:
        """Return the variance of a column; that of a simulation divides by n.

        >>> from balance import die
        >>> die(6).variance()
        2.9166666666666665
        """
        return float(self._moment(column, 2) - self._moment(column, 1) ** 2)

    def sd(self, column: str | None = None) -> float:
        """Return the standard deviation of a column."""
        return sqrt(self.variance(column))

    def swing(self, column: str | None = None) -> float | None:
        """Return the swing of a column: its standard deviation over its mean, see `balance.chance.swing`.

        None, not measurable, where the mean is 0 or the column has values on both sides of 0.

        >>> from balance import Pmf, die
        >>> round(die(6).swing(), 4), Pmf.of([-1, 1]).swing()
        (0.488, None)
        """
        values = self.weights_of(column)
        return swing_of(self.mean(column), self.sd(column), min(values) < 0 < max(values))

    def mode(self, column: str | None = None) -> tuple[int, ...]:
        """Return the values of a column of the largest weight, several where they tie."""
        weights = self.weights_of(column)
        largest = max(weights.values())
        return tuple(value for value, weight in weights.items() if weight == largest)

    def quantile(self, q: float, column: str | None = None) -> int:
        """Return the smallest value v of a column with P(column <= v) >= q, for 0 <= q <= 1.

        >>> from balance import die
        >>> die(6).quantile(0.5), die(20).quantile(0.05)
        (3, 1)
        """
        if not 0 <= q <= 1:
            raise UsageError(f"a quantile lies between 0 and 1, found {q}")
        weights = self.weights_of(column)
        # as a person writes it: 0.05 is one in twenty, though no float is
        limit = Fraction(str(q)) * Fraction(sum(weights.values()))
        sums = zip(weights, accumulate(weights.values()), strict=True)
        return next((value for value, so_far in sums if so_far >= limit), max(weights))
