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
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State, n_trials
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import LOST_ACTIONS, acting
from balance.game.kit.combat.members import any_place, value_at
from balance.games.warforged.attack import DOWN, UP, armour_left, condition_after
from balance.games.warforged.lineup.attacks import Resolver, Strikes, draw_name
from balance.games.warforged.lineup.blasts import Blasts
from balance.games.warforged.lineup.tables import PLACES, Tables
from balance.games.warforged.turn import MOST_EMP_TOKENS

ScalarT = TypeVar("ScalarT", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Slot:
    """One attack slot of one side's turn.

    * `side` and `foe`: column prefixes, "a_" and "b_" or the other way round.
    * `action`: which action of the turn this is, from 0; where every unit has one, which unit's.
    * `attack`: which attack of the action this is, from 1.
    * `last`: whether the turn ends with it.
    * `meeting`: numbers of the weapons and bodies that can meet, in pairs.
    * `conditions`: columns of the enemy's condition that attacks change, without its prefix: `shield` and `burn_1`...
    * `is_drawn`: whether attacks are drawn whole, so that only those who attack need an answer; otherwise every die is
      rolled.
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
    conditions: tuple[str, ...]
    is_drawn: bool


_Attack: TypeAlias = tuple[IntArray, IntArray, IntArray, IntArray]
"""In which trials somebody attacks, `int[m]` rising, and there which unit which other with what weapon."""
_NOBODY = np.zeros(0, np.intp)


def take_slot(slot: Slot, state: State, rolls: Rolls) -> State:
    """Raise a shield or make one attack, and at the end of the turn remove EMP tokens.

    `state` is not changed, and is returned itself where nothing happens.
    """
    before, state = state, dict(state)
    attack = _first_attack(slot, state) if slot.attack == 1 else _next_attack(slot, state)
    if len(attack[0]) or not (slot.is_drawn and not slot.blasts.rolls_all(rolls)):
        _strike(slot, *attack, state, rolls)
    else:
        rolls.draw(slot.tables.wounds, 0, draw_name(slot.side[0]))  # others have their luck whether anybody attacks
    if "weapon" in state:
        _remember(slot, *attack, state)
    if slot.last and f"{slot.side}emp" in state and np.count_nonzero(tokens := state[f"{slot.side}emp"]):
        state[f"{slot.side}emp"] = np.maximum(tokens - tokens.dtype.type(1), tokens.dtype.type(0))
    return state if any(state[name] is not values for name, values in before.items()) else before


def _remember(slot: Slot, rows: IntArray, unit: IntArray, _: IntArray, weapon: IntArray, state: State) -> None:
    """Write into `state` who attacks again in the next slot of the action."""
    more = (slot.tables.n_attacks.take(weapon) > slot.attack).nonzero()[0]
    units, weapons, idle = state["unit"], state["weapon"], len(slot.tables.roster.weapons)
    if not len(more) and not np.count_nonzero(weapons != idle):
        return
    state["unit"], state["weapon"] = np.zeros_like(units), np.full_like(weapons, idle)
    state["unit"][rows[more]], state["weapon"][rows[more]] = unit[more], weapon[more]


def _first_attack(slot: Slot, state: State) -> _Attack:
    """Return the best attack by the side's policy in trials with an action left; shields are raised first."""
    rows = _due(slot, state)
    arms = _free_arms(slot, state, rows) if len(rows) else _NOBODY
    if f"{slot.side}{LOST_ACTIONS}" in state:
        arms = _acting_arms(slot, state, arms)
    if f"{slot.side}shield" in state and len(rows):
        rows, arms = _raise_shield(slot, state, rows, arms)
    return _likeliest(slot, state, rows, arms) if len(rows) else (_NOBODY,) * 4


def _due(slot: Slot, state: State) -> IntArray:
    """Return the trials in which an action may be left for this slot, `int[m]`."""
    if f"{slot.side}{LOST_ACTIONS}" in state:
        return np.arange(n_trials(state))
    if slot.tables.terms.per_unit:
        return (state[f"{slot.side}health"][:, slot.action] > 0).nonzero()[0]
    return (state["limit"] > slot.action).nonzero()[0] if "limit" in state else np.arange(n_trials(state))


def _of(values: npt.NDArray[ScalarT], rows: IntArray) -> npt.NDArray[ScalarT]:
    """Return the values of some trials; the array itself if it is all of them."""
    return values if len(rows) == len(values) else values.take(rows, axis=0)


def _free_arms(slot: Slot, state: State, rows: IntArray) -> IntArray:
    """Return the arms of the units that may act in some trials, `int16[m, k]`, those of nobody for all others."""
    tables, acting_unit = slot.tables, slice(slot.action, slot.action + 1)
    units = acting_unit if tables.terms.per_unit else slice(None)
    able = _of(state[f"{slot.side}health"][:, units], rows) > 0
    if f"{slot.side}emp" in state:
        able &= _of(state[f"{slot.side}emp"][:, units], rows) == 0
    if "limit" in state:
        able &= (_of(state["limit"], rows) > slot.action)[:, None]
    arms = _of(state[f"{slot.side}arms"][:, units], rows)
    return np.where(able, arms, arms.dtype.type(len(tables.roster.arms)))


def _acting_arms(slot: Slot, state: State, arms: IntArray) -> IntArray:
    """Spend an action that a side loses, where some unit could act (changing `state`); return the arms that act."""
    no_arms = arms.dtype.type(len(slot.tables.roster.arms))
    acts, after = acting(state, slot.side[0], any_place(arms != no_arms))
    state |= after
    return np.where(acts[:, None], arms, no_arms)


def _raise_shield(slot: Slot, state: State, rows: IntArray, arms: IntArray) -> tuple[IntArray, IntArray]:
    """Raise the first shield that is to be raised (changing `state`); return the other trials, and their arms."""
    roster, no_arms = slot.tables.roster, len(slot.tables.roster.arms)
    units = slice(slot.action, slot.action + 1) if slot.tables.terms.per_unit else slice(None)
    shield, body = (state[f"{slot.side}{column}"] for column in ("shield", "body"))
    raises = (_of(shield[:, units], rows) == DOWN) & roster.raises.take(_of(body[:, units], rows)) & (arms != no_arms)
    is_raised = any_place(raises)
    places = is_raised.nonzero()[0]
    if not len(places):
        return rows, arms
    first = raises.take(places, axis=0).argmax(axis=1) + (units.start or 0)
    state[f"{slot.side}shield"] = shield.copy()
    state[f"{slot.side}shield"][rows[places], first] = UP
    others = (~is_raised).nonzero()[0]
    return rows[others], arms.take(others, axis=0)


def _likeliest(slot: Slot, state: State, rows: IntArray, arms: IntArray) -> _Attack:
    """Return which unit attacks which with what weapon: the attack with the lowest score of the policy."""
    tables, best_wish = slot.tables, slot.tables.wish_of_any
    span, places = np.int32(tables.wish[0].size), _places(slot, state, rows)
    begins = np.ascontiguousarray(arms.T) * span
    if arms.shape[1] == 1:
        wishes = tables.wish_of_arms.take(places + begins)
    elif best_wish is None:
        wishes = tables.wish_of_arms.take(places + begins[0])
        for begin in begins[1:]:
            np.minimum(wishes, tables.wish_of_arms.take(places + begin), out=wishes)
    else:
        able: IntArray = np.bitwise_or.reduce(tables.bit_of.take(arms.T), axis=0)
        wishes = best_wish.take(places + able * span)
    target = _best(slot, state, rows, wishes)
    place_of_target = np.asarray(places.take(target * places.shape[1] + np.arange(places.shape[1])), np.int32)
    unit = _first_of(tables.wish_of_arms.take(begins + place_of_target))
    body = state[f"{slot.foe}body"].take(_flat(state[f"{slot.foe}body"], rows, target))
    weapon = tables.weapon_used.take(value_at(arms, unit) * np.int16(tables.wish.shape[1]) + body)
    unit = unit + (slot.action if tables.terms.per_unit else 0)
    return _armed(slot, rows, unit, target, weapon)


def _armed(slot: Slot, rows: IntArray, unit: IntArray, target: IntArray, weapon: IntArray) -> _Attack:
    """Return the attacks without those of trials in which nobody has a weapon to use."""
    armed = (weapon != len(slot.tables.roster.weapons)).nonzero()[0]
    if len(armed) == len(rows):
        return rows, unit, target, weapon
    return rows[armed], unit[armed], target[armed], weapon[armed]


def _next_attack(slot: Slot, state: State) -> _Attack:
    """Return who attacks again with the same action and weapon, whom and with what (WF-EFF.3)."""
    idle = len(slot.tables.roster.weapons)
    rows = (state["weapon"] != idle).nonzero()[0]
    health = state[f"{slot.side}health"]
    rows = rows[health.take(_flat(health, rows, state["unit"][rows])) > 0]
    if not len(rows):
        return (_NOBODY,) * 4
    unit, weapon, wish = state["unit"][rows], state["weapon"][rows], slot.tables.wish
    begin = np.asarray(weapon, np.int32) * np.int32(wish[0].size)
    return rows, unit, _best(slot, state, rows, wish.take(_places(slot, state, rows) + begin)), weapon


def _flat(values: IntArray, rows: IntArray, places: IntArray) -> IntArray:
    """Return the index of one place in each of some trials in the flattened array, `int[m]`."""
    return np.asarray(rows * values.shape[1] + places)


def _places(slot: Slot, state: State, rows: IntArray) -> IntArray:
    """Return the index of each enemy in a table of scores by body and health, `int32[k, m]`."""
    n_healths = np.int32(slot.tables.wish.shape[2])
    body, health = (_of(state[f"{slot.foe}{column}"], rows) for column in ("body", "health"))
    return np.ascontiguousarray((body * n_healths + health).T)


def _best(slot: Slot, state: State, rows: IntArray, wishes: IntArray) -> IntArray:
    """Return the enemy with the lowest score, `int32[k, m]`, less its threat; any where nobody attacks."""
    if f"{slot.foe}threat" in state:
        wishes -= _of(state[f"{slot.foe}threat"], rows).T
    return _first_of(wishes)


def _first_of(wishes: IntArray) -> IntArray:
    """Return the place of the lowest score, `int32[k, m]`, the first of equals; scores are multiples of `PLACES`."""
    wishes += np.arange(len(wishes), dtype=np.int32)[:, None]
    return np.asarray(wishes.min(axis=0) % PLACES)


def _strike(
    slot: Slot, rows: IntArray, unit: IntArray, target: IntArray, weapon: IntArray, state: State, rolls: Rolls
) -> None:
    """Make one attack in every trial in which somebody makes it, and write what it does into `state`."""
    foe, tables, health = slot.foe, slot.tables, state[f"{slot.foe}health"]
    at = _flat(health, rows, target)
    body, before = state[f"{foe}body"].take(at), health.take(at)
    condition = {name: state[f"{foe}{name}"].take(at) for name in slot.conditions}
    armour = tables.armour.take(body)
    up = condition["shield"] == UP if "shield" in condition else False
    left = np.asarray(armour_left(armour, condition))
    strikes = Strikes(len(health), rows, unit, target, weapon, body, up, left)
    outcome = slot.resolve(tables, strikes, slot.meeting, rolls, slot.side[0])
    if condition:
        after = condition_after(condition, outcome, armour, caps_burn=tables.terms.read.burn_capped)
        for name, values in after.items():
            if np.count_nonzero(values != condition[name]):
                state[f"{foe}{name}"] = _put(state[f"{foe}{name}"], at, values)
    health_after = np.maximum(before - outcome["damage"], 0)
    state[f"{foe}health"] = _put(health, at, health_after)
    if "emp" in outcome and f"{foe}emp" in state and np.count_nonzero(outcome["emp"]):
        _disable(slot, at, outcome["emp"], state)
    if slot.blasts.follow_attacks:
        splash = outcome["splash"] if "splash" in outcome else np.zeros_like(health_after)
        slot.blasts.follow(slot.side, foe, strikes, splash, (before > 0) & (health_after == 0), state, rolls)


def _put(values: npt.NDArray[ScalarT], at: IntArray, new: npt.NDArray[ScalarT]) -> npt.NDArray[ScalarT]:
    """Return a copy of `values` with new ones at some indices of the flattened array."""
    after = values.copy()
    after.reshape(-1)[at] = new
    return after


def _disable(slot: Slot, at: IntArray, hit: IntArray, state: State) -> None:
    """Give EMP tokens to the targets that were hit, by their places in the flat array (WF-EFF.4)."""
    terms, tokens = slot.tables.terms, state[f"{slot.foe}emp"]
    tokens_before, new_tokens = tokens.take(at), hit * terms.emp_turns
    total = tokens_before + new_tokens if terms.emp_adds_up else np.maximum(tokens_before, new_tokens)
    state[f"{slot.foe}emp"] = _put(tokens, at, np.minimum(total, MOST_EMP_TOKENS))
