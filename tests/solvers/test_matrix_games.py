"""Zero-sum matrix games: known ones, against linear programming one at a time, and the gap measured by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from balance.errors import BalanceError
from balance.solvers import matrix_games, simplex
from balance.solvers.matrix_games import solve_matrix_game, solve_matrix_games
from tests.solvers.programming import by_programming

KNOWN = [
    ("matching pennies", [[1, -1], [-1, 1]], 0.0),
    ("rock, paper, scissors", [[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0.0),
    ("a saddle point", [[4, 2], [1, 0]], 2.0),
    ("two by two, mixed", [[3, 1], [0, 2]], 1.5),
    ("Morra with one and two fingers", [[2, -3], [-3, 4]], -1 / 12),
    ("one cell", [[7]], 7.0),
    ("all alike", [[5, 5, 5], [5, 5, 5]], 5.0),
]


@pytest.mark.parametrize(("payoffs", "value"), [case[1:] for case in KNOWN], ids=[case[0] for case in KNOWN])
def test_known_games(payoffs: list[list[float]], value: float) -> None:
    solution = solve_matrix_game(payoffs)
    assert solution.value == pytest.approx(value, abs=1e-12)
    assert solution.converged
    assert solution.gap <= 1e-9


@pytest.mark.parametrize("shape", [(2, 5), (5, 2), (12, 12), (1, 4), (7, 3)])
def test_random_games_against_linear_programming(shape: tuple[int, int]) -> None:
    payoffs = np.random.default_rng(1).normal(size=(40, *shape))
    solved = solve_matrix_games(payoffs)
    assert solved.converged.all()
    assert solved.values == pytest.approx([by_programming(game) for game in payoffs], abs=1e-9)


def test_the_gap_is_what_best_responses_find() -> None:
    payoffs = np.random.default_rng(2).normal(size=(200, 6, 4))
    solved = solve_matrix_games(payoffs)
    rows, columns = solved.row_strategies, solved.column_strategies
    best_row = np.einsum("gmn,gn->gm", payoffs, columns).max(axis=1)
    best_column = np.einsum("gmn,gm->gn", payoffs, rows).min(axis=1)
    assert solved.gaps == pytest.approx(best_row - best_column, abs=1e-12)
    assert rows.sum(axis=1) == pytest.approx(np.ones(200))
    assert (rows >= 0).all() and (columns >= 0).all()


def test_degenerate_and_badly_scaled_games_are_solved() -> None:
    ties = np.random.default_rng(3).integers(-1, 2, size=(500, 6, 6)).astype(float)
    assert solve_matrix_games(ties).converged.all()
    scaled = solve_matrix_games(np.stack([ties[0] * 1e-9, ties[0] * 1e9 + 1e12]))
    value = solve_matrix_game(ties[0]).value
    assert scaled.values[0] == pytest.approx(value * 1e-9, abs=1e-15)
    assert scaled.values[1] == pytest.approx(value * 1e9 + 1e12, rel=1e-9)


small = arrays(np.float64, (3, 4), elements=st.floats(-100, 100, width=16))


@settings(max_examples=60, deadline=None)
@given(small, st.floats(0.5, 4), st.floats(-5, 5))
def test_value_follows_shift_scale_and_change_of_sides(
    payoffs: np.ndarray[Any, Any], scale: float, shift: float
) -> None:
    value = solve_matrix_game(payoffs).value
    assert solve_matrix_game(scale * payoffs + shift).value == pytest.approx(scale * value + shift, abs=1e-6)
    assert solve_matrix_game(-payoffs.T).value == pytest.approx(-value, abs=1e-6)


@pytest.mark.parametrize("payoffs", [[[np.nan]], [[np.inf, 1]], [1, 2], np.zeros((0, 3)), [["a"]]])
def test_what_is_no_game_is_refused(payoffs: Any) -> None:
    with pytest.raises(BalanceError):
        solve_matrix_game(payoffs)


def test_ten_thousand_random_games_are_solved_to_the_tolerance() -> None:
    payoffs = np.random.default_rng(4).random((10_000, 12, 12))
    solved = solve_matrix_games(payoffs)
    assert solved.converged.all()
    assert solved.gaps.max() <= 1e-9
    assert not solved.retried.any()


def test_legal_actions_make_a_smaller_game() -> None:
    payoffs = np.random.default_rng(5).normal(size=(50, 5, 6))
    rows, columns = np.tile(np.arange(5) != 2, (50, 1)), np.tile(np.arange(6) < 4, (50, 1))
    masked = solve_matrix_games(np.where(rows[:, :, None] & columns[:, None, :], payoffs, np.nan), rows, columns)
    assert masked.values == pytest.approx(solve_matrix_games(payoffs[:, [0, 1, 3, 4], :4]).values, abs=1e-12)
    assert (masked.row_strategies[~rows] == 0).all() and (masked.column_strategies[~columns] == 0).all()


def test_a_cap_on_pivots_is_told_and_the_gap_stays_true(monkeypatch: pytest.MonkeyPatch) -> None:
    payoffs = np.random.default_rng(6).normal(size=(20, 6, 6))
    exact = solve_matrix_games(payoffs)
    monkeypatch.setattr(simplex, "MOST_PIVOTS", 0)
    retried = solve_matrix_games(payoffs)
    assert retried.retried.all() and retried.converged.all()
    assert retried.values == pytest.approx(exact.values, abs=1e-9)
    monkeypatch.setattr(matrix_games, "_maximin", lambda payoffs: (None, 0))
    alone = solve_matrix_games(payoffs)
    assert not alone.converged.any()
    assert (alone.lower <= exact.values).all() and (exact.values <= alone.upper).all()
