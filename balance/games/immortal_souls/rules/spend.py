"""What rolled results are spent on: by heroes for a goal of theirs, by enemies on the most expensive effect first.

IS-HIT.3 and IS-HIT.4: an effect is bought once at most, and each result pays once. IS-HIT.13: an enemy must buy the
dearest effect first. The core's `Purchase` knows which sets a roll can pay for; an `Offer` says what each is worth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.purchases import EQUAL, Purchase
from balance.chance.rolls.rolls import Rolls

Goal: TypeAlias = Literal["wounds", "kill", "conditions"]
"""What a set of effects is worth: expected wounds, the chance to kill, or conditions before wounds."""


@dataclass(frozen=True)
class Offer:
    """What may be bought with a roll, as whoever buys sees it.

    `purchase`: the effects and their costs. `results`: what is left of the roll to pay with, `int[n, kinds]`. `worth`:
    goal -> value of each set to the buyer, `float64[n, sets]`; higher is better. `again`: goal -> expected value of
    rolling all the dice again instead, `float64[n]`; None where that is not offered.
    """

    purchase: Purchase
    results: IntArray
    worth: Callable[[Goal], FloatArray]
    again: Callable[[Goal], FloatArray] | None = None


@dataclass(frozen=True)
class Spend:
    """Buys what is best for a goal; without one the dearest effect first, as enemies must (IS-HIT.13)."""

    goal: Goal | None

    def choose(self, name: str, legal: Legal, view: Offer, rolls: Rolls) -> IntArray:
        """Return the number of the set to buy, `int64[n]`; where a re-roll is offered, 1 to roll again, else 0."""
        is_legal = np.asarray(legal, bool)
        if view.again is None:
            if self.goal is None:
                return view.purchase.dearest(view.results)
            return view.purchase.best(is_legal, view.worth(self.goal))
        if self.goal is None:
            return is_legal[:, 1].astype(np.int64)
        worth = view.worth(self.goal)
        best_worth = np.where(view.purchase.affordable(view.results), worth, -np.inf).max(axis=1)
        return np.asarray(is_legal[:, 1] & (view.again(self.goal) > best_worth + EQUAL), np.int64)


DEAREST = Spend(None)
