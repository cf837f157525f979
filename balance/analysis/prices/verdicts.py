"""Verdicts on prices in one setting: what loadouts and cards cost beside what armies of equal points say, and why.

The interval of a fair cost holds for all loadouts and cards that are judged at once (95 %, the largest |t| over all of
them), and what the fit may miss is in it: a catalogue without fault has a false word in one run of twenty at most. *too
dear* and *too cheap* lie wholly beyond the tolerance, *fair* wholly within, all else is *not yet known*. Loadouts come
first, since they are what is bought; a card is judged with the costs of all others as they are, or as they are to be
(see `fewest_costs`). Where its loadouts are off to both sides, the interval reaches from the one that says least to the
one that says most.

* *off as all are*: all costs to a power explain it;
* *not worth taking*: no legal cost makes it fair, so that it carries no price: other numbers of it have to change;
* *not measurable here*: it plays like another of another cost, from which it differs in something not seen here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import floor, log10

import numpy as np

from balance.analysis.prices.entries import PriceEntries
from balance.analysis.prices.fewest_costs import FewestCosts
from balance.analysis.scores.field import simultaneous
from balance.analysis.scores.usual_prices import VERDICTS, Tolerance
from balance.base.arrays import FloatArray
from balance.base.numbers import SURE, show_fixed

NOT_MEASURABLE = "not measurable here"
NOT_KNOWN = "not yet known"
NOT_WORTH = "not worth taking"
AS_ALL = "off as all are"
OFF_VERDICTS = TOO_DEAR, TOO_CHEAP = VERDICTS[:2]
"""What is said of a price that is certainly wrong."""
FIT_ERROR = 0.004
"""What the fit of fair costs may miss, in the log of a loadout's cost: armies buy whole units."""
SMALL = 3.0
"""Points below which a tenth is much."""
HOPELESS = 100
"""How many times as many battles as there were nobody is told to fight: the price lies on the edge of the tolerance."""

Numbers = tuple[float, float, float, float, float, float]
"""The numbers of a `PriceVerdict`, in their order."""


@dataclass(frozen=True)
class PriceVerdict:
    """The printed cost of something, its fair cost, and the verdict.

    `cost`, `fair`, `low`, `high`: points; the interval holds for all judged at once. `dice_low` and `dice_high`: the
    95 % interval of this one alone, from the dice. `verdict` and `because`: the word, and in plain English why; empty
    where the numbers say it. `battles`: how many would settle what is not yet known, 0 where none would.
    """

    cost: float
    fair: float
    low: float
    high: float
    dice_low: float
    dice_high: float
    verdict: str
    because: str = ""
    battles: int = 0


@dataclass(frozen=True)
class PriceVerdicts:
    """The verdict on every loadout and on every card, by id."""

    loadouts: dict[str, PriceVerdict]
    cards: dict[str, PriceVerdict]


def price_verdicts(
    fewest: FewestCosts,
    parts: Sequence[Sequence[str]],
    tolerance: Tolerance | None = None,
    battles: int = 0,
    hidden_fields: Mapping[str, Mapping[str, object]] | None = None,
    fit_error: float = 0.0,
) -> PriceVerdicts:
    """Return the verdict on every loadout and card.

    `parts` are the cards of each entrant, in the order of `fewest.entries.names`. `battles` is how many the fair costs
    rest on, to say how many would settle a price; 0 if unknown. `hidden_fields` is entrant or card -> its fields that
    this setting cannot see, and their values. `fit_error` is what the fit may miss, in the log of a loadout's cost.
    """
    entries = fewest.entries
    loadouts, cards = _alone(fewest, tolerance or Tolerance(), battles, fit_error)
    of_entrant = {name: loadouts[entry] for name, entry in zip(entries.names, entries.entry_of.tolist(), strict=True)}
    of_card = {name: cards[card] for name, card in zip(entries.cards, entries.card_of.tolist(), strict=True)}
    fields = hidden_fields or {}
    return PriceVerdicts(
        _mark_unmeasured(of_entrant, _same_fighters(entries), fields),
        _mark_unmeasured(of_card, _same_company(entries, parts), fields),
    )


def _alone(
    fewest: FewestCosts, tolerance: Tolerance, battles: int, fit_error: float
) -> tuple[list[PriceVerdict], list[PriceVerdict]]:
    """Return the verdicts on distinct loadouts and on distinct cards, regardless of others that play alike."""
    entries, m = fewest.entries, len(fewest.entries.printed_costs)
    judged = np.concatenate([entries.worth_taking, ~fewest.useless & (entries.counts > 0).any(axis=0)])
    estimates = np.concatenate([entries.anchored_log_fair, fewest.costs])
    draws = np.concatenate([entries.draws, fewest.draws], axis=1)
    draws[:, ~judged] = estimates[~judged]  # nothing is claimed of these
    deviation = draws.std(axis=0, ddof=1)
    ends = np.stack([*simultaneous(estimates, draws), estimates - SURE * deviation, estimates + SURE * deviation])
    missed = fit_error * np.concatenate([np.ones(m), _leverage(entries)])
    ends[:2] += np.stack([-missed, missed])
    ends[:, :m], estimates[:m] = np.exp(ends[:, :m]), np.exp(estimates[:m])
    ends[:2, m:] = _over_holders(fewest, ends[:2, m:])
    raised = np.concatenate([entries.counts @ fewest.base, fewest.base])
    desk = _Desk(tolerance, battles)
    printed = np.concatenate([entries.printed_costs, entries.card_printed])
    numbers = np.stack([printed, estimates, *np.maximum(ends, 0.0)], axis=1)
    verdicts = [
        desk.verdict((cost, fair, low, high, dice_low, dice_high), is_judged, to)
        for (cost, fair, low, high, dice_low, dice_high), is_judged, to in zip(
            numbers.tolist(), judged.tolist(), raised.tolist(), strict=True
        )
    ]
    loadouts, cards = verdicts[:m], verdicts[m:]
    if (entries.counts.sum(axis=1) == 1).all():  # who is bought whole has one price
        cards = [loadouts[int(np.argmax(entries.counts[:, card]))] for card in range(len(cards))]
    return loadouts, cards


def _leverage(entries: PriceEntries) -> FloatArray:
    """Return by how many points a card's cost misses for each unit in the log of its loadouts' costs, `float64[p]`."""
    holds = (entries.counts > 0) & entries.worth_taking[:, None]
    n = np.maximum(holds.sum(axis=0), 1)
    return np.asarray((holds * entries.printed_costs[:, None]).sum(axis=0) / n / np.sqrt(n))


def _over_holders(fewest: FewestCosts, ends: FloatArray) -> FloatArray:
    """Return the ends of intervals of cards, `float64[2, p]`; of cards whose loadouts disagree over all of these."""
    entries, result = fewest.entries, ends.copy()
    for card in np.flatnonzero(~fewest.one_sided & ~fewest.useless):
        holders = np.flatnonzero((entries.counts[:, card] > 0) & entries.worth_taking)
        if len(holders):
            counts, mended = entries.counts[holders], fewest.mended
            rest = counts @ mended - counts[:, card] * mended[card]
            alone = (np.exp(entries.anchored_log_fair[holders]) - rest) / counts[:, card]
            result[:, card] = min(ends[0, card], alone.min()), max(ends[1, card], alone.max())
    return result


@dataclass(frozen=True)
class _Desk:
    """Judges fair costs by a tolerance; `battles` is how many these rest on."""

    tolerance: Tolerance
    battles: int

    def verdict(self, numbers: Numbers, judged: bool, raised: float) -> PriceVerdict:
        """Return the verdict on a printed cost; `raised` is what it would be with all costs to a power."""
        cost, fair, low, high, *_ = numbers
        if not judged:
            return PriceVerdict(*numbers, NOT_WORTH, "no legal cost makes it fair: change its other numbers")
        word = self.tolerance.judge(raised, low, high)
        if raised != cost and word not in OFF_VERDICTS and self.tolerance.judge(cost, low, high) != "fair":
            return PriceVerdict(*numbers, AS_ALL, f"all costs to the power would make it {show_cost(raised)}")
        if word != NOT_KNOWN:
            return PriceVerdict(*numbers, word)
        needed = self.needed(raised, fair, low, high)
        reason = "it lies on the edge of the tolerance, where more battles hardly help"
        return PriceVerdict(*numbers, word, "" if needed else reason, needed)

    def needed(self, cost: float, fair: float, low: float, high: float) -> int:
        """Return how many battles should settle a price, 0 where hardly any would: width falls with their root."""
        least, most = self.tolerance.band(cost)
        room = max(min(abs(fair - least), abs(fair - most)), 1e-9)
        times = (max(high - fair, fair - low) / room) ** 2
        if times >= HOPELESS or not self.battles:
            return 0
        wanted = self.battles * max(1.2 * times, 1.5)
        digits = floor(log10(wanted)) - 1
        return int(-(-wanted // 10**digits) * 10**digits)


def show_cost(points: float) -> str:
    """Return points as sentences show them: a tenth at most, none from a hundred on, hundredths below 3.

    >>> show_cost(24.0), show_cost(31.26), show_cost(131.26), show_cost(0.726)
    ('24', '31.3', '131', '0.73')
    """
    if abs(points) < SMALL:
        return show_fixed(points, 2).rstrip("0").removesuffix(".")
    return show_fixed(points, 0 if abs(points) >= 100 else 1).removesuffix(".0")


def _same_fighters(entries: PriceEntries) -> list[list[str]]:
    """Return the entrants grouped by fighter, so that those of a group play alike."""
    entrants: dict[int, list[str]] = {}
    for name, fighter in zip(entries.names, entries.fighter[entries.entry_of].tolist(), strict=True):
        entrants.setdefault(fighter, []).append(name)
    return list(entrants.values())


def _same_company(entries: PriceEntries, parts: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return groups of cards of one table that play alike with every set of other parts in which both occur."""
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
