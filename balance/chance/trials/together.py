"""Trials of several questions in one run, where all luck of a trial follows from a key of its own.

A step of numpy costs as much for a few trials as for a thousand. So a few trials of each of many questions are best
played beside each other, each as alone. A game may say itself how (`Joint`); else processes that differ only by who
sides are, or by how they play, make their steps together: those whose step is the same one make it as one batch.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.keyed_rolls import JoinedRolls
from balance.chance.rolls.process import Process, State, Step, n_trials, start_state, take_trials
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.chance.trials.collect import play_block
from balance.chance.trials.lockstep import simulate
from balance.chance.trials.memory import keep_freed_memory

MOST_TRIALS = 2**13
"""Trials of several blocks that are played in one run: more hold memory and save no time."""
OWNER, LEFT = "·process", "·steps left"
"""The columns of the number of the process that a trial is of, and of the steps that it has left."""
Block: TypeAlias = tuple[Any, RandomRolls]
"""The setup of a question, and the rolls of a block of its trials."""


@dataclass(frozen=True)
class Joint:
    """How a game plays trials of several setups in one run.

    `key`: setup -> what setups have in common that can be played together; None for one that is played alone.
    `process`: (setups with the same key, trials of each) -> the process of these trials, one setup after the other.
    """

    key: Callable[[Any], Hashable | None]
    process: Callable[[Sequence[Any], Sequence[int]], Process]


def play_blocks(
    blocks: Sequence[Block], processes: Callable[[Any, Literal["literal"]], tuple[Process, ...]], joint: Joint | None
) -> list[State]:
    """Return the outcome columns of each block in the order of its trials, as it gives them when played alone.

    `processes` are those of a setup and a lane, and `joint` says which setups are played in one run; None for no two.
    """
    keep_freed_memory()
    outcomes = dict[int, State]()
    for places in _runs(blocks, joint):
        setups, rolls = zip(*(blocks[place] for place in places), strict=True)
        if joint is None or len(places) == 1:
            outcomes[places[0]] = play_block(processes(setups[0], "literal"), rolls[0], in_order=True)
        else:
            process = joint.process(setups, [part.n for part in rolls])
            outcomes |= zip(places, _play_joined(process, rolls), strict=True)
    return [outcomes[place] for place in range(len(blocks))]


def _runs(blocks: Sequence[Block], joint: Joint | None) -> Iterator[list[int]]:
    """Yield the places of the blocks of each run."""
    runs = dict[Hashable, list[int]]()
    for place, (setup, rolls) in enumerate(blocks):
        key = joint.key(setup) if joint is not None else None
        if key is None:
            yield [place]
            continue
        run = runs.setdefault(key, [])
        if run and sum(blocks[other][1].n for other in run) + rolls.n > MOST_TRIALS:
            yield run
            run = runs[key] = []
        run.append(place)
    yield from runs.values()


def play_processes(processes: Sequence[Process], rolls: Sequence[Rolls]) -> list[State]:
    """Play the trials of each process on its rolls, in one run if they allow it; return the outcome columns of each.

    They are in the order of the trials, and the numbers those of `simulate`. In one run are played processes that have
    states of the same columns and widths, whose trials have luck of their own, and in which no policy asks for more.
    """
    cycles = {len(process.steps) for process in processes}
    has_keys = all(process.key and not process.policies for process in processes)
    if len(processes) < 2 or len(cycles) > 1 or not has_keys:
        return [simulate(process, part, in_order=True) for process, part in zip(processes, rolls, strict=True)]
    return list(_play_joined(_one_process(processes, rolls), rolls))


def _play_joined(process: Process, rolls: Sequence[Rolls]) -> Iterator[State]:
    """Yield the outcome columns of the trials of each rolls, which one process plays one after the other."""
    columns, end = simulate(process, JoinedRolls(rolls), in_order=True), 0
    for part in rolls:
        start, end = end, end + part.n
        yield take_trials(columns, slice(start, end))


def _one_process(processes: Sequence[Process], rolls: Sequence[Rolls]) -> Process:
    """Return the process of all trials, process by process."""
    starts = [start_state(process, part.n, part) for process, part in zip(processes, rolls, strict=True)]
    counts, most_steps = [part.n for part in rolls], [process.max_steps for process in processes]
    beside = {OWNER: np.repeat(np.arange(len(processes)), counts), LEFT: np.repeat(most_steps, counts)}
    steps = (
        partial(_step, [process.step(number) for process in processes]) for number in range(len(processes[0].steps))
    )
    return replace(
        processes[0],
        start=lambda rolls, n: _joined(starts) | beside,
        steps=tuple(steps),
        over=lambda state: processes[0].over(state) | (state[LEFT] == 0),
        max_steps=max(most_steps),
        outcome=partial(_shared, [process.outcome for process in processes]),
    )


def _step(steps: Sequence[Step], state: State, rolls: Rolls) -> State:
    return _shared(steps, state, rolls) | {OWNER: state[OWNER], LEFT: state[LEFT] - 1}


def _shared(functions: Sequence[Callable[..., Any]], state: State, beside: Rolls | IntArray) -> State:
    """Return what the function of each trial's process makes of it, called once for all trials with the same function.

    `beside`: rolls for steps, of which nothing is asked, or how many steps were made, `int[n]`, for outcomes.
    """
    first_alike = [next(at for at, other in enumerate(functions) if _is_same(other, each)) for each in functions]
    of = np.array(first_alike)[state[OWNER]]
    numbers = np.unique(of).tolist()
    if len(numbers) == 1:
        return dict(functions[numbers[0]](state, beside))
    groups = [np.flatnonzero(of == number) for number in numbers]
    parts = [
        functions[number](take_trials(state, rows), beside if isinstance(beside, Rolls) else beside[rows])
        for number, rows in zip(numbers, groups, strict=True)
    ]
    return take_trials(_joined(parts), np.argsort(np.concatenate(groups)))


def _is_same(function: Callable[..., Any], other: Callable[..., Any]) -> bool:
    """Return whether two steps or outcomes are one function of the very same things."""
    if not (isinstance(function, partial) and isinstance(other, partial)):
        return function is other
    facts, other_facts = ((*each.args, *sorted(each.keywords.items())) for each in (function, other))
    same = len(facts) == len(other_facts) and all(map(lambda x, y: x is y, facts, other_facts))
    return function.func is other.func and same


def _joined(states: Sequence[State]) -> State:
    """Return the trials of all states in one; a column that some of them do not have is 0 there."""
    like = {name: values for state in states for name, values in state.items()}
    empty = [
        {
            name: np.zeros((n_trials(state), *values.shape[1:]), values.dtype)
            for name, values in like.items()
            if name not in state
        }
        for state in states
    ]
    return {
        name: np.concatenate([(state | zeros)[name] for state, zeros in zip(states, empty, strict=True)])
        for name in like
    }
