"""What dice count that lie in rows, one row for each trial: whoever rolled them, or listed every way they may lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.chance.dice.tree import PASS, Count, Faces, LargestSet, Mix, Node, Pick, Pool

Mask = npt.NDArray[np.bool_]
Values = npt.NDArray[Any]
"""One row for each trial: of totals `int64[n]`, of symbols how often each is shown, `int64[n, k]`."""


def tally(node: Node, faces: Values, has_die: Mask) -> Values:
    """Return what dice give that have been rolled, `int64[n]`.

    Parameters
    ----------
    node
        The dice and what is done with them: which stay, and what is counted.
    faces
        What they show, `int64[n, k]`, the highest first.
    has_die
        Which of these dice there are.

    Raises
    ------
    TypeError
        The node is no dice.
    """
    if isinstance(node, LargestSet):
        return largest_sets(faces, has_die)
    if not isinstance(node, Pool | Mix):
        raise TypeError(f"{node} is no dice")
    stays = stays_of(node.picks, has_die, has_die.sum(axis=1)) if node.picks else has_die
    return np.asarray(np.where(stays, counter_of(node.count)(faces), 0).sum(axis=1))


def as_it_is(faces: Values) -> Values:
    """Return a copy."""
    return faces.copy()


def counter_of(count: Count | None) -> Callable[[Values], Values]:
    """Return what dice count, one number each."""
    if count is None:
        return as_it_is

    def counts(rolls: Values) -> Values:
        if count.every:
            return np.asarray(rolls[:, list(count.faces.symbols)].sum(axis=1))
        results = _tally(count.faces, rolls)
        for times, faces in ((2, count.double), (3, count.triple)):
            if faces is not None:
                results = np.where(is_among(faces, rolls), times, results)
        if count.cancel is not None:
            results = results - _tally(count.cancel, rolls)
        if count.skip is not None:
            results = np.where(is_among(count.skip, rolls), PASS * np.maximum(1, results), results)
        return results

    return counts


def _tally(faces: Faces, rolls: Values) -> Values:
    return is_among(faces, rolls).astype(np.int64)


def is_among(faces: Faces, rolls: Values) -> npt.NDArray[np.bool_]:
    """Return which rolls show one of these faces."""
    return np.asarray(_lists(faces, rolls) != faces.failing)


def _lists(faces: Faces, rolls: Values) -> npt.NDArray[np.bool_]:
    if faces.symbols or faces.blank:
        flags = rolls[:, list(faces.symbols)].any(axis=1)
        return np.asarray(flags | ~rolls.any(axis=1) if faces.blank else flags)
    flags = np.zeros(rolls.shape, bool)
    for low, high in faces.spans:
        flags |= (rolls >= (-np.inf if low is None else low)) & (rolls <= (np.inf if high is None else high))
    return flags


def stays_of(picks: tuple[Pick, ...], has_die: Mask, n_dice: Values) -> Mask:
    """Return which places stay."""
    stays = np.zeros(has_die.shape, bool)
    for number in np.unique(n_dice).tolist():
        first, last = 0, number
        for pick in picks:
            first, last = pick.within(first, last)
        stays[n_dice == number, first:last] = True
    return stays


def largest_sets(faces: Values, has_die: Mask) -> Values:
    """Return how many dice the largest set of equal ones has: dice in order, each as often as it came so far."""
    run = has_die[:, 0].astype(np.int64) if has_die.shape[1] else np.zeros(len(has_die), np.int64)
    longest = run
    for place in range(1, has_die.shape[1]):
        run = np.where(has_die[:, place], np.where(faces[:, place] == faces[:, place - 1], run + 1, 1), 0)
        longest = np.maximum(longest, run)
    return longest
