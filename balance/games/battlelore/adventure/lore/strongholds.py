"""Strongholds that fall and are retaken (BL-LMK-12), seen to whenever hexes that are worth banners are."""

from __future__ import annotations

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.board import OFF_BOARD
from balance.chance.rolls.keyed_rolls import below, words
from balance.games.battlelore.adventure.luck import CARDS, moment
from balance.games.battlelore.adventure.terms.banners import claim_hexes
from balance.games.battlelore.adventure.terms.drawing import NO_CARD, draw
from balance.games.battlelore.adventure.terms.turn import Turn


def look(turn: Turn, rows: IntArray) -> None:
    """Give out what hexes are worth by who stands on them now: banners, and command cards of strongholds.

    Parameters
    ----------
    turn
        The turn.
    rows
        Numbers of the trials, each once.
    """
    claim_hexes(turn.battle, turn.state, rows, turn.side)
    if "stronghold" in turn.state:
        for owner in (0, 1):
            _fall(turn, rows, owner)
            _retake(turn, rows, owner)


def _held_by(turn: Turn, rows: IntArray, owner: int, side: int) -> IntArray:
    """Return in which trials a side stands in the stronghold of an owner, `bool[m]`."""
    state, k = turn.state, turn.battle.n_slots
    cells = state["stronghold"][rows, owner].astype(np.int64)
    occupant = state["occupant"][rows, cells + 1]
    return np.asarray((cells != OFF_BOARD) & (occupant > side * k) & (occupant <= (side + 1) * k))


def _fall(turn: Turn, rows: IntArray, owner: int) -> None:
    state = turn.state
    rows = rows[_held_by(turn, rows, owner, 1 - owner) & ~state["fallen"][rows, owner]]
    state["fallen"][rows, owner] = True
    rows = rows[state["hand"][rows, owner].any(axis=1)]
    if len(rows):
        hand = state["hand"][rows, owner]
        number = below(words(moment(state, rows, CARDS), "stronghold"), hand.sum(axis=1, dtype=np.int64))
        card = (hand.cumsum(axis=1, dtype=np.int64) <= number[:, None]).sum(axis=1)
        state["hand"][rows, owner, card] -= 1
        state["discard"][rows, card] += 1
        state["lost_card"][rows, owner] = True


def _retake(turn: Turn, rows: IntArray, owner: int) -> None:
    state = turn.state
    rows = rows[_held_by(turn, rows, owner, owner) & state["fallen"][rows, owner]]
    state["fallen"][rows, owner] = False
    rows = rows[state["lost_card"][rows, owner]]
    if len(rows):
        state["lost_card"][rows, owner] = False
        card = draw(state, rows)
        able = np.flatnonzero(card != NO_CARD)
        state["hand"][rows[able], owner, card[able]] += 1
