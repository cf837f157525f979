"""Battles of armies that differ from trial to trial, of which only the units that act are looked at.

Every unit has a *slot*: its number in the array `[n, k]` of its side. Units that act at the same point of their turns
meet their targets together, whatever trials they are in, and a section is one draw from its joint law (`law_store`).
Trials in which nobody acts cost nothing, so that thousands of battles of any sizes are best played in one run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import RandomRolls, Rolls, bound
from balance.rulebook.play.law_store import LawStore
from balance.rulebook.play.script import NO_ROLLS, Env, Script, beyond
from balance.rulebook.play.slots import Encounter, by_place, copied, first_in_line, in_turn
from balance.rulebook.play.turns import FAR, USUAL_TURN, View, choose_options
from balance.rulebook.play.units import CARD, Fight

FIRST = "·first"
"""Ends the name of the place of the first unit that is not out, which is kept while the other side has its turn."""


@dataclass(frozen=True, eq=False)
class Crowd:
    """Plays the units that act, in rounds as `balance.rulebook.play.rounds` has them."""

    fight: Fight

    # -- turns ----------------------------------------------------------------------------------------------------

    def turn(self, side: str, state: State, rolls: Rolls, mask: BoolArray | None = None) -> State:
        """Return the state after every unit of a side in front has acted, until one passes the turn."""
        state = copied(state)
        acting = self._in_front(~state[f"{side}_out"])
        if mask is not None:
            acting &= mask[:, None]
        goes_on, foe = np.ones(len(acting), bool), self.fight.foe_of(side)
        if self._keeps_first:
            state[f"{foe}{FIRST}"] = first_in_line(state[f"{foe}_out"])
        for number, (rows, slots) in enumerate(self._in_line(acting, rolls)):
            if number > 0 and self.fight.rules.turn.deeds:  # which may pass the turn
                still = goes_on[rows]
                rows, slots = rows[still], slots[still]
            self._activation(state, side, rows, slots, cast("RandomRolls", rolls), number, goes_on)
        state.pop(f"{foe}{FIRST}", None)
        return state

    def _in_line(self, acting: BoolArray, rolls: Rolls) -> Iterator[tuple[IntArray, IntArray]]:
        """Return who acts after whom, place by place where that matters; paired runs have as many requests."""
        is_paired = cast("RandomRolls", rolls).is_paired
        return by_place(acting) if self._out_by_others or is_paired else in_turn(acting)

    def one_unit(self, side: str, place: int, state: State, rolls: Rolls) -> State:
        """Return the state after the unit in one place of a side acted."""
        acting = self._in_front(~state[f"{side}_out"])
        n, k = acting.shape
        if place >= k:
            return state
        state, rows = copied(state), acting[:, place].nonzero()[0]
        self._activation(state, side, rows, rows * k + place, cast("RandomRolls", rolls), place, np.ones(n, bool))
        return state

    def _activation(
        self,
        state: State,
        side: str,
        rows: IntArray,
        slots: IntArray,
        rolls: RandomRolls,
        number: int,
        goes_on: BoolArray,
    ) -> None:
        """Let a unit act in each of some trials, and mark in `goes_on`, `bool[n]`, where the turn of its side passes.

        It chooses, has its turn, makes its attacks, and does what follows them.
        """
        rules, name = self.fight.rules, f"{side} {number + 1}"
        encounter = Encounter(rows, {"me": side, "foe": self.fight.foe_of(side)}, {"me": slots}, {})
        active, able = self._with_targets(state, encounter)
        active = active.some(able)
        if not (len(active) or rolls.is_paired or self._out_by_others):
            return
        if rules.book.choices:
            active = replace(active, flags=self._choose(state, active, rolls, name))
        results = self._play(state, active, rules.turn, rolls, name)
        acts, passes = (results.get(key, usual) for key, usual in USUAL_TURN)
        for again in range(rules.book.turns.most_acts):
            attacking = active if isinstance(acts, int) else active.some(acts > again)
            if again > 0:
                if not len(attacking) and not self._out_by_others:
                    break
                active, able = self._with_targets(state, active)
                attacking = active.some(able & (acts > again))
            label = f"{name} again {again}" if again > 0 else name
            if len(attacking) or rolls.is_paired:
                self._attack(state, attacking, rolls, label)
            self._mark_out(state, active)
            self._strike_back(state, attacking, rolls, label)
        if rules.after.deeds:
            if rules.book.turns.most_acts > 1:
                active, _ = self._with_targets(state, active)
            self._play(state, active, rules.after, rolls, name)
            self._mark_out(state, active)
        if not isinstance(passes, int):
            goes_on[active.rows[passes != 0]] = False

    def _attack(self, state: State, encounter: Encounter, rolls: RandomRolls, name: str) -> None:
        """Attack, and let losses beyond the health of the target pass to the next units in line, front to back."""
        results = self._play(state, encounter, self.fight.rules.attack, rolls, name)
        book, foe = self.fight.rules.book, encounter.sides["foe"]
        rest, out = results.get(beyond(f"foe.{book.health}")), state[f"{foe}_out"]
        if book.armies.excess == "lost" or rest is None or out.shape[1] == 1:
            return
        excess = np.flatnonzero(np.asarray(rest) < 0)
        rows, column = encounter.rows[excess], state[f"{foe}_{book.health}"]
        health = np.where(out[rows], 0, column[rows]).astype(np.int64)
        before = health.cumsum(axis=1) - health
        losses = -np.asarray(rest, np.int64)[excess, None]
        column[rows] = (column[rows] - np.clip(losses - before, 0, health)).astype(np.int16)

    def _strike_back(self, state: State, encounter: Encounter, rolls: RandomRolls, name: str) -> None:
        """Let the target, if it is not out and the rules let it, attack back."""
        script = self.fight.rules.singles.get("strike_back")
        if script is None:
            return
        back = encounter.turned
        back = back.some(~self._out(state, back, "me") & ~self._out(state, back, "foe"))
        name = f"{name} struck back"
        if len(back) or rolls.is_paired:
            back = back.some(np.asarray(self._draw(state, back, script, rolls, name)["strike_back"] != 0))
            self._play(state, back, self.fight.rules.attack, rolls, name)
            self._mark_out(state, back)

    # -- whom a unit attacks --------------------------------------------------------------------------------------

    def _with_targets(self, state: State, encounter: Encounter) -> tuple[Encounter, BoolArray]:
        """Return units with those whom they attack by `armies.target`, and where both are not out, `bool[m]`."""
        way, health = self.fight.rules.book.armies.target, self.fight.rules.book.health
        side, foe = encounter.sides["me"], encounter.sides["foe"]
        out, rows = state[f"{foe}_out"], encounter.rows
        k = out.shape[1]
        if f"{foe}{FIRST}" in state:
            target = state[f"{foe}{FIRST}"].take(rows)
            return encounter.against(rows * k + target), target < k
        reach = self._in_front(~out.take(rows, axis=0))
        if k == 1:
            target = np.zeros(len(rows), np.int64)
        elif way in ("weakest", "strongest") and health in self.fight.rules.values:
            values = state[f"{foe}_{health}"].take(rows, axis=0).astype(np.int64)
            target = np.where(reach, values if way == "weakest" else -values, FAR).argmin(axis=1)
        elif way == "spread":
            own = self._in_front(~state[f"{side}_out"].take(rows, axis=0))
            n_own = own.shape[1]
            place = encounter.slots["me"] - rows * n_own
            own_number = (own & (np.arange(n_own) < place[:, None])).sum(axis=1)
            n_there = np.maximum(1, reach.sum(axis=1))
            target = (reach.cumsum(axis=1) == (own_number % n_there + 1)[:, None]).argmax(axis=1)
        else:
            target = reach.argmax(axis=1)
        encounter = encounter.against(rows * k + target)
        return encounter, ~self._out(state, encounter, "me") & ~self._out(state, encounter, "foe")

    def _in_front(self, lives: BoolArray) -> BoolArray:
        """Return which of the units that are not out act and can be attacked, `bool[n, k]`: the first of them."""
        front = self.fight.rules.book.armies.front
        is_all = front is None or lives.shape[1] <= front
        return lives if is_all else np.asarray(lives & (lives.cumsum(axis=1) <= front))

    def _out(self, state: State, encounter: Encounter, owner: str) -> BoolArray:
        return state[f"{encounter.sides[owner]}_out"].reshape(-1).take(encounter.slots[owner])

    # -- scripts --------------------------------------------------------------------------------------------------

    def _play(self, state: State, encounter: Encounter, script: Script, rolls: RandomRolls, name: str) -> Env:
        """Change the state by a script, and return what it sets."""
        if not script.deeds:
            return {}
        results = self._draw(state, encounter, script, rolls, name)
        for change in script.changes:
            owner, _, own_name = change.partition(".")
            state[f"{encounter.sides[owner]}_{own_name}"].reshape(-1)[encounter.slots[owner]] = results[change]
        return results

    def _draw(
        self, state: State, encounter: Encounter, script: Script, rolls: RandomRolls | None, name: str = ""
    ) -> Env:
        """Return what a script sets, drawn from its laws, or step by step where they are too large."""
        laws = self._laws(script)
        places = laws.find([self._value(state, encounter, *part) for part in laws.parts], len(encounter))
        has_law = places >= 0
        if has_law.all():
            return laws.draw(places, rolls, encounter.rows, name)
        rest = encounter.some(~has_law)
        env = {need: self._value(state, rest, owner, own_name) for need, owner, own_name in script.needed_parts}
        some_rolls = NO_ROLLS if rolls is None else rolls.among(rest.rows)
        by_step = script.play(env, some_rolls, name, None, is_rolled=False)
        if len(rest) == len(encounter):
            return {key: np.broadcast_to(np.asarray(values), len(rest)) for key, values in by_step.items()}
        results = laws.draw(places[has_law], rolls, encounter.rows[has_law], name)
        whole = Env()
        for key in results:
            whole[key] = values = np.zeros(len(encounter), np.int16)
            values[has_law], values[~has_law] = results[key], by_step[key]
        return whole

    def _laws(self, script: Script) -> LawStore:
        laws: LawStore | None = self.fight.law_store.get(script)
        if laws is None:
            laws = self.fight.law_store[script] = LawStore(self.fight, script)
        return laws

    def _value(self, state: State, encounter: Encounter, owner: str, name: str) -> Any:
        """Return a value of the unit or its foe in each trial, `int[m]`, or one for all: a number or an option."""
        if owner not in encounter.sides:
            key = f"{owner}.{name}" if name else owner
            if key == "round":
                return state["round"].take(encounter.rows)
            return encounter.flags.get(key, self.fight.numbers.get(key, 0))
        side, slots = encounter.sides[owner], encounter.slots[owner]
        if name == "attacker":
            return int(side == self.fight.sides[0])
        if name in self.fight.rules.values or name == CARD:
            return state[f"{side}_{name}"].reshape(-1).take(slots)
        if self.fight.is_printed(name):
            return self.fight.printed_on(side, name)[state[f"{side}_{CARD}"].reshape(-1).take(slots)]
        lives = ~state[f"{side}_out"].take(encounter.rows, axis=0)
        if name == "units":
            return lives.sum(axis=1, dtype=np.int16)
        cards = state[f"{side}_{CARD}"].take(encounter.rows, axis=0)
        others = lives & (self.fight.printed[side, name.removesuffix("_near")][cards] > 0)
        k = others.shape[1]
        own = others.reshape(-1).take(np.arange(len(others)) * k + slots % k)
        return np.asarray(others.sum(axis=1) > own, np.int16)

    # -- choices, and who is out ----------------------------------------------------------------------------------

    def _choose(self, state: State, encounter: Encounter, rolls: RandomRolls, name: str) -> dict[str, Any]:
        side, able = encounter.sides["me"], bound(rolls.among(encounter.rows), self.fight.policies)

        def holds(script: Script) -> BoolArray:
            return np.asarray(self._draw(state, encounter, script, None)[script.deeds[-1].line.name] != 0)

        def ask(choice: str, legal: BoolArray, view: View) -> IntArray:
            return able.choose(side, f"{choice} {name}", legal, view, tuple(view.choice.options))

        return choose_options(self.fight.rules, np.ones(len(encounter), bool), holds, ask)

    def _mark_out(self, state: State, encounter: Encounter) -> None:
        """Mark units and foes out that the rule `out`, or else health 0, puts out, and all others who may be."""
        if self._out_by_others:
            self._mark_all(state, np.arange(len(state[f"{self.fight.sides[0]}_out"])))
        elif self.fight.rules.book.armies.excess != "lost":
            self._mark_all(state, encounter.rows)
        else:
            self._mark(state, *(encounter if owner == "me" else encounter.turned for owner in self._endangered))

    def _mark_all(self, state: State, rows: IntArray) -> None:
        self._mark(state, *(self._everyone(state, side, rows) for side in self.fight.sides))

    def _mark(self, state: State, *groups: Encounter) -> None:
        flags = [self._is_out(state, units) for units in groups]
        for units, is_out in zip(groups, flags, strict=True):
            side, (at,) = units.sides["me"], is_out.nonzero()
            out = state[f"{side}_out"]
            out.reshape(-1)[units.slots["me"][at]] = True
            if f"{side}{FIRST}" in state:
                rows = units.rows[at]
                state[f"{side}{FIRST}"][rows] = first_in_line(out[rows])

    @cached_property
    def _keeps_first(self) -> bool:
        """Whether the first of a side that is not out is all that a turn asks of who can be attacked."""
        rules, is_first = self.fight.rules, self.fight.rules.book.armies.target == "front"
        return (
            is_first
            and not self._out_by_others
            and "strike_back" not in rules.singles
            and rules.book.turns.most_acts == 1
        )

    @cached_property
    def _endangered(self) -> tuple[str, ...]:
        """Which of "me" and "foe" may be out after what a unit does."""
        rules = self.fight.rules
        script = rules.singles.get("out")
        watched = {rules.book.health} if script is None else {name for _, _, name in script.needed_parts}
        changes = {*rules.turn.changes, *rules.attack.changes, *rules.after.changes}
        return tuple(owner for owner in ("me", "foe") if any(f"{owner}.{name}" in changes for name in watched))

    @cached_property
    def _out_by_others(self) -> bool:
        """Whether who is out hangs on more than values of a unit itself, so that all are looked at all the time."""
        script = self.fight.rules.singles.get("out")
        needs = script.needed_parts if script is not None else ()
        return any(owner in ("foe", "round") or name in ("units", *self.fight.near) for _, owner, name in needs)

    def _is_out(self, state: State, units: Encounter) -> BoolArray:
        script = self.fight.rules.singles.get("out")
        if script is not None:
            return np.asarray(self._draw(state, units, script, None)["out"] != 0)
        return np.asarray(self._value(state, units, "me", self.fight.rules.book.health) <= 0)

    def _everyone(self, state: State, side: str, rows: IntArray) -> Encounter:
        """Return the units of a side in some trials that are not out, each with the first foe in line."""
        foe, out = self.fight.foe_of(side), state[f"{side}_out"]
        at, k = np.flatnonzero(~out.take(rows, axis=0)), out.shape[1]
        trials = rows[at // k]
        slots = {"me": trials * k + at % k, "foe": trials * state[f"{foe}_out"].shape[1]}
        return Encounter(trials, {"me": side, "foe": foe}, slots, {})

    def with_out(self, state: State) -> State:
        """Return the state with every unit marked out that is out now."""
        state = copied(state)
        self._mark_all(state, np.arange(len(state[f"{self.fight.sides[0]}_out"])))
        return state

    def score(self, state: State, side: str) -> IntArray:
        """Return the score of a side after the last round: the sum over its units that are not out, `int64[n]`."""
        n = len(state[f"{side}_out"])
        units = self._everyone(state, side, np.arange(n))
        scores = self._draw(state, units, self.fight.rules.singles["score"], None)["score"]
        return np.bincount(units.rows, scores, n).astype(np.int64)

    # -- rounds ---------------------------------------------------------------------------------------------------

    def initiative(self, side: str, state: State, rolls: Rolls) -> IntArray:
        """Return the initiative of a side, `int64[n]`."""
        lives, foe = ~state[f"{side}_out"], self.fight.foe_of(side)
        rows = np.arange(len(lives))
        slots = {"me": rows * lives.shape[1] + lives.argmax(axis=1), "foe": rows * state[f"{foe}_out"].shape[1]}
        encounter = Encounter(rows, {"me": side, "foe": foe}, slots, {})
        script = self.fight.rules.singles["initiative"]
        return np.asarray(
            self._draw(state, encounter, script, cast("RandomRolls", rolls), side)["initiative"], np.int64
        )

    def end_of_round(self, state: State, rolls: Rolls) -> State:
        """Return the state after the steps of section `round` for each unit."""
        script = self.fight.rules.round
        if not script.deeds:
            return state
        state = copied(state)
        for side in self.fight.sides:
            for number, (rows, slots) in enumerate(in_turn(~state[f"{side}_out"])):
                encounter = Encounter(rows, {"me": side, "foe": self.fight.foe_of(side)}, {"me": slots}, {})
                encounter, _ = self._with_targets(state, encounter)
                self._play(state, encounter, script, cast("RandomRolls", rolls), f"{side} {number + 1}, end of round:")
        return self.with_out(state)
