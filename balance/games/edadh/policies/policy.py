"""How a side plays: frozen parameters, and one method that chooses.

A policy is asked by name: "card" (WE-INIT.1), "troop", "answer" and "combine" (WE-TROOP, WE-FEW), "loss 1",
"loss 2" and so on (WE-EOP.3, WE-RETIRE), "swap 0" to "swap 2" (WE-SWAP); at level D also what the
cards behind the Unit do. Options are numbered as the rules list them; what they stand for is in the view. Chance of its
own a policy asks of `rolls`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

import numpy as np
import numpy.typing as npt

from balance.base.arrays import IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.rolls import Rolls
from balance.games.edadh.rules.mastery import N_CARDS
from balance.games.edadh.rules.view import View

EVEN = (1,) * N_CARDS
"""The weights of a mix in which every card is as likely as every other."""


def any_option(name: str, legal: Legal, rolls: Rolls) -> IntArray:
    """Return a legal option, each as likely as every other, `int64[n]`.

    `legal` is the number of options, `int[n]` or one for all trials, or a mask of them, `bool[n, k]`.

    >>> from balance.chance.rolls.rolls import FixedRolls
    >>> any_option("troop", np.array([2]), FixedRolls({"troop": [1]})).tolist()
    [1]
    """
    if np.ndim(legal) == 2:
        return rolls.pick(np.asarray(legal, bool), name)
    return rolls.uniform(cast("IntArray | int", legal), name)


@dataclass(frozen=True)
class CardMix:
    """A fixed mix of cards: CV v + 1 is played with probability weights[v] / sum(weights)."""

    weights: tuple[int, ...] = EVEN
    _cards: npt.NDArray[np.int64] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """List each card as often as its weight, so that one die roll draws a card."""
        object.__setattr__(self, "_cards", np.repeat(np.arange(N_CARDS), self.weights))

    def option(self, rolls: Rolls) -> IntArray:
        """Return the option drawn for each trial, the CV less 1, `int64[n]`."""
        draws = rolls.uniform(len(self._cards), "card")
        return draws if self.weights == EVEN else self._cards.take(draws)


@dataclass(frozen=True)
class Uniform:
    """Cards from a fixed mix; everything else any legal choice, each as likely as every other.

    Troops are never retired where `retires` is false.
    """

    mix: CardMix = field(default_factory=CardMix)
    retires: bool = True

    def choose(self, name: str, legal: Legal, view: View, rolls: Rolls) -> IntArray:
        """Return a card of the mix (CV less 1), or any option, `int64[n]`, but none that retires unless `retires`."""
        if name == "card":
            return self.mix.option(rolls)
        option = any_option(name, legal, rolls)
        if name.startswith("loss") and not self.retires and view.rows is not None:
            option[view.rows] *= view.facts["place"] >= 8
        return option
