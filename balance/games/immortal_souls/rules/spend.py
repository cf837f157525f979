"""What rolled results are spent on: the policies of heroes, who choose, and of enemies, who take the dearest first.

IS-HIT.3 and IS-HIT.4: an effect is bought once at most, and each result pays once. IS-HIT.13: an enemy must buy the
dearest effect first. The core's `Purchase` knows which sets a roll can pay for; an `Offer` says what each is worth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.purchases import EQUAL, Purchase
from balance.chance.rolls.rolls import Rolls

FloatArray: TypeAlias = npt.NDArray[np.float64]
Goal: TypeAlias = Literal["wounds", "kill", "conditions"]
"""What a set of effects is worth: expected wounds, the chance to kill, or conditions before wounds."""


@dataclass(frozen=True)
class Offer:
    """What may be bought with a roll, as whoever buys sees it.

    Attributes
    ----------
    purchase
        The effects and their costs.
    results
        What is left of the roll to pay with, `int[n, kinds]`.
    worth
        Goal -> what each set is worth, `float64[n, sets]`; more is better for who buys.
    again
        Goal -> what to expect of rolling all the dice again instead, `float64[n]`; None where that is not offered.
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
        """Return the set to buy, or whether to roll again (1), for every trial.

        Parameters
        ----------
        name
            Name of the request.
        legal
            The legal options of each trial.
        view
            What may be bought, and its worth.
        rolls
            The rolls.
        """
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
