"""Two armed units take turns until one falls or a round limit is reached (ledger level B).

A turn has a number of actions, by default one (WF-ACT.1: as many as the unit limit, and a duel has one unit a side).
With each action the unit whose turn it is does the first of these that applies:

1. nothing, if an EMP token disables it (WF-EFF.4; the token goes at the end of that turn, WF-Q13);
2. raise its Supershield, if it has one, it is not active and has not burnt out (WF-ABIL.4), and its policy is to raise
   it;
3. attack, with the equipped weapon in range that deals the most damage per action on average to a fresh target;
4. move towards the enemy, at most its speed and at most twice a turn (WF-ACT.3), no closer than it needs.

Nobody retreats, jumps or destroys itself. A destroyed unit with Overload hurts its killer if that is within reach
(WF-ABIL.5); High Explosive reaches its own shooter at distance 1 (WF-EFF.2, WF-Q8). Units start `distance` cells
apart, by default 2: in range of every weapon of the shipped catalogue, in reach of Overload, outside that of High
Explosive.

A turn is cut into slots of one attack each, the steps of the process; Rapid Fire uses a second slot of the same action.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from balance.core.process import BoolArray, Process, State
from balance.core.rolls import Rolls
from balance.games.warforged.attack import (
    DOWN,
    UP,
    Resolver,
    Shot,
    absorb,
    armour_left,
    attack_law,
    draw_wounds,
)
from balance.pmf.arrays import IntArray

__all__ = ["DUEL_COLUMNS", "KILL_COLUMNS", "LONGEST_ROUNDS", "Duel", "Fighter", "duel_processes", "kill_process"]

LONGEST_ROUNDS = 10_000
"""Rounds after which a duel without a limit is called a draw."""

MOST_EMP_TOKENS = 9
"""EMP tokens a unit can hold, under the reading that they add up."""

DUEL_COLUMNS = {
    "winner": "0 draw, 1 side a, 2 side b",
    "rounds": "rounds begun (a round is one turn of each side)",
    "a_health": "health side a has left",
    "b_health": "health side b has left",
    "overkill": "damage beyond what was needed to destroy the loser",
}
"""What a duel reports, and what it means."""

KILL_COLUMNS = {
    "actions": "Attack actions made until the target falls",
    "overkill": "damage beyond what was needed to destroy it",
}
"""What attacking one target until it falls reports."""


@dataclass(frozen=True)
class Fighter:
    """One side of a duel: all that its cards, and the enemy's, fix for the whole duel.

    Attributes
    ----------
    shots, ranges
        One per equipped weapon: against this enemy, and how far it reaches in cells.
    health, speed
        Of the unit.
    shield
        "none", or the policy for the Supershield: "raise" (first action), "up" (active from the start) or "never".
    overload
        Damage it deals to its killer when destroyed, 0 without the ability.
    slim
        Whether splash and Overload may miss it, as the D6 of Slim says (only under that reading of WF-Q4).
    """

    shots: tuple[Shot, ...]
    ranges: tuple[int, ...]
    health: int
    speed: int
    shield: str = "none"
    overload: int = 0
    slim: bool = False

    @property
    def can_hurt(self) -> bool:
        """Whether it can ever take health from the enemy."""
        return self.overload > 0 or any(best_damage(shot) > 0 for shot in self.shots)


@lru_cache(maxsize=4096)
def best_damage(shot: Shot) -> float:
    """Return the mean damage of one action with this weapon against a fresh target whose shield is down."""
    return attack_law(shot, False, shot.armour).mean("damage") * shot.n_attacks


@dataclass(frozen=True)
class Duel:
    """A duel between fighters a and b.

    Attributes
    ----------
    first
        "a", "b" or "random".
    actions
        Actions a turn.
    round_limit
        Rounds to play, 0 for no limit.
    distance
        Cells between the two at the start.
    overload_radius, splash_radius, max_moves
        Rules' constants: cells, cells, moves a unit may make in a turn.
    own_splash_hurts, own_splash_triggers
        Whether High Explosive hurts its own shooter (WF-Q8), and whether dying of it triggers Overload (WF-Q12).
    dodge_faces, special_faces
        Faces on which Slim avoids a blast, of a die with how many.
    emp_turns, emp_adds_up
        Own turns lost to an EMP token, and whether tokens add up (WF-Q13).
    blast_stopped_by_shield
        Whether an active Supershield stops splash and Overload (WF-Q15).
    health_decides
        Whether remaining health decides at the round limit (WF-Q18).
    """

    a: Fighter
    b: Fighter
    first: str = "a"
    actions: int = 1
    dodge_faces: tuple[int, ...] = (1,)
    special_faces: int = 6
    emp_turns: int = 1
    emp_adds_up: bool = False
    round_limit: int = 0
    distance: int = 2
    overload_radius: int = 2
    splash_radius: int = 1
    max_moves: int = 2
    own_splash_hurts: bool = True
    own_splash_triggers: bool = False
    blast_stopped_by_shield: bool = False
    health_decides: bool = True

    def fighter(self, side: str) -> Fighter:
        """Return the fighter of side "a" or "b"."""
        return self.a if side == "a" else self.b

    def distance_can_reach(self, cells: int) -> bool:
        """Whether the two can ever be at most `cells` apart."""
        nearest = (
            min(max(f.ranges, default=self.distance) for f in (self.a, self.b)) if self.anyone_moves else self.distance
        )
        return min(nearest, self.distance) <= cells

    @property
    def anyone_moves(self) -> bool:
        """Whether the distance can change: someone starts out of range and can walk."""
        return any(f.speed > 0 and max(f.ranges, default=0) < self.distance for f in (self.a, self.b))


@dataclass(frozen=True)
class _Slot:
    """One attack slot of a turn.

    Attributes
    ----------
    me, foe
        Column prefixes, "a_" and "b_" or the other way round.
    attack
        Which attack of the action this is, from 0.
    last
        Whether the turn ends with this slot.
    choice
        Weapon to use by distance, `int16[distance + 1]`, -1 for none in range.
    """

    me: str
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


def _slots(duel: Duel, side: str) -> list[_Slot]:
    """Return the slots of one turn of a side."""
    other = "b" if side == "a" else "a"
    fighter, choice = duel.fighter(side), _choices(duel.fighter(side), duel.distance)
    used = set(choice.tolist() if duel.anyone_moves else choice[-1:].tolist()) - {-1}
    n_attacks = max((fighter.shots[i].n_attacks for i in used), default=1)
    volley = [_Slot(f"{side}_", f"{other}_", attack, False, choice) for attack in range(n_attacks)]
    turn = volley * duel.actions
    turn[-1] = _Slot(turn[-1].me, turn[-1].foe, turn[-1].attack, True, choice)
    return turn


def _start(duel: Duel) -> dict[str, int]:
    """Return the columns this duel needs, and no others, with their values at the start."""
    columns: dict[str, int] = {}
    for side, foe in (("a", duel.b), ("b", duel.a)):
        fighter = duel.fighter(side)
        columns[f"{side}_health"] = fighter.health
        if fighter.shield != "none":
            columns[f"{side}_shield"] = UP if fighter.shield == "up" else DOWN
        lasting = max((shot.readings.burn_attacks for shot in foe.shots if shot.burns), default=0)
        columns |= {f"{side}_burn_{left}": 0 for left in range(1, lasting + 1)}
        if any("emp" in shot.effects for shot in foe.shots):
            columns[f"{side}_emp"] = 0
        if duel.anyone_moves and duel.actions > duel.max_moves:
            columns[f"{side}_moves"] = 0
    if duel.anyone_moves:
        columns["distance"] = duel.distance
    return columns


def _needs_volley(duel: Duel, start: dict[str, int]) -> bool:
    """Whether a second attack slot must be told what the first one did."""
    certain = not duel.anyone_moves and not any(name.endswith("_emp") for name in start)
    raises = any(f.shield == "raise" for f in (duel.a, duel.b))
    return not certain or raises


def take_slot(duel: Duel, resolve: Resolver, slot: _Slot, state: State, rolls: Rolls) -> State:
    """Make one attack slot of a turn: decide on the action, attack if it is an attack, end the turn if it is last."""
    state = dict(state)
    weapon = _decide(duel, slot, state) if slot.attack == 0 else _continue(duel, slot, state)
    fighter = duel.fighter(slot.me[0])
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


def _end_turn(slot: _Slot, state: State) -> None:
    """Remove one EMP token of the side whose turn ends, and forget its moves."""
    if f"{slot.me}emp" in state:
        state[f"{slot.me}emp"] = np.maximum(state[f"{slot.me}emp"] - np.int16(1), np.int16(0))
    if f"{slot.me}moves" in state:
        state[f"{slot.me}moves"] = np.zeros_like(state[f"{slot.me}moves"])


def _decide(duel: Duel, slot: _Slot, state: State) -> IntArray | int:
    """Raise the shield or move where that comes first (changing `state`); return the weapon to fire, -1 for none."""
    fighter = duel.fighter(slot.me[0])
    free: BoolArray | None = None
    if f"{slot.me}emp" in state:
        free = state[f"{slot.me}emp"] == 0
    if fighter.shield == "raise":
        shield = state[f"{slot.me}shield"]
        raises = (shield == DOWN) if free is None else free & (shield == DOWN)
        state[f"{slot.me}shield"] = np.where(raises, UP, shield).astype(np.int16)
        free = ~raises if free is None else free & ~raises
    if "distance" not in state:
        weapon = int(slot.choice[-1])
        return weapon if free is None else np.where(free, weapon, -1).astype(np.int16)
    chosen = slot.choice[state["distance"]]
    chosen = chosen if free is None else np.where(free, chosen, -1).astype(np.int16)
    _move(duel, slot, (chosen < 0) if free is None else free & (chosen < 0), state)
    return chosen


def _move(duel: Duel, slot: _Slot, moving: BoolArray, state: State) -> None:
    fighter, distance = duel.fighter(slot.me[0]), state["distance"]
    if f"{slot.me}moves" in state:
        moving = moving & (state[f"{slot.me}moves"] < duel.max_moves)
        state[f"{slot.me}moves"] = (state[f"{slot.me}moves"] + moving).astype(np.int16)
    nearer = np.maximum(distance - fighter.speed, max(fighter.ranges))
    state["distance"] = np.where(moving, np.minimum(distance, nearer), distance).astype(np.int16)


def _continue(duel: Duel, slot: _Slot, state: State) -> IntArray | int:
    """Return the weapon of this action's first attack, for the attacks that follow it."""
    return state["volley"] - np.int16(1) if "volley" in state else int(slot.choice[-1])


def _strike(
    duel: Duel, resolve: Resolver, slot: _Slot, index: int, struck: BoolArray | None, state: State, rolls: Rolls
) -> None:
    """Make one attack in the trials `struck` (None for all) and write what it does into `state`."""
    shot = duel.fighter(slot.me[0]).shots[index]
    shield_up = state[f"{slot.foe}shield"] == UP if f"{slot.foe}shield" in state else False
    dice = f"{slot.me[0]} " if index == 0 else f"{slot.me[0]} weapon {index + 1} "
    outcome = resolve(shot, shield_up, armour_left(shot, state, slot.foe), rolls, dice)
    if struck is not None:
        outcome = {name: values * struck for name, values in outcome.items()}
    state |= absorb(shot, state, outcome, slot.foe, struck)
    state[f"{slot.foe}health"] = state[f"{slot.foe}health"] - outcome["damage"]
    if "emp" in shot.effects:
        tokens, lost = state[f"{slot.foe}emp"], outcome["emp"] * np.int16(duel.emp_turns)
        most = tokens + lost if duel.emp_adds_up else np.maximum(tokens, lost)
        state[f"{slot.foe}emp"] = np.minimum(most, MOST_EMP_TOKENS).astype(np.int16)
    if f"{slot.me}health" in state:
        _blasts(duel, slot, shot, outcome, struck, state, rolls)


def _blasts(
    duel: Duel, slot: _Slot, shot: Shot, outcome: State, struck: BoolArray | None, state: State, rolls: Rolls
) -> None:
    """Apply what an attack does to the attacker itself: its own splash, and the Overload of what it destroyed."""
    distance = state.get("distance", np.int16(duel.distance))
    me, foe = duel.fighter(slot.me[0]), duel.fighter(slot.foe[0])
    if "high_explosive" in shot.effects and duel.own_splash_hurts and duel.distance_can_reach(duel.splash_radius):
        _blast(duel, slot.me, outcome["splash"] * (distance <= duel.splash_radius), state, rolls)
        if duel.own_splash_triggers and me.overload:
            dead = (state[f"{slot.me}health"] <= 0) & (distance <= duel.overload_radius)
            _blast(duel, slot.foe, me.overload * dead, state, rolls)
    if foe.overload and duel.distance_can_reach(duel.overload_radius):
        dead = (state[f"{slot.foe}health"] <= 0) & (distance <= duel.overload_radius)
        dead = dead if struck is None else dead & struck
        _blast(duel, slot.me, foe.overload * dead, state, rolls)


def _blast(duel: Duel, side: str, damage: IntArray, state: State, rolls: Rolls) -> None:
    """Take `damage` from a side without armour; Slim and Supershield help only under those readings."""
    if duel.fighter(side[0]).slim:
        damage = damage * (rolls.count(duel.special_faces, 1, duel.dodge_faces, f"{side[0]} blast slim") == 0)
    if duel.blast_stopped_by_shield and f"{side}shield" in state:
        damage = damage * (state[f"{side}shield"] != UP)
    state[f"{side}health"] = (state[f"{side}health"] - damage).astype(np.int16)


def duel_processes(duel: Duel, resolve: Resolver = draw_wounds) -> tuple[Process, ...]:
    """Return the duel as processes, all equally likely: one, or one for each side going first.

    Columns are `DUEL_COLUMNS`; state columns exist only where these two fighters need them.
    """
    orders = {"a": ("ab",), "b": ("ba",), "random": ("ab", "ba")}[duel.first]
    return tuple(_process(duel, resolve, order) for order in orders)


def _process(duel: Duel, resolve: Resolver, order: str) -> Process:
    slots = _slots(duel, order[0]) + _slots(duel, order[1])
    start = _start(duel)
    if _needs_volley(duel, start) and any(slot.attack for slot in slots):
        start["volley"] = 0
    rounds = duel.round_limit or (LONGEST_ROUNDS if duel.a.can_hurt or duel.b.can_hurt else 1)
    return Process(
        start=start,
        steps=tuple(partial(take_slot, duel, resolve, slot) for slot in slots),
        over=_someone_fell,
        outcome=partial(_duel_outcome, len(slots), duel.health_decides and duel.round_limit > 0),
        max_steps=rounds * len(slots),
    )


def _someone_fell(state: State) -> BoolArray:
    return (state["a_health"] <= 0) | (state["b_health"] <= 0)


def _duel_outcome(slots_per_round: int, health_decides: bool, state: State, steps: IntArray) -> State:
    a, b = state["a_health"], state["b_health"]
    undecided = (a > 0) & (b > 0)
    by_health = np.where(a > b, 1, np.where(b > a, 2, 0)) if health_decides else np.zeros_like(a)
    winner = np.where(undecided, by_health, np.where(a > 0, 1, np.where(b > 0, 2, 0)))
    return {
        "winner": winner,
        "rounds": (steps - 1) // slots_per_round + 1,
        "a_health": np.maximum(a, 0),
        "b_health": np.maximum(b, 0),
        "overkill": np.maximum(-np.minimum(a, b), 0),
    }


def kill_process(duel: Duel, resolve: Resolver = draw_wounds) -> Process:
    """Return side a's attacks on a side b that does nothing, until b falls; columns are `KILL_COLUMNS`."""
    slots = _slots(duel, "a")
    start = {name: value for name, value in _start(duel).items() if name.startswith("b_") and name != "b_emp"}
    reach = 1 if duel.a.can_hurt else 0
    return Process(
        start=start,
        steps=tuple(partial(take_slot, duel, resolve, slot) for slot in slots),
        over=lambda state: state["b_health"] <= 0,
        outcome=partial(_kill_outcome, len(slots)),
        max_steps=len(slots) * (LONGEST_ROUNDS if reach else 1),
    )


def _kill_outcome(n_slots: int, state: State, steps: IntArray) -> State:
    return {"actions": (steps - 1) // n_slots + 1, "overkill": np.maximum(-state["b_health"], 0)}
