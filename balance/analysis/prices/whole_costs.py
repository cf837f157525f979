"""Whole costs of all cards at once, not below what is legal, such that loadouts together are as fair as can be.

The objective is the unfairness: the sum over distinct loadouts of (sum of its cards / fair cost - 1) squared, a loadout
with copies counted once. Costs are rounded from the fitted ones, then settled by moving one card, or two at once, by a
point while that helps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from balance.analysis.prices.card_costs import CardCosts
from balance.analysis.prices.entries import PriceEntries
from balance.base.arrays import FloatArray, IntArray
from balance.base.errors import UsageError

HELPS = 1e-9
"""The least share of the unfairness that a move has to take off."""


def legal_costs(card_costs: CardCosts, parts: Sequence[Sequence[str]], min_cost: int = 1) -> dict[str, int]:
    """Return the whole cost of every card, at least `min_cost`, near the fitted ones, as fair as point moves make them.

    `parts` are the cards of each entrant.

    >>> from types import SimpleNamespace
    >>> from balance.analysis.prices.card_costs import fit_card_costs
    >>> from balance.analysis.prices.entries import price_entries
    >>> found = SimpleNamespace(entrants=("elf", "orc", "ogre"), printed_costs=np.array([20.0, 24.0, 40.0]),
    ...     log_fair=np.log([20.0, 31.2, 40.0]), covariance=np.zeros((3, 3)), fighters=np.arange(3))
    >>> parts = [("elf",), ("orc",), ("ogre",)]
    >>> legal_costs(fit_card_costs(price_entries(found, parts)), parts)
    {'elf': 20, 'orc': 31, 'ogre': 40}
    """
    problem = _Problem(card_costs.entries, parts, _check_min_cost(min_cost))
    all_cards = np.arange(problem.counts.shape[1])
    costs = problem.whole(card_costs.costs[problem.distinct], all_cards)
    of_card = dict(zip(problem.order, costs.tolist(), strict=True))
    return {card: round(of_card[at]) for at, card in enumerate(card_costs.entries.cards)}


def _check_min_cost(min_cost: int) -> int:
    if min_cost < 0:
        raise UsageError(f"{min_cost} is no least cost of a card", "allowed: 0 and more")
    return min_cost


@dataclass(frozen=True)
class _Problem:
    """Costs of all n cards of all m loadouts, copies too, in an order where names decide only between copies."""

    entries: PriceEntries
    parts: Sequence[Sequence[str]]
    min_cost: int

    @cached_property
    def order(self) -> list[int]:
        """Return the places of cards in canonical order, copies by name."""
        cards = self.entries.cards
        return sorted(range(len(cards)), key=lambda card: (int(self.entries.card_of[card]), cards[card]))

    @cached_property
    def rows(self) -> list[int]:
        """Return the places of entrants in canonical order, copies by name."""
        names = self.entries.names
        return sorted(range(len(names)), key=lambda row: (int(self.entries.entry_of[row]), names[row]))

    @cached_property
    def weight(self) -> FloatArray:
        """Return the weight of each loadout, `float64[m]`: copies share that of one."""
        entry = self.entries.entry_of[self.rows]
        return 1 / np.bincount(entry)[entry]

    @cached_property
    def distinct(self) -> IntArray:
        """Return the distinct card of `entries` that each card is, `int64[n]`."""
        return self.entries.card_of[self.order]

    @cached_property
    def printed_costs(self) -> FloatArray:
        """Return printed costs in points, `float64[n]`."""
        return self.entries.card_printed[self.distinct]

    @cached_property
    def holds(self) -> FloatArray:
        """Return how often each loadout holds each card, `float64[m, n]`."""
        names = [self.entries.cards[card] for card in self.order]
        return np.array([[float(list(self.parts[row]).count(name)) for name in names] for row in self.rows])

    @cached_property
    def fair(self) -> FloatArray:
        """Return log fair costs of loadouts, the typical one keeping its cost, `float64[m]`."""
        return self.entries.anchored_log_fair[self.entries.entry_of[self.rows]]

    @cached_property
    def counts(self) -> FloatArray:
        """Return what a point on each card adds to sum / fair cost - 1, by root of the weight, `float64[m, n]`."""
        return np.asarray(self.holds * (np.sqrt(self.weight) / np.exp(self.fair))[:, None])

    @cached_property
    def gram(self) -> FloatArray:
        """Return the Gram matrix of `counts`, the quadratic form of the objective, `float64[n, n]`."""
        return np.asarray(self.counts.T @ self.counts)

    def unfair(self, costs: FloatArray) -> float:
        """Return the weighted sum of squares of sum / fair cost - 1 at these costs."""
        off = self.counts @ costs - np.sqrt(self.weight)
        return float(off @ off)

    def rms(self, costs: FloatArray) -> float:
        """Return the root mean square of log(sum / fair cost), copies of loadouts sharing one weight."""
        off = np.log(np.maximum(self.holds @ costs, 1e-12)) - self.fair
        return float(np.sqrt(np.average(off**2, weights=self.weight)))

    def whole(self, costs: FloatArray, cards: npt.NDArray[np.int64]) -> FloatArray:
        """Return costs with some cards rounded, then moved by points, one or two cards at once, while that helps."""
        now = costs.copy()
        now[cards] = np.maximum(np.round(now[cards]), self.min_cost)
        moves = self._moves(cards)
        curve = ((moves @ self.gram[np.ix_(cards, cards)]) * moves).sum(axis=1)
        limit = self.unfair(now) * HELPS + 1e-15
        for _ in range(10_000):
            slope = 2 * self.counts[:, cards].T @ (self.counts @ now - np.sqrt(self.weight))
            gain = -(moves @ slope + curve)
            gain[(now[cards] + moves < self.min_cost).any(axis=1)] = -np.inf
            best = int(np.argmax(gain))
            if not gain[best] > limit:
                break
            now[cards] += moves[best]
        return now

    def _moves(self, cards: npt.NDArray[np.int64]) -> FloatArray:
        """Return every move of one card, and of two, by a point up or down, `float64[k, cards]`."""
        eye = np.eye(len(cards))
        pairs = [eye[a] + sign * eye[b] for a, b in combinations(range(len(cards)), 2) for sign in (1, -1)]
        one_way = np.array([*eye, *pairs]).reshape(-1, len(cards))
        return np.concatenate([one_way, -one_way])
