"""The Periods of one group of configurations, as tables shared out among processes, and how grids cover them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from balance.chance.solvers.team import Team
from balance.games.edadh.solving.approximate.grid import Grid, Worths
from balance.games.edadh.solving.approximate.lists.card_tables import CardTables
from balance.games.edadh.solving.approximate.lists.configurations import Configurations, Group
from balance.games.edadh.solving.approximate.lists.end_tables import EndTable, Starts
from balance.games.edadh.solving.approximate.lists.turn_lists import TurnLists

GradeWorths = tuple[Worths, ...]
"""Worths at nodes, `float32[n, k, l]` for each grade."""
Grids = tuple[Grid, ...]
"""The grids of the grades of a group; the last one is that of all beyond, too."""


@dataclass(frozen=True, eq=False)
class Period:
    """The Periods of a group, by its number among those of the duel.

    `ends`: the ends of Periods that this process solves, by grade and by their numbers among all. `turns`: the turns,
    likewise, for 0 (none), 1 ... turns left. `team`: the processes that share the work.
    """

    lists: TurnLists
    number: int
    group: Group
    starts: Starts
    ends: tuple[Mapping[int, EndTable], ...]
    turns: tuple[tuple[CardTables, ...], ...]
    team: Team

    @classmethod
    def of(cls, lists: TurnLists, number: int, starts: Starts, team: Team) -> Period:
        """Compile this process's share of the choices of a group, given by its number among those of the duel."""
        group = lists.configurations.groups[number]
        ends = tuple(
            {place: table for place, table in enumerate(tables) if team.is_own(grade + place)}
            for grade, tables in enumerate(starts.tables[number])
        )
        return cls(lists, number, group, starts, ends, lists.tables(group, team), team)

    @property
    def configurations(self) -> Configurations:
        """All configurations of the duel, not only the group's."""
        return self.lists.configurations

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of the group's configurations with 0, 1 ... turns left."""
        return tuple(rows.stop - rows.start for rows in self.group.rows)

    @property
    def n_mp(self) -> int:
        """Number of values that MP may have, from 0 to the cap."""
        return self.configurations.moves.duel.arena.read.mp_cap + 1


def by_grade(grids: Grids, n_grades: int) -> Grids:
    """Return one grid for each of `n_grades` grades, the last given one for all beyond."""
    return (*grids, *grids[-1:] * (n_grades - len(grids)))[:n_grades]


def n_positions(group: Group, grids: Grids) -> int:
    """Return how many positions of a group are solved on its grids: configurations times nodes or points."""
    return sum(
        (rows.stop - rows.start) * math.prod(grid.shape(turns))
        for turns, grades in enumerate(group.grades)
        for grid, rows in zip(by_grade(grids, len(grades)), grades, strict=True)
    )


def pieces(group: Group, grids: Grids, turns: int, values: GradeWorths) -> Iterator[tuple[Grid, Worths, slice]]:
    """Yield the grid of each grade, its worths at nodes with so many turns left, and its slice of configurations."""
    yield from zip(by_grade(grids, len(values)), values, group.grades[turns], strict=True)
