"""What command cards are worth to a side: the best units that each would let it order."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.battlelore.adventure.policies.view import View, own_units
from balance.games.battlelore.adventure.terms.choices import Choice
from balance.games.battlelore.adventure.terms.deck import (
    BATTLELORE,
    BY_SECTION,
    CHARGE,
    COMMAND,
    COUNTER,
    DARKEN,
    GREEN,
    LEADERSHIP,
    SCOUT,
    CommandDeck,
)

GROUPS_BEFORE_GREEN, ANY = 1, 9
"""Groups of units that a card may order: three sections, one for each effect from GREEN to DARKEN, and all units.

What is added to the number of such an effect to get its group, and the group of all.
"""
A_DIE, A_LOOK = 200, 60
"""What one more die for a unit is worth, and one more card to look at."""


def card_worth(view: View, unit_worth: IntArray, choice: Choice, *, by_section: bool) -> IntArray:
    """Return the worth of playing cards, `int64[p]`: that of the best units that each lets a side order.

    `unit_worth`, `int64[m, K]`, is the worth of ordering each unit, and `choice` has the options as `card`.
    `by_section` favours sections where the side outnumbers the enemy.
    """
    row, groups = choice.row, _groups(view)
    if by_section:
        unit_worth = unit_worth + _superiority(view)
    effect, orders = _orders_of(view, row, choice.about["card"])
    sums = _best_sums(groups, unit_worth)
    orders = np.minimum(orders, sums.shape[2] - 1)
    sections_worth = sum(sums[row, section, orders[:, section]] for section in range(3))
    group = np.where((effect >= GREEN) & (effect <= DARKEN), effect + GROUPS_BEFORE_GREEN, ANY)
    worth = np.where(effect < BY_SECTION, sections_worth, sums[row, group, orders[:, 3]])
    n_ordered = np.minimum(orders[:, 3], groups.sum(axis=2)[row, group])
    worth += A_DIE * n_ordered * np.isin(effect, (CHARGE, LEADERSHIP, BATTLELORE))
    worth *= 1 + (effect == DARKEN)
    return np.asarray(worth + A_LOOK * (effect == SCOUT))


def _orders_of(view: View, row: IntArray, card: IntArray) -> tuple[IntArray, IntArray]:
    """Return effect, `int64[p]`, and orders left, centre, right and anywhere, `int64[p, 4]`, as cards would play.

    A Counter Attack is what it mirrors, and BattleLore is estimated to order two units for three dice.
    """
    deck, state = view.battle.deck, view.state
    last = state["last_card"][view.rows, 1 - view.side][row].astype(np.int64)
    card = np.where((deck.effect.take(card) == COUNTER) & (last >= 0), deck.mirror.take(last), card)
    effect, command = deck.effect.take(card), state["hand"][view.rows, view.side].sum(axis=1, dtype=np.int64)[row]
    orders = np.concatenate([deck.orders[card], deck.anywhere[card][:, None]], axis=1).astype(np.int64)
    orders = np.where(orders == COMMAND, command[:, None], orders)
    orders[:, 3] = np.where(effect == BATTLELORE, command * 2 // 3, orders[:, 3])
    return effect.astype(np.int64), orders


def _best_sums(groups: BoolArray, unit_worth: IntArray) -> IntArray:
    """Return the summed worth of the best 0, 1, 2, ... units of each group, `int64[m, 10, K + 1]`."""
    best = np.sort(np.where(groups, unit_worth[:, None, :], 0), axis=2)[:, :, ::-1].cumsum(axis=2)
    return np.concatenate([np.zeros((*best.shape[:2], 1), np.int64), best], axis=2)


def _groups(view: View) -> BoolArray:
    """Return which own units are in each group that cards order, `bool[m, 10, K]`.

    Groups are the three sections, three colours, mounted, foot, ranged units without enemy beside them, and all.
    """
    muster, kinds = view.battle.muster, view.kinds
    sections = view.battle.field.section[view.side].take(view.cells + 1)
    colour = muster.colour.take(kinds)
    ranged = muster.ranged.take(kinds) & (view.nearest > 1)
    parts = [sections & 1, sections & 2, sections & 4, colour == 0, colour == 1, colour == 2]
    parts += [muster.mounted.take(kinds), muster.foot.take(kinds), ranged, np.ones_like(ranged)]
    return np.stack([np.asarray(part, bool) for part in parts], axis=1) & own_units(view)[:, None, :]


def _superiority(view: View) -> IntArray:
    """Return an eighth of a banner per unit by which a side outnumbers the enemy in a unit's section, `int64[m, K]`."""
    field, side = view.battle.field, view.side
    own = field.section[side].take(view.cells + 1)
    foes = field.section[side].take(view.foe_cells + 1)
    total = np.zeros(own.shape, np.int64)
    for bit in (1, 2, 4):
        margin = ((own & bit) > 0).sum(axis=1) - ((foes & bit) > 0).sum(axis=1)
        total = np.maximum(total, np.where(own & bit, 128 * np.maximum(margin, 0)[:, None], 0))
    return total


@lru_cache(maxsize=16)
def static_worth(deck: CommandDeck) -> IntArray:
    """Return how many orders each card of a deck gives to a side with four command cards, at most 6, `int64[T]`."""
    orders = np.concatenate([deck.orders, deck.anywhere[:, None]], axis=1).astype(np.int64)[: deck.n_types]
    return np.asarray(np.minimum(np.where(orders == COMMAND, 4, orders), 6).sum(axis=1))
