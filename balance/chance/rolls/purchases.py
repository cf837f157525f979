"""Effects bought with rolled results: which sets of effects a roll can pay for, and which of them to buy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.errors import UsageError

EQUAL = 1e-9
"""Values that differ by no more are equally good."""
MOST_EFFECTS = 12
"""Effects that may compete for one roll: with so many there are 4,096 sets."""


@dataclass(frozen=True)
class Purchase:
    """The effects that may be bought with one roll, each at most once.

    `costs`: of each effect, how many results of each kind it costs; an effect that costs nothing is always bought.

    A strike for one claw, a blow for two claws, and one for a claw and an eye, bought with two claws and an eye:

    >>> purchase = Purchase(((1, 0), (2, 0), (1, 1)))
    >>> purchase.sets
    ((0, 1, 2), (0, 1), (0, 2), (1, 2), (0,), (1,), (2,), ())
    >>> rolls = np.array([[2, 1]])
    >>> [purchase.sets[place] for place in np.flatnonzero(purchase.affordable(rolls)[0])]
    [(0, 2), (0,), (1,), (2,), ()]
    >>> [purchase.sets[place] for place in purchase.dearest(rolls)]
    [(1,)]
    """

    costs: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        """Raise UsageError for more effects than can be listed, or a negative cost."""
        if len(self.costs) > MOST_EFFECTS:
            raise UsageError(f"{len(self.costs)} effects compete for one roll", f"let at most {MOST_EFFECTS} do so")
        if any(cost < 0 for costs in self.costs for cost in costs):
            raise UsageError("an effect costs fewer than no results", "a cost is 0 or more")

    @cached_property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """The sets that might be bought, as rising numbers of effects: of two as good, the one that stands first.

        Those of more effects stand first, and of as many those with the smaller numbers.
        """
        free = {effect for effect, costs in enumerate(self.costs) if not any(costs)}
        effects = range(len(self.costs))
        return tuple(
            effect_set
            for k in reversed(range(len(effects) + 1))
            for effect_set in combinations(effects, k)
            if free <= {*effect_set}
        )

    @cached_property
    def holds(self) -> BoolArray:
        """Which effects each set holds, `bool[sets, effects]`."""
        return np.array(
            [[effect in effect_set for effect in range(len(self.costs))] for effect_set in self.sets], bool
        ).reshape(len(self.sets), len(self.costs))

    @cached_property
    def prices(self) -> IntArray:
        """What each set costs, `int64[sets, kinds of results]`."""
        n_kinds = len(self.costs[0]) if self.costs else 0
        return np.asarray(
            self.holds.astype(np.int64) @ np.array(self.costs, np.int64).reshape(len(self.costs), n_kinds)
        )

    def n_taken(self, kind: int) -> IntArray:
        """Return how many results of one kind each set takes, `int64[sets]`."""
        return self.prices[:, kind] if self.costs else np.zeros(1, np.int64)

    def affordable(self, results: IntArray) -> BoolArray:
        """Return which sets each roll can pay for, `bool[n, sets]`.

        `results`: how many results of each kind are rolled, `int[n, kinds]`.
        """
        can = np.ones((len(results), len(self.sets)), bool)
        for kind in np.flatnonzero(self.prices.any(axis=0)):
            can &= results[:, kind, None] >= self.prices[None, :, kind]
        return can

    def best(self, affordable: BoolArray, values: FloatArray) -> IntArray:
        """Return the number of the set that is worth most among those that can be paid for, `int64[n]`.

        `affordable`: as `affordable` gives it; one set at least in each row. `values`: what each set is worth,
        `float64[n, sets]`, or `[sets]` if that is the same for all.

        >>> purchase = Purchase(((1,), (1,)))
        >>> can = purchase.affordable(np.array([[1], [2]]))
        >>> [purchase.sets[place] for place in purchase.best(can, np.array([0.7, 0.5, 0.5, 0.0]))]
        [(0,), (0, 1)]
        """
        worth = np.where(affordable, values, -np.inf)
        return np.asarray((worth >= worth.max(axis=1, keepdims=True) - EQUAL).argmax(axis=1))

    @cached_property
    def by_price(self) -> tuple[int, ...]:
        """The effects from the dearest (in results) to the cheapest, of those as dear the first."""
        return tuple(sorted(range(len(self.costs)), key=lambda effect: -sum(self.costs[effect])))

    def dearest(self, results: IntArray) -> IntArray:
        """Return the number of the set that is bought by taking the dearest effect first, `int64[n]`.

        An effect that what is left can pay for is taken, even where two others together would be better.
        """
        budget, code = np.array(results, np.int64), np.zeros(len(results), np.int64)
        for effect in self.by_price:
            cost = np.array(self.costs[effect], np.int64)
            pays: BoolArray = np.all(budget >= cost, axis=1)
            budget -= pays[:, None] * cost
            code |= pays.astype(np.int64) << effect
        return self._place_of.take(code)

    @cached_property
    def _place_of(self) -> IntArray:
        """The number of each set, by the sum of 2**effect of its effects."""
        places = np.zeros(1 << len(self.costs), np.int64)
        for place, effect_set in enumerate(self.sets):
            places[sum(1 << effect for effect in effect_set)] = place
        return places


def cost_vector(cost: Sequence[str], kinds: Sequence[str]) -> tuple[int, ...]:
    """Return a cost, such as a claw and a claw, as the number of results of each kind.

    >>> cost_vector(["claw", "claw"], ["eye", "claw"])
    (0, 2)
    """
    return tuple(cost.count(kind) for kind in kinds)
