"""Lore cards and tokens: the deck, hands, and what the end of a turn brings (BL-LORE-20 to 22, BL-WC-03 to 06).

Columns are written into the state that functions are given; `rows` are the trials concerned, each once.
"""

from __future__ import annotations

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.keyed_rolls import words
from balance.chance.rolls.process import State
from balance.game.kit.board.options import places_of
from balance.games.battlelore.adventure.luck import LORE_CARDS, moment
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.terms.drawing import LORE_PILE, NO_CARD, draw, draw_card
from balance.games.battlelore.adventure.terms.lore_deck import NO_LORE_CARD
from balance.games.battlelore.adventure.terms.turn import Turn

DEALT = 4
"""Lore cards that a side sees before it chooses those it begins with (BL-WC-06)."""
TWO_CARDS, CARD_AND_TOKEN, TWO_TOKENS = range(3)
"""What a side may take at the end of its turn (BL-LORE-20)."""
BY_ARRIVAL, AND_BY_A_CARD = 1, 2
"""How a unit is ordered that a card has put somewhere else: by that alone, or by the card of the turn too."""
OF_A_TURN = {"lore_played": -1, "lore_card": -1, "lore_unit": -1, "lore_value": 0, "lore_paid": 0, "lore_kept": -1}
"""Columns of what each side has played in a turn, and what they begin with."""


def lore_columns(battle: Battle, n: int, first: int) -> State:
    """Return the columns of the Lore system for n trials, before cards are dealt; `first` takes its tokens first."""
    deck, forces = battle.lore_deck, battle.adventure.forces
    given = [int(deck.first_tokens[side]) if f.tokens is None else f.tokens for side, f in enumerate(forces)]
    pool, tokens = battle.terms.constants.lore.tokens, [0, 0]
    for side in (first, 1 - first):
        tokens[side] = min(given[side], pool)
        pool -= tokens[side]
    return {
        "tokens": np.tile(np.array(tokens, np.int16), (n, 1)),
        "pool": np.full(n, pool, np.int16),
        "lore_hand": np.zeros((n, 2, deck.n_types), np.int8),
        "lore_deck": np.zeros((n, deck.n_types), np.int8),
        "lore_discard": np.zeros((n, deck.n_types), np.int8),
        "speed": np.zeros((n, battle.n_slots), np.int8),
        "freed": np.zeros((n, battle.n_slots), bool),
        "arrived": np.zeros((n, battle.n_slots), np.int8),
        **{name: np.full((n, 2), value, np.int16) for name, value in OF_A_TURN.items()},
    }


def deal_lore(turn: Turn) -> None:
    """Build the Lore deck and deal both sides their first cards, `turn.side` first (BL-WC-05, BL-WC-06)."""
    battle, state = turn.battle, turn.state
    rows = np.arange(len(state["pool"]))
    _build(battle, state, rows)
    turn.report("lore_deck", turn.side, rows, cards=state["lore_deck"])
    order, dealt = (turn.side, 1 - turn.side), np.zeros_like(state["lore_hand"])
    for side in order:
        for _ in range(DEALT if battle.lore_deck.top[side] else 0):
            card = draw(state, rows, LORE_PILE)
            able = np.flatnonzero(card != NO_CARD)
            dealt[rows[able], side, card[able]] += 1
        turn.report("lore_dealt", side, rows, cards=dealt[:, side])
    for side in order:
        _keep_first(turn, side, rows, dealt[:, side])
        state["lore_deck"] += dealt[:, side]
        turn.report("lore_kept", side, rows, cards=state["lore_hand"][:, side])


def _build(battle: Battle, state: State, rows: IntArray) -> None:
    """Draw the cards of each class for the Lore deck: those copies whose words of luck are highest."""
    deck = battle.lore_deck
    row_of, place = deck.copies
    if not len(row_of):
        return
    word = words(moment(state, rows, LORE_CARDS).base[:, None], "lore deck", place)
    for master, n_cards in enumerate(deck.cards_of_class):
        copies = np.flatnonzero(deck.master[row_of] == master)
        rank = np.argsort(np.argsort(~word[:, copies], axis=1), axis=1)
        trial, copy = places_of(rank < n_cards)
        np.add.at(state["lore_deck"], (rows[trial], row_of[copies[copy]]), 1)


def _keep_first(turn: Turn, side: int, rows: IntArray, dealt: IntArray) -> None:
    """Have a side choose its first cards; takes them out of what it was dealt, `int8[n, L]`."""
    for n_kept in range(int(turn.battle.lore_deck.first_cards[side])):
        n_left = dealt.sum(axis=1, dtype=np.int64)
        n_open = int(turn.battle.lore_deck.first_cards[side]) - n_kept
        all_of_them = np.flatnonzero((n_left > 0) & (n_left <= n_open))
        turn.state["lore_hand"][rows[all_of_them], side] += dealt[all_of_them]
        dealt[all_of_them] = 0
        at = np.flatnonzero(n_left > n_open)
        if len(at):
            card = turn.choose_card("lore_start", side, rows[at], dealt[at])
            turn.state["lore_hand"][rows[at], side, card] += 1
            dealt[at, card] -= 1


# -- the end of a turn -------------------------------------------------------------------------------------------------


def begin_lore(state: State, rows: IntArray) -> None:
    """Reset the columns of what both sides played in the turn before."""
    for name, value in OF_A_TURN.items():
        state[name][rows] = value
    state["speed"][rows], state["freed"][rows], state["arrived"][rows] = 0, False, 0


def clear_table(turn: Turn, rows: IntArray) -> None:
    """Discard what both sides have played in a turn, and put what they paid into the pool (BL-LORE-07)."""
    lies = (turn.state["lore_played"][rows] != NO_LORE_CARD).any(axis=1)
    for side in (turn.side, 1 - turn.side):
        _clear(turn.state, rows, side)
    turn.report("table_cleared", turn.side, rows[lies])


def _clear(state: State, rows: IntArray, side: int) -> None:
    """Discard what a side has played, or the card paid to keep it, and return its payment to the pool."""
    played_card, kept_card = state["lore_played"][rows, side], state["lore_kept"][rows, side]
    spent_card = np.where(kept_card != NO_LORE_CARD, kept_card, played_card)
    able = np.flatnonzero(spent_card != NO_LORE_CARD)
    state["lore_discard"][rows[able], spent_card[able]] += 1
    returns = np.flatnonzero(kept_card != NO_LORE_CARD)
    state["lore_hand"][rows[returns], side, played_card[returns]] += 1
    state["pool"][rows] += state["lore_paid"][rows, side]
    for name, value in OF_A_TURN.items():
        state[name][rows, side] = value


def take_tokens(turn: Turn, rows: IntArray, side: int, tokens: IntArray, why: str) -> None:
    """Put Lore `tokens`, `int[m]`, into a side's chalice, as far as the pool has them (BL-LORE-03).

    `rows` are trials, each once; `why` is the reason reported, such as "faces".
    """
    state = turn.state
    gained = np.minimum(tokens, state["pool"][rows]).astype(np.int16)
    state["tokens"][rows, side] += gained
    state["pool"][rows] -= gained
    if turn.watch is not None and len(at := np.flatnonzero(gained)):
        turn.report("tokens", side, rows[at], change=gained[at], why=why)


def refill(turn: Turn, rows: IntArray) -> None:
    """Have the side take two cards, a card and a token, or two tokens, declared before it sees any (BL-LORE-20)."""
    side = turn.side
    option = np.full(len(rows), TWO_TOKENS)
    if turn.battle.lore_deck.most_cards[side]:
        row, place = np.divmod(np.arange(3 * len(rows)), 3)
        option = place[turn.choose("refill", side, rows, row, place, option=place)]
    turn.report("refill", side, rows, option=option)
    two_cards = rows[option == TWO_CARDS]
    if len(two_cards):
        draw_card(turn, two_cards, side, "refill", LORE_PILE, twice=np.ones(len(two_cards), bool), choice="lore_keep")
    card_and_token = rows[option == CARD_AND_TOKEN]
    if len(card_and_token):
        draw_card(turn, card_and_token, side, "refill", LORE_PILE)
    take_tokens(turn, rows, side, np.array([0, 1, 2])[option], "refill")
    _drop(turn, rows)


def _drop(turn: Turn, rows: IntArray) -> None:
    """Have the side discard cards beyond its limit (BL-LORE-21)."""
    state, side = turn.state, turn.side
    while True:
        hand = state["lore_hand"][rows, side]
        rows = rows[hand.sum(axis=1, dtype=np.int64) > turn.battle.lore_deck.most_cards[side]]
        if not len(rows):
            return
        card = turn.choose_card("lore_drop", side, rows, state["lore_hand"][rows, side])
        state["lore_hand"][rows, side, card] -= 1
        state["lore_discard"][rows, card] += 1
        turn.report("discard", side, rows, pile=LORE_PILE.deck, card=card, why="limit")
