"""What a player may see: everything on the table, and nothing of the opponent's mind.

Both Units, both tracks, both piles lie open (WE-SETUP.1). Hidden are the card an opponent is about to play, how the
opponent means to choose, and what is face down; so a view opens public columns of either side, and private ones of its
own side only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from balance.core.process import State
from balance.games.edadh.look_up import Arena
from balance.games.edadh.strike import Ints
from balance.games.edadh.unit import NOBODY

__all__ = ["MIND", "PUBLIC", "SIDES", "View", "at_rows"]

SIDES = "ab"
"""Names of the sides."""
FACE_DOWN = 1
"""The place of a locked stratagem (WE-STR.3)."""

PUBLIC = ("mp", "damage", "unit", "up", "pile", "shaken", "combine", "champion", "standard", "leader", "second")
"""Columns of either side that everyone can see; see `balance.games.edadh.duel`."""
MIND = "mind_"
"""What the private columns of a policy's memory begin with."""


@dataclass(frozen=True, eq=False)
class View:
    """The table as one side sees it, for n trials.

    Attributes
    ----------
    arena
        The rules and both sides' cards.
    me, foe
        0 for side a, 1 for side b.
    level
        Combat level 0 to 2, a number or `int[n]`.
    legal
        What may be chosen: a mask of columns, `uint8[n]`.
    right
        The right to combine when a troop is selected: 0, ONE or ALL, `[n]`.
    card, foe_card
        Both cards once they are revealed, `int16[n]`; None before.
    role
        Once they are revealed: 1 Attacker, -1 Defender, 0 on a tie, `int8[n]`.
    foe_play
        What the Attacker has selected, where the Defender is to answer; NOBODY where it is not known.
    rows, fresh
        The trials the view is of, None for all; and columns that have changed since, of these trials only.
    fixed
        The column selected already, where only the troops to combine are still to be chosen; else NOBODY.
    foe_bonus
        The bonus the Attacker's combat master gives, where the Defender's is to be named; 0 where it is not known.
    """

    arena: Arena
    me: int
    foe: int
    state: State
    level: Ints
    rows: Ints = None
    legal: Ints = None
    right: Ints = 0
    card: Ints = None
    foe_card: Ints = None
    role: Ints = None
    foe_play: Ints = NOBODY
    fixed: Ints = NOBODY
    foe_bonus: Ints = 0
    fresh: Mapping[str, Ints] = field(default_factory=dict)

    def _column(self, name: str) -> Ints:
        if name in self.fresh:
            return self.fresh[name]
        values = self.state[name]
        return values if self.rows is None else values[self.rows]

    def mine(self, name: str) -> Ints:
        """Return a column of the own side, `int16[n]`."""
        return self._column(f"{SIDES[self.me]}_{name}")

    def theirs(self, name: str) -> Ints:
        """Return a public column of the opponent, `int16[n]`.

        Raises
        ------
        KeyError
            The column is not on the table.
        """
        if name not in PUBLIC:
            raise KeyError(f"{name} of the opponent cannot be seen")
        return self._column(f"{SIDES[self.foe]}_{name}")

    def their_stratagem(self, name: str) -> Ints:
        """Return where a stratagem of the opponent is; one that is face down may as well be in the deck."""
        place = self._column(f"{SIDES[self.foe]}_s_{name}")
        return np.where(place == FACE_DOWN, 0, place)

    def only(self, rows: Ints, **seen: Ints) -> View:
        """Return the view of some trials, with more to be seen."""
        return replace(self, rows=rows, level=at_rows(self.level, rows), **seen)


def at_rows(values: Ints, rows: Ints) -> Ints:
    """Return the rows of an array, or a number as it is."""
    return values[rows] if isinstance(values, np.ndarray) else values
