"""Nested simulation: games played again and again on the same dice of some name, all others rolled anew.

How much of a result the shared dice settle shows in how far the means of such groups of games lie apart (Goodman,
Perez-Liebana and Lucas, "Seeding for Success", arXiv 2503.02686, 2025, who fix the seeds of parts of a game in turn).
The same games serve all names: each is in one group of every name, drawn for each name anew, so that hardly any two
games share the dice of two names (the replicated design of McKay, "Evaluating prediction uncertainty", NUREG/CR-6311,
1995, and of Mara and Rakoto Joseph, Journal of Statistical Computation and Simulation 78, 2008).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Self, cast

import numpy as np

from balance.base.arrays import Array, FloatArray, IntArray
from balance.base.errors import UsageError
from balance.chance.rolls.keyed_rolls import KeyRequest
from balance.chance.rolls.process import Process
from balance.chance.rolls.requests import Answer, Request
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.chance.trials.lockstep import simulate


class SharingRolls(Rolls):
    """Rolls for copies of trials in which the copies of a group share the dice of one name, and no others.

    `own_rolls`: rolls for all other names, different for every copy. `common`: name of dice -> rolls for all copies
    that are equal within each group (`RandomRolls.copies_of`).
    """

    def __init__(self, own_rolls: RandomRolls, common: Mapping[str, RandomRolls]) -> None:
        self.n, self._own_rolls, self._common = own_rolls.n, own_rolls, common

    def answer(self, request: Request[Answer]) -> Answer:
        """Answer from the shared rolls of the request's name, if it has any, else from each copy's own."""
        if isinstance(request, KeyRequest):
            return cast(
                "Answer", request.told_apart(lambda source: self._rolls(source).answer(request.with_name(source)))
            )
        return self._rolls(request.name).answer(request)

    def among(self, rows: IntArray) -> Self:
        """Return rolls on the same streams for some of the copies."""
        some = copy(self)
        some.n, some._own_rolls = len(rows), self._own_rolls.among(rows)
        some._common = {name: rolls.among(rows) for name, rolls in self._common.items()}
        return some

    def keep(self, rows: IntArray) -> None:
        """Continue with these copies only, in all rolls."""
        super().keep(rows)
        for rolls in (self._own_rolls, *self._common.values()):
            rolls.keep(rows)

    def _rolls(self, name: str) -> RandomRolls:
        return self._common.get(name, self._own_rolls)


@dataclass(frozen=True)
class Groups:
    """Groups of games that share some dice, as the mean and variance of a value within each.

    `mean` and `variance`: mean and unbiased variance of the values within each group, `float64[g]`. `n_games`: games in
    each group, 2 or more. `tied_variance`: variance added to that of `share` because each game is also in groups of
    other names.
    """

    mean: FloatArray
    variance: FloatArray
    n_games: int
    tied_variance: float = 0.0

    @classmethod
    def of(cls, values: FloatArray, n_games: int) -> Groups:
        """Return groups of so many games that follow each other, from a value for each game, `float64[g * n_games]`."""
        group_values = values.reshape(-1, n_games)
        return cls(group_values.mean(axis=1), group_values.var(axis=1, ddof=1), n_games)

    @property
    def total(self) -> float:
        """The estimated variance over all games: within groups plus between them."""
        return self.between + float(self.variance.mean())

    @property
    def between(self) -> float:
        """The estimated variance of the expected value given the shared dice; unbiased, so it may be negative."""
        return float(self.mean.var(ddof=1) - self.variance.mean() / self.n_games)

    @property
    def share(self) -> float:
        """The share of the variance over all games that lies between groups; 0 where there is no variance."""
        return self.between / self.total if self.total > 0 else 0.0

    @property
    def error(self) -> float:
        """The standard error of `share`, from how far groups differ (an infinitesimal jackknife)."""
        n, total = len(self.mean), self.total
        if total <= 0:
            return 0.0
        between = (self.mean - self.mean.mean()) ** 2 * n / (n - 1) - self.variance / self.n_games
        gradient = (between - self.share * (between + self.variance)) / total
        return float(np.sqrt(gradient.var(ddof=1) / n + self.tied_variance))

    @classmethod
    def join(cls, parts: Sequence[Groups]) -> Groups:
        """Return the groups of several parts, which have equally many games each, as one."""
        means, variances = (np.concatenate([getattr(part, name) for part in parts]) for name in ("mean", "variance"))
        tied_variance = sum(part.tied_variance * (len(part.mean) / len(means)) ** 2 for part in parts)
        return cls(means, variances, parts[0].n_games, tied_variance)


def play_groups(
    process: Process,
    value: Callable[[Mapping[str, Array]], FloatArray],
    names: Sequence[str],
    rolls: RandomRolls,
    n_games: int,
) -> dict[str, Groups]:
    """Play `rolls.n` groups of games for each name, the games of a group sharing the dice of that name.

    The same `rolls.n * n_games` games serve every name: of a request, or of a source of luck that follows from a key
    (`KeyRequest`). `value` maps outcome columns, `[n]`, to the value of each ending, `float64[n]`. Raise UsageError for
    fewer than two groups, or two games in each.

    Two coins: a group of either knows that one.
    """
    n_groups = rolls.n
    if n_groups < 2 or n_games < 2:
        raise UsageError(f"luck shows from 2 groups of 2 games on, found {n_groups} of {n_games}")
    common, order = dict[str, RandomRolls](), dict[str, IntArray]()
    group_numbers = np.tile(np.arange(n_groups), (n_games, 1))
    for name in names:
        group = rolls.stream(f"groups {name}").permuted(group_numbers, axis=1).ravel()
        common[name], order[name] = rolls.copies_of(f"common {name}", group), np.argsort(group, kind="stable")
    sharing_rolls = SharingRolls(rolls.child("own", group_numbers.size), common)
    return _groups_by_name(value(simulate(process, sharing_rolls, in_order=True)), order, n_games)


def _groups_by_name(values: FloatArray, order: Mapping[str, IntArray], n_games: int) -> dict[str, Groups]:
    """Return the groups of every name; `order` holds the indices of all games, group by group, for each name."""
    groups_by_name = dict[str, Groups]()
    for name, rows in order.items():
        groups = Groups.of(values[rows], n_games)
        other_orders = [places for other_name, places in order.items() if other_name != name]
        groups_by_name[name] = replace(groups, tied_variance=_tied_variance(values, rows, groups, other_orders))
    return groups_by_name


def _tied_variance(values: FloatArray, rows: IntArray, groups: Groups, other_orders: Sequence[IntArray]) -> float:
    """Return the variance of a share that comes from the groups of other names, in which the same games lie.

    It is the between-cluster part of a multiway clustered variance (Cameron, Gelbach and Miller, "Robust inference with
    multiway clustering", Journal of Business and Economic Statistics 29, 2011).
    """
    if groups.total <= 0:
        return 0.0
    group_deviations = (values - values.mean())[rows].reshape(-1, groups.n_games)
    rest = (group_deviations.sum(axis=1, keepdims=True) - group_deviations) / (groups.n_games - 1)
    contributions = np.empty(len(values))
    contributions[rows] = ((2 * group_deviations * rest - groups.share * group_deviations**2) / groups.total).ravel()
    return sum(
        max(Groups.of(contributions[places], groups.n_games).between, 0.0) / len(groups.mean) for places in other_orders
    )
