"""Whole duels of War for Edadh: the learning game, both sides playing at random.

The peer is a plain Python loop of the same rules, one card after another, as the tests' second telling has it.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

import balance
from balance.chance.trials.collect import collect
from balance.chance.trials.stopping import FixedTrials
from balance.game.game import Lane
from tests.bench import known
from tests.bench.contest import Contender, Contest, in_lanes
from tests.games.edadh import reference
from tests.games.edadh.at_random import AT_RANDOM
from tests.games.edadh.retold import afresh, side_of, table_of

WINNERS = [0.10033015, 0.453118, 0.44655185]
"""P(draw), P(Angueth wins), P(Huaos-Dzaa win), from 20 million duels of the literal lane with seed 99."""
N_DUELS = 2**18
ENTRANTS = ("angueth_learning", "huaos_dzaa_learning")


@cache
def _question() -> balance.Question:
    return balance.load("edadh").ask("duel", *ENTRANTS, **AT_RANDOM)


def duels_sampled(lane: Lane, n_threads: int, n_trials: int) -> npt.NDArray[Any]:
    """Return how often nobody, side a and side b won; tables are built anew for each call."""
    counts = collect(_question().task(lane), FixedTrials(n_trials), seed=0, n_threads=n_threads).counts
    winner = counts.marginal("winner")
    return np.bincount(winner["winner"], winner.weights, minlength=3).astype(np.int64)


class Dice:
    """Plain random dice."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def __call__(self, faces: int, name: str) -> int:
        """Throw one die."""
        return self._rng.randint(1, faces)

    def many(self, faces: int, k: int, name: str) -> list[int]:
        """Throw k dice."""
        return [self._rng.randint(1, faces) for _ in range(k)]


def duels_looped(n_trials: int) -> npt.NDArray[Any]:
    """Return the same from a plain Python loop."""
    question, die, counts = _question(), Dice(random.Random(0)), np.zeros(3, np.int64)
    table, a, b = table_of(question), side_of(question, "a"), side_of(question, "b")
    for _ in range(n_trials):
        counts[reference.duel(table, afresh(a), afresh(b), die)["winner"]] += 1
    return counts


def contests() -> list[Contest]:
    """Return the contest of War for Edadh: as many duels in every call, for tables are built anew in each."""
    mine = [replace(one, fewest=N_DUELS) for one in in_lanes(duels_sampled, N_DUELS, N_DUELS)]
    loop = Contender("Python loop", duels_looped, 2**12, 256)
    return [Contest("Edadh duels, sampled", mine, [loop], _check)]


def _check(name: str, found: Any) -> None:
    known.check_counts(name, found, WINNERS)
