"""Games solved roughly: the gap that is reported is the one that best responses find, whenever the sweeps end."""

from __future__ import annotations

import numpy as np
import pytest

from balance.solvers import approximate_matrix_games, solve_matrix_games

GAMES = np.random.default_rng(6).normal(size=(30, 12, 12))


def test_the_gap_asked_for_is_reached_and_the_value_lies_inside() -> None:
    found, exact = approximate_matrix_games(GAMES, tolerance=1e-3), solve_matrix_games(GAMES)
    assert found.converged.all()
    assert (found.gaps <= 1e-3 * np.ptp(GAMES, axis=(1, 2))).all()
    assert (found.lower <= exact.upper).all() and (exact.lower <= found.upper).all()


@pytest.mark.parametrize("sweeps", [1, 5])
def test_a_cap_on_sweeps_is_told(sweeps: int) -> None:
    found, exact = approximate_matrix_games(GAMES, max_iterations=sweeps), solve_matrix_games(GAMES)
    assert (found.iterations == sweeps).all()
    assert not found.converged.any()
    assert (found.lower <= exact.values).all() and (exact.values <= found.upper).all()


def test_illegal_actions_are_left_out() -> None:
    legal = np.tile(np.arange(12) < 5, (30, 1))
    found = approximate_matrix_games(GAMES, row_legal=legal)
    assert (found.row_strategies[:, 5:] == 0).all()
    assert found.values == pytest.approx(solve_matrix_games(GAMES[:, :5]).values, abs=2e-3 * np.ptp(GAMES))
