"""Games of a limited number of rounds over the same states, solved by backward induction.

One pass over the layers, last layer first, is one round: a successor in a later layer is in this round, one in the same
or an earlier layer is in the next. After the last round play is worth `final`. So `rounds` passes solve the game, and
only the values of one round are kept. The bounds are carried along: in every round the policies just found are answered
by best responses that know the rounds to come, so that the bounds of the first round are a certificate of the policies
of all rounds together.

A pass never moves values further than the pass before (Shapley 1953), so once a pass moves each value by at most d, the
rounds that are left move it by at most d each. The passes stop there, and the bounds are widened by as much.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from balance.base.arrays import BoolArray, FloatArray
from balance.base.errors import UsageError
from balance.chance.solvers.games import MatrixSolutions, positive
from balance.chance.solvers.matrix_games import solve_matrix_games
from balance.chance.solvers.stages import StagedGame, layer_slices


@dataclass(frozen=True, eq=False)
class RoundsSolution:
    """The value of the first of many rounds in every state, with bounds, and the policies that achieve it.

    * `lower` and `upper`: bounds of the value of every state with all rounds left, `float64[S]`: measured, and widened
      by what the rounds that were left out may move them.
    * `row_policies` and `column_policies`: for the first round: probabilities, one `float64[s, m]` and one `float64[s,
      n]` per layer.
    * `rounds`: number of passes made, fewer than the rounds if values settled before.
    * `change`: largest change of a value in the last pass.
    * `n_starts`: number of start states, which come first.
    * `tolerance`: the exploitability up to which the solution counts as converged, in units of payoff.
    """

    lower: FloatArray
    upper: FloatArray
    row_policies: tuple[FloatArray, ...]
    column_policies: tuple[FloatArray, ...]
    rounds: int
    change: float
    n_starts: int
    tolerance: float

    @property
    def values(self) -> FloatArray:
        """Value of each state to the row player, the middle of its bounds, `float64[S]`."""
        return self.lower + (self.upper - self.lower) / 2

    @property
    def exploitability(self) -> float:
        """The sum of what best responders gain against the two policies, at the worst start state."""
        return float(np.max(self.upper[: self.n_starts] - self.lower[: self.n_starts], initial=0.0))

    @property
    def converged(self) -> bool:
        """Whether the exploitability is within the tolerance that was asked for."""
        return self.exploitability <= self.tolerance


def solve_rounds(game: StagedGame, rounds: int, final: float, *, tolerance: float = 1e-6) -> RoundsSolution:
    """Solve a game of S states in layers that ends after `rounds` rounds, worth `final` to the row player.

    It counts as converged if the exploitability is at most `tolerance`, in units of payoff. Raise UsageError for no
    round, and for payoffs that are not finite.
    """
    positive("rounds", rounds, whole=True)
    positive("tolerance", tolerance)
    if not np.isfinite(final):
        raise UsageError(f"final must be a finite number; found {final}")
    pass_ = Passes(game, np.full((3, sum(game.layer_sizes)), float(final)))
    for n_rounds in range(1, rounds + 1):
        change = pass_.go()
        if change * (rounds - n_rounds) <= tolerance / 8:
            break
    slack = change * (rounds - n_rounds)
    return RoundsSolution(
        lower=pass_.worth[0] - slack,
        upper=np.maximum(pass_.worth[0], pass_.worth[2]) + slack,
        row_policies=tuple(solutions.row_strategies for solutions in pass_.solutions),
        column_policies=tuple(solutions.column_strategies for solutions in pass_.solutions),
        rounds=n_rounds,
        change=change,
        n_starts=game.layer_sizes[0],
        tolerance=tolerance,
    )


@dataclass
class Passes:
    """Rounds solved so far: lower bound, value and upper bound of every state, `worth float64[3, S]`."""

    game: StagedGame
    worth: FloatArray
    solutions: list[MatrixSolutions] = field(default_factory=list)

    def go(self) -> float:
        """Solve one more round by backward induction, and return the largest change of a value or bound."""
        before, self.solutions = self.worth.copy(), []
        for layer, place in reversed(list(enumerate(layer_slices(self.game)))):
            lower, middle, upper = (self.game.payoffs(layer, read_only(worth)) for worth in self.worth)
            row_legal, column_legal = self.game.legal(layer)
            solutions = solve_matrix_games(middle, row_legal, column_legal)
            low, high = (_finite(worth, row_legal, column_legal) for worth in (lower, upper))
            against_row = (solutions.row_strategies[:, None, :] @ low).squeeze(axis=1)
            against_column = (high @ solutions.column_strategies[:, :, None]).squeeze(axis=2)
            self.worth[1, place] = solutions.values
            self.worth[0, place] = _legal_or_worst(column_legal, against_row, np.inf).min(axis=1)
            self.worth[2, place] = _legal_or_worst(row_legal, against_column, -np.inf).max(axis=1)
            self.solutions.insert(0, solutions)
        return float(np.abs(self.worth - before).max())


def read_only(values: FloatArray) -> FloatArray:
    """Return a view that a game cannot write to."""
    view = values.view()
    view.flags.writeable = False
    return view


def _finite(payoffs: FloatArray, row_legal: BoolArray | None, column_legal: BoolArray | None) -> FloatArray:
    """Return payoffs with 0 in illegal cells, which may hold anything."""
    rows = payoffs if row_legal is None else np.where(row_legal[:, :, None], payoffs, 0.0)
    return rows if column_legal is None else np.where(column_legal[:, None, :], rows, 0.0)


def _legal_or_worst(legal: BoolArray | None, payoffs: FloatArray, worst: float) -> FloatArray:
    """Return payoffs with those of illegal actions replaced, so that a best response never picks them."""
    return payoffs if legal is None else np.where(legal, payoffs, worst)
