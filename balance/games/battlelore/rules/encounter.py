"""A strike between two named units of a trial, rolled in full or drawn whole from its exact distribution.

The distribution of a strike is listed once for each condition of the two units that the fight can come to; after that
one 16-bit random number draws dice, retreat and panic together. That is the compiled lane of fights that go on for many
strikes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.pmf import Pmf
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.game.kit import once
from balance.games.battlelore.rules.strike import Strike, flee, roll

WHOLE = ("wounds", "losses", "travelled", "ignored", "gained", "stored", "webbed", "poisoned")
"""Columns of a whole strike; losses and travelled hold if the target survives its hits."""


@dataclass(frozen=True)
class Encounter:
    """Who strikes whom.

    `by` and `on`: first words of the state columns of the two units. `varies`: which conditions of the two can change
    in this fight, with how many values each has, from 0: `stored` (of the striker), `webbed`, `poisoned`, `supported`,
    `figures`, `trampled` (of the target).
    """

    strike: Strike
    by: str
    on: str
    varies: tuple[tuple[str, int], ...] = ()

    def column(self, condition: str) -> str:
        """Return the state column of a condition, such as `t_webbed`."""
        return f"{self.by if condition == 'stored' else self.on}_{condition}"

    def condition(self, state: State) -> State:
        """Return the conditions that vary, by name, for `roll` and `flee`."""
        return {name: state[self.column(name)] for name, _ in self.varies}

    def condition_after(self, state: State, after: State, is_strike: BoolArray) -> State:
        """Return the state columns of conditions after a strike, changed where `is_strike`, `bool[n]`.

        `after` has the columns of the strike itself.
        """
        names = [name for name, _ in self.varies if name in ("stored", "webbed", "poisoned")]
        places = {name: self.column(name) for name in names}
        return {
            place: np.where(is_strike, after[name], state[place]).astype(np.int16) for name, place in places.items()
        }


@dataclass(frozen=True)
class Melee:
    """A strike in which the two units differ by trial: one is of those in the places of a line, or any strikes any.

    `strikes`: the strikes it can be, each once; their targets may be supported or not. `by_place`: which of them it is
    with the unit in each place, or with each unit of one line on each of the other.
    """

    strikes: tuple[Strike, ...]
    by_place: tuple[int, ...]

    @classmethod
    def of(cls, strikes: Sequence[Strike]) -> Melee:
        """Return the melee of one strike per place, equal strikes stored once."""
        distinct = {strike: number for number, strike in enumerate(dict.fromkeys(strikes))}
        return cls(tuple(distinct), tuple(distinct[strike] for strike in strikes))

    @cached_property
    def distributions(self) -> DistributionStack:
        """Distributions of its strikes, each on a target without support and with it."""
        return _distributions(self.strikes, (("supported", 2),))


Resolver: TypeAlias = Callable[[Encounter, State, Rolls, str], State]
MeleeResolver: TypeAlias = Callable[[Melee, IntArray, IntArray, Rolls, str], State]
"""(strikes, the number of each trial's own `int[n]`, whether the target is supported `int[n]`, rolls, name)."""


def roll_strike(encounter: Encounter, state: State, rolls: Rolls, name: str) -> State:
    """Roll a whole strike for each trial and return its columns, `WHOLE`; `name` is that of the request for dice."""
    return _roll_whole(encounter.strike, encounter.condition(state), rolls, name)


def draw_strike(encounter: Encounter, state: State, rolls: Rolls, name: str) -> State:
    """Draw a whole strike for each trial from its exact distribution: the law of `roll_strike`, faster."""
    index: IntArray | int = 0
    for condition, span in encounter.varies:
        index = index * np.int32(span) + state[encounter.column(condition)]
    return rolls.draw(_distributions((encounter.strike,), encounter.varies), index, f"{name} strike")


def roll_melee(melee: Melee, places: IntArray, is_supported: IntArray, rolls: Rolls, name: str) -> State:
    """Roll a whole strike for each trial: all strikes that it can be, of which the trial's own counts.

    Dice of several strikes are told apart by the first place, from 1, of the unit that differs. `places`, `int[n]`, has
    the unit in each trial, and `is_supported` whether the target is.
    """
    condition = {"supported": is_supported}
    if len(melee.strikes) == 1:
        return _roll_whole(melee.strikes[0], condition, rolls, name)
    results = [
        _roll_whole(strike, condition, rolls, f"{name} with {melee.by_place.index(number) + 1}")
        for number, strike in enumerate(melee.strikes)
    ]
    index, trials = np.array(melee.by_place)[places], np.arange(len(places))
    return {column: np.stack([result[column] for result in results])[index, trials] for column in WHOLE}


def draw_melee(melee: Melee, places: IntArray, is_supported: IntArray, rolls: Rolls, name: str) -> State:
    """Draw a whole strike for each trial from its own exact distribution: the law of `roll_melee`, faster."""
    index = np.array(melee.by_place, np.int32)[places] * np.int32(2) + is_supported
    return rolls.draw(melee.distributions, index, f"{name} strike")


RESOLVERS: dict[str, Resolver] = {"literal": roll_strike, "compiled": draw_strike}
MELEE_RESOLVERS: dict[str, MeleeResolver] = {"literal": roll_melee, "compiled": draw_melee}


def _roll_whole(strike: Strike, condition: State, rolls: Rolls, name: str) -> State:
    blow = roll(strike, condition, rolls, name)
    return _whole(strike, blow, flee(strike, blow["pending"], condition, rolls, name))


def _whole(strike: Strike, blow: State, flight: State) -> State:
    alive = 1 - blow["wounds"] if strike.target.creature else 1
    columns = {**blow, **flight, "gained": blow["gained"] + flight["gained"] * alive}
    return {name: columns[name] for name in WHOLE}


@lru_cache(maxsize=512)  # of a line-up of many sorts, each takes some megabytes
def _distributions(strikes: tuple[Strike, ...], varies: tuple[tuple[str, int], ...]) -> DistributionStack:
    """Return the distributions of strikes, by strike and then by every combination of conditions."""
    names = [name for name, _ in varies]
    rows = [tuple(zip(names, row, strict=True)) for row in product(*(range(span) for _, span in varies))]
    return DistributionStack(tuple(strike_distribution(strike, row) for strike in strikes for row in rows))


@lru_cache(maxsize=4096)
def strike_distribution(strike: Strike, condition: tuple[tuple[str, int], ...] = ()) -> Pmf:
    """Return the exact distribution of `WHOLE` under (name, value) conditions, by listing all rolls of the dice."""

    def columns_of_condition(state: State) -> State:
        return {name: np.full(len(state["flags"]), value, np.int16) for name, value in condition}

    def battle(state: State, rolls: Rolls) -> State:
        blow = roll(strike, columns_of_condition(state), rolls, "")
        return {name: blow.get(name, state[name]) for name in state}

    def retreat(state: State, rolls: Rolls) -> State:
        whole = _whole(strike, state, flee(strike, state["pending"], columns_of_condition(state), rolls, ""))
        return {name: whole.get(name, state[name]) for name in state}

    start = dict.fromkeys((*WHOLE, "flags", "pending"), 0)
    return exact_distribution(once(start, (battle, retreat), WHOLE))
