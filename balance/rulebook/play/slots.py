"""Units by the number of their slot, in the array `[n, k]` of a side: who meets whom, and in what order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.rulebook.play.units import CARD


@dataclass(frozen=True, eq=False)
class Encounter:
    """A unit and its foe in each of m trials.

    `rows`: the trials. `sides`: "me" and "foe" -> the side. `slots`: "me" and "foe" -> the slots, `int64[m]`. `flags`:
    what was chosen, 0 or 1 in each.
    """

    rows: IntArray
    sides: Mapping[str, str]
    slots: Mapping[str, IntArray]
    flags: Mapping[str, Any]

    def __len__(self) -> int:
        """Return in how many trials units meet."""
        return len(self.rows)

    def some(self, mask: BoolArray) -> Encounter:
        """Return those of a mask, `bool[m]`."""
        if mask.all():
            return self
        slots, flags = ({name: values[mask] for name, values in of.items()} for of in (self.slots, self.flags))
        return Encounter(self.rows[mask], self.sides, slots, flags)

    def against(self, slots: IntArray) -> Encounter:
        """Return the units with foes in these slots."""
        return Encounter(self.rows, self.sides, {"me": self.slots["me"], "foe": slots}, self.flags)

    @property
    def turned(self) -> Encounter:
        """The same from the side of the foe, who chooses nothing."""
        sides = {"me": self.sides["foe"], "foe": self.sides["me"]}
        return Encounter(self.rows, sides, {"me": self.slots["foe"], "foe": self.slots["me"]}, {})


def copied(state: State) -> State:
    """Return a state whose values may be changed in place."""
    return {name: values if name.endswith(f"_{CARD}") else values.copy() for name, values in state.items()}


def first_in_line(out: BoolArray) -> IntArray:
    """Return the place of the first unit that is not out in each trial, `int64[n]`, or how many places there are."""
    first: IntArray = out.argmin(axis=1)
    return np.where(out[np.arange(len(out)), first], out.shape[1], first)


def by_place(acting: BoolArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield the trials and slots of the units that act, place by place."""
    for place, acts in enumerate(acting.T):
        rows = acts.nonzero()[0]
        yield rows, rows * acting.shape[1] + place


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
