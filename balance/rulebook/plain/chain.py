"""A chain of steps that are made in turn until it ends: how it ends, after how many steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import TypeAlias

from balance.chance.budget import spend
from balance.rulebook.plain.laws import Values

State: TypeAlias = Values
States: TypeAlias = dict[State, float]
"""State -> its chance."""
Stage: TypeAlias = Callable[[State], States]

NEGLIGIBLE_MASS = 1e-18
"""Probability of being undecided below which no further step is made, as where arrays are pushed on."""
NEGLIGIBLE_STATE = 1e-20
"""Probability of a state that is left out: all those of a duel together are less than any digit shows."""
OF_STATE, OF_MOVE = 30, 0.6
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
    """A chain with a layer for each step of its cycle; the start is state 0 of the first.

    `ending`: what a state is where the chain is over with it, None where it goes on. `ends`: what it may come to, the
    first as number -1, the second as -2 and so on.
    """

    layers: Sequence[Layer]
    start: State
    ending: Callable[[State], Values | None]
    ends: list[Values] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.layers[0].target_of[self.start] = self.layers[0].added(self.start)

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
                target = targets[state] = after.added(state) if end is None else self._end(end)
            chances[target] = chances.get(target, 0.0) + chance
        total = fsum(chances.values())  # or thousands of steps add up how far it is from 1
        moves = layer.moves[number] = [(target, chance / total) for target, chance in chances.items()]
        return moves

    def _end(self, end: Values) -> int:
        if end not in self.ends:
            self.ends.append(end)
        return -1 - self.ends.index(end)


def endings(chain: Chain, unfinished: Callable[[State], Values], max_steps: int) -> dict[tuple[int, Values], float]:
    """Return (number of steps, how it ends) -> chance; after `max_steps` steps a state is what `unfinished` gives."""
    layers, mass, chances = chain.layers, {0: 1.0}, dict[tuple[int, Values], float]()
    for n in range(max_steps):
        if sum(mass.values()) <= NEGLIGIBLE_MASS:
            break
        after, n_moves, known_moves = dict[int, float](), 0, layers[n % len(layers)].moves
        for number, p in mass.items():
            if p < NEGLIGIBLE_STATE:
                continue
            moves = known_moves[number] or chain.moves(n % len(layers), number)
            n_moves += len(moves)
            for target, chance in moves:
                after[target] = after.get(target, 0.0) + p * chance
        spend(OF_MOVE * n_moves)
        for number, end in enumerate(chain.ends, start=1):
            if p := after.pop(-number, 0.0):
                chances[n + 1, end] = p
        mass = after
    else:
        for number, p in mass.items():
            key = max_steps, unfinished(layers[max_steps % len(layers)].states[number])
            chances[key] = chances.get(key, 0.0) + p
    return chances


LATE, MOST_LATE = 1.04, 1e3
"""Where the mean of `LATE` to the power of the cycles is at most `MOST_LATE`, a thousand are less likely than 1e-13."""
DEEPEST = 200
"""States after each other beyond which there is no closed form, as Python calls one function for each."""


class NoClosedForm(Exception):  # noqa: N818 - pushed on step by step instead
    """States of a chain come back by way of others, or it may go on for too long."""


@dataclass
class Winners:
    """The chances of each winner in closed form, for chains whose states come back after one cycle, if at all."""

    chain: Chain
    _known: dict[tuple[int, int], tuple[float, float, float]] = field(default_factory=dict)
    _open: set[int] = field(default_factory=set)

    def p_win(self) -> tuple[float, float]:
        """Return the chances that ends have 1 and 2 as their first number; `NoClosedForm` if they are not to be had."""
        first, second, late = self._value(0, 0)
        if late > MOST_LATE:
            raise NoClosedForm
        return first, second

    def _value(self, number: int, depth: int) -> tuple[float, float, float]:
        """Return both chances, and the mean of `LATE` to the power of the cycles, from a state before step 0."""
        value = self._known.get((0, number))
        if value is None:
            if number in self._open or depth > DEEPEST:
                raise NoClosedForm
            self._open.add(number)
            first, second, late, again = self._sums(0, number, number, depth)
            if LATE * again >= 1:
                raise NoClosedForm
            value = first / (1 - again), second / (1 - again), late / (1 - LATE * again)
            self._known[0, number] = value
        return value

    def _sums(self, phase: int, number: int, base: int, depth: int) -> tuple[float, float, float, float]:
        """Return what a state comes to but for the way back to state `base`, and the chance of that way."""
        if (phase, number) in self._known:
            return (*self._known[phase, number], 0.0)
        moves = self.chain.layers[phase].moves[number] or self.chain.moves(phase, number)
        after, first, second, late, again = (phase + 1) % len(self.chain.layers), 0.0, 0.0, 0.0, 0.0
        longer = LATE ** (1 / len(self.chain.layers))
        for target, p in moves:
            if target < 0:
                winner = self.chain.ends[-1 - target][0]
                value, back = (float(winner == 1), float(winner == 2), 1.0), 0.0
            elif after:
                *sums, back = self._sums(after, target, base, depth)
                value = sums[0], sums[1], sums[2]
            elif target == base:
                again += p
                continue
            else:
                value, back = self._value(target, depth + 1), 0.0
            first, second, late = first + p * value[0], second + p * value[1], late + p * value[2] * longer
            again += p * back
        spend(OF_MOVE * len(moves))
        if phase and not again:
            self._known[phase, number] = first, second, late
        return first, second, late, again
