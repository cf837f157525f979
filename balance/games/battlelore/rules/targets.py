"""Whom a unit in line attacks, of the enemies still in line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.rolls import Rolls
from balance.game.kit.combat.members import nearest_least

Aim = Literal["opposite", "focus", "spread"]


@dataclass(frozen=True)
class Facing:
    """The enemies that a unit chooses its target from.

    `place`: where it stands in its own line, from 0. `figures`: figures left to each enemy by place, `int[n, m]`; 0 if
    nobody is there. `full`: figures each enemy has at full strength, at least 1, `int[m]` or `int[n, m]`.
    """

    place: int
    figures: IntArray
    full: IntArray


@dataclass(frozen=True)
class Targets:
    """A policy: the enemy that its aim likes best; of equals the nearest in line, of two as near the further left.

    >>> from typing import get_args
    >>> facing = Facing(1, np.array([[4, 0, 2], [3, 0, 3]]), np.array([4, 4, 3]))
    >>> {aim: Targets(aim).choose("a target 2", facing.figures > 0, facing).tolist() for aim in get_args(Aim)}
    {'opposite': [0, 0], 'focus': [2, 0], 'spread': [0, 2]}
    """

    aim: Aim

    def choose(self, name: str, legal: Legal, view: Facing, rolls: Rolls | None = None) -> IntArray:
        """Return the place of the enemy to attack in each trial, `int64[n]`; nothing is left to chance.

        `legal`, `bool[n, m]`, has the enemies that are still in line.
        """
        if self.aim == "opposite":
            return nearest_least(~np.asarray(legal), view.place)
        dislike = view.figures if self.aim == "focus" else -view.figures / view.full
        return nearest_least(np.where(np.asarray(legal), dislike, np.inf), view.place)


OPPOSITE = Targets("opposite")
"""How the units of a skirmish pick whom they attack."""
