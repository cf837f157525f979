"""A second telling of who does what to whom: every activation in every trial, as one function after another.

It shares with the players of `balance.rulebook.play` what a file says, how a script is rolled, what a policy chooses,
and the order of rounds; whom a unit attacks, what comes of it and who is out are told here again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.dice.rolling.laws import Values
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Rolls
from balance.game.kit.combat.members import any_place, put_at, value_at
from balance.rulebook.play.choices import View, choose_options
from balance.rulebook.play.rounds import steps_of
from balance.rulebook.play.script import Script, beyond
from balance.rulebook.play.script_laws import Env, value
from balance.rulebook.play.turns import Player
from balance.rulebook.play.units import Fight

USUAL_TURN = (("acts", 1), ("passes", 0))
FAR = 2**14


def told_again(process: Process, fight: Fight) -> Process:
    """Return the process of a fight in which side a goes first, by the rules as they are told here."""
    twin = cast("Player", Twin(fight.rolled("literal")))
    outcome = cast("partial[Any]", process.outcome)
    return replace(process, steps=steps_of(twin, "a", "b"), outcome=partial(outcome.func, twin, *outcome.args[1:]))


def activation(
    fight: Fight, state: State, side: str, place: int, mask: BoolArray, rolls: Rolls
) -> tuple[State, BoolArray]:
    """Return the state after a unit acted, and whether the turn of its side has passed with that, `bool[n]`.

    It chooses, has its turn, makes its attacks, and does what follows them. `mask`, `bool[n]`, has the trials in which
    it may act at all.
    """
    rules, name = fight.rules, fight.label(side, place)
    target, active = target_of(fight, state, side, place), mask & _may_attack(fight, state, side, place)
    flags = _choose(fight, state, side, place, target, active, rolls) if rules.book.choices else {}
    state, env = _play(fight, rules.turn, state, side, place, target, active, rolls, name, flags)
    acts, passes = (env.get(key, usual) for key, usual in USUAL_TURN)
    for number in range(rules.book.turns.most_acts):
        attacks, label = active & (acts > number), name
        if number > 0:
            target, label = target_of(fight, state, side, place), f"{name} again {number}"
            attacks &= _may_attack(fight, state, side, place)
        state, attack = _play(fight, rules.attack, state, side, place, target, attacks, rolls, label, flags)
        state = with_out(fight, _carried(fight, state, side, attack, attacks))
        state = _strike_back(fight, state, side, place, target, attacks, rolls, label)
    if rules.after.deeds:
        state, _ = _play(fight, rules.after, state, side, place, target, active, rolls, name, flags)
        state = with_out(fight, state)
    return state, active & (passes != 0)


def _may_attack(fight: Fight, state: State, side: str, place: int) -> BoolArray:
    """Return in which trials a unit and at least one foe are not out, `bool[n]`."""
    return np.asarray(fight.lives(state, side)[:, place] & any_place(fight.lives(state, fight.foe_of(side))))


def _carried(fight: Fight, state: State, side: str, env: Env, mask: BoolArray) -> State:
    """Return the state after losses beyond the health of the target pass to the next units in line, front to back."""
    book, foe = fight.rules.book, fight.foe_of(side)
    column, rest = f"{foe}_{book.health}", env.get(beyond(f"foe.{book.health}"))
    if book.armies.excess == "lost" or rest is None or state[f"{foe}_out"].shape[1] == 1:
        return state
    health = np.where(fight.lives(state, foe), state[column], 0)
    before = health.cumsum(axis=1) - health
    losses = np.where(mask, np.maximum(0, -np.asarray(rest, np.int64)), 0)
    return {**state, column: (state[column] - np.clip(losses[:, None] - before, 0, health)).astype(np.int16)}


def _play(
    fight: Fight,
    script: Script,
    state: State,
    side: str,
    place: int,
    target: Values,
    mask: BoolArray,
    rolls: Rolls,
    name: str,
    flags: Mapping[str, Values],
) -> tuple[State, Env]:
    """Return the state after a script, changed only where `mask` holds, and the names with their values."""
    if not script.deeds:
        return state, Env()
    env = fight.env(state, side, place, target, script) | {key: flags[key] for key in script.needs if key in flags}
    env = fight.play(script, env, rolls, name, mask)
    return changed(fight, state, side, place, target, env, script.changes, mask), env


def _strike_back(
    fight: Fight, state: State, side: str, place: int, target: Values, mask: BoolArray, rolls: Rolls, name: str
) -> State:
    """Return the state after the target, if it is not out and the rules let it, has attacked back."""
    script = fight.rules.singles.get("strike_back")
    if script is None:
        return state
    foe = fight.foe_of(side)
    n_places = fight.armies.places[foe].shape[1]
    for number in range(n_places):
        here = (
            mask
            & (np.asarray(target) == number)
            & fight.lives(state, foe)[:, number]
            & fight.lives(state, side)[:, place]
        )
        label = f"{name} struck back" if n_places == 1 else f"{name} struck back by {number + 1}"
        env = fight.play(script, fight.env(state, foe, number, place, script), rolls, label, here)
        here = here & (np.asarray(env["strike_back"]) != 0)
        state, _ = _play(fight, fight.rules.attack, state, foe, number, place, here, rolls, label, {})
        state = with_out(fight, state)
    return state


def with_out(fight: Fight, state: State) -> State:
    """Return the state with every unit marked out that the rule `out`, or else health 0, puts out; none returns."""
    after = dict(state)
    for side in fight.sides:
        out, script = state[f"{side}_out"], fight.rules.singles.get("out")
        if script is None:
            after[f"{side}_out"] = out | (state[f"{side}_{fight.rules.book.health}"] <= 0)
            continue
        columns = []
        for place in range(out.shape[1]):
            env = fight.env(state, side, place, 0, script)
            flag = value(script, env)
            columns.append(out[:, place] | (np.broadcast_to(np.asarray(flag), len(out)) != 0))
        after[f"{side}_out"] = np.stack(columns, axis=1)
    return after


# -- whom a unit attacks ----------------------------------------------------------------------------------------------


def target_of(fight: Fight, state: State, side: str, place: int) -> Values:
    """Return the place of the foe that a unit attacks: 0 if there is one place, else `int64[n]` by `armies.target`."""
    foe = fight.foe_of(side)
    if fight.armies.places[foe].shape[1] == 1:
        return 0
    reach = in_front(fight, state, foe)
    way, health = fight.rules.book.armies.target, fight.rules.book.health
    if way in ("weakest", "strongest") and health in fight.rules.values:
        values = state[f"{foe}_{health}"].astype(np.int64)
        return np.asarray(np.where(reach, values if way == "weakest" else -values, FAR).argmin(axis=1))
    if way == "spread":
        own_number = in_front(fight, state, side)[:, :place].sum(axis=1)
        n_there = np.maximum(1, reach.sum(axis=1))
        return np.asarray((reach.cumsum(axis=1) == (own_number % n_there + 1)[:, None]).argmax(axis=1))
    return np.asarray(reach.argmax(axis=1))


def in_front(fight: Fight, state: State, side: str) -> BoolArray:
    """Return which units of a side act and can be attacked, `bool[n, k]`: the first of those that are not out."""
    lives, front = fight.lives(state, side), fight.rules.book.armies.front
    is_all = front is None or lives.shape[1] <= front
    return lives if is_all else np.asarray(lives & (lives.cumsum(axis=1) <= front))


# -- choices ----------------------------------------------------------------------------------------------------------


def _choose(
    fight: Fight, state: State, side: str, place: int, target: Values, mask: BoolArray, rolls: Rolls
) -> dict[str, Values]:
    """Return flag -> 0 or 1 per trial for the options that a side's policy chooses."""

    def holds(script: Script) -> BoolArray:
        return np.asarray(np.asarray(value(script, fight.env(state, side, place, target, script))) != 0)

    def ask(name: str, legal: BoolArray, view: View) -> IntArray:
        return rolls.choose(side, fight.label(side, place, name), legal, view, tuple(view.choice.options))

    return choose_options(fight.rules, mask, holds, ask)


def changed(
    fight: Fight,
    state: State,
    side: str,
    place: int,
    foe_place: Values,
    env: Env,
    names: tuple[str, ...],
    mask: BoolArray,
) -> State:
    """Return the state with values such as `foe.wounds` taken from `env` in the trials of `mask`, `bool[n]`."""
    after = dict(state)
    for name in names:
        owner, _, own_name = name.partition(".")
        who, where = (side, place) if owner == "me" else (fight.foe_of(side), foe_place)
        column = f"{who}_{own_name}"
        before = after[column][:, where] if isinstance(where, int) else value_at(after[column], where)
        new = np.where(mask, env[name], before).astype(np.int16, copy=False)
        after[column] = new[:, None] if after[column].shape[1] == 1 else put_at(after[column], where, new)
    return after


@dataclass(frozen=True, eq=False)
class Twin:
    """Makes every activation in every trial, and a mask says where it counts: so all ways of dice can be listed."""

    fight: Fight

    def turn(self, side: str, state: State, rolls: Rolls, mask: BoolArray | None = None) -> State:
        """Return the state after every unit of a side in front has acted, until one passes the turn."""
        goes_on = np.ones(rolls.n, bool) if mask is None else mask
        acting = in_front(self.fight, state, side)
        for place in range(acting.shape[1]):
            state, passes = activation(self.fight, state, side, place, goes_on & acting[:, place], rolls)
            goes_on = goes_on & ~passes
        return state

    def one_unit(self, side: str, place: int, state: State, rolls: Rolls) -> State:
        """Return the state after the unit in one place of a side acted."""
        acting = in_front(self.fight, state, side)
        if place < acting.shape[1]:
            state, _ = activation(self.fight, state, side, place, acting[:, place], rolls)
        return state

    def with_out(self, state: State) -> State:
        """Return the state with every unit marked out that is out now."""
        return with_out(self.fight, state)

    def score(self, state: State, side: str) -> IntArray:
        """Return the score of a side after the last round: the sum over its units that are not out, `int64[n]`."""
        script, lives = self.fight.rules.singles["score"], self.fight.lives(state, side)
        total = np.zeros(len(lives), np.int64)
        for place in range(lives.shape[1]):
            env = self.fight.env(state, side, place, 0, script)
            total = total + np.where(lives[:, place], value(script, env), 0)
        return total

    def initiative(self, side: str, state: State, rolls: Rolls) -> IntArray:
        """Return the initiative of a side, `int64[n]`."""
        fight, script = self.fight, self.fight.rules.singles["initiative"]
        lives = fight.lives(state, side)
        place: Values = 0 if lives.shape[1] == 1 else np.asarray(lives.argmax(axis=1))
        env = fight.env(state, side, 0, 0, script)
        if not isinstance(place, int):
            env |= {
                name: fight.value(state, side, place, name.partition(".")[2])
                for name in script.needs
                if name.startswith("me.")
            }
        result = fight.play(script, env, rolls, side, None)["initiative"]
        return np.broadcast_to(np.asarray(result, np.int64), rolls.n)

    def end_of_round(self, state: State, rolls: Rolls) -> State:
        """Return the state after the steps of section `round` for each unit."""
        fight, script = self.fight, self.fight.rules.round
        if not script.deeds:
            return state
        for side in fight.sides:
            for place in range(state[f"{side}_out"].shape[1]):
                lives, target = fight.lives(state, side)[:, place], target_of(fight, state, side, place)
                name = fight.label(side, place)
                state, _ = _play(fight, script, state, side, place, target, lives, rolls, f"{name}, end of round:", {})
        return with_out(fight, state)
