"""Decks of cards that are drawn, discarded and shuffled anew, one for each trial, as the place of every card."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.rolls import Rolls

Places = npt.NDArray[np.int8]
"""Where each card is, `int8[n, cards]`: IN_DECK, DISCARD_PILE, OUT of both, as enemies in play, or a story ON_MAP."""
IN_DECK, DISCARD_PILE, OUT, ON_MAP = range(4)
NO_CARD = -1
"""Instead of a card: none was drawn."""


def full_deck(n: int, n_cards: int) -> Places:
    """Return `n` decks of all cards, from which nothing has been drawn, `int8[n, n_cards]` of IN_DECK."""
    return np.full((n, n_cards), IN_DECK, np.int8)


def draw(places: Places, drawing: BoolArray, to: int, rolls: Rolls, name: str) -> tuple[IntArray, Places]:
    """Draw the top card of a shuffled deck where `drawing`, `bool[n]`; reshuffle the discards first if it is empty.

    Returns the card, `int8[n]`, NO_CARD where none is drawn or left, which goes to DISCARD_PILE or OUT, and where cards
    are now.

    >>> from balance.chance.rolls.rolls import FixedRolls
    >>> places, top = np.array([[OUT, DISCARD_PILE, DISCARD_PILE]], np.int8), FixedRolls({"top": [1]})
    >>> card, places = draw(places, np.array([True]), OUT, top, "top")
    >>> card.tolist(), places.tolist()
    ([2], [[2, 0, 2]])
    """
    ran_out = drawing & ~(places == IN_DECK).any(axis=1)
    places = shuffle_in(places, ran_out)
    deck = (places == IN_DECK) & drawing[:, None]
    is_empty = ~deck.any(axis=1)
    deck[:, 0] |= is_empty
    card = np.where(is_empty, NO_CARD, rolls.pick(deck, name)).astype(np.int8)
    return card, lay_card(places, card, to)


def draw_named(
    places: Places, drawing: BoolArray, targets: BoolArray, rolls: Rolls, name: str
) -> tuple[IntArray, Places]:
    """Draw cards until one of `targets`, `bool[cards]`, turns up: IS-ENE.17. The others are discarded, the one is OUT.

    A deck without one is discarded whole, and reshuffled from the discards. Where there is none either, nothing is
    drawn.

    >>> from balance.chance.rolls.rolls import FixedRolls
    >>> top = FixedRolls({"top": [3, 0, 2, 1]})
    >>> card, places = draw_named(full_deck(1, 4), np.array([True]), np.array([False, True, True, False]), top, "top")
    >>> card.tolist(), places.tolist()
    ([2], [[1, 0, 2, 1]])
    """
    turns_up = rolls.shuffle(places.shape[1], name).argsort(axis=1)
    anew = drawing & ~((places == IN_DECK) & targets).any(axis=1)
    deck = shuffle_in(places, anew) == IN_DECK
    first = np.where(deck & targets, turns_up, len(targets))
    has_target = drawing & (deck & targets).any(axis=1)
    card = np.where(has_target, first.argmin(axis=1), NO_CARD)
    before_target = deck & (turns_up < first.min(axis=1)[:, None])
    after = np.where(before_target, np.int8(DISCARD_PILE), np.where(deck, np.int8(IN_DECK), places))
    return card, lay_card(np.where(has_target[:, None], after, places), card, OUT)


def lay_card(places: Places, card: IntArray, to: int) -> Places:
    """Return where cards are when `card`, `int[n]`, NO_CARD for none, is laid to DISCARD_PILE, OUT or another place."""
    return np.where(np.arange(places.shape[1]) == card[:, None], np.int8(to), places)


def shuffle_in(places: Places, trials: BoolArray) -> Places:
    """Return where cards are when the discards are shuffled into the deck in `trials`, `bool[n]`."""
    return np.where((places == DISCARD_PILE) & trials[:, None], np.int8(IN_DECK), places)
