"""The command deck as numbers: what each card orders, and which card it is with left and right swapped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

import numpy as np

from balance.base.arrays import IntArray
from balance.games.battlelore.tables import CommandCard, Effect

EFFECTS: tuple[Effect, ...] = get_args(Effect)
"""What a command card may do; the number of an effect is its place here."""
(SECTION, SCOUT, GREEN, BLUE, RED, CHARGE, ONSLAUGHT, DARKEN, LEADERSHIP, COUNTER, BATTLELORE) = range(len(EFFECTS))
BY_SECTION = 2
"""Effects below this number order units by section."""
COMMAND = -1
"""The number of units of a card that orders as many as its owner holds command cards (BL-CMD-04)."""


@dataclass(frozen=True, eq=False)
class CommandDeck:
    """T kinds of command cards, and P of them as they may be played: these, and such as only a mirror image has.

    `most_led` is the most units that a Lore card in place of a command card can order, 0 where there is none.
    """

    cards: Sequence[CommandCard]
    most_led: int = 0

    @cached_property
    def n_types(self) -> int:
        """T, the number of kinds of cards."""
        return len(self.cards)

    @cached_property
    def counts(self) -> IntArray:
        """How many cards of each kind the deck has, `int8[T]`."""
        return np.array([card.count for card in self.cards], np.int8)

    @cached_property
    def _plays(self) -> list[tuple[int, tuple[int, int, int], int]]:
        """Effect, orders by section and orders anywhere of each card, then of mirror images that no card has."""
        plays = [(EFFECTS.index(c.effect), (c.left, c.centre, c.right), c.anywhere) for c in self.cards]
        mirrored = [(effect, orders[::-1], anywhere) for effect, orders, anywhere in plays]
        plays += [play for play in dict.fromkeys(mirrored) if play not in plays]
        return plays + [(LEADERSHIP, (0, 0, 0), n_units) for n_units in range(1, self.most_led + 1)]

    def led(self, n_units: IntArray) -> IntArray:
        """Return the card that orders `n_units`, `int64[m]`, of any kind as Leadership does one; -1 for none.

        More than `most_led` count as that many.
        """
        n_units = np.minimum(n_units, self.most_led)
        return np.where(n_units > 0, len(self._plays) - self.most_led + n_units - 1, -1)

    @cached_property
    def effect(self) -> IntArray:
        """Number of the effect of each card as it may be played, `int8[P]`."""
        return np.array([effect for effect, _, _ in self._plays], np.int8)

    @cached_property
    def orders(self) -> IntArray:
        """Units that it orders left, centre and right, `int8[P, 3]`; COMMAND for as many as its owner's hand."""
        return np.array([orders for _, orders, _ in self._plays], np.int8)

    @cached_property
    def anywhere(self) -> IntArray:
        """Units that it orders in any section, `int8[P]`; COMMAND likewise, and one for a bare Counter Attack."""
        anywhere = np.array([count for _, _, count in self._plays], np.int8)
        return np.where(self.effect == COUNTER, np.int8(1), anywhere)

    @cached_property
    def mirror(self) -> IntArray:
        """The card with left and right swapped, `int16[P]`."""
        mirrored = [(effect, orders[::-1], anywhere) for effect, orders, anywhere in self._plays]
        return np.array([self._plays.index(play) for play in mirrored], np.int16)
