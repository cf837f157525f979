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
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.collect import collect
from balance.chance.trials.stopping import FixedTrials
from tests.bench import known
from tests.bench.contest import Contender, Contest
from tests.games.immortal_souls.encounter.comparing import Answers, recorded
from tests.games.immortal_souls.encounter.reference_encounter import Tape
from tests.games.immortal_souls.encounter.reference_hero import Played

WINNERS = [0.0, 0.5677]
"""P(nobody wins), P(the heroes win), from 32,768 encounters with seed 99."""
POLICY = "focus"
N_LOOP = 64
SIX = ("green_gremlin@village_1;green_bandit@village_4;green_gremlin@village_12;blue_gremlin@village_9;"
       "green_bandit@village_8;green_orc_warrior@village_2")  # fmt: skip
CHANGES = {"heroes.rank": 3, "encounter.goal": "survive", "encounter.rounds": 10, "encounter.enemies": SIX,
           "encounter.enemies_many": ""}  # fmt: skip


@cache
def _question() -> balance.Question:
    return balance.load("immortal_souls").ask(
        "encounter", "ecarus,thorgar,shae,laegon", "last_stand", CHANGES, policy=POLICY
    )


def encounters_played(n_threads: int, n_trials: int) -> npt.NDArray[Any]:
    """Return how often nobody, the heroes and the encounter won; tables are kept between calls."""
    found = collect(_question().task(), FixedTrials(n_trials), seed=0, n_threads=n_threads).counts.marginal("winner")
    return np.bincount(found["winner"], found.weights, minlength=3).astype(np.int64)


@cache
def _written() -> tuple[State, list[list[Answers]]]:
    """Return how the loop's trials start, and for each what is answered in each of its steps."""
    (process,) = _question().kind.processes(_question().setup, "literal")
    start: State = {}
    tapes: list[list[Answers]] = [[] for _ in range(N_LOOP)]
    places = np.arange(N_LOOP)
    for _, state, given, after in recorded(process, RandomRolls(0, "bench", 0, N_LOOP)):
        start = start or state
        for row, trial in enumerate(places.tolist()):
            tapes[trial].append([(name, values[row]) for name, values in given])
        places = places[~process.over(after)]
    return start, tapes


def encounters_looped(n_trials: int) -> npt.NDArray[Any]:
    """Return the same from a plain Python loop on the dice that were written down, for `N_LOOP` trials at most."""
    (process,) = _question().kind.processes(_question().setup, "literal")
    (start, tapes), counts = _written(), np.zeros(3, np.int64)
    told = Played(_question().setup.play, POLICY)
    for trial, steps in enumerate(tapes[:n_trials]):
        told.read(start, trial)
        for number, answers in enumerate(steps):
            told.step(number % len(process.steps), Tape(answers))
        counts[told.winner] += 1
    return counts


def contests() -> list[Contest]:
    """Return the contest."""
    mine = [
        Contender(f"blocks of 2,048, {threads} threads", partial(encounters_played, threads), 8192, threads * 2048)
        for threads in (2, 1)
    ]
    loop = Contender("Python loop, the same dice", encounters_looped, N_LOOP, N_LOOP // 2)
    check = known.checker(known.check_counts, WINNERS)
    return [Contest("Souls encounters, 4 against 6", mine, [loop], check, weight=3)]
