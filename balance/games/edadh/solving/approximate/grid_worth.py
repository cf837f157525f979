"""The value function of a duel interpolated from grids: any state, at any mastery points (MP)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from threading import local

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.chance.rolls.process import State
from balance.games.edadh.duel.duel_state import end_codes
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate.grid import CAP, DEAD, LOW, Grid, Worths
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.approximate.lists.end_tables import Starts
from balance.games.edadh.solving.approximate.on_grid import spread_at, start_places
from balance.games.edadh.solving.approximate.periods import GradeWorths, Grids, pieces
from balance.games.edadh.solving.approximate.prediction import Prediction
from balance.games.edadh.solving.moves import WORTH, Moves, Rows

WORTH_DIGITS = 6
"""Digits of a worth that count: the last ones differ between processors, and would decide between equal moves."""


class _Latest(local):
    """The rows of the states that a thread asked for last: a play and its best response ask for the same in turn."""

    def __init__(self) -> None:
        self._entry: tuple[Configurations, State, Rows] | None = None

    def rows(self, configurations: Configurations, state: State) -> Rows:
        """Return the configurations of states, `int[n]`, -1 where a duel has ended; cached for the last `state`."""
        if self._entry is None or self._entry[0] is not configurations or self._entry[1] is not state:
            self._entry = configurations, state, configurations.rows(state, end_codes(state) < 0)
        return self._entry[2]


_LATEST = _Latest()


@dataclass(frozen=True, eq=False)
class GridWorth:
    """The value to side a of any position of a duel, interpolated from grids.

    `grids`: those of each group, by grade. `values`: by group, for 0, 1 ... turns left and by grade: by configuration
    and by nodes of either side's MP `float32[n, k, l]`, or by point `[n, p, 1]`.
    """

    configurations: Configurations
    grids: tuple[Grids, ...]
    values: tuple[tuple[GradeWorths, ...], ...]

    @property
    def moves(self) -> Moves:
        """The duel whose positions it values."""
        return self.configurations.moves

    @cached_property
    def _flat(self) -> tuple[_Flat, ...]:
        return tuple(_Flat.of(self, turns) for turns in range(len(self.configurations.columns)))

    def __call__(self, state: State) -> FloatArray:
        """Return the values of states, 0 to 1, `float64[n]`; exact where a duel has ended, NaN where it cannot come."""
        return self.at(state, _LATEST.rows(self.configurations, state))

    def at(self, state: State, rows: Rows) -> FloatArray:
        """Return the values of states whose configurations are known, `int[n]` of `Configurations.rows`, -1: none."""
        ends = end_codes(state)
        worth = np.where(ends >= 0, WORTH[ends], np.nan)
        for turns, flat in enumerate(self._flat):
            index = np.flatnonzero((rows >= 0) & (state["turns"] == turns))
            if len(index):
                mp, damage = (
                    [state[f"{side}_{name}"].take(index).astype(np.intp) for side in SIDES] for name in ("mp", "damage")
                )
                worth[index] = flat.at(rows[index], mp, damage)
        return np.asarray(worth.round(WORTH_DIGITS))

    @property
    def n_nodes(self) -> int:
        """Number of positions that were solved, at nodes and at points."""
        return sum(worths.size for group in self.values for grade_worths in group for worths in grade_worths)

    def pieces(self, turns: int) -> Iterator[tuple[Grid, Worths, slice]]:
        """Yield each grid, its worths with so many turns left, and the slice of its configurations, in order."""
        for group, grids, values in zip(self.configurations.groups, self.grids, self.values, strict=True):
            yield from pieces(group, grids, turns, values[turns])

    def spread(self, number: int, turns: int, rows: Rows | None = None) -> Worths:
        """Return the worths of a group, by its number, at every MP, `float32[n, WIDTH, WIDTH]`: of all rows or some."""
        group = self.configurations.groups[number]
        chosen_rows = np.arange(group.rows[turns].start, group.rows[turns].stop) if rows is None else rows
        return spread_at(self.configurations, group, self.grids[number], turns, self.values[number][turns], chosen_rows)

    def begins(self, starts: Starts, configurations: Configurations | None = None) -> Worths:
        """Return the worths of the starts of Periods at every MP, by their numbers, `float32[n + 3, WIDTH, WIDTH]`.

        `configurations` is the order that the starts are numbered by, if it is another.
        """
        configurations, spread = configurations or self.configurations, starts.spread()
        for turns in range(1, len(configurations.columns)):
            own_rows = configurations.rows_in(self.configurations, turns)
            for number, group in enumerate(configurations.groups):
                place, rows = start_places(starts, group, turns)
                spread[place] = self.spread(number, turns, own_rows[rows])
        return spread


@dataclass(frozen=True, eq=False)
class _Flat:
    """Worths of all grids with so many turns left as one array, with what interpolation has to look up.

    `grid`, `first`, `width`: for each configuration its grid, where its worths begin in `values`, and how many nodes
    side b has. `lower` and `far`: for each side, by grid, damage and MP: the node below, and how far above it, 0 to 1.
    `predictions`: of each grid how worths at nodes follow from those at points; None where each node has its own.
    """

    values: Worths
    grid: Rows
    first: Rows
    width: Rows
    lower: tuple[IntArray, IntArray]
    far: tuple[Worths, Worths]
    predictions: tuple[Prediction | None, ...]

    @classmethod
    def of(cls, worth: GridWorth, turns: int) -> _Flat:
        """Concatenate the worths of all grids, and tabulate between which nodes each MP lies."""
        grids, values, rows = zip(*worth.pieces(turns), strict=True)
        number = np.repeat(np.arange(len(grids)), [item.stop - item.start for item in rows])
        shapes = np.array([grid.shape(turns) for grid in grids])
        cells = shapes.prod(axis=1)[number]
        width = np.array([len(grid.nodes[turns][1]) for grid in grids])
        max_damage = (
            max(int(part.max(initial=0)) for part in worth.configurations.damage(turns, slice(None))) if turns else 0
        )
        lines = [[grid.lines(turns, side, max_damage) for grid in grids] for side in (0, 1)]
        (a_lower, a_far), (b_lower, b_far) = ([np.stack(item) for item in zip(*part, strict=True)] for part in lines)
        return cls(
            np.concatenate([part.ravel() for part in values]),
            number,
            np.cumsum(cells) - cells,
            width[number],
            (a_lower, b_lower),
            (a_far, b_far),
            tuple(grid.prediction(turns) for grid in grids),
        )

    def at(self, rows: Rows, mp: list[Rows], damage: list[Rows]) -> Worths:
        """Interpolate between the four nodes around the MP of side a and of side b, `float32[n]`."""
        grid, max_damage = self.grid[rows], self.far[0].shape[1] - 1
        lower, far = [], []
        for side in (0, 1):
            cell = grid * (max_damage + 1) + np.minimum(damage[side], max_damage)
            key = cell * DEAD + np.clip(mp[side], LOW, CAP) - LOW
            lower.append(self.lower[side].reshape(-1).take(key).astype(np.intp))
            far.append(self.far[side].reshape(-1).take(key))
        width = self.width[rows]
        right, down = (far[1] > 0).astype(np.intp), np.where(far[0] > 0, width, 0)
        node = lower[0] * width + lower[1]
        around = self._at_nodes(rows, np.stack([node, node + right, node + down, node + down + right]))
        above, under = (at_left * (1 - far[1]) + at_right * far[1] for at_left, at_right in (around[:2], around[2:]))
        return np.asarray(above * (1 - far[0]) + under * far[0])

    def _at_nodes(self, rows: Rows, nodes: Rows) -> Worths:
        """Return the worths of configurations at four nodes each, `float32[4, n]`, predicted if points are solved."""
        first, grid = self.first[rows], self.grid[rows]
        worths = self.values.take(first + nodes, mode="clip")  # of points as if they were nodes: told below
        for number in np.flatnonzero(np.bincount(grid)).tolist():
            if (prediction := self.predictions[number]) is not None:
                index = np.flatnonzero(grid == number)
                point_worths = self.values.take(first[index, None] + np.arange(len(prediction.points)))
                worths[:, index] = prediction.at(point_worths, nodes[:, index])
        return worths
