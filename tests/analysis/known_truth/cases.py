"""What is planted in a catalogue of known truth, anew for each run: who is off, by how much, and who is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tests.analysis.known_truth.catalogues import BOARD, USELESS, Catalogue, alike, catalogue

TOLERANCE = 0.10
"""The part of its cost by which a cost may miss."""
COPIES, DEAR_COPY = 10, 1.25
HALF = 0.5
"""The part of a loadout's cost from which a card is told to be off by what its loadouts say."""


@dataclass(frozen=True)
class Planted:
    """A catalogue as it is printed, and the truth.

    * `costs`: of cards, as printed.
    * `loadouts` and `cards`: who is planted, and the true cost of each.
    * `edge`: cards that lie exactly at the tolerance, of which nothing firm may be said.
    * `is_of_card`: whether a card of several loadouts is planted, which may be nearer to fair than the card.
    * `useless`: a card that does nothing; empty if there is none.
    * `power`: printed costs are the true ones to this power; 1 where nothing of the kind is planted.
    """

    catalogue: Catalogue
    costs: Mapping[str, float]
    loadouts: Mapping[str, float] = field(default_factory=dict)
    cards: Mapping[str, float] = field(default_factory=dict)
    edge: tuple[str, ...] = ()
    is_of_card: bool = False
    useless: str = ""
    power: float = 1.0

    @property
    def printed(self) -> dict[str, float]:
        """What loadouts cost as printed."""
        return self.catalogue.sums(self.costs)

    def off(self, loadout: str) -> float:
        """Return by which part of its printed cost a loadout is too dear; below 0, too cheap."""
        cost = self.printed[loadout]
        return (cost - self.catalogue.fair[loadout]) / cost


def leaves(whole: Catalogue) -> dict[str, str]:
    """Return loadouts that have a card of their own, and that card: its cost is known from theirs alone."""
    n_loadouts = Counter(card for cards in whole.loadouts.values() for card in cards)
    own = {name: [card for card in cards if n_loadouts[card] == 1 and card not in whole.given]
           for name, cards in whole.loadouts.items()}  # fmt: skip
    return {name: cards[0] for name, cards in own.items() if cards}


def heavy_cards(whole: Catalogue) -> list[str]:
    """Return cards of several loadouts that are at least half of the cost of each."""
    costs, carried = whole.card_costs(whole.fair), Counter(card for cards in whole.loadouts.values() for card in cards)
    return [
        card
        for card, cost in costs.items()
        if carried[card] > 1
        and card not in whole.given
        and all(cost >= HALF * whole.fair[name] for name, cards in whole.loadouts.items() if card in cards)
    ]


def fair(whole: Catalogue, run: int) -> Planted:
    """Nothing is off."""
    return Planted(whole, whole.card_costs(whole.fair))


def loadouts_off(by: float, n: int) -> Callable[[Catalogue, int], Planted]:
    """Return the case of n loadouts off by a part of their true cost, the first of them dear in every second run."""

    def case(whole: Catalogue, run: int) -> Planted:
        names, own = list(leaves(whole)), leaves(whole)
        chosen = [names[(run + at * (1 + run // len(names))) % len(names)] for at in range(n)]
        signs = [1 if (run + at * (run // 2)) % 2 == 0 else -1 for at in range(n)]
        exact = whole.card_costs(whole.fair)
        more = {name: sign * by * whole.fair[name] for name, sign in zip(chosen, signs, strict=True)}
        moved = {own[name]: exact[own[name]] + points for name, points in more.items()}
        if min(moved.values()) < 1:
            return case(whole, run + 1)
        costs = exact | {card: float(round(cost)) for card, cost in moved.items()}
        return Planted(whole, costs, {name: whole.fair[name] for name in more}, {card: exact[card] for card in moved})

    return case


def card_off(by: float) -> Callable[[Catalogue, int], Planted]:
    """Return the case of one card of several loadouts off by a part of its true cost, dear in every second run."""

    def case(whole: Catalogue, run: int) -> Planted:
        cards, exact = heavy_cards(whole), whole.card_costs(whole.fair)
        card = cards[run // 2 % len(cards)]
        costs = exact | {card: float(round(exact[card] * (1 + by * (-1) ** run)))}
        within = Planted(whole, costs, {}, {card: exact[card]}, is_of_card=True)
        off = {name: whole.fair[name] for name, own in whole.loadouts.items() if card in own}
        return replace(within, loadouts={name: cost for name, cost in off.items() if abs(within.off(name)) > TOLERANCE})

    return case


def power(exponent: float) -> Callable[[Catalogue, int], Planted]:
    """Return the case of costs to a power, about as large as the true ones."""

    def case(whole: Catalogue, run: int) -> Planted:
        logs = np.log(list(whole.fair.values()))
        bent = np.exp(exponent * (logs - logs.mean()) + logs.mean()).tolist()
        return Planted(whole, whole.card_costs(dict(zip(whole.fair, bent, strict=True))), power=exponent)

    return case


def useless_card(whole: Catalogue, run: int) -> Planted:
    """One card does nothing and costs as if it did."""
    own = leaves(whole)
    tools = {name: card for name, card in own.items() if card != name.partition("+")[0] or "+" not in name}
    name, card = list(tools.items())[run % len(tools)]
    return Planted(whole, whole.card_costs(whole.fair), {name: 0.0}, {card: 0.0}, useless=card)


def dear_copy(whole: Catalogue, run: int) -> Planted:
    """Of ten copies one is dear."""
    copies = alike(whole.game, COPIES)
    dear = list(copies.loadouts)[run % COPIES]
    true = copies.fair[dear]
    costs = dict(copies.fair) | {dear: float(round(DEAR_COPY * true))}
    return Planted(copies, costs, {dear: true}, {dear: true})


def at_the_edge(whole: Catalogue, run: int) -> Planted:
    """All cards but the one or two in the middle are off by exactly the tolerance, by turns dear and cheap."""
    exact = whole.card_costs(whole.fair)
    cards = np.random.default_rng(run).permutation([card for card in exact if card not in whole.given]).tolist()
    edge = cards[: (len(cards) - 1) // 2 * 2]
    costs = {card: float(round(exact[card] / (1 - TOLERANCE * (-1) ** at))) for at, card in enumerate(edge)}
    return Planted(whole, exact | costs, edge=tuple(edge))


CASES: Mapping[str, Callable[[Catalogue, int], Planted]] = {
    "fair": fair,
    "edge": at_the_edge,
    "loadout-15": loadouts_off(0.15, 1),
    "loadout-25": loadouts_off(0.25, 1),
    "two-15": loadouts_off(0.15, 2),
    "two-25": loadouts_off(0.25, 2),
    "card-15": card_off(0.15),
    "card-25": card_off(0.25),
    "power-0.5": power(0.5),
    "power-1.3": power(1.3),
    "useless": useless_card,
    "copy": dear_copy,
}


def cases_of(game: str) -> Sequence[str]:
    """Return the cases that a catalogue can have."""
    whole = catalogue(game)
    left_out = set() if heavy_cards(whole) else {"card-15", "card-25"}
    left_out |= set() if game in USELESS else {"useless"}
    left_out |= {"copy"} if game in ("tug", "warforged", "runewars") else set()
    left_out |= {"power-0.5", "power-1.3"} if any(len(cards) > 1 for cards in whole.loadouts.values()) else set()
    left_out |= set(CASES) - {"fair", "edge", "loadout-25"} if game in BOARD else set()
    return [name for name in CASES if name not in left_out]


def planted(game: str, case: str, run: int) -> Planted:
    """Return the catalogue of a run."""
    return CASES[case](catalogue(game), run)
