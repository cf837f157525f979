"""The spread of chances among all groups of one size, without what the dice of a simulation add to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.base.arrays import FloatArray

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Worst, lower quarter, median, upper quarter and best."""
DRAWS = 2_000
"""Simulated repetitions behind an interval of a median."""


@dataclass(frozen=True, eq=False)
class Spread:
    """The chances of n groups of one size.

    * `chances`: of each group, shrunk towards their mean by what the dice explain, `[n]`.
    * `dice_share`: share of the variance between the groups that the dice of so few trials explain, 0 to 1.
    * `values`: the five numbers of `QUARTERS`.
    * `places`: the group that is nearest to each of them.
    * `trials`: trials of each group.
    """

    chances: FloatArray
    dice_share: float
    values: tuple[float, ...]
    places: tuple[int, ...]
    trials: int

    @property
    def median(self) -> float:
        """Median chance over groups, from 0 to 1."""
        return self.values[2]

    def medians(self, rng: np.random.Generator, draws: int = DRAWS) -> FloatArray:
        """Return medians under simulated dice of as many trials (a parametric bootstrap), `[draws]`."""
        wins = rng.binomial(self.trials, np.clip(self.chances, 0.0, 1.0), (draws, len(self.chances)))
        return np.asarray(np.median(wins / self.trials, axis=1))


def spread_of(wins: npt.ArrayLike, trials: int) -> Spread:
    """Return the spread of groups by the trials that each won, of as many played.

    The dice explain all of it where groups differ no more than dice do, and next to nothing of a wide spread:

    >>> round(spread_of([50, 50, 50, 50], 100).dice_share, 2), round(spread_of([10, 90, 40], 100).dice_share, 2)
    (1.0, 0.01)
    """
    rates = np.asarray(wins, np.float64) / trials
    noise = float((rates * (1 - rates)).mean()) / max(trials - 1, 1)
    variance = float(rates.var(ddof=1)) if len(rates) > 1 else 0.0
    dice_share = 1.0 if variance <= noise else noise / variance
    chances = rates if len(rates) == 1 else rates.mean() + (1 - dice_share) ** 0.5 * (rates - rates.mean())
    values = np.quantile(chances, QUARTERS)
    places = [int(np.abs(chances - value).argmin()) for value in values]
    return Spread(chances, dice_share, tuple(map(float, values)), tuple(places), trials)
