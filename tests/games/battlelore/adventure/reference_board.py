"""The board told a second time: hexes as rows and places, sections, steps, and lines of sight by exact geometry.

A cell is `16 row + place`; rows 0, 2, 4, 6 and 8 have 13 hexes, the others 12 that stand half a hex further on. Across
the board a hex is at `2 place + row % 2` half hexes. Side 0 sits at row 0, side 1 at row 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from balance.games.battlelore.tables import Terrain

ROWS = 9
Point = tuple[int, int]
RIM = -1
"""Stands for a half hex at the rim, which is no part of the board and hides what is behind it."""


def length(row: int) -> int:
    return 13 if row % 2 == 0 else 12


def across(cell: int) -> int:
    return 2 * (cell % 16) + cell // 16 % 2


CELLS = tuple(16 * row + place for row in range(ROWS) for place in range(length(row)))


@cache
def cell_at(row: int, half_hexes: int) -> int | None:
    """Return the cell of a row whose centre is there, if there is one."""
    place, odd = divmod(half_hexes - row % 2, 2)
    return 16 * row + place if not odd and 0 <= row < ROWS and 0 <= place < length(row) else None


@cache
def neighbours(cell: int) -> tuple[int, ...]:
    row, x = cell // 16, across(cell)
    around = ((row, x - 2), (row, x + 2), (row - 1, x - 1), (row - 1, x + 1), (row + 1, x - 1), (row + 1, x + 1))
    return tuple(there for at in around if (there := cell_at(*at)) is not None)


@cache
def rear(side: int, cell: int) -> tuple[int, ...]:
    """Return the neighbours that are nearer to a side's edge: two, or one at the rim, or none in its first row."""
    row = cell // 16 + (1 if side else -1)
    return tuple(there for there in neighbours(cell) if there // 16 == row)


@cache
def distance(one: int, other: int) -> int:
    rows, halves = abs(one // 16 - other // 16), abs(across(one) - across(other))
    return rows + max(0, halves - rows) // 2


def adjacent(one: int, other: int) -> bool:
    return distance(one, other) == 1


def relative(side: int, cell: int) -> int:
    """Return a cell as a side sees it: the second side turns the board round."""
    if side == 0:
        return cell
    row = cell // 16
    return 16 * (ROWS - 1 - row) + length(row) - 1 - cell % 16


@dataclass
class Line:
    """What a straight line from the middle of a hex to that of another touches between the two."""

    crossed: list[int] = field(default_factory=list)
    left: dict[frozenset[Point], int] = field(default_factory=dict)
    right: dict[frozenset[Point], int] = field(default_factory=dict)


def corners(row: int, x: int) -> list[Point]:
    """Return the corners of a hex, in half hexes across and thirds of a row down."""
    return [(x + i, 3 * row + j) for i, j in ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))]


@cache
def line(start: int, goal: int) -> Line:
    """Return which hexes the line crosses, and which it passes along an edge, by that edge, on its left and right."""
    told = Line()
    for row in range(ROWS):
        for x in range(-(row % 2), 26, 2):  # in rows B, D, F and H the half hexes at the rim too
            cell = cell_at(row, x)
            if cell not in (start, goal):
                _touch(told, start, goal, row, x, RIM if cell is None else cell)
    return told


def _touch(told: Line, start: int, goal: int, row: int, x: int, cell: int) -> None:
    x0, row0 = across(start), start // 16
    dx, rows = across(goal) - x0, goal // 16 - row0
    along = dx * (x - x0) + 3 * rows * (row - row0)  # a row is as far as the root of 3 half hexes
    if not 0 < along < dx * dx + 3 * rows * rows:
        return
    points = corners(row, x)
    turns = [dx * (py - 3 * row0) - 3 * rows * (px - x0) for px, py in points]
    if min(turns) < 0 < max(turns):
        told.crossed.append(cell)
    elif turns.count(0) == 2:
        edge = frozenset(point for point, turn in zip(points, turns, strict=True) if turn == 0)
        (told.left if min(turns) < 0 else told.right)[edge] = cell


@dataclass
class Board:
    """The map of an adventure.

    `terrain` holds the terrains of each cell, `owners` the side of each landmark that has one, `lines` where the lines
    between the sections run. `same_edge` and `over_adjacent` are the readings of BL-Q25 and BL-Q23.
    """

    terrain: dict[int, Sequence[Terrain]]
    owners: dict[int, int]
    lines: tuple[int, int] = (7, 17)
    same_edge: bool = False
    over_adjacent: bool = True

    def has(self, cell: int, name: str) -> bool:
        return any(terrain.id == name for terrain in self.terrain[cell])

    def passable(self, cell: int) -> bool:
        return all(terrain.passable for terrain in self.terrain[cell])

    def sections(self, side: int, cell: int) -> set[str]:
        """Return the sections that a hex belongs to for a side: two where a line cuts it (BL-CMD-08)."""
        x, (right, left) = across(relative(side, cell)), self.lines
        inside = {"left": x >= left, "centre": right <= x <= left, "right": x <= right}
        return {name for name, is_in in inside.items() if is_in}

    def sees(self, start: int, goal: int, units: Mapping[int, object]) -> bool:
        """Whether nothing hides one hex from another (BL-RNG-06 to BL-RNG-09)."""

        def hides(cell: int) -> bool:
            return cell == RIM or cell in units or self._blocks(cell, start)

        way = line(start, goal)
        if any(map(hides, way.crossed)):
            return False
        left, right = ({edge for edge, cell in side.items() if hides(cell)} for side in (way.left, way.right))
        return not (left & right if self.same_edge else left and right)

    def _blocks(self, cell: int, start: int) -> bool:
        """Whether the terrain of a hex hides what is behind it; a hill does not, next to one who stands on a hill."""
        looks_over = self.over_adjacent and self.has(start, "hill") and adjacent(start, cell)
        return any(t.blocks_sight and not (t.id == "hill" and looks_over) for t in self.terrain[cell])

    def flags_ignored_at(self, cell: int, side: int, creature: bool) -> int:
        """Return how many flags a unit may ignore for the hex it stands in, or for a stronghold of its own beside."""

        def counts(terrain: Terrain) -> bool:
            return not (creature and terrain.structure)

        theirs = self.owners.get(cell) == 1 - side
        here = [t.bold for t in self.terrain[cell] if counts(t) and not (theirs and t.owners_only)]
        beside = [
            t.bold_beside
            for there in neighbours(cell)
            if self.owners.get(there) == side
            for t in self.terrain[there]
            if counts(t)
        ]
        return max([0, *here, *beside])
