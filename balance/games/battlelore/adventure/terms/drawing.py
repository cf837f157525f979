"""Piles of cards: drawing from a deck, shuffling its discards into it again (BL-CMD-12), hands, and cards lost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.luck import CARDS, LORE_CARDS, moment
from balance.games.battlelore.adventure.terms.turn import Turn

NO_CARD = -1


@dataclass(frozen=True)
class Pile:
    """A deck with its discards, and the hands that it fills.

    `deck` and `discard`: the columns of the state that hold them, `int8[n, T]`, cards by kind. `hand`: the column of
    both sides' hands, `int8[n, 2, T]`. `source` and `name`: the source of luck of a draw, and its name there.
    """

    deck: str
    discard: str
    hand: str
    source: int
    name: str


COMMAND_PILE = Pile("deck", "discard", "hand", CARDS, "draw")
LORE_PILE = Pile("lore_deck", "lore_discard", "lore_hand", LORE_CARDS, "lore draw")


def draw(state: State, rows: IntArray, pile: Pile = COMMAND_PILE) -> IntArray:
    """Take one card off a deck in trials, each once; return its kind, `int64[m]`, or NO_CARD where there is none.

    An empty deck is made of the discards first; the pile and `moments` of the state are written into.
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
    """Return the kind of a uniformly random card of those in each trial, `int8[m, T]` by kind; `int64[m]`."""
    number = moment(state, rows, source).uniform(cards.sum(axis=1, dtype=np.int64), name)
    return np.asarray((cards.cumsum(axis=1, dtype=np.int64) <= number[:, None]).sum(axis=1))


def draw_card(
    turn: Turn,
    rows: IntArray,
    side: int,
    why: str,
    pile: Pile = COMMAND_PILE,
    *,
    twice: BoolArray | None = None,
    choice: str = "keep",
) -> None:
    """Have a side draw a card into its hand, or two, of which it keeps one and discards the other.

    `rows` are trials, each once; `twice`, `bool[m]`, has those that draw two, none if not given. `why` is the reason
    reported, such as "turn", and `choice` the name of the decision which one to keep.
    """
    first = _drawn(turn, rows, pile)
    again = np.zeros(len(rows), bool) if twice is None else twice & (first != NO_CARD)
    if not again.all():
        once = np.flatnonzero(~again)
        take_card(turn.state, rows[once], side, first[once], pile)
        turn.report("draw", side, rows[once], pile=pile.deck, card=first[once], why=why)
    if len(pairs := np.flatnonzero(again)):
        _keep_one(turn, rows[pairs], side, first[pairs], why, pile, choice)


def _drawn(turn: Turn, rows: IntArray, pile: Pile) -> IntArray:
    """Take a card off a deck as `draw` does, and report a reshuffle to the watch."""
    if turn.watch is not None:
        is_empty = ~turn.state[pile.deck][rows].any(axis=1) & turn.state[pile.discard][rows].any(axis=1)
        if is_empty.any():
            shuffle_again(turn, rows[is_empty], pile)
    return draw(turn.state, rows, pile)


def _keep_one(turn: Turn, rows: IntArray, side: int, first: IntArray, why: str, pile: Pile, choice: str) -> None:
    """Have a side draw a second card, keep one of the two, and discard the other."""
    turn.report("draw", side, rows, pile=pile.deck, card=first, why=why)
    discard, second, kept_card = turn.state[pile.discard], _drawn(turn, rows, pile), first.copy()
    turn.report("draw", side, rows, pile=pile.deck, card=second, why=why)
    differ = np.flatnonzero((second != NO_CARD) & (second != first))
    if len(differ):
        pair = np.zeros((len(differ), discard.shape[1]), bool)
        for card in (first, second):
            pair[np.arange(len(differ)), card[differ]] = True
        kept_card[differ] = turn.choose_card(choice, side, rows[differ], pair)
    take_card(turn.state, rows, side, kept_card, pile)
    turn.report("keep", side, rows, pile=pile.deck, card=kept_card)
    both = np.flatnonzero(second != NO_CARD)
    other_card = (first + second - kept_card)[both]
    discard[rows[both], other_card] += 1
    turn.report("discard", side, rows[both], pile=pile.deck, card=other_card, why=why)


def shuffle_again(turn: Turn, rows: IntArray, pile: Pile = COMMAND_PILE) -> None:
    """Put the discards of some trials back into their deck, and report it."""
    reshuffle(turn.state, rows, pile)
    turn.report("reshuffle", turn.side, rows, pile=pile.deck)


def reshuffle(state: State, rows: IntArray, pile: Pile = COMMAND_PILE) -> None:
    """Put the discards of some trials back into their deck."""
    state[pile.deck][rows] += state[pile.discard][rows]
    state[pile.discard][rows] = 0


# -- hands -------------------------------------------------------------------------------------------------------------


def take_card(state: State, rows: IntArray, side: int, card: IntArray, pile: Pile = COMMAND_PILE) -> None:
    """Put a card, `int64[m]` by kind, into a side's hand in trials, each once; NO_CARD changes nothing."""
    is_card = card != NO_CARD
    state[pile.hand][rows[is_card], side, card[is_card]] += 1


def lose_card(turn: Turn, rows: IntArray, side: int, name: str) -> None:
    """Discard a random command card of a side, which has one in all of `rows`, each once.

    `name` is the name of the loss for luck and for the watch.
    """
    state = turn.state
    card = _pick(state, rows, state["hand"][rows, side], CARDS, name)
    state["hand"][rows, side, card] -= 1
    state["discard"][rows, card] += 1
    turn.report("discard", side, rows, pile=COMMAND_PILE.deck, card=card, why=name)
