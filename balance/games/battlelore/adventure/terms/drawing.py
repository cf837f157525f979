"""Piles of cards: drawing from a deck, shuffling its discards into it again (BL-CMD-12), hands, and cards lost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.keyed_rolls import below, words
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.luck import CARDS, LORE_CARDS, moment
from balance.games.battlelore.adventure.terms.turn import Turn

NO_CARD = -1


@dataclass(frozen=True)
class Pile:
    """A deck with its discards, and the hands that it fills.

    Attributes
    ----------
    deck, discard
        The columns of the state that hold them, `int8[n, T]`, cards by kind.
    hand
        The column of both sides' hands, `int8[n, 2, T]`.
    source, name
        The source of luck of a draw, and what it is called there.
    """

    deck: str
    discard: str
    hand: str
    source: int
    name: str


COMMAND_PILE = Pile("deck", "discard", "hand", CARDS, "draw")
LORE_PILE = Pile("lore_deck", "lore_discard", "lore_hand", LORE_CARDS, "lore draw")


def draw(state: State, rows: IntArray, pile: Pile = COMMAND_PILE) -> IntArray:
    """Take one card off a deck in some trials; return its kind, `int64[m]`, or NO_CARD where there is none.

    An empty deck is made of the discards first.

    Parameters
    ----------
    state
        The columns of all trials; the pile and `moments` are written into.
    rows
        Numbers of the trials, each once.
    pile
        The deck with its discards.
    """
    is_empty = ~state[pile.deck][rows].any(axis=1)
    if is_empty.any():
        reshuffle(state, rows[is_empty], pile)
    deck, card = state[pile.deck][rows], np.full(len(rows), NO_CARD)
    able = np.flatnonzero(deck.any(axis=1))
    if len(able):
        card[able] = _pick(state, rows[able], deck[able], pile.source, pile.name)
        state[pile.deck][rows[able], card[able]] -= 1
    return card


def _pick(state: State, rows: IntArray, cards: IntArray, source: int, name: str) -> IntArray:
    """Return the kind of one of the cards of each trial, `int8[m, T]`, each card as likely as any other, `int64[m]`."""
    number = below(words(moment(state, rows, source), name), cards.sum(axis=1, dtype=np.int64))
    return np.asarray((cards.cumsum(axis=1, dtype=np.int64) <= number[:, None]).sum(axis=1))


def draw_one_more(turn: Turn, rows: IntArray, first: IntArray, pile: Pile, name: str) -> IntArray:
    """Draw a second card, have the side keep one of the two and discard the other; return the one it keeps, `int64[m]`.

    Parameters
    ----------
    turn
        The turn of the side.
    rows
        Numbers of the trials, each once.
    first
        The kind of the card drawn first in each, `int64[m]`; NO_CARD where the pile was empty.
    pile
        Where both are from.
    name
        What the decision is called.
    """
    discard, second, kept_card = turn.state[pile.discard], draw(turn.state, rows, pile), first.copy()
    differ = np.flatnonzero((second != NO_CARD) & (second != first))
    if len(differ):
        pair = np.zeros((len(differ), discard.shape[1]), bool)
        for card in (first, second):
            pair[np.arange(len(differ)), card[differ]] = True
        kept_card[differ] = turn.choose_card(name, turn.side, rows[differ], pair)
    both = np.flatnonzero(second != NO_CARD)
    discard[rows[both], (first + second - kept_card)[both]] += 1
    return kept_card


def reshuffle(state: State, rows: IntArray, pile: Pile = COMMAND_PILE) -> None:
    """Put the discards of some trials back into their deck."""
    state[pile.deck][rows] += state[pile.discard][rows]
    state[pile.discard][rows] = 0


# -- hands -------------------------------------------------------------------------------------------------------------


def take_card(state: State, rows: IntArray, side: int, card: IntArray, pile: Pile = COMMAND_PILE) -> None:
    """Put a card into a side's hand.

    Parameters
    ----------
    state
        The columns of all trials; the hand is written into.
    rows
        Numbers of the trials, each once.
    side
        Whose hand.
    card
        The kind of card in each, `int64[m]`; NO_CARD for none.
    pile
        Where it is from.
    """
    is_card = card != NO_CARD
    state[pile.hand][rows[is_card], side, card[is_card]] += 1


def lose_card(state: State, rows: IntArray, side: int, name: str) -> None:
    """Discard a command card of a side by chance.

    Parameters
    ----------
    state
        The columns of all trials; `hand`, `discard` and `moments` are written into.
    rows
        Numbers of the trials, each once; the side has a card in all of them.
    side
        Whose hand.
    name
        What the loss is called, for luck.
    """
    card = _pick(state, rows, state["hand"][rows, side], CARDS, name)
    state["hand"][rows, side, card] -= 1
    state["discard"][rows, card] += 1
