"""Armies that are bought card by card from one stock (WF-BUILD.3), another pair in every battle.

Both sides buy in turns, one card each; the side that goes second in the battle buys first (WF-Q20). Cards of which
there are only so many are gone once they are bought, whoever has them (WF-Q22). How a side buys:

1. A unit that it may still take, that can be paid for, and for which a weapon that it may carry is left and can be
   paid for too (WF-UNIT.3, WF-UNIT.4, WF-WPN.2): each such unit card with the same chance.
2. In its next turn a weapon for that unit, each weapon card that fits and can be paid for with the same chance. If
   none is left any more, the unit stays unarmed, and a unit is bought at once instead.
3. With as many units as it may have (WF-BUILD.1), or when nothing of the kind can be had, it has done for good, and
   the points that are left are lost (WF-Q24).

So each unit has one weapon. Chance follows from the key of a battle: the nth turn of a seat looks at the word
`purchase first` or `purchase second` in place n, and cards stand in the order of their ids. What is bought hangs on
seats, not on sides: whoever goes first in the same battle buys the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.choices import nth_true
from balance.chance.rolls.keyed_rolls import Keys, base_words, below, key_of, words
from balance.games.warforged.battle.luck import PURCHASES, SEATS

NO_MEMBER = -1
NEVER = 1 << 30
"""What a weapon costs that is sold out, or that a unit may not carry."""
MemberNumbers: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Purse:
    """What an army that is drawn may cost, in war points, and how many units it may have."""

    points: int
    limit: int


@dataclass(frozen=True, eq=False)
class Market:
    """What is for sale: u units and w weapons, each in the order of their ids.

    Attributes
    ----------
    unit_costs, weapon_costs, units, weapons
        `int64[u]` and `int64[w]`: war points, and how many cards of each there are.
    fits
        `bool[u, w]`: whether a unit may carry a weapon.
    members
        `int16[S, u, w + 1]`: by side, the number of the member that is a unit with a weapon, the last without one;
        -1 for what is never bought.
    """

    unit_costs: IntArray
    weapon_costs: IntArray
    units: IntArray
    weapons: IntArray
    fits: BoolArray
    members: IntArray

    def min_costs(self, weapons: IntArray) -> IntArray:
        """Return what each unit costs with its cheapest weapon of those left, `int[w, ...]`: `int64[u, ...]`."""
        costs = self.weapon_costs.reshape(-1, *[1] * (weapons.ndim - 1))
        offers = np.where(weapons > 0, costs, NEVER)
        return np.stack(
            [
                unit_cost + offers[fits].min(axis=0, initial=NEVER)
                for unit_cost, fits in zip(self.unit_costs, self.fits, strict=True)
            ]
        )

    @property
    def cheapest(self) -> int:
        """The least that a unit with a weapon costs; `NEVER` or more if there is none."""
        return int(self.min_costs(self.weapons)[self.units > 0].min(initial=NEVER))


@dataclass(frozen=True, eq=False)
class Draft:
    """Armies that meet, of which at least one is drawn: of each side numbers of members, or what to buy with."""

    market: Market
    armies: tuple[MemberNumbers | Purse, ...]

    def __call__(self, keys: Keys, first: int, order: tuple[int, ...] = ()) -> tuple[IntArray, ...]:
        """Return the armies of battles, `int16[n, k]` each: numbers of members, rising, and then -1 for nobody.

        `keys` are the luck of each battle, `uint64[n]`; the side that goes `first` buys last (WF-Q20), and of
        more than two in an `order` of play each before those ahead of it.
        """
        luck = base_words(key_of(keys, PURCHASES), np.zeros(len(keys), np.int64))
        buyers = {side: purse for side, purse in enumerate(self.armies) if isinstance(purse, Purse)}
        seats = dict(reversed(list(zip(SEATS, order or (first, 1 - first), strict=False))))
        purchases = _purchases(
            self.market, {seat: (side, buyers[side]) for seat, side in seats.items() if side in buyers}, luck
        )
        return tuple(
            purchases[side]
            if isinstance(army, Purse)
            else np.broadcast_to(np.array(army, np.int16), (len(keys), len(army)))
            for side, army in enumerate(self.armies)
        )


def _purchases(market: Market, buyers: Mapping[str, tuple[int, Purse]], luck: Keys) -> dict[int, IntArray]:
    """Return what is bought: side -> numbers of its members, `int16[n, k]`; buyers by seat, who begins first."""
    stock = _Stock(market, len(luck))
    carts = {seat: _Cart(stock, side, purse) for seat, (side, purse) in buyers.items()}
    turn = 0
    while any(cart.is_buying.any() for cart in carts.values()):
        for seat, cart in carts.items():
            cart.take_turn(words(luck, f"purchase {seat}", turn))
        turn += 1
    return {cart.side: cart.army for cart in carts.values()}


class _Stock:
    """The cards that are left: `units` int16[u, n] and `weapons` int16[w, n]."""

    def __init__(self, market: Market, n: int) -> None:
        self.market, self.n = market, n
        self.units, self.weapons = (
            np.repeat(cards.astype(np.int16)[:, None], n, axis=1) for cards in (market.units, market.weapons)
        )


class _Cart:
    """What one side has bought in each of n battles, and what it has left.

    `is_buying` and `is_waiting`: `bool[n]`: whether it buys on, and whether its last unit still waits for a weapon.
    `money` and `sizes`: `int64[n]`: points left, and units bought. `unit` and `weapon`: `int16[n, k]`: places in the
    market of what was bought, unit by unit; the last of weapons is none.
    """

    def __init__(self, stock: _Stock, side: int, purse: Purse) -> None:
        self.stock, self.side, self.limit = stock, side, purse.limit
        self.is_buying, self.is_waiting = np.ones(stock.n, bool), np.zeros(stock.n, bool)
        self.money, self.sizes = np.full(stock.n, purse.points, np.int64), np.zeros(stock.n, np.int64)
        self.unit = np.full((stock.n, purse.limit), NO_MEMBER, np.int16)
        self.weapon = np.full((stock.n, purse.limit), len(stock.market.weapons), np.int16)

    @property
    def army(self) -> IntArray:
        """Numbers of the members bought, rising, then -1, `int16[n, k]`."""
        numbers = self.stock.market.members[self.side][self.unit, self.weapon]
        last_place = np.iinfo(np.int16).max
        numbers = np.sort(np.where(self.unit == NO_MEMBER, last_place, numbers), axis=1)
        return np.where(numbers == last_place, NO_MEMBER, numbers).astype(np.int16)

    def take_turn(self, word: Keys) -> None:
        """Buy one card in each battle in which there is one to buy, by its word of luck, `uint64[n]`."""
        rows = np.flatnonzero(self.is_waiting)
        armed = np.zeros(len(self.is_waiting), bool)
        armed[rows[self._arm(rows, word[rows])]] = True
        self.is_waiting[rows] = False
        rows = np.flatnonzero(self.is_buying & ~armed)
        self.is_buying[rows] = self._hire(rows, word[rows])

    def _arm(self, rows: IntArray, word: Keys) -> BoolArray:
        """Buy a weapon for the last unit in these battles, and return where there was one, `bool[r]`."""
        market, stock = self.stock.market, self.stock.weapons
        last = self.sizes[rows] - 1
        fits = market.fits[self.unit[rows, last]] & (stock[:, rows].T > 0)
        fits &= market.weapon_costs <= self.money[rows, None]
        card, is_bought = _choice(fits, word)
        rows, last = rows[is_bought], last[is_bought]
        self.weapon[rows, last] = card
        self.money[rows] -= market.weapon_costs[card]
        stock[card, rows] -= 1
        return is_bought

    def _hire(self, rows: IntArray, word: Keys) -> BoolArray:
        """Buy a unit in these battles, and return where there was one to be had, `bool[r]`."""
        market, stock = self.stock.market, self.stock.units
        fits = (market.min_costs(self.stock.weapons[:, rows]) <= self.money[rows]) & (stock[:, rows] > 0)
        fits &= self.sizes[rows] < self.limit
        card, is_bought = _choice(fits.T, word)
        rows = rows[is_bought]
        self.unit[rows, self.sizes[rows]] = card
        self.sizes[rows] += 1
        self.money[rows] -= market.unit_costs[card]
        stock[card, rows] -= 1
        self.is_waiting[rows] = True
        return is_bought


def _choice(fits: BoolArray, word: Keys) -> tuple[IntArray, BoolArray]:
    """Return an equally likely card of those that fit, in rows where any does, and which rows these are, `bool[r]`."""
    n_fit = fits.sum(axis=1)
    fits_any = n_fit > 0
    return nth_true(fits[fits_any], below(word[fits_any], n_fit[fits_any])), fits_any
