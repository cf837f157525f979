"""Soul ranks that are bought from common points, death, and the way back of ghosts (IS-ECO.1, IS-HP.3, IS-HP.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.immortal_souls.encounter.board.victims import NO_INDEX

HIGHEST_RANK = 7


class Souls(NamedTuple):
    """The souls of a party.

    `rank`: soul ranks, 1 to 7, `int8[n, heroes]`. `ghost`: who is a Ghost Soul, `bool[n, heroes]`. `points`: soul
    Points that all have in common, `int16[n]`.
    """

    rank: IntArray
    ghost: BoolArray
    points: IntArray


def may_rise(souls: Souls, costs: Sequence[int], ghosts_hold_back: bool) -> BoolArray:
    """Return which heroes may buy their next rank, `bool[n, heroes]`: IS-ECO.1, IS-Q27.

    Those are the heroes of the lowest rank whom the points pay for; a ghost must return first, and if
    `ghosts_hold_back` its rank counts too. `costs` are those of ranks I to VII, each from the one before: n * n by the
    rulebook.
    """
    limiting_rank = np.where(souls.ghost & (not ghosts_hold_back), HIGHEST_RANK, souls.rank)
    price = np.array([*costs, np.iinfo(np.int16).max], np.int16).take(souls.rank)
    lowest = souls.rank <= limiting_rank.min(axis=1, keepdims=True)
    return np.asarray(lowest & (price <= souls.points[:, None]) & ~souls.ghost)


def buy_rank(souls: Souls, hero: IntArray, costs: Sequence[int]) -> Souls:
    """Return the souls when one hero, `int[n]`, NO_INDEX for none, buys the next rank; `costs` as in `may_rise`."""
    buys = np.arange(souls.rank.shape[1]) == hero[:, None]
    price = np.array([*costs, 0], np.int16).take(souls.rank)
    points = souls.points - (price * buys).sum(axis=1)
    return Souls((souls.rank + buys).astype(np.int8), souls.ghost, points.astype(np.int16))


def buy_ranks(souls: Souls, costs: Sequence[int], ghosts_hold_back: bool, wishes: IntArray | None = None) -> Souls:
    """Return the souls when heroes buy ranks as long as anybody may, one at a time (IS-ECO.1).

    Of several who may, the one with the lowest of `wishes`, `int[n, heroes]`, is first; of equals the first hero.
    """
    order = np.zeros(souls.rank.shape, np.int64) if wishes is None else wishes.astype(np.int64)
    while (may := may_rise(souls, costs, ghosts_hold_back)).any():
        first = np.where(may, order, np.iinfo(np.int64).max).argmin(axis=1)
        souls = buy_rank(souls, np.where(may.any(axis=1), first, NO_INDEX), costs)
    return souls


def may_return(souls: Souls, at_altar: BoolArray) -> BoolArray:
    """Return which ghosts may be resurrected, `bool[n, heroes]`: IS-HP.6, IS-ECO.2.

    Those `at_altar`, `bool[n, heroes]`, for whose present rank there are points.
    """
    return np.asarray(souls.ghost & at_altar & (souls.rank <= souls.points[:, None]))


def resurrect(souls: Souls, hero: IntArray) -> Souls:
    """Return the souls when one ghost, `int[n]`, NO_INDEX for none, is resurrected for as many points as his rank."""
    returns = np.arange(souls.rank.shape[1]) == hero[:, None]
    points = souls.points - (souls.rank * returns).sum(axis=1)
    return Souls(souls.rank, souls.ghost & ~returns, points.astype(np.int16))
