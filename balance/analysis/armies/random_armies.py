"""Random armies, to be set against each other at equal points.

An army is a row of member numbers, `int16[n, k]`, -1 where nobody stands; n armies are drawn at a time, each for a
budget of its own. Two shapes. *Alike*: as many of one member as the budget buys. *Mixed*: one random member after
another, each drawn from all, as long as money and the unit limit last. Either way the last unit that the budget cannot
buy whole joins with the chance of the share that it can pay, so that armies cost their budget on average: no member
gains by a cost that happens to divide it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray

EMPTY = -1
MOST_ALIKE = 64
"""Units of one army of equals, however little each costs."""
TRIES = 8
"""How often a member that costs too much is drawn again."""


def alike_armies(members: IntArray, budgets: FloatArray, costs: FloatArray, rng: np.random.Generator) -> IntArray:
    """Return armies of one member each, `int16[n, k]`: as many as the budget buys, and at least one.

    `members` is `int[n]`, `budgets` `float64[n]`, and `costs` `float64[m]`, in points.

    >>> rng = np.random.default_rng(0)
    >>> alike_armies(np.array([0, 1]), np.array([30.0, 30.0]), np.array([10.0, 15.0]), rng).tolist()
    [[0, 0, 0], [1, 1, -1]]
    """
    n_units = np.floor(budgets / costs[members] + rng.random(len(members)))
    n_units = np.clip(n_units, 1, MOST_ALIKE).astype(np.int64)
    place = np.arange(n_units.max(initial=1))
    return np.where(place < n_units[:, None], members[:, None], EMPTY).astype(np.int16)


def mixed_armies(
    budgets: FloatArray, limits: IntArray, costs: FloatArray, rng: np.random.Generator, min_units: int = 1
) -> IntArray:
    """Return armies of random members, `int16[n, k]` with k the largest unit limit.

    `budgets` is `float64[n]` and `costs` `float64[m]`, in points; `limits` is `int[n]`. With `min_units` 1 an army has
    a unit even if its budget is too small; with 0, for armies that are added to others, it may be empty.
    """
    n, points = len(budgets), budgets.astype(np.float64)
    armies = np.full((n, int(limits.max(initial=1))), EMPTY, np.int16)
    for place in range(armies.shape[1]):
        members = rng.integers(0, len(costs), n)
        for _ in range(TRIES):
            dear = np.flatnonzero(costs[members] > points)
            if len(dear) == 0:
                break
            members[dear] = rng.integers(0, len(costs), len(dear))
        price = costs[members]
        joins = (place < limits) & (rng.random(n) * price < points)
        armies[:, place] = np.where(joins, members, EMPTY)
        points = np.where(joins & (price <= points), points - price, 0.0)
    if min_units and len(empty := np.flatnonzero((armies == EMPTY).all(axis=1))):
        armies[empty, 0] = rng.integers(0, len(costs), len(empty))
    return armies


def same_width(armies: Sequence[IntArray]) -> list[IntArray]:
    """Return stacks of armies, `int[n, k]` each, padded with -1 to the width of the widest.

    >>> [rows.tolist() for rows in same_width([np.array([[0, 1]]), np.array([[2], [3]])])]
    [[[0, 1]], [[2, -1], [3, -1]]]
    """
    width = max(rows.shape[1] for rows in armies)
    return [np.pad(rows, ((0, 0), (0, width - rows.shape[1])), constant_values=EMPTY) for rows in armies]


def by_seat(armies: IntArray, opponents: IntArray, first: BoolArray) -> tuple[IntArray, IntArray]:
    """Return the armies that go first and those that go second; `armies` go first in the battles of `first`, `bool[n]`.

    Both are `int[n, w]`: places of members, -1 for nobody.
    """
    wide_armies, wide_opponents = same_width([armies, opponents])
    return np.where(first[:, None], wide_armies, wide_opponents), np.where(first[:, None], wide_opponents, wide_armies)


def points_of(armies: IntArray, costs: FloatArray) -> FloatArray:
    """Return the cost in points of armies, `float64[n]`, from `int[n, w]` (-1 for nobody) and `costs`, `float64[m]`."""
    return np.asarray(np.append(costs, 0.0)[armies].sum(axis=1))


def shares_of(armies: IntArray, costs: FloatArray) -> FloatArray:
    """Return which share of its points each army spends on each member, `float64[n, m]`; rows add up to 1.

    `armies` is `int[n, w]`, -1 for nobody; `costs` is `float64[m]`.

    >>> shares_of(np.array([[0, 0, 1]]), np.array([10.0, 20.0])).tolist()
    [[0.5, 0.5]]
    """
    n, m = len(armies), len(costs)
    cells = np.arange(n)[:, None] * (m + 1) + np.where(armies == EMPTY, m, armies)
    points = np.bincount(cells.ravel(), np.append(costs, 0.0)[armies].ravel(), n * (m + 1)).reshape(n, m + 1)[:, :m]
    return np.asarray(points / points.sum(axis=1, keepdims=True))
