"""An attack within a fight: rolled in full, or drawn whole from its exact distribution.

What an attack brings hangs on what the fight has brought so far: trays left, runes, conditions. The distributions of
all such cases are listed once; after that one 16-bit random number draws dice, re-rolls and surges together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from typing import TypeAlias

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.pmf import Pmf
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.process import Process, State, start_state
from balance.chance.rolls.rolls import Rolls, with_names
from balance.game.kit import never
from balance.games.runewars.rules.attack import RESULTS, Attack, attack_steps, law_steps, start_of, start_of_law


@dataclass(frozen=True)
class Exchange:
    """An attack that is made again and again in a fight.

    `attack`: what is fixed. `varies`: what differs from one time to the next: name, its least value, and how many
    values it has. `results`: what the fight reads: columns of the attack, and effects of surges other than icons.
    `is_plain`: whether the target has neither a figure upgrade nor a dial that defends.
    """

    attack: Attack
    varies: tuple[tuple[str, int, int], ...]
    results: tuple[str, ...]
    is_plain: bool = False


Resolver: TypeAlias = Callable[[Exchange, Mapping[str, IntArray], Rolls, str], State]
"""(exchange, context `int[n]` by name, rolls, name) -> the columns `results`, `int[n]`."""


def roll_attack(exchange: Exchange, context: Mapping[str, IntArray], rolls: Rolls, name: str) -> State:
    """Roll a whole attack for each trial, with what differs this time, `int[n]` by name; return `results`, `int[n]`."""
    return results_of_roll(exchange, rolled(exchange, context, rolls, name))


def rolled(exchange: Exchange, context: Mapping[str, IntArray], rolls: Rolls, name: str) -> State:
    """Return the state of an attack after its last step."""
    named_rolls = with_names(rolls, lambda request: f"{name} {request}")
    fresh = start_state(Process(start_of(exchange.attack), (), never, _no_outcome, 0), len(context["trays"]))
    state = {**fresh, **{column: context[column] for column, _, _ in exchange.varies}}
    for step in attack_steps(exchange.attack):
        state = step(state, named_rolls)
    return state


def draw_attack(exchange: Exchange, context: Mapping[str, IntArray], rolls: Rolls, name: str) -> State:
    """Draw whole attacks from their exact distribution: equal in law to `roll_attack`, but one random number each.

    Values of the context, `int[n]` by name, that are beyond the range in `varies` count as its end.
    """
    return rolls.draw(stack_of(exchange), case_of(exchange, context), f"{name} attack")


def draw_wounds(exchange: Exchange, context: Mapping[str, IntArray], rolls: Rolls, name: str) -> State:
    """Draw as `draw_attack` does from fewer outcomes, of which the defender suffers the same."""
    return rolls.draw(wound_stack_of(exchange), case_of(exchange, context), f"{name} attack")


def case_of(exchange: Exchange, context: Mapping[str, IntArray]) -> IntArray:
    """Return which case of `stack_of` an attack is, `int32[n]`; values beyond a range count as its end."""
    rows: IntArray = np.zeros(len(context["trays"]), np.int32)
    for column, lower, n_values in exchange.varies:
        rows = rows * np.int32(n_values) + np.clip(context[column] - np.int16(lower), 0, n_values - 1)
    return rows


CASE = "·case"
"""The column that says which of all cases a row is."""
RESOLVERS: dict[str, Resolver] = {"literal": roll_attack, "compiled": draw_attack}


def _no_outcome(state: State, steps: IntArray) -> State:
    return {}


def results_of_roll(exchange: Exchange, state: State) -> State:
    """Return the columns `results` of an attack that was made."""
    gain_of = exchange.attack.strike.purchase.gain_of
    # a condition that the defender may have had is in the state as it was before the attack, not as it was bought
    results = {
        column: state[column] if column in RESULTS else gain_of(column, state["bought"]) for column in exchange.results
    }
    return {column: np.full_like(state["damage"], values) for column, values in results.items()}


@lru_cache(maxsize=512)
def stack_of(exchange: Exchange) -> DistributionStack:
    """Return the exact distribution of `results` in every case; the last of `varies` changes fastest."""
    unread = frozenset({"accuracy", "morale"}).difference(exchange.results)
    steps, start = law_steps(exchange.attack, unread), start_of_law(exchange.attack)
    cases = np.array([*product(*(range(lower, lower + n) for _, lower, n in exchange.varies))], np.int16)

    def begin(rolls: Rolls, n: int) -> State:
        case = rolls.uniform(len(cases), CASE).astype(np.int16)
        columns = dict(zip((column for column, _, _ in exchange.varies), cases[case].T, strict=True))
        fresh = start_state(Process({**start, **dict.fromkeys(columns, 0)}, (), never, _no_outcome, 0), n)
        return {**fresh, **columns, CASE: case}

    def outcome(state: State, n_steps: IntArray) -> State:
        return {CASE: state[CASE], **results_of_roll(exchange, state)}

    every = exact_distribution(Process(begin, steps, never, outcome, len(steps)))
    ends = np.searchsorted(every[CASE], np.arange(len(cases) + 1))
    parts = (slice(begin, end) for begin, end in pairwise(ends))
    return DistributionStack(
        tuple(Pmf(every.columns[1:], every.outcomes[part, 1:], every.weights[part]) for part in parts)
    )


@lru_cache(maxsize=512)
def wound_stack_of(exchange: Exchange) -> DistributionStack:
    """Return `stack_of` an exchange with damage told as mortal strikes, where a wound always takes as much of it."""
    stack, defence = stack_of(exchange), exchange.attack.target.defence
    if defence.rune or not exchange.is_plain:
        return stack

    def suffered(**results: IntArray) -> State:
        wounds = results["mortal_strikes"] + results["damage"] // max(defence.number, 1)
        return {**results, "mortal_strikes": wounds, "damage": np.zeros_like(wounds)}

    return DistributionStack(tuple(distribution.map(suffered) for distribution in stack.distributions))
