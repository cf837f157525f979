"""The Periods of one group of configurations: the choices at each, and how its configurations stand on grids."""

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

    Attributes
    ----------
    ends
        The ends of Periods that this process goes through, by grade and by their numbers among all.
    turns
        The turns, likewise, for 0 (none), 1 ... turns left.
    team
        Who goes through them all.
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
        """Return the choices of a group, given by its number among those of the duel.

        Parameters
        ----------
        lists
            Where the turns of every configuration lead.
        number
            The number of the group among those of the duel.
        starts
            The configurations that Periods start with.
        team
            The processes that share the work.
        """
        group = lists.configurations.groups[number]
        ends = tuple(
            {place: table for place, table in enumerate(tables) if team.is_own(grade + place)}
            for grade, tables in enumerate(starts.tables[number])
        )
        return cls(lists, number, group, starts, ends, lists.tables(group, team), team)

    @property
    def configurations(self) -> Configurations:
        """All configurations of the duel."""
        return self.lists.configurations

    @property
    def sizes(self) -> tuple[int, ...]:
        """Configurations with 0, 1 ... turns left."""
        return tuple(rows.stop - rows.start for rows in self.group.rows)

    @property
    def n_mp(self) -> int:
        """MP that a side may have, 0 among them."""
        return self.configurations.moves.duel.arena.read.mp_cap + 1


def by_grade(grids: Grids, n_grades: int) -> Grids:
    """Return a grid for each grade: the last one for all beyond.

    Parameters
    ----------
    grids
        The grids of its grades; the last one also of all beyond.
    n_grades
        How many grades the group has.
    """
    return (*grids, *grids[-1:] * (n_grades - len(grids)))[:n_grades]


def n_positions(group: Group, grids: Grids) -> int:
    """Return how many positions there are at the nodes of a group.

    Parameters
    ----------
    group
        The configurations, by turns left.
    grids
        The grids of its grades; the last one also of all beyond.
    """
    return sum(
        (rows.stop - rows.start) * math.prod(grid.shape(turns))
        for turns, grades in enumerate(group.grades)
        for grid, rows in zip(by_grade(grids, len(grades)), grades, strict=True)
    )


def pieces(group: Group, grids: Grids, turns: int, values: GradeWorths) -> Iterator[tuple[Grid, Worths, slice]]:
    """Yield the grid of each grade, its worths at nodes with so many turns left, and which configurations it has.

    Parameters
    ----------
    group
        The configurations, by turns left.
    grids
        The grids of its grades; the last one also of all beyond.
    turns
        Turns left in the Period.
    values
        Worths at nodes, by grade.
    """
    yield from zip(by_grade(grids, len(values)), values, group.grades[turns], strict=True)
