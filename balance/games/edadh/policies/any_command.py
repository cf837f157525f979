"""How a side plays the cards behind its Unit: any legal choice, each as likely as every other.

Every policy that ships plays them like this. Sets of stratagems are drawn with a die of 30,000 faces, which their
number need not divide: two of them differ in probability by less than 1 in 30,000.
"""

from __future__ import annotations

import numpy as np

from balance.games.edadh.commands import IN_PLAY, MST, TCTS
from balance.games.edadh.strike import Ints
from balance.games.edadh.view import View

__all__ = ["BONUS_FACES", "HAND_FACES", "SECOND_FACES", "AnyCommand"]

SECOND_FACES, BONUS_FACES, HAND_FACES = 6, 20, 30_000
"""Faces of the dice for the secondary mastery card (1 to 3 options), a bonus (4 or 5), and a set of stratagems."""
SECOND_OF = np.array(
    [[0] * 6, [0] * 3 + [MST] * 3, [0] * 3 + [TCTS] * 3, [0] * 2 + [MST] * 2 + [TCTS] * 2], np.int16
).ravel()


class AnyCommand:
    """Any legal choice."""

    def second(self, view: View, luck: Ints) -> Ints:
        """Return what to play beside the mastery card: 0, MST or TCTS; `view.legal` is a mask of the last two."""
        return SECOND_OF.take(view.legal.astype(np.intp) * SECOND_FACES + luck - 1)

    def bonus(self, view: View, luck: Ints) -> Ints:
        """Return the bonus of the combat master, 1 to 5; the fifth, damage, where `view.legal`."""
        return 1 + (luck - 1) * (4 + view.legal.astype(np.int16)) // BONUS_FACES

    def shield(self, view: View, damage: Ints, luck: Ints) -> Ints:
        """Return whether to use the standard against the damage of this turn."""
        return luck == 1

    def steady(self, view: View, luck: Ints) -> Ints:
        """Return whether to use the standard's resolve before the piles are compared."""
        return luck == 1

    def remove(self, view: View, places: Ints, luck: Ints) -> Ints:
        """Return which stratagems in play to take back, `bool[n, S]`; `luck` is one die of two faces for each."""
        return (places == IN_PLAY) & (luck == 1)

    def stratagems(self, view: View, legal: Ints, luck: Ints) -> Ints:
        """Return which set of stratagems to take, `[n]`; `legal` is `bool[n, H]`."""
        wanted = (luck - 1).astype(np.int64) * legal.sum(axis=1) // HAND_FACES
        return (legal.cumsum(axis=1) > wanted[:, None]).argmax(axis=1)
