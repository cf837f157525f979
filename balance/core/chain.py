"""The exact law of a process that may go on without end: an absorbing chain, solved forward.

The states a process can reach are listed breadth first, together with every transition and its probability. Then the
probability of being in each state is pushed forward, one step at a time, until what is still undecided is below 1e-18
or the process's limit is reached. This gives the law of the end state *and* of the number of steps, with or without a
limit, in floating point. What a limit leaves undecided is reported as it stands, not spread over the rest.

A process makes its steps in a cycle, so there is one layer of states before each step of the cycle, and the matrix of a
step leads from its layer to the next: the state before is the column, the state after the row.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from balance.core.enumeration import Plan, expand, plan_step
from balance.core.process import Process, State, start_state
from balance.errors import LawError
from balance.pmf import Pmf
from balance.pmf.arrays import IntArray, merge_rows

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["chain_law"]

UNDECIDED = 1e-18
"""Probability of being undecided below which no further step is made."""
LARGEST_CHAIN = 2_000_000
"""States that one layer may have."""
_BITS = np.random.Generator(np.random.SFC64(20261121)).integers(1, 2**63, size=64, dtype=np.uint64) * 2 + 1


def chain_law(process: Process) -> Pmf:
    """Return the law of a process's outcome columns, with float weights.

    Raises
    ------
    LawError
        The process can reach more than 2,000,000 states before some step.

    >>> def flip(state, rolls):
    ...     return {"heads": state["heads"] + rolls.count(2, 1, [2], "coin")}
    >>> once = Process({"heads": 0}, (flip,), lambda s: s["heads"] > 0, lambda s, steps: {"flips": steps}, 10_000)
    >>> round(chain_law(once).mean("flips"), 12)
    2.0
    """
    layers = _explore(process)
    return _push(process, layers, [_matrix(a, b) for a, b in zip(layers, layers[1:] + layers[:1], strict=True)])


@dataclass
class _Layer:
    """States before one step of the cycle, in the order they were found, and where that step leads from them."""

    names: tuple[str, ...]
    rows: IntArray
    keys: npt.NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, np.uint64))
    order: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    ended: list[npt.NDArray[np.bool_]] = field(default_factory=lambda: [np.empty(0, bool)])
    sources: list[IntArray] = field(default_factory=lambda: [np.empty(0, np.int64)])
    targets: list[IntArray] = field(default_factory=lambda: [np.empty(0, np.int64)])
    chances: list[npt.NDArray[np.float64]] = field(default_factory=lambda: [np.empty(0)])

    def state(self, places: IntArray | slice = slice(None)) -> State:
        return {name: self.rows[places, column] for column, name in enumerate(self.names)}

    def add(self, rows: IntArray) -> tuple[IntArray, IntArray]:
        """Return the place of each row in this layer, and the places that are new."""
        keys = _keys(rows)
        distinct, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        spots = np.searchsorted(self.keys, distinct)
        known = spots < len(self.keys)
        known[known] = self.keys[spots[known]] == distinct[known]
        places = np.empty(len(distinct), np.int64)
        places[known] = self.order[spots[known]]
        new = np.flatnonzero(~known)
        places[new] = fresh = np.arange(len(self.rows), len(self.rows) + len(new))
        if len(new):
            self._insert(rows[first[new]], distinct[new], fresh)
        found: IntArray = places[inverse]
        if rows.shape[1] > 4 and not np.array_equal(self.rows[found], rows):
            raise AssertionError("two states share one 64-bit key; please report this process")
        return found, fresh

    def _insert(self, rows: IntArray, keys: npt.NDArray[np.uint64], places: IntArray) -> None:
        self.rows = np.concatenate([self.rows, rows])
        if len(self.rows) > LARGEST_CHAIN:
            raise LawError(
                f"more than {LARGEST_CHAIN:,} states can be reached; too many to solve exactly",
                "simulate: add --trials",
            )
        keys, order = np.concatenate([self.keys, keys]), np.concatenate([self.order, places])
        by_key = np.argsort(keys, kind="stable")
        self.keys, self.order = keys[by_key], order[by_key]


def _keys(rows: IntArray) -> npt.NDArray[np.uint64]:
    """Return one number per row of 16-bit integers: packed up to four columns, a checked digest beyond."""
    k = rows.shape[1]
    factors = np.uint64(1) << np.arange(0, 16 * k, 16, dtype=np.uint64) if k <= 4 else _BITS[:k]
    return np.asarray((rows + 32768).astype(np.uint64) @ factors)


def _explore(process: Process) -> list[_Layer]:
    """List the states that can be reached before each step of the cycle, with all transitions."""
    names = tuple(process.start)
    layers = [_Layer(names, np.empty((0, len(names)), np.int64)) for _ in process.steps]
    plans: dict[int, Plan] = {}
    _, frontier = layers[0].add(_rows_of(start_state(process, 1)))
    layers[0].ended.append(np.zeros(1, bool))
    for number in range(process.max_steps):
        phase, following = number % len(layers), (number + 1) % len(layers)
        layer, step = layers[phase], process.steps[phase]
        if phase not in plans:
            plans[phase] = plan_step(step, layer.state(frontier))
        origin, after, weights, denominator = expand(step, layer.state(frontier), plans[phase])
        targets, fresh = layers[following].add(_rows_of(after))
        layer.sources.append(frontier[origin])
        layer.targets.append(targets)
        layer.chances.append(np.asarray(weights / denominator, np.float64))
        ended = process.over(layers[following].state(fresh))
        layers[following].ended.append(ended)
        frontier = fresh[~ended]
        if len(frontier) == 0:
            break
    return layers


def _rows_of(state: State) -> IntArray:
    return np.stack(list(state.values()), axis=1).astype(np.int64)


def _matrix(layer: _Layer, following: _Layer) -> csr_array:
    from scipy.sparse import csr_array

    chances, targets, sources = (np.concatenate(part) for part in (layer.chances, layer.targets, layer.sources))
    return csr_array((chances, (targets, sources)), shape=(len(following.rows), len(layer.rows)))


def _push(process: Process, layers: list[_Layer], matrices: list[csr_array]) -> Pmf:
    """Push probability forward from the start; what arrives at an end state stays there, by step."""
    ended: list[IntArray] = [np.flatnonzero(np.concatenate(layer.ended)) for layer in layers]
    arrived: list[npt.NDArray[np.float64]] = []
    mass: npt.NDArray[np.float64] = np.zeros(len(layers[0].rows))
    mass[0] = 1.0
    while len(arrived) < process.max_steps and mass.sum() > UNDECIDED:
        mass = np.asarray(matrices[len(arrived) % len(layers)] @ mass)
        ends = ended[(len(arrived) + 1) % len(layers)]
        arrived.append(mass[ends])
        mass[ends] = 0.0
    parts = [_arrivals(arrived, layers, ended, first) for first in range(min(len(layers), len(arrived)))]
    if len(arrived) == process.max_steps:
        left = np.flatnonzero(mass)
        parts.append((layers[len(arrived) % len(layers)].rows[left], mass[left], np.full(len(left), len(arrived))))
    return _law(process, *(np.concatenate(part) for part in zip(*parts, strict=True)))


def _arrivals(
    arrived: list[npt.NDArray[np.float64]], layers: list[_Layer], ended: list[IntArray], first: int
) -> tuple[IntArray, npt.NDArray[np.float64], IntArray]:
    """Return the end states reached by one step of the cycle, with their probability and the number of steps taken."""
    phase = (first + 1) % len(layers)
    by_time = np.stack(arrived[first :: len(layers)])
    times, places = np.nonzero(by_time)
    return layers[phase].rows[ended[phase][places]], by_time[times, places], times * len(layers) + first + 1


def _law(process: Process, rows: IntArray, p: npt.NDArray[np.float64], steps: IntArray) -> Pmf:
    state = {name: rows[:, column] for column, name in enumerate(process.start)}
    columns = process.outcome(state, steps)
    table = np.stack([np.broadcast_to(np.asarray(values), len(steps)) for values in columns.values()], axis=1)
    return Pmf(tuple(columns), *merge_rows(table.astype(np.int64), p))
