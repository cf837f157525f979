"""Worths at all nodes predicted from those at a few points: the best linear prediction, learnt from a sample.

Worths of configurations with as many cards bend alike over mastery points (MP). So some configurations are worked out
at every node of a fine grid, and what they have in common tells the others from a few points each: the mean, and how
the worth of each node varies with those at the points. Points are found one after the other, each the one that leaves
least variance (kriging: Rasmussen and Williams, *Gaussian Processes for Machine Learning*, 2006, chapter 2; the choice
of points: Krause, Singh and Guestrin, *JMLR* 9, 2008, section 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from balance.base.arrays import FloatArray
from balance.games.edadh.solving.moves import Rows

Worths = npt.NDArray[np.float32]

MOST_POINTS = 96
MORE = 1.5
"""Times as many points as play has, its own among them, have answers to it."""
NOISE = 1e-5
"""The variance of a worth that nothing else tells: so a sample is not taken at its word."""


@dataclass(frozen=True, eq=False)
class Prediction:
    """Linear prediction of worths at n nodes from those at p of them.

    `points`: which nodes, `int[p]`. `weights`: coefficients of the worth at each point, `float32[p, n]`: at the points
    themselves, nothing but their own. `level`: the intercepts, `float32[n]`. `closer`: the same from more points, these
    among them, for best responses to a play that stands on these: they see what it does where it is known, and where
    least was known of it.
    """

    points: Rows
    weights: Worths
    level: Worths
    closer: Prediction | None = None

    def __call__(self, values: Worths) -> Worths:
        """Return worths at all nodes, 0 to 1, `float32[s, n]`, from those at the points `[s, p]`."""
        worths = values @ self.weights
        worths += self.level
        return np.asarray(np.clip(worths, 0, 1, out=worths))

    def at(self, values: Worths, nodes: Rows) -> Worths:
        """Return worths at nodes `[k, s]`, k of each configuration, `float32[k, s]`, from those at points, `[s, p]`."""
        worths = np.einsum("sp,ksp->ks", values, self._by_node[nodes]) + self.level[nodes]
        return np.asarray(np.clip(worths, 0, 1))

    @cached_property
    def _by_node(self) -> Worths:
        return np.ascontiguousarray(self.weights.T)


def chosen_points(sample: Worths, weights: FloatArray, cost: float) -> Prediction:
    """Return the prediction with the least sum of expected squared error and `cost` per point.

    `sample` has worths of some configurations at every node, `float32[s, n]`; `weights` of the nodes, `float64[n]`, sum
    to 1.

    >>> mp = np.linspace(0, 1, 9)
    >>> sample = np.stack([height * mp**2 for height in np.linspace(0.1, 0.9, 30)]).astype(np.float32)
    >>> found = chosen_points(sample, np.full(9, 1 / 9), 1e-4)
    >>> found.points.tolist(), [round(float(each), 2) for each in found(np.array([[0.5]], np.float32))[0, ::4]]
    ([8], [0.0, 0.12, 0.5])
    """
    flat = sample.astype(np.float64)
    mean = flat.mean(axis=0)
    shared = np.cov(flat, rowvar=False) + NOISE * np.eye(len(mean))
    max_points = min(MOST_POINTS, len(flat) // 2, len(mean) // 3)
    points, variance = _points(shared, weights, int(max_points * MORE))
    number = np.arange(1, max_points + 1)
    error = (
        variance[:max_points] * (len(flat) + number) / (len(flat) - number)
    )  # a sample flatters what was learnt from it
    n = 1 + int((error + cost * number).argmin())
    closer = _prediction(points[: int(n * MORE)], shared, mean)
    return _prediction(points[:n], shared, mean, closer)


def _points(shared: FloatArray, weights: FloatArray, max_points: int) -> tuple[Rows, FloatArray]:
    """Return points chosen greedily by variance reduction, and the weighted variance left, `float64[max_points]`."""
    unknown, points, variance = shared.copy(), np.zeros(max_points, np.intp), np.zeros(max_points)
    for number in range(max_points):
        node_variance = np.maximum(unknown.diagonal(), NOISE / 2)
        gain = weights @ unknown**2 / node_variance
        gain[points[:number]] = -1.0
        points[number] = point = int(gain.argmax())
        unknown -= np.outer(unknown[:, point], unknown[point]) / node_variance[point]
        variance[number] = weights @ np.maximum(unknown.diagonal(), 0)
    return points, variance


def _prediction(points: Rows, shared: FloatArray, mean: FloatArray, closer: Prediction | None = None) -> Prediction:
    weights = np.linalg.solve(shared[np.ix_(points, points)], shared[points])
    level = mean - mean[points] @ weights
    return Prediction(points, weights.astype(np.float32), level.astype(np.float32), closer)
