"""The Periods of one group of configurations on a grid, gone through again and again.

From their ends to their starts every configuration has its games solved, or answered, at the nodes of the grid; what
starts of Periods are worth is written down, and next time the ends lead to that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.games.edadh.solving.card_tables import CardGames, CardTable, card_table, card_tables
from balance.games.edadh.solving.configurations import Configurations, Group
from balance.games.edadh.solving.end_tables import PART, EndTable, Starts
from balance.games.edadh.solving.grid import WIDTH, Grid, Worths
from balance.games.edadh.solving.moves import Rows, parts
from balance.games.edadh.solving.nodes import (
    LEAST,
    OFFSETS,
    Places,
    Reach,
    chosen_nodes,
    every_node,
    first_nodes,
    looked_at,
)
from balance.pmf.arrays import IntArray
from balance.solvers.games import Floats

__all__ = ["Decide", "OnGrid", "Period", "begun", "every_grid", "first_grid"]

Decide = Callable[[object, Worths], Worths]
"""(which games, payoffs `[m, n, g]`) -> what they are worth, `[g]`."""
SPREAD = 256
"""Configurations whose worths are spread over all MP together."""


@dataclass(frozen=True, eq=False)
class Period:
    """The Periods of a group.

    Attributes
    ----------
    ends
        The ends of Periods, in parts.
    turns
        For 0 (none), 1 ... turns left, in parts.
    """

    listed: Configurations
    group: Group
    starts: Starts
    ends: tuple[EndTable, ...]
    turns: tuple[tuple[CardTable, ...], ...]
    pool: ThreadPoolExecutor

    @classmethod
    def of(cls, listed: Configurations, number: int, starts: Starts, pool: ThreadPoolExecutor) -> Period:
        """List the choices of a group, given by its number among those of the duel."""
        group = listed.groups[number]
        turns = tuple(tuple(card_tables(listed, group, turns)) if turns else () for turns in range(len(listed.columns)))
        return cls(listed, group, starts, starts.tables[number], turns, pool)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Configurations with 0, 1 ... turns left."""
        return tuple(rows.stop - rows.start for rows in self.group.rows)

    @property
    def n_mp(self) -> int:
        """MP that a side may have, 0 among them."""
        return self.listed.moves.duel.arena.read.mp_cap + 1

    def finer(self, reach: Reach, worths: list[Worths], decide: Decide, price: float) -> Grid:
        """Return the grid that errs least for its price.

        Parameters
        ----------
        worths
            For 0, 1 ... turns left: what these lead to is worth at every MP, `float32[n, WIDTH, WIDTH]`.
        """
        nodes = []
        for turns, n_rows in enumerate(self.sizes):
            places = reach.places(self.group, turns)
            if n_rows:
                lines = [self._lines(turns, places, side, worths[turns], decide) for side in (0, 1)]
                nodes.append(chosen_nodes(places, lines, n_rows, price, LEAST if turns else 0))
            else:
                nodes.append(first_nodes(places))
        return Grid(tuple(nodes))

    def _lines(self, turns: int, places: Places, side: int, below: Worths, decide: Decide) -> Floats:
        """Return worths by the MP of one side, at each of `OFFSETS`, through some of the places: `float64[s, o]`."""
        rows, nodes = looked_at(places, 1 - side, self.group.rows[turns])
        line = tuple(OFFSETS.tolist())
        mp = Grid(((line, nodes) if side == 0 else (nodes, line),) * (turns + 1)).mp(
            turns, self.listed.damage(turns, rows)
        )
        worths = self._some(turns, rows, mp, below, decide)
        return np.moveaxis(worths, 1 + side, 2).reshape(-1, len(line)).astype(np.float64)

    def _some(self, turns: int, rows: Rows, mp: tuple[IntArray, IntArray], below: Worths, decide: Decide) -> Worths:
        """Return what some configurations are worth at some MP, `float32[s, k, l]`."""
        if turns:
            games = card_table(self.listed, self.group, turns, rows).at(mp)
            return by_configuration(decide(("some", turns, games.shape), games.payoffs(below)), games)
        worths = np.empty((len(rows), mp[0].shape[1], mp[1].shape[1]), np.float32)
        row = rows - self.group.rows[0].start
        for part in np.unique(row // PART).tolist():
            mine = np.flatnonzero(row // PART == part)
            own = np.maximum(mp[0][mine], 0), np.maximum(mp[1][mine], 0)
            found = np.empty(worths[mine].shape, np.float32)
            table = self.ends[part].some(row[mine] % PART)
            for where, payoffs in table.payoffs(own, self.starts.endings, self.n_mp, below):
                found.reshape(-1)[where] = decide(("some", part, payoffs.shape), payoffs)
            worths[mine] = found
        return worths


class OnGrid:
    """The Periods of a group on a grid.

    Parameters
    ----------
    period
        The group.
    grid
        Its nodes.
    """

    def __init__(self, period: Period, grid: Grid) -> None:
        self.period, self.grid = period, grid
        self._games: list[list[CardGames | None]] = [[None] * len(tables) for tables in period.turns]

    @cached_property
    def _below(self) -> list[Worths]:
        """Room for the worths at every MP of configurations with 0, 1 ... turns left."""
        return [np.empty((n, WIDTH, WIDTH), np.float32) for n in self.period.sizes[:-1]]

    def spread(self, turns: int, values: Worths) -> Worths:
        """Return worths at every MP of the group's configurations with so many turns left, until asked again."""
        damage, room = self.period.listed.damage(turns, self.period.group.rows[turns]), self._below[turns]

        def one(part: slice) -> None:
            self.grid.spread(turns, values[part], [own[part] for own in damage], room[part])

        self._each(one, parts(slice(0, len(values)), SPREAD))
        return room

    def swept(
        self, spread: Worths, decide: Decide, tires: float = 0.0, below: list[Worths] | None = None
    ) -> tuple[list[Worths], float]:
        """Go through the Periods once, from their ends to their starts.

        Parameters
        ----------
        spread
            What starts of Periods are worth at every MP; those of this group are written anew, unless all is known.
        tires
            The chance that a duel is called a draw at the end of a Period.
        below
            For 0 (none), 1 ... turns left what turns lead to is worth; what is found on the way if nothing is said.

        Returns
        -------
        values, change
            For 0, 1 ... turns left the worths at nodes `float32[n, k, l]`; by how much those of starts have changed.
        """
        values, change = [self._ends(spread, decide)], 0.0
        for turns in range(1, len(self.period.turns)):
            led_to = self.spread(turns - 1, values[-1]) if below is None else below[turns]
            values.append(self._turns(turns, led_to, decide))
            if below is None:
                change = max(change, self._begin(turns, values[-1], spread, tires))
        return values, change

    def settled(
        self, spread: Worths, decide: Decide, change: float, most: int, tires: float = 0.0
    ) -> tuple[list[Worths], list[float]]:
        """Go through the Periods until starts change by less; return the worths, and the changes by then."""
        changes = list[float]()
        while len(changes) < most and (not changes or changes[-1] > change):
            values, last = self.swept(spread, decide, tires)
            changes.append(last)
        return values, changes

    def led_to(self, values: list[Worths], spread: Worths) -> list[Worths]:
        """Return what configurations with 0, 1 ... turns left lead to is worth at every MP."""
        return [spread, *(self.spread(turns, values[turns]) for turns in range(len(values) - 1))]

    def _ends(self, spread: Worths, decide: Decide) -> Worths:
        period, shape = self.period, self.grid.shape(0)
        values, first = np.empty((period.sizes[0], *shape), np.float32), period.group.rows[0].start

        def end(number: int) -> None:
            table = period.ends[number]
            own = values[table.rows.start - first : table.rows.stop - first].reshape(-1)
            mp = self.grid.mp(0, period.listed.damage(0, table.rows))
            for where, payoffs in table.payoffs(mp, period.starts.endings, period.n_mp, spread):
                own[where] = decide((0, number, payoffs.shape), payoffs)

        self._each(end, range(len(period.ends)))
        return values

    def _turns(self, turns: int, below: Worths, decide: Decide) -> Worths:
        tables, games = self.period.turns[turns], self._games[turns]
        values = np.empty((self.period.sizes[turns], *self.grid.shape(turns)), np.float32)

        def turn(number: int) -> None:
            table = tables[number]
            placed = games[number] or table.at(self.grid.mp(turns, table.damage))
            games[number] = placed
            values[table.rows] = by_configuration(decide((turns, number), placed.payoffs(below)), placed)

        self._each(turn, range(len(tables)))
        return values

    def _begin(self, turns: int, values: Worths, spread: Worths, tires: float) -> float:
        """Write down what the group's starts with so many turns are worth; return by how much that has changed."""
        place, mine = begun(self.period.starts, self.period.group, turns)
        if not len(mine):
            return 0.0
        damage = self.period.listed.damage(turns, self.period.group.rows[turns].start + mine)
        new = self.grid.spread(turns, values[mine] + tires * (0.5 - values[mine]), damage)
        change = float(np.sqrt(np.mean((new - spread[place]) ** 2)))
        spread[place] = new
        return change

    def _each(self, do: Callable[..., None], parts_: Sequence[object]) -> None:
        for _ in self.period.pool.map(do, parts_):
            pass


def first_grid(listed: Configurations, group: Group, reach: Reach) -> Grid:
    """Return a grid of a few nodes for a group, by where duels go."""
    return Grid(tuple(first_nodes(reach.places(group, turns)) for turns in range(len(listed.columns))))


def every_grid(listed: Configurations, group: Group, reach: Reach) -> Grid:
    """Return a grid for a group with nodes at every number of MP."""
    nodes = (every_node(reach.places(group, turns), LEAST if turns else 0) for turns in range(len(listed.columns)))
    return Grid(tuple(nodes))


def by_configuration(worths: Worths, games: CardGames) -> Worths:
    """Return what the games of a turn are worth, `float32[s, k, l]`."""
    return np.moveaxis(worths.reshape(games.shape), -1, 0)


def begun(starts: Starts, group: Group, turns: int) -> tuple[Rows, Rows]:
    """Return the numbers of the starts of Periods that a group has with so many turns left, and their rows in it."""
    place = starts.place[turns][group.rows[turns]]
    mine = np.flatnonzero(place >= 0)
    return place[mine], mine
