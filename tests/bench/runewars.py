"""An attack of Runewars with two ranks of re-rolls, and duels of shrinking ranks with runes.

The peer is a plain Python loop of the same rules, one die after another.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

import balance
from balance.chance.rolls import symbols
from balance.chance.trials.collect import collect
from balance.chance.trials.stopping import FixedTrials
from balance.game.game import Lane
from tests.bench import known, ours
from tests.bench.contest import Contender, Contest, in_lanes

RED = ["", "", "h", "h", "m", "hh", "hm", "hs"]
BLUE = ["", "h", "h", "s", "a", "hs", "ha", "ss"]
ATTACK = "leonx_riders+2x3", "reanimates+4x3"
DUEL = "rune_golems+3x2", "reanimates+4x3"
WOUNDS = [0.000823974609375, 0.0, 0.02337646484375, 0.0, 0.2091064453125, 0.0, 0.62164306640625, 0.0, 0.145050048828125]
"""P(the target takes 0, 1, ... wounds): three dice that are rolled again twice while they show no hit, times two."""
EXACT = WOUNDS[::2]
"""P(it takes 0, 2, ... wounds)."""
WINNERS = [0.11766468384199376, 0.5300153670823925, 0.3523199490756138]
"""P(draw), P(side a wins), P(side b wins): the exact chain, which the tests hold against a second telling."""


@cache
def _question(kind: str, entrants: tuple[str, str], first: str | None = None) -> balance.Question:
    return balance.load("runewars").ask(kind, *entrants, {}, first)


def attack() -> list[float]:
    """Return the distribution of the wounds, from the joint distribution of all columns, built anew."""
    ours.forget_tables()
    symbols.forget()
    return list(replace(_question("attack", ATTACK)).distribution.marginal("wounds").p)


def attacks_sampled(lane: Lane, n_threads: int, n_trials: int) -> npt.NDArray[Any]:
    """Return how often the target took 0, 1, ... wounds; tables are kept between calls."""
    found = collect(_question("attack", ATTACK).task(lane), FixedTrials(n_trials), seed=0, n_threads=n_threads)
    wounds = found.counts.marginal("wounds")
    return np.bincount(wounds["wounds"], wounds.weights, minlength=len(WOUNDS)).astype(np.int64)


def duels_sampled(lane: Lane, n_threads: int, n_trials: int) -> npt.NDArray[Any]:
    """Return how often nobody, side a and side b won; tables are kept between calls."""
    task = _question("duel", DUEL, "a").task(lane)
    won = collect(task, FixedTrials(n_trials), seed=0, n_threads=n_threads).counts.marginal("winner")
    return np.bincount(won["winner"], won.weights, minlength=3).astype(np.int64)


def attacks_looped(n_trials: int) -> npt.NDArray[Any]:
    """Return the wounds from a plain Python loop: one red die and two blue, two re-rolls of idle dice, threat 2."""
    rng, found = random.Random(0), np.zeros(len(WOUNDS), np.int64)
    for _ in range(n_trials):
        hits = 0
        for die in (RED, BLUE, BLUE):
            face = rng.choice(die)
            for _ in range(2):
                face = face if "h" in face else rng.choice(die)
            hits += face.count("h")
        found[2 * hits] += 1
    return found


def contests() -> list[Contest]:
    """Return the contests of Runewars."""
    loop = Contender("Python loop", attacks_looped, 2**14, 512)
    exact = Contender("tables built anew", attack)
    return [
        Contest("Runewars attack, exact", [exact], ["(none)"], known.checker(known.check, EXACT)),
        Contest(
            "Runewars attacks, sampled",
            in_lanes(attacks_sampled),
            [loop],
            known.checker(known.check_counts, WOUNDS),
        ),
        Contest(
            "Runewars duels, sampled",
            in_lanes(duels_sampled),
            ["(none)"],
            known.checker(known.check_counts, WINNERS),
            weight=2,
        ),
    ]
