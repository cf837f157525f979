"""What the side whose turn it is may do, in many battles at once: candidates, worked out when they are asked for.

The arrays are `[n, K]` for its units, `[n, K, K]` for its units and their targets. "Able" units may act: they are on
the board, not disabled, and have not jumped this turn (WF-ABIL.2, WF-EFF.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from balance.core.board import Words, flood
from balance.core.keyed import Keys, based, words
from balance.core.process import BoolArray, State, n_trials
from balance.games.warforged.attack import DOWN, UP
from balance.games.warforged.battle.terms import Battle
from balance.pmf.arrays import IntArray

__all__ = ["Position", "Ties", "index_of"]

TIE_BITS = 9
TIES = (1 << TIE_BITS) - 1


def index_of(*places: IntArray | int, shape: Sequence[int]) -> IntArray:
    """Return where an entry lies in a table of this shape that is read with `take`; places broadcast.

    >>> index_of(np.array([1]), 2, shape=(3, 4)).tolist()
    [6]
    """
    found: IntArray | int = 0
    for place, length in zip(places, shape, strict=True):
        found = found * length + place
    return np.asarray(found)


class Ties:
    """How ties are broken in one decision of each battle: by luck, from the cells concerned, never by an index."""

    def __init__(self, words: Keys, relative: IntArray) -> None:
        self._words, self._relative = words.astype(np.int64), np.append(relative, 0)  # the last for NOWHERE

    def of(self, what: int, cells: IntArray) -> IntArray:
        """Return how cells `[n, ...]` rank, 0 to 511, all different: `what` is 0 for units, 1 targets, 2 cells."""
        parts = (self._words >> (2 * TIE_BITS * what)).reshape(-1, *[1] * (cells.ndim - 1))
        odd, flip = (parts & TIES) | 1, (parts >> TIE_BITS) & TIES
        return np.asarray(((self._relative[cells] * odd) ^ flip) & TIES)


class Position:
    """The battles in which a side is to decide.

    Parameters
    ----------
    battle, side
        What is fought, and whose turn it is, 0 or 1.
    state
        The battles, `[n, ...]`.
    left
        Actions left this turn, the one to be decided included, `int[n]`.
    """

    def __init__(self, battle: Battle, side: int, state: State, left: IntArray) -> None:
        self.battle, self.side, self.foe, self.state, self.left = battle, side, 1 - side, state, left
        self.n = n_trials(state)

    def at(self, rows: IntArray) -> Position:
        """Return some of the battles."""
        some = {name: values[rows] for name, values in self.state.items()}
        return Position(self.battle, self.side, some, self.left[rows])

    @cached_property
    def ties(self) -> Ties:
        """How ties are broken here."""
        luck = words(based(self.state["luck"], self.state["choices"]), "choice")
        return Ties(luck, self.battle.ground.seats[self.side].relative)

    @cached_property
    def words(self) -> Keys:
        """Luck of this decision, `uint64[n]`, other than that of the ties."""
        return words(based(self.state["luck"], self.state["choices"]), "choice", 1)

    @cached_property
    def kinds(self) -> IntArray:
        """Members of the own units, `int16[n, K]`."""
        return self.state["kind"][:, self.side]

    @cached_property
    def cells(self) -> IntArray:
        """Cells of the own units."""
        return self.state["cell"][:, self.side]

    @cached_property
    def foe_cells(self) -> IntArray:
        """Cells of the enemies."""
        return self.state["cell"][:, self.foe]

    @cached_property
    def able(self) -> BoolArray:
        """Own units that may act."""
        idle = (self.state["emp"][:, self.side] > 0) | self.state["done"][:, self.side]
        return np.asarray((self.cells >= 0) & ~idle)

    @cached_property
    def pairs(self) -> IntArray:
        """Where own units and enemies stand, as places in tables by two cells, `int64[n, K, K]`."""
        size = self.battle.ground.n_cells + 1
        own = (self.cells.astype(np.int64) + 1) * size
        return np.asarray(own[:, :, None] + (self.foe_cells.astype(np.int64) + 1)[:, None, :])

    def weapons(self, slot: int) -> IntArray:
        """Return the weapon of each own unit in a slot, `int64[n, K]`."""
        return self.battle.muster.slots[:, slot].take(self.kinds)

    def attacks(self, slot: int) -> BoolArray:
        """Return which units may attack which enemies with the weapon in a slot (WF-ACT.4), `bool[n, K, K]`."""
        weapons = self.weapons(slot)
        reach = (self.battle.ranges.take(weapons) * self.able)[:, :, None]
        lines = self.battle.ground.seen.take(self.pairs)
        if self.battle.through.any():
            through = self.battle.through.take(weapons)[:, :, None]
            lines = np.where(through, self.battle.ground.through.take(self.pairs), lines)
        found = (lines > 0) & (lines <= reach)
        return found & ~self._blocked(found) if self.battle.terms.units_block else found

    def _blocked(self, wanted: BoolArray) -> BoolArray:
        """Return where some unit stands between (WF-Q16)."""
        found, rows = np.zeros_like(wanted), np.nonzero(wanted)
        lines = self.battle.ground.between.take(self.pairs[rows], axis=1)
        found[rows] = (lines & self.occupied[:, rows[0]]).any(axis=0)
        return found

    def values(self, slot: int) -> IntArray:
        """Return what an Attack action of each unit at each enemy is reckoned to take, `int32[n, K, K]`."""
        covers = self.battle.cover_table.take(self.pairs).astype(np.int64)
        laser = self.battle.laser.take(self.weapons(slot))
        if self.battle.laser.any():
            covers *= ~laser[:, :, None]
        return self._reckoned(slot, covers)

    def open_values(self, slot: int) -> IntArray:
        """Return the same of enemies in the open."""
        return self._reckoned(slot, 0)

    def _reckoned(self, slot: int, covers: IntArray | int) -> IntArray:
        table = self.battle.taken
        kinds = self.state["kind"][:, self.foe]
        weapon = self.weapons(slot)[:, :, None] * table[0].size
        health = self.state["health"][:, self.foe].astype(np.int64)
        target = index_of(self.battle.muster.body.take(kinds), self._soft, 0, health, shape=table.shape[1:])
        values = table.take(weapon + target[:, None, :] + covers * table.shape[-1])
        up = self.state["shield"][:, self.foe] == UP
        return np.where(up[:, None, :], np.minimum(values, 1), values) if up.any() else values

    @cached_property
    def _soft(self) -> IntArray:
        """Armour that burns have left of each enemy, `int64[n, K]`."""
        armour = self.battle.armour.take(self.state["kind"][:, self.foe]).astype(np.int64)
        if not self.battle.muster.burns:
            return armour
        return np.maximum(armour - self.state["burn"][:, self.foe].sum(axis=2), 0)

    @cached_property
    def occupied(self) -> Words:
        """Cells on which somebody stands, `uint16[C, n]`."""
        found = np.zeros((self.battle.ground.grid.columns + 1, self.n), np.uint16)  # the last for NOWHERE
        rows = np.arange(self.n)
        for cells in self.state["cell"].reshape(self.n, -1).T:
            found[cells >> 4, rows] |= np.left_shift(np.uint16(1), (cells & 15).astype(np.uint16))
        return found[:-1]

    @cached_property
    def may_move(self) -> BoolArray:
        """Able units that may still move this turn (WF-ACT.3)."""
        return self.able & (self.state["moves"][:, self.side] < self.battle.terms.max_moves)

    @cached_property
    def may_jump(self) -> BoolArray:
        """Able units that can jump."""
        return self.able & self.battle.jump.take(self.kinds)

    @cached_property
    def may_raise(self) -> BoolArray:
        """Able units whose Supershield may be raised (WF-ABIL.4)."""
        ready = self.state["shield"][:, self.side] == DOWN
        return self.able & self.battle.muster.raises.take(self.kinds) & ready

    @cached_property
    def may_explode(self) -> BoolArray:
        """Able units that may destroy themselves (WF-ABIL.5)."""
        return self.able & self.battle.overload.take(self.kinds)

    def moves(self, rows: IntArray, units: IntArray) -> Words:
        """Return to which cells some units may move (WF-ACT.3, WF-COV.2, WF-ABIL.3), `uint16[C, m]`."""
        ground, kinds = self.battle.ground, self.kinds[rows, units]
        occupied = self.occupied[:, rows]
        begin = _one_cell(self.cells[rows, units], ground.grid.columns)
        free = ~occupied
        passable = np.where(self.battle.slim.take(kinds), np.uint16(0xFFFF), free) & ground.enterable
        found = flood(ground.grid, begin, passable | begin, self.battle.speed.take(kinds))
        return found & free & ground.standing

    def jumps(self, rows: IntArray, units: IntArray) -> Words:
        """Return to which cells some units may jump (WF-ABIL.2), `uint16[C, m]`."""
        speed = self.battle.speed.take(self.kinds[rows, units]).astype(np.int64)
        place = speed * (self.battle.ground.n_cells + 1) + self.cells[rows, units] + 1
        return self.battle.jumps.take(place, axis=1) & ~self.occupied[:, rows]

    def hitting(self, weapons: IntArray, targets: IntArray, *, clear: bool = False) -> Words:
        """Return from which cells weapons hit target cells on this ground, `uint16[C, m]`."""
        table = self.battle.clear_hits if clear else self.battle.hits
        return table.take(weapons * (self.battle.ground.n_cells + 1) + targets + 1, axis=1)

    @cached_property
    def walks(self) -> IntArray:
        """Steps from each cell to the nearest enemy, units aside, `uint8[n, N]`."""
        found = self.battle.ground.walks[self.foe_cells.T + 1]
        return np.asarray(found.min(axis=0))

    @cached_property
    def apart(self) -> IntArray:
        """Steps between own units and enemies over an empty board, `uint8[n, K, K]`."""
        return self.battle.ground.distances.take(self.pairs)

    @cached_property
    def exposure(self) -> IntArray:
        """How many enemies might hit each cell after one move, as far as distance goes, `uint8[n, N]`."""
        threat = self.battle.threat.take(self.state["kind"][:, self.foe])
        found = np.zeros((self.n, self.battle.ground.n_cells), np.uint8)
        for cells, reach in zip(self.foe_cells.T, threat.T, strict=True):
            found += self.battle.ground.distances[cells + 1, 1:] <= reach[:, None]
        return found

    def blast_net(self) -> IntArray:
        """Return what an Overload of each own unit is reckoned to take from the enemies less from the own side.

        In health, `int64[n, K]`; a unit that explodes loses all it has left.
        """
        terms, size = self.battle.terms, self.battle.ground.n_cells + 1
        near = self.battle.ground.near(terms.overload_radius)
        own = (self.cells.astype(np.int64) + 1) * size
        health = self.state["health"].astype(np.int64)
        losses = np.minimum(health, terms.overload)
        net = (near.take(self.pairs) * losses[:, None, self.foe]).sum(axis=2) - health[:, self.side]
        if terms.friendly_fire:
            beside = near.take(own[:, :, None] + (self.cells.astype(np.int64) + 1)[:, None, :])
            beside &= ~np.eye(beside.shape[1], dtype=bool)
            net -= (beside * losses[:, None, self.side]).sum(axis=2)
        return np.asarray(net)


def _one_cell(cells: IntArray, columns: int) -> Words:
    """Return sets of one cell each, `uint16[columns, m]`."""
    found = np.zeros((columns, len(cells)), np.uint16)
    found[cells >> 4, np.arange(len(cells))] = np.left_shift(np.uint16(1), (cells & 15).astype(np.uint16))
    return found
