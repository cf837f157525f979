"""How the games of a group are decided at nodes: both sides mix as well as they can, or one answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from balance.chance.solvers import solve_matrix_games
from balance.games.edadh.solving.approximate.grid import Worths

Mixes = Mapping[object, tuple[Worths, Worths]]
"""By which games: how side a and side b mix, `float32[m, g]` and `float32[n, g]`."""
EQUAL = 1e-6
"""Worths closer to each other are the same: they are kept to seven digits."""


@dataclass(frozen=True)
class Answer:
    """Answers a side that mixes in a fixed way, 0 for side a and 1 for side b."""

    side: int
    mixes: Mixes

    def __call__(self, key: object, payoffs: Worths) -> Worths:
        """Return what games are worth to side a by the best answer."""
        mix = self.mixes[key][self.side]
        return _lower_bounds(mix, payoffs) if self.side == 0 else _upper_bounds(mix, payoffs)


def _lower_bounds(a_mix: Worths, payoffs: Worths) -> Worths:
    """Return what side a's mixes are sure of, `[g]`."""
    by_column = a_mix[0] * payoffs[0]
    for weight, row in zip(a_mix[1:], payoffs[1:], strict=True):  # row by row: what is added stays in the cache
        by_column += weight * row
    return np.asarray(by_column.min(axis=0))


def _upper_bounds(b_mix: Worths, payoffs: Worths) -> Worths:
    """Return the most that side b's mixes concede, `[g]`."""
    return np.asarray(np.max([(b_mix * row).sum(axis=0) for row in payoffs], axis=0))


class Equilibria:
    """Solves the games of a group again and again, as the worths of what they lead to settle.

    How both sides mixed the last time is kept: while that is still good enough, games are not solved anew.

    Parameters
    ----------
    gap
        That is good enough by which what one side is sure of is no more than so much less than what the other concedes.
    mixes
        How both may have mixed the last time.
    """

    def __init__(self, gap: float, mixes: dict[object, tuple[Worths, Worths]] | None = None) -> None:
        self._gap = gap
        self.mixes = {} if mixes is None else mixes

    def __call__(self, key: object, payoffs: Worths) -> Worths:
        """Return what games are worth."""
        m, n, _ = payoffs.shape
        if key not in self.mixes:
            of_rows, of_columns = payoffs.min(axis=1), payoffs.max(axis=0)
            low, high = of_rows.max(axis=0), of_columns.min(axis=0)
            pure = (of_rows.argmax(axis=0) == np.arange(m)[:, None], of_columns.argmin(axis=0) == np.arange(n)[:, None])
            a_mix, b_mix = self.mixes[key] = pure[0].astype(np.float32), pure[1].astype(np.float32)
        else:
            a_mix, b_mix = self.mixes[key]
            low, high = _lower_bounds(a_mix, payoffs), _upper_bounds(b_mix, payoffs)
        values = (low + high) / 2
        open_ = np.flatnonzero(high > low + self._gap)
        if len(open_):
            solution = solve_matrix_games(payoffs[:, :, open_].transpose(2, 0, 1), tolerance=EQUAL)
            values[open_], a_mix[:, open_], b_mix[:, open_] = (
                solution.values,
                solution.row_strategies.T,
                solution.column_strategies.T,
            )
        return np.asarray(values)
