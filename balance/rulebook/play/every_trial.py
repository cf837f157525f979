"""Fights of the same units in every trial: exact answers, stories, and trials whose dice are rolled one by one.

Every activation is made in every trial, and a mask says where it counts: so all ways of dice can be listed. Arrays of a
state are replaced, never changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from balance.base.arrays import Array, BoolArray, IntArray
from balance.chance.dice.rolling.laws import Values
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.game.kit.combat.members import any_place, put_at, value_at
from balance.rulebook.play.choices import View
from balance.rulebook.play.script import Script
from balance.rulebook.play.script_laws import Env, value
from balance.rulebook.play.turns import Encounter, Player, after_losses


@dataclass(frozen=True, eq=False)
class EveryTrial(Player):
    """Makes every activation in every trial: `rows` are a mask, and `slots` places, one for all trials or for each."""

    def _label(self, side: str, place: int) -> str:
        return self.fight.label(side, place)

    def copied(self, state: State) -> State:
        """Return a state whose arrays may be replaced."""
        return dict(state)

    def unit(self, state: State, side: str, place: Values, acts: BoolArray | None) -> Encounter:
        """Return the units in a place where they act, `bool[n]` or None for all, with the first foe in line."""
        return Encounter(acts, {"me": side, "foe": self.fight.foe_of(side)}, {"me": place, "foe": 0}, {})

    def _some(self, units: Encounter, flags: Any) -> Encounter:
        return replace(units, rows=flags if units.rows is None else units.rows & flags)

    def _among(self, values: Array, units: Encounter) -> Array:
        return values

    def _flags_of(self, units: Encounter) -> BoolArray:
        return np.asarray(units.rows)

    def _is_idle(self, units: Encounter, rolls: Rolls | None = None) -> bool:
        return False

    def _with_targets(self, state: State, units: Encounter) -> tuple[Encounter, BoolArray]:
        side, place = units.sides["me"], units.slots["me"]
        target = self.target_of(side, place, state.__getitem__)
        lives, foes = (self.fight.lives(state, units.sides[owner]) for owner in ("me", "foe"))
        return units.against(target), np.asarray(lives[:, place] & any_place(foes))

    def _struck(self, state: State, attacking: Encounter, name: str) -> Iterator[tuple[str, Encounter]]:
        back, foe = attacking.turned, attacking.sides["foe"]
        place, target = attacking.slots["me"], np.asarray(attacking.slots["foe"])
        n_places = state[f"{foe}_out"].shape[1]
        for number in range(n_places):
            own_lives, lives = (self.fight.lives(state, side) for side in (attacking.sides["me"], foe))
            here = (target == number) & lives[:, number] & own_lives[:, place]
            slots = {"me": number, "foe": place}
            yield name if n_places == 1 else f"{name} by {number + 1}", replace(self._some(back, here), slots=slots)

    def _ask(self, units: Encounter, rolls: Rolls, name: str, choice: str, legal: BoolArray, view: View) -> IntArray:
        side, options = units.sides["me"], tuple(view.choice.options)
        return rolls.choose(side, self.fight.label(side, units.slots["me"], choice), legal, view, options)

    def _read(self, state: State, units: Encounter, script: Script, rolls: Rolls, name: str) -> Env:
        return self.fight.play(script, self._env(state, units, script), rolls, name, units.rows)

    def _value(self, state: State, units: Encounter, script: Script) -> Values:
        return value(script, self._env(state, units, script))

    def _env(self, state: State, units: Encounter, script: Script) -> Env:
        env = self.fight.env(state, units.sides["me"], units.slots["me"], units.slots["foe"], script)
        return env | {key: units.flags[key] for key in script.needs if key in units.flags} if units.flags else env

    def _write(self, state: State, column: str, units: Encounter, owner: str, values: Values) -> None:
        """Set a value of "me" or "foe" in the trials of the mask."""
        before, place = state[column], units.slots[owner]
        if units.rows is not None:
            own = before[:, place] if isinstance(place, int) else value_at(before, place)
            values = np.where(units.rows, values, own)
        new = np.asarray(values).astype(np.int16, copy=False)
        state[column] = new[:, None] if before.shape[1] == 1 and new.ndim else put_at(before, place, new)

    def _carry(self, state: State, units: Encounter, losses: IntArray) -> None:
        foe = units.sides["foe"]
        column = f"{foe}_{self.fight.rules.book.health}"
        state[column] = after_losses(state[column], state[f"{foe}_out"], np.where(units.rows, losses, 0))

    def _add(self, total: IntArray, units: Encounter, values: Values) -> None:
        total += np.where(units.rows, values, 0)

    def _mark_out(self, state: State, units: Encounter | None) -> None:
        script, before = self.fight.rules.singles.get("out"), dict(state)
        for side in self.fight.sides:
            out = before[f"{side}_out"]
            if script is None:
                state[f"{side}_out"] = out | (before[f"{side}_{self.fight.rules.book.health}"] <= 0)
                continue
            flags = [self._value(before, self.unit(before, side, at, None), script) for at in range(out.shape[1])]
            is_out = np.stack([np.broadcast_to(np.asarray(flag), len(out)) != 0 for flag in flags], axis=1)
            state[f"{side}_out"] = out | is_out
