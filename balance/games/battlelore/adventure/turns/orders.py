"""Orders: which units a command card lets act (BL-CMD-02 to BL-CMD-11, BL-CMD-14, BL-CMD-15).

What a card orders is a number of orders of each of m sorts, and each unit can take some sorts: sections for most
cards, colours for BattleLore, one sort for the others. Sorts are bits, so a unit is a set of sorts, and a set of units
can be ordered if for every set S of sorts no more of them take sorts of S alone than there are orders of S (Hall's
theorem). `room` is what is left of each S, and a unit fits if every S that holds all its sorts has room for one more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import OFF_BOARD
from balance.game.kit.board.options import places_of
from balance.games.battlelore.adventure.combat.legal import enemies_beside
from balance.games.battlelore.adventure.combat.throws import Throws
from balance.games.battlelore.adventure.lore.hands import take_tokens
from balance.games.battlelore.adventure.terms.deck import (
    BATTLELORE,
    BY_SECTION,
    CHARGE,
    COMMAND,
    DARKEN,
    GREEN,
    LEADERSHIP,
    ONSLAUGHT,
    RED,
)
from balance.games.battlelore.adventure.terms.turn import Turn
from balance.games.battlelore.rules.dice import LORE, throw

N_SORTS = 4
"""Sorts of orders: three sections or colours, and one that any unit of the card may take."""
N_SETS = 1 << N_SORTS
ANYWHERE = 8
"""The bit of the sort that is bound to no section or colour."""
PAID_PLACE, NONE_PLACE = 1000, 2000
"""What is added to the place of a unit that costs tokens, and the place of ordering no more."""
_BITS = (2,) * N_SORTS
_HOLDS = np.array([[sorts & ~s == 0 for s in range(N_SETS)] for sorts in range(N_SETS)])
"""Whether all sorts of a unit, by rows, lie in S, by columns; `bool[16, 16]`."""


@dataclass(frozen=True, eq=False)
class Orders:
    """What may still be ordered in m trials.

    `sorts`: the sorts of orders that each unit of the side may take, as bits, 0 for a unit that the card cannot order,
    `uint8[m, K]`. `cost`: tokens that it costs to order it, `int8[m, K]`. `room`: orders left for each set of sorts,
    `int16[m, 16]`. `in_group`: where the units must form one group (`foot_onslaught`), `bool[m]`.
    """

    rows: IntArray
    sorts: IntArray
    cost: IntArray
    room: IntArray
    in_group: BoolArray

    def fitting(self, at: IntArray, chosen: BoolArray) -> BoolArray:
        """Return which units can still be ordered in the trials at places `at`, tokens aside, `bool[a, K]`.

        `chosen` are the units that are ordered already in all m trials, `bool[m, K]`.
        """
        least, sorts = np.array(self.room[at].T, order="C").reshape(*_BITS, -1), self.sorts[at]
        for bit in range(N_SORTS):
            without, with_bit = (_halves(least, bit, half) for half in (0, 1))
            np.minimum(without, with_bit, out=without)
        has_room = least.take(sorts * np.int64(len(at)) + np.arange(len(at))[:, None]) > 0
        return np.asarray((sorts > 0) & has_room & ~chosen[at])

    def need_of(self, at: IntArray, units: BoolArray) -> IntArray:
        """Return how many of `units`, `bool[a, K]`, take sorts of each set alone, `int16[a, 16]`.

        `at` are the places of the trials in `rows`, `int64[a]`.
        """
        row, unit = places_of(units)
        place = self.sorts[at[row], unit] * np.int64(len(units)) + row
        need = np.bincount(place, minlength=len(units) * N_SETS).astype(np.int16).reshape(*_BITS, len(units))
        for bit in range(N_SORTS):
            without, with_bit = (_halves(need, bit, half) for half in (0, 1))
            with_bit += without
        return need.reshape(N_SETS, -1).T

    def take(self, at: IntArray, unit: IntArray) -> None:
        """Use up the orders of one unit, by slot, in each of the trials at places `at`, each once."""
        self.room[at] -= _HOLDS[self.sorts[at, unit]].astype(np.int16)


def _halves(sets: IntArray, bit: int, half: int) -> IntArray:
    """Return a view of the sets, `[2, 2, 2, 2, m]`, without (0) or with (1) a sort; axis 3 is the lowest bit."""
    index: list[slice | int] = [slice(None)] * N_SORTS
    index[N_SORTS - 1 - bit] = half
    return sets[tuple(index)]


def give_orders(turn: Turn, rows: IntArray, command: IntArray) -> None:
    """Have a side order units by the card it plays; writes `ordered` and what the card gives into the state.

    `command` is the number of command cards that the side holds with that one, `int64[m]`.
    """
    orders = _orders(turn, rows, command)
    chosen = np.zeros(orders.sorts.shape, bool)
    at: IntArray = np.arange(len(rows))
    _all_that_fit(orders, chosen, at)
    while len(at):
        _fill(turn, orders, chosen, at)
        at = _pay_for_more(turn, orders, chosen, at) if turn.battle.lore else at[:0]
    turn.state["ordered"][rows] = chosen
    _gifts(turn, rows, chosen)
    turn.report("order", turn.side, rows, unit=chosen)


# -- what a card may order ---------------------------------------------------------------------------------------------


def _orders(turn: Turn, rows: IntArray, command: IntArray) -> Orders:
    """Return the orders that cards give, with the units that may take them."""
    state, side, deck = turn.state, turn.side, turn.battle.deck
    card = state["card"][rows]
    effect = deck.effect.take(card)
    n_orders = np.concatenate([deck.orders[card], deck.anywhere[card][:, None]], axis=1).astype(np.int16)
    n_orders = np.where(n_orders == COMMAND, command[:, None], n_orders).astype(np.int16)
    sorts = _sorts(turn, rows, effect)
    if len(at := np.flatnonzero(effect == BATTLELORE)):
        n_orders[at] = _called_up(turn, rows[at], command[at])
    sorts = sorts * (state["cell"][rows, side] != OFF_BOARD)
    cost: IntArray = np.zeros(sorts.shape, np.int8)
    if turn.battle.lore:
        sorts, cost = _priced(turn, rows, effect, sorts)
    room = n_orders @ np.array([[s >> sort & 1 for s in range(N_SETS)] for sort in range(N_SORTS)], np.int16)
    return Orders(rows, sorts, cost, room, effect == ONSLAUGHT)


def _sorts(turn: Turn, rows: IntArray, effect: IntArray) -> IntArray:
    """Return the sorts of orders that units may take by the effects of cards, on the board or not, `uint8[m, K]`."""
    state, side, muster = turn.state, turn.side, turn.battle.muster
    kinds, cells = state["kind"][rows, side], state["cell"][rows, side]
    sections = turn.battle.field.section[side].take(cells + 1)
    sorts = np.where((effect < BY_SECTION)[:, None], sections, ANYWHERE).astype(np.uint8)
    if len(at := np.flatnonzero((effect >= GREEN) & (effect <= RED))):
        sorts[at] *= muster.colour.take(kinds[at]) == (effect[at] - GREEN)[:, None]
    for number, is_able in ((CHARGE, muster.mounted), (ONSLAUGHT, muster.foot)):
        if len(at := np.flatnonzero(effect == number)):
            sorts[at] *= is_able.take(kinds[at])
    if len(at := np.flatnonzero(effect == DARKEN)):
        sorts[at] *= muster.ranged.take(kinds[at]) & ~enemies_beside(turn.battle, state, side, rows[at]).any(axis=2)
    if len(at := np.flatnonzero(effect == BATTLELORE)):
        sorts[at] = np.left_shift(1, muster.colour.take(kinds[at])).astype(np.uint8) | ANYWHERE
    return sorts


def _called_up(turn: Turn, rows: IntArray, command: IntArray) -> IntArray:
    """Throw one die per command (BattleLore): each helmet calls a unit of its colour, each sword any; `int16[m, 4]`."""
    counts = throw(turn.battle.terms.constants.die.faces, command, Throws(turn, turn.side, rows), "battlelore")
    if turn.battle.lore:
        take_tokens(turn, rows, turn.side, counts[:, LORE], "faces")
    return counts[:, :N_SORTS].astype(np.int16)


def _priced(turn: Turn, rows: IntArray, effect: IntArray, sorts: IntArray) -> tuple[IntArray, IntArray]:
    """Return sorts and tokens where creatures may be ordered out of section, and webbed units freed."""
    state, side, lore = turn.state, turn.side, turn.battle.terms.constants.lore
    creature = turn.battle.muster.creature.take(state["kind"][rows, side]) & (state["cell"][rows, side] != OFF_BOARD)
    allowed = np.zeros((len(rows), 1), np.uint8)
    n_orders = turn.battle.deck.orders[state["card"][rows]]
    allowed[:, 0] = ((n_orders != 0) * np.array([1, 2, 4])).sum(axis=1)
    is_outside = creature & (effect < BY_SECTION)[:, None] & ((sorts & allowed) == 0)
    sorts = np.where(is_outside, allowed, sorts).astype(np.uint8)
    cost = is_outside * lore.out_of_section + state["webbed"][rows, side] * lore.free_from_web
    return sorts, cost.astype(np.int8)


# -- choosing ----------------------------------------------------------------------------------------------------------


def _fitting(turn: Turn, orders: Orders, chosen: BoolArray, at: IntArray) -> BoolArray:
    """Return which units may still be ordered in some trials, tokens aside, `bool[a, K]`; groups stay connected."""
    fits = orders.fitting(at, chosen)
    if len(near := np.flatnonzero(orders.in_group[at] & chosen[at].any(axis=1))):
        group = at[near]
        cells = turn.state["cell"][orders.rows[group], turn.side].astype(np.int64)
        touches = turn.battle.field.distances[cells[:, :, None] + 1, cells[:, None, :] + 1] == 1
        fits[near] &= (touches & chosen[group][:, None, :]).any(axis=2)
    return fits


def _all_that_fit(orders: Orders, chosen: BoolArray, at: IntArray) -> None:
    """Order at once all units that cost nothing where the orders suffice for all; updates `chosen` and the room."""
    candidates = orders.fitting(at, chosen) & (orders.cost[at] == 0)
    need = orders.need_of(at, candidates)
    fits = np.flatnonzero((need <= orders.room[at]).all(axis=1) & ~orders.in_group[at])
    chosen[at[fits]] |= candidates[fits]
    orders.room[at[fits]] -= need[fits]


def _fill(turn: Turn, orders: Orders, chosen: BoolArray, at: IntArray) -> None:
    """Order units that cost nothing one after another, chosen by the side, while there is room."""
    while len(at):
        free = _fitting(turn, orders, chosen, at) & (orders.cost[at] == 0)
        able = free.any(axis=1)
        at, (row, unit) = at[able], places_of(free[able])
        if len(at):
            best = unit[_choose_unit(turn, orders.rows[at], row, unit)]
            chosen[at, best] = True
            orders.take(at, best)
            _all_that_fit(orders, chosen, at)


def _choose_unit(turn: Turn, rows: IntArray, row: IntArray, unit: IntArray) -> IntArray:
    place = turn.battle.place_of(turn.side, turn.state["cell"][rows[row], turn.side, unit])
    return turn.choose("order", turn.side, rows, row, place, unit=unit)


def _pay_for_more(turn: Turn, orders: Orders, chosen: BoolArray, at: IntArray) -> IntArray:
    """Let a side order one more unit for tokens, and return the places where it does (BL-CMD-15, BL-CRE-16)."""
    state, side = turn.state, turn.side
    tokens = state["tokens"][orders.rows[at], side]
    fits = _fitting(turn, orders, chosen, at) & (orders.cost[at] > 0) & (orders.cost[at] <= tokens[:, None])
    at, fits = at[fits.any(axis=1)], fits[fits.any(axis=1)]
    if not len(at):
        return at
    row, unit = places_of(np.concatenate([fits, np.ones((len(at), 1), bool)], axis=1))
    unit = np.where(unit == chosen.shape[1], -1, unit)
    cells = state["cell"][orders.rows[at][row], side, unit]
    place = np.where(unit < 0, NONE_PLACE, turn.battle.place_of(side, cells) + PAID_PLACE)
    unit = unit[turn.choose("order", side, orders.rows[at], row, place, unit=unit)]
    at, unit = at[unit >= 0], unit[unit >= 0]
    _pay(turn, orders, chosen, at, unit)
    return at


def _pay(turn: Turn, orders: Orders, chosen: BoolArray, at: IntArray, unit: IntArray) -> None:
    """Order units for tokens, which go back to the pool; a webbed one is freed."""
    state, rows = turn.state, orders.rows[at]
    cost = orders.cost[at, unit].astype(np.int16)
    state["tokens"][rows, turn.side] -= cost
    state["pool"][rows] += cost
    state["freed"][rows, unit] = state["webbed"][rows, turn.side, unit]
    state["webbed"][rows, turn.side, unit] = False
    chosen[at, unit] = True
    orders.take(at, unit)
    turn.report("paid", turn.side, rows, unit=unit, price=cost, freed=state["freed"][rows, unit])


def _gifts(turn: Turn, rows: IntArray, chosen: BoolArray) -> None:
    """Write what a card gives to the units it orders: one more die, or a second attack."""
    state = turn.state
    effect = turn.battle.deck.effect.take(state["card"][rows])[:, None]
    state["bonus"][rows] = chosen & ((effect == LEADERSHIP) | (effect == BATTLELORE))
    state["melee_bonus"][rows] = chosen & (effect == CHARGE)
    state["battles"][rows] = 1 + (chosen & (effect == DARKEN))
