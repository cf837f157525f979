"""Many trials at once, step by step: every trial still alive makes the same step, and those that end are set aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from balance.base.arrays import Array, IntArray
from balance.base.errors import RollsError
from balance.base.signals import end_if_abandoned
from balance.chance.rolls.process import Process, State, n_trials, start_state
from balance.chance.rolls.rolls import FixedRolls, Rolls

MOST_SHORT = 2**15 - 1
"""Steps that an `int16` counts; few processes make more."""
MOST_WAITING = 4096
"""Trials that have ended and wait until what they report is worked out: more hold memory and save no time."""
MOST_FACES = 20
"""Faces tried for dice that an example does not give."""


def simulate(process: Process, rolls: Rolls, in_order: bool = False) -> State:
    """Play `rolls.n` trials of a process and return its outcome columns, `[n]` each.

    They come in the order in which trials end, or with `in_order`, which takes a bit longer, in that of the trials.
    """
    state = start_state(process, rolls.n, rolls)
    ended, trials = _Ended(process), np.arange(rolls.n if in_order else 0, dtype=np.int32)
    ends = list[IntArray]()
    for number in range(1, process.max_steps + 1):
        end_if_abandoned()
        before, state = state, process.step(number - 1)(state, rolls)
        if state is before and number > 1:  # nobody acted, so nothing is over that was not
            continue
        over = process.over(state)
        over_rows = over.nonzero()[0]
        if len(over_rows) == 0:
            continue
        ended.add(_take(state, over_rows), number)
        ends += [trials[over_rows]] if in_order else []
        alive = (~over).nonzero()[0]
        if len(alive) == 0:
            break
        state, trials = _take(state, alive), trials[alive] if in_order else trials
        rolls.keep(alive)
    else:
        ended.add(state, process.max_steps)
        ends.append(trials)
    columns = ended.columns()
    if not in_order:
        return columns
    order = np.argsort(np.concatenate(ends))
    return {name: values[order] for name, values in columns.items()}


class _Ended:
    """A buffer of ended trials, whose outcomes are worked out for many at once, since few end in most steps."""

    def __init__(self, process: Process) -> None:
        self.process, self.parts = process, list[State]()
        self.states, self.steps = list[State](), list[tuple[int, int]]()
        self.n_waiting = 0

    def add(self, state: State, number: int) -> None:
        """Add trials that ended after so many steps, and work out outcomes once enough are waiting."""
        n = n_trials(state)
        self.states.append(state)
        self.steps.append((number, n))
        self.n_waiting += n
        if self.n_waiting >= MOST_WAITING:
            self.report()

    def report(self) -> None:
        """Work out the outcomes of all waiting trials."""
        names = self.states[0]
        state = {name: np.concatenate([part[name] for part in self.states]) for name in names}
        numbers, counts = zip(*self.steps, strict=True)
        steps = np.repeat(np.array(numbers, np.int16 if max(numbers) <= MOST_SHORT else np.int32), counts)
        columns = self.process.outcome(state, steps)
        self.parts.append({name: _for_each(values, len(steps)) for name, values in columns.items()})
        self.states, self.steps, self.n_waiting = [], [], 0

    def columns(self) -> State:
        """Return the outcome columns of all trials, `[n]` each, in the order in which they ended."""
        if self.states:
            self.report()
        return {name: np.concatenate([part[name] for part in self.parts]) for name in self.parts[0]}


def _for_each(values: Array, n: int) -> Array:
    """Return a column of n trials, `[n, ...]`, from one or from a number for all."""
    return np.broadcast_to(values, (n, *np.shape(values)[1:]))


def _take(state: State, rows: IntArray) -> State:
    return {name: values.take(rows, axis=0) for name, values in state.items()}


def play_fixed(process: Process, dice: Mapping[str, Sequence[int | str]]) -> dict[str, int]:
    """Play one trial on the dice, cards and choices of a written example, by name, and return its outcome.

    Choices not written down are left to the policies. Raise RollsError if the dice do not decide the outcome, one shows
    an impossible face, or one was never rolled.
    """
    outcome: dict[str, int] = {}
    for fill in range(1, MOST_FACES + 1):
        rolls = FixedRolls(dice, fill)
        result = {name: int(values[0]) for name, values in simulate(process, rolls).items()}
        rolls.check_used()
        if outcome and result != outcome:
            raise RollsError(f"these dice leave the outcome open: {dice} may end in {outcome} or {result}")
        outcome = result
    return outcome
