"""What a map means for a battle, in tables: who is seen from where, which cells hit which, where a jump lands.

Tables go by cell + 1, so that row and column 0 stand for being off the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import COLUMN_CELLS, FAR, OFF_BOARD, Grid, Words, words_of
from balance.games.warforged.battle.map.battle_map import HEAVY, LIGHT, OPEN, BattleMap, views


@dataclass(frozen=True, eq=False)
class Ground:
    """A map, looked up; N numbers of cells, C columns.

    `diagonal` says whether on squares diagonal neighbours are at distance 1 of a blast (WF-Q25).
    """

    map: BattleMap
    diagonal: bool

    @property
    def grid(self) -> Grid:
        """The shape of the board: hexes or squares, columns and rows."""
        return self.map.grid

    @property
    def n_cells(self) -> int:
        """N, how many numbers of cells there are, some of them outside the rows."""
        return self.grid.n_cells

    @cached_property
    def enterable(self) -> Words:
        """Cells that one may pass: no heavy cover (WF-Q29), `uint16[C, 1]`."""
        return words_of((self.map.terrain == OPEN) | (self.map.terrain == LIGHT))[:, None]

    @cached_property
    def stopping_cells(self) -> Words:
        """Cells that one may stop on: no cover at all (WF-COV.2), `uint16[C, 1]`."""
        return words_of(self.map.terrain == OPEN)[:, None]

    @cached_property
    def _lines(self) -> tuple[IntArray, IntArray, IntArray]:
        """Straight lines: distance in sight, distance through heavy cover, light covers that protect the far end."""
        sight, through, covers = (np.zeros((self.n_cells + 1, self.n_cells + 1), np.uint8) for _ in range(3))
        for direction in range(self.grid.n_directions):
            for cell in self.grid.cells.tolist():
                ray = [int(target) for target in self.grid.rays[direction, cell] if target != OFF_BOARD]
                kinds = [int(self.map.terrain[target]) for target in ray]
                light = [k for k, kind in enumerate(kinds, 1) if kind == LIGHT]
                clear = kinds.index(HEAVY) + 1 if HEAVY in kinds else len(ray)
                for distance, target in enumerate(ray, 1):
                    at = cell + 1, target + 1
                    through[at] = distance
                    sight[at] = distance if distance <= clear else 0
                    covers[at] = sum(2 * k >= distance for k in light if k < distance)
        return sight, through, covers

    @property
    def sight_distances(self) -> IntArray:
        """Distance along a straight line in sight of each other, else 0, `uint8[N + 1, N + 1]` (WF-MAP.1, WF-COV.3)."""
        return self._lines[0]

    @property
    def through(self) -> IntArray:
        """Distance along a straight line, whatever cover stands between, else 0, `uint8[N + 1, N + 1]` (WF-Q14)."""
        return self._lines[1]

    @property
    def covers(self) -> IntArray:
        """Light covers between that protect whoever is shot at, `uint8[N + 1 from, N + 1 at]` (WF-COV.1, WF-Q26)."""
        return self._lines[2]

    @cached_property
    def between(self) -> Words:
        """Cells strictly between the ends of a line, `uint16[C, (N + 1)**2]`; for units that block (WF-Q16)."""
        flags = np.zeros((self.n_cells + 1, self.n_cells + 1, self.n_cells), bool)
        for direction in range(self.grid.n_directions):
            for cell in self.grid.cells.tolist():
                ray = [int(target) for target in self.grid.rays[direction, cell] if target != OFF_BOARD]
                for distance, target in enumerate(ray):
                    flags[cell + 1, target + 1, ray[:distance]] = True
        return words_of(flags.reshape(-1, self.n_cells))

    @cached_property
    def walks(self) -> IntArray:
        """Steps between cells round heavy cover, units aside, FAR where there is no way, `uint8[N + 1, N]`."""
        inner = self.grid.walks(self.map.terrain <= LIGHT)
        return np.concatenate([np.full((1, self.n_cells), FAR, np.uint8), inner])

    @cached_property
    def distances(self) -> IntArray:
        """Steps between cells over an empty board, FAR off it, `uint8[N + 1, N + 1]`."""
        table = np.full((self.n_cells + 1, self.n_cells + 1), FAR, np.uint8)
        table[1:, 1:] = self.grid.distances
        return table

    def near(self, radius: int) -> BoolArray:
        """Return which cells a blast reaches from where, its own cell included, `bool[N + 1, N + 1]`."""
        return _near(self, radius)

    def hits(self, range_cells: int, *, heavy: bool, clear: bool = False) -> Words:
        """Return from where a weapon hits each cell, `uint16[C, N + 1]`; if `heavy`, through heavy cover too.

        With `clear` only from where no light cover protects the target.
        """
        lines = self.through if heavy else self.sight_distances
        able = (lines > 0) & (lines <= range_cells)
        if clear:
            able &= self.covers == 0
        return words_of(able[1:].T)

    def jumps(self, speed_cells: int, *, exact: bool) -> Words:
        """Return where a jump from each cell may land, whoever stands there, `uint16[C, N + 1]` (WF-ABIL.2, WF-Q17).

        It goes straight, up to `speed_cells`, or just so far if `exact`.
        """
        flags = np.zeros((self.n_cells + 1, self.n_cells), bool)
        for ray in self.grid.rays:
            for cell in self.grid.cells.tolist():
                landing_cells = ray[cell][speed_cells - 1 : speed_cells] if exact else ray[cell][:speed_cells]
                flags[cell + 1, landing_cells[landing_cells != OFF_BOARD]] = True
        return words_of(flags & (self.map.terrain == OPEN)) if speed_cells else words_of(np.zeros_like(flags))

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """The order of cells for side a, and for side b its mirror image by columns; for more sides, `views`."""
        cells = np.arange(self.n_cells, dtype=np.int64)
        if len(self.map.bases) > 2:
            return tuple(map(Seat, views(self.map) or (cells,) * len(self.map.bases)))
        column, row = np.divmod(cells, COLUMN_CELLS)
        return Seat(cells), Seat((self.grid.columns - 1 - column) * COLUMN_CELLS + row)

    @cached_property
    def objectives(self) -> BoolArray:
        """Which cells are objectives, `bool[N + 1]`."""
        flags = np.zeros(self.n_cells + 1, bool)
        flags[np.array(self.map.objectives, np.int64) + 1] = True
        return flags


@dataclass(frozen=True, eq=False)
class Seat:
    """How a side counts the cells, its own end first: `relative` is `int64[N]`."""

    relative: IntArray


@lru_cache(maxsize=64)
def _near(ground: Ground, radius: int) -> BoolArray:
    flags = np.zeros((ground.n_cells + 1, ground.n_cells + 1), bool)
    flags[1:, 1:] = ground.grid.within(radius, diagonal=ground.diagonal)
    return flags
