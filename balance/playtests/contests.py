"""Games among three or more, and of teams: who was on which side, and in which order they came in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array

from balance.base.arrays import BoolArray, FloatArray, IntArray

NEVER_PARTED = ", who never parted"


class Side(NamedTuple):
    """One side of a game: its entrants, and its place: one more than how many came in before it, so that ties share it.

    0 is behind all others, in an order that nobody knows.
    """

    entrants: tuple[str, ...]
    place: int
    went_first: bool = False


@dataclass(frozen=True)
class Contests:
    """Games of two sides or more, each of one entrant or of a team.

    * `names`: the entrants, sorted; `sizes`: `int64[n]`: how many people each stands for.
    * `entrant` and `side`: `int64[k]`: who took part, on which side.
    * `contest`: `int64[s]`: the game of each side, from 0, rising; `place`: `int64[s]` and `went_first`: `bool[s]`, as
      in `Side`.
    """

    names: tuple[str, ...]
    sizes: IntArray
    entrant: IntArray
    side: IntArray
    contest: IntArray
    place: IntArray
    went_first: BoolArray

    @classmethod
    def of(cls, games: Sequence[Sequence[Side]]) -> Contests:
        """Return the games told by their sides.

        >>> contests = Contests.of([[Side(("Ann",), 1), Side(("Ben",), 2), Side(("Cal",), 2)]])
        >>> contests.names, contests.n_sides.tolist(), contests.score_by_entrant.tolist()
        (('Ann', 'Ben', 'Cal'), [3], [1.0, 0.25, 0.25])
        """
        sides = [side for game in games for side in game]
        names = sorted({name for side in sides for name in side.entrants})
        at = {name: number for number, name in enumerate(names)}
        return cls(
            tuple(names),
            np.ones(len(names), np.int64),
            np.array([at[name] for side in sides for name in side.entrants], np.int64),
            np.repeat(np.arange(len(sides)), [len(side.entrants) for side in sides]),
            np.repeat(np.arange(len(games)), [len(game) for game in games]),
            np.array([side.place for side in sides], np.int64),
            np.array([side.went_first for side in sides], np.bool_),
        )

    @property
    def n_sides(self) -> IntArray:
        """`int64[m]`: how many sides each game has."""
        return np.bincount(self.contest).astype(np.int64)

    @property
    def size_differences(self) -> IntArray:
        """`int64[s]`: by how many people each side outnumbers the smallest of its game."""
        sizes = np.bincount(self.side, self.sizes[self.entrant], len(self.contest)).astype(np.int64)
        smallest = np.minimum.reduceat(sizes, np.cumsum(self.n_sides) - self.n_sides)
        return np.asarray(sizes - smallest[self.contest], np.int64)

    @property
    def games_by_entrant(self) -> FloatArray:
        """`float64[n]`: in how many games each took part."""
        seats = np.unique(np.column_stack([self.entrant, self.contest[self.side]]), axis=0)
        return np.bincount(seats[:, 0]).astype(np.float64)

    @property
    def score_by_entrant(self) -> FloatArray:
        """`float64[n]`: of the sides that it met, the share that it came in before, a tie counting half."""
        _, group, counts = np.unique(
            np.column_stack([self.contest, self.place]), axis=0, return_inverse=True, return_counts=True
        )
        met = np.where(
            self.place > 0, self.n_sides[self.contest] - 1, np.bincount(self.contest, self.place > 0)[self.contest]
        )
        before = np.where(self.place > 0, met + 1 - self.place - (counts[group] - 1) / 2, 0.0)
        won, of = (np.bincount(self.entrant, values[self.side]) for values in (before, met))
        return np.asarray(won / np.maximum(of, 1))

    def first_only(self) -> Contests:
        """Return the same games with the order of all that did not come first unknown."""
        return replace(self, place=np.where(self.place > 1, 0, self.place))

    def join_partners(self) -> Contests:
        """Return the same games with entrants that were always on one side as one: games tell their sum alone."""
        seats = coo_array((np.ones(len(self.side)), (self.entrant, self.side))).tocsr()
        groups = defaultdict[bytes, list[int]](list)
        for entrant, sides in enumerate(np.split(seats.indices, seats.indptr[1:-1])):
            groups[sides.tobytes()].append(entrant)
        texts = {at[0]: " & ".join(self.names[entrant] for entrant in at) for at in groups.values()}
        joined = sorted((texts[at[0]] + NEVER_PARTED * (len(at) > 1), at) for at in groups.values())
        place = np.zeros(len(self.names), np.int64)
        for number, (_, at) in enumerate(joined):
            place[at] = number
        kept = np.isin(self.entrant, [*texts])
        names, sizes = tuple(name for name, _ in joined), np.bincount(place, self.sizes).astype(np.int64)
        return replace(self, names=names, sizes=sizes, entrant=place[self.entrant[kept]], side=self.side[kept])
