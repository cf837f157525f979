"""Expressions rolled die by die, for samples and for what is too large to be exact; knows nothing of any law."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.dice.exact import COMPARE
from balance.dice.tree import (
    SHIFT,
    Best,
    Comparison,
    Contest,
    Count,
    Explosion,
    Faces,
    Node,
    Number,
    Pool,
    Product,
    Quotient,
    Sum,
)
from balance.errors import DistributionError
from balance.limits import MOST_DICE_ROLLS, MOST_DICE_TOTAL

__all__ = ["Roller", "too_many_rolls"]

TERM = 3
"""Rolls of one die that a term of an expression takes as long as, in every trial."""
EXTRA = 2
"""The same of what an extra roll takes beside itself."""

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

    >>> from balance.dice.parsing import parse
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
            case Comparison():
                holds: Callable[[Any, Any], Any] = COMPARE[node.sign]
                return np.asarray(holds(self.roll(node.one, n), self.roll(node.other, n))).astype(np.int64)
            case Contest():
                return self.roll(node.one, n) - self.roll(node.other, n)
            case Pool():
                return self._pool(node, n)

    def _pool(self, node: Pool, n: int) -> Values:
        """Return what n pools count: dice in a row each, of which the first `many` are there."""
        many = np.full(n, node.many) if isinstance(node.many, int) else self.roll(node.many, n)
        there = np.arange(int(many.max(initial=0))) < many[:, None]
        n_dice = int(there.sum())
        counted_apart = node.count is not None and not node.picks and not (node.explosion and node.explosion.together)
        counts = _counting(node.count)
        dice = self._dice(node, n_dice, counts if counted_apart else _as_it_is)
        if node.picks:
            return self._picked(node, dice, there, many, counts)
        if not counted_apart:
            dice = counts(dice)
        if not (node.die.symbolic and node.count is None):
            shown = np.zeros(there.shape, np.int64)
            shown[there] = dice
            return np.asarray(shown.sum(axis=1))
        symbols = np.zeros((*there.shape, self.n_symbols), np.int64)
        symbols[there] = dice
        return np.asarray(symbols.sum(axis=1))

    def _dice(self, node: Pool, n: int, counts: Callable[[Values], Values]) -> Values:
        """Return what n dice count, each with all its extra rolls."""
        shown = self._once(node, n)
        found = counts(shown)
        if node.explosion is None:
            return found
        top = max(value for value, _ in node.die.faces) if node.explosion.faces is None else None
        again, times = np.flatnonzero(_explodes(node.explosion, top, shown)), 0
        while len(again) and (node.explosion.most is None or times < node.explosion.most):
            shown = self._once(node, len(again))
            self.rolls += EXTRA * len(again)
            found[again] += counts(shown)
            again, times = again[_explodes(node.explosion, top, shown)], times + 1
        return found

    def _once(self, node: Pool, n: int) -> Values:
        """Return n single rolls after their re-rolls."""
        shown = self._single(node, n)
        if node.reroll is not None:
            again = np.flatnonzero(_among(node.reroll.faces, shown))
            while len(again):
                shown[again] = self._single(node, len(again))
                again = again[_among(node.reroll.faces, shown[again])] if node.reroll.always else again[:0]
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

    def _picked(
        self, node: Pool, dice: Values, there: npt.NDArray[np.bool_], many: Values, counts: Callable[[Values], Values]
    ) -> Values:
        """Return what the dice that stay count; those that are not there lie below all others."""
        shown = np.full(there.shape, np.iinfo(np.int64).min)
        shown[there] = dice
        shown = -np.sort(-(shown + 1), axis=1) - 1
        stays = np.zeros(there.shape, bool)
        for number in np.unique(many).tolist():
            first, last = 0, number
            for pick in node.picks:
                first, last = pick.within(first, last)
            stays[many == number, first:last] = True
        return np.asarray(np.where(stays, counts(shown), 0).sum(axis=1))


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
        if count.double is not None:
            found = np.where(_among(count.double, shown), 2, found)
        return found - (_tally(count.cancel, shown) if count.cancel is not None else 0)

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
