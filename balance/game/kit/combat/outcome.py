"""The outcome of a fight: which side is out, who has won, and the columns to report."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.game.kit.combat.members import any_place


def side_is_out(a_units: BoolArray, b_units: BoolArray) -> BoolArray:
    """Return in which trials a side has nobody left, `bool[n]`, by which units still fight, `bool[n, k]` each.

    `a_units` and `b_units`: which units of each side still fight, `bool[n, k]` and `bool[n, m]`.

    >>> side_is_out(np.array([[True, False], [False, False]]), np.array([[True], [True]])).tolist()
    [False, True]
    """
    return np.asarray(~(any_place(a_units) & any_place(b_units)))


def winner(a_stands: BoolArray, b_stands: BoolArray, *margins: IntArray) -> IntArray:
    """Return 1 where only side a is left and 2 where only side b is, `int16[n]`; 0, a draw, where both are or neither.

    With margins, whoever leads by them wins where both are left.

    `a_stands` and `b_stands`: whether any unit of the side is left, `bool[n]`. `margins`: lead of side a by some
    measure, `int[n]` each, the first decisive; for trials in which both sides are left.

    >>> winner(np.array([True, False, True, False]), np.array([False, True, True, False])).tolist()
    [1, 2, 0, 0]
    """
    survivors = a_stands.astype(np.int16) + 2 * b_stands
    return np.where(survivors == 3, leader(*margins) if margins else 0, survivors).astype(np.int16)


def leader(*margins: IntArray) -> IntArray:
    """Return 1 where side a leads, 2 where side b does, by the first margin that is not 0, and else 0, `int16[n]`.

    >>> leader(np.array([2, -1, 0, 0]), np.array([-1, 1, -3, 0])).tolist()
    [1, 2, 2, 0]
    """
    margin = reduce(lambda first, second: np.where(first, first, second), margins)
    return np.select([margin > 0, margin < 0], [1, 2]).astype(np.int16)


def outcome_columns(winners: IntArray, steps: IntArray, steps_per_round: int, **by_side: Sequence[IntArray]) -> State:
    """Return the columns that a fight reports: winner, rounds begun, and counts for each side.

    `winners`: 0, 1 or 2 as of `winner`, `int[n]`. `steps`: number of steps made, `int[n]`. `by_side`: name of a count
    -> its values for side a and for side b, `int[n]` each.

    >>> columns = outcome_columns(np.array([1]), np.array([5]), 4, units=(np.array([2]), np.array([0])))
    >>> {name: values.tolist() for name, values in columns.items()}
    {'winner': [1], 'rounds': [2], 'a_units': [2], 'b_units': [0]}
    """
    counts = {f"{side}_{of}": n for of, pair in by_side.items() for side, n in zip("ab", pair, strict=True)}
    return {"winner": winners, "rounds": -(-steps // steps_per_round), **counts}
