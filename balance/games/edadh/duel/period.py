"""The end of a Period: EOP1 to EOP5 (level B), and who has won (level C).

1. `defeat`: more damage than MP loses (WE-EOP.1).
2. `shed`: damage leaves with the pile (WE-EOP.2); then each side discards while its damage exceeds the lowest discard
   value of its front rank (WE-EOP.3), and may retire troops while its MP are low (WE-RETIRE.1).
3. `settle`: rout and shaken (WE-SHAKE), who has lost (WE-WIN.1), and the next Period (WE-WIN.2).

How often a side discards or retires depends on the trial; how often it is asked never does.
"""

from __future__ import annotations

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import BoolArray, State
from balance.chance.rolls.rolls import Rolls
from balance.games.edadh.duel.duel_state import LOST, Duel, begin_period
from balance.games.edadh.rules.strike import Flags
from balance.games.edadh.rules.unit import LOSSES, N_LOSSES, STAY
from balance.games.edadh.rules.view import SIDES

__all__ = ["OWN", "defeat", "lose_cards", "relieved", "settle", "shed"]

OWN = ("unit", "damage", "mp", "pile")
"""The columns of a side that change as cards leave it."""


def defeat(duel: Duel, state: State, rolls: Rolls) -> State:
    """EOP1: a side with more damage than MP has lost; if both have, it is a draw (WE-Q11)."""
    excess = [state[f"{side}_damage"] - state[f"{side}_mp"] for side in SIDES]
    beaten = [over > 0 for over in excess]
    if duel.rules.both_defeated == "smaller_excess":
        beaten = [
            mine & ~((foe > 0) & (own < foe)) for mine, own, foe in zip(beaten, excess, excess[::-1], strict=True)
        ]
    after = {
        **state,
        **{f"{side}_lost": flag * np.int16(LOST["damage"]) for side, flag in zip(SIDES, beaten, strict=True)},
    }
    if not duel.rules.eop1_pooled:
        after["over"] = (beaten[0] | beaten[1]).astype(np.int16)
    return after


def must_discard(duel: Duel, me: int, unit: IntArray, damage: IntArray) -> BoolArray:
    """Return whether a side must discard a card: its damage exceeds the lowest DV of its front rank (WE-EOP.3).

    Parameters
    ----------
    me
        0 for side a, 1 for side b.
    unit, damage
        Arrangement `intp[n]` and damage `int16[n]`.
    """
    return damage > duel.arena.forces[me].unit.lowest_dv.take(unit)


def may_retire(duel: Duel, me: int, unit: IntArray, mp: IntArray, again: Flags = False) -> BoolArray:
    """Return whether a side may retire a card: the first, or one more where `again`, of this Period (WE-RETIRE.1)."""
    below = duel.constants.retirement.below_mp
    low = np.less(mp, below)
    if duel.rules.retire_at_30 == "until_above":
        low = low | (np.equal(mp, below) & again)
    return low & (duel.arena.forces[me].unit.n_cards.take(unit) > 0)


def relieved(state: State) -> State:
    """Return both sides' damage after EOP2: less the discard values of what was discarded at once, not below 0."""
    return {f"{side}_damage": np.maximum(state[f"{side}_damage"] - state[f"{side}_relief"], 0) for side in SIDES}


def shed(duel: Duel, state: State, rolls: Rolls) -> State:
    """EOP2 and EOP3 of both sides, at once or in turn (WE-Q15)."""
    start = {**state, **relieved(state)}
    after = start
    for me in (1, 0) if duel.rules.eop3_order == "b_first" else (0, 1):
        seen = start if duel.rules.eop3_order == "simultaneous" else after
        after = {**after, **lose_cards(duel, me, seen, rolls)}
    return after


def lose_cards(duel: Duel, me: int, state: State, rolls: Rolls) -> State:
    """Return one side's columns after EOP3: what must go is discarded; then troops may be retired, one at a time.

    A side is asked as often as it can lose a card. Trials that have nothing to decide, or no longer, have one option.
    """
    names, side = [f"{SIDES[me]}_{name}" for name in OWN], SIDES[me]
    own = [state[name].copy() for name in names]
    unit = own[0].astype(np.intp)
    must = must_discard(duel, me, unit, own[1])
    rows = np.flatnonzero(must | may_retire(duel, me, unit, own[2]))
    now, must, retired = [values.take(rows) for values in own], must.take(rows), np.zeros(len(rows), bool)
    view = duel.view(me, state, duel.level(state)).only(rows)
    for number in range(1, int(duel.arena.forces[me].unit.n_cards[0]) + 1):
        place, legal = _place(duel, me, now[0], must), np.ones(len(own[0]), np.int16)
        legal[rows] = N_LOSSES.take(place)
        asked = view.knowing(place=place, **dict(zip(names, now, strict=True)))
        option = rolls.choose(side, f"loss {number}", legal, asked).take(rows)
        if not len(rows):
            continue
        now, leaves = _one_less(duel, me, now, must, LOSSES.take(place * 4 + option))
        retired |= leaves & ~must
        unit = now[0].astype(np.intp)
        must = must_discard(duel, me, unit, now[1])
        if not duel.rules.recheck_after_retire:
            must &= ~retired
        going_on = leaves & (must | may_retire(duel, me, unit, now[2], retired))
        done, left = np.flatnonzero(~going_on), np.flatnonzero(going_on)
        for values, new in zip(own, now, strict=True):
            values[rows.take(done)] = new.take(done)
        now, view, rows = [values.take(left) for values in now], view.only(left), rows.take(left)
        must, retired = must.take(left), retired.take(left)
    return dict(zip(names, own, strict=True))


def _place(duel: Duel, me: int, unit: IntArray, must: BoolArray) -> IntArray:
    """Return which options a side has, `int16[n]` (see `unit.LOSSES`): any fullest column, or the cheapest of them."""
    tables, place = duel.arena.forces[me].unit, unit.astype(np.intp)
    mask = tables.fullest.take(place)
    if duel.rules.discard_choice == "lowest_dv":
        mask = np.where(must, tables.cheapest.take(place), mask)
    return must * np.int16(8) + mask


def _one_less(
    duel: Duel, me: int, now: list[IntArray], must: BoolArray, column: IntArray
) -> tuple[list[IntArray], BoolArray]:
    """Return `OWN` once the front card of a column has been discarded where it must, else retired; and if one was.

    Discarding takes away damage, not below 0 (WE-Q14); retiring gains MP, not above the cap.
    """
    unit, damage, mp, pile = now
    tables, place, leaves = duel.arena.forces[me].unit, unit.astype(np.intp) * 4 + column, column != STAY
    damage = np.maximum(damage - tables.front_dv.take(place) * must, 0)
    mp = np.where(must, mp, np.minimum(mp + tables.front_psy.take(place), duel.arena.read.mp_cap))
    return [tables.behind.take(place), damage, mp, pile + leaves], leaves


def settle(duel: Duel, state: State, rolls: Rolls) -> State:
    """EOP4 and EOP5: rout and shaken; then who has lost, jointly (WE-Q23); then the next Period."""
    piles = {side: state[f"{side}_pile"] for side in SIDES}
    larger = {"a": piles["a"] > piles["b"], "b": piles["b"] > piles["a"]}
    after = dict(state)
    for me, side in enumerate(SIDES):
        rout = larger[side] & (state[f"{side}_shaken"] > 0)
        lost = _how_lost(duel, me, state, rout)
        after |= {f"{side}_lost": lost, f"{side}_shaken": larger[side].astype(np.int16)}
    over = (after["a_lost"] > 0) | (after["b_lost"] > 0)
    return _next_period(duel, after, over)


def _how_lost(duel: Duel, me: int, state: State, rout: BoolArray) -> IntArray:
    """Return the way in which a side has lost at EOP5, the first in the order of `LOST` (WE-WIN.1)."""
    side = SIDES[me]
    n_cards = duel.arena.forces[me].unit.n_cards.take(state[f"{side}_unit"].astype(np.intp))
    lost = np.asarray((n_cards == 0) * np.int16(LOST["cards"]))
    lost[state[f"{side}_mp"] <= 0] = LOST["mp"]
    lost[rout] = LOST["rout"]
    earlier = np.flatnonzero(state[f"{side}_lost"])
    lost[earlier] = state[f"{side}_lost"].take(earlier)
    return lost


def _next_period(duel: Duel, state: State, over: BoolArray) -> State:
    """WE-SHAKE.3, WE-WIN.2: piles leave the game, cards turn face up; a Period too many is a draw (WE-Q19)."""
    ends = over | (state["period"] >= duel.max_periods)
    empty = np.zeros(len(over), np.int16)
    cleared = {f"{side}_{name}": empty for side in SIDES for name in ("pile", "relief")}
    period = (state["period"] + ~ends).astype(np.int16)
    return begin_period(duel, {**state, **cleared, "period": period, "over": ends.astype(np.int16)})
