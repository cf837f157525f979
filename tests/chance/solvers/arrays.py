"""Games made of arrays, so that their solutions can be worked out by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, FloatArray
from balance.base.errors import UsageError
from balance.chance.solvers import RoundsSolution, solve_rounds
from balance.chance.solvers.stages import Legal


@dataclass(frozen=True, eq=False)
class Stage:
    """One layer of a game as arrays: s states, m rows, n columns, k chances.

    Parameters
    ----------
    rewards
        Expected reward to the row player, `[s, m, n]`.
    successors
        State (numbered over all layers) that chance leads to, integer `[s, m, n, k]`; -1 where play ends.
    weights
        Probability of each chance, broadcast to `[s, m, n, k]`; at most 1 in sum, the rest ends play. A discount is
        a factor in them.
    row_legal, column_legal
        Which actions may be played, `bool[s, m]` and `bool[s, n]`; all by default.

    Raises
    ------
    UsageError
        Shapes that do not fit, a weight below 0, or weights of more than 1 in sum.
    """

    rewards: npt.ArrayLike
    successors: npt.ArrayLike
    weights: npt.ArrayLike = 1.0
    row_legal: BoolArray | None = None
    column_legal: BoolArray | None = None

    def __post_init__(self) -> None:
        """Check shapes and weights, and keep the arrays as such."""
        rewards, successors = np.asarray(self.rewards, np.float64), np.asarray(self.successors)
        weights = np.asarray(self.weights, np.float64)
        if rewards.ndim != 3 or successors.shape[:-1] != rewards.shape or successors.dtype.kind not in "iu":
            raise UsageError(
                "a stage needs rewards [s, m, n] and whole-numbered successors [s, m, n, k]; "
                f"found {rewards.shape} and {successors.dtype}{list(successors.shape)}"
            )
        if np.broadcast_shapes(weights.shape, successors.shape) != successors.shape:
            raise UsageError(f"weights of shape {weights.shape} do not fit successors {successors.shape}")
        sums = weights.sum(axis=-1) if weights.ndim and weights.shape[-1] > 1 else weights * successors.shape[-1]
        if not (weights >= 0).all() or not (sums <= 1 + 1e-9).all():
            raise UsageError("weights are probabilities: 0 or more, and at most 1 in sum over the chances of a cell")
        for name, array in (("rewards", rewards), ("successors", successors), ("weights", weights)):
            object.__setattr__(self, name, array)

    def payoffs(self, values: FloatArray) -> FloatArray:
        """Return reward plus expected value of the successor, `float64[s, m, n]`."""
        successors: npt.NDArray[Any] = np.asarray(self.successors)
        weights = np.broadcast_to(np.asarray(self.weights), successors.shape)
        counts = (successors >= 0) & (weights > 0)
        later = np.where(counts, values[np.maximum(successors, 0)], 0.0)
        payoffs: FloatArray = np.asarray(self.rewards) + (weights * later).sum(axis=-1)
        return payoffs


@dataclass(frozen=True, eq=False)
class ArrayGame:
    """A game made of arrays: one `Stage` per layer, the start layer first.

    Raises
    ------
    UsageError
        No stage, or a successor that is no state.

    >>> game = ArrayGame((Stage([[[1.0, -1.0], [-1.0, 1.0]]], [[[[0], [-1]], [[-1], [-1]]]], weights=0.5),))
    >>> game.payoffs(0, np.array([0.2])).tolist()
    [[[1.1, -1.0], [-1.0, 1.0]]]
    """

    stages: tuple[Stage, ...]

    def __post_init__(self) -> None:
        """Check that every successor is a state."""
        if not self.stages:
            raise UsageError("a game needs at least one stage")
        states = sum(self.layer_sizes)
        for number, stage in enumerate(self.stages):
            successors = np.asarray(stage.successors)
            if successors.size and (successors.max() >= states or successors.min() < -1):
                raise UsageError(f"stage {number} leads to a state outside 0 to {states - 1} (-1 ends play)")

    @property
    def layer_sizes(self) -> tuple[int, ...]:
        """States in each layer."""
        return tuple(len(np.asarray(stage.rewards)) for stage in self.stages)

    def payoffs(self, layer: int, values: FloatArray) -> FloatArray:
        """Return reward plus expected value of the successor, `float64[s, m, n]`."""
        return self.stages[layer].payoffs(values)

    def legal(self, layer: int) -> Legal:
        """Return which actions may be played in each state of the layer."""
        return self.stages[layer].row_legal, self.stages[layer].column_legal


def solve_layers(game: ArrayGame) -> RoundsSolution:
    """Solve a game in which every successor is in a later layer: it has one round."""
    return solve_rounds(game, 1, 0.0)
