"""Positions numbered: what lies on the table packed into keys, and keys numbered in the order they are first met."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray
from balance.chance.rolls.process import State, take_trials
from balance.games.edadh.rules.view import SIDES

Keys = npt.NDArray[np.int64]

WIDTHS = {
    "mp": 12, "damage": 11, "unit": 15, "up": 3, "pile": 4, "relief": 9, "shaken": 1, "combine": 2, "lost": 3,
}  # fmt: skip
"""Bits of each column of `moves.POSITION_COLUMNS` in a key: those of the largest values the rules allow."""


def side_key(state: State, side: str) -> Keys:
    """Return the columns of side "a" or "b" packed into one number per state, `int64[n]`."""
    key = np.zeros(len(state["over"]), np.int64)
    for name, width in WIDTHS.items():
        key = key << width | (state[f"{side}_{name}"].astype(np.int64) & ((1 << width) - 1))
    return key


class Numbers:
    """Consecutive numbers for keys, in the order in which they are first met."""

    def __init__(self) -> None:
        self._keys = np.zeros(0, np.int64)
        self._numbers = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self._keys)

    def find(self, keys: Keys) -> Keys:
        """Return the number of each key, -1 for one that was never given a number."""
        if not len(self._keys):
            return np.full(len(keys), -1)
        place = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[place] == keys, self._numbers[place], -1)

    def of(self, keys: Keys) -> tuple[Keys, npt.NDArray[np.intp]]:
        """Return the number of each key, and for each new key an index at which it stands, in the order of numbers."""
        distinct, first, back = np.unique(keys, return_index=True, return_inverse=True)
        place, numbers = np.searchsorted(self._keys, distinct), self.find(distinct)
        fresh = np.flatnonzero(numbers < 0)
        numbers[fresh] = len(self._keys) + np.arange(len(fresh))
        if len(fresh):
            self._keys = np.insert(self._keys, place[fresh], distinct[fresh])
            self._numbers = np.insert(self._numbers, place[fresh], numbers[fresh])
        return numbers[back], first[fresh]


@dataclass
class _Layer:
    """States with the same number of turns left: their columns, and the parts that were not followed yet."""

    numbers: Numbers = field(default_factory=Numbers)
    parts: list[State] = field(default_factory=list)
    n_followed: int = 0


class Layers:
    """States met so far, by turns left, each once.

    It begins with one state, which has as many turns left as there ever are.
    """

    def __init__(self, start: State) -> None:
        self._sides = Numbers(), Numbers()
        no_states = take_trials(start, np.zeros(0, np.intp))
        self._layers = {turns: _Layer(parts=[no_states]) for turns in range(int(start["turns"][0]), -1, -1)}

    @property
    def sizes(self) -> dict[int, int]:
        """Number of states met, by turns left, most turns first."""
        return {turns: len(layer.numbers) for turns, layer in self._layers.items()}

    @property
    def n_pending(self) -> int:
        """Number of states whose successors were not asked for yet."""
        return sum(len(p["over"]) for layer in self._layers.values() for p in layer.parts[layer.n_followed :])

    def number(self, state: State, mask: BoolArray) -> Keys:
        """Return the numbers of states among those with as many turns left, 0 outside the mask; new ones are added."""
        numbers = np.zeros(len(mask), np.int64)
        sides = [n.of(side_key(state, side))[0] for n, side in zip(self._sides, SIDES, strict=True)]
        keys = sides[0] << 31 | sides[1]
        for turns, layer in self._layers.items():
            rows = np.flatnonzero(mask & (state["turns"] == turns))
            numbers[rows], fresh = layer.numbers.of(keys[rows])
            if len(fresh):
                layer.parts.append(take_trials(state, rows[fresh]))
        return numbers

    def pending(self) -> Iterator[tuple[int, State]]:
        """Yield (turns left, states) whose successors are still to be numbered, until none is new."""
        while any(layer.n_followed < len(layer.parts) for layer in self._layers.values()):
            for turns, layer in self._layers.items():
                while layer.n_followed < len(layer.parts):
                    layer.n_followed += 1
                    yield turns, layer.parts[layer.n_followed - 1]

    def columns(self, turns: int) -> State:
        """Return the columns of the states with so many turns left, in the order of their numbers."""
        parts = self._layers[turns].parts
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
