"""A trial as a process: arrays of state that change step by step until it is over.

One attack, an attack to the death and a whole duel have this same shape, so they share every engine: the lockstep
simulation (`balance.chance.trials.lockstep`), the exact distribution in integers (`balance.chance.exact.enumeration`),
the exact distribution of a process without end (`balance.chance.exact.chain`) and the tree of what players may choose
(`balance.chance.exact.tree`). A game writes its rule once, as the step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import CodeType
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from balance.base.arrays import Array, BoolArray, IntArray
from balance.base.errors import UsageError
from balance.chance.rolls.rolls import Policy, Rolls, bound

__all__ = [
    "Array",
    "BoolArray",
    "Policy",
    "Process",
    "Start",
    "State",
    "Step",
    "code_of",
    "flat_columns",
    "n_trials",
    "start_state",
    "take_trials",
]

State: TypeAlias = dict[str, Array]
"""Arrays of n trials, `[n, ...]` of any dtype, by name; most are columns `int16[n]`."""
Step: TypeAlias = Callable[[State, Rolls], State]
Start: TypeAlias = Mapping[str, npt.ArrayLike] | Callable[[Rolls, int], State]


@dataclass(frozen=True)
class Process:
    """A trial as a process: `steps` are made in turn, again and again, until `over` or `max_steps`.

    * `start`: the initial state: by name an int (a column int16), or an array `[...]` (or number) of another dtype; or
      a function (rolls, n) -> the state of n trials, which may ask for chance.
    * `steps`: pure functions (state, rolls) -> state, made in turn; a step changes no array it was given.
    * `over`: state -> bool[n]; asked after each step.
    * `outcome`: (state at the end, steps made `int[n]`) -> the columns a trial reports.
    * `max_steps`: steps after which a trial stops undecided.
    * `policies`: the policy of each side that has one.
    * `key`: the column of the state that holds the key of all later luck (see `balance.chance.rolls.keyed_rolls`);
      empty where chance is asked for as it comes.
    """

    start: Start
    steps: tuple[Step, ...]
    over: Callable[[State], BoolArray]
    outcome: Callable[[State, IntArray], Mapping[str, Array]]
    max_steps: int
    policies: Mapping[str, Policy] = field(default_factory=dict)
    key: str = ""

    def step(self, number: int) -> Step:
        """Return step number `number`, from 0 in the cycle of steps, with policies bound to their choices."""
        step = self.steps[number % len(self.steps)]
        return partial(_with_policies, step, self.policies) if self.policies else step


def code_of(step: Step) -> CodeType | None:
    """Return the code object of a step's rule, under the policies bound to it; None if it is no function."""
    rule = step.args[0] if isinstance(step, partial) and step.func is _with_policies else step
    return getattr(getattr(rule, "func", rule), "__code__", None)


def _with_policies(step: Step, policies: Mapping[str, Policy], state: State, rolls: Rolls) -> State:
    return step(state, bound(rolls, policies))


def start_state(process: Process, n: int, rolls: Rolls | None = None) -> State:
    """Return the state of n trials before the first step; a start that asks for chance needs `rolls`."""
    if isinstance(process.start, Mapping):
        return {
            name: np.full(n, x, np.int16) if type(x) is int else np.repeat(np.asarray(x)[None], n, axis=0)
            for name, x in process.start.items()
        }
    if rolls is None:
        raise UsageError("a process whose start is a function needs rolls", "start_state(process, n, rolls)")
    return process.start(bound(rolls, process.policies), n)


def n_trials(state: State) -> int:
    """Return how many trials a state holds.

    >>> n_trials({"cards": np.zeros((3, 5), bool)})
    3
    """
    return len(next(iter(state.values())))


def take_trials(state: State, rows: IntArray | BoolArray | slice | Sequence[int]) -> State:
    """Return the state of some trials, in the order asked for; `rows` is any index of an array's axis 0.

    >>> take_trials({"health": np.array([3, 2, 1])}, [2, 0])["health"].tolist()
    [1, 3]
    """
    return {name: values[rows] for name, values in state.items()}


def flat_columns(state: State) -> list[IntArray]:
    """Return a state as columns of integers, `int[n]` each; trials are equal if and only if their numbers are.

    >>> [column.tolist() for column in flat_columns({"held": np.array([[True, False], [True, True]])})]
    [[1, 1], [0, 1]]
    """
    columns: list[IntArray] = []
    for values in state.values():
        if values.dtype.kind != "i":
            values = values.astype(np.float64).view(np.int64) if values.dtype.kind == "f" else values.astype(np.int64)
        columns += [values] if values.ndim == 1 else list(values.reshape(len(values), -1).T)
    return columns
