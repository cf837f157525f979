"""What attacks are reckoned to be worth, as whole numbers, so that equal is equal on every machine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.pmf import Pmf
from balance.games.battlelore.adventure.terms.muster import Muster
from balance.games.battlelore.rules.dice import HELMETS, SWORDS, hits_shown, strike_die

BANNER = 1024
"""What a victory banner counts."""
FIGURE = 160
"""What a figure counts that an enemy loses, beside the banner if it is the last."""
FLAG = 40
"""What driving an enemy off counts."""
MOST_DICE = 9
"""Dice beyond these count as so many."""


@dataclass(frozen=True, eq=False)
class Reckoning:
    """Tables of the expected worth of attacks among the sorts of units of a battle."""

    muster: Muster

    @cached_property
    def gain(self) -> IntArray:
        """Worth of an attack, `int32[m + 1, m + 1, 2 melee, dice, figures]`: attacker, target, dice, figures left."""
        muster, faces = self.muster, self.muster.referee.constants.die.faces
        n, figures = muster.nobody + 1, np.arange(1, int(muster.full.max()) + 1)
        table = np.zeros((n, n, 2, MOST_DICE, len(figures) + 1), np.int32)
        for (on, target), by, melee in product(enumerate(muster.fighters), range(muster.nobody), (0, 1)):
            colour, creature = target.unit.colour, target.is_creature
            die, helmets = strike_die(faces, colour, SWORDS[muster.swords[by, on, melee]]), faces.count(HELMETS[colour])
            for n_dice in range(MOST_DICE):
                shown = die.distribution(n_dice)
                table[by, on, melee, n_dice, 1:] = _worth(shown, helmets / len(faces), creature, figures)
        return table

    def attack(self, kinds: tuple[IntArray, IntArray], dice: IntArray, melee: BoolArray, figures: IntArray) -> IntArray:
        """Return the expected worth of attacks, `int64[p]`, of which a banner is 1,024.

        `kinds` are the members of attackers and targets, `melee` is whether they are adjacent, `figures` are those that
        the target has left.
        """
        by, on = kinds
        n, most = self.muster.nobody + 1, self.gain.shape[-1]
        place = by * n
        for number, size in ((on, 2), (melee, MOST_DICE), (np.minimum(dice, MOST_DICE - 1), most), (figures, 1)):
            place += number
            place *= size
        return self.gain.take(place).astype(np.int64)


def _worth(shown: Pmf, helmets: float, creature: bool, figures: IntArray) -> IntArray:
    """Return the expected worth of a throw by figures left; `helmets` are the target's share of a die's faces."""
    chances = shown.weights / shown.total
    hits = hits_shown({symbol: shown[symbol] for symbol in shown.columns})[:, None]
    kills = 1 - (1 - helmets) ** hits * figures**0 if creature else hits >= figures
    losses = np.minimum(hits, figures) * (not creature)
    driven = FLAG * (chances @ (shown["flags"] > 0))
    worth = BANNER * (chances @ kills) + FIGURE * (chances @ losses) + driven
    return np.asarray(np.rint(worth), np.int32)


@lru_cache(maxsize=16)
def reckoning_of(muster: Muster) -> Reckoning:
    """Return the tables of a muster, cached."""
    return Reckoning(muster)
