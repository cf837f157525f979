"""Strongholds that fall and are retaken (BL-LMK-12), seen to whenever hexes that are worth banners are."""

from __future__ import annotations

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.board import OFF_BOARD
from balance.games.battlelore.adventure.terms.banners import claim_hexes
from balance.games.battlelore.adventure.terms.battle import NOBODY
from balance.games.battlelore.adventure.terms.drawing import draw, lose_card, take_card
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
    cells = turn.state["stronghold"][rows, owner].astype(np.int64)
    slots = turn.battle.slots_of(side, turn.battle.occupant_at(turn.state, rows, cells))
    return np.asarray((cells != OFF_BOARD) & (slots != NOBODY))


def _fall(turn: Turn, rows: IntArray, owner: int) -> None:
    state = turn.state
    rows = rows[_held_by(turn, rows, owner, 1 - owner) & ~state["fallen"][rows, owner]]
    state["fallen"][rows, owner] = True
    rows = rows[state["hand"][rows, owner].any(axis=1)]
    if len(rows):
        lose_card(state, rows, owner, "stronghold")
        state["lost_card"][rows, owner] = True


def _retake(turn: Turn, rows: IntArray, owner: int) -> None:
    state = turn.state
    rows = rows[_held_by(turn, rows, owner, owner) & state["fallen"][rows, owner]]
    state["fallen"][rows, owner] = False
    rows = rows[state["lost_card"][rows, owner]]
    if len(rows):
        state["lost_card"][rows, owner] = False
        take_card(state, rows, owner, draw(state, rows))
