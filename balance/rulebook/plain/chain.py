"""A chain of steps that are made in turn until it ends: how it ends, after how many steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from balance.chance.budget import spend
from balance.rulebook.plain.fight import Stage, State
from balance.rulebook.plain.laws import Values

NEGLIGIBLE_MASS = 1e-18
"""Probability of being undecided below which no further step is made, as where arrays are pushed on."""
NEGLIGIBLE_STATE = 1e-20
"""Probability of a state that is left out: all those of a duel together are less than any digit shows."""
OF_STATE, OF_MOVE = 30, 0.3
"""Steps of work to list what follows a state, and to push on along each move."""


@dataclass
class Layer:
    """The states before one step of a cycle, and what follows those that were met: (number, chance) each.

    `target_of`: state -> its number, or that of the end which it is.
    """

    step: Stage
    target_of: dict[State, int] = field(default_factory=dict)
    moves: list[list[tuple[int, float]] | None] = field(default_factory=list)
    states: list[State] = field(default_factory=list)

    def added(self, state: State) -> int:
        """Return the number of a state that was not met before."""
        self.states.append(state)
        self.moves.append(None)
        return len(self.states) - 1


@dataclass
class Chain:
    """A chain with a layer for each step of its cycle.

    `ending`: what a state is where the chain is over with it, None where it goes on. `ends`: what it may come to, each
    with the number of it, from -1 down.
    """

    layers: Sequence[Layer]
    ending: Callable[[State], Values | None]
    ends: dict[Values, int] = field(default_factory=dict)

    def moves(self, phase: int, number: int) -> list[tuple[int, float]]:
        """Return where a state leads: the number of a next state, or of an end, and its chance."""
        layer, after = self.layers[phase], self.layers[(phase + 1) % len(self.layers)]
        states, chances = layer.step(layer.states[number]), dict[int, float]()
        spend(OF_STATE * (1 + len(states)), 4 * len(states))
        targets = after.target_of
        for state, chance in states.items():
            target = targets.get(state)
            if target is None:
                end = self.ending(state)
                new = after.added(state) if end is None else self.ends.setdefault(end, -1 - len(self.ends))
                target = targets[state] = new
            chances[target] = chances.get(target, 0.0) + chance
        moves = layer.moves[number] = list(chances.items())
        return moves


def endings(
    steps: Sequence[Stage],
    start: State,
    ending: Callable[[State], Values | None],
    unfinished: Callable[[State], Values],
    max_steps: int,
) -> dict[tuple[int, Values], float]:
    """Return (number of steps, how it ends) -> chance; after `max_steps` steps a state is what `unfinished` gives."""
    chain = Chain([Layer(step) for step in steps], ending)
    chain.layers[0].target_of[start] = chain.layers[0].added(start)
    mass, chances = {0: 1.0}, dict[tuple[int, Values], float]()
    for n in range(max_steps):
        if sum(mass.values()) <= NEGLIGIBLE_MASS:
            break
        after, n_moves, known_moves = dict[int, float](), 0, chain.layers[n % len(steps)].moves
        for number, p in mass.items():
            if p < NEGLIGIBLE_STATE:
                continue
            moves = known_moves[number] or chain.moves(n % len(steps), number)
            n_moves += len(moves)
            for target, chance in moves:
                after[target] = after.get(target, 0.0) + p * chance
        spend(OF_MOVE * n_moves)
        for end, number in chain.ends.items():
            if p := after.pop(number, 0.0):
                chances[n + 1, end] = p
        mass = after
    else:
        for number, p in mass.items():
            key = max_steps, unfinished(chain.layers[max_steps % len(steps)].states[number])
            chances[key] = chances.get(key, 0.0) + p
    return chances
