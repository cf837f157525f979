"""Lines of sight: which hexes a straight line from centre to centre crosses, and between which it runs (BL-RNG-06).

Places are counted in half hexes across and thirds of a row ahead, so that every corner of a hex has whole numbers: the
corners of the hex at (0, 0) are (0, 2), (1, 1), (1, -1) and those opposite. Nothing here rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import COLUMN_CELLS, FAR, OFF_BOARD
from balance.games.battlelore.adventure.map.adventure import GRID, hexes, row_length

Step: TypeAlias = tuple[int, int]
"""From one hex to another: half hexes across, and rows."""
N_CELLS = GRID.n_cells
_CORNERS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2))


@dataclass(frozen=True)
class Line:
    """What is between the ends of a line, as steps from where it begins.

    `insides`: hexes whose interior it crosses. `edges`: the hexes to its left and to its right at every edge that it
    runs along.
    """

    insides: tuple[Step, ...]
    edges: tuple[tuple[Step, Step], ...]


@lru_cache(maxsize=2**10)
def line_of(across: int, rows: int) -> Line:
    """Return what is between the ends of a line, given the step from its beginning to its end.

    >>> line_of(4, 0), line_of(0, 2)
    (Line(insides=((2, 0),), edges=()), Line(insides=(), edges=(((-1, 1), (1, 1)),)))
    """
    ahead = (across, 3 * rows)
    insides, edges = list[Step](), dict[tuple[int, int], dict[bool, Step]]()
    for step in _steps_near(across, rows):
        corners = [_along_and_aside(step, corner, ahead) for corner in _CORNERS]
        if _crosses(corners, ahead):
            insides.append(step)
        for (u, aside), (v, other_aside) in pairwise(corners):
            if not aside and not other_aside and _is_between(u + v, 2, ahead):
                is_left = _along_and_aside(step, (0, 0), ahead)[1] > 0
                edges.setdefault((min(u, v), max(u, v)), {})[is_left] = step
    return Line(tuple(insides), tuple((sides[True], sides[False]) for _, sides in sorted(edges.items())))


def _steps_near(across: int, rows: int) -> list[Step]:
    """Return the hexes, ends excluded, that a line may touch."""
    low, high = sorted((0, across))
    first, last = sorted((0, rows))
    near = [(x, r) for r in range(first, last + 1) for x in range(low - 2, high + 3) if (x - r) % 2 == 0]
    return [step for step in near if step not in ((0, 0), (across, rows))]


def _along_and_aside(step: Step, corner: tuple[int, int], ahead: tuple[int, int]) -> tuple[int, int]:
    """Return how far along the line a corner of a hex lies, and how far to its left, both times the line's length."""
    x, y = step[0] + corner[0], 3 * step[1] + corner[1]
    return x * ahead[0] + y * ahead[1], ahead[0] * y - ahead[1] * x


def _crosses(corners: list[tuple[int, int]], ahead: tuple[int, int]) -> bool:
    """Return whether a line crosses the interior of a hex between its ends: two corners lie on opposite sides."""
    asides = [aside for _, aside in corners]
    if not min(asides) < 0 < max(asides):
        return False
    for (u, aside), (v, other_aside) in pairwise(corners):
        if aside == 0 or aside * other_aside < 0:
            weight = abs(aside) + abs(other_aside)
            return _is_between(u * abs(other_aside) + v * abs(aside), weight, ahead)
    return False


def _is_between(along: int, weight: int, ahead: tuple[int, int]) -> bool:
    """Return whether a point lies strictly between the ends of a line; `along` is scaled by `weight`."""
    return 0 < along < weight * (ahead[0] ** 2 + ahead[1] ** 2)


def cell_at(across: int, row: int) -> int:
    """Return the cell at a number of half hexes across in a row; OFF_BOARD for a half hex at the rim.

    >>> cell_at(3, 1), cell_at(-1, 1)
    (17, -1)
    """
    place = (across - row % 2) // 2
    return COLUMN_CELLS * row + place if 0 <= place < row_length(row) else OFF_BOARD


def across_of(cell: int) -> int:
    """Return how many half hexes across the centre of a hex lies, from 0 to 24.

    >>> across_of(17)
    3
    """
    row, place = divmod(cell, COLUMN_CELLS)
    return 2 * place + row % 2


@lru_cache(maxsize=1)
def distances() -> IntArray:
    """Return the hexes from each to each, the last one counted (BL-RNG-01), `uint8[N + 1, N + 1]`; FAR off the board.

    >>> int(distances()[0 + 1, 17 + 1])
    2
    """
    is_hex = np.zeros(N_CELLS, bool)
    is_hex[list(hexes())] = True
    return pad_table(GRID.walks(is_hex))


def pad_table(table: IntArray) -> IntArray:
    """Return a table of cells by cells as one that is indexed by cell + 1, with FAR for OFF_BOARD."""
    larger = np.full((N_CELLS + 1, N_CELLS + 1), FAR, np.uint8)
    larger[1:, 1:] = table
    return larger


@dataclass(frozen=True)
class Lines:
    """The lines from each hex to each other within a reach, in tables; N numbers of cells.

    The rows of a table are pairs, `(N + 1) * (from + 1) + at + 1`; its w columns first the hexes crossed, then those to
    the left of edges, then those to the right, padded with OFF_BOARD. `reach` is the longest distance, in hexes.
    """

    reach: int

    @property
    def n_crossed(self) -> int:
        """Columns of hexes crossed, the first of each table."""
        return self._tables[0]

    @property
    def n_edges(self) -> int:
        """Columns of hexes to the left of edges, as many as to the right."""
        return self._tables[1]

    @property
    def cells(self) -> IntArray:
        """The hexes, `int16[(N + 1)**2, w]`."""
        return self._tables[2]

    @property
    def rim(self) -> BoolArray:
        """Which of them are half hexes at the rim of the board, `bool[(N + 1)**2, w]`."""
        return self._tables[3]

    @cached_property
    def adjacent(self) -> BoolArray:
        """Which of them are next to the hex where the line begins, `bool[(N + 1)**2, w]`."""
        begin = np.arange((N_CELLS + 1) ** 2) // (N_CELLS + 1)
        return np.asarray(distances()[begin[:, None], self.cells + 1] == 1)

    @cached_property
    def within(self) -> BoolArray:
        """Which pairs are hexes within reach of each other, `bool[(N + 1)**2]`."""
        return np.asarray((distances() <= self.reach).ravel())

    @cached_property
    def _tables(self) -> tuple[int, int, IntArray, BoolArray]:
        lines = {pair: self._line(*pair) for pair in self._pairs()}
        n_crossed = max((len(line.insides) for line in lines.values()), default=0)
        n_edges = max((len(line.edges) for line in lines.values()), default=0)
        cells = np.full(((N_CELLS + 1) ** 2, n_crossed + 2 * n_edges), OFF_BOARD, np.int16)
        rim = np.zeros(cells.shape, bool)
        for (begin, end), line in lines.items():
            places = list(enumerate(line.insides))
            for k, (left_step, right_step) in enumerate(line.edges, n_crossed):
                places += [(k, left_step), (k + n_edges, right_step)]
            pair = (N_CELLS + 1) * (begin + 1) + end + 1
            for k, (across, rows) in places:
                cell = cell_at(across_of(begin) + across, begin // COLUMN_CELLS + rows)
                cells[pair, k] = cell
                rim[pair, k] = cell == OFF_BOARD
        return n_crossed, n_edges, cells, rim

    def _pairs(self) -> list[tuple[int, int]]:
        inner = distances()[1:, 1:]
        return [(a, b) for a in hexes() for b in hexes() if 1 < inner[a, b] <= self.reach]

    @staticmethod
    def _line(begin: int, end: int) -> Line:
        return line_of(across_of(end) - across_of(begin), end // COLUMN_CELLS - begin // COLUMN_CELLS)


@lru_cache(maxsize=8)
def lines_within(reach: int) -> Lines:
    """Return the lines within a reach; they are the same for every adventure."""
    return Lines(reach)
