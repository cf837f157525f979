"""What attacks are reckoned to be worth, as whole numbers, so that equal is equal on every machine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.games.battlelore.adventure.terms.battle import Battle

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
    """Tables of the expected worth of attacks in one battle."""

    battle: Battle

    @cached_property
    def gain(self) -> IntArray:
        """Worth of an attack, `int32[m + 1, m + 1, 2 melee, dice, figures]`: attacker, target, dice, figures left."""
        muster = self.battle.muster
        n, most = muster.nobody + 1, int(muster.full.max()) + 1
        table = np.zeros((n, n, 2, MOST_DICE, most), np.int32)
        for by in range(muster.nobody):
            for on in range(muster.nobody):
                for melee in (0, 1):
                    swords = int(muster.swords[by, on, melee])
                    creature = bool(muster.creature[on])
                    table[by, on, melee] = _worth(self._die(on), swords, creature, most)
        return table

    def _die(self, target: int) -> tuple[float, float, float]:
        """Return the probabilities that a die shows the helmet of a target, a sword, and a flag."""
        faces = self.battle.terms.constants.die.faces
        helmet = "GBR"[int(self.battle.muster.colour[target])]
        helmets, swords, flags = (faces.count(face) / len(faces) for face in (helmet, "S", "F"))
        return helmets, swords, flags

    def attack(self, kinds: tuple[IntArray, IntArray], dice: IntArray, melee: IntArray, figures: IntArray) -> IntArray:
        """Return the expected worth of attacks, `int64[p]`, of which a banner is 1,024.

        `kinds` are the members of attackers and targets, `melee` is 0 or 1, `figures` are those that the target has
        left.
        """
        by, on = kinds
        n, most = self.battle.muster.nobody + 1, self.gain.shape[-1]
        place = ((by * n + on) * 2 + melee) * MOST_DICE + np.clip(dice, 0, MOST_DICE - 1)
        return np.asarray(self.gain.ravel().take(place * most + np.clip(figures, 0, most - 1)), np.int64)


def _worth(die: tuple[float, float, float], swords: int, creature: bool, most: int) -> IntArray:
    """Return the expected worth of an attack by dice and figures left, `int32[MOST_DICE, most]`."""
    worth = np.zeros((MOST_DICE, most))
    helmet, sword, flag = die
    for n_dice in range(MOST_DICE):
        hits = _hits(n_dice, helmet, sword, swords)
        n = np.arange(len(hits))
        driven = FLAG * (1 - (1 - flag) ** n_dice)
        for figures in range(1, most):
            if creature:
                kill = float(hits @ (1 - (1 - helmet) ** n))
                worth[n_dice, figures] = BANNER * kill + driven
            else:
                kill = float(hits[n >= figures].sum())
                worth[n_dice, figures] = BANNER * kill + FIGURE * float(hits @ np.minimum(n, figures)) + driven
    return np.rint(worth).astype(np.int32)


def _hits(n_dice: int, helmet: float, sword: float, swords: int) -> FloatArray:
    """Return the distribution of hits of some dice; `swords` 0, 1 or 2: no, all, or all but one bonus strike hits."""
    joint = np.zeros((n_dice + 1, n_dice + 1))
    joint[0, 0] = 1.0
    for _ in range(n_dice):
        after = joint * (1 - helmet - sword)
        after[1:] += joint[:-1] * helmet
        after[:, 1:] += joint[:, :-1] * sword
        joint = after
    hits = np.zeros(n_dice + 1)
    for helmets in range(n_dice + 1):
        for strikes in range(n_dice + 1 - helmets):
            counted = {0: 0, 1: strikes, 2: max(strikes - 1, 0)}[swords]
            hits[helmets + counted] += joint[helmets, strikes]
    return hits


@lru_cache(maxsize=16)
def reckoning_of(battle: Battle) -> Reckoning:
    """Return the tables of a battle, cached."""
    return Reckoning(battle)
