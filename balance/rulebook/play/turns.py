"""A unit that acts, a side that has its turn, the end of a round: who does what to whom, by the rules of a file.

The rules stand in `Player`, once. What a value of a unit is, in which trials, is the business of two players:
`every_trial` makes every activation in every trial, `crowd` looks at units that act alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from balance.base.arrays import Array, BoolArray, IntArray
from balance.chance.dice.rolling.laws import Values
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.rulebook.play.choices import View, choose_options
from balance.rulebook.play.script import Script, beyond
from balance.rulebook.play.script_laws import Env
from balance.rulebook.play.units import Fight

FAR = 2**14
"""More than any value of a unit."""


@dataclass(frozen=True, eq=False)
class Encounter:
    """A unit and its foe in each of some trials.

    * `rows`: the trials, as the player counts them: `int[m]`, or `bool[n]`, None for all.
    * `sides`: "me" and "foe" -> the side. `slots`: "me" and "foe" -> where the unit is, as the player counts places.
    * `flags`: what was chosen, 0 or 1 in each.
    """

    rows: Any
    sides: Mapping[str, str]
    slots: Mapping[str, Any]
    flags: Mapping[str, Any]

    def against(self, foe: Values) -> Encounter:
        """Return the units with other foes."""
        return Encounter(self.rows, self.sides, {"me": self.slots["me"], "foe": foe}, self.flags)

    @property
    def turned(self) -> Encounter:
        """The same from the side of the foe, who chooses nothing."""
        sides, slots = self.sides, self.slots
        turned_sides = {"me": sides["foe"], "foe": sides["me"]}
        return Encounter(self.rows, turned_sides, {"me": slots["foe"], "foe": slots["me"]}, {})


@dataclass(frozen=True, eq=False)
class Player(ABC):
    """Works out what units do in all trials; methods that return no state change the one that they are given."""

    fight: Fight

    # -- turns and rounds ---------------------------------------------------------------------------------------------

    def turn(self, side: str, state: State, rolls: Rolls, mask: BoolArray | None = None) -> State:
        """Return the state after every unit of a side in front has acted, until one passes the turn.

        `mask`, `bool[n]`, has the trials in which the side has a turn; None for all.
        """
        state, acting = self.copied(state), self.in_front(~state[f"{side}_out"])
        if mask is not None:
            acting = acting & mask[:, None]
        goes_on = np.ones(len(acting), bool)
        for name, units in self._in_line(state, side, acting, rolls):
            going = self._some(units, self._among(goes_on, units)) if self.fight.rules.turn.deeds else units
            self._activation(state, going, rolls, name, goes_on)
        return state

    def one_unit(self, side: str, place: int, state: State, rolls: Rolls) -> State:
        """Return the state after the unit in one place of a side acted; nobody does where it has no such place."""
        acting = self.in_front(~state[f"{side}_out"])
        if place >= acting.shape[1]:
            return state
        state = self.copied(state)
        units = self.unit(state, side, place, acting[:, place])
        self._activation(state, units, rolls, self._label(side, place), np.ones(len(acting), bool))
        return state

    def end_of_round(self, state: State, rolls: Rolls) -> State:
        """Return the state after the steps of section `round` for each unit."""
        script = self.fight.rules.round
        if not script.deeds:
            return state
        state = self.copied(state)
        for side in self.fight.sides:
            for name, units in self._in_line(state, side, ~state[f"{side}_out"]):
                self.play(state, self._with_targets(state, units)[0], script, rolls, f"{name}, end of round:")
        return self.with_out(state)

    def initiative(self, side: str, state: State, rolls: Rolls) -> IntArray:
        """Return the initiative of a side, that of its first unit which is not out, `int64[n]`."""
        lives = ~state[f"{side}_out"]
        leader = self.unit(state, side, 0 if lives.shape[1] == 1 else np.asarray(lives.argmax(axis=1)), None)
        results = self._read(state, leader, self.fight.rules.singles["initiative"], rolls, side)
        return np.broadcast_to(np.asarray(results["initiative"], np.int64), len(lives))

    def score(self, state: State, side: str) -> IntArray:
        """Return the score of a side after the last round: the sum over its units that are not out, `int64[n]`."""
        lives, script = ~state[f"{side}_out"], self.fight.rules.singles["score"]
        total = np.zeros(len(lives), np.int64)
        for _, units in self._in_line(state, side, lives):
            self._add(total, units, self._value(state, units, script))
        return total

    def with_out(self, state: State) -> State:
        """Return the state with every unit marked out that the rule `out`, or else health 0, puts out; none returns."""
        state = self.copied(state)
        self._mark_out(state, None)
        return state

    # -- an activation ------------------------------------------------------------------------------------------------

    def _activation(self, state: State, units: Encounter, rolls: Rolls, name: str, goes_on: BoolArray) -> None:
        """Let units act where they may, and mark in `goes_on`, `bool[n]`, where the turn of their side passes.

        They choose, have their turn, make their attacks, and do what follows them.
        """
        rules = self.fight.rules
        units, is_able = self._with_targets(state, units)
        active = self._some(units, is_able)
        if self._is_idle(active, rolls):
            return
        if rules.book.choices:
            active = replace(active, flags=self._choices(state, active, rolls, name))
        results = self.play(state, active, rules.turn, rolls, name)
        active = self._attacks(state, active, results.get("acts", 1), rolls, name)
        if rules.after.deeds:
            self.play(state, active, rules.after, rolls, name)
            self._mark_out(state, active)
        if "passes" in results:
            goes_on[self._some(active, np.asarray(results["passes"]) != 0).rows] = False

    def _attacks(self, state: State, active: Encounter, acts: Values, rolls: Rolls, name: str) -> Encounter:
        """Attack so many times, and return the units with those whom they would attack next."""
        for number in range(self.fight.rules.book.turns.most_acts):
            attacking, label = self._some(active, acts > number), name
            if number > 0:
                is_over = self._is_idle(attacking)
                active, is_able = self._with_targets(state, active)
                if is_over:
                    break
                attacking, label = self._some(active, is_able & (acts > number)), f"{name} again {number}"
            if not self._is_idle(attacking, rolls):
                self._attack(state, attacking, rolls, label)
            self._mark_out(state, active)
            self._strike_back(state, attacking, rolls, label)
        return active

    def _attack(self, state: State, attacking: Encounter, rolls: Rolls, name: str) -> None:
        """Attack, and let losses beyond the health of the target pass to the next units in line, front to back."""
        results, book = self.play(state, attacking, self.fight.rules.attack, rolls, name), self.fight.rules.book
        rest, foe = results.get(beyond(f"foe.{book.health}")), attacking.sides["foe"]
        if book.armies.excess != "lost" and rest is not None and state[f"{foe}_out"].shape[1] > 1:
            self._carry(state, attacking, np.maximum(0, -np.asarray(rest, np.int64)))

    def _strike_back(self, state: State, attacking: Encounter, rolls: Rolls, name: str) -> None:
        """Let the targets, if they are not out and the rules let them, attack back."""
        script = self.fight.rules.singles.get("strike_back")
        if script is None:
            return
        for label, back in self._struck(state, attacking, f"{name} struck back"):
            if self._is_idle(back, rolls):
                continue
            is_allowed = np.asarray(self._read(state, back, script, rolls, label)["strike_back"]) != 0
            back = self._some(back, is_allowed)
            self.play(state, back, self.fight.rules.attack, rolls, label)
            self._mark_out(state, back)

    def _choices(self, state: State, active: Encounter, rolls: Rolls, name: str) -> dict[str, Values]:
        """Return flag -> 0 or 1 per trial for the options that a side's policy chooses."""

        def holds(script: Script) -> BoolArray:
            return np.asarray(np.asarray(self._value(state, active, script)) != 0)

        def ask(choice: str, legal: BoolArray, view: View) -> IntArray:
            return self._ask(active, rolls, name, choice, legal, view)

        return choose_options(self.fight.rules, self._flags_of(active), holds, ask)

    def play(self, state: State, units: Encounter, script: Script, rolls: Rolls, name: str) -> Env:
        """Change the state by a script, and return what it sets."""
        if not script.deeds:
            return {}
        results = self._read(state, units, script, rolls, name)
        for change in script.changes:
            owner, _, own_name = change.partition(".")
            self._write(state, f"{units.sides[owner]}_{own_name}", units, owner, results[change])
        return results

    # -- whom a unit attacks ------------------------------------------------------------------------------------------

    def target_of(self, side: str, place: Values, column: Callable[[str], Array]) -> Values:
        """Return the place of the foe that the units in a place attack by `armies.target`; 0 where there is one place.

        `column` has the values of all units of a side in the trials that count, `[m, k]`, by their name.
        """
        foe, book = self.fight.foe_of(side), self.fight.rules.book
        out = column(f"{foe}_out")
        if out.shape[1] == 1:
            return 0
        reach = self.in_front(~out)
        if book.armies.target in ("weakest", "strongest") and book.health in self.fight.rules.values:
            values = column(f"{foe}_{book.health}").astype(np.int64)
            sign = 1 if book.armies.target == "weakest" else -1
            return np.asarray(np.where(reach, sign * values, FAR).argmin(axis=1))
        if book.armies.target == "spread":
            own = self.in_front(~column(f"{side}_out"))
            own_number = (own & (np.arange(own.shape[1]) < np.asarray(place)[..., None])).sum(axis=1)
            n_there = np.maximum(1, reach.sum(axis=1))
            return np.asarray((reach.cumsum(axis=1) == (own_number % n_there + 1)[:, None]).argmax(axis=1))
        return np.asarray(reach.argmax(axis=1))

    def in_front(self, lives: BoolArray) -> BoolArray:
        """Return which of the units that are not out act and can be attacked, `bool[n, k]`: the first of them."""
        front = self.fight.rules.book.armies.front
        is_all = front is None or lives.shape[1] <= front
        return lives if is_all else np.asarray(lives & (lives.cumsum(axis=1) <= front))

    # -- how trials are read and written ------------------------------------------------------------------------------

    def _in_line(
        self, state: State, side: str, acting: BoolArray, rolls: Rolls | None = None
    ) -> Iterator[tuple[str, Encounter]]:
        """Yield the units that act, `bool[n, k]`, with their names in requests, in an order that suits the rules."""
        for place, acts in enumerate(acting.T):
            yield self._label(side, place), self.unit(state, side, place, acts)

    @abstractmethod
    def _label(self, side: str, place: int) -> str:
        """Return the name of units in requests."""

    @abstractmethod
    def copied(self, state: State) -> State:
        """Return a state that the other methods may change."""

    @abstractmethod
    def unit(self, state: State, side: str, place: Values, acts: BoolArray | None) -> Encounter:
        """Return the units in a place where they act, `bool[n]` or None for all, with the first foe in line."""

    @abstractmethod
    def _some(self, units: Encounter, flags: Any) -> Encounter:
        """Return those of a mask, `bool[m]`, or all or none."""

    @abstractmethod
    def _among(self, values: Array, units: Encounter) -> Array:
        """Return the values of the trials that units are in, `[m]`, of `[n]`."""

    @abstractmethod
    def _flags_of(self, units: Encounter) -> BoolArray:
        """Return where among their trials the units are, `bool[m]`."""

    @abstractmethod
    def _is_idle(self, units: Encounter, rolls: Rolls | None = None) -> bool:
        """Return whether nothing can come of what units do, as there are none; some `rolls` have to be asked anyway."""

    @abstractmethod
    def _with_targets(self, state: State, units: Encounter) -> tuple[Encounter, BoolArray]:
        """Return units with those whom they attack, and where neither of them is out, `bool[m]`."""

    @abstractmethod
    def _struck(self, state: State, attacking: Encounter, name: str) -> Iterator[tuple[str, Encounter]]:
        """Yield those who were attacked, where neither of them is out, with their names in requests."""

    @abstractmethod
    def _ask(self, units: Encounter, rolls: Rolls, name: str, choice: str, legal: BoolArray, view: View) -> IntArray:
        """Have the policy of a side choose, and return the options' numbers, `int[m]`."""

    @abstractmethod
    def _read(self, state: State, units: Encounter, script: Script, rolls: Rolls, name: str) -> Env:
        """Return what a script sets, each for all or for each trial, `int[m]`."""

    @abstractmethod
    def _value(self, state: State, units: Encounter, script: Script) -> Values:
        """Return the value of an expression without dice."""

    @abstractmethod
    def _write(self, state: State, column: str, units: Encounter, owner: str, values: Values) -> None:
        """Set a value of "me" or "foe"."""

    @abstractmethod
    def _carry(self, state: State, units: Encounter, losses: IntArray) -> None:
        """Take losses, `int64[m]`, from the health of the foe's line, front to back."""

    @abstractmethod
    def _add(self, total: IntArray, units: Encounter, values: Values) -> None:
        """Add values of units to the totals of their trials, `int64[n]`."""

    @abstractmethod
    def _mark_out(self, state: State, units: Encounter | None) -> None:
        """Mark those out who may be after what some units did, or after anything."""


def after_losses(health: IntArray, out: BoolArray, losses: IntArray) -> IntArray:
    """Return the health of units in line, `int16[m, k]`, after losses that pass from those in front to the next.

    >>> after_losses(np.array([[2, 9, 2]]), np.array([[False, True, False]]), np.array([3])).tolist()
    [[0, 9, 1]]
    """
    left = np.where(out, 0, health).astype(np.int64)
    before = left.cumsum(axis=1) - left
    return np.asarray(health - np.clip(losses[:, None] - before, 0, left), np.int16)
