"""The map of a battle: its cells, covers, bases and objectives, and the text that a designer draws it with."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from balance.base.arrays import IntArray
from balance.chance.rolls.board import COLUMN_CELLS, Grid, Shape
from balance.game.question.board_story import HEAVY, LIGHT, NO_CELL, OPEN

__all__ = [
    "HEAVY",
    "LETTERS",
    "LIGHT",
    "NO_CELL",
    "OPEN",
    "BattleMap",
    "map_of_drawing",
    "map_text",
    "reachable_cells",
    "views",
]

BASES, OBJECTIVE = "ABCD", "*"
"""Letters of the bases of sides a to d, and of an objective; all are open ground."""
LETTERS = {".": OPEN, "+": LIGHT, "#": HEAVY, **dict.fromkeys(BASES, OPEN), OBJECTIVE: OPEN, "~": NO_CELL}
"""Letter of a drawing -> what the cell is."""
_PLAIN = ".+#~"
"""Letter of a cell by its code, where it is neither base nor objective."""
Matrix = npt.NDArray[np.int64]
_TURN = {"hex": np.array([[0, -1], [1, 1]]), "square": np.array([[0, -1], [1, 0]])}
"""By shape, the smallest turn round (0, 0) of points (column, row), on hexes of points (q, r)."""
_SWAP = np.array([[0, 1], [1, 0]])


@dataclass(frozen=True)
class BattleMap:
    """A map of a battle.

    `id`: its name in commands: that of its file, or `random:SEED`. `ground`: a byte for each number of a cell,
    `bytes[grid.n_cells]`: OPEN, LIGHT, HEAVY or NO_CELL; what is outside the rows is NO_CELL. `bases`: cells of the
    base of each side, rising; two to four of them. `objectives`: cells to be held, rising.
    """

    id: str
    title: str
    grid: Grid
    ground: bytes
    bases: tuple[tuple[int, ...], ...]
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
        marks |= {cell: letter for letter, base in zip(BASES, self.bases, strict=False) for cell in base}
        cells = ([self.grid.cell(c, r) for c in range(self.grid.columns)] for r in range(self.grid.rows))
        return tuple("".join(marks.get(cell, _PLAIN[self.ground[cell]]) for cell in row) for row in cells)

    @property
    def digest(self) -> str:
        """The sha256 of what is played on, 64 hexadecimal digits: the grid and the drawing, not title, note or id."""
        text = "\n".join([f"grid: {self.grid.shape}", "", *self.drawing, ""])
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def is_mirrored(self) -> bool:
        """Whether left and right are mirror images of each other, so that the map favours no side; of more, as `views`.

        Hexes with an even number of columns never are: their mirror image is another grid.
        """
        if len(self.bases) > 2:
            return views(self) is not None
        swaps = str.maketrans("AB", "BA")
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
    *bases, objectives = (tuple(cell for cell in letters if letters[cell] == mark) for mark in (*BASES, OBJECTIVE))
    while len(bases) > 2 and not bases[-1]:
        bases.pop()
    return BattleMap(name, title, grid, ground, tuple(bases), objectives, note)


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


def views(field: BattleMap) -> tuple[IntArray, ...] | None:
    """Return for each base the cells' numbers as seen from the first one, `int64[N]`; None for a map that is not even.

    A map is even if a symmetry of terrain, objectives and bases leads from each base to the first. Turns are preferred
    to reflections, so that who sits next to whom is the same from everywhere.
    """
    views_by_base: dict[int, IntArray] = {}
    for onto_first, numbers in _symmetries(field):
        views_by_base.setdefault(onto_first, numbers)
    return (
        tuple(views_by_base[base] for base in range(len(field.bases)))
        if len(views_by_base) == len(field.bases)
        else None
    )


def _symmetries(field: BattleMap) -> Iterator[tuple[int, IntArray]]:
    """Yield which base each symmetry takes to the first, and where it takes each cell, turns before reflections."""
    cells = np.flatnonzero(field.terrain != NO_CELL)
    signs = {cell: str(code) for cell, code in zip(cells.tolist(), field.terrain[cells].tolist(), strict=True)}
    signs |= dict.fromkeys(field.objectives, "*")
    base_of = {cell: base for base, base_cells in enumerate(field.bases) for cell in base_cells}
    points = _points(field, cells)
    cell_at = {tuple(point): cell for point, cell in zip(points.tolist(), cells.tolist(), strict=True)}
    for matrix in _matrices(field.grid.shape):
        images = points @ matrix.T
        shift = (points.sum(axis=0) - images.sum(axis=0)) / len(points)
        places = [cell_at.get(tuple(point), -1) for point in (images + np.rint(shift).astype(np.int64)).tolist()]
        pairs = list(zip(cells.tolist(), places, strict=True))
        bases = {(base_of.get(cell), base_of.get(image)) for cell, image in pairs}
        is_kept = all(signs[cell] == signs.get(image) for cell, image in pairs)
        if is_kept and len(bases) == len(field.bases) + 1:  # each goes to a base, and all other ground to other ground
            numbers = np.arange(field.grid.n_cells, dtype=np.int64)
            numbers[cells] = places
            yield next(old for old, new in bases if new == 0 and old is not None), numbers


def _points(field: BattleMap, cells: IntArray) -> Matrix:
    """Return the cells as points of which symmetries are linear: on hexes the axial coordinates, `int64[m, 2]`."""
    column, row = np.divmod(cells.astype(np.int64), COLUMN_CELLS)
    return np.stack([column, row - (column // 2 if field.grid.shape == "hex" else 0)], axis=1)


def _matrices(shape: str) -> Iterator[Matrix]:
    """Yield the turns of a grid, and then its reflections."""
    turn, n_turns = _TURN[shape], 6 if shape == "hex" else 4
    turns = [np.linalg.matrix_power(turn, k) for k in range(n_turns)]
    yield from turns
    yield from (matrix @ _SWAP for matrix in turns)
