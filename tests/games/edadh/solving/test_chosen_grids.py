"""The grids of a group: lines of worths by the rules, finer grids that err less, points that tell nodes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product

import numpy as np
import pytest

from balance.base.arrays import FloatArray
from balance.chance.rolls.process import take_trials
from balance.chance.solvers.team import alone
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate import chosen_grids as module
from balance.games.edadh.solving.approximate.chosen_grids import Detail, _lines, beside, every_grid, on_finer_grids
from balance.games.edadh.solving.approximate.grid import CAP, LOW, Grid, Worths
from balance.games.edadh.solving.approximate.grid_worth import GridWorth
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.approximate.lists.end_tables import Starts
from balance.games.edadh.solving.approximate.lists.turn_lists import TurnLists
from balance.games.edadh.solving.approximate.nodes import (
    MIN_OFFSET,
    OFFSETS,
    SAMPLE_OFFSETS,
    chosen_nodes,
    sample_places,
)
from balance.games.edadh.solving.approximate.on_grid import OnGrid
from balance.games.edadh.solving.approximate.periods import Period
from balance.games.edadh.solving.approximate.value_iteration import Precision, iterate
from tests.games.edadh.solving.test_on_grid import Known, N, by_rule, leading_anywhere, solved
from tests.games.edadh.solving.worths import moves, reached


@pytest.fixture
def known() -> Iterator[Known]:
    """Return Periods of two turns."""
    with leading_anywhere("spears:2", "shieldsmen:2") as found:
        yield found


@pytest.mark.parametrize("turns", [0, 1, 2])
@pytest.mark.parametrize("side", [0, 1])
def test_lines_of_worths_are_those_of_the_rules(known: Known, turns: int, side: int) -> None:
    """Through positions that duels come to, by the MP of one side, at the MP of the other; straight between those."""
    period, worth, _, below = known
    where = period.group.rows[turns]
    places = reached(period.configurations).places(where, turns)
    lines = _lines(period, turns, where, places, below[turns], solved)[side]
    rows, offset = sample_places(places, 1 - side, where)
    assert lines.shape == (len(rows), len(OFFSETS))
    rng, cap = np.random.default_rng(4), period.n_mp - 1
    for at in rng.integers(0, len(lines), 4).tolist():
        column = rng.choice(SAMPLE_OFFSETS[0 if turns else -MIN_OFFSET :] - MIN_OFFSET, N)
        state = take_trials(period.configurations.columns[turns], np.full(N, rows[at]))
        for name, own in ((SIDES[side], OFFSETS[column]), (SIDES[1 - side], np.full(N, offset[at]))):
            base = state[f"{name}_damage"] * (turns > 0)
            state[f"{name}_mp"] = np.minimum(own + base, cap).astype(np.int16)
        assert lines[at, column] == pytest.approx(by_rule(worth, state), abs=1e-5)
        assert lines[at] == pytest.approx(
            np.interp(OFFSETS, SAMPLE_OFFSETS, lines[at, SAMPLE_OFFSETS - MIN_OFFSET]), abs=1e-6
        )


@pytest.mark.slow("test_lines_of_worths_are_those_of_the_rules")
def test_on_finer_grids_err_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cheaper a position, the more nodes, and the nearer worths on them are to those at every number.

    Worths without sense bend at every number, so all of them are looked at.
    """
    monkeypatch.setattr(module, "SAMPLE_OFFSETS", OFFSETS)
    with leading_anywhere("shieldsmen+archers", "spears/swords") as known:
        _finer(*known)


def _finer(period: Period, worth: GridWorth, spread: Worths, below: list[Worths]) -> None:
    reach = reached(period.configurations)
    every = every_grid(period.group, reach)
    missed, sizes = [], []
    exact, _ = OnGrid(period, (every,)).sweep(spread, solved, below=below)
    for price in (1e-3, 1e-6, 1e-9):
        (grid,) = on_finer_grids(period, reach, spread, solved, Detail(price, price, 13, 160)).grids
        on = OnGrid(period, (grid,))
        values, _ = on.sweep(spread, solved, below=below)
        squares = list[FloatArray]()
        for turns, (own, told) in enumerate(zip(values, exact, strict=True)):
            rows = period.group.rows[turns]
            places = reach.places(rows, turns)
            row, a, b = places.rows - rows.start, *(mp.astype(np.intp) - LOW for mp in places.mp)
            damage = period.configurations.damage(turns, rows)
            found, true = (g.spread(turns, v, damage)[row, a, b] for g, (v,) in ((grid, own), (every, told)))
            squares.append((found - true) ** 2)
        missed.append(float(np.sqrt(np.concatenate(squares).mean())))
        sizes.append(on.size)
    assert sizes == sorted(sizes) and len(set(sizes)) == 3
    assert missed == sorted(missed, reverse=True)
    assert missed[-1] < 0.6 * missed[0]
    assert all(min(one, other)[0] >= (MIN_OFFSET if turns else 0) for turns, (one, other) in enumerate(grid.nodes))
    assert worth.configurations is period.configurations


@pytest.mark.slow("test_lines_of_worths_are_those_of_the_rules")
def test_what_was_found_when_nodes_were_chosen_need_not_be_found_again(known: Known) -> None:
    """To the bit as if it were; but for the first turn of a Period it is all there."""
    period, _, spread, _ = known
    on = on_finer_grids(period, reached(period.configurations), spread, solved, Detail(1e-7, 1e-7, 13, 160))
    assert len(on.node_values) == len(period.turns) - 1
    before, after = spread.copy(), spread.copy()
    anew, changes = OnGrid(period, on.grids).settle(before, solved, 0.01, 9)
    again, alike = on.settle(after, solved, 0.01, 9, before=on.node_values)
    assert changes == alike and np.array_equal(before, after)
    for one, other in zip(chain(*anew), chain(*again), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.slow("test_lines_of_worths_are_those_of_the_rules")
def test_many_configurations_that_no_duel_came_to_have_worths_at_a_few_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly what each node would be worth by what it leads to; those who answer have these and more."""
    monkeypatch.setattr(module, "POINTS_FROM", 20)
    listed = Configurations.of(moves("shieldsmen+archers", "spears", "a.mp=3", "b.mp=4"))
    worth = iterate(listed, reached(listed), Precision(max_full_positions=0)).worth
    lists, starts, number_told = TurnLists.of(worth.configurations), Starts.of(worth.configurations), 0
    with alone() as team:
        for number, grids in enumerate(worth.grids):
            period = Period.of(lists, number, starts, team)
            at_nodes_, at_points = OnGrid(period, tuple(Grid(grid.nodes) for grid in grids)), OnGrid(period, grids)
            below = [worth.begins(starts), *(worth.spread(number, turns) for turns in range(len(period.turns) - 1))]
            every, told = (on.sweep(below[0], solved, below=below)[0] for on in (at_nodes_, at_points))
            for turns, grade in product(range(len(below)), range(len(grids))):
                if (prediction := grids[grade].prediction(turns)) is None:
                    continue
                true, values = every[turns][grade], told[turns][grade]
                assert 2 * values[0].size < true[0].size
                missed = grids[grade].at_nodes(turns, values) - true
                assert np.sqrt((missed**2).mean()) < 0.2 * true.std(axis=0).mean()
                closer = beside(grids)[grade].prediction(turns)
                assert closer is not None and set(closer.points.tolist()) >= set(prediction.points.tolist())
                number_told += 1
    assert number_told > 1


@pytest.mark.slow("test_lines_of_worths_are_those_of_the_rules")
def test_full_grids_are_those_of_where_duels_go(known: Known) -> None:
    """One pair of nodes for each number of turns left; at the end of a Period none is below 0 (WE-EOP.1)."""
    period = known[0]
    every = every_grid(period.group, reached(period.configurations))
    assert len(every.nodes) == len(period.turns)
    assert all(own[-1] == CAP and len(own) > 5 for pair in every.nodes for own in pair)
    assert [(one[0], other[0]) for one, other in every.nodes] == [
        (0, 0),
        (MIN_OFFSET, MIN_OFFSET),
        (MIN_OFFSET, MIN_OFFSET),
    ]


@pytest.mark.slow("test_lines_of_worths_are_those_of_the_rules")
def test_nodes_are_chosen_by_what_the_nodes_below_are_worth(known: Known) -> None:
    """With one turn left by those at the end of the Period: bends that these do not have would not be seen."""
    period, _, spread, _ = known
    reach = reached(period.configurations)
    (grid,) = on_finer_grids(period, reach, spread, solved, Detail(1e-9, 1e-9, 13, 160)).grids
    on = OnGrid(period, (Grid(grid.nodes[:1]),))
    below = on.worths_above(0, spread, solved)
    places, n_rows = reach.places(period.group.rows[1], 1), period.sizes[1]
    lines = _lines(period, 1, period.group.rows[1], places, below, solved)
    assert grid.nodes[1] == chosen_nodes(places, lines, n_rows, 1e-9)
