"""Zero-sum matrix games: known ones, against linear programming one at a time, and the gap measured by itself."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from balance.base.errors import BalanceError
from balance.chance.solvers import GAP_TOLERANCE, matrix_games, simplex
from balance.chance.solvers.matrix_games import solve_matrix_game, solve_matrix_games
from tests.chance.solvers.programming import by_programming

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


@pytest.mark.parametrize(
    ("payoffs", "line"),
    [
        ([[np.nan]], "payoffs[0, 0, 0]: 'nan' is not a finite payoff"),
        ([[np.inf, 1]], "payoffs[0, 0, 0]: 'inf' is not a finite payoff"),
        ([1, 2], "payoffs of shape (1, 2) are not games; give [g, m, n] with m and n at least 1"),
        (np.zeros((0, 3)), "payoffs of shape (1, 0, 3) are not games; give [g, m, n] with m and n at least 1"),
        ([["a"]], "payoffs must be numbers in a full rectangle for each game"),
    ],
)
def test_what_is_no_game_is_refused(payoffs: Any, line: str) -> None:
    with pytest.raises(BalanceError) as caught:
        solve_matrix_game(payoffs)
    assert str(caught.value) == line


def test_a_tolerance_is_positive() -> None:
    for call in (lambda: solve_matrix_game([[1.0]], 0.0), lambda: solve_matrix_games([[[1.0]]], tolerance=0.0)):
        with pytest.raises(BalanceError) as caught:
            call()
        assert str(caught.value) == "tolerance: '0.0' is not a positive number"


def test_ten_thousand_random_games_are_solved_to_the_tolerance() -> None:
    payoffs = np.random.default_rng(4).random((10_000, 12, 12))
    solved = solve_matrix_games(payoffs)
    assert solved.converged.all()
    assert solved.gaps.max() <= 1e-9
    assert not solved.is_retried.any()


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
    assert retried.is_retried.all() and retried.converged.all()
    assert retried.values == pytest.approx(exact.values, abs=1e-9)
    monkeypatch.setattr(matrix_games, "_maximin", lambda payoffs: (None, 0))
    alone = solve_matrix_games(payoffs)
    assert not alone.converged.any()
    assert (alone.lower <= exact.values).all() and (exact.values <= alone.upper).all()


def whole(found: Any) -> dict[str, list[Any]]:
    """Return all fields of solutions as lists."""
    return {field.name: getattr(found, field.name).tolist() for field in dataclasses.fields(found)}


def test_one_game_has_every_field_of_the_batch_as_plain_numbers() -> None:
    payoffs = [[3.0, 1.0, 9.0], [0.0, 2.0, 9.0]]
    batch, one = solve_matrix_games([payoffs]), solve_matrix_game(payoffs)
    found = dataclasses.asdict(one)
    assert {name: type(value) for name, value in found.items()} == {
        "value": float,
        "lower": float,
        "upper": float,
        "row_strategy": np.ndarray,
        "column_strategy": np.ndarray,
        "gap": float,
        "iterations": int,
        "converged": bool,
    }
    assert (one.value, one.lower, one.upper) == (batch.values[0], batch.lower[0], batch.upper[0])
    assert one.row_strategy.tolist() == batch.row_strategies[0].tolist() == pytest.approx([0.5, 0.5])
    assert one.column_strategy.tolist() == batch.column_strategies[0].tolist() == pytest.approx([0.25, 0.75, 0])
    assert (one.gap, one.iterations, one.converged) == (batch.gaps[0], 2, True)


def test_one_game_may_miss_a_tolerance_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simplex, "MOST_PIVOTS", 0)
    monkeypatch.setattr(matrix_games, "_maximin", lambda payoffs: (None, 4))
    found = solve_matrix_game([[3.0, 1.0], [0.0, 1.0]], 0.05)
    assert (found.lower, found.upper, found.value, found.gap) == (1.0, 2.0, 1.5, 1.0)
    assert (found.converged, found.iterations) == (False, 8)
    assert (found.row_strategy.tolist(), found.column_strategy.tolist()) == ([0.5, 0.5], [0.5, 0.5])
    assert solve_matrix_game([[3.0, 1.0], [0.0, 1.0]], 1 / 3).converged
    assert not solve_matrix_games([[[3.0, 1.0], [0.0, 1.0]]], tolerance=0.33).converged[0]


@pytest.mark.parametrize("cells", [1, 20, 30, 59, 60, 61, 10**6])
def test_a_batch_is_solved_alike_in_chunks_of_any_size(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of 3 by 4 have tableaux of 20 cells; what a chunk is handed is told in order."""
    payoffs = np.random.default_rng(9).normal(size=(7, 3, 4))
    rows = np.random.default_rng(10).random((7, 3)) < 0.7
    rows[:, 1] = True
    expected = whole(solve_matrix_games(payoffs, rows))
    solve, sizes = matrix_games._solve_chunk, list[int]()

    def watched(games: Any, tolerance: float) -> Any:
        sizes.append(len(games))
        return solve(games, tolerance)

    monkeypatch.setattr(matrix_games, "_solve_chunk", watched)
    monkeypatch.setattr(matrix_games, "CHUNK_CELLS", cells)
    assert whole(solve_matrix_games(payoffs, rows)) == expected
    size = max(1, cells // 20)
    assert sizes == [min(size, 7 - start) for start in range(0, 7, size)]


def test_a_batch_of_no_games_has_no_solutions() -> None:
    found = solve_matrix_games(np.zeros((0, 2, 3)))
    assert whole(found) == {name: [] for name in whole(found)}
    assert (found.row_strategies.shape, found.column_strategies.shape, len(found)) == ((0, 2), (0, 3), 0)


def test_games_that_miss_are_solved_again_and_the_others_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before its first pivot the simplex method plays evenly: the solution of pennies, and of no other game here."""
    monkeypatch.setattr(simplex, "MOST_PIVOTS", 0)
    asked, maximin = list[Any](), matrix_games._maximin

    def watched(payoffs: Any) -> Any:
        asked.append(payoffs.round(6).tolist())
        return maximin(payoffs)

    monkeypatch.setattr(matrix_games, "_maximin", watched)
    games = [[[1, -1], [-1, 1]], [[4, 2], [1, 0]], [[2, -3], [-3, 4]]]
    found = solve_matrix_games(games)
    assert asked == [
        [[1, 0.5], [0.25, 0]],
        [[0, 0.75], [0.5, 1]],
        [[round(5 / 7, 6), 0], [0, 1]],
        [[round(2 / 7, 6), 1], [1, 0]],
    ]
    assert found.values == pytest.approx([0, 2, -1 / 12], abs=1e-9)
    assert found.row_strategies == pytest.approx(np.array([[0.5, 0.5], [1, 0], [7 / 12, 5 / 12]]), abs=1e-9)
    assert found.column_strategies == pytest.approx(np.array([[0.5, 0.5], [0, 1], [7 / 12, 5 / 12]]), abs=1e-9)
    assert (found.is_retried.tolist(), found.converged.tolist()) == ([False, True, True], [True] * 3)
    assert found.iterations[0] == 0 and found.iterations[2] > 0


def test_only_legal_actions_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simplex, "MOST_PIVOTS", 0)
    payoffs = np.array([[[9, 9, 9], [2, -3, 9], [-3, 4, 9]]])
    rows, columns = np.array([[False, True, True]]), np.array([[True, True, False]])
    found = solve_matrix_games(payoffs, rows, columns)
    assert found.values == pytest.approx([-1 / 12], abs=1e-9)
    assert found.row_strategies == pytest.approx(np.array([[0, 7 / 12, 5 / 12]]), abs=1e-9)
    assert found.column_strategies == pytest.approx(np.array([[7 / 12, 5 / 12, 0]]), abs=1e-9)


@pytest.mark.parametrize(
    ("row", "column", "kept_row", "kept_column"),
    [
        ([1.0, 0.0], [1.0, 0.0], [0.5, 0.5], [0.5, 0.5]),  # each guarantees less than playing evenly
        ([0.6, 0.4], [0.6, 0.4], [0.6, 0.4], [0.6, 0.4]),
        ([0.6, 0.4], [1.0, 0.0], [0.6, 0.4], [0.5, 0.5]),
        (None, [0.6, 0.4], [0.5, 0.5], [0.6, 0.4]),
        ([0.6, 0.4], None, [0.6, 0.4], [0.5, 0.5]),
    ],
)
def test_of_two_answers_each_player_keeps_the_better(
    row: Any, column: Any, kept_row: list[float], kept_column: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In [[2, -3], [-3, 4]] the best mix is 7 to 5."""
    monkeypatch.setattr(simplex, "MOST_PIVOTS", 0)
    answers = iter([(row and np.array(row), 3), (column and np.array(column), 4)])
    monkeypatch.setattr(matrix_games, "_maximin", lambda payoffs: next(answers))
    found = solve_matrix_games([[[2, -3], [-3, 4]]])
    assert found.row_strategies.tolist() == [kept_row]
    assert found.column_strategies.tolist() == [kept_column]
    assert (found.iterations.tolist(), found.is_retried.tolist()) == ([7], [True])
    lower = min(np.array(kept_row) @ np.array([[2, -3], [-3, 4]]))
    upper = max(np.array([[2, -3], [-3, 4]]) @ np.array(kept_column))
    assert (found.lower[0], found.upper[0], found.gaps[0]) == pytest.approx((lower, upper, upper - lower), abs=1e-12)


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (5, 4)])
def test_the_general_program_guarantees_the_value(shape: tuple[int, int]) -> None:
    payoffs = np.random.default_rng(11).random(shape)
    strategy, steps = matrix_games._maximin(payoffs)
    assert strategy is not None and steps >= 0
    assert strategy.sum() == pytest.approx(1, abs=1e-15) and (strategy >= 0).all()
    assert (strategy @ payoffs).min() == pytest.approx(by_programming(payoffs), abs=1e-9)


@pytest.mark.parametrize(
    ("x", "nit", "expected"),
    [
        (None, None, (None, 0)),
        (None, 3, (None, 3)),
        ([np.nan, 1.0, 0.5], 2, (None, 2)),
        ([0.0, -1.0, 0.5], 2, (None, 2)),
        ([1.0, -0.5, 0.5], 5, ([1.0, 0.0], 5)),
        ([0.5, 1.5, 0.5], 5, ([0.25, 0.75], 5)),
    ],
)
def test_what_the_general_program_says_is_made_a_strategy_or_none(
    x: Any, nit: int | None, expected: tuple[Any, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = SimpleNamespace(x=None if x is None else np.array(x), nit=nit)
    asked: dict[str, Any] = {}

    def answered(c: Any, **how: Any) -> SimpleNamespace:
        asked.update(how, c=c)
        return found

    monkeypatch.setattr("scipy.optimize.linprog", answered)
    strategy, steps = matrix_games._maximin(np.array([[0.25, 1, 0], [0.5, 0, 0.75]]))
    assert (None if strategy is None else strategy.tolist(), steps) == expected
    assert {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in asked.items()} == {
        "c": [0, 0, -1],
        "A_ub": [[-0.25, -0.5, 1], [-1, 0, 1], [0, -0.75, 1]],
        "b_ub": [0, 0, 0],
        "A_eq": [[1, 1, 0]],
        "b_eq": [1],
        "bounds": [(0, 1)] * 3,
        "method": "highs",
        "options": {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    }


def test_a_solution_is_solved_to_a_billionth_of_its_payoffs() -> None:
    assert GAP_TOLERANCE == 1e-9
    assert matrix_games.CHUNK_CELLS == 346_112


def test_payoffs_are_handed_over_from_1_to_2(monkeypatch: pytest.MonkeyPatch) -> None:
    handed, solve = list[Any](), simplex.solve_tableaux

    def watched(payoffs: Any, rows: Any, columns: Any) -> Any:
        handed.append(payoffs.tolist())
        return solve(payoffs, rows, columns)

    monkeypatch.setattr(matrix_games, "solve_tableaux", watched)
    solve_matrix_games([[[-3, 5], [1, -3]], [[7, 7], [7, 7]]])
    assert handed == [[[[1, 2], [1.5, 1]], [[1, 1], [1, 1]]]]
