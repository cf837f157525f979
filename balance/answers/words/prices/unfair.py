"""What costs leave unfair, in a few lines: how much, of which kind, which pairs, and who is never worth taking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from balance.analysis.dominance.unfair_pairs import UnfairPair
from balance.analysis.prices.answer import LoadoutPrice, Prices
from balance.analysis.prices.verdicts import show_cost
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Paragraph, plain
from balance.answers.blocks.tables import Table, grid
from balance.answers.form import Terms
from balance.base.errors import comma_list
from balance.base.numbers import SURE, show_count, show_probability

FEW_NAMED, FEW_PAIRS = 3, 2
"""Names and pairs on a first screen."""
WORTH_TELLING = 0.05
"""The smallest share of what is left that pairs are said to be."""


def what_stays(prices: Prices, terms: Terms, more: bool = False) -> Iterator[Block]:
    """Yield what whole costs for all leave unfair: of which kind it is, and by whom."""
    if prices.unfair.pairs:
        yield plain(" ".join(_unfair_texts(prices, terms, more)))
        if more:
            yield _pair_table(prices)


def worse_by_numbers(prices: Mapping[str, LoadoutPrice], few: bool = False) -> Iterator[Paragraph]:
    """Yield who is strictly worse than another by what the cards print, which needs no dice."""
    worse = [
        f"{price.label} beside {prices[other.than].label if other.than in prices else other.than} "
        f"({comma_list(other.fields)})"
        for price in prices.values()
        if (other := price.strictly_worse) is not None
    ]
    if worse:
        names = first_names(worse) if few else comma_list(worse)
        yield plain(f"Strictly worse by the numbers alone, so never worth taking: {names}.")


def _unfair_texts(prices: Prices, terms: Terms, more: bool) -> Iterator[str]:
    """Yield of which kind it is what whole costs for all leave unfair, and by whom: a cycle, else the first pairs."""
    unfair = prices.unfair
    if (of_strength := unfair.share_of_strength) is not None:
        example = f" ({_pair_text(prices, unfair.pairs[0])})" if unfair.cycle and of_strength > 0.5 else ""
        yield _kinds_text(of_strength, terms.entrants, example)
    if unfair.cycle:
        first, second, third = unfair.cycle
        then = f"which beats {_label(prices, second.loser)} {second.odds}, which beats the first {third.odds}"
        yield f"Rock, paper, scissors: {_pair_text(prices, first)}, {then}."
    elif not more:
        pairs = unfair.pairs[:FEW_PAIRS]
        share = sum(pair.share for pair in pairs)
        part = f", {show_probability(share, 0)} of it" if share >= WORTH_TELLING else ""
        texts = comma_list(_pair_text(prices, pair) for pair in pairs)
        yield f"Farthest from even ({len(pairs)} of {show_count(unfair.of_pairs)} pairs{part}): {texts}."


def _kinds_text(of_strength: float, entrants: str, example: str) -> str:
    """Return which share of what costs leave unfair is strength, and which who meets whom."""
    strong, rest = (show_probability(share, 0) for share in (of_strength, 1 - of_strength))
    strength, counters = (
        f"{entrants} too strong or too weak against all{example}",
        "who meets whom, which no cost mends",
    )
    if strong == "100%" or rest == "100%":
        return f"What is unfair with all costs changed is {strength if strong == '100%' else counters}."
    return f"Of what is unfair with all costs changed, {strong} is {strength} and {rest} {counters}."


def _label(prices: Prices, entrant: str) -> str:
    return prices.loadouts[entrant].label


def _pair_text(prices: Prices, pair: UnfairPair) -> str:
    return f"{_label(prices, pair.winner)} beats {_label(prices, pair.loser)} {pair.odds}"


def _pair_table(prices: Prices) -> Table:
    rows = [
        (
            _label(prices, pair.winner), _label(prices, pair.loser), show_probability(pair.score),
            f"±{100 * SURE * pair.error:.1f}", show_probability(pair.share),
        )
        for pair in prices.unfair.pairs
    ]  # fmt: skip
    heads = ["farthest from even", "beats", "scores", "95%", "of what is left"]
    return grid(heads, rows, right=heads[2:])


def never_worth(prices: Mapping[str, LoadoutPrice], few: bool = False) -> Iterator[Paragraph]:
    """Yield who is never worth taking at equal points beside each witness and its cost, and by how much that leads.

    Of a `few` names and errors are left out after the first.
    """
    beaten: dict[str, list[LoadoutPrice]] = {}
    for price in sorted(prices.values(), key=lambda price: -(price.lead or 0.0)):
        if price.dominated_by is not None:
            beaten.setdefault(price.dominated_by[0], []).append(price)
    for witness, losers in sorted(beaten.items(), key=lambda pair: -len(pair[1])):
        texts = [f"{loser.label} ({_lead(loser, few)})" for loser in losers]
        texts[0] = f"{texts[0].removesuffix(')')} pp behind)"
        names = first_names(texts) if few else comma_list(texts)
        label, cost = prices[witness].label, show_cost(prices[witness].cost)
        yield plain(f"Never worth taking at equal points while {label} costs {cost}: {names}.")


def _lead(price: LoadoutPrice, few: bool) -> str:
    """Return how far ahead the witness scores on average, with half of the 95 % interval unless there are few."""
    lead = f"{100 * (price.lead or 0.0):.0f}"
    return lead if few else f"{lead} ± {100 * SURE * (price.lead_error or 0.0):.0f}"


def first_names(names: Sequence[str]) -> str:
    """Return the first of some names, and how many more there are.

    >>> first_names(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = len(names) - FEW_NAMED
    return ", ".join(names[:FEW_NAMED]) + (f" and {more} more" if more > 0 else "")
