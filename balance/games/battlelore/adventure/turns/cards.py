"""Command cards: the hand, the card of a turn, drawing and reshuffling (BL-CMD-01, BL-CMD-12, BL-CMD-13)."""

from __future__ import annotations

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.terms.deck import BATTLELORE, COUNTER, SCOUT
from balance.games.battlelore.adventure.terms.drawing import (
    COMMAND_PILE,
    NO_CARD,
    draw,
    draw_one_more,
    reshuffle,
    take_card,
)
from balance.games.battlelore.adventure.terms.turn import Turn


def deal(state: State, rows: IntArray, side: int, n_cards: int) -> None:
    """Deal a hand to one side.

    Parameters
    ----------
    state
        The columns of all trials.
    rows
        Numbers of the trials.
    side
        Who is dealt to, 0 or 1.
    n_cards
        How many cards.
    """
    for _ in range(n_cards):
        take_card(state, rows, side, draw(state, rows))


def play_card(turn: Turn, rows: IntArray) -> tuple[IntArray, IntArray]:
    """Have a side choose a card and lay it down.

    Parameters
    ----------
    turn
        The turn of the side.
    rows
        Numbers of the trials in which its turn begins.

    Returns
    -------
    tuple
        The kind of card laid down, `int64[m]`, NO_CARD where the hand is empty; and the command of the side, that is
        how many cards it holds with that one (BL-CMD-04), `int64[m]`.
    """
    state, side = turn.state, turn.side
    hand = state["hand"][rows, side]
    command = hand.sum(axis=1, dtype=np.int64)
    card = np.full(len(rows), NO_CARD)
    able = np.flatnonzero(command > 0)
    if len(able):
        card[able] = turn.choose_card("card", side, rows[able], hand[able])
    lay_down(turn, rows, card)
    return card, command


def lay_down(turn: Turn, rows: IntArray, card: IntArray) -> None:
    """Lay down the card of a turn; writes into the state.

    Parameters
    ----------
    turn
        The turn of the side.
    rows
        Numbers of the trials.
    card
        The kind of card in each, `int64[m]`, NO_CARD for none.
    """
    state, side, able = turn.state, turn.side, np.flatnonzero(card != NO_CARD)
    state["hand"][rows[able], side, card[able]] -= 1
    effective = _effective(turn, rows, card)
    state["card"][rows] = effective
    state["last_card"][rows, side] = effective
    turn.report("card", side, rows, card=card, effective=effective)


def _effective(turn: Turn, rows: IntArray, card: IntArray) -> IntArray:
    """Return the card that is played: by Counter Attack the mirror image of the enemy's last one, if there is one."""
    deck, last = turn.battle.deck, turn.state["last_card"][rows, 1 - turn.side]
    counters = (card != NO_CARD) & (deck.effect.take(card) == COUNTER) & (last != NO_CARD)
    return np.where(counters, deck.mirror.take(last), card).astype(np.int64)


def end_turn(turn: Turn, rows: IntArray, card: IntArray) -> None:
    """Discard the card that was played, and draw (BL-CMD-12).

    Parameters
    ----------
    turn
        The turn of the side.
    rows
        Numbers of the trials.
    card
        The kind of card laid down in each, NO_CARD for none.
    """
    state, side, deck = turn.state, turn.side, turn.battle.deck
    played = np.flatnonzero(card != NO_CARD)
    state["discard"][rows[played], card[played]] += 1
    rows = rows[(card != NO_CARD) | (state["card"][rows] == NO_CARD)]
    effect = np.where(state["card"][rows] == NO_CARD, -1, deck.effect.take(state["card"][rows]))
    new_card = draw(state, rows)
    scouts = np.flatnonzero((effect == SCOUT) & (new_card != NO_CARD))
    if len(scouts):
        new_card[scouts] = draw_one_more(turn, rows[scouts], new_card[scouts], COMMAND_PILE, "keep")
    take_card(state, rows, side, new_card)
    turn.report("draw", side, rows, card=new_card)
    if len(shuffled := rows[effect == BATTLELORE]):
        reshuffle(state, shuffled)
