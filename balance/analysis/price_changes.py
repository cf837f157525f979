"""The few whole costs of cards to change so that a price list comes nearest to fair, and what they come to."""

from __future__ import annotations

from dataclasses import dataclass

from balance.analysis.cost_changes import CostChanges, Loadout, few_changes, legal_costs, worst_off
from balance.analysis.price_list import PriceList

__all__ = ["PriceChanges", "price_changes"]


@dataclass(frozen=True)
class PriceChanges:
    """A few changes of costs, beside all that costs of cards can do.

    Attributes
    ----------
    most
        How many cards may change.
    few, every
        With at most so many changed, and with whole costs for every card.
    left
        Loadouts that even fitted costs of all cards leave farthest from fair, the farthest first.
    """

    most: int
    few: CostChanges
    every: CostChanges
    left: tuple[Loadout, ...]


def price_changes(prices: PriceList, most: int) -> PriceChanges:
    """Return the at most `most` changes, by the way of playing in force.

    Raises
    ------
    UsageError
        `most` is below 0.
    """
    fitted = prices.main
    names, cards = fitted.entries.names, fitted.entries.cards
    parts = [(name,) if name in cards else prices.loaded.parts(name) for name in names]
    return PriceChanges(most, few_changes(fitted, parts, most), legal_costs(fitted, parts), worst_off(fitted))
