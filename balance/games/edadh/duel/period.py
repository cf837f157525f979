"""The end of a Period: EOP1 to EOP5 (level B), and who has won (level C).

1. `defeat`: more damage than MP loses (WE-EOP.1).
2. `discard_and_retire`: damage leaves with the pile (WE-EOP.2); then each side discards while its damage exceeds the
   lowest discard value of its front rank (WE-EOP.3), and may retire troops while its MP are low (WE-RETIRE.1).
3. `settle`: rout and shaken (WE-SHAKE), who has lost (WE-WIN.1), and the next Period (WE-WIN.2).

How often a side discards or retires depends on the trial; how often it is asked never does.
"""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.edadh.duel.duel_state import LOSS_CODES, Duel, begin_period
from balance.games.edadh.rules.strike import Flags
from balance.games.edadh.rules.unit import LOSSES, N_LOSSES, STAY
from balance.games.edadh.rules.view import SIDES

LOSS_COLUMNS = ("unit", "damage", "mp", "pile")
"""The columns of a side that change as cards leave it."""


def defeat(duel: Duel, state: State, rolls: Rolls) -> State:
    """EOP1: a side with more damage than MP has lost (WE-EOP.1); if both have, it is a draw (WE-Q11).

    `rolls` are not used.
    """
    excess = [state[f"{side}_damage"] - state[f"{side}_mp"] for side in SIDES]
    is_defeated = [over > 0 for over in excess]
    if duel.rules.both_defeated == "smaller_excess":
        is_defeated = [
            side_defeated & ~((foe > 0) & (own_excess < foe))
            for side_defeated, own_excess, foe in zip(is_defeated, excess, excess[::-1], strict=True)
        ]
    code = np.int16(LOSS_CODES["damage"])
    after = {**state, **{f"{side}_lost": flag * code for side, flag in zip(SIDES, is_defeated, strict=True)}}
    if not duel.rules.eop1_pooled:
        after["over"] = (is_defeated[0] | is_defeated[1]).astype(np.int16)
    return after


def must_discard(duel: Duel, side_index: int, unit: IntArray, damage: IntArray) -> BoolArray:
    """Return whether a side must discard: its damage exceeds the lowest DV of its front rank (WE-EOP.3), `bool[n]`."""
    return damage > duel.arena.forces[side_index].unit.lowest_dv.take(unit)


def may_retire(duel: Duel, side_index: int, unit: IntArray, mp: IntArray, again: Flags = False) -> BoolArray:
    """Return whether a side may retire a card: the first, or one more where `again`, of this Period (WE-RETIRE.1)."""
    below = duel.constants.retirement.below_mp
    low = np.less(mp, below)
    if duel.rules.retire_at_30 == "until_above":
        low = low | (np.equal(mp, below) & again)
    return low & (duel.arena.forces[side_index].unit.n_cards.take(unit) > 0)


def damage_after_relief(state: State) -> State:
    """Return both sides' damage after EOP2: less the discard values of what was discarded at once, not below 0."""
    return {f"{side}_damage": np.maximum(state[f"{side}_damage"] - state[f"{side}_relief"], 0) for side in SIDES}


def discard_and_retire(duel: Duel, state: State, rolls: Rolls) -> State:
    """Return the state after EOP2 and EOP3 of both sides, at once or one after the other (WE-Q15)."""
    start = {**state, **damage_after_relief(state)}
    after = start
    for side_index in (1, 0) if duel.rules.eop3_order == "b_first" else (0, 1):
        basis = start if duel.rules.eop3_order == "simultaneous" else after
        after = {**after, **lose_cards(duel, side_index, basis, rolls)}
    return after


def lose_cards(duel: Duel, side_index: int, state: State, rolls: Rolls) -> State:
    """Return one side's columns after EOP3: what must go is discarded; then troops may be retired, one at a time.

    A side is asked as often as it can lose a card. Trials that have nothing to decide, or no longer, have one option.
    """
    names, side = [f"{SIDES[side_index]}_{name}" for name in LOSS_COLUMNS], SIDES[side_index]
    columns = [state[name].copy() for name in names]
    unit = columns[0].astype(np.intp)
    must = must_discard(duel, side_index, unit, columns[1])
    rows = np.flatnonzero(must | may_retire(duel, side_index, unit, columns[2]))
    now, must, has_retired = [values.take(rows) for values in columns], must.take(rows), np.zeros(len(rows), bool)
    view = duel.view(side_index, state, duel.level(state)).only(rows)
    for number in range(1, int(duel.arena.forces[side_index].unit.n_cards[0]) + 1):
        place, legal = _place(duel, side_index, now[0], must), np.ones(len(columns[0]), np.int16)
        legal[rows] = N_LOSSES.take(place)
        loss_view = view.with_facts(place=place, **dict(zip(names, now, strict=True)))
        option = rolls.choose(side, f"loss {number}", legal, loss_view).take(rows)
        if not len(rows):
            continue
        now, leaves = _one_less(duel, side_index, now, must, LOSSES.take(place * 4 + option))
        has_retired |= leaves & ~must
        unit = now[0].astype(np.intp)
        must = must_discard(duel, side_index, unit, now[1])
        if not duel.rules.recheck_after_retire:
            must &= ~has_retired
        going_on = leaves & (must | may_retire(duel, side_index, unit, now[2], has_retired))
        finished_rows, open_rows = np.flatnonzero(~going_on), np.flatnonzero(going_on)
        for values, new in zip(columns, now, strict=True):
            values[rows.take(finished_rows)] = new.take(finished_rows)
        now, view, rows = [values.take(open_rows) for values in now], view.only(open_rows), rows.take(open_rows)
        must, has_retired = must.take(open_rows), has_retired.take(open_rows)
    return dict(zip(names, columns, strict=True))


def _place(duel: Duel, side_index: int, unit: IntArray, must: BoolArray) -> IntArray:
    """Return which options a side has, `int16[n]` (see `unit.LOSSES`): any fullest column, or the cheapest of them."""
    tables, place = duel.arena.forces[side_index].unit, unit.astype(np.intp)
    mask = tables.fullest.take(place)
    if duel.rules.discard_choice == "lowest_dv":
        mask = np.where(must, tables.cheapest.take(place), mask)
    return must * np.int16(8) + mask


def _one_less(
    duel: Duel, side_index: int, now: list[IntArray], must: BoolArray, column: IntArray
) -> tuple[list[IntArray], BoolArray]:
    """Return `LOSS_COLUMNS` once a column's front card has been discarded where it must, else retired; and if one was.

    Discarding takes away damage, not below 0 (WE-Q14); retiring gains MP, not above the cap.
    """
    unit, damage, mp, pile = now
    tables, place, leaves = duel.arena.forces[side_index].unit, unit.astype(np.intp) * 4 + column, column != STAY
    damage = np.maximum(damage - tables.front_dv.take(place) * must, 0)
    mp = np.where(must, mp, np.minimum(mp + tables.front_psy.take(place), duel.arena.read.mp_cap))
    return [tables.behind.take(place), damage, mp, pile + leaves], leaves


def settle(duel: Duel, state: State, rolls: Rolls) -> State:
    """EOP4 and EOP5: rout and shaken; then who has lost, jointly (WE-Q23); then the next Period. Nothing is rolled."""
    piles = {side: state[f"{side}_pile"] for side in SIDES}
    larger = {"a": piles["a"] > piles["b"], "b": piles["b"] > piles["a"]}
    after = dict(state)
    for side_index, side in enumerate(SIDES):
        rout = larger[side] & (state[f"{side}_shaken"] > 0)
        loss_code = _how_lost(duel, side_index, state, rout)
        after |= {f"{side}_lost": loss_code, f"{side}_shaken": larger[side].astype(np.int16)}
    over = (after["a_lost"] > 0) | (after["b_lost"] > 0)
    return _next_period(duel, after, over)


def _how_lost(duel: Duel, side_index: int, state: State, rout: BoolArray) -> IntArray:
    """Return the way in which a side has lost at EOP5, the first in the order of `LOSS_CODES` (WE-WIN.1)."""
    side = SIDES[side_index]
    n_cards = duel.arena.forces[side_index].unit.n_cards.take(state[f"{side}_unit"].astype(np.intp))
    loss_code = np.asarray((n_cards == 0) * np.int16(LOSS_CODES["cards"]))
    loss_code[state[f"{side}_mp"] <= 0] = LOSS_CODES["mp"]
    loss_code[rout] = LOSS_CODES["rout"]
    earlier = np.flatnonzero(state[f"{side}_lost"])
    loss_code[earlier] = state[f"{side}_lost"].take(earlier)
    return loss_code


def _next_period(duel: Duel, state: State, over: BoolArray) -> State:
    """WE-SHAKE.3, WE-WIN.2: piles leave the game, cards turn face up; a Period too many is a draw (WE-Q19)."""
    ends = over | (state["period"] >= duel.max_periods)
    empty = np.zeros(len(over), np.int16)
    empty_piles = {f"{side}_{name}": empty for side in SIDES for name in ("pile", "relief")}
    period = (state["period"] + ~ends).astype(np.int16)
    return begin_period(duel, {**state, **empty_piles, "period": period, "over": ends.astype(np.int16)})
