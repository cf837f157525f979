"""Worths on a grid of mastery points: of each configuration at some MP of either side, and interpolated between them.

What a position is worth bends where a side is about to lose by its damage: close to as many MP as damage. So the nodes
of a configuration are measured from the damage on the side; each side has its own (`nodes` chooses them). A worth
between nodes is the mean of those around it, weighted by how near they lie (bilinear): what the duel would be worth if
MP were rounded to nodes by chance, right on average. So the values on a grid are those of a game.

Many configurations that are hardly ever met have worths at a few points only, from which those at the nodes are
predicted (`prediction`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from balance.base.arrays import FloatArray, IntArray
from balance.games.edadh.solving.approximate.prediction import Prediction, Worths
from balance.games.edadh.solving.moves import Rows

__all__ = ["CAP", "DEAD", "LOW", "WIDTH", "Grid", "Nodes", "Worths", "at_damage", "hats", "meeting"]

Nodes = tuple[int, ...]
"""MP above the damage on a side, rising; at the end of a Period, MP."""

LOW, CAP = -8, 60
"""The MP that an axis reaches from and to: below, nothing changes any more; above there are none (WE-SETUP.3)."""
DEAD = CAP - LOW + 1
"""The place on an axis for a side that has lost by its damage (WE-EOP.1), after those for LOW to CAP."""
WIDTH = DEAD + 1
"""Places on an axis."""


@dataclass(frozen=True)
class Grid:
    """Nodes of mastery points for 0, 1 ... turns left, of side a and of side b.

    `predictions` say, by turns left, how worths at all nodes follow from those at some; None where all have their own.
    """

    nodes: tuple[tuple[Nodes, Nodes], ...]
    predictions: tuple[Prediction | None, ...] = ()

    def prediction(self, turns: int) -> Prediction | None:
        """Return how worths at nodes follow from those at points; None where all nodes have worths of their own."""
        return self.predictions[turns] if self.predictions else None

    def shape(self, turns: int) -> tuple[int, int]:
        """Return the numbers of nodes of side a and of side b; or the number of points, and 1."""
        a_nodes, b_nodes = self.nodes[turns]
        prediction = self.prediction(turns)
        return (len(a_nodes), len(b_nodes)) if prediction is None else (len(prediction.points), 1)

    def mp(self, turns: int, damage: Sequence[IntArray]) -> tuple[IntArray, IntArray]:
        """Return the MP of side a and of side b where worths are known, given the damage on either, `[n]` each.

        Of nodes `int[n, k, 1]` and `int[n, 1, l]`: each of a side meets each of the other. Of points `int[n, p, 1]`.
        """
        a_mp, b_mp = (
            at_damage(turns, np.array(nodes), side_damage)
            for nodes, side_damage in zip(self.nodes[turns], damage, strict=True)
        )
        if (prediction := self.prediction(turns)) is None:
            return meeting(a_mp, b_mp)
        a_node, b_node = np.divmod(prediction.points, b_mp.shape[1])
        return a_mp[:, a_node, None], b_mp[:, b_node, None]

    def nearest(self, turns: int, target: Grid) -> Rows:
        """Return which place of this grid, a pair of nodes or a point, lies nearest to each of another, `int[p]`.

        The distance is the larger of those along the two axes.
        """
        own_places, target_places = self._places(turns), target._places(turns)
        return np.asarray(np.abs(target_places[:, None] - own_places).max(axis=2).argmin(axis=1))

    def _places(self, turns: int) -> IntArray:
        """Return the offsets of all pairs of nodes, or of the points, along both axes, `int[p, 2]`."""
        a_nodes, b_nodes = (np.array(nodes) for nodes in self.nodes[turns])
        prediction = self.prediction(turns)
        places = np.arange(len(a_nodes) * len(b_nodes)) if prediction is None else prediction.points
        return np.stack([a_nodes[places // len(b_nodes)], b_nodes[places % len(b_nodes)]], axis=1)

    def at_nodes(self, turns: int, values: Worths) -> Worths:
        """Return worths at all nodes, `float32[n, k, l]`: as they are, or predicted from points, `float32[n, p, 1]`."""
        if (prediction := self.prediction(turns)) is None:
            return values
        a_nodes, b_nodes = self.nodes[turns]
        return prediction(values[:, :, 0]).reshape(-1, len(a_nodes), len(b_nodes))

    def weights(self, turns: int, side: int, damage: IntArray) -> Worths:
        """Return how much each node of side 0 or 1 counts at each MP from LOW to CAP, `float32[n, DEAD, k]`."""
        max_damage = int(damage.max(initial=0)) if turns else 0
        weights = _weights(self.nodes[turns][side], max_damage)
        return weights[damage.astype(np.intp) if turns else np.zeros(len(damage), np.intp)]

    def spread(self, turns: int, values: Worths, damage: Sequence[IntArray], out: Worths | None = None) -> Worths:
        """Return worths at every MP of either side, `float32[n, WIDTH, WIDTH]`, from those at nodes or at points.

        `values` are `float32[n, k, l]` or `float32[n, p, 1]`, damage `[n]`; `out` is written to if given. A side in the
        place DEAD has lost: to side a that is worth 0, 1 for the other side, and 1/2 if both have.
        """
        a_weights, b_weights = (self.weights(turns, side, side_damage) for side, side_damage in enumerate(damage))
        spread = np.empty((len(values), WIDTH, WIDTH), np.float32) if out is None else out
        np.matmul(a_weights @ self.at_nodes(turns, values), b_weights.swapaxes(1, 2), out=spread[:, :DEAD, :DEAD])
        spread[:, DEAD, :DEAD], spread[:, :DEAD, DEAD], spread[:, DEAD, DEAD] = 0.0, 1.0, 0.5
        return spread

    def lines(self, turns: int, side: int, max_damage: int) -> tuple[npt.NDArray[np.int8], Worths]:
        """Return the node of side 0 or 1 below each MP, `[max_damage + 1, DEAD]`, and how far above it MP lie, 0 to 1.

        By damage from 0 to `max_damage` and MP from LOW to CAP.
        """
        weights = _weights(self.nodes[turns][side], max_damage if turns else 0)
        weights = np.broadcast_to(weights, (max_damage + 1, *weights.shape[1:]))
        lower = (weights > 0).argmax(axis=2)
        far = 1 - np.take_along_axis(weights, lower[:, :, None], axis=2)[:, :, 0]
        return lower.astype(np.int8), far


def at_damage(turns: int, nodes: IntArray, damage: IntArray) -> IntArray:
    """Return the MP of nodes `[k]` or `[n, k]` of a side with damage `[n]`, `int[n, k]`, the cap at most.

    Nodes are MP above the damage; at the end of a Period, without turns left, MP.
    """
    return _mp_at(nodes, damage[:, None] if turns else np.zeros((len(damage), 1), np.int64))


def meeting(a_mp: IntArray, b_mp: IntArray) -> tuple[IntArray, IntArray]:
    """Return MP of side a, `[n, k]`, and of side b, `[n, l]`, as `[n, k, 1]` and `[n, 1, l]`: each meets each."""
    return a_mp[:, :, None], b_mp[:, None, :]


def hats(mp: IntArray, nodes: IntArray) -> FloatArray:
    """Return the weights of linear interpolation of rising nodes `[k]` at MP `[n]`, `float64[n, k]`."""
    return np.stack([np.interp(mp, nodes, column) for column in np.eye(len(nodes))], axis=1)


def _mp_at(nodes: IntArray, base: IntArray) -> IntArray:
    return np.minimum(nodes + base.astype(np.int64), CAP)


@lru_cache(maxsize=1024)
def _weights(nodes: Nodes, max_damage: int) -> Worths:
    """Return the weights of nodes by damage up to `max_damage`, `float32[max_damage + 1, DEAD, k]`."""
    mp = np.arange(LOW, CAP + 1)
    weights = np.zeros((max_damage + 1, DEAD, len(nodes)), np.float32)
    for damage in range(max_damage + 1):
        weights[damage] = hats(mp, _mp_at(np.array(nodes), np.array(damage)))
    return weights
