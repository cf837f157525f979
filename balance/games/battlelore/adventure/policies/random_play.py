"""The way of playing that leaves everything to chance: of what the rules allow, all is as likely."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.terms.choices import Choice


@dataclass(frozen=True)
class RandomPlayer:
    """Gives all options the same weight, so that luck decides."""

    def weigh(self, battle: Battle, state: State, choice: Choice) -> IntArray:
        """Return 0 for every option, `int64[p]`."""
        return np.zeros(len(choice.row), np.int64)
