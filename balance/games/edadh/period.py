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
from balance.games.edadh.policies.policy import LOSS_FACES, STAY
from balance.games.edadh.strike import Ints
from balance.games.edadh.view import SIDES, View, at_rows

__all__ = ["defeat", "discard_from", "may_retire", "must_discard", "relieved", "retire_from", "settle", "shed"]

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


def may_retire(battle: Battle, me: int, unit: Ints, mp: Ints, again: Ints = False) -> Ints:
    """Return whether a side may retire a card: the first, or one more where `again`, of this Period (WE-RETIRE.1)."""
    below = battle.constants.retirement.below_mp
    low = np.less(mp, below)
    if battle.rules.retire_at_30 == "until_above":
        low = low | (np.equal(mp, below) & again)
    return low & (battle.arena.forces[me].unit.n_cards.take(unit) > 0)


def retire_from(battle: Battle, me: int, unit: Ints, mp: Ints, column: Ints) -> tuple[Ints, Ints]:
    """Return (arrangement, MP) once the front card of a column has been retired; MP not above the cap."""
    tables = battle.arena.forces[me].unit
    place = unit.astype(np.intp) * 4 + column
    return tables.behind.take(place), np.minimum(mp + tables.front_psy.take(place), battle.arena.read.mp_cap)


def relieved(state: State) -> State:
    """Return both sides' damage after EOP2: less the discard values of what was discarded at once, not below 0."""
    return {f"{side}_damage": np.maximum(state[f"{side}_damage"] - state[f"{side}_relief"], 0) for side in SIDES}


def shed(battle: Battle, state: State, rolls: Rolls) -> State:
    """EOP2 and EOP3 of both sides, at once or in turn (WE-Q15)."""
    start = {**state, **relieved(state)}
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
    names, level = [f"{SIDES[me]}_{name}" for name in OWN], battle.level(state)
    own = [state[name].copy() for name in names]
    must = must_discard(battle, me, own[0], own[1])
    rows = np.flatnonzero(must | may_retire(battle, me, own[0], own[2]))
    now, must, retired = [values.take(rows) for values in own], must.take(rows), np.zeros(len(rows), bool)
    for thrown in luck.T:  # a card leaves in each round, or the trial is done
        fresh = dict(zip(names, now, strict=True))
        view = replace(battle.view(me, state, at_rows(level, rows)), rows=rows, fresh=fresh)
        now, leaves = _lose_one(battle, me, view, now, must, thrown.take(rows))
        retired |= leaves & ~must
        must = must_discard(battle, me, now[0], now[1])
        if not battle.rules.recheck_after_retire:
            must &= ~retired
        going_on = leaves & (must | may_retire(battle, me, now[0], now[2], retired))
        done, left = np.flatnonzero(~going_on), np.flatnonzero(going_on)
        for values, new in zip(own, now, strict=True):
            values[rows.take(done)] = new.take(done)
        if not len(left):
            break
        now, rows = [values.take(left) for values in now], rows.take(left)
        must, retired = must.take(left), retired.take(left)
    return dict(zip(names, own, strict=True))


def _lose_one(battle: Battle, me: int, view: View, now: list[Ints], must: Ints, luck: Ints) -> tuple[list[Ints], Ints]:
    """Let one card go from each trial that must discard or chooses to retire; return `OWN` after it, and who did."""
    unit, damage, mp, pile = now
    tables, policy = battle.arena.forces[me].unit, battle.policies[me]
    to_discard = tables.cheapest if battle.rules.discard_choice == "lowest_dv" else tables.fullest
    discarded = policy.discard(replace(view, legal=to_discard.take(unit)), luck)
    retired = policy.retire(replace(view, legal=tables.fullest.take(unit)), luck)
    column = np.where(must, discarded, retired)
    unit_after, damage_less = discard_from(battle, me, unit, damage, column)
    mp_more = retire_from(battle, me, unit, mp, column)[1]
    leaves = np.not_equal(column, STAY)
    return [unit_after, np.where(must, damage_less, damage), np.where(must, mp, mp_more), pile + leaves], leaves


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
