"""What the side whose turn it is may do, in many battles at once: candidates, worked out when they are asked for.

The arrays are `[n, K]` for its units, `[n, K, K]` for its units and their targets. "Able" units may act: they are on
the board, not disabled, and have not jumped this turn (WF-ABIL.2, WF-EFF.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.base.arrays import Array, BoolArray, IntArray
from balance.chance.rolls.board import COLUMN_CELLS, OFF_BOARD, Words, flood, single_cells, words_of
from balance.chance.rolls.keyed_rolls import Keys, base_words, key_of, words
from balance.chance.rolls.process import State
from balance.game.kit.board.options import places_of
from balance.games.warforged.attack import DOWN, UP
from balance.games.warforged.battle.luck import CHOICES
from balance.games.warforged.battle.turns.terms import Battle

TIE_BITS = 9
"""Bits that a tie takes."""
TIES = (1 << TIE_BITS) - 1


def burnt(tokens: IntArray) -> IntArray:
    """Return the armour points that Burned tokens `[..., B]` take away, `int64[...]`."""
    sums = np.zeros(tokens.shape[:-1], np.int64)
    for age in range(tokens.shape[-1]):
        sums += tokens[..., age]
    return sums


def run_starts(values: IntArray) -> IntArray:
    """Return the places where values differ from those before them, the first one included.

    >>> run_starts(np.array([3, 3, 5])).tolist()
    [0, 2]
    """
    first = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=first[1:])
    return first.nonzero()[0]


def best_of(n: int, row: IntArray, key: IntArray) -> tuple[IntArray, IntArray]:
    """Return the rows that have an entry, and the place of the entry with the highest key of each.

    `row`, `int[p]`, rises; no two entries of a row have the same key.

    >>> best_of(4, np.array([0, 2, 2]), np.array([5, 7, 8]))
    (array([0, 2]), array([0, 2]))
    """
    if not len(row):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    begin = run_starts(row)
    bits = len(row).bit_length()
    best = np.maximum.reduceat((key << bits) | np.arange(len(row)), begin)
    return row[begin], best & ((1 << bits) - 1)


class Ties:
    """How ties are broken in one decision of each battle: at random, from the cells concerned, never by an index."""

    def __init__(self, words: Keys, relative: IntArray) -> None:
        self._words, self._relative = words.view(np.int64), relative

    def of(self, purpose: int, row: IntArray, cells: IntArray) -> IntArray:
        """Return how cells of some battles, `int[p]`, rank, `int64[p]`, 0 to 511 and all different in a battle.

        The purpose is 0 for cells of own units, 1 for those of targets, 2 for those one may go to.
        """
        parts = self._words >> (2 * TIE_BITS * purpose)
        odd, flip = (parts & TIES) | 1, (parts >> TIE_BITS) & TIES
        return np.asarray(((self._relative.take(cells) * odd.take(row)) ^ flip.take(row)) & TIES)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Own units with enemies, `int64[p]` each: battle (rising), place of the unit, and of the enemy."""

    FIELDS = ("row", "unit", "target")
    row: IntArray
    unit: IntArray
    target: IntArray

    def subset(self, rows: IntArray | BoolArray) -> Pairs:
        """Return the pairs at some indices, or where a mask is set, in the same order."""
        return Pairs(self.row[rows], self.unit[rows], self.target[rows])


class Position:
    """The battles, `rows` of a state `[m, ...]` or all, in which a side is to decide.

    `remaining_actions`, `int[m]`, are those left this turn, the one to be decided included.
    """

    def __init__(
        self, battle: Battle, side: int, state: State, remaining_actions: IntArray, rows: IntArray | None = None
    ) -> None:
        self.battle, self.side = battle, side
        self.foe = 1 - side if battle.table is None else np.flatnonzero(battle.hostile(state)[side])
        self._aim: BoolArray | None = None
        self.state, self._remaining_actions, self._rows = state, remaining_actions, rows
        self._columns = State()
        self.n = len(remaining_actions) if rows is None else len(rows)

    def at(self, rows: IntArray) -> Position:
        """Return the position in some of its battles, over the same state."""
        places = rows if self._rows is None else self._rows[rows]
        return Position(self.battle, self.side, self.state, self._remaining_actions, places)

    def against(self, aim: str) -> Position:
        """Return the position as if only the "leader" or the "weakest" among several enemies were there; equals all."""
        position = Position(self.battle, self.side, self.state, self._remaining_actions, self._rows)
        if self.battle.table is not None:
            health = self.column("health")[:, self.foe].sum(axis=2, dtype=np.int64)
            lead = self.column("victory")[:, self.foe] * np.int64(1 << 24) + health
            is_there = (self.column("cell")[:, self.foe] >= 0).any(axis=2)
            worth = np.where(is_there, lead if aim == "leader" else -health, np.iinfo(np.int64).min)
            is_aim = is_there & (worth == worth.max(axis=1, keepdims=True))
            position._aim = np.repeat(is_aim, self.cells.shape[1], axis=1)
        return position

    def column(self, name: str) -> Array:
        """Return a column of the state in these battles, `[n, ...]`; the state's own array if these are all."""
        if self._rows is None:
            return self.state[name]
        if name not in self._columns:
            self._columns[name] = self.state[name].take(self._rows, axis=0)
        return self._columns[name]

    def write(self, name: str, values: Array) -> None:
        """Write `[n, ...]` into a column of the state that belongs to the player; battles never written to have 0."""
        column = self.state.setdefault(name, np.zeros((len(self._remaining_actions), *values.shape[1:]), values.dtype))
        column[slice(None) if self._rows is None else self._rows] = values

    @property
    def allies(self) -> tuple[int, ...]:
        """The other sides that are no enemies."""
        friends = np.flatnonzero(~self.battle.hostile(self.state)[self.side])
        return tuple(side for side in friends.tolist() if side != self.side)

    @property
    def rows(self) -> IntArray:
        """Places of these battles in the state, `int64[n]`."""
        return np.arange(self.n) if self._rows is None else self._rows

    @property
    def remaining_actions(self) -> IntArray:
        """Actions left this turn, `int[n]`."""
        return self._remaining_actions if self._rows is None else self._remaining_actions[self._rows]

    @cached_property
    def _luck(self) -> Keys:
        return base_words(key_of(self.column("luck"), CHOICES), self.column("choices"))

    @cached_property
    def ties(self) -> Ties:
        """Random ranks of cells for this decision, by which equal candidates are told apart."""
        return Ties(words(self._luck, "choice"), self.battle.ground.seats[self.side].relative)

    @property
    def words(self) -> Keys:
        """Luck of this decision, `uint64[n]`, other than that of the ties."""
        return words(self._luck, "choice", 1)

    @cached_property
    def kinds(self) -> IntArray:
        """Numbers of the members that the own units are, that of nobody in empty places, `int64[n, K]`."""
        return self.column("kind")[:, self.side].astype(np.int64)

    def of_foes(self, name: str) -> Array:
        """Return a column of the state by enemy, `[n, K, ...]`, the armies of several enemies one after another."""
        values = self.column(name)[:, self.foe]
        return values if self.battle.table is None else values.reshape(self.n, -1, *values.shape[3:])

    @cached_property
    def foe_kinds(self) -> IntArray:
        """Numbers of the members that the enemies are, that of nobody in empty places, `int64[n, K]`."""
        return self.of_foes("kind").astype(np.int64)

    @cached_property
    def cells(self) -> IntArray:
        """Cells of the own units, OFF_BOARD for those fallen or waiting, `int64[n, K]`."""
        return self.column("cell")[:, self.side].astype(np.int64)

    @cached_property
    def foe_cells(self) -> IntArray:
        """Cells of the enemies, OFF_BOARD for those fallen or waiting, `int64[n, K]`."""
        return self._all_foe_cells if self._aim is None else np.where(self._aim, self._all_foe_cells, OFF_BOARD)

    @cached_property
    def _all_foe_cells(self) -> IntArray:
        return self.of_foes("cell").astype(np.int64)

    @cached_property
    def foe_health(self) -> IntArray:
        """Health of the enemies, `int[n, K]`."""
        return self.of_foes("health")

    @cached_property
    def able(self) -> BoolArray:
        """Own units that may act: on the board, without EMP token, and not after a jump, `bool[n, K]`."""
        idle = (self.column("emp")[:, self.side] > 0) | self.column("done")[:, self.side]
        return np.asarray((self.cells >= 0) & ~idle)

    def line(self, own_cells: IntArray, foe: IntArray | int) -> IntArray:
        """Return indices into flat tables `[N + 1, N + 1]` from cells of own units and of enemies, which broadcast."""
        return np.asarray((own_cells + 1) * (self.battle.ground.n_cells + 1) + 1 + foe)

    def weapons(self, slot: int) -> IntArray:
        """Return the number of the weapon of each own unit in a slot, `int64[n, K]`."""
        return self.battle.muster.slots[:, slot].take(self.kinds)

    def weapon_of(self, row: IntArray, unit: IntArray, slot: IntArray | int) -> IntArray:
        """Return the weapons of some own units, by battle and place, `int[p]`, in a slot each: `int64[p]`."""
        return np.asarray(self.battle.muster.slots[self.kinds[row, unit], slot])

    def attacks(self, slot: int) -> BoolArray:
        """Return which units may attack which enemies with the weapon in a slot (WF-ACT.4), `bool[n, K, K]`."""
        pairs = self.attack_pairs(slot)
        flags = np.zeros((self.n, self.cells.shape[1], self.foe_cells.shape[1]), bool)
        flags[pairs.row, pairs.unit, pairs.target] = True
        return flags

    def attack_pairs(self, slot: int) -> Pairs:
        """Return the same as pairs."""
        weapons = self.weapons(slot)
        reach = self.battle.ranges.take(weapons) * self.able
        pairs = self._pairs_within(self.battle.sights, reach, self.battle.beyond.take(weapons))
        if not self.battle.terms.units_block:
            return pairs
        lines = self.line(self.cells[pairs.row, pairs.unit], self.foe_cells[pairs.row, pairs.target])
        between = self.battle.ground.between.take(lines, axis=1)  # units that stand between (WF-Q16)
        blocked = (between & self.occupied_cells[:, pairs.row]).any(axis=0)
        return pairs.subset(np.flatnonzero(~blocked))

    def pairs_near(self, reach: IntArray) -> Pairs:
        """Return own units and enemies that are at most so many steps apart over an empty board, `uint8[n, K]`."""
        return self._pairs_within(self.battle.ground.distances, reach, np.zeros_like(self.kinds))

    def _pairs_within(self, table: IntArray, reach: IntArray, start: IntArray) -> Pairs:
        """Return own units and enemies at a distance of 1 to `reach`, `uint8[n, K]`, by a flat table of distances.

        0 is no line. `start` is where the table of each unit begins, `int64[n, K]`. Battles come last in the arrays:
        adding up runs of n numbers takes a seventh of what runs of K take.
        """
        row, unit = places_of(reach)
        at = row * reach.shape[1] + unit
        own_lines = self.line(self.cells.take(at), 0) + start.take(at)
        lines = self._foe_cells_by_place.take(row, axis=1)
        lines += own_lines
        distances = table.take(lines)
        distances -= np.uint8(1)  # 0, no line, becomes the largest number
        pair, target = places_of(np.ascontiguousarray((distances < reach.take(at)).T))
        return Pairs(row.take(pair), unit.take(pair), target)

    @cached_property
    def _foe_cells_by_place(self) -> IntArray:
        return np.ascontiguousarray(self.foe_cells.T)

    def attacks_of(self, unit: IntArray, weapon: IntArray) -> BoolArray:
        """Return which enemies one unit in each battle may attack with its weapon, `int[n]` each: `bool[n, K]`."""
        lines = self.line(self.cells[np.arange(self.n), unit][:, None], self.foe_cells)
        distances = self.battle.ground.sight_distances.take(lines)
        if (through := self.battle.through.take(weapon)).any():
            distances[through] = self.battle.ground.through.take(lines[through])
        legal = distances - np.uint8(1) < self.battle.ranges.take(weapon)[:, None]
        if self.battle.terms.units_block:
            row, target = places_of(legal)
            between = self.battle.ground.between.take(lines[row, target], axis=1)
            legal[row, target] = ~(between & self.occupied_cells[:, row]).any(axis=0)
        return np.asarray(legal)

    def mean_losses(self, slot: int, pairs: Pairs, *, counts_cover: bool = True) -> IntArray:
        """Return the mean health that an Attack action of each pair takes, `int64[p]`, in steps of 1 / 1024 health.

        Without `counts_cover` the enemy counts as in the open. An active Supershield makes it one step at most.
        """
        table = self.battle.mean_losses
        _, _, n_armours, n_covers, n_healths = table.shape
        k = self.cells.shape[1]
        unit, enemy = pairs.row * k + pairs.unit, pairs.row * self.foe_kinds.shape[1] + pairs.target
        weapon, foe = self.weapons(slot).take(unit), self._in_sides(pairs, k)
        place = weapon * table.shape[1] + self.battle.muster.body.take(self.foe_kinds.take(enemy))
        place = (place * n_armours + self._soft.take(enemy)) * n_covers
        if counts_cover and n_covers > 1:
            line = self.line(self.cells.take(unit), self.foe_cells.take(enemy))
            place += np.where(self.battle.laser.take(weapon), 0, self.battle.cover_table.take(line))
        values = table.take(place * n_healths + self.column("health").take(foe)).astype(np.int64)
        if self.battle.shield.any():
            up = self.column("shield").take(foe) == UP
            values = np.where(up, np.minimum(values, 1), values)
        return np.asarray(values)

    def _in_sides(self, pairs: Pairs, k: int) -> IntArray:
        """Return the places of targets in a column of all sides, flat, k units each, `int64[p]`."""
        if self.battle.table is None:
            return (2 * pairs.row + self.foe) * k + pairs.target
        places = (np.atleast_1d(self.foe)[:, None] * k + np.arange(k)).ravel()
        return np.asarray(self.battle.table.n_sides * k * pairs.row + places.take(pairs.target))

    @cached_property
    def _soft(self) -> IntArray:
        """Armour that burns have left of enemies, `int[n, K]`."""
        armour: IntArray = self.battle.armour.take(self.foe_kinds)
        if self.battle.muster.burns:
            armour = np.maximum(armour - burnt(self.of_foes("burn")), 0)
        return armour

    @cached_property
    def occupied_cells(self) -> Words:
        """Cells on which somebody of either side stands, as bits, `uint16[C, n]`."""
        n_flags = self.battle.ground.n_cells + COLUMN_CELLS  # a column before the first, for OFF_BOARD
        flags = np.zeros(self.n * n_flags, bool)
        cells = self.column("cell").reshape(self.n, -1) + np.int64(COLUMN_CELLS)
        cells += np.arange(0, len(flags), n_flags)[:, None]
        flags[cells] = True
        return words_of(flags.reshape(self.n, n_flags))[1:]

    @cached_property
    def may_move(self) -> BoolArray:
        """Able units with moves left this turn (WF-ACT.3), `bool[n, K]`."""
        return self.able & (self.column("moves")[:, self.side] < self.battle.terms.max_moves)

    @cached_property
    def may_jump(self) -> BoolArray:
        """Able units with the Jump ability (WF-ABIL.2), `bool[n, K]`; moves do not matter."""
        return self.able & self.battle.jump.take(self.kinds)

    @cached_property
    def may_raise(self) -> BoolArray:
        """Able units whose stance is to raise a Supershield that is down, not burnt out (WF-ABIL.4), `bool[n, K]`."""
        ready = self.column("shield")[:, self.side] == DOWN
        return np.asarray(self.able & self.battle.muster.raises.take(self.kinds) & ready)

    @cached_property
    def may_explode(self) -> BoolArray:
        """Able units with Overload, which may destroy themselves (WF-ABIL.5), `bool[n, K]`."""
        return self.able & self.battle.overload.take(self.kinds)

    def moves(self, rows: IntArray, units: IntArray) -> Words:
        """Return to which cells some units may move (WF-ACT.3, WF-COV.2, WF-ABIL.3), as bits, `uint16[C, m]`."""
        ground, kinds = self.battle.ground, self.kinds[rows, units]
        free = (~self.occupied_cells).take(rows, axis=1)
        begin = single_cells(self.cells[rows, units], ground.grid.columns)
        passable = free | np.negative(self.battle.slim.take(kinds).astype(np.uint16))
        passable &= ground.enterable
        passable |= begin
        cells = flood(ground.grid, begin, passable, self.battle.speed.take(kinds))
        cells &= free
        cells &= ground.stopping_cells
        return cells

    def jumps(self, rows: IntArray, units: IntArray) -> Words:
        """Return to which cells some units may jump (WF-ABIL.2), as bits, `uint16[C, m]`."""
        speed = self.battle.speed.take(self.kinds[rows, units]).astype(np.int64)
        place = speed * (self.battle.ground.n_cells + 1) + self.cells[rows, units] + 1
        return self.battle.jumps.take(place, axis=1) & ~self.occupied_cells[:, rows]

    def firing_cells(self, weapons: IntArray, targets: IntArray, *, clear: bool = False) -> Words:
        """Return from which cells weapons hit target cells, `int[m]` each, as bits, `uint16[C, m]`.

        With `clear` only from where no light cover protects the target.
        """
        table = self.battle.clear_hits if clear else self.battle.hits
        return table.take(weapons * (self.battle.ground.n_cells + 1) + targets + 1, axis=1)

    @cached_property
    def walks(self) -> IntArray:
        """Steps from each cell to the nearest enemy, units aside, `uint8[n, N]`."""
        steps = self.battle.ground.walks.take(self.foe_cells.T[0] + 1, axis=0)
        for cells in self.foe_cells.T[1:]:
            np.minimum(steps, self.battle.ground.walks.take(cells + 1, axis=0), out=steps)
        return np.asarray(steps)

    @cached_property
    def exposure(self) -> IntArray:
        """How many enemies might hit each cell in their next turn, as far as distance goes, `uint8[n, N]`."""
        counts = np.zeros((self.n, self.battle.ground.n_cells), np.uint8)
        for cells, kinds in zip(self._all_foe_cells.T, self.foe_kinds.T, strict=True):
            place = self.battle.menace.take(kinds).astype(np.int64) * (self.battle.ground.n_cells + 1) + cells + 1
            counts += self.battle.threats.take(place, axis=0)
        return counts

    def blasts(self, row: IntArray, unit: IntArray) -> IntArray:
        """Return the health that Overloads of own units take from the enemies less from the own side, `int64[p]`.

        Saves are left out; a unit that explodes loses all it has left, and one with no enemy in reach counts -1.
        """
        terms, near = self.battle.terms, self.battle.ground.near(self.battle.terms.overload_radius)
        at = self.cells[row, unit] + 1
        in_reach = near.take(self.line(self.cells[row, unit][:, None], self.foe_cells.take(row, axis=0)))
        net, with_victims = np.full(len(row), -1, np.int64), np.flatnonzero(in_reach.any(axis=1))
        if len(with_victims):
            row, unit, at = row[with_victims], unit[with_victims], at[with_victims]
            losses = np.minimum(self.column("health")[row].astype(np.int64), terms.overload)
            foe_losses = losses[:, self.foe].reshape(len(row), -1)
            net[with_victims] = (in_reach[with_victims] * foe_losses).sum(axis=1)
            net[with_victims] -= self.column("health")[row, self.side, unit]
            if terms.friendly_fire:
                beside = near[at[:, None], self.cells[row] + 1]
                beside[np.arange(len(row)), unit] = False
                net[with_victims] -= (beside * losses[:, self.side]).sum(axis=1)
                for ally in self.allies:
                    beside = near[at[:, None], self.column("cell")[row, ally].astype(np.int64) + 1]
                    net[with_victims] -= (beside * losses[:, ally]).sum(axis=1)
        return net
