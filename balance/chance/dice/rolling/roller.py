"""Expressions rolled die by die, for samples and for what is too large to be exact; knows nothing of any law."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from balance.base.errors import DistributionError
from balance.base.limits import MOST_DICE_ROLLS, MOST_DICE_TOTAL
from balance.chance.dice.exact.expressions import COMPARE
from balance.chance.dice.exact.rows import Mask, Values, as_it_is, counter_of, is_among, pairs_of, stays_of, tally
from balance.chance.dice.rolling.draws import draw_cards, lowest_among, steps_of_draw, struck, within
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
    Gives,
    If,
    KeptDice,
    Less,
    Logic,
    LookUp,
    Mix,
    Name,
    Node,
    Not,
    Number,
    Pairs,
    Pattern,
    Pool,
    Product,
    Program,
    Quotient,
    Reroll,
    Shown,
    Span,
    Sum,
    WoundsLeft,
    faces_that,
)

TERM = 3
"""Rolls of one die that a term of an expression takes as long as, in every trial."""
CALL = 1000
"""The same of what each of several totals takes that are looked at one after the other."""
EXTRA = 2
"""The same of what an extra roll takes beside itself."""


class Roller:
    """Rolls expressions with one generator; `rolls` counts single dice, and terms as so many of them.

    Parameters
    ----------
    rng
        Where the luck comes from.
    n_symbols
        Kinds of symbols of the expression.

    >>> from balance.chance.dice.text.parsing import parse
    >>> Roller(np.random.default_rng(0)).roll(parse("3d6").node, 4).tolist()
    [14, 5, 4, 15]
    """

    def __init__(self, rng: np.random.Generator, n_symbols: int = 0) -> None:
        self.rng, self.n_symbols, self.rolls = rng, n_symbols, 0

    def roll(self, node: Node | Program, n: int) -> Values:
        """Return what a part shows in n trials; of a contest the margin.

        Parameters
        ----------
        node
            The part of an expression.
        n
            How many trials.

        Raises
        ------
        DistributionError
            More dice would be rolled than a command may roll, or a total is too large.
        """
        self.rolls += TERM * n
        match node:
            case Program():
                return self._run(node, n)
            case Number():
                return np.full(n, node.value, np.int64)
            case Sum():
                return np.asarray(sum(sign * self.roll(term, n) for sign, term in node.terms))
            case Product():
                return _product([self.roll(factor, n) for factor in node.factors])
            case Quotient():
                return np.asarray(node.of(self.roll(node.over, n)))
            case Best():
                totals = np.sort(np.stack([self.roll(part, n) for part in node.parts], axis=1), axis=1)
                return np.asarray(
                    (totals[:, -node.n_totals :] if node.highest else totals[:, : node.n_totals]).sum(axis=1)
                )
            case Absolute():
                return np.abs(self.roll(node.of, n))
            case Comparison():
                return self._compare(node, n)
            case Contest():
                return self.roll(node.first, n) - self.roll(node.second, n)
            case Pool():
                return self._pool(node, n)
            case Mix():
                return self._mix(node, n)
            case KeptDice():
                return self._roll_kept(node, n)
            case Against():
                return self._against(node, n)
            case Pattern():
                return tally(node, *self._rows(node.dice, n))
            case Less():
                return np.asarray(np.maximum(self.roll(node.first, n) - self.roll(node.second, n), 0))
            case Shown():
                return np.asarray(self.roll(node.of, n)[:, list(node.faces.symbols)].sum(axis=1))
            case WoundsLeft():
                return self._wounds_left(node, n)
            case Pairs():
                return pairs_of(node, self._kept_rows(node.first, n), self._kept_rows(node.second, n))
            case Name():
                raise TypeError(f"{node} has no value here")
            case Not():
                return np.asarray(self.roll(node.of, n) == 0).astype(np.int64)
            case Logic():
                holds = np.stack([self.roll(part, n) != 0 for part in node.parts])
                return np.asarray(holds.all(axis=0) if node.word == "and" else holds.any(axis=0)).astype(np.int64)
            case If():
                return self._branch(self.roll(node.condition, n) != 0, {1: node.then, 0: node.otherwise}.__getitem__)
            case Gives():
                return self._branch(self.roll(node.of, n), node.branch)
            case LookUp():
                places = np.stack([self.roll(place, n) for place in node.places], axis=1)
                rows, row_of = np.unique(places, axis=0, return_inverse=True)
                return np.array([node.chart.at(*row) for row in rows.tolist()], np.int64)[row_of.ravel()]

    def roll_together(self, nodes: Sequence[Node], n: int) -> list[Values]:
        """Return several results of the same dice in n trials, `int64[n]` each.

        Parameters
        ----------
        nodes
            What is counted: of one node anything, of several the same dice with other things done to them.
        n
            How many trials.
        """
        if len(nodes) == 1:
            return [self.roll(nodes[0], n)]
        first = nodes[0].dice if isinstance(nodes[0], Pattern) else nodes[0]
        if not isinstance(first, Pool | Mix):
            raise TypeError(f"{first} is no dice")
        pools = first.parts if isinstance(first, Mix) else (first,)
        if not any(pool.die.symbolic for pool in pools):
            faces, has_die = self._rows(replace(first, picks=(), count=None), n)
            return [tally(node, faces, has_die) for node in nodes]
        counters = [counter_of(node.count) for node in nodes if isinstance(node, Pool | Mix)]
        results = [np.zeros(n, np.int64) for _ in nodes]
        for pool in pools:
            n_dice = pool.n_dice if isinstance(pool.n_dice, int) else 0
            symbols = self._dice(pool, np.ones((n, n_dice), bool), as_it_is)
            for result, counts in zip(results, counters, strict=True):
                result += counts(symbols).reshape(n, n_dice).sum(axis=1)
        return results

    def _run(self, program: Program, n: int) -> Values:
        """Return the last result of a program: what each is made of hangs on the values of names in each trial."""
        values = dict[str, Values]()
        for statement in program.statements:
            results = [np.zeros(n, np.int64) for _ in statement.columns]
            used = np.stack([values[name] for name in statement.uses], axis=1) if statement.uses else np.zeros((n, 0))
            rows, row_of = np.unique(used, axis=0, return_inverse=True)
            for number, row in enumerate(rows.tolist()):
                self.rolls += CALL
                trials = np.flatnonzero(row_of.ravel() == number)
                rolled = self.roll_together(statement.nodes(tuple(map(int, row))), len(trials))
                for result, totals in zip(results, rolled, strict=True):
                    result[trials] = totals
            values |= dict(zip(statement.columns, results, strict=True))
        return values[program.statements[-1].columns[-1]]

    def _branch(self, values: Values, branch_of: Callable[[int], Node]) -> Values:
        """Return what is rolled by the part that stands for each trial's value."""
        results = np.zeros(len(values), np.int64)
        for value in np.unique(values).tolist():
            self.rolls += CALL
            trials = np.flatnonzero(values == value)
            results[trials] = self.roll(branch_of(value), len(trials))
        return results

    def _compare(self, node: Comparison, n: int) -> Values:
        totals = self.roll(node.first, n)
        if isinstance(node.second, Span):
            within = (totals >= node.second.low) & (totals <= node.second.high)
            return np.asarray(within == (node.sign == "=")).astype(np.int64)
        holds: Callable[[Any, Any], Any] = COMPARE[node.sign]
        return np.asarray(holds(totals, self.roll(node.second, n))).astype(np.int64)

    def _against(self, node: Against, n: int) -> Values:
        """Return how many dice compare so with a total that is rolled once for each trial, total after total."""
        limits, counts = self.roll(node.limit, n), np.zeros(n, np.int64)
        for limit in np.unique(limits).tolist():
            self.rolls += CALL
            trials = np.flatnonzero(limits == limit)
            count = Count(faces_that(node.sign, limit))
            counts[trials] = self.roll(replace(node.dice, count=count), len(trials))
        return counts

    def _wounds_left(self, node: WoundsLeft, n: int) -> Values:
        """Return the wounds that are left in n trials, hit after hit."""
        left, hits = np.maximum(self.roll(node.wounds, n), 0), np.maximum(self.roll(node.hits, n), 0)
        figures = None if node.figure is None else np.maximum(self.roll(node.figure, n), 1)
        if self.rolls + hits.sum() > MOST_DICE_ROLLS:
            raise too_many_rolls()
        is_hit = np.arange(int(hits.max(initial=0))) < hits[:, None]
        losses = np.zeros(is_hit.shape, np.int64)
        losses[is_hit] = np.maximum(self.roll(node.damage, int(is_hit.sum())), 0)
        for hit in range(is_hit.shape[1] if left.any() else 0):
            left = left - np.minimum(losses[:, hit], struck(left, figures))
        return left

    # -- dice -------------------------------------------------------------------------------------------------------

    def _pool(self, node: Pool, n: int) -> Values:
        """Return what n pools count: dice in a row each, of which the first `n_dice_each` are there."""
        n_dice_each, n_skipped = self._pool_sizes(node, n)
        has_die = np.arange(int(n_dice_each.max(initial=0))) < n_dice_each[:, None]
        counts = counter_of(node.count)
        dice = self._dice(node, has_die, counts if node.adds_rolls else as_it_is)
        if node.picks:
            faces = _in_order(dice, has_die)
            return np.asarray(
                np.where(stays_of(node.picks, has_die, n_dice_each), counts(faces), 0).sum(axis=1) + n_skipped
            )
        if not node.adds_rolls:
            dice = counts(dice)
        if not (node.die.symbolic and node.count is None):
            faces = np.zeros(has_die.shape, np.int64)
            faces[has_die] = dice
            return np.asarray(faces.sum(axis=1) + n_skipped)
        symbols = np.zeros((*has_die.shape, self.n_symbols), np.int64)
        symbols[has_die] = dice
        return np.asarray(symbols.sum(axis=1))

    def _pool_sizes(self, node: Pool, n: int) -> tuple[Values, Values | int]:
        """Return how many dice each of n pools has, and how many dice before it skipped it."""
        if isinstance(node.n_dice, int):
            return np.full(n, node.n_dice), 0
        n_dice = self.roll(node.n_dice, n)
        skips = isinstance(node.n_dice, Pool) and node.n_dice.count is not None and node.n_dice.count.skip is not None
        return (n_dice % PASS, n_dice // PASS) if skips else (n_dice, 0)

    def _rows(self, node: Pool | Mix, n: int) -> tuple[Values, Mask]:
        """Return what each die of n pools shows, the highest first, and which of the dice are there."""
        if isinstance(node, Pool):
            n_dice, _ = self._pool_sizes(node, n)
            has_die = np.arange(int(n_dice.max(initial=0))) < n_dice[:, None]
            return _in_order(self._dice(node, has_die, as_it_is), has_die), has_die
        faces = np.concatenate([self._rows(pool, n)[0] for pool in node.parts], axis=1)
        return -np.sort(-faces, axis=1), np.ones(faces.shape, bool)

    def _kept_rows(self, node: Pool | Mix, n: int) -> tuple[Values, Mask]:
        """Return what each die of n pools shows, the highest first, and which of the dice stay."""
        faces, has_die = self._rows(node, n)
        return faces, stays_of(node.picks, has_die, has_die.sum(axis=1)) if node.picks else has_die

    def _mix(self, node: Mix, n: int) -> Values:
        if not node.picks:
            return np.asarray(sum(self._pool(replace(pool, count=node.count), n) for pool in node.parts))
        faces, has_die = self._rows(node, n)
        stays = stays_of(node.picks, has_die, has_die.sum(axis=1))
        return np.asarray(np.where(stays, counter_of(node.count)(faces), 0).sum(axis=1))

    def _roll_kept(self, node: KeptDice, n: int) -> Values:
        """Return what the dice that stay of n pools give, with what is done to them afterwards."""
        pool, counts = node.pool, counter_of(node.count)
        faces, has_die = self._rows(replace(pool, picks=()), n)
        stays = stays_of(pool.picks, has_die, has_die.sum(axis=1))
        first_faces = self._rolled_on(faces[stays], node.reroll, pool)
        is_summed = node.each is not None or (node.explosion is not None and node.explosion.together)

        def once(n_dice: int) -> Values:
            return self._rolled_on(self._once(pool, n_dice), node.reroll, pool)

        dice = self._explode(first_faces, node.explosion, _top(pool), once, as_it_is if is_summed else counts)
        results = np.zeros(faces.shape, np.int64)
        results[stays] = counts(within(node.each, dice)) if is_summed else dice
        return np.asarray(results.sum(axis=1))

    def _dice(self, node: Pool, has_die: Mask, counts: Callable[[Values], Values]) -> Values:
        """Return what the dice count that are there, row after row, each with all its extra rolls."""
        faces = self._draw(node, has_die) if node.drawn else self._once(node, int(has_die.sum()))
        if node.reroll is not None and node.reroll.max_dice is not None:
            faces = self._some_again(node, node.reroll, faces, has_die)
        dice = self._explode(faces, node.explosion, _top(node), partial(self._once, node), counts)
        return within(node.each, dice)

    def _some_again(self, node: Pool, reroll: Reroll, faces: Values, has_die: Mask) -> Values:
        """Return dice of which in each row only so many are rolled again, the lowest first."""
        again = np.flatnonzero(lowest_among(reroll, faces, has_die))
        faces[again] = self._once(node, len(again))
        while reroll.always and len(again := again[is_among(reroll.faces, faces[again])]):
            faces[again] = self._once(node, len(again))
        return faces

    def _draw(self, node: Pool, has_die: Mask) -> Values:
        """Return cards drawn from a deck for each row, without putting any back."""
        n_cards = [number for _, number in node.die.faces]
        self.rolls += int(has_die.sum()) + len(has_die) * steps_of_draw(n_cards)
        if self.rolls > MOST_DICE_ROLLS:
            raise too_many_rolls()
        places = draw_cards(self.rng, n_cards, has_die.sum(axis=1))
        return self._faces_of(node)[places]

    def _explode(
        self,
        faces: Values,
        explosion: Explosion | None,
        top: int | None,
        once: Callable[[int], Values],
        counts: Callable[[Values], Values],
    ) -> Values:
        """Return what dice that show this count, each with all its extra rolls."""
        results = counts(faces)
        if explosion is None:
            return results
        again, times = np.flatnonzero(_explodes(explosion, top, faces)), 0
        while len(again) and (explosion.max_times is None or times < explosion.max_times):
            faces = once(len(again))
            self.rolls += EXTRA * len(again)
            results[again] += counts(faces)
            again, times = again[_explodes(explosion, top, faces)], times + 1
        return results

    def _once(self, node: Pool, n: int) -> Values:
        """Return n single rolls after their re-rolls, but one of only so many dice."""
        reroll = None if node.reroll is None or node.reroll.max_dice is not None else node.reroll
        return self._rolled_on(self._single(node, n), reroll, replace(node, reroll=None))

    def _rolled_on(self, faces: Values, reroll: Reroll | None, node: Pool) -> Values:
        """Return what dice show after a re-roll, which is a roll of a pool's die."""
        if reroll is not None:
            again = np.flatnonzero(is_among(reroll.faces, faces))
            while len(again):
                faces[again] = self._once(node, len(again))
                again = again[is_among(reroll.faces, faces[again])] if reroll.always else again[:0]
        return faces

    def _single(self, node: Pool, n: int) -> Values:
        self.rolls += n * max(1, self.n_symbols // 4 if node.die.symbolic else 1)
        if self.rolls > MOST_DICE_ROLLS:
            raise too_many_rolls()
        if node.die.inner is not None:
            return self.roll(node.die.inner, n)
        times = [n_faces for _, n_faces in node.die.faces]
        places = self.rng.integers(sum(times), size=n)
        if sum(times) > len(times):
            places = np.searchsorted(np.cumsum(times), places, side="right")
        return self._faces_of(node)[places]

    def _faces_of(self, node: Pool) -> Values:
        """Return what each face of a die shows: a number, or how often each symbol."""
        values = [value for value, _ in node.die.faces]
        if not node.die.symbolic:
            return np.array(values, np.int64)
        table = [[value >> SHIFT * place & (1 << SHIFT) - 1 for place in range(self.n_symbols)] for value in values]
        return np.array(table, np.int64)


def _top(pool: Pool) -> int | None:
    """Return the highest face that may stay, if the faces are listed."""
    reroll = pool.reroll if pool.reroll is not None and pool.reroll.always else None
    limited = reroll is not None and reroll.max_dice is not None
    faces = [face for face, _ in pool.die.faces if reroll is None or limited or not reroll.faces.has(face)]
    return max(faces, default=None)


def _in_order(dice: Values, has_die: Mask) -> Values:
    """Return dice in a row for each trial, the highest first; those that are not there lie below all others."""
    faces = np.full(has_die.shape, np.iinfo(np.int64).min)
    faces[has_die] = dice
    return np.asarray(-np.sort(-(faces + 1), axis=1) - 1)


def too_many_rolls(most_trials: int = 0) -> DistributionError:
    """Return the error of more rolls than a command may make; so many trials may be made."""
    problem = f"more than {MOST_DICE_ROLLS:,} dice would be rolled or terms worked out"
    tip = (
        f"--trials {most_trials} is about the most there is time for"
        if most_trials
        else "ask for fewer dice or fewer --trials"
    )
    return DistributionError(problem, tip)


def _product(factors: list[Values]) -> Values:
    if np.abs(np.prod([factor.astype(float) for factor in factors], axis=0)).max(initial=0) > MOST_DICE_TOTAL:
        raise DistributionError(f"a total goes beyond {MOST_DICE_TOTAL:,}", "count in larger units")
    return np.asarray(np.prod(factors, axis=0))


def _explodes(explosion: Explosion, top: int | None, rolls: Values) -> npt.NDArray[np.bool_]:
    return np.asarray(rolls == top) if explosion.faces is None else is_among(explosion.faces, rolls)
