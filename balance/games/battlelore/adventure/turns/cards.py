"""Command cards: the hand, the card of a turn, drawing and reshuffling (BL-CMD-01, BL-CMD-12, BL-CMD-13)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.battlelore.adventure.terms.deck import BATTLELORE, COUNTER, SCOUT
from balance.games.battlelore.adventure.terms.drawing import (
    COMMAND_PILE,
    NO_CARD,
    draw,
    draw_card,
    shuffle_again,
    take_card,
)
from balance.games.battlelore.adventure.terms.turn import Turn


def deal(turn: Turn, side: int, n_cards: int) -> None:
    """Deal `n_cards` command cards to one side, 0 or 1, in all trials."""
    state, rows = turn.state, np.arange(len(turn.state["luck"]))
    for _ in range(n_cards):
        take_card(state, rows, side, draw(state, rows))
    turn.report("dealt", side, rows, cards=state["hand"][rows, side])


def play_card(turn: Turn, rows: IntArray) -> tuple[IntArray, IntArray]:
    """Have a side lay down a command card; return its kind and the side's command, `int64[m]` each.

    The kind is NO_CARD for an empty hand; command is how many cards the side holds with that one (BL-CMD-04).
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
    """Lay down a card, `int64[m]` by kind, NO_CARD for none; writes into the state."""
    state, side, able = turn.state, turn.side, np.flatnonzero(card != NO_CARD)
    state["hand"][rows[able], side, card[able]] -= 1
    effective = _effective(turn, rows, card)
    state["card"][rows] = effective
    state["last_card"][rows, side] = effective
    turn.report("card", side, rows, card=card, effective=effective, copies=_counters(turn, rows, card))


def _effective(turn: Turn, rows: IntArray, card: IntArray) -> IntArray:
    """Return the card that takes effect: for a Counter Attack the mirror image of the enemy's last one, if any."""
    last = turn.state["last_card"][rows, 1 - turn.side]
    return np.where(_counters(turn, rows, card), turn.battle.deck.mirror.take(last), card).astype(np.int64)


def _counters(turn: Turn, rows: IntArray, card: IntArray) -> BoolArray:
    """Return where the card is a Counter Attack and the enemy has played a card, `bool[m]`."""
    last = turn.state["last_card"][rows, 1 - turn.side]
    return np.asarray((card != NO_CARD) & (turn.battle.deck.effect.take(card) == COUNTER) & (last != NO_CARD))


def end_turn(turn: Turn, rows: IntArray, card: IntArray) -> None:
    """Discard the card that was played, by kind, NO_CARD for none, and draw (BL-CMD-12)."""
    state, side, deck = turn.state, turn.side, turn.battle.deck
    played = np.flatnonzero(card != NO_CARD)
    state["discard"][rows[played], card[played]] += 1
    turn.report("discard", side, rows[played], pile=COMMAND_PILE.deck, card=card[played], why="played")
    rows = rows[(card != NO_CARD) | (state["card"][rows] == NO_CARD)]
    effect = np.where(state["card"][rows] == NO_CARD, -1, deck.effect.take(state["card"][rows]))
    draw_card(turn, rows, side, "turn", twice=effect == SCOUT)
    if len(shuffled := rows[effect == BATTLELORE]):
        shuffle_again(turn, shuffled)
