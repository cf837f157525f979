"""The end of a Period: EOP1 to EOP5 (level B), and who has won (level C).

1. `defeat`: more damage than MP loses (WE-EOP.1).
2. `shed`: damage leaves with the pile (WE-EOP.2); then each side discards while its damage exceeds the lowest discard
   value of its front rank (WE-EOP.3), and may retire troops while its MP are low (WE-RETIRE.1).
3. `settle`: rout and shaken (WE-SHAKE), who has lost (WE-WIN.1), and the next Period (WE-WIN.2).

How often a side discards or retires depends on the trial; how many dice are thrown for it never does: one for each card
it can lose, whichever way that card goes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.core.process import State
from balance.core.rolls import Rolls
from balance.games.edadh.battle import LOST, Battle, begin_period
from balance.games.edadh.policies import LOSS_FACES, STAY
from balance.games.edadh.turn import Ints
from balance.games.edadh.view import SIDES, View

__all__ = ["defeat", "discard_from", "may_retire", "must_discard", "retire_from", "settle", "shed"]

Rows = npt.NDArray[np.intp]


def defeat(battle: Battle, state: State, rolls: Rolls) -> State:
    """EOP1: a side with more damage than MP has lost; if both have, it is a draw (WE-Q11)."""
    excess = [state[f"{side}_damage"] - state[f"{side}_mp"] for side in SIDES]
    beaten = [over > 0 for over in excess]
    if battle.rules.both_defeated == "smaller_excess":
        beaten = [
            mine & ~((foe > 0) & (own < foe)) for mine, own, foe in zip(beaten, excess, excess[::-1], strict=True)
        ]
    after = {
        **state,
        **{f"{side}_lost": flag * np.int16(LOST["damage"]) for side, flag in zip(SIDES, beaten, strict=True)},
    }
    if not battle.rules.eop1_pooled:
        after["over"] = (beaten[0] | beaten[1]).astype(np.int16)
    return after


def must_discard(battle: Battle, me: int, unit: Ints, damage: Ints) -> Ints:
    """Return whether a side must discard a card: its damage exceeds the lowest DV of its front rank (WE-EOP.3).

    Parameters
    ----------
    me
        0 for side a, 1 for side b.
    unit, damage
        Arrangement and damage, `int16[n]`.
    """
    return damage > battle.arena.forces[me].unit.lowest_dv.take(unit)


def discard_from(battle: Battle, me: int, unit: Ints, damage: Ints, column: Ints) -> tuple[Ints, Ints]:
    """Return (arrangement, damage) once the front card of a column has been discarded; damage not below 0 (WE-Q14)."""
    tables = battle.arena.forces[me].unit
    place = unit.astype(np.intp) * 4 + column
    return tables.behind.take(place), np.maximum(damage - tables.front_dv.take(place), 0)


def may_retire(battle: Battle, me: int, unit: Ints, mp: Ints, *, again: bool = False) -> Ints:
    """Return whether a side may retire a card, the first or one more (`again`) of this Period (WE-RETIRE.1)."""
    below = battle.constants.retirement.below_mp
    low = mp <= below if again and battle.rules.retire_at_30 == "until_above" else mp < below
    return low & (battle.arena.forces[me].unit.n_cards.take(unit) > 0)


def retire_from(battle: Battle, me: int, unit: Ints, mp: Ints, column: Ints) -> tuple[Ints, Ints]:
    """Return (arrangement, MP) once the front card of a column has been retired; MP not above the cap."""
    tables = battle.arena.forces[me].unit
    place = unit.astype(np.intp) * 4 + column
    return tables.behind.take(place), np.minimum(mp + tables.front_psy.take(place), battle.arena.read.mp_cap)


def shed(battle: Battle, state: State, rolls: Rolls) -> State:
    """EOP2 and EOP3 of both sides, at once or in turn (WE-Q15)."""
    relieved = {f"{side}_damage": np.maximum(state[f"{side}_damage"] - state[f"{side}_relief"], 0) for side in SIDES}
    start = {**state, **relieved}
    n_cards = [int(force.unit.n_cards[0]) for force in battle.arena.forces]
    luck = [rolls.d(LOSS_FACES, n, f"{side} loss") for side, n in zip(SIDES, n_cards, strict=True)]
    after = start
    for me in (1, 0) if battle.rules.eop3_order == "b_first" else (0, 1):
        seen = start if battle.rules.eop3_order == "simultaneous" else after
        after = {**after, **_Shedding.of(battle, me, seen, luck[me]).run()}
    return after


@dataclass
class _Shedding:
    """One side's EOP3 under way; its arrays are copies that change as cards leave, `lost` counts those that have."""

    battle: Battle
    me: int
    view: View
    columns: State
    lost: Ints
    luck: Ints

    @classmethod
    def of(cls, battle: Battle, me: int, state: State, luck: Ints) -> _Shedding:
        own = {f"{SIDES[me]}_{name}": state[f"{SIDES[me]}_{name}"].copy() for name in ("unit", "damage", "mp", "pile")}
        seen = {**state, **own}
        view = battle.view(me, seen, battle.level(state))
        return cls(battle, me, view, own, np.zeros(len(state["over"]), np.intp), luck)

    def get(self, name: str, rows: Rows) -> Ints:
        return self.columns[f"{SIDES[self.me]}_{name}"].take(rows)

    def put(self, rows: Rows, **values: Ints) -> None:
        for name, new in values.items():
            self.columns[f"{SIDES[self.me]}_{name}"][rows] = new

    def run(self) -> State:
        """Discard what must go; then ask about retiring, one card at a time."""
        everybody = np.arange(len(self.lost))
        self.discard(everybody)
        asked = everybody[may_retire(self.battle, self.me, self.get("unit", everybody), self.get("mp", everybody))]
        while len(asked):
            asked = self.retire(asked)
            if self.battle.rules.recheck_after_retire:
                self.discard(asked)
            able = may_retire(self.battle, self.me, self.get("unit", asked), self.get("mp", asked), again=True)
            asked = asked[able]
        return self.columns

    def discard(self, rows: Rows) -> None:
        """WE-EOP.3: one card at a time, until the damage is no more than the lowest discard value in front."""
        tables = self.battle.arena.forces[self.me].unit
        legal_from = tables.cheapest if self.battle.rules.discard_choice == "lowest_dv" else tables.fullest
        rows = rows[must_discard(self.battle, self.me, self.get("unit", rows), self.get("damage", rows))]
        while len(rows):
            unit = self.get("unit", rows)
            view = self.view.only(rows, legal=legal_from.take(unit))
            column = self.battle.policies[self.me].discard(view, self.luck[rows, self.lost[rows]])
            unit, damage = discard_from(self.battle, self.me, unit, self.get("damage", rows), column)
            self.left(rows, unit=unit, damage=damage)
            rows = rows[must_discard(self.battle, self.me, unit, damage)]

    def retire(self, rows: Rows) -> Rows:
        """Ask once about retiring; return the rows that did."""
        unit = self.get("unit", rows)
        view = self.view.only(rows, legal=self.battle.arena.forces[self.me].unit.fullest.take(unit))
        column = self.battle.policies[self.me].retire(view, self.luck[rows, self.lost[rows]])
        going = column != STAY
        rows, unit, column = rows[going], unit[going], column[going]
        unit, mp = retire_from(self.battle, self.me, unit, self.get("mp", rows), column)
        self.left(rows, unit=unit, mp=mp)
        return rows

    def left(self, rows: Rows, **values: Ints) -> None:
        """Write down that a card has gone to the pile."""
        self.put(rows, **values, pile=self.get("pile", rows) + 1)
        self.lost[rows] += 1


def settle(battle: Battle, state: State, rolls: Rolls) -> State:
    """EOP4 and EOP5: rout and shaken; then who has lost, jointly (WE-Q23); then the next Period."""
    piles = {side: state[f"{side}_pile"] for side in SIDES}
    larger = {"a": piles["a"] > piles["b"], "b": piles["b"] > piles["a"]}
    after = dict(state)
    for me, side in enumerate(SIDES):
        rout = larger[side] & (state[f"{side}_shaken"] > 0)
        lost = _how_lost(battle, me, state, rout)
        after |= {f"{side}_lost": lost, f"{side}_shaken": larger[side].astype(np.int16)}
    over = (after["a_lost"] > 0) | (after["b_lost"] > 0)
    return _next_period(battle, after, over)


def _how_lost(battle: Battle, me: int, state: State, rout: Ints) -> Ints:
    """Return the way in which a side has lost at EOP5, the first in the order of `LOST` (WE-WIN.1)."""
    side = SIDES[me]
    no_cards = battle.arena.forces[me].unit.n_cards.take(state[f"{side}_unit"]) == 0
    lost = np.where(no_cards, LOST["cards"], 0)
    lost = np.where(state[f"{side}_mp"] <= 0, LOST["mp"], lost)
    lost = np.where(rout, LOST["rout"], lost)
    earlier = state[f"{side}_lost"]
    return np.where(earlier > 0, earlier, lost).astype(np.int16)


def _next_period(battle: Battle, state: State, over: Ints) -> State:
    """WE-SHAKE.3, WE-WIN.2: piles leave the game, cards turn face up; a Period too many is a draw (WE-Q19)."""
    ends = over | (state["period"] >= battle.max_periods)
    empty = np.zeros(len(over), np.int16)
    cleared = {f"{side}_{name}": empty for side in SIDES for name in ("pile", "relief")}
    period = (state["period"] + ~ends).astype(np.int16)
    return begin_period(battle, {**state, **cleared, "period": period, "over": ends.astype(np.int16)})


Ending = Callable[[Battle, State, Rolls], State]
"""A step of the end of a Period."""
