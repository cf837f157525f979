"""What a unit may do in its turn, and what each action leaves it free to do (WF-ACT, WF-ABIL.2).

Pure functions of arrays `[n]`, one entry per trial. A turn has as many actions as the agreed unit limit, spread freely
over the side's units (WF-ACT.1); an action is a move, an attack or an active ability (WF-ACT.2). A unit moves at most
twice a turn (WF-ACT.3). A jump is an ability, not a move, and ends the unit's turn (WF-ABIL.2, WF-Q17).
"""

from __future__ import annotations

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import BoolArray


def may_move(moves: IntArray, is_finished: BoolArray, max_moves: int) -> BoolArray:
    """Return where a unit may still move, given the moves it has made this turn and whether its turn is over.

    Parameters
    ----------
    moves
        Moves made in this turn, `int[n]`.
    is_finished
        Where the turn is over, `bool[n]`.
    max_moves
        The most moves of a turn.

    >>> may_move(np.array([1, 2, 0]), np.array([False, False, True]), 2).tolist()
    [True, False, False]
    """
    return np.asarray((moves < max_moves) & ~is_finished)


def may_jump(has_jump: bool, is_finished: BoolArray) -> BoolArray:
    """Return where a unit may jump: it has the ability and has not jumped this turn; its moves do not matter.

    Parameters
    ----------
    has_jump
        Whether the unit has the ability.
    is_finished
        Where it has jumped, `bool[n]`.

    >>> may_jump(True, np.array([False, True])).tolist()
    [True, False]
    """
    return np.asarray(~is_finished & has_jump)


def jump_lands(distance: IntArray, speed_cells: int, *, exact: bool) -> BoolArray:
    """Return where a jump towards the enemy finds a free cell; an exact jump (WF-Q17) must not pass it.

    Parameters
    ----------
    distance
        Cells to the enemy, `int[n]`.
    speed_cells
        Cells of a jump.
    exact
        Whether a jump goes just so far, not less.

    >>> jump_lands(np.array([3, 6]), 4, exact=True).tolist()
    [False, True]
    """
    return np.asarray(distance - speed_cells >= 1) if exact else np.asarray(distance > 1)


def nearer(distance: IntArray, speed_cells: int, reach_cells: int) -> IntArray:
    """Return the distance after going towards the enemy, up to the speed and no closer than `reach_cells`.

    Parameters
    ----------
    distance
        Cells to the enemy, `int[n]`.
    speed_cells
        The most cells of a move.
    reach_cells
        Cells at which it stops.

    >>> nearer(np.array([9, 5, 20]), 4, 6).tolist()
    [6, 5, 16]
    """
    return np.minimum(distance, np.maximum(distance - speed_cells, reach_cells))
