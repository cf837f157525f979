"""Costs of cards whose sums come nearest to the fair costs of loadouts, and what no sum can reach.

A loadout costs what its cards cost together, so costs of cards are fitted: the sum of squares of (sum / fair cost - 1)
over distinct loadouts is least, and no card costs less than is legal. Adding t to every unit and taking t from every
weapon changes no loadout: that *free constant* is found as the null space of the design, whatever the tables, and is
settled by a *rule*: by default the printed costs change least in sum, so that most cards keep theirs; or the designer
says which table keeps its costs in the middle (the median change of its cards is 0). Every rule is kept, since a
verdict on a card counts only if none of them turns it.

The noise of simulation goes through the linear map of the fit, and through the choice of the constant anew.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.analysis.prices.entries import PriceEntries
from balance.analysis.prices.free_constant import LEAST_CHANGE, FreeConstant, free_constants, settle_constant
from balance.base.errors import UsageError, listed

__all__ = ["CardCosts", "fit_card_costs", "unfairness"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CardCosts:
    """Additive costs of the p distinct cards of m distinct loadouts.

    Attributes
    ----------
    entries
        The loadouts and cards.
    rule
        What settles the free constant: "least change" or a table.
    by_rule
        Rule -> costs `float64[p]`: only the designer's own where there is one.
    draws
        Rule -> costs under fresh noise of simulation, `float64[k, p]`.
    constants
        The directions in which costs are free; none where loadouts fix every card.
    sums
        `float64[m]`: what loadouts would cost; the same by every rule.
    unfair
        `float64[m]`: log(sum / fair cost), above 0 where the loadout would be too dear.
    rms, rms_noise
        Root mean square of `unfair` less what noise adds to it (the unfairness that no additive cost can remove), and
        that part of the noise.
    """

    entries: PriceEntries
    rule: str
    by_rule: dict[str, FloatArray]
    draws: dict[str, FloatArray]
    constants: tuple[FreeConstant, ...]
    sums: FloatArray
    unfair: FloatArray
    rms: float
    rms_noise: float

    @property
    def costs(self) -> FloatArray:
        """Return the costs by the rule in force, `float64[p]`."""
        return self.by_rule[self.rule]


def fit_card_costs(entries: PriceEntries, keep: str | None = None, least: float = 0.0) -> CardCosts:
    """Fit costs of cards to the fair costs of loadouts.

    Parameters
    ----------
    entries
        Distinct loadouts of distinct cards.
    keep
        The table whose cards keep their costs in the middle; by default all costs change least.
    least
        The least legal cost of a card.

    Raises
    ------
    UsageError
        `keep` is no table of these cards, or `least` is not a number.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from balance.analysis.prices.entries import Card, price_entries
    >>> fair = np.array([3.0, 4.0, 3.0, 4.0, 9.0, 10.0])  # c is worth 8, not 4
    >>> six = SimpleNamespace(entrants=("ax", "ay", "bx", "by", "cx", "cy"), printed=np.array([3, 4, 3, 4, 5, 6.0]),
    ...     log_fair=np.log(fair), covariance=np.zeros((6, 6)), fighters=np.arange(6))
    >>> prices = {"a": ("units", 2), "b": ("units", 2), "c": ("units", 4), "x": ("weapons", 1), "y": ("weapons", 2)}
    >>> entries = price_entries(six, six.entrants, {name: Card(*where) for name, where in prices.items()})
    >>> found = fit_card_costs(entries)
    >>> dict(zip(entries.cards, found.costs[entries.card_of].round(6).tolist())), abs(round(found.rms, 6))
    ({'a': 2.0, 'x': 1.0, 'y': 2.0, 'b': 2.0, 'c': 8.0}, 0.0)
    """
    rules = _rules(entries, keep)
    if not np.isfinite(least):
        raise UsageError(f"the least legal cost of a card is a number, found {least}")
    relative = entries.counts / np.exp(entries.anchored)[:, None]
    cost, jacobian = _fit(relative, least, entries)
    moved = entries.draws - entries.anchored
    stacked = cost + np.concatenate([np.zeros((1, len(entries.printed))), moved]) @ jacobian.T
    weights = {rule: _weights(entries, rule) for rule in rules}
    settled = {rule: settle_constant(entries, stacked, weights[rule], least) for rule in rules}
    by_rule = {rule: found[0] for rule, found in settled.items()}
    sums = entries.counts @ cost
    unfair = np.log(np.maximum(sums, 1e-12)) - entries.anchored
    slope = (entries.counts @ jacobian) / np.maximum(sums, 1e-12)[:, None] - np.eye(len(sums))
    noise = float(np.mean(((moved - moved.mean(0)) @ slope.T).var(axis=0)))
    return CardCosts(
        entries,
        rules[0],
        by_rule,
        {rule: found[1:] for rule, found in settled.items()},
        free_constants(entries, by_rule, rules[0], least),
        sums,
        unfair,
        float(np.sqrt(max(float(np.mean(unfair**2)) - noise, 0.0))),
        float(np.sqrt(noise)),
    )


def unfairness(entries: PriceEntries, costs: FloatArray) -> float:
    """Return the root mean square of log(sum / fair cost) over distinct loadouts, of costs of cards `float64[p]`."""
    off = np.log(np.maximum(entries.counts @ costs, 1e-12)) - entries.anchored
    return float(np.sqrt(np.mean(off**2)))


def _rules(entries: PriceEntries, keep: str | None) -> list[str]:
    """Return the rules to follow, the one in force first."""
    tables = sorted(set(entries.tables))
    if keep is None:
        return [LEAST_CHANGE, *tables]
    if keep not in tables:
        raise UsageError(f"no card stands in the table {keep!r}", f"allowed: {listed(tables)}")
    return [keep]


def _weights(entries: PriceEntries, rule: str) -> FloatArray:
    """Return how much each card's change counts in a rule, `float64[p]`."""
    return np.array([1.0 if rule in (LEAST_CHANGE, table) else 0.0 for table in entries.tables])


def _fit(relative: FloatArray, least: float, entries: PriceEntries) -> tuple[FloatArray, FloatArray]:
    """Return some best legal costs `[p]` and their derivative by the log fair costs `[p, m]`.

    Where sum / fair cost - 1 is r, the derivative is pinv(A) (1 + 2 r), A the rows of counts / fair cost of the cards
    that are not held at the least legal cost.
    """
    from scipy.optimize import lsq_linear

    ones = np.ones(len(relative))
    cost = np.asarray(np.linalg.lstsq(relative, ones, rcond=None)[0], np.float64)
    legal = settle_constant(entries, cost[None, :], np.ones(len(cost)), least)[0]
    free = np.ones(len(cost), bool)
    if legal.min() < least - 1e-9 * max(1.0, float(np.abs(cost).max())):
        cost = np.maximum(lsq_linear(relative, ones, (least, np.inf), method="bvls", tol=1e-13).x, least)
        free = cost > least + 1e-9 * max(1.0, float(np.abs(cost).max()))
    jacobian = np.zeros((len(cost), len(relative)))
    jacobian[free] = np.linalg.pinv(relative[:, free]) * (1 + 2 * (relative @ cost - 1))
    return cost, jacobian
