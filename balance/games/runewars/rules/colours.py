"""The exact law of what the dice of one colour come to, where each die is rolled again for itself."""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.pmf import Pmf
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.process import Process, State, n_trials
from balance.chance.rolls.rolls import Rolls
from balance.game.kit import never
from balance.games.runewars.cells import ICONS
from balance.games.runewars.rules.dice import Die, Hand, roll_missing

KEPT = "kept"
"""The column that says which face is kept aside: its number from 1, or 0 for none."""


@lru_cache(maxsize=1024)
def laws_of_colour(die: Die, numbers: range, n_rerolls: int, keeps: bool, unread: frozenset[str]) -> DistributionStack:
    """Return the laws of `law_of_colour` by number of dice, re-rolls up to `n_rerolls`, and, with `keeps`, whether."""
    return DistributionStack(
        tuple(
            law_of_colour(die, number, times, kept, unread)
            for number in numbers
            for times in range(n_rerolls + 1)
            for kept in ((False, True) if keeps else (False,))
        )
    )


@lru_cache(maxsize=4096)
def law_of_colour(die: Die, number: int, times: int, keeps: bool, unread: frozenset[str]) -> Pmf:
    """Return the law of the icons of dice of which those without a hit are rolled again so many times.

    With `keeps` the first that would be rolled again for a partial rank is kept aside, and its icons are not counted;
    neither are those that are `unread`.
    """
    hand = Hand(((die, number),))
    steps = [partial(_roll, hand, "" if again == 0 else f" again {again}") for again in range(times + 1)] * (number > 0)
    is_read = np.array([icon not in unread for icon in ICONS])

    def outcome(state: State, n_steps: IntArray) -> State:
        kept = worst_of(hand, state["pool"]) & keeps
        icons = (state["pool"] - kept) @ hand.icons[:-1] * is_read
        place = np.where(kept.any(axis=1), kept.argmax(axis=1) + 1, 0)
        return {**dict(zip(ICONS, icons.T, strict=True)), KEPT: place}

    start = {"pool": np.zeros(len(die.distinct), np.int16)}
    return exact_distribution(Process(start, tuple(steps), never, outcome, len(steps)))


def _roll(hand: Hand, again: str, state: State, rolls: Rolls) -> State:
    pool = state["pool"] * ~hand.idle[:-1]
    numbers = np.full((n_trials(state), 1), hand.n_dice, np.int16)
    return {"pool": roll_missing(hand, pool, numbers, rolls, again, is_first=not again)}


def worst_of(hand: Hand, pool: IntArray) -> BoolArray:
    """Return the die of each pool that is rolled again first for a partial rank, `bool[n, faces]`; none if none is."""
    rank = np.where((pool > 0) & hand.idle[:-1], hand.worst_first[:-1], len(hand.idle))
    return np.asarray((np.arange(pool.shape[1]) == rank.argmin(axis=1)[:, None]) & (rank < len(hand.idle)))
