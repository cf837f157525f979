"""Verdicts on prices in one setting: what loadouts and cards cost beside what armies of equal points say, and why.

`fair`, `low` and `high` are a 95 % interval for each alone; a verdict uses intervals that hold for all loadouts and
cards at once (the largest |t| over both), so that a catalogue without fault has a finding in one run of twenty at most.
*too dear* and *too cheap* are certainly off by more than the tolerance, *fair* is certainly within it, all else is *not
yet known*. A card is judged at the costs proposed and at both ends of what is free in them (see `card_costs`);
`over_settings` makes one verdict of these, and of those of other settings.

Two that play alike here and cost differently share one fair cost. Where they differ in something that the setting
cannot see, neither is judged: *not measurable here*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import floor, log10

import numpy as np

from balance.analysis.prices.card_costs import CardCosts
from balance.analysis.scores.field import simultaneous
from balance.analysis.scores.usual_prices import Tolerance, judge
from balance.base.numbers import SURE, show_fixed

NOT_MEASURABLE = "not measurable here"
NOT_KNOWN = "not yet known"
SMALL = 3.0
"""Points below which a tenth is much."""
HOPELESS = 100
"""How many times as many battles as there were nobody is told to fight: the price lies on the edge of the tolerance."""


@dataclass(frozen=True)
class PriceVerdict:
    """The printed cost of something, its fair cost, and the verdict.

    `cost`, `fair`, `low`, `high`: points; the interval is 95 % for this one alone. `verdict` and `because`: the word,
    and in plain English why it is fair or not known; empty where the numbers say it. `ends`: of a card: the verdict at
    each end of what is free in the costs of cards; empty where nothing is.
    """

    cost: float
    fair: float
    low: float
    high: float
    verdict: str
    because: str
    ends: Mapping[str, PriceVerdict] = field(default_factory=dict)


@dataclass(frozen=True)
class PriceVerdicts:
    """The verdict on every loadout and on every card, by id."""

    loadouts: dict[str, PriceVerdict]
    cards: dict[str, PriceVerdict]


def price_verdicts(
    card_costs: CardCosts,
    parts: Sequence[Sequence[str]],
    tolerance: Tolerance | None = None,
    battles: int = 0,
    hidden_fields: Mapping[str, Mapping[str, object]] | None = None,
) -> PriceVerdicts:
    """Return the verdict on every loadout and card.

    `parts` are the cards of each entrant, in the order of `card_costs.entries.names`. The tolerance is by default a
    tenth of the cost, but at least 2 points. `battles` is how many the fair costs rest on, to say how many more would
    settle a price; 0 if unknown. `hidden_fields` is entrant or card -> its fields that this setting cannot see, and
    their values.

    >>> from types import SimpleNamespace
    >>> from balance.analysis.prices.card_costs import fit_card_costs
    >>> from balance.analysis.prices.entries import price_entries
    >>> found = SimpleNamespace(entrants=("elf", "orc", "ogre"), printed_costs=np.array([20.0, 24.0, 40.0]),
    ...     log_fair=np.log([20.0, 31.0, 40.0]), covariance=np.eye(3) * 0.001, fighters=np.arange(3))
    >>> costs = fit_card_costs(price_entries(found, [("elf",), ("orc",), ("ogre",)]))
    >>> orc = price_verdicts(costs, [("elf",), ("orc",), ("ogre",)]).loadouts["orc"]
    >>> orc.verdict, orc.because
    ('too cheap', '')
    """
    loadouts, cards = _alone(card_costs, Tolerance() if tolerance is None else tolerance, battles)
    entries = card_costs.entries
    of_entrant = {name: loadouts[entry] for name, entry in zip(entries.names, entries.entry_of.tolist(), strict=True)}
    of_card = {name: cards[card] for name, card in zip(entries.cards, entries.card_of.tolist(), strict=True)}
    fields = hidden_fields or {}
    return PriceVerdicts(
        _mark_unmeasured(of_entrant, _same_fighters(card_costs), fields),
        _mark_unmeasured(of_card, _same_company(card_costs, parts), fields),
    )


def _alone(card_costs: CardCosts, limit: Tolerance, battles: int) -> tuple[list[PriceVerdict], list[PriceVerdict]]:
    """Return the verdicts on distinct loadouts and on distinct cards, regardless of others that play alike."""
    entries, rules = card_costs.entries, list(card_costs.by_rule)
    estimates = np.concatenate([entries.anchored_log_fair, *card_costs.by_rule.values()])
    draws = np.concatenate([entries.draws, *card_costs.draws.values()], axis=1)
    alone = SURE * draws.std(axis=0, ddof=1)
    ends = np.stack([estimates - alone, estimates, estimates + alone, *simultaneous(estimates, draws)])
    m = len(entries.printed_costs)
    ends[:, :m] = np.exp(ends[:, :m])
    prices = [_Price(battles, *verdicts) for verdicts in ends.T.tolist()]
    loadouts = [
        price.verdict(cost, limit.of(cost)) for price, cost in zip(prices, entries.printed_costs.tolist(), strict=False)
    ]
    cards = []
    for place, cost in enumerate(entries.card_printed.tolist()):
        by_rule = [prices[m + number * len(entries.card_printed) + place] for number in range(len(rules))]
        verdicts = [price.verdict(cost, limit.of(cost)) for price in by_rule]
        cards.append(replace(verdicts[0], ends=dict(zip(rules[1:], verdicts[1:], strict=True))))
    return loadouts, cards


@dataclass(frozen=True)
class _Price:
    """A fair cost with its own 95 % interval and the wider one that holds for all at once."""

    battles: int
    low: float
    fair: float
    high: float
    all_low: float
    all_high: float

    def verdict(self, cost: float, margin: float) -> PriceVerdict:
        """Return the verdict on a printed cost, by the simultaneous interval; `margin` is the tolerance in points."""
        word, reason = judge(cost - self.all_high, cost - self.all_low, margin), ""
        if word == NOT_KNOWN:
            reaches = "is wider than" if self.all_high - self.all_low > 2 * margin else "reaches across the edge of"
            reason = f"the interval {reaches} the tolerance of {show_cost(margin)}{self._more(cost, margin)}"
        elif word == "fair":
            reason = f"within the tolerance of {show_cost(margin)}"
        return PriceVerdict(cost, self.fair, self.low, self.high, word, reason)

    def _more(self, cost: float, margin: float) -> str:
        """Return how many more battles would settle it, in words: the interval narrows with their square root."""
        if not self.battles:
            return ""
        half = max(self.all_high - self.fair, self.fair - self.all_low)
        room = abs(abs(cost - self.fair) - margin)
        more = self.battles * ((half / max(room, 1e-9)) ** 2 - 1)
        if more >= HOPELESS * self.battles:
            return ": it lies on the edge, where more battles hardly help"
        digits = max(floor(log10(max(more, 1.0))) - 1, 0)
        return f": about {max(round(more, -digits), 1):,.0f} battles more"


def show_cost(points: float) -> str:
    """Return points as sentences show them: a tenth at most, none from a hundred on, hundredths below 3.

    >>> show_cost(24.0), show_cost(31.26), show_cost(131.26), show_cost(0.726)
    ('24', '31.3', '131', '0.73')
    """
    if abs(points) < SMALL:
        return show_fixed(points, 2).rstrip("0").removesuffix(".")
    return show_fixed(points, 0 if abs(points) >= 100 else 1).removesuffix(".0")


def _same_fighters(card_costs: CardCosts) -> list[list[str]]:
    """Return the entrants grouped by fighter, so that those of a group play alike."""
    entrants: dict[int, list[str]] = {}
    for name, fighter in zip(
        card_costs.entries.names, card_costs.entries.fighter[card_costs.entries.entry_of].tolist(), strict=True
    ):
        entrants.setdefault(fighter, []).append(name)
    return list(entrants.values())


def _same_company(card_costs: CardCosts, parts: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return groups of cards of one table that play alike with every set of other parts in which both occur."""
    entries = card_costs.entries
    company: dict[str, dict[tuple[str, ...], int]] = {name: {} for name in entries.cards}
    for first, fighter in zip(parts, entries.fighter[entries.entry_of].tolist(), strict=True):
        for place, part in enumerate(first):
            company[part][tuple(sorted([*first[:place], *first[place + 1 :]]))] = fighter
    table = {name: entries.tables[card] for name, card in zip(entries.cards, entries.card_of.tolist(), strict=True)}
    group = {name: name for name in entries.cards}
    for first, second in combinations(entries.cards, 2):
        common = company[first].keys() & company[second].keys()
        alike = common and all(company[first][key] == company[second][key] for key in common)
        if table[first] == table[second] and alike:
            group = {name: group[first] if group[name] == group[second] else group[name] for name in group}
    return [[name for name in group if group[name] == head] for head in dict.fromkeys(group.values())]


def _mark_unmeasured(
    verdicts: dict[str, PriceVerdict], groups: list[list[str]], hidden_fields: Mapping[str, Mapping[str, object]]
) -> dict[str, PriceVerdict]:
    """Return the verdicts, "not measurable here" in groups where costs and unseen fields both differ."""
    results = dict(verdicts)
    for group in groups:
        pairs = [(a, b) for a, b in combinations(sorted(group, key=lambda name: (verdicts[name].cost, name)), 2)
                 if verdicts[a].cost != verdicts[b].cost and _field_differences(hidden_fields, a, b)]  # fmt: skip
        for name in group if pairs else ():
            reason = _plays_as(name, pairs, {name: verdicts[name].cost for name in group}, hidden_fields)
            results[name] = replace(verdicts[name], verdict=NOT_MEASURABLE, because=reason)
    return results


def _plays_as(
    name: str,
    pairs: list[tuple[str, str]],
    costs: Mapping[str, float],
    hidden_fields: Mapping[str, Mapping[str, object]],
) -> str:
    """Return the sentence on why a price cannot be judged; of each pair the first is the cheaper one."""
    a, b = next((pair for pair in pairs if name in pair), pairs[0])
    apart, fields = show_cost(costs[b] - costs[a]), ", ".join(_field_differences(hidden_fields, a, b))
    reason = f"plays as {a} and {b} here, which cost {apart} apart"
    if name == b:
        reason = f"plays as {a} here, which costs {apart} less"
    elif name == a:
        reason = f"plays as {b} here, which costs {apart} more"
    return f"{reason}; their points differ for {fields}, which this setting cannot see"


def _field_differences(hidden_fields: Mapping[str, Mapping[str, object]], first: str, second: str) -> list[str]:
    """Return the unseen fields in which two cards or entrants differ."""
    a, b = hidden_fields.get(first, {}), hidden_fields.get(second, {})
    return [field for field in dict.fromkeys([*a, *b]) if a.get(field) != b.get(field)]
