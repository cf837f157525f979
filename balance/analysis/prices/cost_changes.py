"""Legal costs of cards: whole points, not below what is legal, and at most so many of them changed.

The objective is the unfairness: the sum over distinct loadouts of (sum of its cards / fair cost - 1) squared, a loadout
with copies counted once. All cards at once are rounded from their fitted costs; at most k changes are found greedily,
adding the card whose change helps most and then exchanging one for another while that helps. Whole points are settled
by moving one card, or two at once, by a point while that helps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from balance.analysis.prices.answer import CardAfter, FewChanges, LoadoutAfter, Price, Unfairness
from balance.analysis.prices.card_costs import CardCosts
from balance.analysis.prices.entries import PriceEntries
from balance.analysis.prices.price_list import PriceList
from balance.analysis.scores.usual_prices import VERDICTS, Tolerance, judge_cost
from balance.base.arrays import FloatArray, IntArray
from balance.base.errors import UsageError

HELPS = 1e-9
"""The least share of the unfairness that a move has to take off."""
MOST_EXCHANGES = 100
"""Exchanges of one changed card for another; each takes something off, so that they end by themselves."""


@dataclass(frozen=True)
class CostChange:
    """A card, its printed cost and the cost proposed."""

    card: str
    cost: float
    proposed_cost: int


@dataclass(frozen=True)
class Loadout:
    """A loadout's printed, proposed and fair cost in points, and `unfair`, log(proposed / fair)."""

    entrant: str
    cost: float
    proposed_cost: float
    fair: float
    unfair: float


@dataclass(frozen=True)
class CostChanges:
    """Costs of cards proposed, and what follows.

    `costs`: card -> proposed cost, of every card. `changes`: only the cards whose cost changes, the largest change
    first. `before` and `after`: root mean square of log(sum / fair cost) over distinct loadouts, noise of simulation
    included. `profit` and `lose`: loadouts that get cheaper, and dearer, those whose cost changes by the largest share
    first.
    """

    costs: dict[str, float]
    changes: tuple[CostChange, ...]
    before: float
    after: float
    profit: tuple[Loadout, ...]
    lose: tuple[Loadout, ...]


def worst_off(card_costs: CardCosts, n: int = 5) -> tuple[Loadout, ...]:
    """Return the n loadouts that additive costs leave farthest from fair, dear (`unfair` above 0) or cheap."""
    entries = card_costs.entries
    of_entry = zip(
        entries.printed_costs.tolist(),
        card_costs.sums.tolist(),
        np.exp(entries.anchored_log_fair).tolist(),
        card_costs.unfair.tolist(),
        strict=True,
    )
    rows = list(of_entry)
    loadouts = [
        Loadout(name, *rows[entry]) for name, entry in zip(entries.names, entries.entry_of.tolist(), strict=True)
    ]
    return tuple(sorted(loadouts, key=lambda loadout: -abs(loadout.unfair))[:n])


def legal_costs(card_costs: CardCosts, parts: Sequence[Sequence[str]], min_cost: int = 1) -> CostChanges:
    """Return whole costs of all cards, at least `min_cost`, near the fitted ones, as fair as point moves make them.

    `parts` are the cards of each entrant.

    >>> from types import SimpleNamespace
    >>> from balance.analysis.prices.card_costs import fit_card_costs
    >>> from balance.analysis.prices.entries import price_entries
    >>> found = SimpleNamespace(entrants=("elf", "orc", "ogre"), printed_costs=np.array([20.0, 24.0, 40.0]),
    ...     log_fair=np.log([20.0, 31.2, 40.0]), covariance=np.zeros((3, 3)), fighters=np.arange(3))
    >>> parts = [("elf",), ("orc",), ("ogre",)]
    >>> legal_costs(fit_card_costs(price_entries(found, parts)), parts).changes
    (CostChange(card='orc', cost=24.0, proposed_cost=31),)
    """
    problem = _Problem(card_costs.entries, parts, _check_min_cost(min_cost))
    all_cards = np.arange(problem.counts.shape[1])
    return _cost_changes(problem, problem.whole(card_costs.costs[problem.distinct], all_cards))


def few_changes(
    card_costs: CardCosts, parts: Sequence[Sequence[str]], max_changes: int, min_cost: int = 1
) -> CostChanges:
    """Return the at most `max_changes` changed costs of cards, whole points, that take off most of the unfairness.

    `parts` are the cards of each entrant. Raise UsageError where `max_changes` or `min_cost` is below 0.
    """
    if max_changes < 0:
        raise UsageError(f"costs of {max_changes} cards cannot change", "allowed: 0 and more")
    problem = _Problem(card_costs.entries, parts, _check_min_cost(min_cost))
    cards: tuple[int, ...] = ()
    best = problem.printed_costs
    while len(cards) < max_changes:
        extension = problem.best([(*cards, card) for card in problem.other_cards(cards)], best)
        if extension is None:
            break
        cards, best = extension
        for _ in range(MOST_EXCHANGES):
            swaps = [(*cards[:place], *cards[place + 1 :], card)
                     for place in range(len(cards)) for card in problem.other_cards(cards)]  # fmt: skip
            better = problem.best(swaps, best)
            if better is None:
                break
            cards, best = better
    return _cost_changes(problem, best)


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

    def other_cards(self, cards: tuple[int, ...]) -> list[int]:
        return [card for card in range(len(self.printed_costs)) if card not in cards]

    def best(self, sets: list[tuple[int, ...]], than: FloatArray) -> tuple[tuple[int, ...], FloatArray] | None:
        """Return the set of cards whose change is fairest, and the costs; None if none is fairer than costs `than`."""
        result, limit = None, self.unfair(than) * (1 - HELPS) - 1e-15
        for cards in sets:
            costs = self.fit_costs(np.array(cards))
            unfairness = self.unfair(costs)
            if unfairness < limit:
                result, limit = (cards, costs), unfairness * (1 - HELPS)
        return result

    def fit_costs(self, cards: npt.NDArray[np.int64]) -> FloatArray:
        """Return whole costs, `float64[n]`, fitted by least squares where only these cards change."""
        costs = self.printed_costs.copy()
        rest = np.sqrt(self.weight) - self.counts @ costs
        costs[cards] += np.linalg.lstsq(self.counts[:, cards], rest, rcond=None)[0]
        return self.whole(costs, cards)

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


def _cost_changes(problem: _Problem, costs: FloatArray) -> CostChanges:
    """Return costs as a proposal: the cards that change, and the loadouts that get cheaper or dearer."""
    entries = problem.entries
    cards = zip(
        [entries.cards[card] for card in problem.order], problem.printed_costs.tolist(), costs.tolist(), strict=True
    )
    cost_pairs = {card: (before, after) for card, before, after in cards}
    changes = [CostChange(card, before, int(after)) for card, (before, after) in cost_pairs.items() if before != after]
    sums = problem.holds @ costs
    columns = (
        problem.holds @ problem.printed_costs,
        sums,
        np.exp(problem.fair),
        np.log(np.maximum(sums, 1e-12)) - problem.fair,
    )
    names = [entries.names[row] for row in problem.rows]
    loadouts = [Loadout(name, *row) for name, row in zip(names, np.stack(columns, axis=1).tolist(), strict=True)]
    by_change = sorted(loadouts, key=lambda loadout: loadout.proposed_cost / loadout.cost)
    return CostChanges(
        {card: cost_pairs[card][1] for card in entries.cards},
        tuple(sorted(changes, key=lambda change: -abs(change.proposed_cost - change.cost))),
        problem.rms(problem.printed_costs),
        problem.rms(costs),
        tuple(loadout for loadout in by_change if loadout.proposed_cost < loadout.cost - 1e-9),
        tuple(loadout for loadout in reversed(by_change) if loadout.proposed_cost > loadout.cost + 1e-9),
    )


@dataclass(frozen=True)
class CostProposals:
    """A few changes of costs, beside the best that costs of all cards can do.

    `few_changes` and `all_costs`: with at most `max_changes` changed, and with whole costs for every card.
    `worst_loadouts`: loadouts that even fitted costs of all cards leave farthest from fair, the farthest first.
    """

    max_changes: int
    few_changes: CostChanges
    all_costs: CostChanges
    worst_loadouts: tuple[Loadout, ...]


def cost_proposals(prices: PriceList, max_changes: int) -> CostProposals:
    """Return the best changes of at most `max_changes` cards, by the way of playing in force.

    Raise UsageError where `max_changes` is below 0.
    """
    card_costs = prices.main
    names, cards = card_costs.entries.names, card_costs.entries.cards
    parts = [(name,) if name in cards else prices.game.parts(name) for name in names]
    return CostProposals(
        max_changes, few_changes(card_costs, parts, max_changes), legal_costs(card_costs, parts), worst_off(card_costs)
    )


def few_changes_of(prices: PriceList, proposals: CostProposals) -> FewChanges:
    """Return the few changes as an answer, with what is said of each card and loadout at its new cost."""
    chosen, all_costs = proposals.few_changes, proposals.all_costs

    def after(price: Price, change: CostChange | Loadout) -> tuple[float, float, float, float, float, str]:
        cost, margin = change.proposed_cost, prices.tolerance.of(change.proposed_cost)
        verdict = verdict_at(price, cost, prices.tolerance)
        return change.cost, cost, price.dice_low, price.dice_high, margin, verdict

    def after_all(loadouts: Sequence[Loadout]) -> tuple[LoadoutAfter, ...]:
        return tuple(
            LoadoutAfter(loadout.entrant, *after(prices.loadouts[loadout.entrant], loadout), fair=loadout.fair)
            for loadout in loadouts
        )

    return FewChanges(
        proposals.max_changes,
        tuple(CardAfter(change.card, *after(prices.cards[change.card], change)) for change in chosen.changes),
        Unfairness(chosen.before, chosen.after, all_costs.after),
        after_all(chosen.profit),
        after_all(chosen.lose),
        after_all(proposals.worst_loadouts),
    )


def verdict_at(price: Price, cost: float, tolerance: Tolerance) -> str:
    """Return the verdict on a card or loadout at another cost in points, by the interval of the dice of its price.

    Where no cost can be judged, such as where it depends on play, that stays so.
    """
    if price.as_proposed not in VERDICTS:
        return price.verdict
    return judge_cost(cost, price.dice_low, price.dice_high, tolerance.of(cost))
