"""A chain of steps that are made in turn until it ends: which end it comes to, after how many steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from balance.chance.budget import spend
from balance.rulebook.plain.fight import Stage, State

NEGLIGIBLE_MASS = 1e-18
"""Probability of being undecided below which no further step is made, as where arrays are pushed on."""
OF_STATE, OF_MOVE = 40, 0.4
"""Steps of work to list what follows a state, and to push on along each move."""


@dataclass
class Layer:
    """The states before one step of a cycle, by number, and what follows those that were met: (state, chance) each."""

    step: Stage
    states: list[State] = field(default_factory=list)
    number_of: dict[State, int] = field(default_factory=dict)
    moves: list[list[tuple[int, float]] | None] = field(default_factory=list)

    def number(self, state: State) -> int:
        """Return the number of a state, a new one if it was not met before."""
        if state not in self.number_of:
            self.number_of[state] = len(self.states)
            self.states.append(state)
            self.moves.append(None)
        return self.number_of[state]


@dataclass
class Chain:
    """A chain with its layers, one for each step of a cycle; `is_over`: whether it ends with a state."""

    layers: Sequence[Layer]
    is_over: Callable[[State], bool]
    ends: list[State] = field(default_factory=list)

    def moves(self, phase: int, number: int) -> list[tuple[int, float]]:
        """Return where a state leads: the number of each next state, or of an end counted from -1 down; and chances."""
        layer, after = self.layers[phase], self.layers[(phase + 1) % len(self.layers)]
        moves = layer.moves[number]
        if moves is None:
            moves = layer.moves[number] = []
            states = layer.step(layer.states[number])
            spend(OF_STATE * (1 + len(states)), 4 * len(states))
            for state, chance in states.items():
                if self.is_over(state):
                    self.ends.append(state)
                    moves.append((-len(self.ends), chance))
                else:
                    moves.append((after.number(state), chance))
        return moves


def endings(
    steps: Sequence[Stage], start: State, is_over: Callable[[State], bool], max_steps: int
) -> list[tuple[State, int, float]]:
    """Return (state, number of steps, chance) of the ends of a chain; after `max_steps` steps every state is one."""
    chain = Chain([Layer(step) for step in steps], is_over)
    mass, found = {chain.layers[0].number(start): 1.0}, list[tuple[State, int, float]]()
    for n in range(max_steps):
        if sum(mass.values()) <= NEGLIGIBLE_MASS:
            return found
        phase, after = n % len(steps), dict[int, float]()
        for number, p in mass.items():
            for target, chance in chain.moves(phase, number):
                after[target] = after.get(target, 0.0) + p * chance
        spend(OF_MOVE * sum(len(chain.moves(phase, number)) for number in mass))
        found += [(chain.ends[-1 - target], n + 1, p) for target, p in after.items() if target < 0 and p]
        mass = {target: p for target, p in after.items() if target >= 0}
    states = chain.layers[max_steps % len(steps)].states
    return found + [(states[number], max_steps, p) for number, p in mass.items()]
