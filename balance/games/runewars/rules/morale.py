"""Morale tests: after an attack its morale icons have the defender draw a card of a common deck (placeholders).

A card counts if icons and panic tokens of the unit together reach what it asks for, one more of a type that the unit
is steadfast against; the tokens are then spent. When the deck is empty the discards are shuffled into a new one
(RW-MOR.1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.runewars.tables import MoraleCard


@dataclass(frozen=True)
class Deck:
    """The kinds of morale card, each with its number of copies."""

    cards: tuple[MoraleCard, ...]

    def numbers(self, field: str) -> IntArray:
        """Return a numeric field of each kind of card, `int16[kinds]`."""
        return np.array([getattr(card, field) for card in self.cards], np.int16)

    def required_icons(self, steadfast: tuple[str, ...]) -> IntArray:
        """Return the icons that kinds of card take, one more if the unit is steadfast against them, `int16[kinds]`."""
        return self.numbers("icons") + np.array([card.type in steadfast for card in self.cards], np.int16)


def morale_test(
    deck: Deck, steadfast: tuple[str, ...], icons: IntArray, panic: IntArray, cards: IntArray, rolls: Rolls, name: str
) -> State:
    """Draw a morale card in the trials in which the attack has morale icons, and return what it does.

    `icons` of the attack and `panic` tokens are `int[n]`, `cards` left in the deck `int[n, kinds]`. Returns `wounds`,
    `cowed` (it loses its next attack), `panic` (tokens it has then) and `deck`.
    """
    draws, trials = icons > 0, np.arange(len(icons))
    whole = np.where((cards.sum(axis=1) == 0)[:, None], deck.numbers("copies"), cards)
    number = rolls.uniform(whole.sum(axis=1), name)
    kind = (np.asarray(number)[:, None] >= whole.cumsum(axis=1)).sum(axis=1)
    works = draws & (icons + panic >= deck.required_icons(steadfast)[kind])
    after = whole.copy()
    after[trials, kind] -= draws
    return {
        "wounds": deck.numbers("wounds")[kind] * works,
        "cowed": deck.numbers("loses_attack")[kind] * works,
        "panic": np.where(works, deck.numbers("panic")[kind], panic),
        "deck": np.where(draws[:, None], after, cards).astype(np.int16),
    }
