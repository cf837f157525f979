"""Whole combats and line-ups of BattleLore: heavy infantry with long swords attacks dwarves, who may battle back; and
six units meet six others.

The peer is a plain Python loop of the same rules, one die after another, as the tests' second telling has it.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache, partial
from math import comb
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
from tests.games.battlelore import reference, reference_fights

LOSSES = [16 / 81, 32 / 81, 24 / 81, 8 / 81, 1 / 81]
"""P(the dwarves lose 0 to 4 figures): four dice, of which a helmet or a sword hits."""
FEW_LOSSES = [comb(12, n) * 2 ** (12 - n) / 3**12 for n in range(4)]
LOSSES_TO_12_DICE = [*FEW_LOSSES, 1 - sum(FEW_LOSSES)]
"""The same with eight more dice from cards."""
ATTACKER, DEFENDER = "red_foot+long_sword", "dwarf_blue_foot"

ARMIES = (
    "blue_foot:2,red_mounted:2,green_foot+common_bow:2",
    "dwarf_blue_foot:2,goblin_red_foot:2,blue_mounted,giant_spider",
)
"""Six against six; the first go first, and both attack those with the fewest figures left."""
WINNERS = [0.0, 0.3471522331, 0.6528477669]
"""P(draw), P(the first army wins), P(the second wins), from 4 million line-ups of the literal lane with seed 99."""


@cache
def _question(extra_dice: int = 0, defender_extra_dice: int = 0) -> balance.Question:
    changes = {"situation.extra_dice": extra_dice, "situation.defender_extra_dice": defender_extra_dice}
    return balance.load("battlelore").ask("combat", ATTACKER, DEFENDER, changes)


def combat(extra_dice: int = 0, defender_extra_dice: int = 0) -> list[float]:
    """Return the distribution of the dwarves' losses, from the joint distribution of all columns of a whole combat,
    built anew.

    The attack rolls four dice and the battle back three, and what cards add to either.
    """
    ours.forget_tables()
    symbols.forget()
    return list(replace(_question(extra_dice, defender_extra_dice)).distribution.marginal("figures_lost").p)


def combats_sampled(lane: Lane, n_threads: int, n_trials: int) -> npt.NDArray[Any]:
    """Return how often the dwarves lost 0 to 4 figures; tables are kept between calls."""
    counts = collect(_question().task(lane), FixedTrials(n_trials), seed=0, n_threads=n_threads).counts
    lost = counts.marginal("figures_lost")
    return np.bincount(lost["figures_lost"], lost.weights, minlength=5).astype(np.int64)


def combats_looped(n_trials: int) -> npt.NDArray[Any]:
    """Return the same from a plain Python loop."""
    rng, counts = random.Random(0), np.zeros(5, np.int64)
    die = partial(rng.choice, reference.FACES)
    a, t = reference.unit("red foot long_sword"), reference.unit("blue foot short_sword", race="dwarf")
    for _ in range(n_trials):
        counts[reference.combat(dict(a), dict(t), die)["figures_lost"]] += 1
    return counts


@cache
def _lineup() -> balance.Question:
    return balance.load("battlelore").ask("lineup", *ARMIES, first="a", policy_a="focus", policy_b="focus")


def lineups_sampled(lane: Lane, n_threads: int, n_trials: int) -> npt.NDArray[Any]:
    """Return how often nobody, the first and the second army won; tables are kept between calls."""
    won = collect(_lineup().task(lane), FixedTrials(n_trials), seed=0, n_threads=n_threads).counts.marginal("winner")
    return np.bincount(won["winner"], won.weights, minlength=3).astype(np.int64)


def lineups_looped(n_trials: int) -> npt.NDArray[Any]:
    """Return the same from a plain Python loop."""
    unit = reference.unit
    a = [unit("blue foot short_sword"), unit("red mounted long_sword"), unit("green foot common_bow")]
    b = [unit("blue foot short_sword", race="dwarf"), unit("red foot short_sword", race="goblin")]
    lines = [a[0], a[0], a[1], a[1], a[2], a[2]], [*b[:1] * 2, *b[1:] * 2]
    lines[1].extend([unit("blue mounted long_sword"), unit("green creature bite")])
    played = reference_fights.Played(*lines, "a", ("focus", "focus"), chance=random.Random(0))
    won = [played.ended()[0] for _ in range(n_trials)]
    return np.bincount(won, minlength=3)


def contests() -> list[Contest]:
    """Return the contests of BattleLore."""
    line_up = in_lanes(lineups_sampled, 2**17, 2**17)
    line_up_loop = Contender("Python loop", lineups_looped, 2**12, 64)
    large = [
        Contender("12 dice, tables built anew", partial(combat, 8)),
        Contender("12 dice each way", partial(combat, 8, 9)),
    ]
    loop = Contender("Python loop", combats_looped, 2**14, 512)
    return [
        Contest("BattleLore combat, exact", [Contender("tables built anew", combat)], ["(none)"], _check),
        Contest("BattleLore combat of 12 dice, exact", large, ["(none)"], _check_12_dice),
        Contest("BattleLore combats, sampled", in_lanes(combats_sampled), [loop], _check_counts),
        Contest("BattleLore line-ups of six against six, sampled", line_up, [line_up_loop], _check_winners),
    ]


def _check(name: str, found: Any) -> None:
    known.check(name, found, LOSSES)


def _check_12_dice(name: str, found: Any) -> None:
    known.check(name, found, LOSSES_TO_12_DICE)


def _check_counts(name: str, found: Any) -> None:
    known.check_counts(name, found, LOSSES)


def _check_winners(name: str, found: Any) -> None:
    known.check_counts(name, found, WINNERS)
