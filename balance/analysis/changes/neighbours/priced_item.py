"""What is priced: a card or loadout of a price list, with the field it meets and what a change makes of its fair cost.

Fair costs of all loadouts are given, at which everybody scores one half against the field. A change has a *shift*, the
log of the factor by which the costs of all loadouts with the card would have to grow (see `handicap`). The fair cost of
the card then grows by M (exp(shift) - 1) points, where M is what its loadouts cost: the sum of 1/f over the sum of
1/f^2 of their fair costs f, as costs of cards are fitted to those of loadouts by squares of relative differences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from math import exp, hypot, log1p

import numpy as np

from balance.analysis.armies.battles import ArmySetting, costs_of, distinct_fighters
from balance.analysis.changes.handicaps.handicap import ArmyField, Handicap, JudgedGroup, handicaps
from balance.analysis.changes.neighbours.card_steps import CardStep
from balance.analysis.prices.answer import CardPrice, LoadoutPrice
from balance.analysis.prices.fits.fair_costs import FairCosts
from balance.analysis.prices.price_list import PriceList
from balance.analysis.scores.cards import find_card, priced_parts
from balance.analysis.scores.usual_prices import Tolerance, judge_cost
from balance.base.errors import Fault, UsageError, comma_list, first_of, suggestion
from balance.base.numbers import SURE
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame

MOST_NAMED = 6
"""Loadouts that are named where a card has no cost of its own."""


@dataclass(frozen=True)
class FairAfter:
    """A fair cost in points, and what armies of it score beyond one half, each with its 95 % interval."""

    fair: float
    low: float
    high: float
    score: float
    score_low: float
    score_high: float


@dataclass(frozen=True)
class PricedItem:
    """A card or loadout of a price list, and the field that it meets.

    `table`: empty for a loadout. `cards`: (table, id) of the card, or of each card of the loadout. `members` and
    `costs`: the loadouts that hold it, and their fair costs.
    """

    name: str
    table: str
    price: LoadoutPrice
    cards: tuple[tuple[str, str], ...]
    members: tuple[str, ...]
    costs: tuple[float, ...]
    field: ArmyField

    @property
    def cost(self) -> float:
        """What it costs."""
        return self.price.cost

    @property
    def fair(self) -> float:
        """What it should cost."""
        return self.price.fair

    @property
    def spread(self) -> float:
        """M, the cost of its loadouts in points: its fair cost grows by about M times a small shift."""
        inverse = 1 / np.array(self.costs)
        return float(inverse.sum() / (inverse @ inverse))

    @property
    def error(self) -> float:
        """Standard error of its fair cost from dice, in points."""
        return (self.price.dice_high - self.price.dice_low) / (2 * SURE)

    @property
    def as_it_is(self) -> FairAfter:
        """Its fair cost with no change, at a score of one half."""
        return FairAfter(self.fair, self.price.dice_low, self.price.dice_high, 0.0, 0.0, 0.0)

    def shift_for(self, cost: float) -> float:
        """Return the shift at which a cost in points would be fair, log(1 + (cost - fair) / M)."""
        return log1p(max((cost - self.fair) / self.spread, -0.95))

    def group(self, step: CardStep | None = None, cost: float | None = None) -> JudgedGroup:
        """Return its loadouts, after a step if one is given, at their fair costs or scaled to another cost."""
        factor = 1.0 if cost is None else exp(self.shift_for(cost))
        members = self.members if step is None else tuple(map(step.apply_to, self.members))
        return JudgedGroup(members, tuple(factor * fair_cost for fair_cost in self.costs))

    def after(self, handicap: Handicap, cost: float | None = None) -> FairAfter:
        """Return its fair cost after a handicap that was played at a cost in points; None for its fair cost."""
        spread = self.spread * (1.0 if cost is None else exp(self.shift_for(cost)))
        fair = (self.fair if cost is None else cost) + spread * (exp(handicap.shift) - 1)
        own_error = self.error if cost is None else 0.0
        half = SURE * hypot(own_error, spread * exp(handicap.shift) * handicap.error)
        near = SURE * handicap.score_error
        return FairAfter(fair, fair - half, fair + half, handicap.score, handicap.score - near, handicap.score + near)

    def says(self, after: FairAfter) -> str:
        """Return the verdict on its printed cost if `after` holds its fair cost."""
        return judge_cost(self.cost, after.low, after.high, self.price.tolerance)

    def play(
        self,
        runner: Runner,
        groups: Sequence[JudgedGroup],
        seed: int,
        n_battles: int,
        key: str = "analysis/price_card",
        within: tuple[float, float] | None = None,
    ) -> list[Handicap]:
        """Return the handicap of each group in its field, from `n_battles` in each round.

        Another `key` gives fresh armies and dice; `within` is as `handicaps` takes it.
        """
        return handicaps(runner, self.field, groups, seed, n_battles=n_battles, key=key, within=within)


def find_priced(runner: Runner, prices: PriceList, name: str, tolerance: Tolerance | None = None) -> PricedItem:
    """Return a card or loadout of a price list of the same game, found by its id.

    The tolerance is by default that of the list. Raise UsageError, naming the nearest, where there is none of that
    name.
    """
    game, fair = runner.game, next(iter(prices.fair.values()))
    if not isinstance(fair, FairCosts):
        raise TypeError("changes of cards are tried where armies of equal points meet, not on a board")
    price = prices.cards.get(name) or prices.loadouts.get(name)
    if price is None:
        raise UsageError(_no_such(name, list(prices.cards), list(prices.loadouts)))
    table = price.table if isinstance(price, CardPrice) else ""
    members, cards = _members_and_cards(game, fair.setting.kind, table, name, fair.entrants)
    costs = tuple(float(fair.fair[fair.entrants.index(member)]) for member in members)
    margin = price.tolerance if tolerance is None else tolerance.of(price.cost)
    alone = LoadoutPrice(**{part.name: getattr(price, part.name) for part in fields(LoadoutPrice)})
    return PricedItem(name, table, replace(alone, tolerance=margin), cards, members, costs, field_of(fair))


def as_printed(game: LoadedGame, setting: ArmySetting, name: str) -> PricedItem:
    """Return a card or loadout as if all printed costs were fair, so that no price list is needed.

    Raise UsageError, naming the nearest, where there is none of that name.
    """
    entrants, parts = game.members_of(setting.kind), _parts(game, setting.kind)
    part_names = list(dict.fromkeys(part for entrant in entrants for part in parts(entrant)))
    if name not in (*part_names, *entrants):
        raise UsageError(_no_such(name, part_names, entrants))
    table, label, cost = ("", name, None) if name in entrants else find_card(game, name)
    members, cards = _members_and_cards(game, setting.kind, table, name, entrants)
    costs = tuple(costs_of(game, members).tolist())
    cost = costs[0] if cost is None else cost
    printed_costs = costs_of(game, entrants)
    fighters = distinct_fighters(game, setting, entrants, printed_costs)
    field = ArmyField(setting, fighters.members, tuple(fighters.costs.tolist()))
    tolerance = Tolerance.usual(printed_costs.tolist()).of(cost)
    price = LoadoutPrice(label, cost, cost, cost, cost, cost, cost, "fair", "", (), tolerance, 0)
    return PricedItem(name, table, price, cards, members, costs, field)


def _members_and_cards(
    game: LoadedGame, kind: str, table: str, name: str, entrants: Sequence[str]
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return the loadouts that hold a card and that card as (table, id); or the loadout itself and its cards."""
    parts = _parts(game, kind)
    if table:
        return tuple(entrant for entrant in entrants if name in parts(entrant)), ((table, name),)
    cards = [(find_card(game, part)[0], part) for part in parts(name)]
    return (name,), tuple((card_table, part) for card_table, part in cards if card_table)  # a formation is no card


def check_priced(game: LoadedGame, kind: str, name: str) -> None:
    """Raise UsageError for a name that no card and no loadout of a price list would have, before the long work begins.

    It names the nearest; for a card that has no cost of its own, the loadouts that hold it.
    """
    parts, entrants = _parts(game, kind), game.members_of(kind)
    cards = list(dict.fromkeys(part for entrant_parts in priced_parts(game, entrants) for part in entrant_parts))
    if name in (*cards, *entrants):
        return
    if holders := [holder for holder in entrants if name in parts(holder)]:
        choices = f"a loadout that holds it: {comma_list(first_of(holders, MOST_NAMED))}"
        raise UsageError(Fault("has no cost of its own", found=name, allowed=choices))
    raise UsageError(_no_such(name, cards, entrants))


def _no_such(name: str, cards: Sequence[str], loadouts: Sequence[str]) -> Fault:
    choices = f"{comma_list(cards)}; or a loadout such as {loadouts[0]}"
    tip = suggestion(name, [*cards, *loadouts])
    return Fault("is no card and no loadout that has a price", found=name, allowed=choices, tip=tip)


def _parts(game: LoadedGame, kind: str) -> Callable[[str], tuple[str, ...]]:
    """Return the function that splits a member of an army into the ids of its cards."""
    armies = game.definition.kinds[kind].armies
    return armies.member.parts if armies is not None else game.parts


def field_of(fair: FairCosts) -> ArmyField:
    """Return the field at its fair costs, one entrant for each group of those who play alike."""
    first = np.unique(fair.fighters, return_index=True)[1].tolist()
    costs = fair.fair.tolist()
    return ArmyField(fair.setting, tuple(fair.entrants[at] for at in first), tuple(costs[at] for at in first))
