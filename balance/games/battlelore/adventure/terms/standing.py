"""What follows from who stands where: banners that hexes are worth, strongholds, and who has won (BL-WIN, BL-LMK-12).

`settle` looks at the board after every change of who stands where, when the whole event is done: a unit is eliminated,
or its move, its retreat, its pursuit or its way through the air ends. Who passes a hex on its way does not stand there.
"""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import OFF_BOARD
from balance.games.battlelore.adventure.terms.battle import NOBODY
from balance.games.battlelore.adventure.terms.drawing import draw_card, lose_card
from balance.games.battlelore.adventure.terms.turn import Turn


def settle(turn: Turn, rows: IntArray) -> None:
    """Award the banners of hexes by who stands on them now, and end the battles that are won; writes into the state.

    `rows` are trials, each once; those that are won already stay as they are.
    """
    rows = turn.open_rows(rows)
    _claim_hexes(turn, rows)
    _judge(turn, rows)
    if turn.battle.stronghold_owners:
        rows = turn.open_rows(rows)
        for site, owner in enumerate(turn.battle.stronghold_owners):
            _fall(turn, rows, site, owner)
            _retake(turn, rows, site, owner)


def _claim_hexes(turn: Turn, rows: IntArray) -> None:
    """Award the banners of hexes, and take back those that count only while a unit stands there (BL-WIN-03)."""
    battle, state = turn.battle, turn.state
    for number, blazon in enumerate(battle.adventure.blazons):
        is_there = battle.slots_of(blazon.side, state["occupant"][rows, blazon.cell + 1]) != NOBODY
        before = state["earned"][rows, number]
        after = is_there if blazon.held else before | is_there
        change = blazon.banners * (after.astype(np.int16) - before)
        state["banners"][rows, blazon.side] += change
        state["earned"][rows, number] = after
        if turn.watch is not None and len(at := np.flatnonzero(change)):
            cells = np.full(len(at), blazon.cell)
            turn.report("banner", blazon.side, rows[at], why="hex", banners=change[at], cell=cells)


def _judge(turn: Turn, rows: IntArray) -> None:
    """Write the winner where a side has the banners it needs; if both have, whose turn it is (BL-WIN-04)."""
    side, state = turn.side, turn.state
    has_won = state["banners"][rows] >= state["needed"][rows]
    winner = np.where(has_won[:, side], side + 1, np.where(has_won[:, 1 - side], 2 - side, 0))
    state["winner"][rows] = winner
    if turn.watch is not None:
        for winning in (0, 1):
            if len(won := rows[winner == winning + 1]):
                turn.report("won", winning, won)


# -- strongholds -------------------------------------------------------------------------------------------------------


def _held_by(turn: Turn, rows: IntArray, site: int, side: int) -> BoolArray:
    """Return in which trials a unit of a side stands in a stronghold, `bool[m]`."""
    cells = turn.state["stronghold"][rows, site].astype(np.int64)
    slots = turn.battle.slots_of(side, turn.battle.occupant_at(turn.state, rows, cells))
    return np.asarray((cells != OFF_BOARD) & (slots != NOBODY))


def _fall(turn: Turn, rows: IntArray, site: int, owner: int) -> None:
    """Discard a random command card of owners whose stronghold an enemy has entered, once until it is retaken."""
    state = turn.state
    rows = rows[_held_by(turn, rows, site, 1 - owner) & ~state["fallen"][rows, site]]
    if not len(rows):
        return
    state["fallen"][rows, site] = True
    turn.report("stronghold", owner, rows, cell=state["stronghold"][rows, site], retaken=False)
    rows = rows[state["hand"][rows, owner].any(axis=1)]
    if len(rows):
        lose_card(turn, rows, owner, "stronghold")
        state["lost_card"][rows, site] = True


def _retake(turn: Turn, rows: IntArray, site: int, owner: int) -> None:
    """Have owners who are back in their stronghold draw a card for the one that they lost with it."""
    state = turn.state
    rows = rows[_held_by(turn, rows, site, owner) & state["fallen"][rows, site]]
    if not len(rows):
        return
    state["fallen"][rows, site] = False
    turn.report("stronghold", owner, rows, cell=state["stronghold"][rows, site], retaken=True)
    rows = rows[state["lost_card"][rows, site]]
    if len(rows):
        state["lost_card"][rows, site] = False
        draw_card(turn, rows, owner, "stronghold")
