"""How the matrix games of a group are solved at nodes: as equilibria, or as best responses to fixed mixes."""

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
    """Best responses to the fixed mixes of one side, 0 for side a and 1 for side b."""

    side: int
    mixes: Mixes

    def __call__(self, key: object, payoffs: Worths) -> Worths:
        """Return the values to side a of games with payoffs `[m, n, g]` when the other side responds best, `[g]`."""
        mix = self.mixes[key][self.side]
        return _lower_bounds(mix, payoffs) if self.side == 0 else _upper_bounds(mix, payoffs)


def _lower_bounds(a_mix: Worths, payoffs: Worths) -> Worths:
    """Return the least that side a's mixes, `[m, g]`, score against any choice of side b, `[g]`."""
    by_column = a_mix[0] * payoffs[0]
    for weight, row in zip(a_mix[1:], payoffs[1:], strict=True):  # row by row: what is added stays in the cache
        by_column += weight * row
    return np.asarray(by_column.min(axis=0))


def _upper_bounds(b_mix: Worths, payoffs: Worths) -> Worths:
    """Return the most that any choice of side a scores against side b's mixes, `[n, g]`: `[g]`."""
    return np.asarray(np.max([(b_mix * row).sum(axis=0) for row in payoffs], axis=0))


class Equilibria:
    """Solves the games of a group again and again, as the values of their successors converge.

    The mixes of the last time are kept, and a game is solved anew only where their duality gap, what side b's mix
    concedes less what side a's is sure of, exceeds `gap`.
    """

    def __init__(self, gap: float, mixes: dict[object, tuple[Worths, Worths]] | None = None) -> None:
        self._gap = gap
        self.mixes = {} if mixes is None else mixes

    def __call__(self, key: object, payoffs: Worths) -> Worths:
        """Return the values of games with payoffs `[m, n, g]`, `[g]`, within half the gap; mixes are kept by `key`."""
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
