"""Scripts: ways of playing that weigh what the rules list, by parameters that say what they care about."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.policies.card_worth import card_worth, static_worth
from balance.games.battlelore.adventure.policies.lore_play import weigh_lore
from balance.games.battlelore.adventure.policies.reckoning import BANNER
from balance.games.battlelore.adventure.policies.view import (
    View,
    attack_worth,
    friends_beside,
    nearest_enemy,
    prospects,
    threats,
)
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.terms.choices import Choice

SUPPORTERS = 2
"""Friends beside a unit that support it, as scripts see it."""
FULL = 4
"""Figures of a unit on foot at full strength."""


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

    advance: int = 12
    support: int = 24
    caution: int = 0
    kill: int = 0
    gains_ground: bool = True
    by_section: bool = False

    def weigh(self, battle: Battle, state: State, choice: Choice) -> IntArray:
        """Return the weight of each option, `int64[p]`, by the name of the decision."""
        weigh = _WEIGHTS.get(choice.name)
        if weigh is None:
            return weigh_lore(battle, state, choice)
        return np.asarray(weigh(self, View(battle, state, choice.side, choice.rows), choice), np.int64)

    def unit_worth(self, view: View, row: IntArray, unit: IntArray, apart: IntArray) -> IntArray:
        """Return the worth of ordering own units, `int64[p]`; for the arguments see `prospects`."""
        nearer = self.advance * np.maximum(20 - nearest_enemy(apart), 0)
        return np.asarray(prospects(view, row, unit, apart) * 4 + nearer + 1)

    def _card(self, view: View, choice: Choice) -> IntArray:
        worth = self.unit_worth(view, *view.slots, view.all_apart).reshape(view.cells.shape)
        return card_worth(view, worth, choice, by_section=self.by_section)

    def _order(self, view: View, choice: Choice) -> IntArray:
        row, unit = choice.row, choice.about["unit"]
        return np.where(unit < 0, 0, self.unit_worth(view, row, unit, view.apart(row, view.cells[row, unit])))

    def _mover(self, view: View, choice: Choice) -> IntArray:
        return -nearest_enemy(view.apart(choice.row, view.cells[choice.row, choice.about["unit"]]))

    def _move(self, view: View, choice: Choice) -> IntArray:
        row, unit, cell = choice.row, choice.about["unit"], choice.about["cell"]
        apart = view.apart(row, cell)
        worth = attack_worth(view, row, unit, cell, apart) * choice.about["may_battle"]
        distance = nearest_enemy(apart)
        if self.support:
            worth += self.support * (friends_beside(view, row, unit, cell) >= SUPPORTERS)
        ranged = view.battle.muster.ranged.take(view.kinds[row, unit])
        far_enough = np.maximum(distance - np.where(ranged, 2, 1), 0)
        worth -= self.advance * far_enough
        if self.caution:
            worth -= self.caution * threats(view, row, apart) * FULL // np.maximum(view.figures[row, unit], 1)
        worth -= 40 * (ranged & (distance == 1))
        return worth + _cover(view, row, cell)

    def _battle(self, view: View, choice: Choice) -> IntArray:
        row, unit, target = choice.row, choice.about["unit"], choice.about["target"]
        worth = np.zeros(len(row), np.int64)
        real = np.flatnonzero(target >= 0)
        worth[real] = 1 + self.worth_of(view, row[real], unit[real], target[real])
        return worth

    def worth_of(self, view: View, row: IntArray, unit: IntArray, target: IntArray) -> IntArray:
        """Return the worth of attacks of units on enemies from where they stand, `int64[p]`."""
        battle, trial = view.battle, view.rows[row]
        at, foe_at = view.cells[row, unit], view.foe_cells[row, target]
        kind, foe_kind = view.kinds[row, unit], view.foe_kinds[row, target]
        melee = battle.field.distances[at + 1, foe_at + 1] == 1
        moved = view.state["moved"][trial, unit].astype(np.int64)
        ground, foe_ground = (battle.ground_at(view.state, trial, cells) for cells in (at, foe_at))
        bonus = view.state["bonus"][trial, unit] + view.state["melee_bonus"][trial, unit] * melee
        dice = np.minimum(battle.muster.dice[kind, moved], battle.field.caps[ground, foe_ground]) + bonus
        figures = view.foe_figures[row, target]
        worth = view.reckoning.attack((kind, foe_kind), dice, melee.astype(np.int64), figures)
        return worth + self.kill * (4 - figures)

    def _ignore(self, view: View, choice: Choice) -> IntArray:
        return choice.about["count"]

    def _retreat(self, view: View, choice: Choice) -> IntArray:
        rear = view.battle.field.rear[choice.side].take(choice.about["cell"] + 1, axis=0).astype(np.int64)
        free = view.battle.occupant_at(view.state, choice.trial[:, None], rear) == 0
        return np.asarray((free & (rear >= 0)).sum(axis=1)) * 4 + _cover(view, choice.row, choice.about["cell"])

    def _yes(self, view: View, choice: Choice) -> IntArray:
        return choice.about["yes"]

    def _gain(self, view: View, choice: Choice) -> IntArray:
        return choice.about["yes"] if self.gains_ground else -choice.about["yes"]

    def _pursuit(self, view: View, choice: Choice) -> IntArray:
        return attack_worth(view, choice.row, choice.about["unit"], choice.about["cell"])

    def _bonus(self, view: View, choice: Choice) -> IntArray:
        return self._battle(view, choice)

    def _keep(self, view: View, choice: Choice) -> IntArray:
        return static_worth(view.battle.deck).take(choice.about["card"])

    def _power(self, view: View, choice: Choice) -> IntArray:
        return choice.about["power"]


_WEIGHTS = {
    "card": Script._card,
    "order": Script._order,
    "mover": Script._mover,
    "move": Script._move,
    "battle": Script._battle,
    "ignore": Script._ignore,
    "retreat": Script._retreat,
    "gain": Script._gain,
    "pursuit": Script._pursuit,
    "bonus": Script._bonus,
    "back": Script._yes,
    "keep": Script._keep,
    "power": Script._power,
}
"""Name of a decision -> what weighs it."""


def _cover(view: View, row: IntArray, cell: IntArray) -> IntArray:
    """Return the worth of the terrain of cells to whoever stands there, by the dice that it takes from attackers."""
    limit = view.battle.field.caps.min(axis=0).astype(np.int64)
    covers = 10 * np.maximum(4 - limit, 0)
    return np.asarray(covers.take(view.battle.ground_at(view.state, view.rows[row], cell)))


SCRIPTS = {
    "greedy": Script(),
    "rush": Script(advance=60, support=0),
    "hold": Script(advance=0, gains_ground=False),
    "flank": Script(by_section=True),
    "focus": Script(kill=BANNER // 8),
    "careful": Script(advance=16, caution=8, kill=BANNER // 8),
}
"""Name of a policy -> the script."""
