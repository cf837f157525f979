"""The grids of one group of configurations: the nodes that err least where duels go, or points where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.solvers.games import Floats
from balance.games.edadh.solving.approximate.grid import CAP, Grid, Nodes, Worths, at_damage
from balance.games.edadh.solving.approximate.lists.configurations import Group
from balance.games.edadh.solving.approximate.lists.end_tables import EndTable
from balance.games.edadh.solving.approximate.nodes import (
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
from balance.games.edadh.solving.approximate.on_grid import Decide, OnGrid, by_configuration
from balance.games.edadh.solving.approximate.periods import Grids, Period
from balance.games.edadh.solving.approximate.prediction import Prediction, chosen_points
from balance.games.edadh.solving.moves import Rows, parts

__all__ = ["Detail", "beside", "every_grid", "on_finer_grids"]

Chosen = tuple[tuple[Nodes, Nodes], Prediction | None]
"""Nodes of side a and of side b, and how worths there are told from those at points, if they are."""
CHEAPER = 16
"""Times as many positions at the end of a Period as with turns left take as long: nearly none is a game of mixes."""
NO_NODES = ((CAP,), (CAP,))
"""Nodes of a grade without configurations."""
MANY = 200
"""So many configurations that no duel came to have worths at points only, `CHEAPER` times as many at a Period's end."""
GAMES_AT_ONCE = 2000
"""Games decided at once, where some are looked at closely."""


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


def on_finer_grids(period: Period, reach: Reach, spread: Worths, decide: Decide, detail: Detail) -> OnGrid:
    """Return the Periods of a group on the grids that err least for their price, gone through but for their first turn.

    The nodes with no turn left are chosen first; what the Periods are worth on these tells where worths bend with one
    turn left, and so on: bends that the nodes below do not see would not be seen above either.

    Parameters
    ----------
    spread
        What starts of Periods are worth at every MP, as far as that is known, `float32[n, WIDTH, WIDTH]`.
    """
    chosen: list[list[Chosen]] = [[] for _ in period.group.grades[0]]
    on, below = OnGrid(period, _grids(chosen)), spread
    for turns, grades in enumerate(period.group.grades):
        if turns:
            below = on.led_from(turns - 1, below, decide)
        for own, rows in zip(chosen, grades, strict=True):
            own.append(_chosen(period, turns, rows, reach, below, decide, detail))
        on.grids = _grids(chosen)
    return on


def _chosen(
    period: Period, turns: int, rows: slice, reach: Reach, worths: Worths, decide: Decide, detail: Detail
) -> Chosen:
    n_rows = rows.stop - rows.start
    if not n_rows:
        return NO_NODES, None
    places = reach.places(rows, turns, period.group.rows[turns])
    lines = _lines(period, turns, rows, places, worths, decide)
    least, cheaper = (LEAST, 1) if turns else (0, CHEAPER)
    if n_rows < MANY * cheaper or len(places.rows):
        return chosen_nodes(places, lines, n_rows, detail.price / cheaper, least), None
    nodes = fine_nodes(places, lines, detail.fine, least)
    some = np.linspace(rows.start, rows.stop - 1, detail.sampled).astype(np.intp)
    mp = Grid((nodes,) * (turns + 1)).mp(turns, period.listed.damage(turns, some))
    sample = _some(period, turns, some, mp, worths, decide)
    weights = node_weights(places, nodes)
    return nodes, chosen_points(sample.reshape(len(some), -1), weights, detail.told / cheaper * n_rows)


def _lines(period: Period, turns: int, rows: slice, places: Places, below: Worths, decide: Decide) -> list[Floats]:
    """Return worths by the MP of side a, and of side b, at each of `OFFSETS`, through some of the places.

    Of each side `float64[s, o]`, at the MP above the damage that the other side has there.
    """
    (some, one), (_, other) = (looked_at(places, side, rows) for side in (0, 1))
    moving = np.tile(LOOKED, (len(some), 1))
    one_still, other_still = (np.broadcast_to(own[:, None], moving.shape) for own in (one, other))
    above = (moving, one_still), (other_still, moving)
    damage = period.listed.damage(turns, some)
    mp = [at_damage(turns, np.hstack(own), hurt)[:, :, None] for own, hurt in zip(above, damage, strict=True)]
    worths = _some(period, turns, some, (mp[0], mp[1]), below, decide)[:, :, 0]
    return [np.stack([np.interp(OFFSETS, LOOKED, each) for each in own]) for own in np.split(worths, 2, axis=1)]


def _some(
    period: Period, turns: int, rows: Rows, mp: tuple[IntArray, IntArray], below: Worths, decide: Decide
) -> Worths:
    """Return what some configurations are worth at some MP, `float32[s, k, l]`."""
    worths = period.team.empty(np.broadcast_shapes(mp[0].shape, mp[1].shape))

    def turn(part: slice) -> None:
        games = period.lists.table(period.group, turns, rows[part]).at((mp[0][part], mp[1][part]))
        worths[part] = by_configuration(decide(("some", turns, part.start, games.shape), games.payoffs(below)), games)

    def end(table: EndTable) -> None:
        mine = within(rows, table.rows)
        own = np.maximum(mp[0][mine], 0), np.maximum(mp[1][mine], 0)
        found = np.empty(worths[mine].shape, np.float32)
        games = table.some(rows[mine] - table.rows.start).at(own, period.starts.endings, period.n_mp)
        for where, payoffs in games.payoffs(below):
            found.reshape(-1)[where] = decide(("some", table.rows.start, payoffs.shape), payoffs)
        worths[mine] = found

    if turns:
        at_once = max(1, GAMES_AT_ONCE // worths[0].size)
        period.team.run(turn, period.team.own(parts(slice(0, len(rows)), at_once)))
    else:
        tables = chain.from_iterable(own.values() for own in period.ends)
        period.team.run(end, (table for table in tables if len(within(rows, table.rows))))
    return worths


def _grids(found: Sequence[Sequence[Chosen]]) -> Grids:
    return tuple(Grid(tuple(nodes for nodes, _ in own), tuple(told for _, told in own)) for own in found)


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
