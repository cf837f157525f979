"""Battles of armies that differ from trial to trial, of which only the units that act are looked at.

Every unit has a *slot*: its number in the array `[n, k]` of its side. Units that act at the same point of their turns
meet their targets together, whatever trials they are in, and a section is one draw from its joint law (`law_store`).
Trials in which nobody acts cost nothing, so that thousands of battles of any sizes are best played in one run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, cast

import numpy as np

from balance.base.arrays import Array, BoolArray, IntArray
from balance.chance.dice.rolling.laws import Values
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import RandomRolls, Rolls, bound
from balance.rulebook.play.choices import View
from balance.rulebook.play.law_store import LawStore
from balance.rulebook.play.script import Script
from balance.rulebook.play.script_laws import NO_ROLLS, Env, play
from balance.rulebook.play.turns import Encounter, Player, after_losses
from balance.rulebook.play.units import CARD

FIRST = "·first"
"""Ends the name of the place of the first unit that is not out, which is kept while the other side has its turn."""


@dataclass(frozen=True, eq=False)
class Crowd(Player):
    """Plays the units that act: `rows` are their trials, and `slots` those of the units, `int64[m]`.

    Arrays of a state are changed in place, within one turn.
    """

    # -- units, trials and slots --------------------------------------------------------------------------------------

    def turn(self, side: str, state: State, rolls: Rolls, mask: BoolArray | None = None) -> State:
        """Return the state after every unit of a side in front has acted, until one passes the turn."""
        foe = self.fight.foe_of(side)
        if self._keeps_first:
            state = {**state, f"{foe}{FIRST}": first_in_line(state[f"{foe}_out"])}
        state = super().turn(side, state, rolls, mask)
        state.pop(f"{foe}{FIRST}", None)
        return state

    def _in_line(
        self, state: State, side: str, acting: BoolArray, rolls: Rolls | None = None
    ) -> Iterator[tuple[str, Encounter]]:
        if rolls is not None and (self._out_by_others or cast("RandomRolls", rolls).is_paired):
            yield from super()._in_line(state, side, acting, rolls)
            return
        for number, (rows, slots) in enumerate(in_turn(acting)):
            yield self._label(side, number), self._units(side, rows, slots)

    def _label(self, side: str, place: int) -> str:
        return f"{side} {place + 1}"

    def copied(self, state: State) -> State:
        """Return a state whose values may be changed in place."""
        return {name: values if name.endswith(f"_{CARD}") else values.copy() for name, values in state.items()}

    def unit(self, state: State, side: str, place: Values, acts: BoolArray | None) -> Encounter:
        """Return the units in a place where they act, `bool[n]` or None for all, with the first foe in line."""
        n, k = state[f"{side}_out"].shape
        rows = np.arange(n) if acts is None else acts.nonzero()[0]
        return self._units(side, rows, rows * k + place)

    def _units(self, side: str, rows: IntArray, slots: IntArray) -> Encounter:
        return Encounter(rows, {"me": side, "foe": self.fight.foe_of(side)}, {"me": slots}, {})

    def _some(self, units: Encounter, flags: Any) -> Encounter:
        if flags is True or (flags is not False and flags.all()):
            return units
        at = np.broadcast_to(flags, len(units.rows)).nonzero()[0]
        slots, chosen = ({name: values[at] for name, values in of.items()} for of in (units.slots, units.flags))
        return Encounter(units.rows[at], units.sides, slots, chosen)

    def _among(self, values: Array, units: Encounter) -> Array:
        return np.asarray(values[units.rows])

    def _flags_of(self, units: Encounter) -> BoolArray:
        return np.ones(len(units.rows), bool)

    def _is_idle(self, units: Encounter, rolls: Rolls | None = None) -> bool:
        if len(units.rows) or self._out_by_others:
            return False
        return rolls is None or not cast("RandomRolls", rolls).is_paired

    # -- whom a unit attacks ------------------------------------------------------------------------------------------

    def _with_targets(self, state: State, units: Encounter) -> tuple[Encounter, BoolArray]:
        side, foe, rows = units.sides["me"], units.sides["foe"], units.rows
        k = state[f"{foe}_out"].shape[1]
        if f"{foe}{FIRST}" in state:
            first = state[f"{foe}{FIRST}"].take(rows)
            return units.against(rows * k + first), first < k
        place = units.slots["me"] - rows * state[f"{side}_out"].shape[1]
        target = self.target_of(side, place, lambda column: state[column].take(rows, axis=0))
        units = units.against(rows * k + target)
        return units, self._are_in(state, units)

    def _struck(self, state: State, attacking: Encounter, name: str) -> Iterator[tuple[str, Encounter]]:
        yield name, self._some(attacking.turned, self._are_in(state, attacking))

    def _are_in(self, state: State, units: Encounter) -> BoolArray:
        sides, slots = units.sides, units.slots
        out, foe_out = (state[f"{sides[owner]}_out"].reshape(-1).take(slots[owner]) for owner in ("me", "foe"))
        return np.asarray(~(out | foe_out))

    @cached_property
    def _keeps_first(self) -> bool:
        """Whether the first of a side that is not out is all that a turn asks of who can be attacked."""
        rules, is_first = self.fight.rules, self.fight.rules.book.armies.target == "front"
        is_single = rules.book.turns.most_acts == 1 and "strike_back" not in rules.singles
        return is_first and is_single and not self._out_by_others

    # -- scripts ------------------------------------------------------------------------------------------------------

    def _ask(self, units: Encounter, rolls: Rolls, name: str, choice: str, legal: BoolArray, view: View) -> IntArray:
        some_rolls = bound(cast("RandomRolls", rolls).among(units.rows), self.fight.policies)
        return some_rolls.choose(units.sides["me"], f"{choice} {name}", legal, view, tuple(view.choice.options))

    def _value(self, state: State, units: Encounter, script: Script) -> Values:
        return self._read(state, units, script, None, "")[script.deeds[-1].line.name]

    def _read(self, state: State, units: Encounter, script: Script, rolls: Rolls | None, name: str) -> Env:
        laws, random = self._laws(script), cast("RandomRolls | None", rolls)
        places = laws.find([self._number(state, units, *part) for part in laws.parts], len(units.rows))
        has_law = places >= 0
        if has_law.all():
            return laws.draw(places, random, units.rows, name)
        rest = self._some(units, ~has_law)
        env = {need: self._number(state, rest, owner, own_name) for need, owner, own_name in script.needed_parts}
        some_rolls = NO_ROLLS if random is None else random.among(rest.rows)
        by_step = play(script, env, some_rolls, name, None, is_rolled=False)
        if len(rest.rows) == len(units.rows):
            return {key: np.broadcast_to(np.asarray(values), len(rest.rows)) for key, values in by_step.items()}
        results = laws.draw(places[has_law], random, units.rows[has_law], name)
        whole = Env()
        for key in results:
            whole[key] = values = np.zeros(len(has_law), np.int16)
            values[has_law], values[~has_law] = results[key], by_step[key]
        return whole

    def _laws(self, script: Script) -> LawStore:
        laws: LawStore | None = self.fight.law_store.get(script)
        if laws is None:
            laws = self.fight.law_store[script] = LawStore(self.fight, script)
        return laws

    def _number(self, state: State, units: Encounter, owner: str, name: str) -> Any:
        fight = self.fight
        if owner not in units.sides:
            key = f"{owner}.{name}" if name else owner
            if key == "round":
                return state[key].take(units.rows)
            return units.flags.get(key, fight.numbers.get(key, 0))
        side, slots = units.sides[owner], units.slots.get(owner)
        if name == "attacker":
            return int(side == fight.sides[0])
        if slots is None:  # the first foe in line, as none was chosen
            slots = units.rows * state[f"{side}_out"].shape[1]
        if name in fight.rules.values or name == CARD:
            return state[f"{side}_{name}"].reshape(-1).take(slots)
        if fight.is_printed(name):
            return fight.printed_on(side, name)[state[f"{side}_{CARD}"].reshape(-1).take(slots)]
        lives = ~state[f"{side}_out"].take(units.rows, axis=0)
        if name == "units":
            return lives.sum(axis=1, dtype=np.int16)
        cards = state[f"{side}_{CARD}"].take(units.rows, axis=0)
        others = lives & (fight.printed[side, name.removesuffix("_near")][cards] > 0)
        k = others.shape[1]
        own = others.reshape(-1).take(np.arange(len(others)) * k + slots % k)
        return np.asarray(others.sum(axis=1) > own, np.int16)

    def _write(self, state: State, column: str, units: Encounter, owner: str, values: Values) -> None:
        """Set a value of "me" or "foe"."""
        state[column].reshape(-1)[units.slots[owner]] = values

    def _carry(self, state: State, units: Encounter, losses: IntArray) -> None:
        foe, at = units.sides["foe"], losses.nonzero()[0]
        rows, column = units.rows[at], state[f"{foe}_{self.fight.rules.book.health}"]
        column[rows] = after_losses(column[rows], state[f"{foe}_out"][rows], losses[at])

    def _add(self, total: IntArray, units: Encounter, values: Values) -> None:
        total[units.rows] += values

    # -- who is out ---------------------------------------------------------------------------------------------------

    def _mark_out(self, state: State, units: Encounter | None) -> None:
        if units is not None and self.fight.rules.book.armies.excess == "lost" and not self._out_by_others:
            groups = [units if owner == "me" else units.turned for owner in self._endangered]
        else:
            n = len(state[f"{self.fight.sides[0]}_out"])
            rows = np.arange(n) if units is None or self._out_by_others else units.rows
            groups = [self._everyone(state, side, rows) for side in self.fight.sides]
        flags = [self._is_out(state, each) for each in groups]
        for each, is_out in zip(groups, flags, strict=True):
            side, (at,) = each.sides["me"], is_out.nonzero()
            out = state[f"{side}_out"]
            out.reshape(-1)[each.slots["me"][at]] = True
            if f"{side}{FIRST}" in state:
                rows = each.rows[at]
                state[f"{side}{FIRST}"][rows] = first_in_line(out[rows])

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
            return np.asarray(self._value(state, units, script) != 0)
        return np.asarray(self._number(state, units, "me", self.fight.rules.book.health) <= 0)

    def _everyone(self, state: State, side: str, rows: IntArray) -> Encounter:
        """Return the units of a side in some trials that are not out, each with the first foe in line."""
        out = state[f"{side}_out"]
        at, k = np.flatnonzero(~out.take(rows, axis=0)), out.shape[1]
        trials = rows[at // k]
        return self._units(side, trials, trials * k + at % k)


def first_in_line(out: BoolArray) -> IntArray:
    """Return the place of the first unit that is not out in each trial, `int64[n]`, or how many places there are."""
    first: IntArray = out.argmin(axis=1)
    return np.where(out[np.arange(len(out)), first], out.shape[1], first)


def in_turn(acting: BoolArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield the trials and slots of the units that act first in their line, then of those that act second, and so on.

    >>> [slots.tolist() for _, slots in in_turn(np.array([[True, False, True], [False, True, False]]))]
    [[0, 4], [2]]
    """
    k, slots = acting.shape[1], np.flatnonzero(acting)
    numbers = acting.cumsum(axis=1, dtype=np.uint8).reshape(-1).take(slots)
    slots = slots.take(np.argsort(numbers, kind="stable"))
    rows, ends = slots // k, np.bincount(numbers).cumsum().tolist()
    for begin, end in pairwise(ends):
        yield rows[begin:end], slots[begin:end]
