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

from balance.playtests.need.binomials import exactly

Floats = npt.NDArray[np.float64]

NEVER = 2**40
"""A lead that nobody reaches: where a plan does not stop."""
NEGLIGIBLE = 1e-15
"""Chances in a tail that are left out: they add up to less than 1e-10 over 10,000 looks."""


def chances(score: float, draws: float) -> tuple[float, float, float]:
    """Return the chance of a win, a draw and a loss of a thing with this score, a draw counting half.

    Parameters
    ----------
    score
        Mean score, 0 to 1.
    draws
        Share of draws, 0 to 1.

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
    """How a plan ends: chances of each end at each look, `[look]`, and what is left after the last."""

    games: npt.NDArray[np.int64]
    down: Floats
    fair: Floats
    up: Floats
    p_unstopped: float

    @property
    def stop_chances(self) -> Floats:
        """Return the chance to stop at each look."""
        return self.down + self.fair + self.up

    @property
    def mean_games(self) -> float:
        """Return how many games are played on average; what no look stops plays until the last."""
        return float(self.stop_chances @ self.games + self.p_unstopped * self.games[-1])

    def games_within(self, share: float) -> int:
        """Return a number of games within which so large a share of plans has ended."""
        is_reached = np.cumsum(self.stop_chances) >= share
        return int(self.games[int(np.argmax(is_reached))] if is_reached.any() else self.games[-1])


@dataclass
class Leads:
    """The chance of each lead of what has not stopped: lead `lowest + i` has `weights[i]`."""

    score: float
    draws: float
    games: int = 0
    lowest: int = 0
    weights: Floats = field(default_factory=lambda: np.ones(1))

    def play(self, games: int) -> None:
        """Play until so many games in all."""
        lowest, step = _step(games - self.games, self.score, self.draws)
        weights = np.convolve(self.weights, step) if len(self.weights) else self.weights
        kept_places = np.flatnonzero(weights > NEGLIGIBLE)
        first, last = (int(kept_places[0]), int(kept_places[-1]) + 1) if len(kept_places) else (0, 0)
        self.weights, self.lowest, self.games = weights[first:last], self.lowest + lowest + first, games

    def take(self, low: int, high: int) -> float:
        """Take out the leads from `low` to `high`, and return how likely they were.

        Parameters
        ----------
        low
            The lowest lead.
        high
            The highest.
        """
        first = max(0, low - self.lowest)
        last = min(len(self.weights), high - self.lowest + 1)
        if first >= last:
            return 0.0
        chance = float(self.weights[first:last].sum())
        self.weights[first:last] = 0.0
        return chance

    def least_up(self, max_chance: float) -> int:
        """Return the smallest lead that is reached or passed with a chance of at most `max_chance`, or `NEVER`."""
        tails = np.cumsum(self.weights[::-1])[::-1]
        fit = np.flatnonzero((tails <= max_chance) & (self.weights > 0))
        return self.lowest + int(fit[0]) if len(fit) else NEVER

    def most_down(self, max_chance: float) -> int:
        """Return the largest lead that is at most reached with a chance of at most `max_chance`, or `-NEVER`."""
        fit = np.flatnonzero((np.cumsum(self.weights) <= max_chance) & (self.weights > 0))
        return self.lowest + int(fit[-1]) if len(fit) else -NEVER


def walk(zones: Sequence[Zone], score: float, draws: float) -> Ends:
    """Return how a plan ends for a thing with this score.

    Parameters
    ----------
    zones
        One for each look, in order of games.
    score, draws
        The true score, a draw counting half, and the share of draws; both from 0 to 1.

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
def _step(games: int, score: float, draws: float) -> tuple[int, Floats]:
    """Return the lowest lead that games can add, and the chance of it and of each one above it; tails left out."""
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
