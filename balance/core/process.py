"""A trial as a process: integer columns that change step by step until it is over.

One attack, an attack to the death and a whole duel have this same shape, so they share every engine: the lockstep
simulation (`balance.core.lockstep`), the exact law in integers (`balance.core.enumeration`) and the exact law of a
process without end (`balance.core.chain`). A game writes its rule once, as the step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from balance.core.rolls import Rolls
from balance.pmf.arrays import IntArray

__all__ = ["BoolArray", "Process", "State", "Step", "start_state", "take_trials"]

BoolArray: TypeAlias = npt.NDArray[np.bool_]
State: TypeAlias = dict[str, IntArray]
"""Columns of n trials, `{name: int16[n]}`."""
Step: TypeAlias = Callable[[State, Rolls], State]


@dataclass(frozen=True)
class Process:
    """A trial that runs through `steps`, again and again, until `over` or until `max_steps` have been made.

    Attributes
    ----------
    start
        Value of each state column before the first step.
    steps
        Pure functions (state, rolls) -> state, made in turn; a step changes no array it was given.
    over
        state -> bool[n]; asked after each step.
    outcome
        (state at the end, steps made `int[n]`) -> the columns a trial reports.
    max_steps
        Steps after which a trial stops undecided.
    """

    start: Mapping[str, int]
    steps: tuple[Step, ...]
    over: Callable[[State], BoolArray]
    outcome: Callable[[State, IntArray], Mapping[str, npt.NDArray[Any]]]
    max_steps: int


def start_state(process: Process, n: int) -> State:
    """Return the state of n trials before the first step.

    >>> never = lambda state: np.zeros(len(state["health"]), bool)
    >>> walk = Process({"health": 3}, (), never, lambda state, steps: state, 0)
    >>> start_state(walk, 2)["health"].tolist()
    [3, 3]
    """
    return {name: np.full(n, value, np.int16) for name, value in process.start.items()}


def take_trials(state: State, rows: Any) -> State:
    """Return the columns of some trials, in the order asked for; `rows` is any index of an array.

    >>> take_trials({"health": np.array([3, 2, 1])}, [2, 0])["health"].tolist()
    [1, 3]
    """
    return {name: values[rows] for name, values in state.items()}
