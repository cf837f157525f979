"""The map: areas, ways, distances and sight, looked up in tables that are worked out once (IS-TERR, IS-LOS, IS-AI.14).

Areas are numbers 0 to n_areas - 1; whoever is on no area is at `board.off_map`, which is far from everything and sees
nothing. Arguments are integers or arrays that broadcast together, as `int8[n, heroes, 1]` and `int8[n, 1, enemies]` do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, IntArray
from balance.base.errors import UsageError

Areas: TypeAlias = IntArray | int
Bits: TypeAlias = npt.NDArray[np.uint32]

HERO, ENEMY, FLYER = range(3)
"""Who walks: a hero on foot, an enemy on foot, or anybody who flies, as a Ghost Soul does (IS-ACT.10, IS-HP.5)."""
FAR = 99
"""The distance of what cannot be reached."""
MOST_AREAS = 31
"""Areas that a map may have: the areas of a line of sight are bits of one number."""
AREA = 64
"""What an area weighs in a way; hindering terrain on it weighs 1, so that it decides among ways that are as short."""


@dataclass(frozen=True)
class Board:
    """A map of areas.

    * `n_areas`: how many areas; 1 to 31.
    * `sides`: pairs of areas that share a side which printed walls and tile edges leave open (IS-TERR.1).
    * `barriers`: (from, to): a side that nobody crosses on foot from the first area to the second; a pair of `sides`
      (IS-TERR.2).
    * `difficult` and `deadly`: areas that cost heroes more to enter, or a wound (IS-TERR.3, IS-TERR.4).
    * `walls`: pairs of `sides` that a wall token closes: nobody crosses or sees along them, nor along lines that go
      from the one area straight into the other (IS-TERR.7).
    * `lines`: straight lines between the sight marks of two areas that no wall or tile edge cuts: the two areas at the
      ends, and between them the areas that the line crosses. Areas that share a side see each other without one.
    * `sight_areas`: how many areas far anybody sees (IS-LOS.3).
    * `difficult_cost`: movement points for entering a difficult area, at least 1.

    Examples
    --------
    Three areas in a row; from the first nobody goes straight to the second, and the third is difficult:

    >>> board = Board(3, ((0, 1), (1, 2)), barriers=((0, 1),), difficult=(2,), lines=((0, 1, 2),))
    >>> [int(board.points(walker, 1, 2)) for walker in (HERO, ENEMY, FLYER)]
    [2, 1, 1]
    >>> int(board.points(HERO, 0, 1)), int(board.points(FLYER, 0, 1))
    (99, 1)
    """

    n_areas: int
    sides: tuple[tuple[int, int], ...]
    barriers: tuple[tuple[int, int], ...] = ()
    difficult: tuple[int, ...] = ()
    deadly: tuple[int, ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()
    sight_areas: int = 5
    difficult_cost: int = 2
    walls: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        """Raise UsageError unless the map has 1 to 31 areas and a difficult one costs at least 1 point."""
        if not 1 <= self.n_areas <= MOST_AREAS:
            raise UsageError(f"a map has {self.n_areas} areas", f"let it have 1 to {MOST_AREAS}")
        if self.difficult_cost < 1:
            raise UsageError(f"a difficult area costs {self.difficult_cost} points to enter", "let it cost at least 1")

    @property
    def off_map(self) -> int:
        """The number after the last area, for who is nowhere."""
        return self.n_areas

    def points(self, walker: Areas, start: Areas, goal: Areas) -> IntArray:
        """Return the movement points of the shortest legal way, `int8`; FAR where there is none.

        For an enemy they are the areas of the way: its movement distance. For FLYER they are the attack distance of
        anybody, for barriers hinder neither (IS-TERR.2, IS-LOS.4). `walker` is HERO, ENEMY or FLYER; arguments
        broadcast.
        """
        return self._points.take(self._place(walker, start, goal))

    def next_area(self, walker: Areas, start: Areas, goal: Areas) -> IntArray:
        """Return the next area of the shortest legal way, `int8`: `start` if there is none or it is `goal` already.

        Of ways as short, an enemy's is one that enters the fewest areas with hindering terrain (IS-AI.14), and a hero's
        one that enters the fewest deadly areas; of those left, the next area is the one with the lowest number.
        `walker` is HERO, ENEMY or FLYER; arguments broadcast.
        """
        return self._next.take(self._place(walker, start, goal))

    def walk(self, walker: Areas, start: Areas, goal: Areas, points: Areas) -> IntArray:
        """Return the area where so many points lead on that way, `int8`: at most to `goal` (IS-ACT.3, IS-AI.13).

        `walker` is HERO, ENEMY or FLYER; arguments broadcast.
        """
        return self._ahead.take(self._place(walker, start, goal, points))

    def reach(self, walker: Areas, start: IntArray, points: IntArray) -> BoolArray:
        """Return which areas can be reached, `bool[n, n_areas]`, from `start`, `int[n]`, with `points`, `int[n]`."""
        rows = self._points.reshape(-1, self.n_areas + 1)[:, : self.n_areas]
        return np.asarray(
            rows.take(np.asarray(walker, np.intp) * (self.n_areas + 1) + start, axis=0) <= points[:, None]
        )

    def sees(self, start: Areas, goal: Areas) -> BoolArray:
        """Return whether an enemy sees one area from another, past anybody, by broadcasting (IS-LOS.1 to IS-LOS.3)."""
        return self._sees.take(self._place(0, start, goal))

    def hero_sees(self, start: Areas, goal: Areas, enemy_bits: Bits | int) -> BoolArray:
        """Return whether a hero sees from one area to another, past areas with enemies, as `bits` gives them.

        Enemies in areas that the line crosses block it; those in the area of the target or of the hero do not.
        """
        place = self._place(0, start, goal)
        return np.asarray(self._sees.take(place) & ((self._crossed_bits.take(place) & enemy_bits) == 0))

    def bits(self, areas: IntArray) -> Bits:
        """Return occupied areas, `int[n, m]`, as bits of one number for each trial, `uint32[n]`; `off_map` has none.

        >>> Board(4, ()).bits(np.array([[0, 3, 3], [4, 4, 1]])).tolist()
        [9, 2]
        """
        bit = np.append(np.uint32(1) << np.arange(self.n_areas, dtype=np.uint32), np.uint32(0)).astype(np.uint32)
        return np.asarray(np.bitwise_or.reduce(bit.take(areas), axis=1))

    def step_back(
        self, walker: Areas, start: IntArray, foe: IntArray, first: IntArray, occupied_bits: Bits | int, farther: bool
    ) -> IntArray:
        """Return the area that somebody is pushed or retreats to, `int8[n]`; `start` if there is none.

        It is `first`, `int[n]`, if one step leads there (`off_map` for no such area), else the farthest from the area
        `foe`, of several one without a bit in `occupied_bits`. If `farther`, other areas must be farther from the foe
        than `start` (IS-AI.15); a push takes any (IS-PUSH.3).
        """
        areas, walkers = np.arange(self.n_areas), np.reshape(walker, (-1, 1))
        legal = self.points(walkers, start[:, None], areas) > 0
        legal &= self.next_area(walkers, start[:, None], areas) == areas
        is_first = first[:, None] == areas
        far = self.points(FLYER, foe[:, None], areas)
        if farther:
            legal &= is_first | (far > self.points(FLYER, foe, start)[:, None])
        empty = np.asarray(occupied_bits)[..., None] >> areas & 1 == 0
        preference = np.where(legal, 2 * far.astype(np.int16) + empty + np.where(is_first, 999, 0), -1)
        return np.where(legal.any(axis=1), preference.argmax(axis=1), start).astype(np.int8)

    def _place(self, walker: Areas, start: Areas, goal: Areas, points: Areas | None = None) -> IntArray:
        """Return the index of a walk in the flat tables, which are several times as fast as tables of several axes."""
        index = np.asarray(walker, np.intp)
        if points is not None:
            index = index * len(self._longest) + np.minimum(points, len(self._longest) - 1)
        return np.asarray((index * (self.n_areas + 1) + start) * (self.n_areas + 1) + goal)

    def _open(self, line: tuple[int, ...]) -> bool:
        """Return whether no wall token stands between consecutive areas of a line."""
        return not any(pair in self.walls or pair[::-1] in self.walls for pair in pairwise(line))

    def _steps(self) -> Iterator[tuple[int, int]]:
        for area, neighbour in filter(self._open, self.sides):
            yield area, neighbour
            yield neighbour, area

    @cached_property
    def _weights(self) -> IntArray:
        """The weight of each step, `int64[walkers, from, to]`: AREA for each point, and 1 for terrain to be avoided."""
        size = self.n_areas + 1
        weights = np.full((3, size, size), FAR * AREA)
        for start, goal in self._steps():
            weights[FLYER, start, goal] = AREA
            if (start, goal) not in self.barriers:
                cost = self.difficult_cost if goal in self.difficult else 1
                weights[HERO, start, goal] = cost * AREA + (goal in self.deadly)
                weights[ENEMY, start, goal] = AREA + (goal in self.difficult or goal in self.deadly)
        return weights

    @cached_property
    def _lengths(self) -> IntArray:
        """The weight of the best way between areas, `int64[walkers, from, to]`, by the Floyd-Warshall algorithm."""
        lengths = self._weights.copy()
        for area in range(self.n_areas):
            lengths[:, area, area] = 0
        for area in range(self.n_areas):
            lengths = np.minimum(lengths, lengths[:, :, area, None] + lengths[:, None, area, :])
        return np.minimum(lengths, FAR * AREA)

    @cached_property
    def _points(self) -> IntArray:
        return (self._lengths // AREA).astype(np.int8).ravel()

    @cached_property
    def _next(self) -> IntArray:
        through = self._weights[:, :, :, None] + self._lengths[:, None, :, :]  # by walker, start, next area, goal
        best = through.argmin(axis=2)
        start = np.arange(self.n_areas + 1)[:, None]
        return np.where(self._lengths % (FAR * AREA) > 0, best, start).astype(np.int8).ravel()

    @cached_property
    def _longest(self) -> range:
        """Movement points that make a difference: from 0 to those of the longest of the shortest ways."""
        finite_points = self._lengths[self._lengths < FAR * AREA] // AREA
        return range(int(finite_points.max(initial=0)) + 1)

    @cached_property
    def _ahead(self) -> IntArray:
        """The area where so many points lead, flat `int8[walkers, points, start, goal]`."""
        shape = (3, self.n_areas + 1, self.n_areas + 1)
        walker, start, goal = np.indices(shape)
        next_areas = self._next.reshape(shape)
        price = np.where(next_areas == start, 999, self._weights[walker, start, next_areas] // AREA)
        ends = np.zeros((3, len(self._longest), *shape[1:]), np.int8)
        for points in self._longest:
            goes, remaining_points = price <= points, np.maximum(points - price, 0)
            then = walker, remaining_points, next_areas, goal
            ends[:, points] = np.where(goes, ends[then], start)
        return ends.ravel()

    @cached_property
    def _crossed_bits(self) -> Bits:
        """The areas that the line of sight between two areas crosses, as bits, flat `uint32[start, goal]`."""
        bits = np.zeros((self.n_areas + 1, self.n_areas + 1), np.uint32)
        for line in filter(self._open, self.lines):
            bits[line[0], line[-1]] = bits[line[-1], line[0]] = sum({1 << area for area in line[1:-1]})
        return bits.ravel()

    @cached_property
    def _sees(self) -> BoolArray:
        sees = np.zeros((self.n_areas + 1, self.n_areas + 1), bool)
        open_lines = filter(self._open, (*self.lines, *self.sides))
        for start, *_, goal in (*open_lines, *((area, area) for area in range(self.n_areas))):
            sees[start, goal] = sees[goal, start] = True
        return np.asarray(sees.ravel() & (self.points(FLYER, *np.indices(sees.shape)).ravel() <= self.sight_areas))
