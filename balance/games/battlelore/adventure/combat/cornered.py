"""Creatures whose retreat is blocked: they trample units in their way, and may die of it (BL-CRE-08, BL-CRE-09)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.battlelore.adventure.combat.clash import Clash
from balance.games.battlelore.adventure.combat.losses import lose
from balance.games.battlelore.adventure.combat.throws import helmets, throw
from balance.games.battlelore.adventure.terms.battle import NOBODY
from balance.games.battlelore.adventure.terms.standing import settle


def trample(clash: Clash, unmet: IntArray) -> BoolArray:
    """Have blocked creatures trample, and return where a unit behind them is gone, `bool[m]`; writes into the state.

    Each unit in its rear hexes (by the other reading of BL-Q32 each next to it, where one is in its rear hexes) loses a
    figure for each hex of `unmet`, `int64[m]`, that the creature cannot travel; of either side, and creatures too.
    """
    battle, state, cells = clash.turn.battle, clash.turn.state, clash.target_cells
    rear = battle.field.rear[clash.on].take(cells + 1, axis=0)
    is_all = battle.terms.rules.trample == "all_adjacent"
    near = battle.field.neighbours.take(cells + 1, axis=0) if is_all else rear
    occupants = battle.occupant_at(state, clash.rows[:, None], near.astype(np.int64))
    barred = np.any(battle.occupant_at(state, clash.rows[:, None], rear.astype(np.int64)), axis=1)
    occupants = occupants * np.asarray(barred)[:, None]
    is_clear, some_fall = np.zeros(len(cells), bool), np.zeros(len(cells), bool)
    for direction in range(near.shape[1]):
        is_behind = (rear == near[:, direction, None]).any(axis=1)
        for side in (0, 1):
            falls = _hurt(clash, side, occupants[:, direction], unmet)
            is_clear |= falls & is_behind
            some_fall |= falls
    settle(clash.turn, clash.rows[some_fall])
    return is_clear


def _hurt(clash: Clash, side: int, occupants: IntArray, losses: IntArray) -> BoolArray:
    """Take figures from those occupants that are of a side, and return where that eliminates a unit, `bool[m]`."""
    slots = clash.turn.battle.slots_of(side, occupants).astype(np.int64)
    at, falls = np.flatnonzero(slots != NOBODY), np.zeros(len(slots), bool)
    falls[at] = lose(clash.turn, clash.rows[at], side, slots[at], losses[at], "trample", settles=False)
    return falls


def check_cornered(clash: Clash, unmet: IntArray) -> None:
    """Roll a die per hex that creatures could not travel, and dice of their colour again: one more kills the creature.

    `unmet`, `int64[m]`, is 1 or more.
    """
    turn, rows = clash.turn, clash.rows
    again = helmets(throw(turn, rows, clash.by, "cornered", unmet), clash.colours)
    faces = throw(turn, rows, clash.by, "cornered critical", again)
    dies = helmets(faces, clash.colours) > 0
    lose(turn, rows, clash.on, clash.target, clash.target_figures * dies, "cornered")
