"""Batches of games: how they are measured from their lowest payoff, and what is refused in full."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.base.errors import UsageError
from balance.chance.solvers import games as module
from balance.chance.solvers.games import (
    MatrixGames,
    as_numbers,
    matrix_games,
    measure_solutions,
    positive,
    strategy_bounds,
)

NAN, INF = float("nan"), float("inf")


def refusal(*given: Any) -> str:
    with pytest.raises(UsageError) as caught:
        matrix_games(*given)
    return str(caught.value)


def test_a_batch_is_measured_from_the_lowest_legal_payoff() -> None:
    rows, columns = np.array([[True, False], [True, True]]), np.array([[True, True, False], [True, True, True]])
    games = matrix_games(np.array([[[3, -2, NAN], [INF, -9, 7]], [[5, 5, 5], [5, 5, 5]]]), rows, columns)
    assert games.raised_payoffs.tolist() == [[[5, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0]]]
    assert (games.low.tolist(), games.span.tolist(), len(games)) == ([-2, 5], [5, 0], 2)
    assert games.unit().tolist() == [[[1, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0]]]
    assert (games.row_legal.tolist(), games.column_legal.tolist()) == (rows.tolist(), columns.tolist())
    assert games.raised_payoffs.dtype == games.low.dtype == games.span.dtype == np.float64


def test_all_actions_are_legal_unless_it_is_said() -> None:
    games = matrix_games(np.arange(12).reshape(2, 2, 3))
    assert games.row_legal.tolist() == [[True] * 2] * 2
    assert games.column_legal.tolist() == [[True] * 3] * 2
    assert games.unit()[1].tolist() == [[0, 0.2, 0.4], [0.6, 0.8, 1.0]]
    assert len(matrix_games(np.zeros((0, 2, 3)))) == 0


def test_some_games_of_a_batch_are_taken_with_all_that_belongs_to_them() -> None:
    rng = np.random.default_rng(1)
    games = matrix_games(rng.normal(size=(4, 2, 3)), rng.random((4, 2)) < 2, rng.random((4, 3)) < 2)
    for chosen in (slice(1, 3), np.array([3, 0]), np.array([True, False, False, True])):
        some = games[chosen]
        assert isinstance(some, MatrixGames)
        for name in ("raised_payoffs", "low", "span", "row_legal", "column_legal"):
            assert getattr(some, name).tolist() == getattr(games, name)[chosen].tolist()


def test_bounds_are_what_a_loop_over_legal_replies_finds() -> None:
    rng = np.random.default_rng(2)
    payoffs = rng.normal(size=(30, 3, 4))
    rows, columns = rng.random((30, 3)) < 0.6, rng.random((30, 4)) < 0.6
    rows[:, 0], columns[:, 0] = True, True
    games = matrix_games(payoffs, rows, columns)
    x, y = rng.dirichlet([1] * 3, 30), rng.dirichlet([1] * 4, 30)
    lower, upper = strategy_bounds(games, x, y)
    for g in range(30):
        raised = games.raised_payoffs[g]
        by_column = [sum(x[g, i] * raised[i, j] for i in range(3)) for j in range(4) if columns[g, j]]
        by_row = [sum(y[g, j] * raised[i, j] for j in range(4)) for i in range(3) if rows[g, i]]
        assert (lower[g], upper[g]) == pytest.approx((min(by_column), max(by_row)), abs=1e-12)


def test_solutions_are_what_two_strategies_were_measured_to_guarantee() -> None:
    games = matrix_games([[[1, -1], [-1, 1]], [[5, 5], [5, 5]], [[4, 0], [0, 4]]])
    rows = np.array([[0.5, 0.5], [1, 0], [0.5, 0.5]])
    columns = np.array([[0.75, 0.25], [0, 1], [0.5, 0.5]])
    found = measure_solutions(games, (rows, columns), np.array([3, 0, 2]), 0.25)
    assert (found.lower.tolist(), found.upper.tolist()) == ([0, 5, 2], [0.5, 5, 2])
    assert (found.gaps.tolist(), found.values.tolist(), len(found)) == ([0.5, 0, 0], [0.25, 5, 2], 3)
    assert found.row_strategies is rows and found.column_strategies is columns
    assert (found.iterations.tolist(), found.converged.tolist()) == ([3, 0, 2], [True, True, True])
    assert found.is_retried.tolist() == [False] * 3
    strict = measure_solutions(games, (rows, columns), np.array([3, 0, 2]), 0.249, np.array([True, False, True]))
    assert (strict.converged.tolist(), strict.is_retried.tolist()) == ([False, True, True], [True, False, True])


def test_a_gap_is_never_negative_though_rounding_may_cross_the_bounds() -> None:
    games = matrix_games([[[1.0]]])
    crossed = MatrixGames(
        np.array([[[0.0, 1.0]]]), games.low, np.array([1.0]), np.ones((1, 1), bool), np.ones((1, 2), bool)
    )
    found = measure_solutions(crossed, (np.array([[1.5]]), np.array([[-0.25, 0.0]])), np.array([0]), 1e-9)
    assert (found.lower.tolist(), found.upper.tolist(), found.gaps.tolist()) == ([1], [1], [0])
    over = MatrixGames(
        np.array([[[1.0, 1.0]]]), games.low, np.array([1.0]), np.ones((1, 1), bool), np.ones((1, 2), bool)
    )
    found = measure_solutions(over, (np.array([[2.0]]), np.array([[0.5, 0.5]])), np.array([0]), 1e-9)
    assert (found.lower.tolist(), found.upper.tolist(), found.gaps.tolist()) == ([3], [3], [0])


@pytest.mark.parametrize("shape", [(2,), (2, 2), (1, 0, 3), (1, 3, 0), (1, 1, 1, 1)])
def test_what_has_not_the_shape_of_games_is_refused(shape: tuple[int, ...]) -> None:
    line = f"payoffs of shape {shape} are not games; give [g, m, n] with m and n at least 1"
    assert refusal(np.zeros(shape)) == line


@pytest.mark.parametrize("payoffs", [[["a"]], [[[1], [2, 3]]], [[[object()]]]])
def test_what_are_no_numbers_is_refused(payoffs: Any) -> None:
    with pytest.raises(UsageError) as caught:
        as_numbers(payoffs)
    assert str(caught.value) == "payoffs must be numbers in a full rectangle for each game"


def test_masks_that_do_not_fit_are_refused() -> None:
    payoffs = np.zeros((2, 2, 3))
    both = np.ones((2, 2), bool)
    assert refusal(payoffs, np.ones((2, 3), bool)) == "legal rows must be bool[2, 2]; found bool[2, 3]"
    assert refusal(payoffs, both, both) == "legal columns must be bool[2, 3]; found bool[2, 2]"
    assert refusal(payoffs, both.astype(int)) == "legal rows must be bool[2, 2]; found int64[2, 2]"
    assert refusal(payoffs, [[True, True], [False, False]]) == "game 1 has no legal row"
    assert refusal(payoffs, both, [[False] * 3, [True] * 3]) == "game 0 has no legal column"


def test_payoffs_that_are_not_finite_are_told_by_their_cell() -> None:
    payoffs = np.zeros((3, 2, 2))
    payoffs[0, 1, 0], payoffs[2, 0, 1], payoffs[2, 1, 1] = NAN, INF, -INF
    assert refusal(payoffs).splitlines() == [
        "payoffs[0, 1, 0]: 'nan' is not a finite payoff",
        "payoffs[2, 0, 1]: 'inf' is not a finite payoff",
        "payoffs[2, 1, 1]: '-inf' is not a finite payoff",
    ]
    rows = np.ones((3, 2), bool)
    rows[0, 1] = rows[2, 1] = False
    assert refusal(payoffs, rows) == "payoffs[2, 0, 1]: 'inf' is not a finite payoff"
    payoffs[1] = np.array([[1e308, -1e308], [0, 0]])
    assert refusal(payoffs, rows).splitlines() == [
        "payoffs[2, 0, 1]: 'inf' is not a finite payoff",
        "payoffs[1]: spans more than a float can hold",
    ]
    rows[1, 0] = False
    payoffs[2, 0, 1] = 0
    assert matrix_games(payoffs, rows).span.tolist() == [0, 0, 0]
    columns = np.ones((3, 2), bool)
    columns[1, 1] = False
    assert matrix_games(payoffs, rows | [[False], [True], [False]], columns).span.tolist() == [0, 1e308, 0]


def test_of_very_many_bad_payoffs_ten_are_told() -> None:
    assert module.FAULTS_TOLD == 10
    assert len(refusal(np.full((3, 2, 3), NAN)).splitlines()) == 10
    assert len(refusal(np.tile([[1e308, -1e308]], (12, 1, 1))).splitlines()) == 10


@pytest.mark.parametrize("number", [0, -1, NAN, INF])
def test_a_setting_that_is_not_positive_is_refused(number: float) -> None:
    with pytest.raises(UsageError) as caught:
        positive("tolerance", number)
    assert str(caught.value) == f"tolerance: '{number}' is not a positive number"


@pytest.mark.parametrize("number", [0, 1.5, -2])
def test_a_setting_that_is_not_whole_is_refused_where_it_must_be(number: float) -> None:
    with pytest.raises(UsageError) as caught:
        positive("rounds", number, whole=True)
    assert str(caught.value) == f"rounds: '{number}' is not a positive whole number"
    positive("rounds", 2.0, whole=True)
    positive("tolerance", 1.5)
    positive("tolerance", 5e-324)
