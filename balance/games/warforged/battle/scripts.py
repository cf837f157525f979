"""Scripts: policies that score what the engine lists, by parameters that say what they care about.

Scores are whole numbers. Of equal candidates luck chooses, by the cells concerned and never by an index, so that
neither the order of an army nor the seat hides a policy of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from balance.core.board import bits_of
from balance.core.process import BoolArray
from balance.games.warforged.battle.actions import ATTACK, EXPLODE, JUMP, MOVE, RAISE, Action
from balance.games.warforged.battle.muster import REFINEMENT
from balance.games.warforged.battle.position import Position
from balance.pmf.arrays import IntArray

__all__ = ["SCRIPTS", "Script"]

TIE = 9
"""Bits that a tie takes."""
NEVER = np.int64(-1)


@dataclass(frozen=True)
class Script:
    """A way of playing.

    Attributes
    ----------
    aim
        "damage": the attack that takes most health. "focus": that which takes the largest share of what its target
        has left, weighed by what the target costs.
    advance
        Whether units walk up to the enemy when nobody can attack.
    evade
        Whether units keep out of the enemy's reach: they attack from where fewest can answer, and step back.
    """

    aim: Literal["damage", "focus"] = "damage"
    advance: bool = True
    evade: bool = False

    def begin(self, position: Position) -> Script:
        """Return that it plays the turn itself."""
        return self

    def decide(self, position: Position) -> Action:
        """Return the first that applies: raise a shield, explode, attack, move to attack, step back, approach."""
        action, rows = Action.none(position.n), np.arange(position.n)
        for choose in (self._raise, self._strike, self._move_to_hit, self._step_back, self._approach, self._jump):
            if not len(rows):
                break
            here = position if len(rows) == position.n else position.at(rows)
            rows = rows[~choose(here, action, rows)]
        return action

    def again(self, position: Position, unit: IntArray, slot: IntArray) -> IntArray:
        """Return the target that the same weapon would best attack now, -1 where there is none."""
        every = np.arange(position.n)
        best = np.full((position.n, position.foe_cells.shape[1]), NEVER)
        for number in range(position.battle.muster.n_slots):
            chosen = slot == number
            if chosen.any():
                mine = self._scored(position, number, position.attacks(number))[every, unit]
                best = np.where(chosen[:, None], mine, best)
        key = np.where(best > 0, best << TIE | position.ties.of(1, position.foe_cells), NEVER)
        return np.where(best.max(axis=1) > 0, key.argmax(axis=1), -1)

    def _scored(self, position: Position, slot: int, legal: BoolArray, *, covered: bool = True) -> IntArray:
        """Return how much each attack is wanted, `int64[n, K, K]`, 0 where it cannot be made."""
        values = position.values(slot) if covered else position.open_values(slot)
        return np.where(legal, self._weighed(position, values), 0).astype(np.int64)

    def _weighed(self, position: Position, values: IntArray) -> IntArray:
        if self.aim == "damage":
            return values
        worth = position.battle.worth.take(position.state["kind"][:, position.foe])[:, None, :]
        health = np.maximum(position.state["health"][:, position.foe], 1)[:, None, :]
        return values * worth // health + (values > 0)

    def _raise(self, position: Position, action: Action, rows: IntArray) -> BoolArray:
        wanting = position.may_raise
        found = wanting.any(axis=1)
        if found.any():
            unit = np.where(wanting, position.ties.of(0, position.cells), NEVER).argmax(axis=1)
            action.put(rows[found], RAISE, unit[found])
        return np.asarray(found)

    def _strike(self, position: Position, action: Action, rows: IntArray) -> BoolArray:
        """Attack as this script likes best, or explode where that takes more."""
        tables = [self._scored(position, slot, position.attacks(slot)) for slot in position.battle.slots]
        unit, slot, target, best = _best_pair(position, tables)
        found = best > 0
        action.put(rows[found], ATTACK, unit[found], slot=slot[found], target=target[found])
        if position.battle.overload.any() and position.may_explode.any():
            net = np.where(position.may_explode, position.blast_net() * REFINEMENT, 0)
            explodes = net.max(axis=1) > np.maximum(self._in_health(position, tables), 0)
            who = np.where(net > 0, net << TIE | position.ties.of(0, position.cells), NEVER).argmax(axis=1)
            action.put(rows[explodes], EXPLODE, who[explodes])
            action.slot[rows[explodes]] = action.target[rows[explodes]] = -1
            found = found | explodes
        return np.asarray(found)

    def _in_health(self, position: Position, tables: list[IntArray]) -> IntArray:
        """Return the most health that an attack takes."""
        if self.aim != "damage":
            tables = [
                np.where(position.attacks(slot), position.values(slot), 0).astype(np.int64)
                for slot in position.battle.slots
            ]
        return np.max([table.reshape(position.n, -1).max(axis=1) for table in tables], axis=0)

    def _move_to_hit(self, position: Position, action: Action, rows: IntArray) -> BoolArray:
        """Move to where a unit can attack with the next action."""
        found = np.zeros(position.n, bool)
        near = (
            position.may_move[:, :, None] & (position.foe_cells >= 0)[:, None, :] & (position.left > 1)[:, None, None]
        )
        near = near & (position.apart <= position.battle.threat.take(position.kinds)[:, :, None])
        mover = np.nonzero(near.any(axis=2))
        if not len(mover[0]):
            return found
        number = np.full(position.cells.shape, -1)
        number[mover] = np.arange(len(mover[0]))
        words = position.moves(*mover)
        tables = []
        for slot in position.battle.slots:
            at = np.nonzero(near)
            weapons = position.weapons(slot)[at[0], at[1]]
            meets = (words[:, number[at[0], at[1]]] & position.hitting(weapons, position.foe_cells[at[0], at[2]])).any(
                axis=0
            )
            legal = np.zeros(near.shape, bool)
            legal[at] = meets
            tables.append(self._scored(position, slot, legal, covered=False))
        unit, slot, target, best = _best_pair(position, tables)
        found = best > 0
        which = np.flatnonzero(found)
        if len(which):
            unit, slot, target = unit[which], slot[which], target[which]
            there = position.at(which)
            weapon = position.battle.muster.slots[there.kinds[np.arange(len(which)), unit], slot]
            aim = there.foe_cells[np.arange(len(which)), target]
            can = words[:, number[which, unit]] & there.hitting(weapon, aim)
            score = bits_of(there.hitting(weapon, aim, clear=True)).astype(np.int64)
            if self.evade:
                score -= 4 * there.exposure.astype(np.int64)
            cell = _best_cell(there, bits_of(can), score)
            action.put(rows[which], MOVE, unit, cell=cell)
        return found

    def _step_back(self, position: Position, action: Action, rows: IntArray) -> BoolArray:
        """Move or jump the unit that thereby escapes most enemies."""
        if not self.evade:
            return np.zeros(position.n, bool)
        return self._go(position, action, rows, position.exposure, MOVE) | self._go_on(
            position, action, rows, position.exposure
        )

    def _go_on(self, position: Position, action: Action, rows: IntArray, field: IntArray) -> BoolArray:
        open_ = np.flatnonzero(action.what[rows] == 0)
        found = np.zeros(position.n, bool)
        if len(open_):
            found[open_] = self._go(position.at(open_), action, rows[open_], field[open_], JUMP)
        return found

    def _approach(self, position: Position, action: Action, rows: IntArray) -> BoolArray:
        """Move the unit that thereby comes nearest to the enemy."""
        if not self.advance:
            return np.zeros(position.n, bool)
        return self._go(position, action, rows, position.walks, MOVE)

    def _jump(self, position: Position, action: Action, rows: IntArray) -> BoolArray:
        """Jump on with a unit that has made its moves."""
        if not self.advance:
            return np.zeros(position.n, bool)
        return self._go(position, action, rows, position.walks, JUMP)

    def _go(self, position: Position, action: Action, rows: IntArray, field: IntArray, what: int) -> BoolArray:
        """Have the unit go that gains most, down a field of numbers `uint8[n, N]`, by a move or a jump."""
        if what == MOVE:
            may, reach = position.may_move, position.moves
        else:
            moved = position.state["moves"][:, position.side] >= position.battle.terms.max_moves
            may, reach = position.may_jump & (moved | self.evade), position.jumps
        own = field[np.arange(position.n)[:, None], position.cells]
        mover = np.nonzero(may & (own > 0))
        if not len(mover[0]):
            return np.zeros(position.n, bool)
        cells = bits_of(reach(*mover))
        least = np.where(cells, field[mover[0]], np.uint8(255)).min(axis=1)
        gain = np.zeros(position.cells.shape, np.int64)
        gain[mover] = np.maximum(own[mover].astype(np.int64) - least, 0)
        number = np.zeros(position.cells.shape, np.int64)
        number[mover] = np.arange(len(mover[0]))
        best = gain.max(axis=1)
        unit = np.where(gain > 0, gain << TIE | position.ties.of(0, position.cells), NEVER).argmax(axis=1)
        which = np.flatnonzero(best > 0)
        if len(which):
            there = position.at(which)
            cell = _best_cell(there, cells[number[which, unit[which]]], -field[which].astype(np.int64))
            action.put(rows[which], what, unit[which], cell=cell)
        return np.asarray(best > 0)


def _best_pair(position: Position, tables: list[IntArray]) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return unit, weapon slot, target and score of the best of attacks scored `int64[n, K, K]` by slot."""
    ties = position.ties
    tie = ties.of(0, position.cells)[:, :, None] << TIE | ties.of(1, position.foe_cells)[:, None, :]
    every, k = np.arange(position.n), position.foe_cells.shape[1]
    keys = [np.where(table > 0, table << 2 * TIE | tie, NEVER).reshape(position.n, -1) for table in tables]
    places = [key.argmax(axis=1) for key in keys]
    tops = np.array([key[every, place] for key, place in zip(keys, places, strict=True)])
    slot = tops.argmax(axis=0)
    place = np.array(places)[slot, every]
    top = tops[slot, every]
    return place // k, slot, place % k, np.where(top < 0, 0, top >> 2 * TIE)


def _best_cell(position: Position, cells: BoolArray, score: IntArray) -> IntArray:
    """Return the cell of the highest score among `bool[n, N]`."""
    every = np.broadcast_to(np.arange(cells.shape[1]), cells.shape)
    keys = score << TIE | position.ties.of(2, every)
    return np.where(cells, keys, np.iinfo(np.int64).min).argmax(axis=1)


SCRIPTS = {
    "greedy": Script(),
    "focus": Script(aim="focus"),
    "kite": Script(evade=True),
    "hold": Script(advance=False),
    "kite_hold": Script(advance=False, evade=True),
}
"""Name of a policy -> the script."""
