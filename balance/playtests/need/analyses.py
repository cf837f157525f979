"""The two analyses that a plan may end with, each with its exact law: what it says of a thing, and how often.

A thing is *underpowered*, *fair* or *overpowered*, or nothing can be said yet. Its *score* is its share of the games, a
draw counting half. Both analyses need no more than a pocket calculator, so that whoever has the log can repeat them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from balance.base.arrays import FloatArray
from balance.chance.trials.stopping import normal_width
from balance.playtests.need.binomials import at_least, at_most, exactly
from balance.playtests.need.lattice import chances

Counts = npt.NDArray[np.int64]

UNDERPOWERED, UNKNOWN, FAIR, OVERPOWERED = -1, 0, 1, 2
"""What an analysis says, as `Analysis.says` codes it."""
NEAR = 1e-9
"""Points within which a score lies on an end, so that rounding decides nothing."""
TAIL = 7.5
"""Standard deviations of the number of draws that are added up: what is left out is below 1e-13."""


@dataclass(frozen=True)
class Verdicts:
    """The chances that a thing is called underpowered, fair and overpowered; the rest is not yet known.

    >>> round(Verdicts(0.1, 0.5, 0.2).unknown, 3)
    0.2
    """

    underpowered: float
    fair: float
    overpowered: float

    @property
    def unknown(self) -> float:
        """Return the chance of no verdict."""
        return max(0.0, 1 - self.underpowered - self.fair - self.overpowered)


class Analysis(Protocol):
    """The test that decides, from a finished log of games of one thing, what it is called."""

    @property
    def description(self) -> str:
        """Return how to repeat the analysis by hand, as words for an answer."""
        ...

    def says(self, wins: Counts, draws: Counts, losses: Counts) -> npt.NDArray[np.int8]:
        """Return the verdict on each log, of arrays `int[...]`: `UNDERPOWERED`, `FAIR`, `OVERPOWERED` or `UNKNOWN`."""
        ...

    def law(self, games: int, score: float, draws: float) -> Verdicts:
        """Return the exact chances of the verdicts after `games`, at this true mean score and share of draws."""
        ...


@dataclass(frozen=True)
class SignTest:
    """The exact two-sided sign test of the decided games: draws are set aside (Dixon and Mood 1946).

    It is the test whose Clopper-Pearson interval leaves one half out. Its false alarms are at most 1 - level whatever
    the share of draws is, and no two-sided test that is unbiased at every share of draws has more power.

    >>> test = SignTest(0.95)
    >>> test.least_wins(20), round(test.law(20, 0.5, 0.0).overpowered, 4)
    (15, 0.0207)
    """

    level: float

    @property
    def description(self) -> str:
        """Return how to repeat the test by hand, with its level."""
        return (
            f"exact two-sided sign test of the decided games at {100 * (1 - self.level):.3g}%, draws set aside "
            "(the Clopper-Pearson interval leaves one half out)"
        )

    def least_wins(self, n_decisive: int) -> int:
        """Return the fewest wins of so many decided games that are overpowered; more than there are if none."""
        return int(_least_wins(n_decisive, n_decisive, self.level)[0])

    def says(self, wins: Counts, draws: Counts, losses: Counts) -> npt.NDArray[np.int8]:
        """Return the verdict on each log, `int8[...]`; never `FAIR`, as no test of one value can show that."""
        n_decisive = wins + losses
        table = _least_wins(int(n_decisive.min()), int(n_decisive.max()), self.level)
        min_wins = table[n_decisive - int(n_decisive.min())]
        return np.select([wins >= min_wins, losses >= min_wins], [OVERPOWERED, UNDERPOWERED], UNKNOWN).astype(np.int8)

    def law(self, games: int, score: float, draws: float) -> Verdicts:
        """Return the exact chances of the verdicts, by a sum over the binomial number of decided games."""
        win, _, loss = chances(score, draws)
        n_decisive, weights = _around(games, 1 - draws)
        min_wins = _least_wins(int(n_decisive[0]), int(n_decisive[-1]), self.level)
        overpowered, underpowered = (
            at_least(min_wins, n_decisive, side / (win + loss)) @ weights for side in (win, loss)
        )
        return Verdicts(float(underpowered), 0.0, float(overpowered))


@dataclass(frozen=True)
class ScoreInterval:
    """Wilson's interval of the score against a band: inside it fair, above it overpowered, below it underpowered.

    With draws the variance of one game with score s is s (1 - s) less a quarter of the share of draws, which is taken
    as it was observed; without draws this is Wilson's interval (Wilson 1927).

    >>> interval = ScoreInterval(0.95, 0.45, 0.55)
    >>> round(interval.law(1100, 0.5, 0.0).fair, 3), round(interval.law(1100, 0.55, 0.0).fair, 3)
    (0.825, 0.025)
    """

    level: float
    low: float
    high: float

    @property
    def description(self) -> str:
        """Return how to repeat the interval by hand, with its level and band."""
        return (
            f"{100 * self.level:.4g}% Wilson score interval of the score (a draw counts half, and the share of draws "
            f"/ 4 comes off the variance) inside {100 * self.low:g} to {100 * self.high:g}%"
        )

    def says(self, wins: Counts, draws: Counts, losses: Counts) -> npt.NDArray[np.int8]:
        """Return the verdict on each log, `int8[...]`; points within 1e-9 of where a verdict begins count as there."""
        points, games = wins + draws / 2, wins + draws + losses
        up, down = self._reach(self.high, draws, games), self._reach(self.low, draws, games)
        inside = (points <= games * self.high - up + NEAR) & (points >= games * self.low + down - NEAR)
        overpowered = points >= games * self.high + up - NEAR
        underpowered = points <= games * self.low - down + NEAR
        return np.select([inside, overpowered, underpowered], [FAIR, OVERPOWERED, UNDERPOWERED], UNKNOWN).astype(
            np.int8
        )

    def law(self, games: int, score: float, draws: float) -> Verdicts:
        """Return the exact chances of the verdicts, by a sum over the binomial number of decided games."""
        win, _, loss = chances(score, draws)
        n_decisive, weights = _around(games, 1 - draws)
        n_draws, chance = games - n_decisive, win / (win + loss)

        def no_more(points: FloatArray) -> FloatArray:
            return at_most(np.floor(points - n_draws / 2), n_decisive, chance)

        def chance_below(points: FloatArray) -> FloatArray:
            return at_most(np.ceil(points - n_draws / 2) - 1, n_decisive, chance)

        up, down = self._reach(self.high, n_draws, games), self._reach(self.low, n_draws, games)
        fair = np.maximum(no_more(games * self.high - up + NEAR) - chance_below(games * self.low + down - NEAR), 0.0)
        overpowered = 1 - chance_below(games * self.high + up - NEAR)
        underpowered = no_more(games * self.low - down + NEAR)
        return Verdicts(float(underpowered @ weights), float(fair @ weights), float(overpowered @ weights))

    def _reach(self, edge: float, n_draws: Counts, games: Counts | int) -> FloatArray:
        """Return how many points from an edge of the band the score must lie, z sqrt(n edge (1 - edge) - draws / 4)."""
        variance = np.maximum(edge * (1 - edge) * games - n_draws / 4, 0.0)
        points: FloatArray = normal_width(self.level) * np.sqrt(variance)
        return points


def _around(games: int, share: float) -> tuple[Counts, FloatArray]:
    """Return the numbers of decided games within `TAIL` standard deviations of their mean, and the chance of each."""
    if share >= 1:
        return np.array([games]), np.ones(1)
    reach = TAIL * (games * share * (1 - share)) ** 0.5 + TAIL
    first, last = max(0, int(games * share - reach)), min(games, int(games * share + reach) + 1)
    n_decisive = np.arange(first, last + 1)
    return n_decisive, exactly(n_decisive, games, share)


def _least_wins(first: int, last: int, level: float) -> Counts:
    """Return the critical values of the sign test, the fewest wins that reject, for first to last decided games."""
    return _table(1 << max(10, last.bit_length()), level)[first : last + 1]


@lru_cache(maxsize=32)
def _table(size: int, level: float) -> Counts:
    """Return the fewest wins for each number of decided games below `size`, a power of two so that few are made."""
    n_decisive, tail = np.arange(size), (1 - level) / 2
    min_wins = np.ceil(n_decisive / 2 + normal_width(level) * n_decisive**0.5 / 2).astype(np.int64)
    while (rejects := at_least(min_wins - 1, n_decisive, 0.5) <= tail).any():
        min_wins -= rejects
    while (lenient := at_least(min_wins, n_decisive, 0.5) > tail).any():
        min_wins += lenient
    return min_wins
