"""Goofspiel (the Game of Pure Strategy) as a game over states in layers, with a twin that solves one program at a time.

Both players hold the cards 1..n and bid one for each prize of 1..n as it is turned up; the higher bid takes the prize,
equal bids lose it to both. A state is both hands, the prizes left, the prize turned up, and what has been won so far.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from tests.chance.solvers.arrays import ArrayGame, Stage
from tests.chance.solvers.programming import by_programming

Cards = tuple[int, ...]
Worth = Callable[[int], float]


class Deal(NamedTuple):
    """What is public before the bids; `lead` is points won by the row player less those of the column player."""

    mine: Cards
    theirs: Cards
    prizes: Cards
    prize: int
    lead: int


def points(lead: int) -> float:
    """Each point of the lead counts."""
    return float(lead)


def victory(lead: int) -> float:
    """Only the sign of the lead counts."""
    return float(np.sign(lead))


def without(cards: Cards, card: int) -> Cards:
    return tuple(other for other in cards if other != card)


def after(deal: Deal, mine: int, theirs: int) -> list[Deal]:
    """Return what may be turned up next, each as likely; empty after the last prize."""
    lead = deal.lead + deal.prize * int(np.sign(mine - theirs))
    left = without(deal.prizes, deal.prize)
    hands = without(deal.mine, mine), without(deal.theirs, theirs)
    return [Deal(*hands, left, prize, lead) for prize in left]


def final(deal: Deal) -> int:
    """Return the lead after the last prize."""
    return deal.lead + deal.prize * int(np.sign(deal.mine[0] - deal.theirs[0]))


@dataclass
class Goofspiel:
    """The game from some deals on, as arrays; `index` numbers the deals over all layers."""

    starts: list[Deal]
    worth: Worth
    index: dict[Deal, int] = field(default_factory=dict)

    def build(self) -> ArrayGame:
        layer, layers = self.starts, []
        while layer:
            layers.append(layer)
            self.index.update({deal: len(self.index) + place for place, deal in enumerate(layer)})
            bids = [(deal, *pair) for deal in layer for pair in product(deal.mine, deal.theirs)]
            layer = sorted({later for bid in bids for later in after(*bid)})
        return ArrayGame(tuple(self._stage(deals) for deals in layers))

    def _stage(self, deals: list[Deal]) -> Stage:
        size = len(deals[0].mine)
        rewards = np.zeros((len(deals), size, size))
        successors = np.full((len(deals), size, size, max(size - 1, 1)), -1)
        for place, deal in enumerate(deals):
            for (i, mine), (j, theirs) in product(enumerate(deal.mine), enumerate(deal.theirs)):
                if size == 1:
                    rewards[place, i, j] = self.worth(final(deal))
                else:
                    successors[place, i, j] = [self.index[later] for later in after(deal, mine, theirs)]
        return Stage(rewards, successors, 1.0 / max(size - 1, 1))


def full(n: int, prizes: Cards | None = None) -> list[Deal]:
    """Return the first deals of the game with n cards, one per prize (or those given)."""
    cards = tuple(range(1, n + 1))
    return [Deal(cards, cards, cards, prize, 0) for prize in prizes or cards]


def twin(worth: Callable[[int], float]) -> Callable[[Deal], float]:
    """Return the value of a deal by recursion and one linear program per deal."""

    @cache
    def value(deal: Deal) -> float:
        if len(deal.mine) == 1:
            return worth(final(deal))
        cells = [[np.mean([value(d) for d in after(deal, i, j)]) for j in deal.theirs] for i in deal.mine]
        return by_programming(np.array(cells))

    return value
