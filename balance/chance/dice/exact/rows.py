"""Count dice that lie in arrays, one row per trial, whether they were rolled or enumerated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray
from balance.chance.dice.tree import PASS, Count, Faces, Mix, Node, Pairs, Pattern, Pick, Pool

Values = npt.NDArray[Any]
"""One row for each trial: of totals `int64[n]`, of symbols how often each is shown, `int64[n, k]`."""


def tally(node: Node, faces: Values, has_die: BoolArray) -> Values:
    """Return the result of dice that lie there, `int64[n]`; `faces` is `int64[n, k]`, the highest first.

    `has_die` marks the dice that exist, `bool[n, k]`. Raise TypeError if the node is no dice.
    """
    if isinstance(node, Pattern):
        picks = node.dice.picks
        return pattern_of(node, faces, stays_of(picks, has_die, has_die.sum(axis=1)) if picks else has_die)
    if not isinstance(node, Pool | Mix):
        raise TypeError(f"{node} is no dice")
    stays = stays_of(node.picks, has_die, has_die.sum(axis=1)) if node.picks else has_die
    return np.asarray(np.where(stays, counter_of(node.count)(faces), 0).sum(axis=1))


def as_it_is(faces: Values) -> Values:
    """Return a copy, so that the caller may write to it."""
    return faces.copy()


def counter_of(count: Count | None) -> Callable[[Values], Values]:
    """Return the function from an array of faces to what each counts, as an array of the same length."""
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


def is_among(faces: Faces, rolls: Values) -> BoolArray:
    """Return which rolls show one of these faces, or of `failing` faces none of them."""
    return np.asarray(_lists(faces, rolls) != faces.failing)


def _lists(faces: Faces, rolls: Values) -> BoolArray:
    if faces.symbols or faces.blank:
        flags = rolls[:, list(faces.symbols)].any(axis=1)
        return np.asarray(flags | ~rolls.any(axis=1) if faces.blank else flags)
    flags = np.zeros(rolls.shape, bool)
    for low, high in faces.spans:
        flags |= (rolls >= (-np.inf if low is None else low)) & (rolls <= (np.inf if high is None else high))
    return flags


def stays_of(picks: tuple[Pick, ...], has_die: BoolArray, n_dice: Values) -> BoolArray:
    """Return which places are kept, `bool[n, k]`, of rows of `n_dice` dice each, the highest first."""
    stays = np.zeros(has_die.shape, bool)
    for number in np.unique(n_dice).tolist():
        first, last = 0, number
        for pick in picks:
            first, last = pick.within(first, last)
        stays[n_dice == number, first:last] = True
    return stays


def pattern_of(node: Pattern, faces: Values, stays: BoolArray) -> Values:
    """Return the pattern of the dice that stay, `int64[n]`; `faces` is `int64[n, k]`, the highest first.

    Sets, runs or different values are counted in one pass over the places.
    """
    tallies, equal, run = (np.zeros(len(faces), np.int64) for _ in range(3))
    for place in range(faces.shape[1]):
        gap = faces[:, place - 1] - faces[:, place] if place else np.full(len(faces), 2)
        has, follows = stays[:, place], stays[:, place - 1] if place else np.zeros(len(faces), bool)
        equal = np.where(has, np.where(follows & (gap == 0), equal + 1, 1), 0)
        run = np.where(has, np.where(follows & (gap <= 1), run + gap, 1), 0)
        match node.kind:
            case "different":
                tallies = tallies + (equal == 1)
            case "sets of":
                tallies = tallies + (has & (equal % node.size == 0))
            case "longest run":
                tallies = np.maximum(tallies, run)
            case _:
                tallies = np.maximum(tallies, equal)
    return tallies


def pairs_of(node: Pairs, side_a: tuple[Values, BoolArray], side_b: tuple[Values, BoolArray]) -> Values:
    """Return how many pairs satisfy the comparison, `int64[n]`, the highest die against the highest.

    A side is its faces, `[n, k]`, the highest first, and which of them stay.
    """
    rows = []
    for faces, stays in (side_a, side_b):
        order = np.argsort(~stays, axis=1, kind="stable")  # those that stay first
        rows.append((np.take_along_axis(faces, order, axis=1), np.take_along_axis(stays, order, axis=1)))
    n_pairs = min(faces.shape[1] for faces, _ in rows)
    (faces_a, has_a), (faces_b, has_b) = ((faces[:, :n_pairs], has[:, :n_pairs]) for faces, has in rows)
    holds = [faces_a > faces_b, faces_a == faces_b, faces_a < faces_b]
    counts = np.logical_or.reduce([so for so, is_counted in zip(holds, node.signs, strict=True) if is_counted])
    return np.asarray((counts & has_a & has_b).sum(axis=1))
