"""The Periods of one group of configurations on a grid, gone through again and again.

From their ends to their starts every configuration has its games solved, or answered, at the nodes of the grid; what
starts of Periods are worth is written down, and next time the ends lead to that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from balance.games.edadh.solving.card_tables import CardGames, CardTable, card_table, card_tables
from balance.games.edadh.solving.configurations import Configurations, Group
from balance.games.edadh.solving.end_tables import EndTable, Starts
from balance.games.edadh.solving.grid import CAP, WIDTH, Grid, Nodes, Worths, at_damage
from balance.games.edadh.solving.moves import Rows, parts
from balance.games.edadh.solving.nodes import (
    LEAST,
    LOOKED,
    OFFSETS,
    Places,
    Reach,
    chosen_nodes,
    every_node,
    fine_nodes,
    looked_at,
    node_weights,
    nodes_beside,
    within,
)
from balance.games.edadh.solving.prediction import Prediction, chosen_points
from balance.pmf.arrays import IntArray
from balance.solvers.games import Floats

__all__ = [
    "Decide",
    "Detail",
    "Graded",
    "Grids",
    "OnGrid",
    "Period",
    "begun",
    "beside",
    "by_grade",
    "every_grid",
    "n_positions",
    "pieces",
    "rested",
    "spread_at",
    "tired",
]

Decide = Callable[[object, Worths], Worths]
"""(which games, payoffs `[m, n, g]`) -> what they are worth, `[g]`."""
Graded = tuple[Worths, ...]
"""Worths at nodes, `float32[n, k, l]` for each grade."""
Chosen = tuple[tuple[Nodes, Nodes], Prediction | None]
"""Nodes of side a and of side b, and how worths there are told from those at points, if they are."""
Grids = tuple[Grid, ...]
"""The grids of the grades of a group; the last one is that of all beyond, too."""
CHEAPER = 16
"""Times as many positions at the end of a Period as with turns left take as long: nearly none is a game of mixes."""
NO_NODES = ((CAP,), (CAP,))
"""Nodes of a grade without configurations."""
MANY = 200
"""So many configurations that no duel came to have worths at points only, `CHEAPER` times as many at a Period's end."""
AT_ONCE = 2000
"""Games that are decided at once, where some are looked at closely."""
SPREAD = 256
"""Configurations whose worths are spread over all MP together."""
DECIDED = 4
"""So many times more often a Period is called a draw where the duel is all but decided: to win now or later differs
by less than worths err, and play would wait. Elsewhere to count on draws that never come costs more.
"""
RESTS = 20
"""Times that what a draw has taken is worked out: each leaves a hundredth of the error."""
STRIDE = 4
"""How far starts of Periods go every third time, in steps from what they were to what was found, if they settle slowly.

Of what changes by a share s each time, s^2 (4s - 3) is left after three: what settles slowly does so twice as fast, and
nothing gets away from what it settles at. (Over-relaxation: Reetz, "Solution of a Markovian decision problem by
successive overrelaxation", 1973.)
"""


class Detail(NamedTuple):
    """How closely worths are looked at when nodes are chosen.

    Attributes
    ----------
    price
        What a position costs at nodes, in squared errors times visits of a duel.
    told
        What it costs at points, in squared errors.
    fine
        Nodes of either side between which points tell.
    sampled
        Configurations that show what points tell.
    """

    price: float
    told: float
    fine: int
    sampled: int


@dataclass(frozen=True, eq=False)
class Period:
    """The Periods of a group, by its number among those of the duel.

    Attributes
    ----------
    ends
        The ends of Periods, by grade, in parts.
    turns
        For 0 (none), 1 ... turns left, by grade, in parts.
    """

    listed: Configurations
    number: int
    group: Group
    starts: Starts
    ends: tuple[tuple[EndTable, ...], ...]
    turns: tuple[tuple[tuple[CardTable, ...], ...], ...]
    pool: ThreadPoolExecutor

    @classmethod
    def of(cls, listed: Configurations, number: int, starts: Starts, pool: ThreadPoolExecutor) -> Period:
        """List the choices of a group, given by its number among those of the duel."""
        group = listed.groups[number]
        turns = tuple(
            tuple(card_tables(listed, group, turns, grade, pool) for grade in range(len(grades))) if turns else ()
            for turns, grades in enumerate(group.grades)
        )
        return cls(listed, number, group, starts, starts.tables[number], turns, pool)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Configurations with 0, 1 ... turns left."""
        return tuple(rows.stop - rows.start for rows in self.group.rows)

    @property
    def n_mp(self) -> int:
        """MP that a side may have, 0 among them."""
        return self.listed.moves.duel.arena.read.mp_cap + 1

    def finer(self, reach: Reach, spread: Worths, decide: Decide, detail: Detail) -> Grids:
        """Return the grids that err least for their price, by grade.

        The nodes with no turn left are chosen first; what the Periods are worth on these tells where worths bend with
        one turn left, and so on: bends that the nodes below do not see would not be seen above either.

        Parameters
        ----------
        spread
            What starts of Periods are worth at every MP, as far as that is known, `float32[n, WIDTH, WIDTH]`.
        """
        found: list[list[Chosen]] = [[] for _ in self.group.grades[0]]
        below = spread
        for turns, grades in enumerate(self.group.grades):
            if turns:
                below = OnGrid(self, _grids(found)).led_from(turns - 1, below, decide)
            for own, rows in zip(found, grades, strict=True):
                own.append(self._chosen(turns, rows, reach, below, decide, detail))
        return _grids(found)

    def _chosen(self, turns: int, rows: slice, reach: Reach, worths: Worths, decide: Decide, detail: Detail) -> Chosen:
        n_rows = rows.stop - rows.start
        if not n_rows:
            return NO_NODES, None
        places = reach.places(rows, turns, self.group.rows[turns])
        lines = self._lines(turns, rows, places, worths, decide)
        least, cheaper = (LEAST, 1) if turns else (0, CHEAPER)
        if n_rows < MANY * cheaper or len(places.rows):
            return chosen_nodes(places, lines, n_rows, detail.price / cheaper, least), None
        nodes = fine_nodes(places, lines, detail.fine, least)
        some = np.linspace(rows.start, rows.stop - 1, detail.sampled).astype(np.intp)
        mp = Grid((nodes,) * (turns + 1)).mp(turns, self.listed.damage(turns, some))
        sample = self._some(turns, some, mp, worths, decide)
        weights = node_weights(places, nodes)
        return nodes, chosen_points(sample.reshape(len(some), -1), weights, detail.told / cheaper * n_rows)

    def _lines(self, turns: int, rows: slice, places: Places, below: Worths, decide: Decide) -> list[Floats]:
        """Return worths by the MP of side a, and of side b, at each of `OFFSETS`, through some of the places.

        Of each side `float64[s, o]`, at the MP above the damage that the other side has there.
        """
        (some, one), (_, other) = (looked_at(places, side, rows) for side in (0, 1))
        moving = np.tile(LOOKED, (len(some), 1))
        one_still, other_still = (np.broadcast_to(own[:, None], moving.shape) for own in (one, other))
        above = (moving, one_still), (other_still, moving)
        damage = self.listed.damage(turns, some)
        mp = [at_damage(turns, np.hstack(own), hurt)[:, :, None] for own, hurt in zip(above, damage, strict=True)]
        worths = self._some(turns, some, (mp[0], mp[1]), below, decide)[:, :, 0]
        return [np.stack([np.interp(OFFSETS, LOOKED, each) for each in own]) for own in np.split(worths, 2, axis=1)]

    def _some(self, turns: int, rows: Rows, mp: tuple[IntArray, IntArray], below: Worths, decide: Decide) -> Worths:
        """Return what some configurations are worth at some MP, `float32[s, k, l]`."""
        worths = np.empty(np.broadcast_shapes(mp[0].shape, mp[1].shape), np.float32)

        def turn(table: CardTable) -> None:
            games = table.at((mp[0][table.rows], mp[1][table.rows]))
            key = ("some", turns, table.rows.start, games.shape)
            worths[table.rows] = by_configuration(decide(key, games.payoffs(below)), games)

        def end(table: EndTable) -> None:
            mine = within(rows, table.rows)
            own = np.maximum(mp[0][mine], 0), np.maximum(mp[1][mine], 0)
            found = np.empty(worths[mine].shape, np.float32)
            games = table.some(rows[mine] - table.rows.start).payoffs(own, self.starts.endings, self.n_mp, below)
            for where, payoffs in games:
                found.reshape(-1)[where] = decide(("some", table.rows.start, payoffs.shape), payoffs)
            worths[mine] = found

        if turns:
            every = card_table(self.listed, self.group, turns, rows, slice(0, len(rows)))
            self.each(turn, list(every.parts(max(1, AT_ONCE // worths[0].size))))
        else:
            self.each(end, [table for table in chain.from_iterable(self.ends) if len(within(rows, table.rows))])
        return worths

    def each(self, do: Callable[..., None], parts_: Sequence[object]) -> None:
        """Do something with each of some parts, on all cores."""
        for _ in self.pool.map(do, parts_):
            pass


def _grids(found: Sequence[Sequence[Chosen]]) -> Grids:
    return tuple(Grid(tuple(nodes for nodes, _ in own), tuple(told for _, told in own)) for own in found)


class OnGrid:
    """The Periods of a group on grids.

    Parameters
    ----------
    period
        The group.
    grids
        Those of its grades; the last one also of all beyond.
    """

    def __init__(self, period: Period, grids: Grids) -> None:
        self.period, self.grids = period, by_grade(grids, len(period.group.grades[0]))
        self._games = dict[tuple[int, int, int], CardGames]()

    @property
    def size(self) -> int:
        """Positions that are decided, those at the end of a Period among them."""
        return n_positions(self.period.group, self.grids)

    @cached_property
    def _below(self) -> list[Worths]:
        """Room for the worths at every MP of configurations with 0, 1 ... turns left."""
        return [np.empty((n, WIDTH, WIDTH), np.float32) for n in self.period.sizes[:-1]]

    def spread(self, turns: int, values: Graded) -> Worths:
        """Return worths at every MP of the group's configurations with so many turns left, until asked again."""
        room, first = self._below[turns], self.period.group.rows[turns].start

        def one(part: tuple[Grid, Worths, slice, slice]) -> None:
            grid, own, rows, mine = part
            damage = self.period.listed.damage(turns, rows)
            grid.spread(turns, own[mine], damage, room[rows.start - first : rows.stop - first])

        self.period.each(
            one,
            [
                (grid, own, rows, slice(rows.start - grade.start, rows.stop - grade.start))
                for grid, own, grade in pieces(self.period.group, self.grids, turns, values)
                for rows in parts(grade, SPREAD)
            ],
        )
        return room

    def swept(
        self,
        spread: Worths,
        decide: Decide,
        tires: float = 0.0,
        below: list[Worths] | None = None,
        stride: float = 1.0,
    ) -> tuple[list[Graded], float]:
        """Go through the Periods once, from their ends to their starts.

        Parameters
        ----------
        spread
            What starts of Periods are worth at every MP; those of this group are written anew, unless all is known.
        tires
            The chance that a duel is called a draw when a Period starts.
        below
            For 0 (none), 1 ... turns left what turns lead to is worth; what is found on the way if nothing is said.
        stride
            How far the starts go, in steps from what they were to what is found.

        Returns
        -------
        values, change
            For 0, 1 ... turns left the worths at nodes, `float32[n, k, l]` by grade; how far starts were from it.
        """
        values, change = [self._ends(spread, decide)], 0.0
        for turns in range(1, len(self.period.turns)):
            led_to = self.spread(turns - 1, values[-1]) if below is None else below[turns]
            values.append(self._turns(turns, led_to, decide))
            if below is None:
                change = max(change, self._begin(turns, values[-1], spread, tires, stride))
        return values, change

    def settled(
        self, spread: Worths, decide: Decide, change: float, most: int, tires: float = 0.0
    ) -> tuple[list[Graded], list[float]]:
        """Go through the Periods until starts change by less, or have gone `most` steps.

        Returns the worths, and the changes by then.
        """
        changes, gone, stride = list[float](), 0, 1
        while gone < most and (stride > 1 or not changes or changes[-1] > change):
            slow = len(changes) % 3 == 2 and changes[-1] > changes[-2] / 2
            stride = min(STRIDE if slow else 1, most - gone)
            values, last = self.swept(spread, decide, tires, stride=stride)
            changes.append(last)
            gone += stride
        return values, changes

    @cached_property
    def own(self) -> Rows:
        """The numbers of the group's starts of Periods."""
        period = self.period
        return np.concatenate([begun(period.starts, period.group, turns)[0] for turns in range(1, len(period.turns))])

    def led_from(self, turns: int, below: Worths, decide: Decide) -> Worths:
        """Return what configurations with so many turns left are worth at every MP, by what these lead to."""
        return self.spread(turns, self._turns(turns, below, decide) if turns else self._ends(below, decide))

    def led_to(self, values: Sequence[Graded], spread: Worths) -> list[Worths]:
        """Return what configurations with 0, 1 ... turns left lead to is worth at every MP."""
        return [spread, *(self.spread(turns, values[turns]) for turns in range(len(values) - 1))]

    def _room(self, turns: int) -> Graded:
        """Return room for worths at the nodes of each grade."""
        return tuple(
            np.empty((rows.stop - rows.start, *grid.shape(turns)), np.float32)
            for rows, grid in zip(self.period.group.grades[turns], self.grids, strict=True)
        )

    def _ends(self, spread: Worths, decide: Decide) -> Graded:
        period, values = self.period, self._room(0)

        def end(which: tuple[int, int]) -> None:
            grade, number = which
            table, first = period.ends[grade][number], period.group.grades[0][grade].start
            own = values[grade][table.rows.start - first : table.rows.stop - first].reshape(-1)
            mp = self.grids[grade].mp(0, period.listed.damage(0, table.rows))
            for where, payoffs in table.payoffs(mp, period.starts.endings, period.n_mp, spread):
                own[where] = decide((0, grade, number, payoffs.shape), payoffs)

        self.period.each(end, [(grade, number) for grade, own in enumerate(period.ends) for number in range(len(own))])
        return values

    def _turns(self, turns: int, below: Worths, decide: Decide) -> Graded:
        tables, values = self.period.turns[turns], self._room(turns)

        def turn(which: tuple[int, int]) -> None:
            grade, number = which
            table, key = tables[grade][number], (turns, grade, number)
            placed = self._games.get(key) or table.at(self.grids[grade].mp(turns, table.damage))
            self._games[key] = placed
            values[grade][table.rows] = by_configuration(decide(key, placed.payoffs(below)), placed)

        self.period.each(turn, [(grade, number) for grade, own in enumerate(tables) for number in range(len(own))])
        return values

    def _begin(self, turns: int, values: Graded, spread: Worths, tires: float, stride: float) -> float:
        """Tire of the group's starts with so many turns, and write them down; return by how much they change."""
        place, rows = begun(self.period.starts, self.period.group, turns)
        if not len(rows):
            return 0.0
        for _, own, grade in pieces(self.period.group, self.grids, turns, values):
            mine = rows[within(rows, grade)] - grade.start
            own[mine] = tired(own[mine], tires)
        new = spread_at(self.period.listed, self.period.group, self.grids, turns, values, rows)
        step = new - spread[place]
        spread[place] = np.clip(new + np.float32(stride - 1) * step, 0, 1)
        return float(np.sqrt(np.mean(step**2)))


def tired(worths: Worths, tires: float) -> Worths:
    """Return what starts of Periods are worth where so large a share is called a draw, more where all but decided.

    >>> [round(float(each), 4) for each in tired(np.array([0.5, 0.7, 1.0], np.float32), 0.001)]
    [0.5, 0.6998, 0.9975]
    """
    share = np.float32(tires) * (1 + DECIDED * (2 * worths - 1) ** 8)
    return np.asarray(worths + share * (np.float32(0.5) - worths), np.float32)


def rested(worth: float, tires: float) -> float:
    """Return what a start of a Period was worth before it was called a draw by a share.

    >>> round(rested(0.9975, 0.001), 6), round(rested(float(tired(np.array([0.9]), 0.001)[0]), 0.001), 5)
    (1.0, 0.9)
    """
    before = worth
    for _ in range(RESTS):
        before = worth + tires * (1 + DECIDED * (2 * before - 1) ** 8) * (before - 0.5)
    return before


def every_grid(group: Group, reach: Reach) -> Grid:
    """Return a grid for a group with nodes at every number of MP."""
    nodes = (every_node(reach.places(rows, turns), LEAST if turns else 0) for turns, rows in enumerate(group.rows))
    return Grid(tuple(nodes))


def beside(grids: Grids) -> Grids:
    """Return the grids of those who answer a play on these."""
    return _grids([[_other(own, grid.prediction(turns)) for turns, own in enumerate(grid.nodes)] for grid in grids])


def _other(nodes: tuple[Nodes, Nodes], told: Prediction | None) -> Chosen:
    """Return nodes beside these; of points themselves and more."""
    if told is not None:
        return nodes, told.closer
    one, other = nodes
    return (nodes_beside(one), nodes_beside(other)), None


def by_grade(grids: Grids, n_grades: int) -> Grids:
    """Return a grid for each grade: the last one for all beyond."""
    return (*grids, *grids[-1:] * (n_grades - len(grids)))[:n_grades]


def n_positions(group: Group, grids: Grids) -> int:
    """Return how many positions there are at the nodes of a group."""
    return sum(
        (rows.stop - rows.start) * math.prod(grid.shape(turns))
        for turns, grades in enumerate(group.grades)
        for grid, rows in zip(by_grade(grids, len(grades)), grades, strict=True)
    )


def pieces(group: Group, grids: Grids, turns: int, values: Graded) -> Iterator[tuple[Grid, Worths, slice]]:
    """Yield the grid of each grade, its worths at nodes with so many turns left, and which configurations it has."""
    yield from zip(by_grade(grids, len(values)), values, group.grades[turns], strict=True)


def spread_at(listed: Configurations, group: Group, grids: Grids, turns: int, values: Graded, rows: Rows) -> Worths:
    """Return the worths of some of a group's configurations at every MP, `float32[n, WIDTH, WIDTH]`."""
    spread = np.empty((len(rows), WIDTH, WIDTH), np.float32)
    for grid, own, grade in pieces(group, grids, turns, values):
        mine = within(rows, grade)
        if len(mine):
            damage = listed.damage(turns, rows[mine])
            spread[mine] = grid.spread(turns, own[rows[mine] - grade.start], damage)
    return spread


def by_configuration(worths: Worths, games: CardGames) -> Worths:
    """Return what the games of a turn are worth, `float32[s, k, l]`."""
    return np.moveaxis(worths.reshape(games.shape), -1, 0)


def begun(starts: Starts, group: Group, turns: int) -> tuple[Rows, Rows]:
    """Return the numbers of the starts of Periods that a group has with so many turns left, and which they are."""
    place = starts.place[turns][group.rows[turns]]
    mine = np.flatnonzero(place >= 0)
    return place[mine], group.rows[turns].start + mine
