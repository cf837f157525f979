"""What units lose: figures, then their place on the board, with a banner to the enemy (BL-TRP-04, BL-WIN-02)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import OFF_BOARD
from balance.games.battlelore.adventure.lore.hands import take_tokens
from balance.games.battlelore.adventure.terms.standing import settle
from balance.games.battlelore.adventure.terms.turn import Turn


def lose(
    turn: Turn, rows: IntArray, side: int, unit: IntArray, losses: IntArray, why: str, *, settles: bool = True
) -> BoolArray:
    """Take figures from units of a side, and return which of them that eliminates, `bool[m]`; writes into the state.

    `rows` are trials, each once, with the slot of the `unit` and the `losses`, `int64[m]`, in each; figures that a unit
    does not have are not lost. `why` names the cause, such as "dice". Without `settles` the caller calls `settle`
    itself, when all of one event is done.
    """
    figures = turn.state["figures"][rows, side, unit].astype(np.int64)
    losses = np.minimum(losses, figures)
    hurt = np.flatnonzero(losses)
    if not len(hurt):
        return np.zeros(len(rows), bool)
    turn.state["figures"][rows[hurt], side, unit[hurt]] = (figures - losses)[hurt]
    turn.report("hit", side, rows[hurt], unit=unit[hurt], lost=losses[hurt], why=why)
    is_dead = (losses == figures) & (losses > 0)
    dead = np.flatnonzero(is_dead)
    if len(dead):
        _bury(turn, rows[dead], side, unit[dead])
        if settles:
            settle(turn, rows[dead])
    return np.asarray(is_dead)


def _bury(turn: Turn, rows: IntArray, side: int, unit: IntArray) -> None:
    """Take eliminated units off the board; their enemy gets a banner each, and Lore for a creature (BL-CRE-04)."""
    battle, state, foe = turn.battle, turn.state, 1 - side
    turn.place(rows, side, unit, np.full(len(rows), OFF_BOARD, np.int64))
    if battle.lore:
        state["pool"][rows] += state["stored"][rows, side, unit]
        state["stored"][rows, side, unit] = 0
    turn.report("gone", side, rows, unit=unit)
    state["banners"][rows, foe] += 1
    if turn.watch is not None:
        turn.report("banner", foe, rows, why="unit", banners=np.ones(len(rows), np.int64), unit=unit)
    if battle.lore:
        creature = battle.muster.creature.take(state["kind"][rows, side, unit])
        take_tokens(turn, rows, foe, creature * battle.terms.constants.lore.creature_kill, "kill")
