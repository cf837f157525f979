"""What a unit may do in its turn, and what each action leaves it free to do (WF-ACT, WF-ABIL.2).

Pure functions of arrays `[n]`, one entry per trial. A turn has as many actions as the agreed unit limit, spread freely
over the side's units (WF-ACT.1); an action is a move, an attack or an active ability (WF-ACT.2). A unit moves at most
twice a turn (WF-ACT.3). A jump is an ability, not a move, and ends the unit's turn (WF-ABIL.2, WF-Q17).
"""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray


def may_move(moves: IntArray, is_finished: BoolArray, max_moves: int) -> BoolArray:
    """Return where a unit may still move, `bool[n]`: it has made fewer than `max_moves` and its turn is not over.

    >>> may_move(np.array([1, 2, 0]), np.array([False, False, True]), 2).tolist()
    [True, False, False]
    """
    return np.asarray((moves < max_moves) & ~is_finished)


def may_jump(has_jump: bool, is_finished: BoolArray) -> BoolArray:
    """Return where a unit may jump, `bool[n]`: it has the ability and has not jumped this turn; moves do not matter.

    >>> may_jump(True, np.array([False, True])).tolist()
    [True, False]
    """
    return np.asarray(~is_finished & has_jump)


def jump_lands(distance: IntArray, speed_cells: int, *, exact: bool) -> BoolArray:
    """Return where a jump towards the enemy, so many cells away, finds a free cell, `bool[n]`.

    An exact jump (WF-Q17) goes its whole length, and must not pass the enemy.

    >>> jump_lands(np.array([3, 6]), 4, exact=True).tolist()
    [False, True]
    """
    return np.asarray(distance - speed_cells >= 1) if exact else np.asarray(distance > 1)


def nearer(distance: IntArray, speed_cells: int, reach_cells: int) -> IntArray:
    """Return the cells to the enemy after going towards him, up to the speed and no closer than `reach_cells`.

    >>> nearer(np.array([9, 5, 20]), 4, 6).tolist()
    [6, 5, 16]
    """
    return np.minimum(distance, np.maximum(distance - speed_cells, reach_cells))
