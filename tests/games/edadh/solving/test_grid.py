"""Worths on a grid of mastery points: at nodes they are those given, between them on a line, and lost is lost."""

from __future__ import annotations

import numpy as np
import pytest

from balance.games.edadh.solving.grid import CAP, COARSE, DEAD, FINE, LOW, WIDTH, Grid
from tests.games.edadh.solving.every_node import EVERY

DAMAGE = np.array([0, 3, 11, 58], np.int16)
GRIDS = pytest.mark.parametrize("grid", [COARSE, FINE, EVERY])


@GRIDS
@pytest.mark.parametrize("turns", [0, 1, 3])
def test_weights_are_those_of_means(grid: Grid, turns: int) -> None:
    weights = grid.weights(turns, DAMAGE)
    assert weights.shape == (4, DEAD, len(grid.nodes[turns]))
    assert weights.min() >= 0
    assert weights.sum(axis=2) == pytest.approx(1)


@GRIDS
def test_means_keep_mastery_points_between_the_nodes(grid: Grid) -> None:
    """Rounded to nodes by these chances, MP stay what they are on average."""
    mp = np.arange(LOW, CAP + 1)
    for turns in (0, 2):
        nodes = grid.mp(turns, DAMAGE)
        kept = (grid.weights(turns, DAMAGE) * nodes[:, None, :]).sum(axis=2)
        for row, ours in zip(nodes, kept, strict=True):
            assert ours == pytest.approx(np.clip(mp, row[0], row[-1]), abs=1e-4)


def test_nodes_are_counted_from_the_damage_while_turns_are_left() -> None:
    grid = Grid(((0, 5), (-2, 0, 60)))
    assert grid.mp(0, DAMAGE).tolist() == [[0, 5]] * 4
    assert grid.mp(1, DAMAGE).tolist() == [[-2, 0, 60], [1, 3, 60], [9, 11, 60], [56, 58, 60]]


@pytest.mark.parametrize("turns", [0, 1])
def test_worths_at_states_are_those_spread(turns: int) -> None:
    rng = np.random.default_rng(4)
    k, n = len(FINE.nodes[turns]), 200
    values = rng.random((n, k, k), np.float32)
    damage = [rng.integers(0, 20, n).astype(np.int16) for _ in "ab"]
    mp = [rng.integers(-12, CAP + 1, n).astype(np.int16) for _ in "ab"]
    spread = FINE.spread(turns, values, damage)
    state = dict(zip(("a_mp", "b_mp", "a_damage", "b_damage"), (*mp, *damage), strict=True))
    one, other = (np.maximum(each, LOW) - LOW for each in mp)
    assert FINE.at(turns, values, state) == pytest.approx(spread[np.arange(n), one, other], abs=1e-6)


def test_a_side_that_has_lost_by_its_damage() -> None:
    """Side a has lost: 0; side b: 1; both: a draw (WE-Q11)."""
    spread = FINE.spread(0, np.full((1, 13, 13), 0.3, np.float32), [np.zeros(1, np.int16)] * 2)
    assert spread.shape == (1, WIDTH, WIDTH)
    assert set(spread[0, DEAD, :DEAD]) == {0}
    assert set(spread[0, :DEAD, DEAD]) == {1}
    assert spread[0, DEAD, DEAD] == 0.5
    assert spread[0, :DEAD, :DEAD] == pytest.approx(0.3)
