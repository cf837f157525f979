"""Boards of Warforged told a second time: cells and their neighbours, lines, cover, walks, jumps and blasts.

A cell is a number, 16 times its column plus its row. The columns of hexes stand upright, odd ones half a cell lower.
Lines and walks go step by step; distances on hexes are those of cube coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

OPEN, LIGHT, HEAVY, NO_CELL = ".", "+", "#", "~"
HEX_DIRECTIONS = ("n", "s", "ne", "se", "nw", "sw")
SQUARE_DIRECTIONS = ("n", "s", "e", "w")
ACROSS = {"n": 0, "s": 0, "ne": 1, "se": 1, "e": 1, "nw": -1, "sw": -1, "w": -1}
DOWN = {"n": -1, "s": 1, "e": 0, "w": 0}


class Line(NamedTuple):
    """A straight line from an attacker to a target: its length, and what stands strictly between."""

    distance: int
    light: int
    """Light covers that are no nearer to the attacker than to the target."""
    heavy: bool
    between: tuple[int, ...]


class Board:
    """A map: what stands on its cells, whose bases they are, and what can be said once for all of a battle."""

    def __init__(self, shape: str, rows: list[str]) -> None:
        self.shape = shape
        self.columns, self.rows = len(rows[0]), len(rows)
        self.bases: tuple[list[int], ...] = ([], [], [], [])
        self.objectives: list[int] = []
        self.terrain: dict[int, str] = {}
        for column in range(self.columns):
            for row in range(self.rows):
                self._place(16 * column + row, rows[row][column])
        self.directions = HEX_DIRECTIONS if shape == "hex" else SQUARE_DIRECTIONS
        self.rays = {cell: [self._ray(cell, way) for way in self.directions] for cell in self.terrain}
        self.lines = {cell: self._lines(cell) for cell in self.terrain}
        passable = {cell for cell, what in self.terrain.items() if what in (OPEN, LIGHT)}
        self.roads = {cell: [n for n in self.neighbours(cell) if n in passable] for cell in self.terrain}
        self.open = frozenset(cell for cell, what in self.terrain.items() if what == OPEN)
        self._near: dict[tuple[int, int, bool], list[int]] = {}

    @classmethod
    def read(cls, text: str) -> Board:
        """Read a map as its designer writes it: lines `key: value`, an empty line, rows of letters."""
        head, _, body = text.strip("\n").partition("\n\n")
        keys = dict(line.split(":", 1) for line in head.splitlines())
        return cls(keys["grid"].strip(), [line.replace(" ", "") for line in body.splitlines()])

    def _place(self, cell: int, letter: str) -> None:
        if letter in "ABCD":
            self.bases["ABCD".index(letter)].append(cell)
        if letter == "*":
            self.objectives.append(cell)
        self.terrain[cell] = OPEN if letter in "ABCD*" else letter

    def step(self, cell: int, way: str) -> int | None:
        """Return the next cell in a direction; None beyond the border."""
        column, row = divmod(cell, 16)
        if self.shape == "hex" and ACROSS[way]:
            lower = column % 2  # a column that stands half a cell lower meets the same row above and the next below
            row += (lower - 1) if way[0] == "n" else lower
        else:
            row += DOWN[way]
        column += ACROSS[way]
        return 16 * column + row if 0 <= column < self.columns and 0 <= row < self.rows else None

    def neighbours(self, cell: int) -> list[int]:
        return [there for way in self.directions if (there := self.step(cell, way)) is not None]

    def _ray(self, cell: int, way: str) -> list[int]:
        """Return the cells from one cell straight on to the border, also over places that are no cells."""
        cells: list[int] = []
        there = self.step(cell, way)
        while there is not None:
            cells.append(there)
            there = self.step(there, way)
        return cells

    def _lines(self, cell: int) -> dict[int, Line]:
        found: dict[int, Line] = {}
        for ray in self.rays[cell]:
            for i, target in enumerate(ray):
                between, distance = ray[:i], i + 1
                light = sum(
                    self.terrain[there] == LIGHT and distance - steps <= steps
                    for steps, there in enumerate(between, start=1)
                )
                heavy = any(self.terrain[there] == HEAVY for there in between)
                found[target] = Line(distance, light, heavy, tuple(between))
        return found

    def distance(self, one: int, other: int) -> int:
        """Return the steps from one cell to another over an empty board."""
        (a, b), (c, d) = divmod(one, 16), divmod(other, 16)
        if self.shape == "square":
            return abs(a - c) + abs(b - d)
        x, z = a - c, (b - a // 2) - (d - c // 2)
        return max(abs(x), abs(z), abs(x + z))

    def within(self, cell: int, radius: int, diagonals: bool) -> list[int]:
        """Return the cells a blast reaches, its own included; on squares with or without the corners."""
        found = self._near.get((cell, radius, diagonals))
        if found is None:
            if self.shape == "square" and diagonals:
                found = [there for there in self.terrain if _chebyshev(cell, there) <= radius]
            else:
                found = [there for there in self.terrain if self.distance(cell, there) <= radius]
            self._near[cell, radius, diagonals] = found
        return found

    def reachable(self, cell: int, speed: int, occupied: Mapping[int, object], slim: bool) -> list[int]:
        """Return where a move may end: free cells without cover, at most `speed` steps away, never where it began."""
        seen = {cell} if slim else {cell, *occupied}
        edge, ends, roads, free = [cell], [], self.roads, self.open
        for _ in range(speed):
            ahead = []
            for here in edge:
                for there in roads[here]:
                    if there not in seen:
                        seen.add(there)
                        ahead.append(there)
                        if there in free and there not in occupied:
                            ends.append(there)
            if not ahead:
                break
            edge = ahead
        return ends

    def jumps(self, cell: int, speed: int, occupied: Mapping[int, object], exact: bool) -> list[int]:
        """Return where a jump may land: straight on over anything, on a free cell without cover."""
        return [
            there
            for ray in self.rays[cell]
            for steps, there in enumerate(ray[:speed], start=1)
            if there in self.open and there not in occupied and (steps == speed or not exact)
        ]

    def seen_from(self, seat: int, cell: int) -> int:
        """Return the cell as a side counts it: b reads the columns from the right."""
        column, row = divmod(cell, 16)
        return 16 * (self.columns - 1 - column) + row if seat else cell


def _chebyshev(one: int, other: int) -> int:
    (a, b), (c, d) = divmod(one, 16), divmod(other, 16)
    return max(abs(a - c), abs(b - d))
