"""Trials of several processes in one lockstep, where all luck of a trial follows from a key of its own.

A step of numpy costs as much for a few trials as for a thousand. So processes that differ only by who sides are, or by
how they play, make their steps together: those whose step is the same one make it as one batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from balance.base.arrays import IntArray
from balance.base.errors import RollsError
from balance.base.signals import end_if_abandoned
from balance.chance.rolls.process import Process, State, Step, n_trials, start_state, take_trials
from balance.chance.rolls.requests import Answer, Request
from balance.chance.rolls.rolls import Rolls


def can_join(processes: Sequence[Process]) -> bool:
    """Return whether the trials of all these can be played together: each has its own luck, and nobody asks for more.

    >>> can_join([Process({"health": 3}, (), lambda state: state["health"] > 0, lambda state, steps: state, 0)])
    False
    """
    clocks = {(len(process.steps), process.max_steps) for process in processes}
    return len(clocks) == 1 and all(process.key and not process.policies for process in processes)


def simulate_together(processes: Sequence[Process], rolls: Sequence[Rolls]) -> list[State]:
    """Play the trials of each process on its rolls; return the outcome columns of each, in the order of its trials.

    The numbers are those of `simulate`, process by process. They must be such as `can_join` says, with states of the
    same columns and widths.
    """
    counts = [part.n for part in rolls]
    state = _joined([start_state(process, part.n, part) for process, part in zip(processes, rolls, strict=True)])
    owner, trials = np.repeat(np.arange(len(processes)), counts), np.arange(sum(counts))
    ended, ends, n_steps = list[State](), list[IntArray](), np.full(len(trials), processes[0].max_steps)
    for number in range(processes[0].max_steps):
        end_if_abandoned()
        state = _after_step(processes, owner, state, number)
        over = processes[0].over(state)
        if not over.any():
            continue
        ended.append(take_trials(state, over))
        ends.append(trials[over])
        n_steps[trials[over]] = number + 1
        state, owner, trials = take_trials(state, ~over), owner[~over], trials[~over]
        if not len(trials):
            break
    order = np.argsort(np.concatenate([*ends, trials]))
    last = take_trials(_joined([*ended, state]), order)
    parts = [slice(end - n, end) for n, end in zip(counts, np.cumsum(counts).tolist(), strict=True)]
    return [
        dict(process.outcome(take_trials(last, part), n_steps[part]))
        for process, part in zip(processes, parts, strict=True)
    ]


def _after_step(processes: Sequence[Process], owner: IntArray, state: State, number: int) -> State:
    """Return the state after a step of each process; those of one step make it together."""
    steps: list[Step] = [process.step(number) for process in processes]
    first_alike = np.array([next(at for at in range(len(steps)) if _is_same(steps[at], step)) for step in steps])
    of = first_alike[owner]
    groups = [(at, np.flatnonzero(of == at)) for at in np.unique(of).tolist()]
    if len(groups) == 1:
        result: State = steps[groups[0][0]](state, _NoMoreLuck(len(owner)))
        return result
    after = [steps[at](take_trials(state, rows), _NoMoreLuck(len(rows))) for at, rows in groups]
    return take_trials(_joined(after), np.argsort(np.concatenate([rows for _, rows in groups])))


def _is_same(step: Step, other: Step) -> bool:
    """Return whether two steps are one function of the very same things."""
    if not (isinstance(step, partial) and isinstance(other, partial)):
        return step is other
    facts, other_facts = ((*each.args, *sorted(each.keywords.items())) for each in (step, other))
    same = len(facts) == len(other_facts) and all(map(lambda x, y: x is y, facts, other_facts))
    return step.func is other.func and same


def _joined(states: Sequence[State]) -> State:
    """Return the trials of all states in one; a column that some of them do not have is 0 there."""
    columns = {name: values for state in states for name, values in state.items()}
    return {
        name: np.concatenate(
            [
                state[name] if name in state else np.zeros((n_trials(state), *like.shape[1:]), like.dtype)
                for state in states
            ]
        )
        for name, like in columns.items()
    }


class _NoMoreLuck(Rolls):
    """What steps get that derive all luck from the state."""

    def __init__(self, n: int) -> None:
        self.n = n

    def answer(self, request: Request[Answer]) -> Answer:
        """Refuse, as trials that are played together have no common luck."""
        raise RollsError(f"{request.name!r} is asked for in a step, where luck follows from the key of each trial")
