"""One turn of a Warforged duel, slot by slot; `balance.games.warforged.duel` says what a unit does with its actions.

A turn is cut into slots of one attack each. The first slot of an action decides what the action is: raise the shield,
attack or move; Rapid Fire attacks again in the next slot of the same action. Functions with a `state` argument and no
result write into that dictionary, which `take_slot` has copied; arrays in it are never changed in place.

What a unit may do, and what each action leaves it free to do (WF-ACT, WF-ABIL.2), are pure functions of arrays `[n]`,
one entry per trial. A turn has as many actions as the agreed unit limit, spread freely over the side's units
(WF-ACT.1); an action is a move, an attack or an active ability (WF-ACT.2). A unit moves at most twice a turn
(WF-ACT.3). A jump is an ability, not a move, and ends the unit's turn (WF-ABIL.2, WF-Q17).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State, n_trials
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import LOST_ACTIONS, acting, lost_at_start
from balance.game.kit.combat.orders import OPPONENT
from balance.games.warforged.attack import BURNT_OUT, DOWN, UP, Resolver, Shot, absorb, armour_left, best_damage
from balance.games.warforged.fighters import Duel, Fighter

MOST_EMP_TOKENS = 9
"""EMP tokens a unit can hold, under the reading that they add up."""


@dataclass(frozen=True)
class Slot:
    """One attack slot of a turn.

    `actor` and `foe`: column prefixes, "a_" and "b_" or the other way round. `attack`: which attack of the action this
    is, from 0. `last`: whether the turn ends with this slot. `choice`: weapon to use by distance, `int16[distance +
    1]`, -1 for none in range.
    """

    actor: str
    foe: str
    attack: int
    last: bool
    choice: IntArray


def _choices(fighter: Fighter, distance: int) -> IntArray:
    """Return the weapon that deals the most damage per action among those in range, by distance from 0."""
    by_distance = []
    for cells in range(distance + 1):
        reach = [i for i, cells_far in enumerate(fighter.ranges) if cells_far >= cells]
        by_distance.append(max(reach, key=lambda i: (best_damage(fighter.shots[i]), -i), default=-1))
    return np.array(by_distance, np.int16)


def slots_of(duel: Duel, side: str) -> list[Slot]:
    """Return the slots of one turn of side "a" or "b": for each action as many as its quickest weapon has attacks."""
    fighter, choice = duel.fighter(side), _choices(duel.fighter(side), duel.distance)
    weapon_numbers = set(choice.tolist() if duel.anyone_moves else choice[-1:].tolist()) - {-1}
    n_attacks = max((fighter.shots[i].n_attacks for i in weapon_numbers), default=1)
    volley = [Slot(f"{side}_", f"{OPPONENT[side]}_", attack, False, choice) for attack in range(n_attacks)]
    turn = volley * duel.actions
    turn[-1] = Slot(turn[-1].actor, turn[-1].foe, turn[-1].attack, True, choice)
    return turn


def start_columns(duel: Duel) -> dict[str, int]:
    """Return the columns this duel needs, and no others, with their values at the start."""
    columns: dict[str, int] = {}
    for side, foe in (("a", duel.b), ("b", duel.a)):
        fighter = duel.fighter(side)
        columns[f"{side}_health"] = fighter.health
        if fighter.shield != "none":
            columns[f"{side}_shield"] = UP if fighter.shield == "up" else DOWN
        longest_burn = max((shot.readings.burn_attacks for shot in foe.shots if shot.burns), default=0)
        columns |= {f"{side}_burn_{n}": 0 for n in range(1, longest_burn + 1)}
        if any("emp" in shot.effects for shot in foe.shots):
            columns[f"{side}_emp"] = 0
        columns |= lost_at_start(side, fighter.lost_actions)
        if duel.anyone_moves and duel.actions > duel.max_moves:
            columns |= {f"{side}_moves": 0} | ({f"{side}_done": 0} if fighter.jump else {})
    if duel.anyone_moves:
        columns["distance"] = duel.distance
    return columns


def needs_volley(duel: Duel, start: dict[str, int]) -> bool:
    """Return whether a second attack slot must be told what the first one did: not if the weapon is always the same."""
    certain = not duel.anyone_moves and not any(name.endswith(("_emp", LOST_ACTIONS)) for name in start)
    raises = any(f.shield == "raise" for f in (duel.a, duel.b))
    return not certain or raises


def take_slot(duel: Duel, resolve: Resolver, slot: Slot, state: State, rolls: Rolls) -> State:
    """Make one attack slot of a turn: decide on the action, attack if it is an attack, end the turn if it is last.

    `resolve` plays one attack: rolled, or drawn from its distribution.
    """
    state = dict(state)
    if slot.attack == 0:
        weapon = _decide(duel, slot, state)
    else:  # as in the first attack of this action
        weapon = state["volley"] - np.int16(1) if "volley" in state else int(slot.choice[-1])
    fighter = duel.fighter(slot.actor[0])
    for index, shot in enumerate(fighter.shots):
        if index not in slot.choice or shot.n_attacks <= slot.attack:
            continue
        if isinstance(weapon, int):
            if weapon == index:
                _strike(duel, resolve, slot, index, None, state, rolls)
        else:
            _strike(duel, resolve, slot, index, weapon == index, state, rolls)
    if "volley" in state and slot.attack == 0:
        state["volley"] = np.asarray(weapon + np.zeros_like(state["volley"]) + 1, np.int16)
    if slot.last:
        _end_turn(slot, state)
    return state


def _end_turn(slot: Slot, state: State) -> None:
    """Remove one EMP token of the side whose turn ends, and forget its moves."""
    if f"{slot.actor}emp" in state:
        state[f"{slot.actor}emp"] = np.maximum(state[f"{slot.actor}emp"] - np.int16(1), np.int16(0))
    names = [name for name in (f"{slot.actor}moves", f"{slot.actor}done") if name in state]
    state |= {name: np.zeros_like(state[name]) for name in names}


def _decide(duel: Duel, slot: Slot, state: State) -> IntArray | int:
    """Raise the shield or move where that comes first (changing `state`); return the weapon to fire, -1 for none."""
    fighter = duel.fighter(slot.actor[0])
    free: BoolArray | None = None
    if f"{slot.actor}emp" in state:
        free = state[f"{slot.actor}emp"] == 0
    if f"{slot.actor}done" in state:
        may_act = state[f"{slot.actor}done"] == 0
        free = may_act if free is None else free & may_act
    if f"{slot.actor}{LOST_ACTIONS}" in state:
        all_trials = np.ones(n_trials(state), bool)
        free, after = acting(state, slot.actor[0], all_trials if free is None else free)
        state |= after
    if fighter.shield == "raise":
        shield = state[f"{slot.actor}shield"]
        raises = (shield == DOWN) if free is None else free & (shield == DOWN)
        state[f"{slot.actor}shield"] = np.where(raises, UP, shield).astype(np.int16)
        free = ~raises if free is None else free & ~raises
    if "distance" not in state:
        weapon = int(slot.choice[-1])
        return weapon if free is None else np.where(free, weapon, -1).astype(np.int16)
    weapons = slot.choice[state["distance"]]
    weapons = weapons if free is None else np.where(free, weapons, -1).astype(np.int16)
    _move(duel, slot, (weapons < 0) if free is None else free & (weapons < 0), state)
    return weapons


def _move(duel: Duel, slot: Slot, wants_to_move: BoolArray, state: State) -> None:
    """Go towards the enemy: a move, or a jump once the moves of this turn are spent."""
    fighter, distance, reach = duel.fighter(slot.actor[0]), state["distance"], max(duel.fighter(slot.actor[0]).ranges)
    moves = state.get(f"{slot.actor}moves", np.zeros_like(distance))
    is_finished = state.get(f"{slot.actor}done", np.zeros_like(distance)) > 0
    moves_now = wants_to_move & may_move(moves, is_finished, duel.max_moves)
    jumps_now = wants_to_move & ~moves_now & may_jump(fighter.jump, is_finished)
    jumps_now &= jump_lands(distance, fighter.speed, exact=duel.jump_exact)
    if f"{slot.actor}moves" in state:
        state[f"{slot.actor}moves"] = (moves + moves_now).astype(np.int16)
    if f"{slot.actor}done" in state:
        state[f"{slot.actor}done"] = (is_finished | jumps_now).astype(np.int16)
    after = nearer(distance, fighter.speed, 1 if duel.jump_exact else reach)
    after = np.where(moves_now, nearer(distance, fighter.speed, reach), after)
    state["distance"] = np.where(moves_now | jumps_now, after, distance).astype(np.int16)


def _strike(
    duel: Duel, resolve: Resolver, slot: Slot, index: int, is_attack: BoolArray | None, state: State, rolls: Rolls
) -> None:
    """Make one attack in the trials `is_attack` (None for all) and write what it does into `state`."""
    shot = duel.fighter(slot.actor[0]).shots[index]
    shield_up = state[f"{slot.foe}shield"] == UP if f"{slot.foe}shield" in state else False
    armour = armour_left(shot.armour, state, slot.foe)
    outcome = resolve(shot, shield_up, armour, rolls, dice_of(slot.actor[0], index))
    if is_attack is not None:
        outcome = {name: values * is_attack for name, values in outcome.items()}
    state |= absorb(shot, state, outcome, slot.foe, is_attack)
    state[f"{slot.foe}health"] = state[f"{slot.foe}health"] - outcome["damage"]
    if "emp" in shot.effects and f"{slot.foe}emp" in state:
        tokens, new_tokens = state[f"{slot.foe}emp"], outcome["emp"] * np.int16(duel.emp_turns)
        token_sum = tokens + new_tokens if duel.emp_adds_up else np.maximum(tokens, new_tokens)
        state[f"{slot.foe}emp"] = np.minimum(token_sum, MOST_EMP_TOKENS).astype(np.int16)
    if f"{slot.actor}health" in state:
        _blasts(duel, slot, shot, outcome, is_attack, state, rolls)


def dice_of(side: str, index: int) -> str:
    """Return how the names of the dice of a weapon begin, by its number from 0."""
    return f"{side} " if index == 0 else f"{side} weapon {index + 1} "


def _blasts(
    duel: Duel, slot: Slot, shot: Shot, outcome: State, is_attack: BoolArray | None, state: State, rolls: Rolls
) -> None:
    """Apply what an attack does to the attacker itself: its own splash, and the Overload of what it destroyed."""
    distance = state.get("distance", np.int16(duel.distance))
    actor, foe = duel.fighter(slot.actor[0]), duel.fighter(slot.foe[0])
    if "high_explosive" in shot.effects and duel.own_splash_hurts and duel.distance_can_reach(duel.splash_radius):
        _blast(duel, slot.actor, outcome["splash"] * (distance <= duel.splash_radius), state, rolls)
        if duel.own_splash_triggers and actor.overload:
            dead = (state[f"{slot.actor}health"] <= 0) & (distance <= duel.overload_radius)
            _blast(duel, slot.foe, actor.overload * dead, state, rolls)
    if foe.overload and duel.distance_can_reach(duel.overload_radius):
        dead = (state[f"{slot.foe}health"] <= 0) & (distance <= duel.overload_radius)
        dead = dead if is_attack is None else dead & is_attack
        _blast(duel, slot.actor, foe.overload * dead, state, rolls)


def _blast(duel: Duel, side: str, damage: IntArray, state: State, rolls: Rolls) -> None:
    """Take `damage` from a side without armour; Slim and Supershield help only under those readings."""
    if duel.fighter(side[0]).slim:
        damage = damage * (rolls.count(duel.special_faces, 1, duel.dodge_faces, f"{side[0]} blast slim") == 0)
    if duel.blast_stopped_by_shield and f"{side}shield" in state:
        damage = damage * ~_shield_absorbs(duel, side, damage, state, rolls)
    state[f"{side}health"] = (state[f"{side}health"] - damage).astype(np.int16)


def _shield_absorbs(duel: Duel, side: str, damage: IntArray, state: State, rolls: Rolls) -> BoolArray:
    """Return where an active shield takes a blast like an attack (WF-Q15), and burn it out on a failed roll."""
    shield = state[f"{side}shield"]
    absorbs = (shield == UP) & (damage > 0)
    fails = rolls.count(duel.special_faces, 1, duel.keep_faces, f"{side[0]} blast shield") == 0
    state[f"{side}shield"] = np.where(absorbs & fails, BURNT_OUT, shield).astype(np.int16)
    return np.asarray(absorbs)


def may_move(moves: IntArray, is_finished: BoolArray, max_moves: int) -> BoolArray:
    """Return where a unit may still move, `bool[n]`: it has made fewer than `max_moves` and its turn is not over.

    >>> may_move(np.array([1, 2, 0]), np.array([False, False, True]), 2).tolist()
    [True, False, False]
    """
    return np.asarray((moves < max_moves) & ~is_finished)


def may_jump(has_jump: bool, is_finished: BoolArray) -> BoolArray:
    """Return where a unit may jump, `bool[n]`: it has the ability and has not jumped this turn; moves do not matter.

    >>> may_jump(True, np.array([False, True])).tolist()
    [True, False]
    """
    return np.asarray(~is_finished & has_jump)


def jump_lands(distance: IntArray, speed_cells: int, *, exact: bool) -> BoolArray:
    """Return where a jump towards the enemy, so many cells away, finds a free cell, `bool[n]`.

    An exact jump (WF-Q17) goes its whole length, and must not pass the enemy.

    >>> jump_lands(np.array([3, 6]), 4, exact=True).tolist()
    [False, True]
    """
    return np.asarray(distance - speed_cells >= 1) if exact else np.asarray(distance > 1)


def nearer(distance: IntArray, speed_cells: int, reach_cells: int) -> IntArray:
    """Return the cells to the enemy after going towards him, up to the speed and no closer than `reach_cells`.

    >>> nearer(np.array([9, 5, 20]), 4, 6).tolist()
    [6, 5, 16]
    """
    return np.minimum(distance, np.maximum(distance - speed_cells, reach_cells))
