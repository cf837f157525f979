"""An attack within a fight: rolled in full, or drawn whole from its exact distribution.

What an attack brings hangs on what the fight has brought so far: trays left, runes, conditions. The distributions of
all such cases are listed once; after that one 16-bit random number draws dice, re-rolls and surges together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TypeAlias

import numpy as np

from balance.chance.exact.enumeration import exact_distribution
from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.process import Process, State, start_state
from balance.chance.rolls.rolls import Rolls, renamed
from balance.game.kit import never
from balance.games.runewars.rules.attack import RESULTS, Attack, attack_steps, start_of

__all__ = ["RESOLVERS", "Exchange", "Resolver", "draw_attack", "roll_attack", "stack_of"]


@dataclass(frozen=True)
class Exchange:
    """An attack that is made again and again in a fight.

    Attributes
    ----------
    attack
        What is fixed.
    varies
        What differs from one time to the next: name, its least value, and how many values it has.
    told
        What the fight is told: columns of the attack, and effects of surges other than icons.
    """

    attack: Attack
    varies: tuple[tuple[str, int, int], ...]
    told: tuple[str, ...]


Resolver: TypeAlias = Callable[[Exchange, Mapping[str, IntArray], Rolls, str], State]
"""(exchange, what is met `int[n]` by name, rolls, name) -> the columns `told`, `int[n]`."""


def roll_attack(exchange: Exchange, met: Mapping[str, IntArray], rolls: Rolls, name: str) -> State:
    """Roll a whole attack for each trial."""
    own = renamed(rolls, lambda asked: f"{name} {asked}")
    fresh = start_state(Process(start_of(exchange.attack), (), never, _nothing, 0), len(met["trays"]))
    state = {**fresh, **{one: met[one] for one, _, _ in exchange.varies}}
    for step in attack_steps(exchange.attack):
        state = step(state, own)
    return _told(exchange, state)


def draw_attack(exchange: Exchange, met: Mapping[str, IntArray], rolls: Rolls, name: str) -> State:
    """Draw a whole attack for each trial from its distribution: what `roll_attack` gives, faster."""
    which: IntArray = np.zeros(len(met["trays"]), np.int32)
    for one, least, n_values in exchange.varies:
        which = which * np.int32(n_values) + np.clip(met[one] - np.int16(least), 0, n_values - 1)
    return rolls.draw(stack_of(exchange), which, f"{name} attack")


RESOLVERS: dict[str, Resolver] = {"literal": roll_attack, "compiled": draw_attack}


def _nothing(state: State, steps: IntArray) -> State:
    return {}


def _told(exchange: Exchange, state: State) -> State:
    brought = exchange.attack.strike.purchase.brought
    # a condition that the defender may have had is in the state as it was met, not as it was bought
    told = {one: state[one] if one in RESULTS else brought(one, state["bought"]) for one in exchange.told}
    return {one: np.full_like(state["damage"], values) for one, values in told.items()}


@lru_cache(maxsize=512)
def stack_of(exchange: Exchange) -> DistributionStack:
    """Return the exact distribution of `told` in every case, what varies last changing fastest."""
    steps, start = attack_steps(exchange.attack), start_of(exchange.attack)
    names = [one for one, _, _ in exchange.varies]
    found = []
    for values in product(*(range(least, least + n) for _, least, n in exchange.varies)):
        case = {one: np.asarray(value, np.int16) for one, value in zip(names, values, strict=True)}
        process = Process({**start, **case}, steps, never, lambda state, made: _told(exchange, state), len(steps))
        found.append(exact_distribution(process))
    return DistributionStack(tuple(found))
