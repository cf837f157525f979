"""Many small linear programs at once: the simplex method on a stack of condensed tableaux.

A game B with positive payoffs has value 1 / max {1'v : B v <= 1, v >= 0}; the optimal v and the dual prices u, divided
by their sum, are the optimal column and row strategies. Starting from v = 0 (all slack) needs no first phase. The
condensed tableau has one row per basic variable and one column per nonbasic one,

    [ B   1 ]      pivot on p = T[r, c]:  T[r, :] /= p;  T[i, j] -= T[i, c] T[r, j];  column c becomes -T[i, c] / p
    [ 1'  0 ]                             and its own cell 1 / p,

so it is half as wide as one that stores the identity, and a pivot of all games is one outer product. The entering
column is the one of the largest reduced price (Dantzig); after `5 (m + n)` pivots it is the one of the smallest name
(Bland), which cannot cycle. Games come last in every array, so that each cell of all tableaux is one row of memory.
Finished games stay in the stack, idle, until they are many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray

PRICE_ZERO = 1e-12
PIVOT_ZERO = 1e-11

LARGEST_PRICE_PIVOTS = 5
"""Pivots by largest price, per action of both players, before pivots by name."""

MOST_PIVOTS = 30
"""Pivots in all, per action of both players; a game still open is returned as it stands."""


IDLE = 4
"""Finished games leave the stack once they are one in so many of it."""


@dataclass
class _Stack:
    """Tableaux `[m + 1, n + 1, g]`, names of variables (columns 0..n-1, slacks from n), and places in the batch.

    `idle` marks games that are finished; `room` is memory for a row of tableaux, `[n + 1, g]`.
    """

    tableau: FloatArray
    basic: IntArray
    nonbasic: IntArray
    game: IntArray
    idle: BoolArray
    room: FloatArray

    def rest(self, is_finished: BoolArray) -> None:
        """Mark finished games idle, and drop them from the stack once they are many."""
        self.idle |= is_finished
        if IDLE * np.count_nonzero(self.idle) < len(self.game):
            return
        active = np.flatnonzero(~self.idle)
        self.tableau, self.basic = self.tableau.take(active, axis=2), self.basic.take(active, axis=1)
        self.nonbasic, self.game = self.nonbasic.take(active, axis=1), self.game.take(active)
        self.idle, self.room = np.zeros(len(active), bool), np.empty(self.tableau.shape[1:])


def solve_tableaux(
    payoffs: FloatArray, row_legal: BoolArray, column_legal: BoolArray
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return row strategies, column strategies and pivots of games whose legal payoffs lie in [1, 2].

    They are `float64[g, m]`, `float64[g, n]` and `int64[g]`, from payoffs `float64[g, m, n]` and masks `bool[g, m]` and
    `bool[g, n]` with an action in each row. A game that does not finish within the cap of pivots gets the strategies of
    where it stood: the caller measures the gap, and nothing here claims to be optimal.
    """
    g, m, n = payoffs.shape
    weights, pivots = np.zeros((n + m, g)), np.zeros(g, np.int64)
    stack = _start(payoffs, row_legal, column_legal)
    step, max_steps = 0, MOST_PIVOTS * (m + n)
    while step < max_steps:
        is_finished = ~((stack.tableau[-1, :-1] > PRICE_ZERO).any(axis=0) | stack.idle)
        if is_finished.any():
            _store(stack, is_finished, weights, pivots, step)
            stack.rest(is_finished)
        if stack.idle.all():
            break
        by_name = step >= LARGEST_PRICE_PIVOTS * (m + n)
        entering_columns = _entering_columns(stack, by_name)
        column = _column(stack, entering_columns)
        _pivot(stack, _leaving_rows(stack, column, by_name), entering_columns, column)
        step += 1
    _store(stack, ~stack.idle, weights, pivots, max_steps)
    return _mixed(weights[n:].T, row_legal), _mixed(weights[:n].T, column_legal), pivots


def _start(payoffs: FloatArray, row_legal: BoolArray, column_legal: BoolArray) -> _Stack:
    """Return tableaux at v = 0; an illegal row binds nothing, an illegal column has no price."""
    g, m, n = payoffs.shape
    tableau = np.empty((m + 1, n + 1, g))
    tableau[:m, :n] = payoffs.transpose(1, 2, 0)
    if not (row_legal.all() and column_legal.all()):
        tableau[:m, :n] *= row_legal.T[:, None] & column_legal.T[None, :]
    tableau[:m, n] = 1.0
    tableau[m, :n] = column_legal.T
    tableau[m, n] = 0.0
    names = np.tile(np.arange(n + m)[:, None], (1, g))
    return _Stack(tableau, names[n:], names[:n], np.arange(g), np.zeros(g, bool), np.empty(tableau.shape[1:]))


def _entering_columns(stack: _Stack, by_name: bool) -> IntArray:
    """Return the column that enters in each game: that of the largest price (Dantzig), or the smallest name (Bland)."""
    price = stack.tableau[-1, :-1]
    column: IntArray = _smallest_name(stack.nonbasic, price > PRICE_ZERO) if by_name else price.argmax(axis=0)
    return column


@np.errstate(divide="ignore", invalid="ignore", over="ignore")
def _leaving_rows(stack: _Stack, entering_columns: _Column, by_name: bool) -> IntArray:
    """Return the row that leaves in each game: the first whose variable falls to 0 as the entering one grows.

    Any row where a tableau has broken by rounding (`_pivot`).
    """
    column = entering_columns.values[:-1]
    ratio = np.where(column > PIVOT_ZERO, stack.tableau[:-1, -1] / column, np.inf)
    first: IntArray = ratio.argmin(axis=0)
    return _smallest_name(stack.basic, ratio <= ratio.min(axis=0) * (1 + 1e-12)) if by_name else first


def _row_cells(stack: _Stack, row: IntArray) -> IntArray:
    """Return the indices into the flat tableaux of one row of each game, `int[n + 1, g]`."""
    _, columns, games = stack.tableau.shape
    cells: IntArray = np.arange(columns)[:, None] * games + (row * (columns * games) + np.arange(games))
    return cells


class _Column(NamedTuple):
    """One column of each game: its indices into the flat tableaux, and its values, `[m + 1, g]` each."""

    cells: IntArray
    values: FloatArray


def _column(stack: _Stack, column: IntArray) -> _Column:
    """Return one column of each game as indices and values."""
    rows, columns, games = stack.tableau.shape
    cells: IntArray = np.arange(rows)[:, None] * (columns * games) + (column * games + np.arange(games))
    return _Column(cells, stack.tableau.reshape(-1).take(cells))


def _smallest_name(names: IntArray, is_candidate: BoolArray) -> IntArray:
    """Return the index of the candidate with the smallest name in each game, for Bland's rule."""
    place: IntArray = np.where(is_candidate, names, np.iinfo(np.int64).max).argmin(axis=0)
    return place


@np.errstate(divide="ignore", invalid="ignore", over="ignore")
def _pivot(stack: _Stack, leaving_rows: IntArray, entering_columns: IntArray, column_values: _Column) -> None:
    """Exchange one basic and one nonbasic variable in every game; in those that idle nothing counts any more.

    The entering column is known, and written over. A tableau may break by rounding, on a pivot of 0; then the measured
    gap tells.
    """
    tableau, games = stack.tableau.reshape(-1), np.arange(len(entering_columns))
    in_row, (in_column, column) = _row_cells(stack, leaving_rows), column_values
    row = tableau.take(in_row)
    pivot = np.where(stack.idle, 1.0, row[entering_columns, games])
    row /= pivot
    row[:, stack.idle] = column[:, stack.idle] = 0.0
    for cells, factor in zip(stack.tableau, column, strict=True):  # row by row: what is taken away stays in the cache
        cells -= np.multiply(factor, row, out=stack.room)
    tableau[in_row] = row
    tableau[in_column] = column / -pivot
    tableau[in_row[entering_columns, games]] = 1.0 / pivot
    basic = stack.basic[leaving_rows, games]
    stack.basic[leaving_rows, games] = stack.nonbasic[entering_columns, games]
    stack.nonbasic[entering_columns, games] = basic


def _store(stack: _Stack, is_stored: BoolArray, weights: FloatArray, pivots: IntArray, step: int) -> None:
    """Write levels of basic columns and prices of nonbasic slacks by name: v is 0..n-1, u is n..n+m-1."""
    n, places = len(stack.nonbasic), np.flatnonzero(is_stored)
    game, basic, nonbasic = stack.game[places], stack.basic[:, places], stack.nonbasic[:, places]
    levels, prices = stack.tableau[:-1, -1, places], -stack.tableau[-1, :-1, places].T
    weights[basic, game] = np.where(basic < n, levels, weights[basic, game])
    weights[nonbasic, game] = np.where(nonbasic >= n, prices, weights[nonbasic, game])
    pivots[game] = step


def _mixed(weights: FloatArray, legal: BoolArray) -> FloatArray:
    """Return weights as probabilities on legal actions; even ones where nothing usable is left."""
    usable = np.where(legal & (weights > 0) & np.isfinite(weights), weights, 0.0)
    total = usable.sum(axis=1, keepdims=True)
    usable = np.where(total > 0, usable, legal.astype(np.float64))
    mixed: FloatArray = usable / usable.sum(axis=1, keepdims=True)
    return mixed
