"""Chains that differ only by numbers, solved in one run: the states of all of them are listed and pushed on together.

A step of numpy costs as much for the few states of one chain as for those of a hundred. So each state holds the number
of its chain, and one process makes the steps of all. States of a chain stand in the order as if it were alone, so that
its distribution is the same to the last digit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise
from typing import Any

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.chance.budget import exact_budget
from balance.chance.exact.chain import (
    MANY_CYCLES,
    NEGLIGIBLE_MASS,
    SMALL_LAYER,
    Layer,
    endings,
    explore,
    matrices_of,
    merged_moves,
    push,
    push_on,
)
from balance.chance.exact.enumeration import GridRolls, StepWays, reported_distribution
from balance.chance.pmf import Pmf
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.process import Process, State, Step, start_state
from balance.chance.rolls.requests import Draw, Request
from balance.chance.rolls.rolls import ProxyRolls, Rolls

CHAIN = "chain"
"""The column of a state that holds the number of its chain."""


@dataclass(frozen=True)
class Chains:
    """How a game solves the chains of several setups in one run.

    Attributes
    ----------
    key
        setup -> what setups share whose chains one process can make; None for one that is solved alone.
    same
        setup -> what only setups of equal distributions share, of those with the same key.
    runs
        n setups with the same key -> the runs that solve their chains: those of all setups, then as many more that are
        as likely.
    """

    key: Callable[[Any], Hashable | None]
    same: Callable[[Any], Hashable]
    runs: Callable[[Sequence[Any]], Sequence[Run]]


@dataclass(frozen=True)
class Run:
    """The chains that one process makes: it starts with a row for each, and finds its number in the column `CHAIN`.

    `begins`: the step of the cycle with which each begins, `int[n]`; others than 0 need a process without a limit.
    """

    process: Process
    begins: IntArray


def side_by_side(
    process: Process,
    starts: Sequence[Mapping[str, int]],
    laws: Mapping[str, Sequence[DistributionStack]],
    begins: Sequence[int] = (0,),
) -> Run:
    """Return the run of a process with other starts, in which each draws from its own laws.

    `laws`: name of a draw -> the distributions of each, as many of each. `begins`: steps with which each begins, in a
    chain of its own, equally likely.
    """
    rows = {name: np.array([start[name] for start in starts] * len(begins), np.int16) for name in starts[0]}
    stacks = {name: _stacked(stacks) for name, stacks in laws.items()}
    steps = tuple(partial(_with_own_laws, step, stacks, len(starts)) for step in process.steps)
    return Run(replace(process, start=partial(_as_given, rows), steps=steps), np.repeat(begins, len(starts)))


def _stacked(stacks: Sequence[DistributionStack]) -> tuple[DistributionStack, int]:
    """Return all distributions, and how many each process has; a column that some do not have is 0 there."""
    columns = max((stack.columns for stack in stacks), key=len)
    distributions = chain.from_iterable(stack.distributions for stack in stacks)
    return DistributionStack(tuple(_widened(law, columns) for law in distributions)), len(stacks[0].distributions)


def _widened(law: Pmf, columns: tuple[str, ...]) -> Pmf:
    if law.columns == columns:
        return law
    values = [law[name] if name in law.columns else np.zeros(len(law), np.int64) for name in columns]
    return Pmf(columns, np.stack(values, axis=1), law.weights)


def _as_given(starts: State, rolls: Rolls, n: int) -> State:
    return starts


def _with_own_laws(
    step: Step, stacks: Mapping[str, tuple[DistributionStack, int]], n: int, state: State, rolls: Rolls
) -> State:
    """Make a step of n processes in which each draws from its own laws."""

    def around(behind: Rolls, request: Request[Any]) -> Any:
        if isinstance(request, Draw):
            stack, n_each = stacks[request.name]
            place = request.place + state[CHAIN].astype(np.int64) % n * n_each
            request = replace(request, distributions=stack, place=place)
        return behind.answer(request)

    return step(state, ProxyRolls(rolls, around))


def chain_distributions(run: Run) -> list[Pmf]:
    """Return the distribution of the outcome columns of each chain of a run, as `chain_distribution` does of one."""
    process, n = run.process, len(run.begins)
    with exact_budget():
        starts = {CHAIN: np.arange(n, dtype=np.int16), **start_state(process, n, GridRolls(StepWays(), n))}
        layers, masses = explore(process, starts, run.begins)
        arrivals, most = list[FloatArray](), min(process.max_steps, MANY_CYCLES * len(layers))
        left = push_on(masses, layers, matrices_of([_as_alone(layer) for layer in layers]), arrivals, most)
        rows, p, steps = endings(left, layers, arrivals, len(arrivals) == process.max_steps)
        goes_on = (left > NEGLIGIBLE_MASS) & (len(arrivals) < process.max_steps)
        late = np.unique(_chain_of(layers[len(arrivals) % len(layers)])[goes_on])
        steps = steps - run.begins[rows[:, 0]]
        early = np.flatnonzero(~np.isin(rows[:, 0], late))
        early = early[np.argsort((steps[early] - 1) % len(layers), kind="stable")]  # as those of a chain alone stand
        parts = _each(process, n, layers[0].shape.state_of(rows[early]), steps[early], p[early])
        return [_alone(run, masses, layers, at) if at in late else part for at, part in enumerate(parts)]


def _each(process: Process, n: int, state: State, steps: IntArray, p: FloatArray) -> Iterator[Pmf]:
    """Yield the distribution of each chain, without outcomes where nothing is known of one."""

    def outcome(state: State, steps: IntArray) -> State:
        return {CHAIN: state[CHAIN], **process.outcome(state, steps)}

    table = reported_distribution(replace(process, outcome=outcome), state, steps, p)
    for begin, end in pairwise(np.searchsorted(table.outcomes[:, 0], np.arange(n + 1)).tolist()):
        yield Pmf(table.columns[1:], table.outcomes[begin:end, 1:], table.weights[begin:end])


def _as_alone(layer: Layer) -> Layer:
    """Return a layer whose equal transitions are merged, but where scipy would add those of a chain in another order.

    It adds them one after the other unless it has to sort them.
    """
    sources, targets, chances = (np.concatenate(part) for part in (layer.sources, layer.targets, layer.chances))
    of_chain, by_target = _chain_of(layer)[sources], np.argsort(targets, kind="stable")
    falls = (np.diff(sources[by_target]) < 0) & (np.diff(targets[by_target]) == 0)
    n_falls = np.bincount(of_chain[by_target[1:]], falls, of_chain.max(initial=0) + 1)
    is_plain = ((np.bincount(of_chain) <= SMALL_LAYER) | (n_falls == 0))[of_chain]
    plain = merged_moves(sources[is_plain], targets[is_plain], chances[is_plain], len(layer.rows))
    return replace(
        layer,
        sources=[plain[0], sources[~is_plain]],
        targets=[plain[1], targets[~is_plain]],
        chances=[plain[2], chances[~is_plain]],
    )


def _alone(run: Run, masses: Sequence[FloatArray], layers: list[Layer], number: int) -> Pmf:
    """Return the distribution of one chain that goes on for long, of which many cycles are pushed on at once."""
    begin = int(run.begins[number])
    layers = layers[begin:] + layers[:begin]
    is_own = [_chain_of(layer) == number for layer in layers]
    own = [_part(*pair) for pair in zip(layers, is_own, is_own[1:] + is_own[:1], strict=True)]
    return push(run.process, masses[begin][is_own[0]], own, matrices_of(own), None)


def _chain_of(layer: Layer) -> IntArray:
    return np.asarray(layer.rows[:, 0])


def _part(layer: Layer, is_own: BoolArray, is_next: BoolArray) -> Layer:
    """Return a layer with some of its states, whose steps lead to some states of the next layer."""
    sources, targets, chances = (np.concatenate(part) for part in (layer.sources, layer.targets, layer.chances))
    moves, places, next_places = is_own[sources], is_own.cumsum() - 1, is_next.cumsum() - 1
    return Layer(
        layer.shape,
        layer.rows[is_own],
        ended_parts=[layer.is_ended[is_own]],
        sources=[places[sources[moves]]],
        targets=[next_places[targets[moves]]],
        chances=[chances[moves]],
    )
