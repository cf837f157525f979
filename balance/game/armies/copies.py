"""Limited copies of cards, which make an army illegal that would need more of them than there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import IntArray


@dataclass(frozen=True, eq=False)
class Copies:
    """The number of copies of limited cards, and how many of them each member uses.

    `available`: number of copies of each card, `int64[c]`. `per_unit`: copies of each card that a unit of each member
    uses, `int64[m, c]`.
    """

    available: IntArray
    per_unit: IntArray

    @classmethod
    def of(cls, members: Sequence[Sequence[tuple[str, int]]]) -> Copies:
        """Return the copies from the cards of each member, as (id, number of copies that exist).

        A card that a member uses twice is listed twice.

        >>> Copies.of([[("ant", 4), ("rope", 3)], [("ant", 4), ("rope", 3), ("rope", 3)]]).per_unit.tolist()
        [[1, 1], [1, 2]]
        """
        card_counts = {card: n for cards in members for card, n in cards}
        n_taken = np.zeros((len(members), len(card_counts)), np.int64)
        for row, cards in zip(n_taken, members, strict=True):
            np.add.at(row, [list(card_counts).index(card) for card, _ in cards], 1)
        return cls(np.array(list(card_counts.values()), np.int64), n_taken)
