"""The lead of wins over losses, game by game, worked out exactly: every plan that looks more than once rests on it.

After n games the lead is wins less losses, a whole number from -n to n, and a draw leaves it where it was. A plan looks
after some numbers of games and stops if the lead lies in one of three zones: so far down that the thing is called
underpowered, so near to nothing that it is called fair, or so far up that it is called overpowered. How likely each end
is follows by recursion: spread what has not stopped over the games of the next evening, take out what stops there, and
go on (Armitage, McPherson and Rowe 1969, "Repeated significance tests on accumulating data", for the normal case).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from balance.base.arrays import FloatArray
from balance.playtests.need.binomials import exactly

NEVER = 2**40
"""A lead that nobody reaches: where a plan does not stop."""
NEGLIGIBLE = 1e-15
"""Chances in a tail that are left out: they add up to less than 1e-10 over 10,000 looks."""


def chances(score: float, draws: float) -> tuple[float, float, float]:
    """Return the chances of a win, a draw and a loss at mean score s and draw share d: s - d / 2, d, 1 - s - d / 2.

    >>> [round(chance, 3) for chance in chances(0.55, 0.2)]
    [0.45, 0.2, 0.35]
    """
    return score - draws / 2, draws, 1 - score - draws / 2


@dataclass(frozen=True)
class Zone:
    """Where a plan stops at one look: leads of `down` or less, from `low` to `high`, and of `up` or more.

    An empty middle has `low` above `high`; a side without a bound has it at `NEVER`.
    """

    games: int
    down: int = -NEVER
    low: int = NEVER
    high: int = -NEVER
    up: int = NEVER


@dataclass(frozen=True)
class Ends:
    """How a plan ends: the chance of each verdict at each look, `float64[look]`, and of none by the last look."""

    games: npt.NDArray[np.int64]
    down: FloatArray
    fair: FloatArray
    up: FloatArray
    p_unstopped: float

    @property
    def stop_chances(self) -> FloatArray:
        """Return the chance to stop at each look, `float64[look]`."""
        return self.down + self.fair + self.up

    @property
    def mean_games(self) -> float:
        """Return the expected number of games; a plan that no look stops plays until the last."""
        return float(self.stop_chances @ self.games + self.p_unstopped * self.games[-1])

    def games_within(self, share: float) -> int:
        """Return the least number of games by which a plan has stopped with chance `share`, else the last look."""
        is_reached = np.cumsum(self.stop_chances) >= share
        return int(self.games[int(np.argmax(is_reached))] if is_reached.any() else self.games[-1])


@dataclass
class Leads:
    """The law of the lead among plans not yet stopped: P(not stopped and lead = `lowest` + i) is `weights[i]`."""

    score: float
    draws: float
    games: int = 0
    lowest: int = 0
    weights: FloatArray = field(default_factory=lambda: np.ones(1))

    def play(self, games: int) -> None:
        """Convolve the law with that of the games up to `games` in all; weights below `NEGLIGIBLE` are cut off."""
        lowest, step = _step(games - self.games, self.score, self.draws)
        weights = np.convolve(self.weights, step) if len(self.weights) else self.weights
        kept_places = np.flatnonzero(weights > NEGLIGIBLE)
        first, last = (int(kept_places[0]), int(kept_places[-1]) + 1) if len(kept_places) else (0, 0)
        self.weights, self.lowest, self.games = weights[first:last], self.lowest + lowest + first, games

    def take(self, low: int, high: int) -> float:
        """Set the chance of leads from `low` to `high` to 0, and return what it was."""
        first = max(0, low - self.lowest)
        last = min(len(self.weights), high - self.lowest + 1)
        if first >= last:
            return 0.0
        chance = float(self.weights[first:last].sum())
        self.weights[first:last] = 0.0
        return chance

    def least_up(self, max_chance: float) -> int:
        """Return the least lead with P(lead or more) <= `max_chance`, `NEVER` if there is none."""
        tails = np.cumsum(self.weights[::-1])[::-1]
        fit = np.flatnonzero((tails <= max_chance) & (self.weights > 0))
        return self.lowest + int(fit[0]) if len(fit) else NEVER

    def most_down(self, max_chance: float) -> int:
        """Return the largest lead with P(lead or less) <= `max_chance`, `-NEVER` if there is none."""
        fit = np.flatnonzero((np.cumsum(self.weights) <= max_chance) & (self.weights > 0))
        return self.lowest + int(fit[-1]) if len(fit) else -NEVER


def walk(zones: Sequence[Zone], score: float, draws: float) -> Ends:
    """Return how a plan ends for a thing with this true score and share of draws, both from 0 to 1.

    There is one zone for each look, in order of games.

    >>> ends = walk([Zone(2, down=-2, up=2), Zone(4, down=-4, up=4)], 0.5, 0.0)
    >>> float(ends.up[0]), round(ends.p_unstopped, 3), round(ends.mean_games, 3)
    (0.25, 0.5, 3.0)
    """
    leads = Leads(score, draws)
    end_chances = np.zeros((3, len(zones)))
    for at, zone in enumerate(zones):
        leads.play(zone.games)
        end_chances[:, at] = leads.take(-NEVER, zone.down), leads.take(zone.low, zone.high), leads.take(zone.up, NEVER)
    down, fair, up = end_chances
    return Ends(np.array([zone.games for zone in zones]), down, fair, up, float(leads.weights.sum()))


@lru_cache(maxsize=64)
def _step(games: int, score: float, draws: float) -> tuple[int, FloatArray]:
    """Return the lowest lead that `games` add, and the chance of it and of each lead above, thin tails cut off."""
    win, _, loss = chances(score, draws)
    if draws == 0:
        weights = np.zeros(2 * games + 1)
        weights[::2] = exactly(np.arange(games + 1), games, win)
    elif games <= 64:
        weights = np.ones(1)
        for _ in range(games):
            weights = np.convolve(weights, [loss, draws, win])
    else:
        half, rest = _step(games // 2, score, draws), _step(games - games // 2, score, draws)
        return half[0] + rest[0], np.convolve(half[1], rest[1])
    kept_places = np.flatnonzero(weights > NEGLIGIBLE / 100)
    return int(kept_places[0]) - games, weights[kept_places[0] : kept_places[-1] + 1]
