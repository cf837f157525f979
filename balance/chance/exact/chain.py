"""The exact distribution of a process that may go on without end: an absorbing chain, solved forward.

The states a process can reach are listed breadth first, together with every transition and its probability. Then the
probability of being in each state is pushed forward, one step at a time, until what is still undecided is below 1e-18
or the process's limit is reached. This gives the distribution of the end state *and* of the number of steps, with or
without a limit, in floating point. What a limit leaves undecided is reported as it stands, not spread over the rest.

A process makes its steps in a cycle, so there is one layer of states before each step of the cycle, and the matrix of a
step leads from its layer to the next: the state before is the column, the state after the row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, reduce
from math import prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.errors import DistributionError
from balance.chance.budget import SIMULATE, exact_budget, spend
from balance.chance.exact.enumeration import (
    StepWays,
    TooManyWays,
    expand,
    expand_by_guess,
    list_starts,
    reported_distribution,
)
from balance.chance.pmf import Pmf
from balance.chance.pmf.arrays import merge_columns
from balance.chance.rolls.process import Process, State, Step, flat_columns, n_trials, take_trials

Forward: TypeAlias = Callable[[FloatArray], FloatArray]
"""Takes the chances to be in each state before a step to those after it."""

OF_CHAIN = np.uint64(0x9E3779B97F4A7C15)
"""What the number of a chain adds to the keys of its states, times that number."""
NEGLIGIBLE_MASS = 1e-18
"""Probability of being undecided below which no further step is made."""
ROWS_AT_A_TIME = 65_536
"""States of which something is worked out beside their own numbers at once."""
LARGEST_PART = 1_500_000
"""Cells (rows times numbers in a state) that a step from several states makes at once: 12 MB, a dozen times over."""
LARGEST_CHAIN = 2_000_000
"""States that one layer may have."""
MANY_CYCLES = 128
"""Cycles after which, and in which, a chain of small layers is pushed on many at once."""
MOST_DENSE = 128
"""States of such a layer."""
SMALL_LAYER = 256
"""Transitions of one step up to which numpy alone does: importing scipy for so few takes longer than all the rest."""


def chain_distribution(process: Process, *, columns: Sequence[str] | None = None) -> Pmf:
    """Return the distribution of a process's outcome columns (None: all), with float weights.

    Raise DistributionError if the process can reach more than 2,000,000 states before some step.
    """
    with exact_budget():
        layers, (mass, *_) = explore(process)
        return push(process, mass, layers, matrices_of(layers), columns)


@dataclass(frozen=True, eq=False)
class Shape:
    """The columns, shapes and types of a state, so that n states can be kept as rows of numbers, `int64[n, k]`.

    `of_many`: whether the first column is the number of a chain, whose states are listed in the order as if alone.
    """

    start: State
    of_many: bool = False

    @cached_property
    def _plain(self) -> bool:
        return all(values.ndim == 1 and values.dtype.kind == "i" for values in self.start.values())

    @cached_property
    def is_packed(self) -> bool:
        """Whether a row of one chain fits 64 bits: up to four columns that start as 16 bits."""
        is_narrow = all(v.dtype == np.int16 for v in self.start.values())
        return self._plain and len(self.start) <= 4 + self.of_many and is_narrow

    def keys_of(self, rows: IntArray) -> npt.NDArray[np.uint64]:
        """Return a key for each row, `uint64[n]`: unique if it is packed, else by a hash."""
        own = rows[:, int(self.of_many) :]
        keys = _pack_rows(own) if self.is_packed else _digests(own)
        return keys + rows[:, 0].astype(np.uint64) * OF_CHAIN if self.of_many else keys

    def in_order(self, keys: npt.NDArray[np.uint64], rows: IntArray) -> IntArray:
        """Return the places of rows by their keys, chain by chain, in which their states are listed."""
        if not self.of_many:
            return np.arange(len(keys))
        chains = rows[:, 0].astype(np.uint64)
        return np.lexsort((keys - chains * OF_CHAIN, chains))

    def rows_of(self, state: State) -> IntArray:
        """Return states as rows of numbers, `int64[n, k]`, in the order of the start's columns."""
        columns = flat_columns({name: state[name] for name in self.start})
        rows = np.empty((len(columns[0]), len(columns)), np.int64)
        for place, values in enumerate(columns):  # quicker than np.stack, which is felt where layers are small
            rows[:, place] = values
        return rows

    def state_of(self, rows: IntArray) -> State:
        """Return rows of numbers as states: shapes as at the start, integers int64, other types as at the start."""
        if self._plain:
            return {name: rows[:, column] for column, name in enumerate(self.start)}
        state: State = {}
        for name, values in self.start.items():
            width = prod(values.shape[1:])
            part, rows = np.ascontiguousarray(rows[:, :width]), rows[:, width:]
            if values.dtype.kind == "f":
                part = part.view(np.float64)
            elif values.dtype.kind in "bu":
                part = part.astype(values.dtype)
            state[name] = part.reshape(len(part), *values.shape[1:])
        return state


@dataclass
class Layer:
    """The states before one step of the cycle, in the order of discovery, and the transitions of that step."""

    shape: Shape
    rows: IntArray
    keys: npt.NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, np.uint64))
    order: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    ended_parts: list[BoolArray] = field(default_factory=lambda: [np.empty(0, bool)])
    sources: list[IntArray] = field(default_factory=lambda: [np.empty(0, np.int64)])
    targets: list[IntArray] = field(default_factory=lambda: [np.empty(0, np.int64)])
    chances: list[FloatArray] = field(default_factory=lambda: [np.empty(0)])

    @property
    def is_ended(self) -> BoolArray:
        """Which states are absorbing, `bool[states]`."""
        return np.concatenate(self.ended_parts)

    @property
    def live_places(self) -> IntArray:
        """The places of the states from which a step is made, rising, `int64[live]`."""
        return np.unique(np.concatenate(self.sources))

    def state(self, places: IntArray | slice) -> State:
        """Return the states at these places as columns."""
        return self.shape.state_of(self.rows[places])

    def places(self, state: State) -> IntArray:
        """Return the place of each trial's state, `int64[n]`; all must be in this layer."""
        rows = self.shape.rows_of(state)
        keys = self.shape.keys_of(rows)
        spots = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        if not np.array_equal(self.keys[spots], keys):
            raise AssertionError("a state is reached that no draw leads to; please report this process")
        return self.order[spots]

    def add(self, state: State) -> tuple[IntArray, IntArray]:
        """Return the place of each trial's state, adding it if it is new, and the places that are new."""
        rows, is_sure = self.shape.rows_of(state), self.shape.is_packed and not self.shape.of_many
        keys = self.shape.keys_of(rows)
        distinct, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        spots = np.searchsorted(self.keys, distinct)
        is_known = spots < len(self.keys)
        is_known[is_known] = self.keys[spots[is_known]] == distinct[is_known]
        places = np.empty(len(distinct), np.int64)
        places[is_known] = self.order[spots[is_known]]
        new = np.flatnonzero(~is_known)
        new = new[self.shape.in_order(distinct[new], rows[first[new]])]
        places[new] = fresh = np.arange(len(self.rows), len(self.rows) + len(new))
        if len(new):
            self._insert(rows[first[new]], distinct[new], fresh)
        numbers: IntArray = places[inverse]
        if not is_sure and any(not np.array_equal(self.rows[numbers[p]], rows[p]) for p in _slices(len(rows))):
            raise AssertionError("two states share one 64-bit key; please report this process")
        return numbers, fresh

    def _insert(self, rows: IntArray, keys: npt.NDArray[np.uint64], places: IntArray) -> None:
        n_rows = len(self.rows) + len(rows)
        if n_rows > LARGEST_CHAIN:
            raise DistributionError(
                f"more than {LARGEST_CHAIN:,} states can be reached; too many to solve exactly",
                SIMULATE,
            )
        spend(n_rows / 3, 2 * len(rows) * (rows.shape[1] + 3))  # as large again while they are joined
        self.rows = np.concatenate([self.rows, rows])
        keys, order = np.concatenate([self.keys, keys]), np.concatenate([self.order, places])
        by_key = np.argsort(keys, kind="stable")
        self.keys, self.order = keys[by_key], order[by_key]


def _pack_rows(rows: IntArray) -> npt.NDArray[np.uint64]:
    """Return a unique key for each row of up to four columns of 16 bits, `uint64[n]`."""
    places = (rows + 32768).astype(np.uint64)
    if places.size and places.max() > 65535:
        raise DistributionError(
            f"a state holds {int(np.abs(rows).max()):,}, beyond 16 bits",
            "start that column with a wider type: np.int64(0)",
        )
    return np.asarray(places @ (np.uint64(1) << np.arange(0, 16 * rows.shape[1], 16, dtype=np.uint64)))


def _digests(rows: IntArray) -> npt.NDArray[np.uint64]:
    """Return a hash of each row, `uint64[n]`; collisions are possible and must be checked."""
    numbers = _odd_numbers(rows.shape[1])
    return np.concatenate([(rows[part] + 32768).astype(np.uint64) @ numbers for part in _slices(len(rows))])


def _slices(n: int) -> Iterator[slice]:
    """Yield slices of n rows of bounded length, to bound the memory of what is made of each."""
    return (slice(first, first + ROWS_AT_A_TIME) for first in range(0, max(1, n), ROWS_AT_A_TIME))


@cache
def _odd_numbers(k: int) -> npt.NDArray[np.uint64]:
    generator = np.random.Generator(np.random.SFC64(20261121))
    return np.asarray(generator.integers(1, 2**63, size=k, dtype=np.uint64) * np.uint64(2) + np.uint64(1))


def explore(
    process: Process, starts: State | None = None, begins: IntArray | None = None
) -> tuple[list[Layer], list[FloatArray]]:
    """List the reachable states before each step of the cycle; return the layers, and the chances of starts in each.

    Each row of `starts` is a start of its own, of chance 1, before step `begins` of the first cycle, `int[n]`; None for
    those of the process, before the first step.
    """
    start, weights, denominator = list_starts(process) if starts is None else (starts, np.ones(n_trials(starts)), 1)
    begin_at = np.zeros(n_trials(start), np.int64) if begins is None else begins
    shape = Shape(start, starts is not None)
    layers = [Layer(shape, shape.rows_of(start)[:0]) for _ in process.steps]
    plans, start_places = dict[int, StepWays](), np.zeros(n_trials(start), np.int64)
    frontier = start_places[:0]
    for number in range(process.max_steps):
        phase, next_phase = number % len(layers), (number + 1) % len(layers)
        layer, step = layers[phase], process.step(phase)
        if number <= begin_at.max():
            new = begin_at == number
            start_places[new], fresh = layer.add(take_trials(start, new))
            layer.ended_parts.append(np.zeros(len(fresh), bool))
            frontier = np.concatenate([frontier, fresh])
        if len(frontier) == 0:
            if number < begin_at.max():
                continue
            break
        live_parts = list[IntArray]()
        for sources, after, step_chances in _in_parts(step, layer, frontier, phase, plans):
            spend(3 * len(sources), 3 * len(sources))
            targets, fresh = layers[next_phase].add(after)
            layer.sources.append(sources)
            layer.targets.append(targets)
            layer.chances.append(step_chances)
            is_over = process.over(layers[next_phase].state(fresh))
            layers[next_phase].ended_parts.append(is_over)
            live_parts.append(fresh[~is_over])
        frontier = np.concatenate(live_parts)
    chances: FloatArray = np.where(begin_at == np.arange(len(layers))[:, None], weights / denominator, 0.0)
    pairs = zip(chances, layers, strict=True)
    return layers, [np.bincount(start_places, own, len(layer.rows)).astype(np.float64) for own, layer in pairs]


def _in_parts(
    step: Step, layer: Layer, frontier: IntArray, phase: int, plans: dict[int, StepWays]
) -> Iterator[tuple[IntArray, State, FloatArray]]:
    """Yield the transitions of a step from some states of a layer, for half of them at a time where that is too much.

    A transition is the place of the state before, the state after, and its probability; in parts, equal ones are
    merged.
    """
    most_cells = LARGEST_PART if len(frontier) > 1 else 0
    try:
        if phase in plans:
            expansion = expand(step, layer.state(frontier), plans[phase], most_cells)
        else:
            plans[phase], expansion = expand_by_guess(step, layer.state(frontier), most_cells=most_cells)
    except TooManyWays:
        if len(frontier) < 2 or layer.shape.of_many:
            raise
        half = len(frontier) // 2
        for part in (frontier[:half], frontier[half:]):
            for sources, after, chances in _in_parts(step, layer, part, phase, plans):
                distinct, sums = merge_columns([sources, *flat_columns(after)], chances)
                yield sources[distinct], take_trials(after, distinct), sums
        return
    origin, after, ways, total = expansion
    yield frontier[origin], after, np.asarray(ways / total, np.float64)


def matrices_of(layers: list[Layer]) -> list[Forward]:
    """Return the step from each layer to the next as a function from the probabilities before it to those after it."""
    return [_matrix(layer, next_layer) for layer, next_layer in zip(layers, layers[1:] + layers[:1], strict=True)]


def _matrix(layer: Layer, next_layer: Layer) -> Forward:
    targets, sources = np.concatenate(layer.targets), np.concatenate(layer.sources)
    chances: FloatArray = np.concatenate(layer.chances)
    spend(len(chances), len(chances))
    if len(chances) > SMALL_LAYER:
        from scipy.sparse import csr_array

        matrix = csr_array((chances, (targets, sources)), shape=(len(next_layer.rows), len(layer.rows)))
        return lambda mass: np.asarray(matrix @ mass)
    sources, targets, chances = merged_moves(sources, targets, chances, len(layer.rows))
    n = len(next_layer.rows)
    return lambda mass: np.asarray(np.bincount(targets, chances * mass[sources], n), np.float64)


def merged_moves(
    sources: IntArray, targets: IntArray, chances: FloatArray, n: int
) -> tuple[IntArray, IntArray, FloatArray]:
    """Return transitions from n states of which no two lead from and to the same ones, sorted by where they lead."""
    places, entry = np.unique(targets * n + sources, return_inverse=True)
    # one after the other: reduceat adds in pairs, and last digits would hang on the size of the chain
    sums: FloatArray = np.bincount(entry, chances).astype(np.float64)
    return places % n, places // n, sums


def push(
    process: Process, mass: FloatArray, layers: list[Layer], matrices: list[Forward], columns: Sequence[str] | None
) -> Pmf:
    """Push probability forward from the starts until it is absorbed or the limit is reached; return the outcomes."""
    is_small, arrivals = all(len(layer.rows) <= MOST_DENSE for layer in layers), list[FloatArray]()
    most = min(process.max_steps, MANY_CYCLES * len(layers)) if is_small else process.max_steps
    mass = push_on([mass], layers, matrices, arrivals, most)
    if len(arrivals) == most < process.max_steps:
        mass = _push_cycles(process, mass, layers, matrices, arrivals)
    rows, p, steps = endings(mass, layers, arrivals, len(arrivals) == process.max_steps)
    return reported_distribution(process, layers[0].shape.state_of(rows), steps, p, columns)


def push_on(
    masses: Sequence[FloatArray], layers: list[Layer], matrices: list[Forward], arrivals: list[FloatArray], most: int
) -> FloatArray:
    """Push probability forward, `most` steps at most; add what ends with each to `arrivals`, and return the rest.

    `masses` are those before the first step, and what begins before each step after it.
    """
    mass = masses[0]
    ended_places: list[IntArray] = [np.flatnonzero(layer.is_ended) for layer in layers]
    n_moves = [sum(map(len, layer.chances)) for layer in layers]
    while len(arrivals) < most and np.add.reduce(mass) > NEGLIGIBLE_MASS:
        phase, after = len(arrivals) % len(layers), (len(arrivals) + 1) % len(layers)
        if 0 < len(arrivals) < len(masses):
            mass = mass + masses[phase]
        ends = ended_places[after]
        spend(n_moves[phase] / 100 + 20, 2 * len(ends))
        mass = matrices[phase](mass)
        arrivals.append(mass[ends])
        mass[ends] = 0.0
        if layers[after].shape.of_many:
            chain = layers[after].rows[:, 0]
            mass[np.bincount(chain, mass)[chain] <= NEGLIGIBLE_MASS] = 0.0
    return mass


def endings(
    mass: FloatArray, layers: list[Layer], arrivals: list[FloatArray], is_cut: bool
) -> tuple[IntArray, FloatArray, IntArray]:
    """Return the end states, with their probability and number of steps; with `is_cut` those that went on, too."""
    parts = [_arrivals(arrivals, layers, first) for first in range(min(len(layers), len(arrivals)))]
    if is_cut:
        (places,) = np.nonzero(mass)
        rows = layers[len(arrivals) % len(layers)].rows[places]
        parts.append((rows, mass[places], np.full(len(places), len(arrivals))))
    rows, p, steps = (np.concatenate(part) for part in zip(*parts, strict=True))
    return rows, p, steps


def _push_cycles(
    process: Process, mass: FloatArray, layers: list[Layer], matrices: list[Forward], arrivals: list[FloatArray]
) -> FloatArray:
    """Push on as `push` does, many cycles at once; add to its arrivals, and return what is left in the end.

    Powers of a cycle, by doubling, give the chances before each of these cycles: a column each.
    """
    dense = [
        np.stack([forward(unit) for unit in np.eye(len(layer.rows))], axis=1)
        for layer, forward in zip(layers, matrices, strict=True)
    ]
    before, cycle = mass[:, None], reduce(lambda earlier, later: later @ earlier, dense)
    spend(MANY_CYCLES * cycle.size / 100)
    while before.shape[1] < MANY_CYCLES:
        before, cycle = np.concatenate([before, cycle @ before], axis=1), cycle @ cycle
    while len(arrivals) < process.max_steps and mass.sum() > NEGLIGIBLE_MASS:
        spend(MANY_CYCLES * sum(part.size / 100 + 20 for part in dense))
        done, states = list[FloatArray](), list[FloatArray]()
        for place, matrix in enumerate(dense):
            after, ends = matrix @ (states[-1].T if states else before), layers[(place + 1) % len(layers)].is_ended
            states.append(np.where(ends[:, None], 0.0, after).T)
            done.append(after[ends].T)
        is_last = np.stack([state.sum(axis=1) <= NEGLIGIBLE_MASS for state in states], axis=1).ravel()
        n = min(process.max_steps - len(arrivals), int(is_last.argmax()) + 1 if is_last.any() else len(is_last))
        spend(0, 2 * sum(done[number % len(layers)].shape[1] for number in range(n)))
        arrivals += (done[number % len(layers)][number // len(layers)] for number in range(n))
        mass, before = states[(n - 1) % len(layers)][(n - 1) // len(layers)], cycle @ before
    return mass


def _arrivals(arrivals: list[FloatArray], layers: list[Layer], first: int) -> tuple[IntArray, FloatArray, IntArray]:
    """Return the end states reached by one step of the cycle, with their probability and the number of steps."""
    phase = (first + 1) % len(layers)
    by_time = np.stack(arrivals[first :: len(layers)])
    n_ends = int(np.count_nonzero(by_time))
    spend(3 * n_ends, n_ends * (layers[phase].rows.shape[1] + 5))
    times, places = np.nonzero(by_time)
    return layers[phase].rows[layers[phase].is_ended][places], by_time[times, places], times * len(layers) + first + 1
