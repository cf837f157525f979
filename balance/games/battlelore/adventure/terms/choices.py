"""Decisions: options that the rules list, weighed by who plays, ties broken at random.

Every decision of an adventure is made here, by one rule: of the legal options the one of the highest weight is taken,
and of equals the one whose word of luck is highest. Who weighs all alike plays at random.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy as np

from balance.base.arrays import IntArray
from balance.base.signals import end_if_abandoned
from balance.chance.rolls.keyed_rolls import base_words, key_of, words
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.luck import CHOICES

TIE_BITS = 40
"""Bits of a word of luck that break ties."""


@dataclass(frozen=True, eq=False)
class Choice:
    """A decision in m trials, with p options in all.

    * `name`: what is decided, such as "card" or "battle".
    * `side`: who decides, 0 or 1.
    * `rows`: numbers of the trials, rising, `int64[m]`.
    * `row`: for each option the place of its trial in `rows`, rising, `int64[p]`; every trial has one option at least.
    * `place`: the number of each option, by which luck knows it, `int64[p]`; unique in a trial.
    * `about`: what else tells the options apart, `int[p]` each, such as `unit` and `target`.
    """

    name: str
    side: int
    rows: IntArray
    row: IntArray
    place: IntArray
    about: Mapping[str, IntArray] = field(default_factory=dict)

    @property
    def trial(self) -> IntArray:
        """The number of the trial of each option, `int64[p]`."""
        return self.rows[self.row]


class Player(Protocol):
    """A way of playing that decides for a side. It may use what that side may know, and nothing else."""

    def weigh(self, battle: Any, state: State, choice: Choice) -> IntArray:
        """Return the weight of each option, `int64[p]`, from -2**22 to 2**22; the state must not change."""
        ...


class _AtRandom:
    def weigh(self, battle: Any, state: State, choice: Choice) -> IntArray:
        """Return 0 for each option, so that luck decides."""
        return np.zeros(len(choice.row), np.int64)


AT_RANDOM = _AtRandom()
"""The way of playing that leaves everything to chance: of what the rules allow, all is as likely."""
Watch: TypeAlias = Callable[[str, int, IntArray, Mapping[str, Any], State], None]
"""Is told all that happens: (what, side, numbers of the trials, what there is to say of it, the state after it)."""


def choose(battle: Any, state: State, choice: Choice, player: Player, watch: Watch | None = None) -> IntArray:
    """Return the option of highest weight in each trial, as its index among all options, `int64[m]`.

    Ties go to the highest word of luck. A trial with a single option decides nothing and has no moment of luck; others
    count one up in `moments`. `watch` is called with the choice.
    """
    m, row = len(choice.rows), choice.row
    n_options = np.bincount(row, minlength=m)
    first = n_options.cumsum() - n_options
    is_open = n_options > 1
    if not is_open.any():
        return first
    end_if_abandoned()
    counts = state["moments"][choice.rows]
    state["moments"][choice.rows] = counts + is_open
    weights = player.weigh(battle, state, choice)
    option = (weights == np.maximum.reduceat(weights, first)[row]).nonzero()[0]
    if len(option) > m:
        option = _first_of_ties(state, choice, counts, option)
    if watch is not None:
        watch("choice", choice.side, choice.rows, {"choice": choice, "option": option}, state)
    return np.asarray(option)


def _first_of_ties(state: State, choice: Choice, counts: IntArray, best: IntArray) -> IntArray:
    """Return in each trial that of its `best` options whose word of luck is highest, `int64[m]`."""
    row = choice.row[best]
    n_best = np.bincount(row, minlength=len(counts))
    first = n_best.cumsum() - n_best
    option = best[first]
    tied = (n_best > 1).nonzero()[0]
    places = (n_best[row] > 1).nonzero()[0]
    base = np.zeros(len(counts), np.uint64)
    base[tied] = base_words(key_of(state["luck"][choice.rows[tied]], CHOICES), counts[tied])
    ties = words(base[row[places]], choice.name, choice.place[best[places]]) >> np.uint64(64 - TIE_BITS)
    starts = n_best[tied].cumsum() - n_best[tied]
    highest = np.zeros(len(counts), np.uint64)
    highest[tied] = np.maximum.reduceat(ties, starts)
    at = (ties == highest[row[places]]).nonzero()[0]
    winners = best[places[at]]
    option[tied] = winners[np.searchsorted(choice.row[winners], tied)]
    return option
