"""Pairs and cycles that lie farthest from even in a grid of scores, most of which is noise.

A grid of scores less one half is antisymmetric. A structure that few numbers per member describe lies in its largest
singular values, which come in pairs; the dice spread over all of it. Independent noise of variance v leaves singular
values up to 2 sqrt(m v) in a grid of m members, so the rest of each value y is shrunk to what is best in the mean
square (Gavish and Donoho 2017):

    y -> sqrt(max(y^2 - 4 m v, 0))

Of what that takes off a share is given back: as much of its mean square as exceeds v is no noise.

A *cycle* is A beats B beats C beats A. It is as strong as the weakest of the three.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from balance.base.arrays import FloatArray


def smooth_scores(scores: FloatArray, variance: float) -> FloatArray:
    """Return a grid of scores with most of its noise gone, `float64[m, m]`, from 0 to 1.

    Scores are of the row against the column, a half on the diagonal; `variance` is that of each score from the dice.

    >>> grid = np.array([[0.5, 0.9, 0.1], [0.1, 0.5, 0.9], [0.9, 0.1, 0.5]])
    >>> smooth_scores(grid, 0.0).round(9).tolist() == grid.tolist()
    True
    >>> smooth_scores(grid, 0.2).round(2).tolist()
    [[0.5, 0.5, 0.5], [0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]
    """
    m = len(scores)
    left, values, right = np.linalg.svd(scores - 0.5)
    smooth = 0.5 + (left * np.sqrt(np.maximum(values**2 - 4 * m * variance, 0.0))) @ right
    rest = scores - smooth
    square = float((rest**2).sum()) / (m * (m - 1))
    share = max(1.0 - variance / square, 0.0) if square > 0 else 0.0
    return np.asarray(np.clip(smooth + share * rest, 0.0, 1.0))


def farthest_pairs(scores: FloatArray, places: Collection[int], n: int) -> list[tuple[int, int]]:
    """Return at most n pairs (winner, loser), the one farthest from even first; of equal ones the first in the grid.

    Scores are `float64[m, m]` as for `smooth_scores`; only `places` may be in a pair. No two pairs have their winner or
    their loser in common: one that beats everybody is reported once.

    >>> grid = np.array([[0.5, 0.9, 0.8, 0.2], [0.1, 0.5, 0.6, 0.5], [0.2, 0.4, 0.5, 0.5], [0.8, 0.5, 0.5, 0.5]])
    >>> farthest_pairs(grid, range(4), 3)
    [(0, 1), (3, 0), (1, 2)]
    """
    allowed = np.array(sorted(places), np.int64)
    grid = scores[np.ix_(allowed, allowed)].round(9)
    pairs: list[tuple[int, int]] = []
    while len(pairs) < n and grid.size and grid.max() > 0.5:
        winner, loser = divmod(int(grid.argmax()), len(grid))
        pairs.append((int(allowed[winner]), int(allowed[loser])))
        grid[winner, :] = grid[:, loser] = 0.0
    return pairs


def strongest_cycles(scores: FloatArray, places: Collection[int], n: int) -> list[tuple[int, int, int]]:
    """Return at most n cycles (a, b, c) in which each beats the next and the last the first, the strongest first.

    No two of them have more than one member in common.

    >>> strongest_cycles(np.array([[0.5, 0.9, 0.1], [0.1, 0.5, 0.8], [0.9, 0.2, 0.5]]), range(3), 2)
    [(0, 1, 2)]
    """
    allowed = np.array(sorted(places), np.int64)
    grid = scores[np.ix_(allowed, allowed)].round(9)
    rows: list[tuple[float, tuple[int, int, int]]] = []
    for a in range(len(grid) - 2):
        weakest = np.minimum(np.minimum(grid[a, a + 1 :, None], grid[a + 1 :, a + 1 :]), grid[None, a + 1 :, a])
        order = np.argsort(-weakest, axis=None, kind="stable")[: n * len(grid)]
        for b, c in zip(*np.unravel_index(order, weakest.shape), strict=True):
            rows.append((float(weakest[b, c]), (a, a + 1 + int(b), a + 1 + int(c))))
    cycles: list[tuple[int, int, int]] = []
    for strength, cycle in sorted(rows, key=lambda row: -row[0]):
        if strength > 0.5 and len(cycles) < n and all(len({*cycle} & {*other}) < 2 for other in cycles):
            cycles.append(cycle)
    return [(int(allowed[a]), int(allowed[b]), int(allowed[c])) for a, b, c in cycles]
