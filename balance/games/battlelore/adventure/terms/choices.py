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
from balance.chance.rolls.keyed_rolls import words
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.luck import CHOICES, moment

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
    n_options = np.bincount(choice.row, minlength=len(choice.rows))
    first = n_options.cumsum() - n_options
    is_open = n_options > 1
    if not is_open.any():
        return first
    end_if_abandoned()
    base = np.zeros(len(choice.rows), np.uint64)
    base[is_open] = moment(state, choice.rows[is_open], CHOICES).base
    ties = words(base[choice.row], choice.name, choice.place) >> np.uint64(64 - TIE_BITS)
    keys = (player.weigh(battle, state, choice) << TIE_BITS) + ties.view(np.int64)
    best = np.maximum.reduceat(keys, first)
    best_options = np.flatnonzero(keys == best[choice.row])
    option = best_options[np.searchsorted(choice.row[best_options], np.arange(len(choice.rows)))]
    if watch is not None:
        watch("choice", choice.side, choice.rows, {"choice": choice, "option": option}, state)
    return np.asarray(option)
