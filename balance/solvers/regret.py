"""Zero-sum matrix games solved roughly: predictive regret matching+, sweep by sweep, until the measured gap is small.

Each player plays in proportion to the positive part of its regrets plus the regrets it predicts, that the opponent
will do as last time; regrets never fall below 0 (the "+"), the players update in turn, and sweep t counts t squared
in the average (Farina, Kroer and Sandholm 2021, "Faster game solving via predictive Blackwell approachability"). The
average is what is returned, and its gap is measured by best responses. One sweep costs two products of the matrix, so
it pays for games too large for tableaux; for small ones `solve_matrix_games` is both faster and exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.solvers.games import Flags, Floats, MatrixGames, MatrixSolutions, matrix_games, measured, positive

__all__ = ["approximate_matrix_games"]

SWEEPS_PER_LOOK = 20
"""Sweeps between two measurements of the gap, which cost as much as one sweep."""


@dataclass(eq=False)
class _Player:
    """One side's regrets, what it last earned by action, and the sum of its strategies, all `float64[g, k]`."""

    legal: Flags
    regrets: Floats
    earned: Floats
    total: Floats
    strategy: Floats

    @classmethod
    def start(cls, legal: Flags) -> _Player:
        """Return a player who has seen nothing."""
        even = legal / legal.sum(axis=1, keepdims=True)
        return cls(legal, np.zeros(legal.shape), np.zeros(legal.shape), np.zeros(legal.shape), even)

    def keep(self, chosen: Flags) -> None:
        """Drop the other games."""
        self.legal, self.regrets, self.earned = self.legal[chosen], self.regrets[chosen], self.earned[chosen]
        self.total, self.strategy = self.total[chosen], self.strategy[chosen]

    def choose(self, weight: float) -> None:
        """Pick a strategy from regrets and prediction, and count it in the average."""
        wished = self._raised(self.earned)
        total = wished.sum(axis=1, keepdims=True)
        even = self.legal / self.legal.sum(axis=1, keepdims=True)
        self.strategy = np.where(total > 0, wished / np.where(total > 0, total, 1.0), even)
        self.total += weight * self.strategy

    def learn(self, earned: Floats) -> None:
        """Take in what each action would have earned against the opponent's strategy."""
        self.earned = earned
        self.regrets = self._raised(earned)

    def _raised(self, earned: Floats) -> Floats:
        """Return the regrets with those of one more round of the same earnings added, none below 0."""
        mean = (earned * self.strategy).sum(axis=1, keepdims=True)
        return np.where(self.legal, np.maximum(self.regrets + earned - mean, 0.0), 0.0)

    def average(self) -> Floats:
        """Return the weighted average of the strategies so far."""
        mean: Floats = self.total / self.total.sum(axis=1, keepdims=True)
        return mean


def approximate_matrix_games(
    payoffs: npt.ArrayLike,
    row_legal: npt.ArrayLike | None = None,
    column_legal: npt.ArrayLike | None = None,
    *,
    tolerance: float = 1e-3,
    max_iterations: int = 10_000,
) -> MatrixSolutions:
    """Approximate the strategies of many zero-sum games of one shape; the row player maximises.

    Parameters
    ----------
    payoffs
        To the row player, `[g, m, n]`, finite on legal cells.
    row_legal, column_legal
        Which actions may be played, `bool[g, m]` and `bool[g, n]`; all by default.
    tolerance
        Gap at which a game is left alone, as a part of its own range of payoffs.
    max_iterations
        Sweeps after which a game is returned as it stands, with `converged` False unless its gap is small enough.

    Raises
    ------
    UsageError
        Wrong shapes, no legal action, a payoff that is not finite, or settings that are not positive.

    >>> found = approximate_matrix_games([[[2, -3], [-3, 4]]])
    >>> bool(abs(found.values[0] + 1 / 12) < found.gaps[0] <= 1e-3 * 7), found.converged.tolist()
    (True, [True])
    """
    positive("tolerance", tolerance)
    positive("max_iterations", max_iterations, whole=True)
    games = matrix_games(payoffs, row_legal, column_legal)
    rows, columns = np.zeros(games.row_legal.shape), np.zeros(games.column_legal.shape)
    sweeps = np.zeros(len(games), np.int64)
    _sweep(games, (rows, columns), sweeps, tolerance, int(max_iterations))
    return measured(games, (rows, columns), sweeps, tolerance)


def _sweep(
    games: MatrixGames,
    strategies: tuple[Floats, Floats],
    sweeps: npt.NDArray[np.int64],
    tolerance: float,
    max_iterations: int,
) -> None:
    """Play until every game is within tolerance or the sweeps run out, writing averages and sweeps as games leave."""
    row, column = _Player.start(games.row_legal), _Player.start(games.column_legal)
    unit, left, place = games.unit(), games, np.arange(len(games))
    for sweep in range(1, max_iterations + 1):
        row.choose(float(sweep) ** 2)
        column.learn(-(row.strategy[:, None, :] @ unit)[:, 0, :])
        column.choose(float(sweep) ** 2)
        row.learn((unit @ column.strategy[:, :, None])[:, :, 0])
        if sweep % SWEEPS_PER_LOOK and sweep != max_iterations:
            continue
        strategies[0][place], strategies[1][place], sweeps[place] = row.average(), column.average(), sweep
        far = ~measured(left, (strategies[0][place], strategies[1][place]), sweeps[place], tolerance).converged
        if not far.any():
            return
        if not far.all():
            row.keep(far)
            column.keep(far)
            unit, left, place = unit[far], left[far], place[far]
