"""One attack slot of a line-up's turn: who does what to whom, for every trial at once.

A turn is cut into slots of one attack each, the steps of the process. In the first slot of an action the side decides
what the action is: a unit raises its shield or attacks; Rapid Fire attacks again in the next slot of the same action.

State: for side s and up to k units, in the order written, `s_arms`, `s_body` and `s_health` `int16[n, k]` (nobody and
the fallen have health 0), and where some unit of the batch needs them `s_shield`, `s_emp` and `s_burn_1`... alike.
`s_threat` (`int32[n, k]`) is the score of what each unit threatens, where a policy of the other side weighs that.
`limit` (`int16[n]`) is how many actions a turn has, where that differs by trial. Where somebody has Rapid Fire, `unit`
and `weapon` (`int16[n]`) say who attacks again, between the slots of an action. Functions with a `state` argument and
no result write into that dictionary, which `take_slot` has copied; arrays in it are never changed in place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import LOST_ACTIONS, acting
from balance.game.kit.combat.members import any_place, put_at, value_at
from balance.games.warforged.attack import DOWN, UP, armour_left, condition_after
from balance.games.warforged.lineup.attacks import Resolver, Strikes
from balance.games.warforged.lineup.blasts import Blasts
from balance.games.warforged.lineup.tables import PLACES, Tables
from balance.games.warforged.turn import MOST_EMP_TOKENS


@dataclass(frozen=True, eq=False)
class Slot:
    """One attack slot of one side's turn.

    Attributes
    ----------
    side, foe
        Column prefixes, "a_" and "b_" or the other way round.
    action
        Which action of the turn this is, from 0; where every unit has one, which unit's.
    attack
        Which attack of the action this is, from 1.
    last
        Whether the turn ends with it.
    tables, resolve
        What this side's attacks do, and how one is resolved.
    meeting
        Numbers of the weapons and bodies that can meet, in pairs.
    blasts
        What blasts can do.
    """

    side: str
    foe: str
    action: int
    attack: int
    last: bool
    tables: Tables
    resolve: Resolver
    meeting: tuple[tuple[int, int], ...]
    blasts: Blasts


def take_slot(slot: Slot, state: State, rolls: Rolls) -> State:
    """Raise a shield or make one attack, and at the end of the turn remove EMP tokens.

    Parameters
    ----------
    slot
        Which attack of which turn is made.
    state
        The state before, which is not changed.
    rolls
        Chance.
    """
    state = dict(state)
    if slot.attack == 1:
        arms = _free_arms(slot, state)
        if f"{slot.side}{LOST_ACTIONS}" in state:
            arms = _acting_arms(slot, state, arms)
        if f"{slot.side}shield" in state:
            arms = _raise_shield(slot, state, arms)
        unit, target, weapon = _first_attack(slot, state, arms)
    else:
        unit, target, weapon = _next_attack(slot, state)
    _strike(slot, unit, target, weapon, state, rolls)
    if "weapon" in state:
        more = slot.tables.n_attacks.take(weapon) > slot.attack
        state["unit"] = unit * more
        state["weapon"] = np.where(more, weapon, weapon.dtype.type(len(slot.tables.roster.weapons)))
    if slot.last and f"{slot.side}emp" in state:
        tokens = state[f"{slot.side}emp"]
        state[f"{slot.side}emp"] = np.maximum(tokens - tokens.dtype.type(1), tokens.dtype.type(0))
    return state


def _free_arms(slot: Slot, state: State) -> IntArray:
    """Return the arms of the units that may act, `int16[n, k]`, those of nobody for all others."""
    tables, acting_unit = slot.tables, slice(slot.action, slot.action + 1)
    units = acting_unit if tables.terms.per_unit else slice(None)
    able = state[f"{slot.side}health"][:, units] > 0
    if f"{slot.side}emp" in state:
        able &= state[f"{slot.side}emp"][:, units] == 0
    if "limit" in state:
        able &= (state["limit"] > slot.action)[:, None]
    arms = state[f"{slot.side}arms"][:, units]
    return np.where(able, arms, arms.dtype.type(len(tables.roster.arms)))


def _acting_arms(slot: Slot, state: State, arms: IntArray) -> IntArray:
    """Take the action off a side that loses it, where somebody could act (changing `state`); return the arms free."""
    no_arms = arms.dtype.type(len(slot.tables.roster.arms))
    acts, after = acting(state, slot.side[0], any_place(arms != no_arms))
    state |= after
    return np.where(acts[:, None], arms, no_arms)


def _raise_shield(slot: Slot, state: State, arms: IntArray) -> IntArray:
    """Raise the first shield that is to be raised (changing `state`); return the arms free to attack then."""
    roster, no_arms = slot.tables.roster, len(slot.tables.roster.arms)
    units = slice(slot.action, slot.action + 1) if slot.tables.terms.per_unit else slice(None)
    shield, body = state[f"{slot.side}shield"], state[f"{slot.side}body"][:, units]
    raises = (shield[:, units] == DOWN) & roster.raises.take(body) & (arms != no_arms)
    rows = np.flatnonzero(any_place(raises))
    if not len(rows):
        return arms
    first = raises.take(rows, axis=0).argmax(axis=1) + (units.start or 0)
    state[f"{slot.side}shield"], arms = shield.copy(), arms.copy()
    state[f"{slot.side}shield"][rows, first] = UP
    arms[rows] = no_arms
    return arms


def _first_attack(slot: Slot, state: State, arms: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return which unit attacks which with what weapon, `int[n]` each: what the side would like best."""
    tables, best_wish = slot.tables, slot.tables.wish_of_any
    span, places = np.int32(tables.wish[0].size), _places(slot, state)
    rows = np.ascontiguousarray(arms.T) * span
    if arms.shape[1] == 1:
        wishes = tables.wish_of_arms.take(places + rows)
    elif best_wish is None:
        wishes = tables.wish_of_arms.take(places + rows[0])
        for row in rows[1:]:
            np.minimum(wishes, tables.wish_of_arms.take(places + row), out=wishes)
    else:
        able: IntArray = np.bitwise_or.reduce(tables.bit_of.take(arms.T), axis=0)
        wishes = best_wish.take(places + able * span)
    target = _best(slot, state, wishes)
    place_of_target = np.asarray(places.take(target * places.shape[1] + np.arange(places.shape[1])), np.int32)
    unit = _first_of(tables.wish_of_arms.take(rows + place_of_target))
    body = value_at(state[f"{slot.foe}body"], target)
    weapon = tables.weapon_used.take(value_at(arms, unit) * np.int16(tables.wish.shape[1]) + body)
    return unit + (slot.action if tables.terms.per_unit else 0), target, weapon


def _next_attack(slot: Slot, state: State) -> tuple[IntArray, IntArray, IntArray]:
    """Return who attacks again with the same action and weapon, whom and with what, `int[n]` each (WF-EFF.3)."""
    unit, weapon, wish = state["unit"], state["weapon"], slot.tables.wish
    idle = weapon.dtype.type(len(slot.tables.roster.weapons))
    again = np.where(value_at(state[f"{slot.side}health"], unit) > 0, weapon, idle)
    begin = np.asarray(again, np.int32) * np.int32(wish[0].size)
    return unit, _best(slot, state, wish.take(_places(slot, state) + begin)), again


def _places(slot: Slot, state: State) -> IntArray:
    """Return where in a table of wishes each enemy stands, `int32[m, n]`, by its body and its health."""
    n_healths = np.int32(slot.tables.wish.shape[2])
    return np.ascontiguousarray((state[f"{slot.foe}body"] * n_healths + state[f"{slot.foe}health"]).T)


def _best(slot: Slot, state: State, wishes: IntArray) -> IntArray:
    """Return the enemy that is wished for most, from wishes `int32[m, n]` and threats; any where nobody attacks."""
    if f"{slot.foe}threat" in state:
        wishes -= state[f"{slot.foe}threat"].T
    return _first_of(wishes)


def _first_of(wishes: IntArray) -> IntArray:
    """Return the place of the least wish, the first of equal ones, from wishes `int32[k, n]`."""
    wishes += np.arange(len(wishes), dtype=np.int32)[:, None]
    return np.asarray(wishes.min(axis=0) % PLACES)


def _strike(slot: Slot, unit: IntArray, target: IntArray, weapon: IntArray, state: State, rolls: Rolls) -> None:
    """Make one attack in every trial in which somebody makes it, and write what it does into `state`."""
    foe, tables = slot.foe, slot.tables
    body, before = value_at(state[f"{foe}body"], target), value_at(state[f"{foe}health"], target)
    names = [name for name in state if name == f"{foe}shield" or name.startswith(f"{foe}burn_")]
    condition = {name.removeprefix(foe): value_at(state[name], target) for name in names}
    armour = tables.armour.take(body)
    up = condition["shield"] == UP if "shield" in condition else False
    strikes = Strikes(unit, target, weapon, body, up, np.asarray(armour_left(armour, condition)))
    outcome = slot.resolve(tables, strikes, slot.meeting, rolls, slot.side[0])
    if condition:
        mask = weapon != len(tables.roster.weapons)
        after = condition_after(condition, outcome, armour, caps_burn=tables.terms.read.burn_capped)
        for name, values in after.items():
            values_after = np.where(mask, values, condition[name])
            state[f"{foe}{name}"] = put_at(state[f"{foe}{name}"], target, values_after)
    health = np.maximum(before - outcome["damage"], 0)
    state[f"{foe}health"] = put_at(state[f"{foe}health"], target, health)
    if "emp" in outcome and f"{foe}emp" in state:
        _disable(slot, target, outcome["emp"], state)
    if "splash" in outcome or slot.blasts.n_waves:
        splash = outcome.get("splash", np.zeros_like(health))
        slot.blasts.follow(slot.side, foe, strikes, splash, (before > 0) & (health == 0), state, rolls)


def _disable(slot: Slot, target: IntArray, hit: IntArray, state: State) -> None:
    """Give EMP tokens to the targets that were hit (WF-EFF.4)."""
    terms, tokens = slot.tables.terms, state[f"{slot.foe}emp"]
    tokens_before, new_tokens = value_at(tokens, target), hit * terms.emp_turns
    total = tokens_before + new_tokens if terms.emp_adds_up else np.maximum(tokens_before, new_tokens)
    state[f"{slot.foe}emp"] = put_at(tokens, target, np.minimum(total, MOST_EMP_TOKENS))
