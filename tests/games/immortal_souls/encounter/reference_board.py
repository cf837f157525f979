"""The map of an encounter a second time, area by area in plain Python: ways, distances and sight."""

from __future__ import annotations

from functools import cache
from typing import Any

from balance.games.immortal_souls.encounter.board.areas import Board

FAR = 99
HERO, ENEMY, FLYER = range(3)


class Map:
    """What can be asked of a map, worked out from its sides, barriers, terrain and lines."""

    def __init__(self, board: Board) -> None:
        self.board, self.areas = board, range(board.n_areas)
        sides = [{*side} for side in board.sides if not self.walled(side)]
        self.neighbours = {area: [other for other in self.areas if {area, other} in sides] for area in self.areas}
        self.lengths = cache(self._lengths)

    def walled(self, line: tuple[int, ...]) -> bool:
        """Return whether a wall token stands where a line goes from one area straight into the next."""
        walls = [{*wall} for wall in self.board.walls]
        return any({line[place - 1], line[place]} in walls for place in range(1, len(line)))

    def step(self, walker: int, start: int, goal: int) -> tuple[int, int] | None:
        """Return what a step weighs: points, then terrain to be avoided; None if nobody can make it."""
        board = self.board
        if goal not in self.neighbours[start] or (walker != FLYER and (start, goal) in board.barriers):
            return None
        if walker == HERO:
            return (board.difficult_cost if goal in board.difficult else 1), int(goal in board.deadly)
        return 1, int(walker == ENEMY and (goal in board.difficult or goal in board.deadly))

    def _lengths(self, walker: int, goal: int) -> dict[int, tuple[int, int]]:
        """Return what the best way to a goal weighs from everywhere it can be reached from."""
        best = {goal: (0, 0)}
        for _ in self.areas:
            for start in self.areas:
                for there in self.neighbours[start]:
                    step = self.step(walker, start, there)
                    if step and there in best:
                        new = (step[0] + best[there][0], step[1] + best[there][1])
                        if new < best.get(start, (FAR, FAR)):
                            best[start] = new
        return best

    def points(self, walker: int, start: int, goal: int) -> int:
        """Return the points of the best way."""
        if start not in self.areas or goal not in self.areas:
            return FAR
        return self.lengths(walker, goal).get(start, (FAR, 0))[0]

    def next_area(self, walker: int, start: int, goal: int) -> int:
        """Return the next area of the best way, the lowest number of several."""
        if start == goal or self.points(walker, start, goal) >= FAR:
            return start
        whole = self.lengths(walker, goal)
        for there in self.areas:
            step = self.step(walker, start, there)
            if step and there in whole and (step[0] + whole[there][0], step[1] + whole[there][1]) == whole[start]:
                return there
        raise AssertionError(f"no way from {start} to {goal}")

    def walk(self, walker: int, start: int, goal: int, points: int) -> int:
        """Return where so many points lead."""
        while start != goal:
            there = self.next_area(walker, start, goal)
            step = self.step(walker, start, there) if there != start else None
            if step is None or step[0] > points:
                return start
            start, points = there, points - step[0]
        return start

    def line(self, start: int, goal: int) -> tuple[int, ...] | None:
        """Return the areas that a line of sight crosses on its way; None if there is none."""
        if self.points(FLYER, start, goal) > self.board.sight_areas:
            return None
        for line in reversed(self.board.lines):
            if {line[0], line[-1]} == {start, goal} and not self.walled(line):
                return line[1:-1]
        return () if start == goal or goal in self.neighbours[start] else None

    def sees(self, start: int, goal: int) -> bool:
        """Return whether an enemy sees from one area to another."""
        return self.line(start, goal) is not None

    def hero_sees(self, start: int, goal: int, crowded: Any) -> bool:
        """Return whether a hero does, who does not see through areas with enemies."""
        line = self.line(start, goal)
        return line is not None and not set(line) & set(crowded)

    def step_back(self, walker: int, start: int, foe: int, first: int, taken: Any, farther: bool) -> int:
        """Return where somebody is pushed or retreats to."""
        legal = [area for area in self.neighbours[start]
                 if self.step(walker, start, area) and self.next_area(walker, start, area) == area]  # fmt: skip
        if first in legal:
            return first
        if farther:
            legal = [area for area in legal if self.points(FLYER, foe, area) > self.points(FLYER, foe, start)]
        if not legal:
            return start
        return max(legal, key=lambda area: (self.points(FLYER, foe, area), area not in taken, -area))
