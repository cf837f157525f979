"""Roll expressions die by die, independently of the exact laws: for samples and for what is too large to be exact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from balance.base.errors import DistributionError
from balance.base.limits import MOST_DICE_ROLLS, MOST_DICE_TOTAL
from balance.chance.dice import tree
from balance.chance.dice.exact.arithmetic import combined
from balance.chance.dice.exact.joint import dice_of, same_dice
from balance.chance.dice.exact.rows import Values, pairs_of, tally
from balance.chance.dice.rolling.dice import DiceRoller, too_many_rolls
from balance.chance.dice.rolling.draws import struck
from balance.chance.dice.rolling.table import results_of

TERM = 3
"""Rolls of one die that a term of an expression takes as long as, in every trial."""
CALL = 1000
"""The same of what each of several totals takes that are looked at one after the other."""


class Roller(DiceRoller):
    """Rolls expressions with one generator; `rolls` counts single dice, and other terms at a fixed cost.

    `rng`: generator of all rolls. `n_symbols`: number of kinds of symbols on the dice of the expression.

    >>> from balance.chance.dice.text.parsing import parse
    >>> Roller(np.random.default_rng(0)).roll(parse("3d6").node, 4).tolist()
    [14, 5, 4, 15]
    """

    def roll(self, node: tree.Node | tree.Program, n: int) -> Values:
        """Return the result of a part in n trials, `int64[n]`, of symbols `int64[n, k]`; of a contest the margin.

        Raises `DistributionError` if more dice would be rolled than a command may roll, or a total is too large.
        """
        self.rolls += TERM * n
        match node:
            case tree.Program():
                return self._run(node, n)
            case tree.Number():
                return np.full(n, node.value, np.int64)
            case tree.Product():
                return _product([self.roll(factor, n) for factor in node.factors])
            case (
                tree.Sum()
                | tree.Quotient()
                | tree.Applied()
                | tree.Not()
                | tree.Comparison()
                | tree.Best()
                | tree.Logic()
                | tree.LookUp()
            ):
                return combined(node, lambda part: self.roll(part, n))
            case tree.Contest():
                return self.roll(node.first, n) - self.roll(node.second, n)
            case tree.Pool():
                return self.pool(node, n)
            case tree.Mix():
                return self.mix(node, n)
            case tree.KeptDice():
                return self.kept_dice(node, n)
            case tree.Against():
                return self._against(node, n)
            case tree.Pattern():
                return tally(node, *self.rows(node.dice, n))
            case tree.Less():
                return np.asarray(np.maximum(self.roll(node.first, n) - self.roll(node.second, n), 0))
            case tree.Shown():
                return np.asarray(self.roll(node.of, n)[:, list(node.faces.symbols)].sum(axis=1))
            case tree.WoundsLeft():
                return self._wounds_left(node, n)
            case tree.Pairs():
                return pairs_of(node, self.kept_rows(node.first, n), self.kept_rows(node.second, n))
            case tree.Name():
                raise TypeError(f"{node} has no value here")
            case tree.If():
                return self._branch(self.roll(node.condition, n) != 0, {1: node.then, 0: node.otherwise}.__getitem__)
            case tree.Gives():
                return self._branch(self.roll(node.of, n), node.branch)

    def roll_together(self, nodes: Sequence[tree.Node], n: int, names: Sequence[str] = ()) -> list[Values]:
        """Return several results of the same dice in n trials, `int64[n]` each.

        They are one part of any kind, or several that all use the same labelled dice; their `names` are needed where
        one of them is compared with others.
        """
        if len(nodes) == 1 and not (isinstance(nodes[0], tree.Pairs) and same_dice(nodes[0])):
            return [self.roll(nodes[0], n)]
        dice = dict(pair for node in nodes for pair in dice_of(node))
        return results_of(nodes, names, {label: self.table(part, n) for label, part in dice.items()})

    def _run(self, program: tree.Program, n: int) -> Values:
        """Roll a program and return its last result; trials with equal values of the names used are rolled together."""
        values = dict[str, Values]()
        for statement in program.statements:
            results = [np.zeros(n, np.int64) for _ in statement.columns]
            used = np.stack([values[name] for name in statement.uses], axis=1) if statement.uses else np.zeros((n, 0))
            rows, row_of = np.unique(used, axis=0, return_inverse=True)
            for number, row in enumerate(rows.tolist()):
                self.rolls += CALL
                trials = np.flatnonzero(row_of.ravel() == number)
                nodes = statement.nodes(tuple(map(int, row)))
                rolled = self.roll_together(nodes, len(trials), statement.columns)
                for result, totals in zip(results, rolled, strict=True):
                    result[trials] = totals
            values |= dict(zip(statement.columns, results, strict=True))
        return values[program.statements[-1].columns[-1]]

    def _branch(self, values: Values, branch_of: Callable[[int], tree.Node]) -> Values:
        """Roll, for each distinct value, the part that belongs to it in the trials that have it."""
        results = np.zeros(len(values), np.int64)
        for value in np.unique(values).tolist():
            self.rolls += CALL
            trials = np.flatnonzero(values == value)
            results[trials] = self.roll(branch_of(value), len(trials))
        return results

    def _against(self, node: tree.Against, n: int) -> Values:
        """Return how many dice compare so with a total that is rolled once per trial, equal totals together."""
        limits, counts = self.roll(node.limit, n), np.zeros(n, np.int64)
        for limit in np.unique(limits).tolist():
            self.rolls += CALL
            trials = np.flatnonzero(limits == limit)
            count = tree.Count(tree.faces_that(node.sign, limit))
            counts[trials] = self.roll(replace(node.dice, count=count), len(trials))
        return counts

    def _wounds_left(self, node: tree.WoundsLeft, n: int) -> Values:
        """Return the wounds left in n trials, by applying one hit after the other."""
        wounds, hits = np.maximum(self.roll(node.wounds, n), 0), np.maximum(self.roll(node.hits, n), 0)
        figures = None if node.figure is None else np.maximum(self.roll(node.figure, n), 1)
        if self.rolls + hits.sum() > MOST_DICE_ROLLS:
            raise too_many_rolls()
        is_hit = np.arange(int(hits.max(initial=0))) < hits[:, None]
        losses = np.zeros(is_hit.shape, np.int64)
        losses[is_hit] = np.maximum(self.roll(node.damage, int(is_hit.sum())), 0)
        for hit in range(is_hit.shape[1] if wounds.any() else 0):
            wounds = wounds - np.minimum(losses[:, hit], struck(wounds, figures))
        return wounds


def _product(factors: list[Values]) -> Values:
    if np.abs(np.prod([factor.astype(float) for factor in factors], axis=0)).max(initial=0) > MOST_DICE_TOTAL:
        raise DistributionError(f"a total goes beyond {MOST_DICE_TOTAL:,}", "count in larger units")
    return np.asarray(np.prod(factors, axis=0))
