"""Expressions rolled die by die, for samples and for what is too large to be exact; knows nothing of any law."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.base.errors import DistributionError
from balance.base.limits import MOST_DICE_ROLLS, MOST_DICE_TOTAL
from balance.chance.dice.exact.expressions import COMPARE
from balance.chance.dice.tree import (
    PASS,
    SHIFT,
    Absolute,
    Against,
    Best,
    Comparison,
    Contest,
    Count,
    Explosion,
    Faces,
    Kept,
    LargestSet,
    Mix,
    Node,
    Number,
    Pick,
    Pool,
    Product,
    Quotient,
    Reroll,
    Span,
    Sum,
    faces_that,
)

__all__ = ["Roller", "too_many_rolls"]

TERM = 3
"""Rolls of one die that a term of an expression takes as long as, in every trial."""
CALL = 1000
"""The same of what each of several totals takes that are looked at one after the other."""
EXTRA = 2
"""The same of what an extra roll takes beside itself."""

Mask = npt.NDArray[np.bool_]
Values = npt.NDArray[Any]
"""One row for each trial: of totals `int64[n]`, of symbols how often each is shown, `int64[n, k]`."""


class Roller:
    """Rolls expressions with one generator; `rolls` counts single dice, and terms as so many of them.

    Parameters
    ----------
    rng
        Where the luck comes from.
    n_symbols
        Kinds of symbols of the expression.

    >>> from balance.chance.dice.parsing import parse
    >>> Roller(np.random.default_rng(0)).roll(parse("3d6").node, 4).tolist()
    [14, 5, 4, 15]
    """

    def __init__(self, rng: np.random.Generator, n_symbols: int = 0) -> None:
        self.rng, self.n_symbols, self.rolls = rng, n_symbols, 0

    def roll(self, node: Node, n: int) -> Values:
        """Return what a part shows in n trials; of a contest the margin.

        Raises
        ------
        DistributionError
            More dice would be rolled than a command may roll, or a total is too large.
        """
        self.rolls += TERM * n
        match node:
            case Number():
                return np.full(n, node.value, np.int64)
            case Sum():
                return np.asarray(sum(sign * self.roll(term, n) for sign, term in node.terms))
            case Product():
                return _multiplied([self.roll(factor, n) for factor in node.factors])
            case Quotient():
                return np.asarray(self.roll(node.over, n) // node.by)
            case Best():
                shown = np.sort(np.stack([self.roll(part, n) for part in node.parts], axis=1), axis=1)
                return np.asarray((shown[:, -node.many :] if node.highest else shown[:, : node.many]).sum(axis=1))
            case Absolute():
                return np.abs(self.roll(node.of, n))
            case Comparison():
                return self._compared(node, n)
            case Contest():
                return self.roll(node.one, n) - self.roll(node.other, n)
            case Pool():
                return self._pool(node, n)
            case Mix():
                return self._mix(node, n)
            case Kept():
                return self._kept(node, n)
            case Against():
                return self._against(node, n)
            case LargestSet():
                return _largest_sets(*self._rows(node.dice, n))

    def _compared(self, node: Comparison, n: int) -> Values:
        one = self.roll(node.one, n)
        if isinstance(node.other, Span):
            within = (one >= node.other.low) & (one <= node.other.high)
            return np.asarray(within == (node.sign == "=")).astype(np.int64)
        holds: Callable[[Any, Any], Any] = COMPARE[node.sign]
        return np.asarray(holds(one, self.roll(node.other, n))).astype(np.int64)

    def _against(self, node: Against, n: int) -> Values:
        """Return how many dice compare so with a total that is rolled once for each trial, total after total."""
        limits, found = self.roll(node.other, n), np.zeros(n, np.int64)
        for limit in np.unique(limits).tolist():
            self.rolls += CALL
            where = np.flatnonzero(limits == limit)
            count = Count(faces_that(node.sign, limit))
            found[where] = self.roll(replace(node.dice, count=count), len(where))
        return found

    # -- dice -------------------------------------------------------------------------------------------------------

    def _pool(self, node: Pool, n: int) -> Values:
        """Return what n pools count: dice in a row each, of which the first `many` are there."""
        many, skipped = self._many(node, n)
        there = np.arange(int(many.max(initial=0))) < many[:, None]
        n_dice = int(there.sum())
        counted_apart = node.count is not None and not node.picks and not (node.explosion and node.explosion.together)
        counts = _counting(node.count)
        dice = self._dice(node, n_dice, counts if counted_apart else _as_it_is)
        if node.picks:
            shown = _in_order(dice, there)
            return np.asarray(np.where(_stays(node.picks, there, many), counts(shown), 0).sum(axis=1) + skipped)
        if not counted_apart:
            dice = counts(dice)
        if not (node.die.symbolic and node.count is None):
            shown = np.zeros(there.shape, np.int64)
            shown[there] = dice
            return np.asarray(shown.sum(axis=1) + skipped)
        symbols = np.zeros((*there.shape, self.n_symbols), np.int64)
        symbols[there] = dice
        return np.asarray(symbols.sum(axis=1))

    def _many(self, node: Pool, n: int) -> tuple[Values, Values | int]:
        """Return how many dice each of n pools has, and how many dice before it skipped it."""
        if isinstance(node.many, int):
            return np.full(n, node.many), 0
        many = self.roll(node.many, n)
        skips = isinstance(node.many, Pool) and node.many.count is not None and node.many.count.skip is not None
        return (many % PASS, many // PASS) if skips else (many, 0)

    def _rows(self, node: Pool | Mix, n: int) -> tuple[Values, Mask]:
        """Return what each die of n pools shows, the highest first, and which of the dice are there."""
        if isinstance(node, Pool):
            many, _ = self._many(node, n)
            there = np.arange(int(many.max(initial=0))) < many[:, None]
            return _in_order(self._dice(node, int(there.sum()), _as_it_is), there), there
        shown = np.concatenate([self._rows(pool, n)[0] for pool in node.parts], axis=1)
        return -np.sort(-shown, axis=1), np.ones(shown.shape, bool)

    def _mix(self, node: Mix, n: int) -> Values:
        if not node.picks:
            return np.asarray(sum(self._pool(replace(pool, count=node.count), n) for pool in node.parts))
        shown, there = self._rows(node, n)
        stays = _stays(node.picks, there, there.sum(axis=1))
        return np.asarray(np.where(stays, _counting(node.count)(shown), 0).sum(axis=1))

    def _kept(self, node: Kept, n: int) -> Values:
        """Return what the dice that stay of n pools give, with what is done to them afterwards."""
        pool, counts = node.pool, _counting(node.count)
        shown, there = self._rows(replace(pool, picks=()), n)
        stays = _stays(pool.picks, there, there.sum(axis=1))
        begun = self._rolled_on(shown[stays], node.reroll, pool)
        summed = node.explosion is not None and node.explosion.together

        def once(many: int) -> Values:
            return self._rolled_on(self._once(pool, many), node.reroll, pool)

        dice = self._exploded(begun, node.explosion, _top(pool), once, _as_it_is if summed else counts)
        given = np.zeros(shown.shape, np.int64)
        given[stays] = counts(dice) if summed else dice
        return np.asarray(given.sum(axis=1))

    def _dice(self, node: Pool, n: int, counts: Callable[[Values], Values]) -> Values:
        """Return what n dice count, each with all its extra rolls."""
        return self._exploded(self._once(node, n), node.explosion, _top(node), partial(self._once, node), counts)

    def _exploded(
        self,
        shown: Values,
        explosion: Explosion | None,
        top: int | None,
        once: Callable[[int], Values],
        counts: Callable[[Values], Values],
    ) -> Values:
        """Return what dice that show this count, each with all its extra rolls."""
        found = counts(shown)
        if explosion is None:
            return found
        again, times = np.flatnonzero(_explodes(explosion, top, shown)), 0
        while len(again) and (explosion.most is None or times < explosion.most):
            shown = once(len(again))
            self.rolls += EXTRA * len(again)
            found[again] += counts(shown)
            again, times = again[_explodes(explosion, top, shown)], times + 1
        return found

    def _once(self, node: Pool, n: int) -> Values:
        """Return n single rolls after their re-rolls."""
        return self._rolled_on(self._single(node, n), node.reroll, replace(node, reroll=None))

    def _rolled_on(self, shown: Values, reroll: Reroll | None, node: Pool) -> Values:
        """Return what dice show after a re-roll, which is a roll of a pool's die."""
        if reroll is not None:
            again = np.flatnonzero(_among(reroll.faces, shown))
            while len(again):
                shown[again] = self._once(node, len(again))
                again = again[_among(reroll.faces, shown[again])] if reroll.always else again[:0]
        return shown

    def _single(self, node: Pool, n: int) -> Values:
        self.rolls += n * max(1, self.n_symbols // 4 if node.die.symbolic else 1)
        if self.rolls > MOST_DICE_ROLLS:
            raise too_many_rolls()
        if node.die.inner is not None:
            return self.roll(node.die.inner, n)
        values, times = zip(*node.die.faces, strict=True)
        which = self.rng.integers(sum(times), size=n)
        if sum(times) > len(times):
            which = np.searchsorted(np.cumsum(times), which, side="right")
        if not node.die.symbolic:
            return np.array(values, np.int64)[which]
        table = [[value >> SHIFT * place & (1 << SHIFT) - 1 for place in range(self.n_symbols)] for value in values]
        return np.array(table, np.int64)[which]


def _top(pool: Pool) -> int | None:
    """Return the highest face, if the faces are listed."""
    return max(value for value, _ in pool.die.faces) if pool.die.faces else None


def _in_order(dice: Values, there: Mask) -> Values:
    """Return dice in a row for each trial, the highest first; those that are not there lie below all others."""
    shown = np.full(there.shape, np.iinfo(np.int64).min)
    shown[there] = dice
    return np.asarray(-np.sort(-(shown + 1), axis=1) - 1)


def _stays(picks: tuple[Pick, ...], there: Mask, many: Values) -> Mask:
    """Return which places stay."""
    stays = np.zeros(there.shape, bool)
    for number in np.unique(many).tolist():
        first, last = 0, number
        for pick in picks:
            first, last = pick.within(first, last)
        stays[many == number, first:last] = True
    return stays


def _largest_sets(shown: Values, there: Mask) -> Values:
    """Return how many dice the largest set of equal ones has: dice in order, each as often as it came so far."""
    run = there[:, 0].astype(np.int64) if there.shape[1] else np.zeros(len(there), np.int64)
    most = run
    for place in range(1, there.shape[1]):
        run = np.where(there[:, place], np.where(shown[:, place] == shown[:, place - 1], run + 1, 1), 0)
        most = np.maximum(most, run)
    return most


def too_many_rolls(most_trials: int = 0) -> DistributionError:
    """Return the error of more rolls than a command may make; so many trials may be made."""
    told = f"more than {MOST_DICE_ROLLS:,} dice would be rolled or terms worked out"
    tip = (
        f"--trials {most_trials} is about the most there is time for"
        if most_trials
        else "ask for fewer dice or fewer --trials"
    )
    return DistributionError(told, tip)


def _multiplied(factors: list[Values]) -> Values:
    if np.abs(np.prod([factor.astype(float) for factor in factors], axis=0)).max(initial=0) > MOST_DICE_TOTAL:
        raise DistributionError(f"a total goes beyond {MOST_DICE_TOTAL:,}", "count in larger units")
    return np.asarray(np.prod(factors, axis=0))


def _as_it_is(shown: Values) -> Values:
    return shown.copy()


def _counting(count: Count | None) -> Callable[[Values], Values]:
    """Return what dice count, one number each."""
    if count is None:
        return _as_it_is

    def counts(shown: Values) -> Values:
        found = _tally(count.faces, shown)
        for times, faces in ((2, count.double), (3, count.triple)):
            if faces is not None:
                found = np.where(_among(faces, shown), times, found)
        if count.cancel is not None:
            found = found - _tally(count.cancel, shown)
        if count.skip is not None:
            found = np.where(_among(count.skip, shown), PASS * np.maximum(1, found), found)
        return found

    return counts


def _tally(faces: Faces, shown: Values) -> Values:
    return _among(faces, shown).astype(np.int64)


def _among(faces: Faces, shown: Values) -> npt.NDArray[np.bool_]:
    """Return which rolls show one of these faces."""
    if faces.symbols or faces.blank:
        found = shown[:, list(faces.symbols)].any(axis=1)
        return np.asarray(found | ~shown.any(axis=1) if faces.blank else found)
    found = np.zeros(shown.shape, bool)
    for low, high in faces.spans:
        found |= (shown >= (-np.inf if low is None else low)) & (shown <= (np.inf if high is None else high))
    return found


def _explodes(explosion: Explosion, top: int | None, shown: Values) -> npt.NDArray[np.bool_]:
    return np.asarray(shown == top) if explosion.faces is None else _among(explosion.faces, shown)
