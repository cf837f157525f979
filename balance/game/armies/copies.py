"""How many of each card there are, and who takes which: what makes an army legal beside its cost and its size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.chance.pmf.arrays import IntArray


@dataclass(frozen=True, eq=False)
class Copies:
    """Cards of which an army can have only as many as there are.

    Attributes
    ----------
    available
        `int64[c]`: how many of each card there are.
    per_unit
        `int64[m, c]`: how many of each card a unit of each member takes.
    """

    available: IntArray
    per_unit: IntArray

    @classmethod
    def of(cls, members: Sequence[Sequence[tuple[str, int]]]) -> Copies:
        """Return the copies of cards of members, each as its cards: their ids and how many of them there are.

        A card that a member takes twice stands there twice.

        >>> Copies.of([[("ant", 4), ("rope", 3)], [("ant", 4), ("rope", 3), ("rope", 3)]]).per_unit.tolist()
        [[1, 1], [1, 2]]
        """
        card_counts = {card: n for cards in members for card, n in cards}
        n_taken = np.zeros((len(members), len(card_counts)), np.int64)
        for row, cards in zip(n_taken, members, strict=True):
            np.add.at(row, [list(card_counts).index(card) for card, _ in cards], 1)
        return cls(np.array(list(card_counts.values()), np.int64), n_taken)
