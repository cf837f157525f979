"""The map of a battle: its cells, covers, bases and objectives, and the text that a designer draws it with."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.board import Grid, Shape
from balance.game.question.board_story import HEAVY, LIGHT, NO_CELL, OPEN

__all__ = ["HEAVY", "LETTERS", "LIGHT", "NO_CELL", "OPEN", "BattleMap", "map_of_drawing", "map_text", "reachable_cells"]

BASES, OBJECTIVE = "AB", "*"
"""Letters of the bases of side a and of side b, and of an objective; all are open ground."""
LETTERS = {".": OPEN, "+": LIGHT, "#": HEAVY, BASES[0]: OPEN, BASES[1]: OPEN, OBJECTIVE: OPEN, "~": NO_CELL}
"""Letter of a drawing -> what the cell is."""
_PLAIN = ".+#~"
"""Letter of a cell by its code, where it is neither base nor objective."""


@dataclass(frozen=True)
class BattleMap:
    """A map of a battle.

    `id`: its name in commands: that of its file, or `random:SEED`. `ground`: a byte for each number of a cell,
    `bytes[grid.n_cells]`: OPEN, LIGHT, HEAVY or NO_CELL; what is outside the rows is NO_CELL. `bases`: cells of the
    base of side a and of side b, rising. `objectives`: cells to be held, rising.
    """

    id: str
    title: str
    grid: Grid
    ground: bytes
    bases: tuple[tuple[int, ...], tuple[int, ...]]
    objectives: tuple[int, ...] = ()
    note: str = ""

    @property
    def terrain(self) -> IntArray:
        """What each cell is, `uint8[grid.n_cells]`, read-only: OPEN, LIGHT, HEAVY or NO_CELL."""
        return np.frombuffer(self.ground, np.uint8)

    @property
    def drawing(self) -> tuple[str, ...]:
        """The rows of the map, a letter of `LETTERS` for each cell."""
        marks = dict.fromkeys(self.objectives, OBJECTIVE)
        marks |= {cell: letter for letter, base in zip(BASES, self.bases, strict=True) for cell in base}
        cells = ([self.grid.cell(c, r) for c in range(self.grid.columns)] for r in range(self.grid.rows))
        return tuple("".join(marks.get(cell, _PLAIN[self.ground[cell]]) for cell in row) for row in cells)

    @property
    def digest(self) -> str:
        """The sha256 of what is played on, 64 hexadecimal digits: the grid and the drawing, not title, note or id."""
        text = "\n".join([f"grid: {self.grid.shape}", "", *self.drawing, ""])
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def is_mirrored(self) -> bool:
        """Whether left and right are mirror images of each other, so that the map favours no side.

        Hexes with an even number of columns never are: their mirror image is another grid.
        """
        swaps = str.maketrans(BASES, BASES[::-1])
        same_grid = self.grid.shape == "square" or self.grid.columns % 2 == 1
        return same_grid and all(row == row[::-1].translate(swaps) for row in self.drawing)

    @property
    def walkable(self) -> frozenset[int]:
        """The cells that a unit may walk over (WF-ACT.3): open ground and light cover.

        >>> sorted(map_of_drawing("field", "Field", "square", ["A.+#B"]).walkable)
        [0, 16, 32, 64]
        """
        return frozenset(cell for cell, code in enumerate(self.ground) if code in (OPEN, LIGHT))


def map_of_drawing(name: str, title: str, shape: Shape, rows: Sequence[str], note: str = "") -> BattleMap:
    """Return the map of a sound drawing: rows of equal length, of the letters of `LETTERS`.

    More columns or rows than a board may have, or none, raise `UsageError`; nothing else is checked: `read_map` does
    that.

    >>> map_of_drawing("lane", "Lane", "square", ["A.*.B"]).bases
    ((0,), (64,))
    """
    grid = Grid(shape, len(rows[0]) if rows else 0, len(rows))
    letters = {grid.cell(c, r): rows[r][c] for c in range(grid.columns) for r in range(grid.rows)}
    ground = bytes(LETTERS[letters.get(cell, "~")] for cell in range(grid.n_cells))
    a, b, objectives = (tuple(cell for cell in letters if letters[cell] == mark) for mark in (*BASES, OBJECTIVE))
    return BattleMap(name, title, grid, ground, (a, b), objectives, note)


def map_text(field: BattleMap) -> str:
    r"""Return a map as the text of its file; `read_map` reads it back.

    >>> map_text(map_of_drawing("lane", "Lane", "square", ["A.*.B"]))
    'title: Lane\ngrid: square\n\nA.*.B\n'
    """
    note = [f"note: {field.note}"] if field.note else []
    return "\n".join([f"title: {field.title}", f"grid: {field.grid.shape}", *note, "", *field.drawing, ""])


def reachable_cells(grid: Grid, begin: int, passable: Collection[int]) -> frozenset[int]:
    """Return the cells that somebody comes to from `begin`, itself included, step by step over passable ones.

    >>> sorted(reachable_cells(Grid("square", 4, 1), 0, {0, 16, 48}))
    [0, 16]
    """
    next_to, cells, ahead = _next_to(grid), {begin}, [begin]
    while ahead:
        new = {neighbour for neighbour in next_to[ahead.pop()] if neighbour in passable} - cells
        cells |= new
        ahead += new
    return frozenset(cells)


@lru_cache(maxsize=16)
def _next_to(grid: Grid) -> dict[int, tuple[int, ...]]:
    """Return the neighbours of each cell, at most 6 on hexes; kept for the last grids."""
    return {cell: grid.neighbours(cell) for cell in grid.cells.tolist()}
