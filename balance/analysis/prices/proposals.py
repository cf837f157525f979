"""What to change of the costs, played before it is proposed, and whether the game is fair.

A cost is proposed for each card that is too dear or too cheap, or all costs to a power: a whole number, at least what
the designer allows, below the smallest budget. Of the fair costs in the settings that count it is the one nearest to
today's, so that it is right in each. The changes together are then played on dice of their own, before and after, in
the same match-ups of all that is worth taking: only what brings these nearer to even by more than chance, and by a
tenth at least, is proposed, without those changes by which a loadout that is fair as it is would be off. Of three
candidates the second and the third are tested more strictly, so that a useless proposal passes in one run of twenty at
most.

What stays unfair at whole costs for all cards is named as well, since that is what no cost mends (`unfair_pairs`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from balance.analysis.armies.typical_match_up import MatchUps, play_fields
from balance.analysis.dominance.unfair_pairs import UnfairPairs, unfair_pairs
from balance.analysis.prices.answer import (
    CardPrice,
    CardSums,
    FreeSplit,
    Prices,
    PriceSettings,
    Proposal,
    TypicalMatchUps,
)
from balance.analysis.prices.over_settings import DEPENDS
from balance.analysis.prices.price_list import PriceList
from balance.analysis.prices.verdicts import NOT_KNOWN, NOT_MEASURABLE, NOT_WORTH, OFF_VERDICTS, TOO_DEAR
from balance.analysis.prices.whole_costs import legal_costs
from balance.base.answers import Budget
from balance.base.arrays import FloatArray
from balance.base.numbers import SURE
from balance.engine.runner import Runner

MIN_COST = 1
LEVELS = (0.05, 0.025, 0.0125)
"""One-sided level of the test of each candidate."""
LEAST_SHARE = 0.1
"""Share of what is unfair before that a proposal has to take off."""
UNEVEN = 0.1
"""How far a typical match-up may lie from even and be fair: 60:40."""
COUNTERS = 0.5
"""Share of what is unfair from who meets whom from which costs are no remedy."""
KEY = "analysis/proposal"


@dataclass(frozen=True)
class CostProposal:
    """What to change, and what stays unfair.

    * `proposal`: what was played and helps, None where nothing does or nothing is off.
    * `no_cost`: cards that are off, but for which no whole cost will do.
    * `whole_costs`: card -> whole cost of every card, such that all loadouts together are as fair as can be.
    * `typical`: a typical match-up at the printed costs, at those proposed, and at all whole costs.
    * `unfair`: which pairs are farthest from even at all whole costs, and who is rock, paper, scissors.
    """

    proposal: Proposal | None
    no_cost: tuple[str, ...]
    whole_costs: dict[str, int]
    typical: TypicalMatchUps
    unfair: UnfairPairs

    def beside(self, cards: Mapping[str, CardPrice]) -> dict[str, CardPrice]:
        """Return prices of cards with the costs that are proposed for each; those of a power are no one card's."""
        costs = {} if self.proposal is None or self.proposal.power is not None else self.proposal.costs
        return {
            card: replace(price, proposed_cost=costs.get(card), whole_cost=self.whole_costs[card])
            for card, price in cards.items()
        }


def cost_proposal(runner: Runner, prices: PriceList, min_cost: int = MIN_COST, most: int | None = None) -> CostProposal:
    """Return the whole costs that at most so many cards should have, at least `min_cost`, and what that does."""
    names = prices.main.entries.names
    legal = legal_costs(prices.main, _parts(prices, names), min_cost)
    whole_costs = legal
    usable = usable_costs(prices, min_cost)
    off = [name for name, price in prices.cards.items() if price.verdict in OFF_VERDICTS]
    before, after_all = _played(runner, prices, ({}, whole_costs))
    proposal = _first_that_helps(runner, prices, usable, min_cost, most, before)
    typical = TypicalMatchUps(
        before.typical if proposal is None else proposal.before,
        None if proposal is None else proposal.after,
        after_all.typical,
    )
    unnamed = [name for name, price in prices.loadouts.items() if price.verdict in (NOT_MEASURABLE, NOT_WORTH)]
    unfair = unfair_pairs(runner, prices.setting, *_members(prices, whole_costs), prices.seed, unnamed=unnamed)
    return CostProposal(proposal, tuple(card for card in off if card not in usable), whole_costs, typical, unfair)


def _first_that_helps(
    runner: Runner, prices: PriceList, usable: Mapping[str, int], min_cost: int, most: int | None, before: MatchUps
) -> Proposal | None:
    """Return the first candidate that helps when it is played; `before` is what the first of them is compared with."""
    for number, (costs, power) in enumerate(list(_candidates(prices, usable, min_cost, most))[: len(LEVELS)]):
        *earlier, after = _played(runner, prices, ({}, costs) if number else (costs,), number)
        before = earlier[0] if earlier else before
        gain, error = after.gain_over(before)
        sure = gain > NormalDist().inv_cdf(1 - LEVELS[number]) * error
        if sure and gain >= LEAST_SHARE * before.typical.square:
            return Proposal(dict(costs), power, before.typical, after.typical, gain, error, number + 1)
    return None


def _candidates(
    prices: PriceList, usable: Mapping[str, int], min_cost: int, most: int | None
) -> Iterator[tuple[dict[str, int], float | None]]:
    """Yield costs to propose: all to a power; else every card that is off, those of the fewest changes, the first."""
    first = next(iter(prices.fewest.values()))
    entries, seen = first.entries, list[dict[str, int]]()
    if first.power is not None:
        base = dict(zip(entries.cards, first.base[entries.card_of].tolist(), strict=True))
        costs = {card: max(round(cost), min_cost) for card, cost in base.items()}
        yield {card: cost for card, cost in costs.items() if cost != prices.cards[card].cost}, first.power
        return
    distinct = entries.card_of.tolist()
    changed = [card for at in first.changed for card, of in zip(entries.cards, distinct, strict=True) if of == at]
    order = [*(card for card in changed if card in usable), *(card for card in usable if card not in changed)]
    for cards in (order, changed, changed[:1]):
        costs = _without_harm(prices, {card: usable[card] for card in cards[:most] if card in usable}, changed)
        if costs and costs not in seen:
            seen.append(costs)
            yield costs, None


def _without_harm(prices: PriceList, costs: dict[str, int], changed: Sequence[str]) -> dict[str, int]:
    """Return costs without those changes by which a loadout that is fair as it is would be off, the least gains first.

    `changed` has the cards of the fewest changes, the largest gain first.
    """
    kept = dict(costs)
    for name, price in prices.loadouts.items():
        parts = [part for part in _parts(prices, [name])[0] if part in kept] if price.verdict == "fair" else []
        for part in sorted(parts, key=lambda part: -changed.index(part) if part in changed else -len(changed)):
            cost = price.cost + sum(kept[other] - prices.cards[other].cost for other in parts if other in kept)
            if prices.tolerance.judge(cost, price.low, price.high) in OFF_VERDICTS:
                del kept[part]
    return kept


def _played(runner: Runner, prices: PriceList, each: Sequence[Mapping[str, int]], candidate: int = 0) -> list[MatchUps]:
    """Return match-ups at each of some costs by every way of playing that counts, all on the dice of a candidate."""
    fields = [(fit.setting, *_members(prices, costs)) for costs in each for fit in prices.fair.values()]
    if len(fields[0][1]) < 2:
        return [MatchUps(np.zeros((3, 1)))] * len(each)  # the jackknife leaves a block out of three
    played, n = play_fields(runner, fields, prices.seed, f"{KEY}/{candidate}"), len(prices.fair)
    parts = (played[at : at + n] for at in range(0, len(played), n))
    return [MatchUps(np.concatenate([part.scores for part in by_way], axis=1)) for by_way in parts]


def is_fair(prices: PriceList, proposal: CostProposal) -> str:
    """Return whether the game is fair: "yes", "costs yes, match-ups no", "no" or "not yet known".

    Yes is nobody off and a typical match-up within 60:40; where costs are right and counters make match-ups lopsided,
    costs are and match-ups are not.
    """
    judged = [*prices.loadouts.values(), *prices.cards.values()]
    words = {price.verdict for price in judged}
    typical = proposal.typical.before
    if words & {*OFF_VERDICTS} or any(fewest.power is not None for fewest in prices.fewest.values()):
        return "no"
    if typical.off + SURE * typical.error <= UNEVEN or (typical.off <= UNEVEN and NOT_KNOWN not in words):
        return "yes"
    if typical.off - SURE * typical.error <= UNEVEN:
        return "not yet known"
    share = proposal.unfair.share_of_strength
    if NOT_WORTH not in words and share is not None and 1 - share >= COUNTERS:
        return "costs yes, match-ups no"
    is_open = NOT_KNOWN in words or any(word.startswith(DEPENDS) for word in words)
    return "not yet known" if is_open else "no"


def answer_of(prices: PriceList, proposal: CostProposal) -> Prices:
    """Return what there is to say of all prices."""
    main = prices.main
    free = tuple(FreeSplit(split.sentence, split.low, split.high) for split in main.constants)
    return Prices(
        1, prices.game.definition.name, "price", is_fair(prices, proposal), prices.loadouts,
        proposal.beside(prices.cards), proposal.proposal, proposal.no_cost, proposal.typical, proposal.unfair,
        prices.scale, settings_of(prices), CardSums(main.rms, main.rms_noise, free),
    )  # fmt: skip


def settings_of(prices: PriceList) -> PriceSettings:
    """Return how prices were had."""
    setting, catalogue = prices.setting, prices.game.catalogue
    return PriceSettings(
        setting.kind, setting.changes, dict(setting.choices), prices.facets, tuple(prices.beside),
        tuple(Budget(*budget) for budget in setting.budgets), prices.seed, prices.tolerance, prices.n_battles,
        catalogue.rules_version, catalogue.sha256, prices.ways.ways,
    )  # fmt: skip


def usable_costs(prices: PriceList, min_cost: int = MIN_COST) -> dict[str, int]:
    """Return the whole cost of every card that is off and for which one can be had.

    Of the fair costs by the ways of playing that count it is the one nearest to today's; it is usable from `min_cost`
    up to below the smallest budget, if the card is no longer off by it.
    """
    smallest_budget = prices.setting.budgets[0][0]
    costs = {}
    for card, price in prices.cards.items():
        if price.verdict not in OFF_VERDICTS:
            continue
        fair = _fair_costs(prices, card)
        cost = round(max(fair) if price.verdict == TOO_DEAR else min(fair))
        is_near = prices.tolerance.judge(cost, price.low, price.high) not in OFF_VERDICTS if cost > 0 else False
        if cost != price.cost and is_near and min_cost <= cost < smallest_budget:
            costs[card] = cost
    return costs


def _fair_costs(prices: PriceList, card: str) -> list[float]:
    """Return what a card should cost by each way of playing that counts."""
    costs = []
    for fewest in prices.fewest.values():
        place = fewest.entries.cards.index(card)
        costs.append(float(fewest.costs[fewest.entries.card_of[place]]))
    return costs


def _parts(prices: PriceList, names: Sequence[str]) -> list[Sequence[str]]:
    """Return the cards with a cost of their own that each loadout is made of."""
    cards = prices.main.entries.cards
    return [(name,) if name in cards else prices.game.parts(name) for name in names]


def _members(prices: PriceList, costs: Mapping[str, int]) -> tuple[list[str], FloatArray]:
    """Return a loadout worth taking for each fighter and printed cost, and what each would cost, `float64[m]`."""
    fair, first = next(iter(prices.fair.values())), next(iter(prices.fewest.values()))
    worth = first.entries.worth_taking[first.entries.entry_of]
    pairs = np.column_stack([fair.fighters, fair.printed_costs])
    places = [at for at in np.unique(pairs, axis=0, return_index=True)[1].tolist() if worth[at]]
    members = [fair.entrants[at] for at in places]
    changes = [
        sum(costs[part] - prices.cards[part].cost for part in parts if part in costs)
        for parts in _parts(prices, members)
    ]
    return members, np.maximum(fair.printed_costs[places] + np.array(changes, np.float64), 0.5)
