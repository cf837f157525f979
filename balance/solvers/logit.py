"""Players who err: the logit equilibrium (quantal response) of zero-sum matrix games.

With rationality r, a player plays action i in proportion to exp(r times what i earns against the opponent's mix), and
both mixes must fit each other (McKelvey and Palfrey 1995). At r = 0 every action is as likely; as r grows the mixes
tend to an equilibrium of the game, and on the way every action keeps a share that moves smoothly with the payoffs,
unlike the corner that a linear program picks. In a zero-sum game there is exactly one such pair for every r: it is the
saddle point of the payoff plus both players' entropies over r. It is found by the predictive updates of Cen, Wei and
Chi (2021), "Fast policy extragradient methods for competitive games with entropy regularization", whose error falls
by the factor `1 - step` each time; `residuals` says how far the mixes returned are from answering each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.errors import UsageError
from balance.solvers.games import Flags, Floats, Ints, MatrixGames, matrix_games, positive

__all__ = ["LogitSolutions", "solve_logit_games"]


@dataclass(frozen=True, eq=False)
class LogitSolutions:
    """Mixes of players who err, g games.

    Parameters
    ----------
    row_strategies, column_strategies
        Probabilities by action, `float64[g, m]` and `float64[g, n]`.
    payoffs
        What the row player gets on average, `float64[g]`; not the game's value, which needs players who do not err.
    residuals
        Largest difference between a mix and the logit answer to the other mix, `float64[g]`.
    iterations
        Updates made, `int64[g]`.
    converged
        Whether the residual is within the tolerance that was asked for, `bool[g]`.
    """

    row_strategies: Floats
    column_strategies: Floats
    payoffs: Floats
    residuals: Floats
    iterations: Ints
    converged: Flags


def solve_logit_games(
    payoffs: npt.ArrayLike,
    rationality: float,
    row_legal: npt.ArrayLike | None = None,
    column_legal: npt.ArrayLike | None = None,
    *,
    tolerance: float = 1e-9,
    max_iterations: int = 100_000,
) -> LogitSolutions:
    """Find the logit equilibrium of many zero-sum games of one shape.

    Parameters
    ----------
    payoffs
        To the row player, `[g, m, n]`, finite on legal cells.
    rationality
        r, per unit of payoff, 0 or more: an action worth 1 more is played exp(r) times as often. Work grows with r
        times the range of the payoffs.
    row_legal, column_legal
        Which actions may be played, `bool[g, m]` and `bool[g, n]`; all by default.
    tolerance
        Largest difference of a probability from the logit answer at which a game counts as solved.
    max_iterations
        Updates after which a game is returned as it stands.

    Raises
    ------
    UsageError
        Wrong shapes, no legal action, a payoff that is not finite, or a negative rationality.

    >>> found = solve_logit_games([[[2, 0], [0, 1]]], rationality=1.0)
    >>> found.row_strategies.round(4).tolist(), found.converged.tolist()
    ([[0.5217, 0.4783]], [True])
    """
    positive("tolerance", tolerance)
    positive("max_iterations", max_iterations, whole=True)
    games = matrix_games(payoffs, row_legal, column_legal)
    reach = rationality * games.span
    if not (rationality >= 0 and np.isfinite(reach).all()):
        raise UsageError(f"rationality must be 0 or more, and finite times the range of payoffs; found {rationality}")
    rows, columns, updates = _updated(games, reach, tolerance, int(max_iterations))
    residuals = _off((rows, columns), _log_answers(games, games.unit(), reach, (rows, columns)))
    earned = (rows[:, None, :] @ games.raised @ columns[:, :, None])[:, 0, 0]
    return LogitSolutions(rows, columns, games.low + earned, residuals, updates, residuals <= tolerance)


def _updated(games: MatrixGames, reach: Floats, tolerance: float, max_iterations: int) -> tuple[Floats, Floats, Ints]:
    """Return mixes and updates: step by step towards the answers to where the opponent is heading."""
    rows, columns = np.zeros(games.row_legal.shape), np.zeros(games.column_legal.shape)
    updates, left, unit = np.zeros(len(games), np.int64), np.arange(len(games)), games.unit()
    logs = (
        _log_shares(np.zeros(rows.shape), games.row_legal),
        _log_shares(np.zeros(columns.shape), games.column_legal),
    )
    for update in range(1, max_iterations + 1):
        # Payoffs are scaled to [0, 1], so that this share of the way to the answer is a safe step.
        step = 1.0 / (2.0 + 2.0 * reach)[:, None]
        ahead = _moved(logs, _log_answers(games, unit, reach, _mixes(logs)), step)
        logs = _moved(logs, _log_answers(games, unit, reach, _mixes(ahead)), step)
        rows[left], columns[left] = _mixes(logs)
        updates[left] = update
        far = _off(_mixes(logs), _log_answers(games, unit, reach, _mixes(logs))) > tolerance
        if not far.any():
            break
        if not far.all():
            games, unit, reach, left = games[far], unit[far], reach[far], left[far]
            logs = (logs[0][far], logs[1][far])
    return rows, columns, updates


Pair = tuple[Floats, Floats]


def _mixes(logs: Pair) -> Pair:
    """Return probabilities from their logarithms."""
    return np.exp(logs[0]), np.exp(logs[1])


def _off(mixes: Pair, log_answers: Pair) -> Floats:
    """Return the largest difference between a mix and its answer in each game."""
    rows, columns = (np.abs(np.exp(logs) - mix).max(axis=1) for logs, mix in zip(log_answers, mixes, strict=True))
    off: Floats = np.maximum(rows, columns)
    return off


def _log_answers(games: MatrixGames, unit: Floats, reach: Floats, mixes: Pair) -> Pair:
    """Return the logarithm of each player's logit answer to the other's mix."""
    by_row = reach[:, None] * (unit @ mixes[1][:, :, None])[:, :, 0]
    by_column = -reach[:, None] * (mixes[0][:, None, :] @ unit)[:, 0, :]
    return _log_shares(by_row, games.row_legal), _log_shares(by_column, games.column_legal)


def _log_shares(exponents: Floats, legal: Flags) -> Floats:
    """Return logarithms of shares in proportion to the exponentials, minus infinity where not legal."""
    usable = np.where(legal, exponents, -np.inf)
    usable = usable - usable.max(axis=1, keepdims=True)
    shares: Floats = usable - np.log(np.exp(usable).sum(axis=1, keepdims=True))
    return shares


def _moved(logs: Pair, answers: Pair, step: Floats) -> Pair:
    """Return mixes moved part of the way to the answers, geometrically."""
    rows, columns = ((1 - step) * mix + step * answer for mix, answer in zip(logs, answers, strict=True))
    return _log_shares(rows, np.isfinite(rows)), _log_shares(columns, np.isfinite(columns))
