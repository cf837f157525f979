"""Random maps, and what the rules say of them in plain Python, one walk at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from balance.games.immortal_souls.encounter.board.areas import ENEMY, FAR, FLYER, HERO, Board

WALKERS = (HERO, ENEMY, FLYER)


def some_map(rng: np.random.Generator) -> Board:
    """Return a map of two to seven areas, seldom all connected, with lines that cross up to three areas."""
    n = int(rng.integers(2, 8))
    pairs = list(combinations(range(n), 2))
    sides = tuple(pair for pair in pairs if rng.random() < 0.35)
    barriers = tuple(pair if rng.random() < 0.5 else pair[::-1] for pair in sides if rng.random() < 0.3)
    difficult, deadly = (tuple(area for area in range(n) if rng.random() < 0.3) for _ in range(2))
    lines = tuple(
        (one, *rng.permutation([a for a in range(n) if a not in (one, other)])[: rng.integers(0, 4)].tolist(), other)
        for one, other in pairs
        if (one, other) not in sides and rng.random() < 0.6
    )
    sight, cost = int(rng.integers(1, 6)), int(rng.integers(1, 4))
    walls = tuple(pair if rng.random() < 0.5 else pair[::-1] for pair in sides if rng.random() < 0.2)
    return Board(n, sides, barriers, difficult, deadly, lines, sight, cost, walls)


@dataclass(frozen=True)
class Literal:
    """A map as the rulebook reads it."""

    board: Board

    def may_step(self, walker: int, start: int, goal: int) -> bool:
        """IS-TERR.1, IS-TERR.2, IS-TERR.7: a shared side without a wall, and no barrier to be crossed on foot."""
        shared = (start, goal) in self.board.sides or (goal, start) in self.board.sides
        return shared and not self.walled(start, goal) and (walker == FLYER or (start, goal) not in self.board.barriers)

    def walled(self, start: int, goal: int) -> bool:
        """IS-TERR.7: a wall token on the side."""
        return {start, goal} in [{*wall} for wall in self.board.walls]

    def price(self, walker: int, area: int) -> int:
        """IS-TERR.3: heroes on foot pay more for difficult areas."""
        return self.board.difficult_cost if walker == HERO and area in self.board.difficult else 1

    def ways(self, walker: int, start: int, goal: int, seen: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
        """Every way that enters no area twice, without its start."""
        if start == goal:
            yield ()
            return
        for area in range(self.board.n_areas):
            if area not in (*seen, start) and self.may_step(walker, start, area):
                for way in self.ways(walker, area, goal, (*seen, start)):
                    yield (area, *way)

    @cache  # noqa: B019 - as many as there are maps
    def best(self, walker: int, start: int, goal: int) -> tuple[int, ...] | None:
        """IS-AI.14: the shortest way, of those one that avoids hindering terrain, of those the lowest numbers."""
        shunned = {HERO: {*self.board.deadly}, ENEMY: {*self.board.difficult, *self.board.deadly}, FLYER: set[int]()}[
            walker
        ]

        def dislike(way: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
            return sum(self.price(walker, a) for a in way), sum(a in shunned for a in way), way

        return min(self.ways(walker, start, goal), key=dislike, default=None)

    def points(self, walker: int, start: int, goal: int) -> int:
        """Return what the best way costs."""
        way = self.best(walker, start, goal)
        return FAR if way is None else sum(self.price(walker, area) for area in way)

    def walk(self, walker: int, start: int, goal: int, points: int) -> int:
        """Return where somebody gets."""
        for area in self.best(walker, start, goal) or ():
            if self.price(walker, area) > points:
                break
            points -= self.price(walker, area)
            start = area
        return start

    def sees(self, start: int, goal: int, blockers: set[int]) -> bool:
        """IS-LOS.1, IS-LOS.3: a line that nothing blocks, not beyond so many areas."""
        lines = [line for line in self.board.lines if {line[0], line[-1]} == {start, goal}
                 and not any(self.walled(*line[place : place + 2]) for place in range(len(line) - 1))]  # fmt: skip
        open_to = start == goal or self.may_step(FLYER, start, goal)
        if not (lines or open_to) or self.points(FLYER, start, goal) > self.board.sight_areas:
            return False
        return open_to or not {*lines[0][1:-1]} & blockers

    def step_back(self, walker: int, start: int, foe: int, first: int, taken: set[int], farther: bool) -> int:
        """IS-AI.15, IS-PUSH.3."""
        near = [area for area in range(self.board.n_areas) if self.may_step(walker, start, area)]
        if first in near:
            return first
        away = {area: self.points(FLYER, area, foe) for area in near}
        good = [area for area in near if not farther or away[area] > self.points(FLYER, start, foe)]
        return min(good, key=lambda area: (-away[area], area in taken, area), default=start)
