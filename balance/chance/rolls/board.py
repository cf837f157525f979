"""Boards of cells, hexagonal or square: distances, straight lines, and sets of cells as words of bits.

The cell in column c and row r has the number 16 c + r, so that a column is a word of 16 bits, and a set of cells is
`uint16[columns, ...]`: bit r of word c, with columns first, so that one operation moves the sets of all trials at once.
On hexes the odd columns (1, 3, ...) stand half a cell lower.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, IntArray
from balance.base.errors import UsageError

Shape: TypeAlias = Literal["hex", "square"]
Words: TypeAlias = npt.NDArray[np.uint16]
"""Sets of cells, `uint16[columns, ...]`."""
COLUMN_CELLS = 16
"""Cells that a column may have."""
MOST_COLUMNS = 31
OFF_BOARD = -1
"""The cell of what is not on the board."""
FLOOD_ROWS = 8192
"""Sets that are flooded at a time."""
FAR = 255
"""The distance of what cannot be reached."""

_SQUARE = ((0, -1), (0, 1), (-1, 0), (1, 0))
_HEX_EVEN = ((0, -1), (0, 1), (-1, -1), (1, 0), (-1, 0), (1, -1))
_HEX_ODD = ((0, -1), (0, 1), (-1, 0), (1, 1), (-1, 1), (1, 0))
"""Steps in columns and rows by direction: up, down, and those that lead back to back of each other in pairs."""


@dataclass(frozen=True)
class Grid:
    """A board of hexagonal or square cells in columns and rows.

    `shape`: "hex" (six neighbours, odd columns half a cell lower) or "square" (four neighbours). `columns` and `rows`:
    size of the board, at most 31 and 16.

    >>> grid = Grid("hex", 3, 2)
    >>> grid.neighbours(grid.cell(1, 0))
    (17, 0, 33, 1, 32)
    """

    shape: Shape
    columns: int
    rows: int

    def __post_init__(self) -> None:
        """Raise UsageError for a board that is empty, or larger than the words of bits can hold."""
        if not (1 <= self.columns <= MOST_COLUMNS and 1 <= self.rows <= COLUMN_CELLS):
            limits = f"at most {MOST_COLUMNS} columns and {COLUMN_CELLS} rows"
            raise UsageError(f"a board of {self.columns} columns and {self.rows} rows is too large or empty", limits)

    @property
    def n_cells(self) -> int:
        """The length of arrays by cell: 16 numbers for each column, beyond the last row too."""
        return self.columns * COLUMN_CELLS

    @property
    def n_directions(self) -> int:
        """The number of directions of straight lines from a cell."""
        return len(_HEX_EVEN if self.shape == "hex" else _SQUARE)

    @cached_property
    def cells(self) -> IntArray:
        """Numbers of the cells, rising, `int16[columns * rows]`."""
        return np.array([self.cell(c, r) for c in range(self.columns) for r in range(self.rows)], np.int16)

    def cell(self, column: int, row: int) -> int:
        """Return the number of a cell, 16 * column + row.

        `column`: column, counted from 0. `row`: row, counted from 0.
        """
        return COLUMN_CELLS * column + row

    def place(self, cell: int) -> tuple[int, int]:
        """Return the column and the row of a cell, from its number."""
        return divmod(int(cell), COLUMN_CELLS)

    def has(self, column: int, row: int) -> bool:
        """Return whether there is such a cell.

        `column`: column, counted from 0. `row`: row, counted from 0.
        """
        return 0 <= column < self.columns and 0 <= row < self.rows

    def mirror_cell(self, cell: int) -> int:
        """Return the cell as seen from the other end: its column counted from the right; OFF_BOARD stays."""
        column, row = self.place(cell)
        return OFF_BOARD if cell == OFF_BOARD else self.cell(self.columns - 1 - column, row)

    def step(self, cell: int, direction: int) -> int:
        """Return the next cell in a direction, or OFF_BOARD.

        `cell`: number of a cell, 16 * column + row. `direction`: number of a direction, from 0 to below `n_directions`.
        """
        column, row = self.place(cell)
        by_parity = (_HEX_ODD if column % 2 else _HEX_EVEN) if self.shape == "hex" else _SQUARE
        across, down = by_parity[direction]
        return self.cell(column + across, row + down) if self.has(column + across, row + down) else OFF_BOARD

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """Return the numbers of the adjacent cells on the board, in the order of directions."""
        steps = (self.step(cell, direction) for direction in range(self.n_directions))
        return tuple(neighbour for neighbour in steps if neighbour != OFF_BOARD)

    @cached_property
    def rays(self) -> IntArray:
        """The cells in each direction from each cell, the nearest first, `int16[directions, cells, longest]`.

        OFF_BOARD beyond the edge.
        """
        longest = max(self.columns, self.rows) - 1
        cells = np.full((self.n_directions, self.n_cells, max(longest, 1)), OFF_BOARD, np.int16)
        for direction in range(self.n_directions):
            for cell in self.cells.tolist():
                at = cell
                for k in range(longest):
                    at = self.step(at, direction)
                    if at == OFF_BOARD:
                        break
                    cells[direction, cell, k] = at
        return cells

    @cached_property
    def distances(self) -> IntArray:
        """Steps from cell to cell over an empty board, `uint8[cells, cells]`; FAR where there is no cell."""
        return self.walks(np.ones(self.n_cells, bool))

    def walks(self, passable: BoolArray) -> IntArray:
        """Return steps from cell to cell over passable ones, `uint8[cells, cells]`; FAR where there is no way.

        `passable`: which cells may be entered, `bool[cells]`.
        """
        nearest = self.rays[:, :, 0]
        open_cells = np.zeros((self.n_cells, 1), bool)
        open_cells[self.cells, 0] = passable[self.cells]
        distances = np.full((self.n_cells, self.n_cells), FAR, np.uint8)
        # A row for where walks are, a column for where they began; the last row, which OFF_BOARD names, stays empty.
        front = np.zeros((self.n_cells + 1, self.n_cells), bool)
        front[:-1] = np.eye(self.n_cells, dtype=bool) & open_cells
        steps = 0
        while front.any():
            distances[front[:-1]] = min(steps, FAR - 1)
            front[:-1] = front[nearest].any(axis=0) & open_cells & (distances == FAR)
            steps += 1
        return distances  # as long there as back

    def within(self, radius: int, *, diagonal: bool = False) -> BoolArray:
        """Return which cells lie within a radius of which, themselves included, `bool[cells, cells]`.

        `diagonal`: on squares, whether diagonal neighbours are at distance 1.
        """
        real = np.zeros(self.n_cells, bool)
        real[self.cells] = True
        if self.shape == "hex" or not diagonal:
            return np.asarray((self.distances <= radius) & real & real[:, None])
        columns, rows = np.divmod(np.arange(self.n_cells), COLUMN_CELLS)
        apart = np.maximum(abs(columns[:, None] - columns), abs(rows[:, None] - rows))
        return np.asarray((apart <= radius) & real & real[:, None])


def words_of(flags: BoolArray) -> Words:
    """Return flags of cells `bool[..., cells]` as words, `uint16[columns, ...]`.

    >>> words_of(np.eye(32, dtype=bool)[17]).tolist()
    [0, 2]
    """
    words = (
        np.packbits(np.ascontiguousarray(flags), axis=-1, bitorder="little").view("<u2").astype(np.uint16, copy=False)
    )
    return np.ascontiguousarray(words.transpose(-1, *range(words.ndim - 1)))


def bits_of(words: Words) -> BoolArray:
    """Return words `uint16[columns, ...]` as flags of cells, `bool[..., cells]`.

    >>> np.flatnonzero(bits_of(np.array([0, 2], np.uint16))).tolist()
    [17]
    """
    last_axis_bytes = words.transpose(*range(1, words.ndim), 0).astype("<u2", order="C").view(np.uint8)
    return np.unpackbits(last_axis_bytes, axis=-1, bitorder="little").view(bool)


def single_cells(cells: IntArray, columns: int) -> Words:
    """Return sets of one cell each, `uint16[columns, m]`, from the numbers of cells, `int[m]`.

    >>> single_cells(np.array([17]), 2).tolist()
    [[0], [2]]
    """
    words = np.zeros((columns, len(cells)), np.uint16)
    column, row = np.divmod(cells, COLUMN_CELLS)
    words[column, np.arange(len(cells))] = np.left_shift(np.uint16(1), row.astype(np.uint16))
    return words


def holds(words: Words, sets: IntArray, cells: IntArray) -> BoolArray:
    """Return whether sets hold cells, `bool[p]`: whether set `sets[i]` of `words` holds cell `cells[i]`, `int[p]` each.

    `words` are m sets of cells, `uint16[columns, m]`.

    >>> holds(single_cells(np.array([17]), 2), np.array([0, 0]), np.array([17, 1])).tolist()
    [True, False]
    """
    column, row = np.divmod(cells, COLUMN_CELLS)
    return np.asarray(words[column, sets] >> row.astype(np.uint16) & np.uint16(1), bool)


def flood(grid: Grid, begin: Words, passable: Words, steps: IntArray) -> Words:
    """Return the cells within some steps over passable ones, `uint16[columns, m]`, those of `begin` included.

    `begin` and `passable` are `uint16[columns, m]`, `steps` is `int[m]`.

    >>> line = Grid("square", 3, 1)
    >>> flood(line, words_of(np.eye(48, dtype=bool)[:1]), np.ones((3, 1), np.uint16), np.array([1])).ravel().tolist()
    [1, 1, 0]
    """
    steps_to, hexes = np.empty_like(begin), grid.shape == "hex"
    size = min(FLOOD_ROWS, begin.shape[1])
    spare = np.empty((3, len(begin), size), np.uint16)
    for first in range(0, begin.shape[1], max(size, 1)):
        rows = np.s_[first : first + size]
        steps_to[:, rows] = begin[:, rows]
        _flood(steps_to[:, rows], passable[:, rows], steps[rows], spare, hexes)
    return steps_to


def _flood(reached_words: Words, passable: Words, steps: IntArray, spare: Words, hexes: bool) -> None:
    """Flood in place; `spare` is scratch memory of the same shape."""
    longest, shortest = int(steps.max(initial=0)), int(steps.min(initial=0))
    up, down, sideways = spare[:, :, : reached_words.shape[1]]
    unit = np.uint16(1)
    for n_steps in range(longest):
        np.right_shift(reached_words, unit, out=up)
        np.left_shift(reached_words, unit, out=down)
        sideways[...] = reached_words
        if hexes:
            sideways[0::2] |= up[0::2]
            sideways[1::2] |= down[1::2]
        up |= down
        up[1:] |= sideways[:-1]
        up[:-1] |= sideways[1:]
        up &= passable
        if n_steps >= shortest:
            up &= np.where(steps > n_steps, np.uint16(0xFFFF), np.uint16(0))
        reached_words |= up
