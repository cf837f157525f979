"""Encounters of Immortal Souls: four heroes, six enemies at the start, ten rounds to survive.

The peer is the tests' second telling in plain Python, a trial at a time, which plays on the very dice of ours: what was
rolled and chosen is written down before, and not counted.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

import balance
from balance.core import FixedTrials, RandomRolls, collect
from balance.core.process import State
from tests.bench import known
from tests.bench.contest import Contender, Contest
from tests.games.immortal_souls.encounter.comparing import Answers, recorded
from tests.games.immortal_souls.encounter.reference_encounter import Tape
from tests.games.immortal_souls.encounter.reference_hero import Played

__all__ = ["WINNERS", "contests", "encounters_looped", "encounters_played"]

WINNERS = [0.0, 0.5677]
"""P(nobody wins), P(the heroes win), from 32,768 encounters with seed 99."""
POLICY = "focus"
SIX = ("green_gremlin@village_1;green_bandit@village_4;green_gremlin@village_12;blue_gremlin@village_9;"
       "green_bandit@village_8;green_orc_warrior@village_2")  # fmt: skip
CHANGES = {"heroes.rank": 3, "encounter.goal": "survive", "encounter.rounds": 10, "encounter.enemies": SIX,
           "encounter.enemies_many": ""}  # fmt: skip


@cache
def _question() -> balance.Question:
    return balance.load("immortal_souls").ask(
        "encounter", "ecarus,thorgar,shae,laegon", "last_stand", CHANGES, policy=POLICY
    )


def encounters_played(n_trials: int, n_threads: int = 1, seed: int = 0) -> npt.NDArray[Any]:
    """Return how often nobody, the heroes and the encounter won; tables are kept between calls."""
    found = collect(_question().task(), FixedTrials(n_trials), seed=seed, n_threads=n_threads).counts.marginal("winner")
    return np.bincount(found["winner"], found.weights, minlength=3).astype(np.int64)


@cache
def _written(n_trials: int) -> tuple[State, list[list[Answers]]]:
    """Return how trials start, and for each what is answered in each of its steps."""
    (process,) = _question().kind.processes(_question().setup, "literal")
    start: State = {}
    tapes: list[list[Answers]] = [[] for _ in range(n_trials)]
    places = np.arange(n_trials)
    for _, state, given, after in recorded(process, RandomRolls(0, "bench", 0, n_trials)):
        start = start or state
        for row, trial in enumerate(places.tolist()):
            tapes[trial].append([(name, values[row]) for name, values in given])
        places = places[~process.over(after)]
    return start, tapes


def encounters_looped(n_trials: int) -> npt.NDArray[Any]:
    """Return the same from a plain Python loop on the dice that were written down."""
    (process,) = _question().kind.processes(_question().setup, "literal")
    (start, tapes), counts = _written(n_trials), np.zeros(3, np.int64)
    told = Played(_question().setup.play, POLICY)
    for trial, steps in enumerate(tapes):
        told.read(start, trial)
        for number, answers in enumerate(steps):
            told.step(number % len(process.steps), Tape(answers))
        counts[told.winner] += 1
    return counts


def contests(n_trials: int) -> list[Contest]:
    """Return the contest; a call plays 8,192 encounters at most, the loop a fraction of them."""
    n_trials = min(n_trials, 8_192)
    n_loop = max(64, n_trials // 64)
    mine = [
        Contender(f"blocks of 2,048, {threads} threads", partial(encounters_played, n_trials, threads), n_trials)
        for threads in (2, 1)
    ]
    loop = Contender("Python loop, the same dice", partial(encounters_looped, n_loop), n_loop)
    return [
        Contest(
            "Souls encounters, 4 against 6", mine, [loop], lambda name, found: known.check_counts(name, found, WINNERS)
        )
    ]
