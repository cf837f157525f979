"""What a side sees when it weighs its options: who could attack whom, from where, and what that is reckoned worth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import OFF_BOARD
from balance.chance.rolls.process import State
from balance.game.kit.board.options import places_of
from balance.games.battlelore.adventure.policies.reckoning import Reckoning, reckoning_of
from balance.games.battlelore.adventure.terms.battle import Battle

FAR_AWAY = 40
"""Hexes that count for an enemy who is nowhere."""


@dataclass(frozen=True, eq=False)
class View:
    """The board as one side sees it in m trials; K own units, K enemies.

    `rows` are the numbers of the trials; options refer to trials by their place in it.
    """

    battle: Battle
    state: State
    side: int
    rows: IntArray

    @property
    def reckoning(self) -> Reckoning:
        """Tables of the expected worth of attacks."""
        return reckoning_of(self.battle.muster)

    @cached_property
    def cells(self) -> IntArray:
        """Cells of the own units, `int64[m, K]`."""
        return np.asarray(self.state["cell"][self.rows, self.side].astype(np.int64))

    @cached_property
    def foe_cells(self) -> IntArray:
        """Cells of the enemies, `int64[m, K]`."""
        return np.asarray(self.state["cell"][self.rows, 1 - self.side].astype(np.int64))

    @cached_property
    def kinds(self) -> IntArray:
        """Members of the own units, `int64[m, K]`."""
        return np.asarray(self.state["kind"][self.rows, self.side].astype(np.int64))

    @cached_property
    def foe_kinds(self) -> IntArray:
        """Members of the enemies, `int64[m, K]`."""
        return np.asarray(self.state["kind"][self.rows, 1 - self.side].astype(np.int64))

    @cached_property
    def figures(self) -> IntArray:
        """Figures of the own units, `int64[m, K]`."""
        return np.asarray(self.state["figures"][self.rows, self.side].astype(np.int64))

    @cached_property
    def foe_figures(self) -> IntArray:
        """Figures of the enemies, `int64[m, K]`."""
        return np.asarray(self.state["figures"][self.rows, 1 - self.side].astype(np.int64))

    @cached_property
    def _table(self) -> IntArray:
        """The distances of all pairs of cells, flattened row by row."""
        return np.asarray(self.battle.field.distances.ravel())

    @cached_property
    def _foe_rows(self) -> IntArray:
        """Where the row of each enemy's cell begins in the table of distances, `int64[K, m]`."""
        n = np.int64(self.battle.field.distances.shape[0])
        return np.ascontiguousarray(((self.foe_cells + 1) * n + 1).T)

    @cached_property
    def _own_rows(self) -> IntArray:
        """Where the row of each own unit's cell begins in the table of distances, `int64[K, m]`."""
        n = np.int64(self.battle.field.distances.shape[0])
        return np.ascontiguousarray(((self.cells + 1) * n + 1).T)

    def apart(self, row: IntArray, cell: IntArray, *, own: bool = False) -> IntArray:
        """Return the hexes from each enemy, or own unit if `own`, to cells, `uint8[K, p]`; FAR where it is gone."""
        place = (self._own_rows if own else self._foe_rows).take(row, axis=1)
        place += cell
        return np.asarray(self._table.take(place))

    @cached_property
    def all_apart(self) -> IntArray:
        """Hexes from each enemy to every own unit, in the order of `slots`, `uint8[K, m K]`; FAR where one is gone."""
        row, _ = self.slots
        return self.apart(row, self.cells.ravel())

    @property
    def slots(self) -> tuple[IntArray, IntArray]:
        """Every own unit as an option: the place of its trial in the view, and its slot, `int64[m K]` each."""
        n_slots = self.cells.shape[1]
        row, unit = np.divmod(np.arange(self.cells.size), n_slots)
        return row, unit

    @cached_property
    def nearest(self) -> IntArray:
        """Hexes from each own unit to the nearest enemy, `int64[m, K]`, FAR_AWAY at most."""
        return nearest_enemy(self.all_apart).reshape(self.cells.shape)

    def place(self, row: IntArray, unit: IntArray) -> IntArray:
        """Return the places of units in flattened `cells`, or of enemies in `foe_cells`, `int64[p]`."""
        return np.asarray(row * self.cells.shape[1] + unit)

    def ground_at(self, row: IntArray, cells: IntArray) -> IntArray:
        """Return the codes of the ground of cells, `uint8[p]`; `row` is the place of each one's trial in the view."""
        field, is_fixed = self.battle.field, "ground" not in self.state
        return field.ground.take(cells + 1) if is_fixed else self.battle.ground_at(self.state, self.rows[row], cells)


def prospects(view: View, row: IntArray, unit: IntArray, apart: IntArray) -> IntArray:
    """Return the best attacks of own units this turn, `int64[p]`, if nothing but distance limited them.

    `row` is the place of each option's trial in the view, and `apart` the hexes from each enemy to the unit,
    `uint8[K, p]`.
    """
    battle, muster = view.battle, view.battle.muster
    kind, best = view.kinds.take(view.place(row, unit)), np.zeros(len(row), np.int64)
    shot = muster.range_hexes.take(kind)
    foe, option = places_of(apart <= (muster.battle_move.take(kind) + shot).astype(np.uint8))
    foe_row, distance, by = row.take(option), apart.take(foe * len(row) + option), kind.take(option)
    place = view.place(foe_row, foe)
    foe_ground = view.ground_at(foe_row, view.foe_cells.take(place))
    moves = distance > shot.take(option)
    dice = np.minimum(muster.dice.take(2 * by + moves), battle.field.open_caps.take(foe_ground))
    melee = (distance <= 1) | ~muster.ranged.take(by)
    kinds, figures = (by, view.foe_kinds.take(place)), view.foe_figures.take(place)
    np.maximum.at(best, option, view.reckoning.attack(kinds, dice, melee, figures))
    return best


def attack_worth(
    view: View, row: IntArray, unit: IntArray, cell: IntArray, apart: IntArray | None = None, able: IntArray | int = 1
) -> IntArray:
    """Return the best attack of units from cells, `int64[p]`; lines of sight are not checked.

    `row` is the place of each option's trial in the view, `apart` the hexes from each enemy to the cells,
    `uint8[K, p]`, if they are known already; where `able` is 0 there is none.
    """
    field, muster = view.battle.field, view.battle.muster
    apart = view.apart(row, cell) if apart is None else apart
    own_place = view.place(row, unit)
    kind = view.kinds.take(own_place)
    foe, option = places_of(apart <= (muster.range_hexes.take(kind) * able).astype(np.uint8))
    best = np.zeros(len(row), np.int64)
    if not len(option):
        return best
    foe_row, by, is_moved = row.take(option), kind.take(option), cell != view.cells.take(own_place)
    place = view.place(foe_row, foe)
    ground = view.ground_at(row, cell).take(option).astype(np.int64)
    foe_ground = view.ground_at(foe_row, view.foe_cells.take(place))
    caps = field.caps.take(ground * field.caps.shape[1] + foe_ground)
    dice = np.minimum(muster.dice.take(2 * by + is_moved.take(option)), caps)
    is_beside = apart.take(foe * len(row) + option) == 1
    worth = view.reckoning.attack((by, view.foe_kinds.take(place)), dice, is_beside, view.foe_figures.take(place))
    beside = np.zeros(len(row), bool)
    beside[option[is_beside]] = True
    np.maximum.at(best, option, worth * (is_beside | ~beside.take(option)))
    return best


def friends_beside(view: View, row: IntArray, unit: IntArray, cell: IntArray) -> IntArray:
    """Return how many other own units stand next to cells, `int64[p]`; arguments as for `attack_worth`."""
    is_beside = view.apart(row, cell, own=True) == 1
    is_beside[unit, np.arange(len(row))] = False
    return np.asarray(is_beside.sum(axis=0, dtype=np.uint8), np.int64)


def nearest_enemy(apart: IntArray) -> IntArray:
    """Return hexes to the nearest enemy, `int64[p]`, FAR_AWAY at most, from those to each enemy, `uint8[K, p]`."""
    return np.asarray(np.minimum(apart.min(axis=0), FAR_AWAY).astype(np.int64))


def threats(view: View, row: IntArray, apart: IntArray) -> IntArray:
    """Return how many enemies could attack each option's cell next turn by their reach, `int64[p]`.

    `row` is the place of each option's trial in the view, and `apart` the hexes from each enemy to the cell,
    `uint8[K, p]`.
    """
    muster = view.battle.muster
    reach = muster.battle_move.take(view.foe_kinds) + muster.range_hexes.take(view.foe_kinds)
    reach = np.where(view.foe_cells == OFF_BOARD, 0, reach)
    able = apart <= np.ascontiguousarray(reach.T).take(row, axis=1)
    return np.asarray(able.sum(axis=0, dtype=np.uint8), np.int64)


def own_units(view: View) -> BoolArray:
    """Return which slots hold a unit, `bool[m, K]`."""
    return np.asarray(view.cells != OFF_BOARD)
