"""Zero-sum matrix games, thousands at a time: exact strategies by a batched simplex method, with the gap measured.

Each game is scaled to payoffs in [1, 2] and solved on a stack of tableaux (`simplex`); the gap is then measured on the
payoffs as given. A game whose gap is above the tolerance goes to scipy's HiGHS, once, scaled, and keeps the better of
the two answers. `converged` says what was measured, nothing else.

On 2026-11-21, on one core of two: 10,000 random 12 x 12 games took 0.08 to 0.12 s of CPU time with gaps of 4e-13 at
most and 23 pivots at most; the same games as one linear program each by `scipy.optimize.linprog` (HiGHS, 500 of them
timed) 7.9 s. `tests/bench/solving.py` measures it again.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.chance.solvers.games import (
    GAP_TOLERANCE,
    MatrixGames,
    MatrixSolutions,
    as_numbers,
    matrix_games,
    measure_solutions,
    positive,
    strategy_bounds,
)
from balance.chance.solvers.simplex import solve_tableaux

CHUNK_CELLS = 2048 * 169
"""Cells of the tableaux pivoted together, 2.8 MB: fewer take longer to call for than to pivot, more leave the cache."""


@dataclasses.dataclass(frozen=True, eq=False)
class MatrixSolution:
    """The solution of one game; see `MatrixSolutions` for the fields."""

    value: float
    lower: float
    upper: float
    row_strategy: FloatArray
    column_strategy: FloatArray
    gap: float
    iterations: int
    converged: bool


def solve_matrix_game(payoffs: npt.ArrayLike, tolerance: float = GAP_TOLERANCE) -> MatrixSolution:
    """Solve one zero-sum game; `payoffs` to the row player are `[m, n]`, finite, else UsageError is raised.

    `tolerance` is the gap at which the game counts as solved, as a fraction of its range of payoffs.
    """
    solutions = solve_matrix_games(as_numbers(payoffs)[None], tolerance=tolerance)
    (row_strategy,), (column_strategy,) = solutions.row_strategies, solutions.column_strategies
    return MatrixSolution(
        value=solutions.values.item(),
        lower=solutions.lower.item(),
        upper=solutions.upper.item(),
        row_strategy=row_strategy,
        column_strategy=column_strategy,
        gap=solutions.gaps.item(),
        iterations=solutions.iterations.item(),
        converged=solutions.converged.item(),
    )


def solve_matrix_games(
    payoffs: npt.ArrayLike,
    row_legal: npt.ArrayLike | None = None,
    column_legal: npt.ArrayLike | None = None,
    *,
    tolerance: float = GAP_TOLERANCE,
) -> MatrixSolutions:
    """Solve many zero-sum games of one shape; the row player maximises.

    `payoffs` are `[g, m, n]`, finite on legal cells; actions are legal by `bool[g, m]` and `bool[g, n]` (None: all). A
    game is solved if its gap is at most `tolerance` of its range of payoffs. Where several strategies are optimal, one
    corner of the set is returned. Raise UsageError as `matrix_games` does.

    >>> pennies, matched = [[1, -1], [-1, 1]], [[3, 1], [0, 2]]
    >>> found = solve_matrix_games([pennies, matched])
    >>> (found.values.round(9) + 0.0).tolist(), found.row_strategies.round(9).tolist(), found.converged.tolist()
    ([0.0, 1.5], [[0.5, 0.5], [0.5, 0.5]], [True, True])
    """
    positive("tolerance", tolerance)
    games = matrix_games(payoffs, row_legal, column_legal)
    chunk = max(1, CHUNK_CELLS // ((games.raised_payoffs.shape[1] + 1) * (games.raised_payoffs.shape[2] + 1)))
    parts = [_solve_chunk(games[start : start + chunk], tolerance) for start in range(0, len(games), chunk)]
    return _join(parts) if parts else _solve_chunk(games, tolerance)


def _solve_chunk(games: MatrixGames, tolerance: float) -> MatrixSolutions:
    """Solve a few hundred games together by the simplex method, then those that missed the tolerance one by one."""
    rows, columns, pivots = solve_tableaux(games.unit() + 1.0, games.row_legal, games.column_legal)
    solutions = measure_solutions(games, (rows, columns), pivots, tolerance)
    is_missed = ~solutions.converged
    if not is_missed.any():
        return solutions
    for index in np.flatnonzero(is_missed):
        _retry(games[index : index + 1], rows[index : index + 1], columns[index : index + 1], pivots[index : index + 1])
    return measure_solutions(games, (rows, columns), pivots, tolerance, is_missed)


def _retry(game: MatrixGames, rows: FloatArray, columns: FloatArray, pivots: IntArray) -> None:
    """Solve one game by a linear program for each side, and keep in place each strategy that guarantees more."""
    (unit,), (row_legal,), (column_legal,) = game.unit(), game.row_legal, game.column_legal
    for payoffs, strategies, rival_strategies, is_kept, side in (
        (unit, row_legal, column_legal, rows, 0),
        (1.0 - unit.T, column_legal, row_legal, columns, 1),
    ):
        strategy, steps = _maximin(payoffs[np.ix_(strategies, rival_strategies)])
        pivots += steps
        if strategy is None:
            continue
        is_tried = np.zeros_like(is_kept)
        is_tried[:, strategies] = strategy
        pairs = ((is_tried, columns), (is_kept, columns)) if side == 0 else ((rows, is_tried), (rows, is_kept))
        new, old = (strategy_bounds(game, *pair)[side].item() for pair in pairs)
        if (new > old) if side == 0 else (new < old):
            is_kept[:] = is_tried


def _maximin(payoffs: FloatArray) -> tuple[FloatArray | None, int]:
    """Return the row strategy with the best guarantee by HiGHS (or None), and its steps; payoffs lie in [0, 1]."""
    from scipy.optimize import linprog

    m, n = payoffs.shape
    result = linprog(
        np.r_[np.zeros(m), -1.0],
        A_ub=np.c_[-payoffs.T, np.ones(n)],
        b_ub=np.zeros(n),
        A_eq=np.r_[np.ones(m), 0.0][None, :],
        b_eq=[1.0],
        bounds=[(0, 1)] * (m + 1),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if result.x is None or not np.isfinite(result.x).all():
        return None, int(result.nit or 0)
    weights = np.maximum(result.x[:m], 0.0)
    return (weights / weights.sum() if weights.sum() > 0 else None), int(result.nit)


def _join(parts: list[MatrixSolutions]) -> MatrixSolutions:
    """Return the solutions of consecutive chunks as one."""
    names = [field.name for field in dataclasses.fields(MatrixSolutions)]
    arrays: dict[str, FloatArray | IntArray | BoolArray] = {
        n: np.concatenate([getattr(part, n) for part in parts]) for n in names
    }
    return MatrixSolutions(**arrays)  # type: ignore[arg-type]
