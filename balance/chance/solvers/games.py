"""A batch of zero-sum matrix games as arrays, what two strategies guarantee in them, and the result of solving them.

Game g is a matrix A of payoffs to the row player, who maximises; the column player pays, and minimises. Row i and
column j are actions, rows first in every array. A mixed row strategy x guarantees min_j (x A)_j, a mixed column
strategy y lets the row player have at most max_i (A y)_i; the value lies between the two, whoever found x and y. So
the gap between them is a measured error bound, and it is what every solver of this package reports.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.errors import Fault, UsageError

GAP_TOLERANCE = 1e-9
"""A game counts as solved when its gap is at most this part of its range of payoffs."""


@dataclass(frozen=True, eq=False)
class MatrixGames:
    """A checked batch of games: payoffs measured from each game's lowest, `payoffs = low + raised`.

    `raised_payoffs`: `float64[g, m, n]`, from 0 to `span`; 0 where an action is not legal. `low` and `span`: lowest
    payoff of each game, and highest less lowest, `float64[g]`; legal cells only. `row_legal` and `column_legal`: which
    actions may be played, `bool[g, m]` and `bool[g, n]`.
    """

    raised_payoffs: FloatArray
    low: FloatArray
    span: FloatArray
    row_legal: BoolArray
    column_legal: BoolArray

    def __getitem__(self, places: slice | IntArray | BoolArray) -> MatrixGames:
        """Return some of the games, in the order asked for."""
        payoffs, low, span = self.raised_payoffs[places], self.low[places], self.span[places]
        return MatrixGames(payoffs, low, span, self.row_legal[places], self.column_legal[places])

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self.raised_payoffs)

    def unit(self) -> FloatArray:
        """Return the payoffs scaled to [0, 1], `float64[g, m, n]`; 0 throughout in a game whose payoffs are all one."""
        return self.raised_payoffs / np.where(self.span > 0, self.span, 1.0)[:, None, None]


@dataclass(frozen=True, eq=False)
class MatrixSolutions:
    """Strategies for g games and what they were measured to guarantee; `values` is the middle of `lower` and `upper`.

    * `lower` and `upper`: what the row strategy guarantees, and the most the column strategy concedes, `float64[g]`:
      the value is between.
    * `row_strategies` and `column_strategies`: probabilities by action, `float64[g, m]` and `float64[g, n]`; 0 for an
      action that is not legal.
    * `gaps`: `upper - lower`, measured on the payoffs as given, `float64[g]`, never negative.
    * `iterations`: pivots or sweeps spent on each game, `int64[g]`.
    * `converged`: whether the measured gap is within the tolerance that was asked for, `bool[g]`.
    * `is_retried`: whether the fast method missed its tolerance, so that a general linear program took over, `bool[g]`.
    """

    lower: FloatArray
    upper: FloatArray
    row_strategies: FloatArray
    column_strategies: FloatArray
    gaps: FloatArray
    iterations: IntArray
    converged: BoolArray
    is_retried: BoolArray

    @property
    def values(self) -> FloatArray:
        """Value of each game to the row player, wrong by half the gap at most, `float64[g]`."""
        return self.lower + (self.upper - self.lower) / 2

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self.lower)


def matrix_games(
    payoffs: npt.ArrayLike, row_legal: npt.ArrayLike | None = None, column_legal: npt.ArrayLike | None = None
) -> MatrixGames:
    """Check a batch of games, and measure payoffs from each game's lowest.

    `payoffs` to the row player are `[g, m, n]`, finite on legal cells; actions are legal by `bool[g, m]` and `bool[g,
    n]` (None: all). Raise UsageError, with all faults at once, for wrong shapes, no legal action, or payoffs that are
    not finite.
    """
    table = as_numbers(payoffs)
    if table.ndim != 3 or 0 in table.shape[1:]:
        raise UsageError(f"payoffs of shape {table.shape} are not games; give [g, m, n] with m and n at least 1")
    g, m, n = table.shape
    rows, columns = _legal(row_legal, (g, m), "row"), _legal(column_legal, (g, n), "column")
    if row_legal is None and column_legal is None:  # a tenth of the time of a batch is saved
        low, high = table.min(axis=(1, 2)), table.max(axis=(1, 2))
        with np.errstate(over="ignore", invalid="ignore"):
            span = high - low
        if np.isfinite(span).all():
            raised_payoffs = np.subtract(table, low[:, None, None], order="C")
            return MatrixGames(raised_payoffs, low, span, rows, columns)
    legal = rows[:, :, None] & columns[:, None, :]
    _check_payoffs(table, legal)
    low = np.where(legal, table, np.inf).min(axis=(1, 2))
    raised_payoffs = np.where(legal, table - low[:, None, None], 0.0)
    return MatrixGames(raised_payoffs, low, raised_payoffs.max(axis=(1, 2)), rows, columns)


def strategy_bounds(
    games: MatrixGames, row_strategies: FloatArray, column_strategies: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return what row strategies guarantee and the most that column strategies concede, `float64[g]` each.

    Strategies are probabilities, `float64[g, m]` and `float64[g, n]`; each bound is the best response among all legal
    actions, measured above `games.low`: `lower <= value - games.low <= upper`.

    >>> pennies = matrix_games([[[1, -1], [-1, 1]]])
    >>> strategy_bounds(pennies, np.array([[0.5, 0.5]]), np.array([[0.75, 0.25]]))
    (array([1.]), array([1.5]))
    """
    by_column = (row_strategies[:, None, :] @ games.raised_payoffs).squeeze(axis=1)
    by_row = (games.raised_payoffs @ column_strategies[:, :, None]).squeeze(axis=2)
    lower = np.where(games.column_legal, by_column, np.inf).min(axis=1)
    upper = np.where(games.row_legal, by_row, -np.inf).max(axis=1)
    return lower, upper


def measure_solutions(
    games: MatrixGames,
    strategies: tuple[FloatArray, FloatArray],
    iterations: IntArray,
    tolerance: float,
    is_retried: BoolArray | None = None,
) -> MatrixSolutions:
    """Return two sets of strategies as solutions, with their measured gaps compared with the tolerance.

    `strategies` are those of the row and of the column players; `is_retried` marks games solved again by a linear
    program.
    """
    lower, upper = strategy_bounds(games, *strategies)
    gaps = np.maximum(upper - lower, 0.0)
    return MatrixSolutions(
        lower=games.low + lower,
        upper=games.low + np.maximum(upper, lower),
        row_strategies=strategies[0],
        column_strategies=strategies[1],
        gaps=gaps,
        iterations=iterations,
        converged=gaps <= tolerance * games.span,
        is_retried=np.zeros(len(games), bool) if is_retried is None else is_retried,
    )


def positive(name: str, number: float, *, whole: bool = False) -> None:
    """Raise UsageError, naming the setting, unless a number is finite and positive (and whole if asked)."""
    if not (np.isfinite(number) and number > 0 and (not whole or number == int(number))):
        raise UsageError(Fault(f"is not a positive {'whole ' if whole else ''}number", field=name, found=str(number)))


def as_numbers(payoffs: npt.ArrayLike) -> FloatArray:
    """Return payoffs as float64; raise UsageError for anything but numbers."""
    try:
        return np.asarray(payoffs, np.float64)
    except (TypeError, ValueError) as error:
        raise UsageError("payoffs must be numbers in a full rectangle for each game") from error


def _legal(mask: npt.ArrayLike | None, shape: tuple[int, int], side: str) -> BoolArray:
    """Return which actions are legal, `bool[shape]`; raise UsageError for a wrong shape or a game without any."""
    if mask is None:
        return np.ones(shape, bool)
    flags = np.asarray(mask)
    if flags.shape != shape or flags.dtype != np.bool_:
        raise UsageError(f"legal {side}s must be bool{list(shape)}; found {flags.dtype}{list(flags.shape)}")
    if not flags.any(axis=1).all():
        raise UsageError(f"game {int(flags.any(axis=1).argmin())} has no legal {side}")
    return flags


def _check_payoffs(table: FloatArray, legal: BoolArray) -> None:
    """Raise UsageError for legal payoffs that are not finite, or whose difference overflows."""
    bad = legal & ~np.isfinite(table)
    with np.errstate(over="ignore", invalid="ignore"):
        wide = ~bad.any(axis=(1, 2)) & ~np.isfinite(
            np.where(legal, table, -np.inf).max(axis=(1, 2)) - np.where(legal, table, np.inf).min(axis=(1, 2))
        )
    faults = [
        Fault("is not a finite payoff", field=f"payoffs[{g}, {i}, {j}]", found=str(table[g, i, j]))
        for g, i, j in np.argwhere(bad)[:FAULTS_TOLD].tolist()
    ]
    faults += [
        Fault("spans more than a float can hold", field=f"payoffs[{g}]") for g in np.flatnonzero(wide)[:FAULTS_TOLD]
    ]
    if faults:
        raise UsageError(faults)


FAULTS_TOLD = 10
"""Faults of one kind told in one message; an array of thousands of bad payoffs has one cause."""
