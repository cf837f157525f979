"""The end of a Period: EOP1 to EOP5 (level B), and who has won (level C).

1. `defeat`: more damage than MP loses (WE-EOP.1).
2. `shed`: damage leaves with the pile (WE-EOP.2); then each side discards while its damage exceeds the lowest discard
   value of its front rank (WE-EOP.3), and may retire troops while its MP are low (WE-RETIRE.1).
3. `settle`: rout and shaken (WE-SHAKE), who has lost (WE-WIN.1), and the next Period (WE-WIN.2).

How often a side discards or retires depends on the trial; how many dice are thrown for it never does: one for each card
it can lose, whichever way that card goes.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from balance.core.process import State
from balance.core.rolls import Rolls
from balance.games.edadh.battle import LOST, Battle, begin_period
from balance.games.edadh.policies import LOSS_FACES, STAY
from balance.games.edadh.turn import Ints
from balance.games.edadh.view import SIDES, View, at_rows

__all__ = ["defeat", "discard_from", "may_retire", "must_discard", "retire_from", "settle", "shed"]

OWN = ("unit", "damage", "mp", "pile")
"""The columns of a side that change as cards leave it."""


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
        after = {**after, **_lose_cards(battle, me, seen, luck[me])}
    return after


def _lose_cards(battle: Battle, me: int, state: State, luck: Ints) -> State:
    """Return one side's columns after EOP3: what must go is discarded; then troops may be retired, one at a time.

    All trials that still have something to decide take one step together: discard if they must, else retire or stop.
    Finished ones are written back. The n-th card to go is chosen by the n-th die.
    """
    names = [f"{SIDES[me]}_{name}" for name in OWN]
    own = [state[name].copy() for name in names]
    rows = np.flatnonzero(must_discard(battle, me, own[0], own[1]) | may_retire(battle, me, own[0], own[2]))
    now, lost = [values.take(rows) for values in own], np.zeros(len(rows), np.intp)
    retired = np.zeros(len(rows), bool)
    while len(rows):
        view = replace(
            battle.view(me, state, at_rows(battle.level(state), rows)),
            rows=rows,
            fresh=dict(zip(names, now, strict=True)),
        )
        now, retired, going_on = _lose_one(battle, me, view, now, retired, luck[rows, lost])
        done, left = np.flatnonzero(~going_on), np.flatnonzero(going_on)
        for values, new in zip(own, now, strict=True):
            values[rows.take(done)] = new.take(done)
        now = [values.take(left) for values in now]
        rows, lost, retired = rows.take(left), lost.take(left) + 1, retired.take(left)
    return dict(zip(names, own, strict=True))


def _lose_one(
    battle: Battle, me: int, view: View, now: list[Ints], retired: Ints, luck: Ints
) -> tuple[list[Ints], Ints, Ints]:
    """Take one step: return the columns of `OWN` after it, who has ever retired a card, and who has more to decide."""
    unit, damage, mp, pile = now
    tables, policy, rules = battle.arena.forces[me].unit, battle.policies[me], battle.rules
    must = must_discard(battle, me, unit, damage)
    if not rules.recheck_after_retire:
        must &= ~retired
    to_discard = tables.cheapest if rules.discard_choice == "lowest_dv" else tables.fullest
    discarded = policy.discard(replace(view, legal=to_discard.take(unit)), luck)
    gone = policy.retire(replace(view, legal=tables.fullest.take(unit)), luck)
    column = np.where(must, discarded, gone)
    unit_less, damage_less = discard_from(battle, me, unit, damage, column)
    mp_more = retire_from(battle, me, unit, mp, column)[1]
    leaves = np.not_equal(column, STAY)
    retired = retired | (leaves & ~must)
    after = [unit_less, np.where(must, damage_less, damage), np.where(must, mp, mp_more), pile + leaves]
    return after, retired, leaves & _more_to_decide(battle, me, after, retired)


def _more_to_decide(battle: Battle, me: int, now: list[Ints], retired: Ints) -> Ints:
    must = must_discard(battle, me, now[0], now[1])
    if not battle.rules.recheck_after_retire:
        must &= ~retired
    first, again = (may_retire(battle, me, now[0], now[2], again=flag) for flag in (False, True))
    return must | np.where(retired, again, first)


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
