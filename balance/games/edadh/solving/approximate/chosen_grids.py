"""The grids of one group of configurations: nodes placed by least squared error where duels go, points elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.games.edadh.solving.approximate.grid import CAP, Grid, Nodes, Worths, at_damage
from balance.games.edadh.solving.approximate.lists.configurations import Group
from balance.games.edadh.solving.approximate.lists.end_tables import EndTable
from balance.games.edadh.solving.approximate.nodes import (
    MIN_OFFSET,
    OFFSETS,
    SAMPLE_OFFSETS,
    Places,
    Reach,
    chosen_nodes,
    every_node,
    fine_nodes,
    node_weights,
    nodes_beside,
    sample_places,
    within,
)
from balance.games.edadh.solving.approximate.on_grid import Decide, OnGrid, by_configuration
from balance.games.edadh.solving.approximate.periods import Grids, Period
from balance.games.edadh.solving.approximate.prediction import Prediction, chosen_points
from balance.games.edadh.solving.moves import Rows, parts

NodeChoice = tuple[tuple[Nodes, Nodes], Prediction | None]
"""Nodes of side a and of side b, and how worths there are told from those at points, if they are."""
CHEAPER = 16
"""Times as many positions at the end of a Period as with turns left take as long: nearly none is a game of mixes."""
NO_NODES = ((CAP,), (CAP,))
"""Nodes of a grade without configurations."""
POINTS_FROM = 200
"""So many configurations that no duel came to have worths at points only, `CHEAPER` times as many at a Period's end."""
GAMES_AT_ONCE = 2000
"""Games decided at once, where some are looked at closely."""


class Detail(NamedTuple):
    """How closely worths are looked at when nodes are chosen.

    `price`: what a position costs at nodes, in squared errors times visits of a duel. `point_price`: what it costs at
    points, in squared errors. `fine`: nodes of either side between which points predict. `n_samples`: configurations
    solved at all nodes, from which the prediction is learnt.
    """

    price: float
    point_price: float
    fine: int
    n_samples: int


def on_finer_grids(period: Period, reach: Reach, spread: Worths, decide: Decide, detail: Detail) -> OnGrid:
    """Return the Periods of a group on the grids of least error for their price, solved but for their first turn.

    The nodes with no turn left are chosen first; what the Periods are worth on these tells where worths bend with one
    turn left, and so on: bends that the nodes below do not see would not be seen above either. `spread` has the worths
    of starts of Periods at every MP, as far as that is known, `float32[n, WIDTH, WIDTH]`.
    """
    choices: list[list[NodeChoice]] = [[] for _ in period.group.grades[0]]
    on, below = OnGrid(period, _grids(choices)), spread
    for turns, grades in enumerate(period.group.grades):
        if turns:
            below = on.worths_above(turns - 1, below, decide)
        for grade_choices, rows in zip(choices, grades, strict=True):
            grade_choices.append(_choose_nodes(period, turns, rows, reach, below, decide, detail))
        on.grids = _grids(choices)
    return on


def _choose_nodes(
    period: Period, turns: int, rows: slice, reach: Reach, worths: Worths, decide: Decide, detail: Detail
) -> NodeChoice:
    n_rows = rows.stop - rows.start
    if not n_rows:
        return NO_NODES, None
    places = reach.places(rows, turns, period.group.rows[turns])
    lines = _lines(period, turns, rows, places, worths, decide)
    min_node, cheaper = (MIN_OFFSET, 1) if turns else (0, CHEAPER)
    if n_rows < POINTS_FROM * cheaper or len(places.rows):
        return chosen_nodes(places, lines, n_rows, detail.price / cheaper, min_node), None
    nodes = fine_nodes(places, lines, detail.fine, min_node)
    sample_rows = np.linspace(rows.start, rows.stop - 1, detail.n_samples).astype(np.intp)
    mp = Grid((nodes,) * (turns + 1)).mp(turns, period.configurations.damage(turns, sample_rows))
    sample = _worths_at(period, turns, sample_rows, mp, worths, decide)
    weights = node_weights(places, nodes)
    return nodes, chosen_points(sample.reshape(len(sample_rows), -1), weights, detail.point_price / cheaper * n_rows)


def _lines(period: Period, turns: int, rows: slice, places: Places, below: Worths, decide: Decide) -> list[FloatArray]:
    """Return worths by the MP of side a, and of side b, at each of `OFFSETS`, through a sample of the places.

    Each is `float64[s, o]`, at the MP above the damage that the other side has there.
    """
    (line_rows, a_offset), (_, b_offset) = (sample_places(places, side, rows) for side in (0, 1))
    scan = np.tile(SAMPLE_OFFSETS, (len(line_rows), 1))
    one_still, other_still = (np.broadcast_to(side_values[:, None], scan.shape) for side_values in (a_offset, b_offset))
    above = (scan, one_still), (other_still, scan)
    damage = period.configurations.damage(turns, line_rows)
    mp = [
        at_damage(turns, np.hstack(side_values), side_damage)[:, :, None]
        for side_values, side_damage in zip(above, damage, strict=True)
    ]
    worths = _worths_at(period, turns, line_rows, (mp[0], mp[1]), below, decide)[:, :, 0]
    return [
        np.stack([np.interp(OFFSETS, SAMPLE_OFFSETS, line) for line in side_values])
        for side_values in np.split(worths, 2, axis=1)
    ]


def _worths_at(
    period: Period, turns: int, rows: Rows, mp: tuple[IntArray, IntArray], below: Worths, decide: Decide
) -> Worths:
    """Solve s configurations at MP that need not be nodes, and return their worths, `float32[s, k, l]`."""
    worths = period.team.empty(np.broadcast_shapes(mp[0].shape, mp[1].shape))

    def turn(part: slice) -> None:
        games = period.lists.table(period.group, turns, rows[part]).at((mp[0][part], mp[1][part]))
        worths[part] = by_configuration(decide(("some", turns, part.start, games.shape), games.payoffs(below)), games)

    def end(table: EndTable) -> None:
        table_rows = within(rows, table.rows)
        side_mp = np.maximum(mp[0][table_rows], 0), np.maximum(mp[1][table_rows], 0)
        values = np.empty(worths[table_rows].shape, np.float32)
        games = table.subset(rows[table_rows] - table.rows.start).at(side_mp, period.starts.endings, period.n_mp)
        for index, payoffs in games.payoffs(below):
            values.reshape(-1)[index] = decide(("some", table.rows.start, payoffs.shape), payoffs)
        worths[table_rows] = values

    if turns:
        at_once = max(1, GAMES_AT_ONCE // worths[0].size)
        period.team.run(turn, period.team.share_of(parts(slice(0, len(rows)), at_once)))
    else:
        tables = chain.from_iterable(grade_tables.values() for grade_tables in period.ends)
        period.team.run(end, (table for table in tables if len(within(rows, table.rows))))
    return worths


def _grids(choices: Sequence[Sequence[NodeChoice]]) -> Grids:
    return tuple(
        Grid(tuple(nodes for nodes, _ in grade_choices), tuple(prediction for _, prediction in grade_choices))
        for grade_choices in choices
    )


def every_grid(group: Group, reach: Reach) -> Grid:
    """Return a grid with nodes at every number of MP that duels came to, and a little beyond."""
    nodes = (every_node(reach.places(rows, turns), MIN_OFFSET if turns else 0) for turns, rows in enumerate(group.rows))
    return Grid(tuple(nodes))


def beside(grids: Grids) -> Grids:
    """Return the grids on which a best response to play on these is computed: half their nodes, and others between."""
    return _grids(
        [
            [_choice_beside(node_pair, grid.prediction(turns)) for turns, node_pair in enumerate(grid.nodes)]
            for grid in grids
        ]
    )


def _choice_beside(nodes: tuple[Nodes, Nodes], prediction: Prediction | None) -> NodeChoice:
    """Return every other node and others halfway (`nodes_beside`); of points these and more (`Prediction.closer`)."""
    if prediction is not None:
        return nodes, prediction.closer
    a_nodes, b_nodes = nodes
    return (nodes_beside(a_nodes), nodes_beside(b_nodes)), None
