"""What to change of the costs: whole costs that can be printed, and what a typical match-up is before and after.

Only a card that is too dear or too cheap in every setting, if costs are split by the least change, has a cost proposed:
what is too dear here and fair there is left alone. It is a whole number, at least what the designer allows, below the
smallest budget, and no longer off by itself; where no such cost exists, none is proposed: other numbers of the card
have to change. What stays unfair at these costs is measured by playing (`typical_match_up`), and named at whole costs
for all cards, since that is what no cost mends (`unfair_pairs`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.analysis.armies.typical_match_up import TypicalMatchUp, typical_match_up
from balance.analysis.dominance.unfair_pairs import UnfairPairs, unfair_pairs
from balance.analysis.prices.answer import CardPrice, CardSums, FreeSplit, Prices, PriceSettings, TypicalMatchUps
from balance.analysis.prices.cost_changes import CostProposals, few_changes_of, legal_costs
from balance.analysis.prices.over_settings import OFF_VERDICTS
from balance.analysis.prices.price_list import PriceList
from balance.analysis.prices.verdicts import NOT_MEASURABLE
from balance.base.answers import Budget
from balance.base.arrays import FloatArray
from balance.engine.runner import Runner

MIN_COST = 1


@dataclass(frozen=True)
class CostProposal:
    """Costs proposed, and what stays unfair.

    * `costs`: card -> whole cost proposed, of the cards that should change and for which one exists.
    * `no_cost`: cards that should change, but for which no whole cost will do.
    * `whole_costs`: card -> whole cost of every card, such that all loadouts together are as fair as can be.
    * `before`, `after`, `after_all`: a typical match-up at the printed costs; at those proposed, None where none is;
      and at all whole costs.
    * `unfair`: which pairs are farthest from even at all whole costs, and who is rock, paper, scissors.
    """

    costs: dict[str, int]
    no_cost: tuple[str, ...]
    whole_costs: dict[str, int]
    before: TypicalMatchUp
    after: TypicalMatchUp | None
    after_all: TypicalMatchUp
    unfair: UnfairPairs

    def beside(self, cards: Mapping[str, CardPrice]) -> dict[str, CardPrice]:
        """Return prices of cards with the whole costs that are proposed for each."""
        return {
            card: replace(price, proposed_cost=self.costs.get(card), whole_cost=self.whole_costs[card])
            for card, price in cards.items()
        }


def cost_proposal(runner: Runner, prices: PriceList, min_cost: int = MIN_COST) -> CostProposal:
    """Return the whole costs that cards should have, at least `min_cost`, and a typical match-up before and after."""
    names = prices.main.entries.names
    legal = legal_costs(prices.main, _parts(prices, names), min_cost).costs
    whole_costs = {card: int(cost) for card, cost in legal.items()}
    costs = usable_costs(prices, whole_costs, min_cost)
    unnamed = [name for name, price in prices.loadouts.items() if price.verdict == NOT_MEASURABLE]
    off = [name for name, price in prices.cards.items() if price.as_proposed in OFF_VERDICTS]

    def played(at: Mapping[str, int]) -> TypicalMatchUp:
        return typical_match_up(runner, prices.setting, *_members(prices, at), prices.seed)

    return CostProposal(
        costs, tuple(card for card in off if card not in costs), whole_costs, played({}),
        played(costs) if costs else None, played(whole_costs),
        unfair_pairs(runner, prices.setting, *_members(prices, whole_costs), prices.seed, unnamed=unnamed),
    )  # fmt: skip


def answer_of(prices: PriceList, proposal: CostProposal, changes: CostProposals | None = None) -> Prices:
    """Return what there is to say of all prices; the few changes of costs only where they were asked for."""
    main, typical = prices.main, TypicalMatchUps(proposal.before, proposal.after, proposal.after_all)
    free = tuple(FreeSplit(split.sentence, split.low, split.high) for split in main.constants)
    return Prices(
        1, prices.game.definition.name, "price", prices.loadouts, proposal.beside(prices.cards), proposal.no_cost,
        typical, proposal.unfair, prices.scale, settings_of(prices), CardSums(main.rms, main.rms_noise, free),
        None if changes is None else few_changes_of(prices, changes),
    )  # fmt: skip


def settings_of(prices: PriceList) -> PriceSettings:
    """Return how prices were had."""
    setting, catalogue, ways = prices.setting, prices.game.catalogue, prices.play.scores
    return PriceSettings(
        setting.kind, setting.changes, dict(setting.choices), prices.facets,
        tuple(Budget(*budget) for budget in setting.budgets), prices.seed, prices.tolerance, prices.n_battles,
        catalogue.rules_version, catalogue.sha256, dict(ways.filter("near").select("play", "score").iter_rows()),
    )  # fmt: skip


def usable_costs(prices: PriceList, whole_costs: Mapping[str, int], min_cost: int = MIN_COST) -> dict[str, int]:
    """Return the whole costs of cards that are off in every setting and for which one can be had.

    `whole_costs` are nearest to fair; one is usable from `min_cost` up to below the smallest budget.
    """
    smallest_budget = prices.setting.budgets[0][0]
    costs = {}
    for card, price in prices.cards.items():
        cost = whole_costs[card]
        margin = prices.tolerance.of(cost)
        is_near = price.low - margin <= cost <= price.high + margin
        is_change = price.as_proposed in OFF_VERDICTS and cost != price.cost
        if is_change and is_near and min_cost <= cost < smallest_budget:
            costs[card] = cost
    return costs


def _parts(prices: PriceList, names: Sequence[str]) -> list[Sequence[str]]:
    """Return the cards with a cost of their own that each loadout is made of."""
    cards = prices.main.entries.cards
    return [(name,) if name in cards else prices.game.parts(name) for name in names]


def _members(prices: PriceList, costs: Mapping[str, int]) -> tuple[list[str], FloatArray]:
    """Return a loadout for each fighter and printed cost, and what each would cost in points, `float64[m]`."""
    fair = next(iter(prices.fair.values()))
    pairs = np.column_stack([fair.fighters, fair.printed_costs])
    first = np.unique(pairs, axis=0, return_index=True)[1].tolist()
    members = [fair.entrants[at] for at in first]
    changes = [
        sum(costs[part] - prices.cards[part].cost for part in parts if part in costs)
        for parts in _parts(prices, members)
    ]
    return members, np.maximum(fair.printed_costs[first] + np.array(changes, np.float64), 0.5)
