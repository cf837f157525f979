"""The few whole costs of cards to change so that a price list comes nearest to fair, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from balance.analysis.prices.cost_changes import CostChanges, Loadout, few_changes, legal_costs, worst_off
from balance.analysis.prices.price_list import PriceList
from balance.analysis.scores.usual_prices import VERDICTS, fair_within, judge_cost

__all__ = ["PriceChanges", "price_changes", "verdict_at"]


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


def verdict_at(prices: PriceList, row: Mapping[str, Any], cost: float) -> str:
    """Return what is said of a card or loadout of a price list at another cost, by its own interval.

    Where no cost can be judged, such as where it depends on play, that stays so.
    """
    if row["verdict"] not in VERDICTS:
        return str(row["verdict"])
    low, high, allowed = row["low"], row["high"], prices.tolerance.of(cost)
    return fair_within(judge_cost(cost, low, high, allowed), cost, low, high, allowed)
