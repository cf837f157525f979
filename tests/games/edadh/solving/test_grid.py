"""Worths on a grid of mastery points: at nodes they are those given, between them on a line, and lost is lost."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from balance.chance.rolls.process import State, take_trials
from balance.game.loaded import load
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.approximate.grid import CAP, DEAD, LOW, WIDTH, Grid
from balance.games.edadh.solving.approximate.grid_worth import GridWorth
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.approximate.lists.end_tables import Starts
from balance.games.edadh.solving.approximate.periods import GradeWorths, Grids
from balance.games.edadh.solving.approximate.prediction import Prediction
from balance.games.edadh.solving.training import moves_of
from tests.games.edadh.solving.every_node import EVERY, N_LAYERS
from tests.games.edadh.solving.worths import in_grades, told_from

DAMAGE = np.array([0, 3, 11, 58], np.int16)
ENDS = ((0, 2, 5, 30), (1, 7, 59, 60))
TURNS = ((-3, -1, 0, 2, 6, 20), (0, 4, 40, 60))
FEW = Grid((ENDS, *((TURNS),) * (N_LAYERS - 1)))
ONE = Grid((((0, 60), (9,)), *(((3,), (-2, 60)),) * (N_LAYERS - 1)))


TOLD = Grid(FEW.nodes, (None, *(told_from(FEW, turns, turns) for turns in range(1, N_LAYERS))))
FOUR = (FEW, TOLD, ONE, EVERY)
"""A side of one node is worth the same at all its MP."""
GRIDS = pytest.mark.parametrize("grid", [FEW, ONE, EVERY])
BOTH = pytest.mark.parametrize("side", [0, 1])


@GRIDS
@BOTH
@pytest.mark.parametrize("turns", [0, 1, 3])
def test_weights_are_those_of_means(grid: Grid, side: int, turns: int) -> None:
    weights = grid.weights(turns, side, DAMAGE)
    assert weights.shape == (4, DEAD, grid.shape(turns)[side])
    assert weights.min() >= 0
    assert weights.sum(axis=2) == pytest.approx(1)


@GRIDS
@BOTH
def test_means_keep_mastery_points_between_the_nodes(grid: Grid, side: int) -> None:
    """Rounded to nodes by these chances, MP stay what they are on average."""
    mp = np.arange(LOW, CAP + 1)
    for turns in (0, 2):
        nodes = grid.mp(turns, (DAMAGE, DAMAGE))[side].reshape(len(DAMAGE), -1)
        kept = (grid.weights(turns, side, DAMAGE) * nodes[:, None, :]).sum(axis=2)
        for row, ours in zip(nodes, kept, strict=True):
            assert ours == pytest.approx(np.clip(mp, row[0], row[-1]), abs=1e-4)


@GRIDS
@BOTH
@pytest.mark.parametrize("turns", [0, 2])
def test_mastery_points_lie_between_two_nodes(grid: Grid, side: int, turns: int) -> None:
    """The weights are those of the lower node and the next one, as far as MP lie from it; all others are 0."""
    lower, far = grid.lines(turns, side, int(DAMAGE.max()))
    weights = grid.weights(turns, side, DAMAGE)
    assert lower.shape == far.shape == (int(DAMAGE.max()) + 1, DEAD)
    for row, damage in enumerate(DAMAGE.tolist()):
        told = np.zeros_like(weights[row])
        for place, (node, share) in enumerate(zip(lower[damage].tolist(), far[damage].tolist(), strict=True)):
            told[place, node] += 1 - share
            if share > 0:
                told[place, node + 1] += share
        assert told == pytest.approx(weights[row], abs=1e-6)


def test_nodes_are_counted_from_the_damage_while_turns_are_left() -> None:
    grid = Grid((((0, 5), (1, 60)), ((-2, 0, 60), (4,))))
    other = np.array([7, 0, 2, 59], np.int16)
    one, two = (mp.reshape(4, -1) for mp in grid.mp(0, (DAMAGE, other)))
    assert (one.tolist(), two.tolist()) == ([[0, 5]] * 4, [[1, 60]] * 4)
    one, two = (mp.reshape(4, -1) for mp in grid.mp(1, (DAMAGE, other)))
    assert one.tolist() == [[-2, 0, 60], [1, 3, 60], [9, 11, 60], [56, 58, 60]]
    assert two.tolist() == [[11], [4], [6], [60]]
    assert (grid.shape(0), grid.shape(1)) == ((2, 2), (3, 1))


@pytest.mark.parametrize("turns", [0, 1])
def test_worths_are_spread_as_they_are_interpolated_by_hand(turns: int) -> None:
    rng, n = np.random.default_rng(4), 20
    values = rng.random((n, *FEW.shape(turns)), np.float32)
    damage = [rng.integers(0, 20, n).astype(np.int16) for _ in "ab"]
    spread = FEW.spread(turns, values, damage)
    nodes, mp = [own.reshape(n, -1) for own in FEW.mp(turns, damage)], np.arange(LOW, CAP + 1)
    for row in range(n):
        lines = np.stack([np.interp(mp, nodes[0][row], line) for line in values[row].T], axis=1)
        told = np.stack([np.interp(mp, nodes[1][row], line) for line in lines])
        assert spread[row, :DEAD, :DEAD] == pytest.approx(told, abs=1e-5)


def test_worths_are_spread_where_there_is_room() -> None:
    """The room itself is filled, every place of it."""
    rng = np.random.default_rng(5)
    values, room = rng.random((4, *FEW.shape(1)), np.float32), np.full((4, WIDTH, WIDTH), np.nan, np.float32)
    found = FEW.spread(1, values, (DAMAGE, DAMAGE[::-1]), room)
    assert found is room
    assert np.array_equal(room, FEW.spread(1, values, (DAMAGE, DAMAGE[::-1])))


def test_a_side_that_has_lost_by_its_damage() -> None:
    """Side a has lost: 0; side b: 1; both: a draw (WE-Q11)."""
    spread = FEW.spread(0, np.full((1, *FEW.shape(0)), 0.3, np.float32), [np.zeros(1, np.int16)] * 2)
    assert spread.shape == (1, WIDTH, WIDTH)
    assert set(spread[0, DEAD, :DEAD]) == {0}
    assert set(spread[0, :DEAD, DEAD]) == {1}
    assert spread[0, DEAD, DEAD] == 0.5
    assert spread[0, :DEAD, :DEAD] == pytest.approx(0.3)


def test_worths_at_points_tell_those_at_all_nodes() -> None:
    """They lie at the MP of these nodes, with the damage on each side; between nodes they are spread as ever."""
    damage, told = (DAMAGE, DAMAGE[::-1].copy()), TOLD.prediction(1)
    assert told is not None and TOLD.prediction(0) is None and FEW.prediction(1) is None
    assert (TOLD.shape(0), TOLD.shape(1)) == (FEW.shape(0), (3, 1))
    every = np.broadcast_arrays(*FEW.mp(1, damage))
    for mp, all_mp in zip(TOLD.mp(1, damage), every, strict=True):
        assert np.array_equal(mp[:, :, 0], all_mp.reshape(4, -1)[:, told.points])
    values = np.random.default_rng(5).random((4, 3, 1), np.float32)
    nodes = TOLD.at_nodes(1, values)
    assert nodes.shape == (4, *FEW.shape(1))
    assert nodes.reshape(4, -1)[:, told.points] == pytest.approx(values[:, :, 0], abs=1e-6)
    assert np.array_equal(TOLD.spread(1, values, damage), FEW.spread(1, nodes, damage))
    assert TOLD.at_nodes(0, nodes) is nodes


@cache
def listed() -> Configurations:
    return Configurations.of(moves_of(load("edadh").ask("duel", "shieldsmen+archers", "spears/swords").setup.duel))


@cache
def graded() -> Configurations:
    return in_grades(listed())


def on_other_grids(own: Configurations, n_grids: int = 1) -> GridWorth:
    """Return worths without any sense, each group on grids of its own, another for each of its first grades."""
    rng, grids, values = np.random.default_rng(8), list[Grids](), list[tuple[GradeWorths, ...]]()
    for number, group in enumerate(own.groups):
        grids.append(tuple(FOUR[(number + grade) % 4] for grade in range(n_grids)))
        values.append(tuple(any_values(turns, grades, grids[-1], rng) for turns, grades in enumerate(group.grades)))
    return GridWorth(own, tuple(grids), tuple(values))


def any_values(turns: int, grades: tuple[slice, ...], grids: Grids, rng: np.random.Generator) -> GradeWorths:
    """Return worths without any sense at the nodes of each grade."""
    sizes = [rows.stop - rows.start for rows in grades]
    shapes = [grids[min(grade, len(grids) - 1)].shape(turns) for grade in range(len(grades))]
    return tuple(rng.random((n, *shape), np.float32) for n, shape in zip(sizes, shapes, strict=True))


def everywhere(own: Configurations, turns: int, number: int) -> tuple[State, tuple[np.ndarray, np.ndarray]]:
    """Return some configurations of a group at every pair of MP, below every node and above too."""
    group, mp = own.groups[number], np.arange(LOW, CAP + 1)
    some = np.arange(group.rows[turns].start, group.rows[turns].stop)[:: max(1, listed_size(number, turns) // 5)]
    row, one, other = (each.ravel() for each in np.meshgrid(some, mp, mp, indexing="ij"))
    state = {name: column[row] for name, column in own.columns[turns].items()}
    state |= {"a_mp": one.astype(np.int16), "b_mp": other.astype(np.int16)}
    return state, (row - group.rows[turns].start, one)


def listed_size(number: int, turns: int) -> int:
    rows = listed().groups[number].rows[turns]
    return int(rows.stop - rows.start)


@pytest.mark.slow("test_worths_at_points_tell_those_at_all_nodes")
@pytest.mark.parametrize(("order", "n_grids"), [(listed, 1), (graded, 1), (graded, 2), (graded, 3)])
def test_worths_of_states_are_those_spread(order: Callable[[], Configurations], n_grids: int) -> None:
    """In every group and grade, whatever its grid, at every pair of MP: below every node and above too."""
    own = order()
    worth = on_other_grids(own, n_grids)
    assert len(own.groups) > 3, "every grid is used"
    for number in range(len(own.groups)):
        for turns in range(len(own.columns)):
            if listed_size(number, turns):
                state, (row, _) = everywhere(own, turns, number)
                spread = worth.spread(number, turns)
                told = spread[row, state["a_mp"] - LOW, state["b_mp"] - LOW]
                assert worth(state) == pytest.approx(told, abs=2e-6)


def test_worths_are_spread_from_the_grid_of_each_grade() -> None:
    """Grade by grade as the grid alone spreads them, the last grid for all beyond; the pieces are all there is."""
    worth = on_other_grids(graded(), 2)
    for turns in range(len(graded().columns)):
        pieces = list(worth.pieces(turns))
        assert [row for _, _, rows in pieces for row in range(rows.start, rows.stop)] == list(
            range(len(graded().columns[turns]["over"]))
        )
        for at, (grid, values, rows) in enumerate(pieces):
            number, grade = divmod(at, 3)
            first = graded().groups[number].rows[turns].start
            assert grid == FOUR[(number + min(grade, 1)) % 4]
            told = grid.spread(turns, values, graded().damage(turns, rows))
            assert np.array_equal(worth.spread(number, turns)[rows.start - first : rows.stop - first], told)
    assert worth.n_nodes == sum(
        values.size for turns in range(len(graded().columns)) for _, values, _ in worth.pieces(turns)
    )


@pytest.mark.slow("test_worths_are_spread_as_they_are_interpolated_by_hand")
def test_some_of_a_group_are_spread_as_all_of_it() -> None:
    """In any order, of all grades, and one twice."""
    worth, number, rng = on_other_grids(graded(), 3), len(graded().groups) - 1, np.random.default_rng(2)
    for turns in range(len(graded().columns)):
        rows = graded().groups[number].rows[turns]
        some = rng.integers(rows.start, rows.stop, 40)
        told = worth.spread(number, turns)[some - rows.start]
        assert worth.spread(number, turns, some) == pytest.approx(told, abs=1e-6)


def test_starts_of_periods_are_known_in_any_order() -> None:
    """Numbered by one order of the configurations, and worth what they are by worths in another."""
    for own, other in ((listed(), graded()), (graded(), listed()), (graded(), in_grades(listed(), 1))):
        worth, starts = on_other_grids(own, 3 if own is graded() else 1), Starts.of(other)
        spread = worth.begins(starts, other)
        assert spread.shape == (starts.n + 3, WIDTH, WIDTH)
        for turns, place in enumerate(starts.place):
            which = np.flatnonzero(place >= 0)
            for a_mp, b_mp in ((0, 7), (9, 3), (30, CAP)):
                mp = {"a_mp": np.full(len(which), a_mp, np.int16), "b_mp": np.full(len(which), b_mp, np.int16)}
                told = worth(take_trials(other.columns[turns], which) | mp)
                assert spread[place[which], a_mp - LOW, b_mp - LOW] == pytest.approx(told, abs=2e-6)
        assert np.array_equal(spread[starts.n :], starts.spread()[starts.n :]), "what has ended is worth what it was"
        assert np.array_equal(worth.begins(Starts.of(own)), worth.begins(Starts.of(own), own))


def test_below_every_number_of_mastery_points_nothing_changes_any_more() -> None:
    worth = on_other_grids(listed())
    state, _ = everywhere(listed(), 1, 0)
    lowest = np.flatnonzero((state["a_mp"] == LOW) & (state["b_mp"] > 0))
    some = {name: column[lowest] for name, column in state.items()}
    beyond = {**some, "a_mp": np.full(len(lowest), LOW - 30, np.int16)}
    assert np.array_equal(worth(beyond), worth(some))


def test_worths_of_what_has_ended_are_those_of_who_has_won() -> None:
    """Also among states that go on, and where damage and MP say nothing."""
    worth, (state, _) = on_other_grids(listed()), everywhere(listed(), 1, 0)
    some = {name: column[:4].copy() for name, column in state.items()}
    for side, lost in zip(SIDES, ([0, 1, 0, 1], [0, 0, 1, 1]), strict=True):
        some[f"{side}_lost"] = np.array(lost, np.int16)
    some["over"] = np.array([0, 1, 1, 1], np.int16)
    found = worth(some)
    assert found[0] == worth({name: column[:1] for name, column in some.items()})[0]
    assert 0 < found[0] < 1
    assert found[1:].tolist() == [0.0, 1.0, 0.5]


def test_a_state_that_no_duel_comes_to_has_no_worth() -> None:
    """More damage than any card has; its neighbours keep their worths."""
    worth, (state, _) = on_other_grids(listed()), everywhere(listed(), 1, 0)
    some = {name: column[:3].copy() for name, column in state.items()}
    some["a_damage"][1] = 900
    found = worth(some)
    assert np.isnan(found).tolist() == [False, True, False]
    assert worth.configurations.rows(some, np.ones(3, bool))[1] == -1


def test_the_nearest_place_is_nearest_on_either_axis() -> None:
    """Of nodes and of points; a place of both grids is its own."""
    few, many = (Grid((((0, 60), (0, 60)), nodes)) for nodes in (((-2, 5, 60), (0, 9)), ((-2, 0, 4, 60), (2, 9))))
    assert few.nearest(1, few).tolist() == list(range(6))
    assert few.nearest(1, many).tolist() == [0, 1, 0, 1, 2, 3, 4, 5]
    points = Prediction(np.array([1, 4]), np.zeros((2, 6), np.float32), np.zeros(6, np.float32))
    told = Grid(few.nodes, (None, points))
    assert told.nearest(1, few).tolist() == [0, 0, 0, 0, 1, 1]
    assert few.nearest(1, told).tolist() == [1, 4]
