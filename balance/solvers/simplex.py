"""Many small linear programs at once: the simplex method on a stack of condensed tableaux.

A game B with positive payoffs has value 1 / max {1'v : B v <= 1, v >= 0}; the optimal v and the dual prices u, divided
by their sum, are the optimal column and row strategies. Starting from v = 0 (all slack) needs no first phase. The
condensed tableau has one row per basic variable and one column per nonbasic one,

    [ B   1 ]      pivot on p = T[r, c]:  T[r, :] /= p;  T[i, j] -= T[i, c] T[r, j];  column c becomes -T[i, c] / p
    [ 1'  0 ]                             and its own cell 1 / p,

so it is half as wide as one that stores the identity, and a pivot of all games is one outer product. The entering
column is the one of the largest reduced price (Dantzig); after `5 (m + n)` pivots it is the one of the smallest name
(Bland), which cannot cycle. Finished games leave the stack.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.solvers.games import Flags, Floats, Ints

__all__ = ["solve_tableaux"]

PRICE_ZERO = 1e-12
PIVOT_ZERO = 1e-11

LARGEST_PRICE_PIVOTS = 5
"""Pivots by largest price, per action of both players, before pivots by name."""

MOST_PIVOTS = 30
"""Pivots in all, per action of both players; a game still open is returned as it stands."""


@dataclass
class _Stack:
    """The unfinished games: tableaux, names of variables (columns 0..n-1, slacks from n), place in the batch."""

    tableau: Floats
    basic: Ints
    nonbasic: Ints
    game: Ints

    def keep(self, chosen: Flags) -> None:
        """Drop the other games."""
        self.tableau, self.basic = self.tableau[chosen], self.basic[chosen]
        self.nonbasic, self.game = self.nonbasic[chosen], self.game[chosen]


def solve_tableaux(payoffs: Floats, row_legal: Flags, column_legal: Flags) -> tuple[Floats, Floats, Ints]:
    """Return row strategies, column strategies and pivots for games whose legal payoffs lie in [1, 2].

    A game that does not finish within the cap of pivots gets the strategies of where it stood: the caller measures
    the gap, and nothing here claims to be optimal.

    Parameters
    ----------
    payoffs
        `float64[g, m, n]`.
    row_legal, column_legal
        `bool[g, m]` and `bool[g, n]`, at least one True in each row.

    Returns
    -------
    row_strategies, column_strategies, pivots
        `float64[g, m]`, `float64[g, n]`, `int64[g]`.

    >>> both = np.ones((1, 2), bool)
    >>> x, y, pivots = solve_tableaux(np.array([[[2.0, 1.0], [1.0, 2.0]]]), both, both)
    >>> x.round(9).tolist(), y.round(9).tolist(), pivots.tolist()
    ([[0.5, 0.5]], [[0.5, 0.5]], [2])
    """
    g, m, n = payoffs.shape
    weights, pivots = np.zeros((g, n + m)), np.zeros(g, np.int64)
    stack = _start(payoffs, row_legal, column_legal)
    step, most = 0, MOST_PIVOTS * (m + n)
    while len(stack.game) and step < most:
        by_name = step >= LARGEST_PRICE_PIVOTS * (m + n)
        entering, open_ = _entering(stack, by_name)
        if not open_.all():
            _store(stack, ~open_, weights, pivots, step)
            stack.keep(open_)
            entering = entering[open_]
        _pivot(stack, _leaving(stack, entering, by_name), entering)
        step += 1
    _store(stack, np.ones(len(stack.game), bool), weights, pivots, most)
    return _mixed(weights[:, n:], row_legal), _mixed(weights[:, :n], column_legal), pivots


def _start(payoffs: Floats, row_legal: Flags, column_legal: Flags) -> _Stack:
    """Return tableaux at v = 0; an illegal row binds nothing, an illegal column has no price."""
    g, m, n = payoffs.shape
    tableau = np.empty((g, m + 1, n + 1))
    tableau[:, :m, :n] = payoffs * (row_legal[:, :, None] & column_legal[:, None, :])
    tableau[:, :m, n] = 1.0
    tableau[:, m, :n] = column_legal
    tableau[:, m, n] = 0.0
    names = np.arange(n + m)
    return _Stack(tableau, np.tile(names[n:], (g, 1)), np.tile(names[:n], (g, 1)), np.arange(g))


def _entering(stack: _Stack, by_name: bool) -> tuple[Ints, Flags]:
    """Return the column that enters in each game, and whether there is one."""
    price = stack.tableau[:, -1, :-1]
    better: Flags = price > PRICE_ZERO
    column: Ints = _smallest_name(stack.nonbasic, better) if by_name else price.argmax(axis=1)
    return column, np.asarray(better.any(axis=1))


def _leaving(stack: _Stack, entering: Ints, by_name: bool) -> Ints:
    """Return the row that leaves in each game: the first whose variable falls to 0 as the entering one grows."""
    tableau, each = stack.tableau, np.arange(len(entering))
    column, level = tableau[each, :-1, entering], tableau[:, :-1, -1]
    ratio = np.full(column.shape, np.inf)
    np.divide(level, column, out=ratio, where=column > PIVOT_ZERO)
    first: Ints = ratio.argmin(axis=1)
    return _smallest_name(stack.basic, ratio <= ratio.min(axis=1, keepdims=True) * (1 + 1e-12)) if by_name else first


def _smallest_name(names: Ints, chosen: Flags) -> Ints:
    """Return the place of the smallest chosen name in each game."""
    place: Ints = np.where(chosen, names, np.iinfo(np.int64).max).argmin(axis=1)
    return place


def _pivot(stack: _Stack, leaving: Ints, entering: Ints) -> None:
    """Exchange one basic and one nonbasic variable in every game."""
    tableau, each = stack.tableau, np.arange(len(entering))
    pivot = tableau[each, leaving, entering]
    row = tableau[each, leaving] / pivot[:, None]
    column = tableau[each, :, entering]
    tableau -= column[:, :, None] * row[:, None, :]
    tableau[each, leaving] = row
    tableau[each, :, entering] = column / -pivot[:, None]
    tableau[each, leaving, entering] = 1.0 / pivot
    basic = stack.basic[each, leaving]
    stack.basic[each, leaving] = stack.nonbasic[each, entering]
    stack.nonbasic[each, entering] = basic


def _store(stack: _Stack, chosen: Flags, weights: Floats, pivots: Ints, step: int) -> None:
    """Write levels of basic columns and prices of nonbasic slacks, each under its own name: v[0..n-1], u[n..n+m-1]."""
    n = stack.nonbasic.shape[1]
    tableau, game = stack.tableau[chosen], stack.game[chosen, None]
    basic, nonbasic = stack.basic[chosen], stack.nonbasic[chosen]
    levels, prices = tableau[:, :-1, -1], -tableau[:, -1, :-1]
    weights[game, basic] = np.where(basic < n, levels, weights[game, basic])
    weights[game, nonbasic] = np.where(nonbasic >= n, prices, weights[game, nonbasic])
    pivots[game[:, 0]] = step


def _mixed(weights: Floats, legal: Flags) -> Floats:
    """Return weights as probabilities on legal actions; even ones where nothing usable is left."""
    usable = np.where(legal & (weights > 0) & np.isfinite(weights), weights, 0.0)
    total = usable.sum(axis=1, keepdims=True)
    usable = np.where(total > 0, usable, legal.astype(np.float64))
    mixed: Floats = usable / usable.sum(axis=1, keepdims=True)
    return mixed
