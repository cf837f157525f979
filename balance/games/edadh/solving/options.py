"""Options without duplicates: of plays that send alike cards from alike columns one is enough."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.choices import Choose
from balance.chance.rolls.requests import Request
from balance.chance.rolls.rolls import ProxyRolls, Rolls
from balance.games.edadh.cards.swaps import Arrangement
from balance.games.edadh.rules.unit import LOSSES, N_COLUMNS, N_LOSSES, plays_of
from balance.games.edadh.rules.view import View

WIDTH = 9
"""Options that there are at most."""


@dataclass(frozen=True, eq=False)
class _OptionTable:
    """The first option of each kind at each place: `option[place * WIDTH]` on, `n[place]` of them."""

    option: IntArray
    n: IntArray

    @classmethod
    def of(cls, outcomes: Iterable[list[Hashable]]) -> _OptionTable:
        """Keep at each place the first option with each outcome."""
        first = [{outcome: i for i, outcome in reversed(list(enumerate(options)))}.values() for options in outcomes]
        option = np.zeros((len(first), WIDTH), np.int64)
        for row, places in zip(option, first, strict=True):
            row[: len(places)] = sorted(places)
        return cls(option.ravel(), np.array([max(len(places), 1) for places in first], np.int64))

    def take(self, place: IntArray, number: IntArray) -> IntArray:
        """Return the rules' option for each number among those that differ, the last where there are fewer."""
        return self.option.take(place * WIDTH + np.minimum(number, self.n.take(place) - 1))


@dataclass(frozen=True, eq=False)
class Options:
    """The options of one side that differ, by arrangement u.

    `plays` stand at u * 24 + right * 8 + mask of columns, `losses` at u * 16 + place in `unit.N_LOSSES`.
    """

    plays: _OptionTable
    losses: _OptionTable

    @classmethod
    def of(cls, arrangements: tuple[Arrangement, ...]) -> Options:
        """List the options that differ for each arrangement of a Unit."""
        plays = ([_cards_sent(cards, play) for play in plays_of(mask, right)]
                 for cards, right, mask in product(arrangements, range(3), range(8)))  # fmt: skip
        losses = ([(*cards, None)[column] for column in LOSSES[place * 4 : place * 4 + N_LOSSES[place]].tolist()]
                  for cards, place in product(arrangements, range(16)))  # fmt: skip
        return cls(_OptionTable.of(plays), _OptionTable.of(losses))

    def at(self, view: View) -> tuple[IntArray, _OptionTable]:
        """Return the place of each trial in the table of plays or of losses, whichever is asked for, and that table."""
        unit, place = view.own_column("unit").astype(np.intp), view.facts["place"]
        return (unit * 24 + (place >> 2), self.plays) if "role" in view.facts else (unit * 16 + place, self.losses)

    def actual(self, view: View, number: IntArray) -> IntArray:
        """Return the rules' options for numbers among the options that differ, `int[n]`."""
        at, table = self.at(view)
        return table.take(at, number)

    @staticmethod
    def only(options: tuple[Options, Options], rolls: Rolls) -> Rolls:
        """Return rolls in which choices are made among options that differ, those of side a and of side b.

        What is *known* is not asked for: where the state has a column of the choice's name, such as "a card".
        """
        return ProxyRolls(rolls, partial(_answer_differing, options))


def _answer_differing(options: tuple[Options, Options], rolls: Rolls, request: Request[object]) -> object:
    if not isinstance(request, Choose):
        return rolls.answer(request)
    view: View = request.view
    column = f"{request.side} {request.name}"
    if column in view.state:
        return view.state[column]
    if request.name == "card":
        return rolls.answer(request)
    at, table = options[view.side_index].at(view)
    rows = np.arange(rolls.n) if view.rows is None else view.rows
    legal = np.array(request.legal)
    legal[rows] = np.where(legal[rows] > 1, table.n.take(at), 1)
    option = np.array(rolls.answer(replace(request, legal=legal)))
    option[rows] = table.take(at, option[rows])
    return option


def _cards_sent(cards: Arrangement, play: int) -> Hashable:
    """Return what a play sends, kinds of troop in their columns: the one selected, and those that help it."""
    return cards[play & 3], tuple(sorted(cards[c] for c in range(N_COLUMNS) if play >> 2 >> c & 1))
