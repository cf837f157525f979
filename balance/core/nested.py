"""Nested simulation: games played again and again on the same dice of some names, all others rolled anew.

How much of a result the shared dice settle shows in how far the means of such groups of games lie apart (Goodman,
Perez-Liebana and Lucas, "Seeding for Success", arXiv 2503.02686, 2025, who fix the seeds of parts of a game in turn).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from balance.core.chain import FloatArray
from balance.core.lockstep import simulate
from balance.core.process import Array, Process
from balance.core.requests import Answer, Request
from balance.core.rolls import RandomRolls, Rolls
from balance.errors import UsageError
from balance.pmf.arrays import IntArray

__all__ = ["Groups", "SharingRolls", "play_groups"]


class SharingRolls(Rolls):
    """Rolls for copies of trials: copies of one trial have the dice of some names in common, and no others.

    Parameters
    ----------
    own
        Rolls for all copies.
    common
        Rolls for all copies that are equal for copies of one trial (see `RandomRolls.copied`).
    shared
        Which names are shared.
    """

    def __init__(self, own: RandomRolls, common: RandomRolls, shared: Callable[[str], bool]) -> None:
        self.n, self._own, self._common, self._shared = own.n, own, common, shared

    def answer(self, request: Request[Answer]) -> Answer:
        """Answer at random."""
        return (self._common if self._shared(request.name) else self._own).answer(request)

    def keep(self, rows: IntArray) -> None:
        """Go on with these trials only."""
        super().keep(rows)
        self._own.keep(rows)
        self._common.keep(rows)


@dataclass(frozen=True)
class Groups:
    """Games in groups that share some dice.

    Attributes
    ----------
    mean, variance
        `float64[g]`: of the values within each group; the variance is the unbiased one.
    n_games
        Games in each group.
    """

    mean: FloatArray
    variance: FloatArray
    n_games: int

    @property
    def total(self) -> float:
        """The variance of all games, as estimated."""
        return self.between + float(self.variance.mean())

    @property
    def between(self) -> float:
        """The variance of what is to be expected once the shared dice are known: unbiased, so it may be below 0."""
        return float(self.mean.var(ddof=1) - self.variance.mean() / self.n_games)

    @property
    def share(self) -> float:
        """What part of the variance of all games that is; 0 where there is none."""
        return self.between / self.total if self.total > 0 else 0.0

    @property
    def error(self) -> float:
        """The standard error of `share`, from how far groups differ (an infinitesimal jackknife)."""
        n, total = len(self.mean), self.total
        if total <= 0:
            return 0.0
        between = (self.mean - self.mean.mean()) ** 2 * n / (n - 1) - self.variance / self.n_games
        moved = (between - self.share * (between + self.variance)) / total
        return float(moved.std(ddof=1) / np.sqrt(n))


def play_groups(
    process: Process,
    value: Callable[[Mapping[str, Array]], FloatArray],
    shared: Callable[[str], bool],
    rolls: RandomRolls,
    n_games: int,
) -> Groups:
    """Play `rolls.n` groups of games, each of which shares some dice.

    Parameters
    ----------
    value
        Outcome columns `[n]` -> what each ending is worth, `float64[n]`.
    shared
        Name of a request -> whether the games of a group have its dice in common.

    Raises
    ------
    UsageError
        There are fewer than two groups, or two games in each.

    Examples
    --------
    Two coins: the group knows one of them.

    >>> def flip(state, rolls):
    ...     return {"heads": rolls.count(2, 1, [2], "one") + rolls.count(2, 1, [2], "other")}
    >>> coins = Process({"heads": 0}, (flip,), lambda s: s["heads"] >= 0, lambda s, steps: s, 1)
    >>> groups = play_groups(
    ...     coins, lambda o: o["heads"].astype(float), "one".__eq__, RandomRolls(0, "demo", 0, 1000), 10
    ... )
    >>> abs(groups.share - 0.5) < 4 * groups.error, groups.error < 0.02
    (True, True)
    """
    n_groups = rolls.n
    if n_groups < 2 or n_games < 2:
        raise UsageError(f"luck shows from 2 groups of 2 games on, found {n_groups} of {n_games}")
    copies = np.repeat(np.arange(n_groups), n_games)
    playing = SharingRolls(rolls.child("own", len(copies)), rolls.copied("common", copies), shared)
    values = value(simulate(process, playing, in_order=True)).reshape(n_groups, n_games)
    return Groups(values.mean(axis=1), values.var(axis=1, ddof=1), n_games)
