"""An attack within a fight: rolled in full, or drawn whole from its exact distribution.

What an attack does depends on what the fight has brought so far: shields left, conditions, focus, criticals. The
distributions of all such cases are listed together, once; after that one 16-bit random number draws dice, purchase,
critical and defence together. That is the compiled lane of fights of many attacks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from math import prod
from typing import TypeAlias

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.pmf import Pmf
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Rolls, with_names
from balance.game.kit import never
from balance.games.immortal_souls.rules.attack import attack_steps, start_of
from balance.games.immortal_souls.rules.meeting import marks_after
from balance.games.immortal_souls.rules.strike import Attack


@dataclass(frozen=True)
class Exchange:
    """An attack that is made again and again in a fight.

    `attack`: what is fixed. `varies`: what differs from one time to the next, with how many values each has, and the
    least of them: `bonus` and `cannot_buy` of the attacker, `shields`, conditions and red criticals of the defender.
    """

    attack: Attack
    varies: tuple[tuple[str, int, int], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the results of each attack: wounds, shields left, conditions, criticals and fire."""
        return ("wounds", "shields", *self.attack.inflicts, *self.attack.burns)


Resolver: TypeAlias = Callable[[Exchange, Mapping[str, IntArray], Rolls, str], State]
"""(exchange, what differs `int[n]` by name, rolls, name) -> the `columns` of the exchange, `int[n]`."""


def roll_attack(exchange: Exchange, circumstances: Mapping[str, IntArray], rolls: Rolls, name: str) -> State:
    """Roll a whole attack for each trial, with what differs this time, `int[n]` by name; return `columns`, `int[n]`."""
    n = len(next(iter(circumstances.values())))
    attack_rolls = with_names(rolls, lambda request: f"{name} {request}")
    state: State = {column: np.full(n, value, np.int16) for column, value in start_of(exchange.attack).items()}
    state |= {column: circumstances[column].astype(np.int16) for column, _, _ in exchange.varies}
    for step in attack_steps(exchange.attack):
        state = step(state, attack_rolls)
    return _report(exchange, state)


def draw_attack(exchange: Exchange, circumstances: Mapping[str, IntArray], rolls: Rolls, name: str) -> State:
    """Draw whole attacks from their exact distribution: equal in law to `roll_attack`, but one random number each.

    Circumstances are `int[n]` by name, within the range in `varies`.
    """
    case: IntArray = np.zeros(len(next(iter(circumstances.values()))), np.int32)
    for column, n_values, minimum in exchange.varies:
        case = case * np.int32(n_values) + (circumstances[column] - np.int16(minimum))
    return rolls.draw(attack_stack(exchange), case, f"{name} attack")


RESOLVERS: dict[str, Resolver] = {"literal": roll_attack, "compiled": draw_attack}


def _report(exchange: Exchange, state: State) -> State:
    after = marks_after(exchange.attack, state)
    return {
        name: state[name] if name in state and name in ("wounds", "shields") else after[name]
        for name in exchange.columns
    }


@lru_cache(maxsize=1024)
def attack_stack(exchange: Exchange) -> DistributionStack:
    """Return the exact distribution of the columns in every case; the last of `varies` changes fastest."""
    n_cases = prod(n for _, n, _ in exchange.varies)
    cases = np.array(list(product(*(range(minimum, minimum + n) for _, n, minimum in exchange.varies))), np.int16)
    cases = cases.reshape(n_cases, len(exchange.varies))
    roll, *steps = attack_steps(exchange.attack)

    def meet(state: State, rolls: Rolls) -> State:
        """Draw one of the cases after the roll, whose distribution is the same in all."""
        case = rolls.uniform(n_cases, "case")
        circumstances = {name: cases[case, place] for place, (name, _, _) in enumerate(exchange.varies)}
        return {**state, **circumstances, "case": np.asarray(case, np.int16)}

    def outcome(state: State, n_steps: IntArray) -> State:
        return {"case": state["case"], **_report(exchange, state)}

    start = {**start_of(exchange.attack), **{name: 0 for name, _, _ in exchange.varies}, "case": 0}
    process = Process(start, (roll, meet, *steps), never, outcome, len(steps) + 2)
    return DistributionStack(tuple(_by_case(exact_distribution(process), n_cases)))


def _by_case(whole: Pmf, n_cases: int) -> list[Pmf]:
    """Return the conditional distribution of the other columns in each case."""
    ends = np.searchsorted(whole.outcomes[:, 0], np.arange(n_cases + 1))
    parts = [slice(first, last) for first, last in pairwise(ends)]
    return [Pmf.from_rows(whole.columns[1:], whole.outcomes[part, 1:], whole.weights[part]) for part in parts]
