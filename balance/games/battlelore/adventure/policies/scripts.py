"""Scripts: ways of playing that weigh what the rules list, by parameters that say what they care about.

Command cards are worth what the best units are that each would let a side order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from typing import TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.policies.lore_play import weigh_lore
from balance.games.battlelore.adventure.policies.reckoning import BANNER
from balance.games.battlelore.adventure.policies.view import (
    View,
    attack_worth,
    friends_beside,
    nearest_enemy,
    own_units,
    prospects,
    threats,
)
from balance.games.battlelore.adventure.terms.battle import Battle
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

SUPPORTERS = 2
"""Friends beside a unit that support it, as scripts see it."""
FULL = 4
"""Figures of a unit on foot at full strength."""
GROUPS_BEFORE_GREEN, ANY = 1, 9
"""Groups of units that a card may order: three sections, one for each effect from GREEN to DARKEN, and all units.

What is added to the number of such an effect to get its group, and the group of all.
"""
A_DIE, A_LOOK = 200, 60
"""What one more die for a unit is worth, and one more card to look at."""


Parameter: TypeAlias = int | IntArray
"""One for all trials that decide, or one for each, `int64[m]`."""


@dataclass(frozen=True)
class Script:
    """A way of playing; weights count in parts of a banner, of which one has 1,024.

    * `advance`: worth of a hex nearer to the enemy.
    * `support`: worth of ending a move beside two friends.
    * `caution`: cost per enemy that could attack the hex where a unit of four figures ends its move; more for a weaker
      one.
    * `kill`: worth of a target for each figure fewer than four that it has left.
    * `gains_ground`: whether its units follow up into hexes that they have emptied.
    * `by_section`: whether it prefers cards for the section where it outnumbers the enemy.
    """

    advance: Parameter = 12
    support: Parameter = 24
    caution: Parameter = 0
    kill: Parameter = 0
    gains_ground: Parameter = True
    by_section: Parameter = False

    def weigh(self, battle: Battle, state: State, choice: Choice) -> IntArray:
        """Return the weight of each option, `int64[p]`, by the name of the decision."""
        weigh = getattr(self, f"_weigh_{choice.name}", None)
        if weigh is None:
            return weigh_lore(battle, state, choice)
        return np.asarray(weigh(View(battle, state, choice.side, choice.rows), choice), np.int64)

    def unit_worth(self, view: View, row: IntArray, unit: IntArray, apart: IntArray) -> IntArray:
        """Return the worth of ordering own units, `int64[p]`; for the arguments see `prospects`."""
        nearer = _of(self.advance, row) * np.maximum(20 - nearest_enemy(apart), 0)
        return np.asarray(prospects(view, row, unit, apart) * 4 + nearer + 1)

    def _weigh_card(self, view: View, choice: Choice) -> IntArray:
        worth = self.unit_worth(view, *view.slots, view.all_apart).reshape(view.cells.shape)
        return card_worth(view, worth, choice, self.by_section)

    def _weigh_order(self, view: View, choice: Choice) -> IntArray:
        row, unit = choice.row, choice.about["unit"]
        return np.where(unit < 0, 0, self.unit_worth(view, row, unit, view.apart(row, view.cells[row, unit])))

    def _weigh_mover(self, view: View, choice: Choice) -> IntArray:
        return -nearest_enemy(view.apart(choice.row, view.cells[choice.row, choice.about["unit"]]))

    def _weigh_move(self, view: View, choice: Choice) -> IntArray:
        row, unit, cell = choice.row, choice.about["unit"], choice.about["cell"]
        apart = view.apart(row, cell)
        worth = attack_worth(view, row, unit, cell, apart, choice.about["may_battle"])
        distance = nearest_enemy(apart)
        if np.any(self.support):
            worth += _of(self.support, row) * (friends_beside(view, row, unit, cell) >= SUPPORTERS)
        ranged = view.battle.muster.ranged.take(view.kinds.take(view.place(row, unit)))
        far_enough = np.maximum(distance - np.where(ranged, 2, 1), 0)
        worth -= _of(self.advance, row) * far_enough
        if np.any(self.caution):
            worth -= (
                _of(self.caution, row)
                * threats(view, row, apart)
                * FULL
                // np.maximum(view.figures.take(view.place(row, unit)), 1)
            )
        worth -= 40 * (ranged & (distance == 1))
        return worth + _cover(view, row, cell)

    def _weigh_battle(self, view: View, choice: Choice) -> IntArray:
        row, unit, target = choice.row, choice.about["unit"], choice.about["target"]
        worth = np.zeros(len(row), np.int64)
        real = np.flatnonzero(target >= 0)
        worth[real] = 1 + self.worth_of(view, row[real], unit[real], target[real])
        return worth

    def worth_of(self, view: View, row: IntArray, unit: IntArray, target: IntArray) -> IntArray:
        """Return the worth of attacks of units on enemies from where they stand, `int64[p]`."""
        battle, trial = view.battle, view.rows[row]
        place, foe_place = view.place(row, unit), view.place(row, target)
        at, foe_at = view.cells.take(place), view.foe_cells.take(foe_place)
        kind, foe_kind = view.kinds.take(place), view.foe_kinds.take(foe_place)
        melee = battle.field.distances[at + 1, foe_at + 1] == 1
        moved = view.state["moved"][trial, unit].astype(np.int64)
        ground, foe_ground = (view.ground_at(row, cells) for cells in (at, foe_at))
        bonus = view.state["bonus"][trial, unit] + view.state["melee_bonus"][trial, unit] * melee
        dice = np.minimum(battle.muster.dice[kind, moved], battle.field.caps[ground, foe_ground]) + bonus
        figures = view.foe_figures.take(foe_place)
        worth = view.reckoning.attack((kind, foe_kind), dice, melee, figures)
        return worth + _of(self.kill, row) * (4 - figures)

    def _weigh_ignore(self, view: View, choice: Choice) -> IntArray:
        return choice.about["count"]

    def _weigh_retreat(self, view: View, choice: Choice) -> IntArray:
        rear = view.battle.field.rear[choice.side].take(choice.about["cell"] + 1, axis=0).astype(np.int64)
        free = view.battle.occupant_at(view.state, choice.trial[:, None], rear) == 0
        return np.asarray((free & (rear >= 0)).sum(axis=1)) * 4 + _cover(view, choice.row, choice.about["cell"])

    def _weigh_back(self, view: View, choice: Choice) -> IntArray:
        return choice.about["yes"]

    def _weigh_gain(self, view: View, choice: Choice) -> IntArray:
        return choice.about["yes"] * (2 * _of(self.gains_ground, choice.row) - 1)

    def _weigh_pursuit(self, view: View, choice: Choice) -> IntArray:
        return attack_worth(view, choice.row, choice.about["unit"], choice.about["cell"])

    _weigh_bonus = _weigh_battle

    def _weigh_keep(self, view: View, choice: Choice) -> IntArray:
        return static_worth(view.battle.deck).take(choice.about["card"])

    def _weigh_power(self, view: View, choice: Choice) -> IntArray:
        return choice.about["power"]


def _cover(view: View, row: IntArray, cell: IntArray) -> IntArray:
    """Return the worth of the terrain of cells to whoever stands there, by the dice that it takes from attackers."""
    return 10 * view.battle.field.cover.take(view.ground_at(row, cell))


SCRIPTS = {
    "greedy": Script(),
    "rush": Script(advance=60, support=0),
    "hold": Script(advance=0, gains_ground=False),
    "flank": Script(by_section=True),
    "focus": Script(kill=BANNER // 8),
    "careful": Script(advance=16, caution=8, kill=BANNER // 8),
}
"""Name of a policy -> the script."""


def _of(parameter: Parameter, row: IntArray) -> Parameter:
    """Return the parameter of each option from the place of its trial, `int64[p]`, or the one of all."""
    return parameter.take(row) if isinstance(parameter, np.ndarray) else parameter


class ScriptOfTrial:
    """Plays each trial by the script whose number among `SCRIPTS` the column `way` has for the side, `int8[n, 2]`."""

    def weigh(self, battle: Battle, state: State, choice: Choice) -> IntArray:
        """Return the weight of each option, `int64[p]`."""
        way = state["way"][choice.rows, choice.side]
        return Script(**{name: values.take(way) for name, values in _columns().items()}).weigh(battle, state, choice)


BY_WAY = ScriptOfTrial()


@cache
def _columns() -> Mapping[str, IntArray]:
    """Return the parameters of all scripts by name, `int64[s]`."""
    return {each.name: np.array([getattr(s, each.name) for s in SCRIPTS.values()], np.int64) for each in fields(Script)}


def card_worth(view: View, unit_worth: IntArray, choice: Choice, by_section: Parameter) -> IntArray:
    """Return the worth of playing cards, `int64[p]`: that of the best units that each lets a side order.

    `unit_worth`, `int64[m, K]`, is the worth of ordering each unit, and `choice` has the options as `card`.
    `by_section` favours sections where the side outnumbers the enemy.
    """
    row, groups = choice.row, _groups(view)
    if np.any(by_section):
        unit_worth = unit_worth + _superiority(view) * np.reshape(by_section, (-1, 1))
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
    """Return the summed worth of the best 0, 1, 2, ... units of each group, `int32[m, 10, K + 1]`."""
    worths = np.where(groups, -unit_worth.astype(np.int32)[:, None, :], np.int32(0))
    worths.sort(axis=2)
    sums = np.zeros((*worths.shape[:2], worths.shape[2] + 1), np.int32)
    np.cumsum(-worths, axis=2, dtype=np.int32, out=sums[:, :, 1:])
    return sums


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
