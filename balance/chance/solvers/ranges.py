"""How far optimal strategies may differ: the range of each action's share over all of them.

A game often has many optimal strategies, and a solver returns one corner of the set, so that its zeros say little. The
row player's optimal strategies are those that guarantee the value, a polytope; the smallest and the largest share of
an action over it are two linear programs. An action whose largest share is 0 is never part of optimal play; a strategy
is unique when every range is a point. With `slack` the ranges are those over all strategies that guarantee the value
less the slack: actions that look useless in a measured matrix may be used at hardly any cost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.base.arrays import FloatArray
from balance.base.errors import UsageError
from balance.chance.solvers.games import as_numbers, matrix_games
from balance.chance.solvers.matrix_games import solve_matrix_games

FEASIBILITY = 1e-9
"""Part of the range of payoffs by which a strategy may miss the value and still be called optimal."""


@dataclass(frozen=True, eq=False)
class StrategyRanges:
    """Smallest and largest share of each action over all optimal strategies, `float64[m]` (rows), `float64[n]`."""

    row_low: FloatArray
    row_high: FloatArray
    column_low: FloatArray
    column_high: FloatArray


def strategy_ranges(payoffs: npt.ArrayLike, slack: float = 0.0) -> StrategyRanges:
    """Return the range of each action's share over all strategies that guarantee the value less the slack.

    `payoffs` to the row player are `[m, n]`, `slack` >= 0 in the same units; 2 (m + n) linear programs are solved.
    Shares are right to about 1e-7, more roughly where the payoffs hardly distinguish two strategies. Raise UsageError
    if the payoffs are not finite, the slack is negative, or the value cannot be found.
    """
    games = matrix_games(as_numbers(payoffs)[None])
    solution = solve_matrix_games(games.raised_payoffs)
    if not (slack >= 0 and solution.converged.all()):
        raise UsageError(
            f"slack must be 0 or more, and the game solvable; found slack {slack}, gap {solution.gaps.item()}"
        )
    (unit,), scale = games.unit(), games.span.item() or 1.0
    value, unit_slack = solution.values.item() / scale, slack / scale + FEASIBILITY
    rows = _ranges(unit, value - unit_slack)
    columns = _ranges(1.0 - unit.T, 1.0 - value - unit_slack)
    return StrategyRanges(rows[0], rows[1], columns[0], columns[1])


def _ranges(unit: FloatArray, floor: float) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and the largest share of each row over mixed strategies that guarantee `floor`."""
    from scipy.optimize import linprog

    m, n = unit.shape
    shares = np.empty((2, m))
    for bound, sign in enumerate((1.0, -1.0)):
        for action, price in enumerate(np.eye(m) * sign):
            solution = linprog(
                price,
                A_ub=-unit.T,
                b_ub=np.full(n, -floor),
                A_eq=np.ones((1, m)),
                b_eq=[1.0],
                bounds=[(0, 1)] * m,
                method="highs",
            )
            if solution.x is None:
                raise UsageError(f"no range for action {action}: {solution.message}")
            shares[bound, action] = solution.x[action]
    return shares[0], shares[1]
