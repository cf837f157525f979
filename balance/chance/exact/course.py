"""Expected values of a process, exactly, and by how much every request on the way changes them.

All states that can be reached are listed, as for `balance.chance.exact.chain`, and from each of them every way in which
each request of the next step can turn out. With a *value* of each ending (who won, how much damage) follow, in floating
point: the expected value in every state after so many steps; by how much each request moves it, which says where the
variance of the result comes from (martingale differences); and the covariance of two trials that share the dice of one
name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from balance.base.arrays import Array, BoolArray, FloatArray, IntArray
from balance.base.errors import DistributionError
from balance.chance.budget import exact_budget, spend
from balance.chance.exact.chain import Layer, explore
from balance.chance.exact.enumeration import GridRolls, StepWays, run_in_every_way
from balance.chance.rolls.process import Process, State, Step, n_trials, start_state
from balance.chance.rolls.requests import Answer, Request
from balance.chance.rolls.rolls import Rolls
from balance.chance.rolls.shared import shared

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Value: TypeAlias = Callable[[Mapping[str, Array]], FloatArray]
"""Outcome columns `[n]` -> what each of these endings is worth, `float64[n]`."""
NEGLIGIBLE_MASS = 1e-13
"""Probability of being undecided below which no further step is looked at."""
LARGEST_COURSE = 30_000_000
"""Numbers (states times steps) of expected values that are kept: a quarter of a gigabyte."""
LARGEST_PAIRS = 2_000_000
"""Pairs of states of two trials that share dice."""
MOST_PAIR_WORK = 20_000_000_000
"""Products that following such pairs may take: some twenty seconds."""


class _NotingRolls(GridRolls):
    """Rolls of every way that record, row by row, in which way each request turns out."""

    def __init__(self, n_states: int, share: str | None) -> None:
        self._share, self._listings = share, dict[int, Request[Any]]()
        super().__init__(StepWays(), n_states)

    def begin(self) -> None:
        """Forget what was recorded, before the first request of a run."""
        super().begin()
        self.notes: list[tuple[str, IntArray]] = []

    def answer(self, request: Request[Answer]) -> Answer:
        """Answer each possibility in turn; requests of the shared name are listed by the fall of their dice."""
        if request.name == self._share:
            place = len(self.notes)
            request = self._listings[place] = shared(request, self._listings.get(place))
        return super().answer(request)

    def _next_numbers(self, request: Request[Answer]) -> IntArray:
        number = super()._next_numbers(request)
        self.notes.append((request.name, number))
        return number


def _sums(places: IntArray, weights: FloatArray, n: int) -> FloatArray:
    """Return the sum of the weights at each of n places, `float64[n]`."""
    return np.asarray(np.bincount(places, weights, n), np.float64)


@dataclass(frozen=True, eq=False)
class Moves:
    """Every way in which a step can go from each state of a layer: r rows.

    Attributes
    ----------
    n, n_after
        Number of states in the layer, and in the next.
    origin, target
        `int64[r]`: place of the state before it in its layer, and of the state after it in the next.
    p
        `float64[r]`: its probability, given the state before.
    requests
        What the step asks for, in this order: its name, and the number of the way in which it turns out, `int64[r]`.
    """

    n: int
    n_after: int
    origin: IntArray
    target: IntArray
    p: FloatArray
    requests: tuple[tuple[str, IntArray], ...]

    @cached_property
    def merged_moves(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Origin, target and probability of every transition, each pair of states once."""
        pairs, place = np.unique(self.origin * self.n_after + self.target, return_inverse=True)
        return pairs // self.n_after, pairs % self.n_after, _sums(place, self.p, len(pairs))

    def expected(self, values: FloatArray) -> FloatArray:
        """Return the expected value before the step, `float64[n]`, from values after it, `float64[n_after]`."""
        origin, target, p = self.merged_moves
        return _sums(origin, p * values[target], self.n)

    def forward(self, mass: FloatArray) -> FloatArray:
        """Return the probability of each state after the step, `float64[n_after]`, from that before, `float64[n]`."""
        origin, target, p = self.merged_moves
        return _sums(target, p * mass[origin], self.n_after)

    @cached_property
    def levels(self) -> tuple[_Level, ...]:
        """The information after each request, as a partition of the rows."""
        levels, before = [], _Level.at_first(self)
        for _, number in self.requests:
            before = before.after(number, self)
            levels.append(before)
        return tuple(levels)


@dataclass(frozen=True, eq=False)
class _Level:
    """What is known after a request of a step: rows that agree so far form a *group*.

    `group`: `int64[r]`: the group of each row. `parent` and `origin`: `int64[g]`: the group before the request, and the
    state before the step. `p`: `float64[g]`: probability of a group, given the state before the step.
    """

    group: IntArray
    parent: IntArray
    origin: IntArray
    p: FloatArray

    @classmethod
    def at_first(cls, moves: Moves) -> _Level:
        rows = np.arange(moves.n)
        return cls(moves.origin, rows, rows, np.ones(moves.n))

    def after(self, number: IntArray, moves: Moves) -> _Level:
        width = int(number.max(initial=0)) + 1
        groups, first, place = np.unique(self.group * width + number, return_index=True, return_inverse=True)
        return _Level(place, groups // width, moves.origin[first], _sums(place, moves.p, len(groups)))

    def mean(self, moves: Moves, values: FloatArray) -> FloatArray:
        """Return the conditional expectation in each group, `float64[g]`, of a value of each row, `float64[r]`."""
        return _sums(self.group, moves.p * values, len(self.p)) / self.p


@dataclass(frozen=True, eq=False)
class Course:
    """The reachable states of a process with their moves, and the value of each ending.

    Attributes
    ----------
    process
        The process that is followed.
    layers
        The states before each step of its cycle.
    opening
        The random start, as a step from one state to those of the first layer.
    moves
        For each layer, every row of the step that leads on from it.
    value
        Outcome columns to the value of each ending, `float64[n]`.
    """

    process: Process
    layers: tuple[Layer, ...]
    opening: Moves
    moves: tuple[Moves, ...]
    value: Value

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all requests, in the order of the steps."""
        names = [name for moves in (self.opening, *self.moves) for name, _ in moves.requests]
        return tuple(dict.fromkeys(names))

    @property
    def varied_names(self) -> tuple[str, ...]:
        """The names of requests that can turn out in more than one way, unlike a die of one side."""
        all_moves = (self.opening, *self.moves)
        varied = {name for moves in all_moves for name, number in moves.requests if number.any()}
        return tuple(name for name in self.names if name in varied)

    def phase(self, steps: int) -> int:
        """Return the number of the layer of states after so many steps."""
        return steps % len(self.layers)

    @cached_property
    def _is_ended(self) -> list[BoolArray]:
        return [layer.is_ended for layer in self.layers]

    @cached_property
    def masses(self) -> list[FloatArray]:
        """Probability of each state after 0, 1, ... steps, `float64[states]` each, without trials that had ended."""
        mass = self.opening.forward(np.ones(1))
        masses = [mass]
        while len(masses) <= self.process.max_steps:
            steps = len(masses) - 1
            live = np.where(self._is_ended[self.phase(steps)], 0.0, masses[-1])
            if live.sum() <= NEGLIGIBLE_MASS:
                break
            _small_enough(sum(map(len, masses)))
            masses.append(self.moves[self.phase(steps)].forward(live))
        return masses

    @property
    def n_steps(self) -> int:
        """Steps followed: until hardly any trial goes on (1e-13 at most), or up to the limit of the process."""
        return len(self.masses) - 1

    def is_over(self, steps: int) -> BoolArray:
        """Return which states end a trial after so many steps, `bool[states]`."""
        is_ended = self._is_ended[self.phase(steps)]
        return np.ones_like(is_ended) if steps == self.process.max_steps else is_ended

    def live(self, steps: int) -> FloatArray:
        """Return the probability that a trial is in each state after so many steps and goes on, `float64[states]`."""
        return np.where(self.is_over(steps), 0.0, self.masses[steps])

    def ending(self, steps: int) -> FloatArray:
        """Return the probability that a trial ends in each state with this step, `float64[states]`."""
        return np.asarray(self.masses[steps] - self.live(steps))

    def outcome(self, steps: int) -> Mapping[str, Array]:
        """Return the outcome columns of every state, as if it ended after so many steps."""
        state = self.layers[self.phase(steps)].state(slice(None))
        return self.process.outcome(state, np.full(n_trials(state), steps, np.int16))

    @cached_property
    def values(self) -> list[FloatArray]:
        """The expected value in each state after 0, 1, ... steps, `float64[states]` each."""
        values = [self._worth(self.n_steps)]
        for steps in range(self.n_steps - 1, -1, -1):
            expected = self.moves[self.phase(steps)].expected(values[-1])
            is_ended = self._is_ended[self.phase(steps)]
            values.append(np.where(is_ended, self._worth(steps), expected) if is_ended.any() else expected)
        return values[::-1]

    def _worth(self, steps: int) -> FloatArray:
        n = len(self.layers[self.phase(steps)].rows)
        return np.asarray(np.broadcast_to(self.value(self.outcome(steps)), n), np.float64)

    @property
    def mean(self) -> float:
        """The expected value at the start."""
        return float(self.opening.expected(self.values[0])[0])

    @cached_property
    def variance(self) -> float:
        """The variance of the value of the ending."""
        squares = (float(self.ending(t) @ (self.values[t] - self.mean) ** 2) for t in range(self.n_steps + 1))
        return float(sum(squares))

    def when_rolled(self) -> dict[str, float]:
        """Return by name the variance that its requests contribute: the expected squares of their changes, summed.

        Changes of the expected value are uncorrelated (martingale differences), so these add up to the variance.
        """
        changes = dict.fromkeys(self.names, 0.0)
        _add_changes(changes, self.opening, np.ones(1), self.values[0])
        for steps in range(self.n_steps):
            _add_changes(changes, self.moves[self.phase(steps)], self.live(steps), self.values[steps + 1])
        return changes

    def shared_by(self, name: str) -> float:
        """Return the variance of what is to be expected once all dice of a name are known: Var(E[value | dice]).

        Two trials are followed that share these dice and no others; the covariance of their values is that variance.

        Raises
        ------
        DistributionError
            There are too many pairs of states, or the dice cannot be shared.
        """
        _few_pairs(max(len(layer.rows) for layer in self.layers))
        sides = [_by_shared(self._sharing(place, name), name) for place in range(-1, len(self.layers))]
        first_moves, steps = sides[0], sides[1:]
        _followable(steps, self.n_steps)
        products = np.outer(self.values[-1], self.values[-1])
        for number in range(self.n_steps - 1, -1, -1):
            products = steps[self.phase(number)].before(products)
            is_ended, values = self._is_ended[self.phase(number)], self.values[number]
            if is_ended.any():
                products[is_ended] = np.outer(values[is_ended], values)
                products[:, is_ended] = np.outer(values, values[is_ended])
        return min(max(0.0, float(first_moves.before(products)[0, 0]) - self.mean**2), self.variance)

    def _sharing(self, place: int, name: str) -> Moves:
        """Return the moves of a layer (-1: the start) with requests of this name listed by the fall of their dice."""
        plain = self.opening if place < 0 else self.moves[place]
        if name not in dict(plain.requests):
            return plain
        if place < 0:
            return _begin(self.process, self.layers[0], name)
        return _moves(self.process.step(place), self.layers, place, name)


def _small_enough(n: int) -> None:
    if n > LARGEST_COURSE:
        problem = f"more than {LARGEST_COURSE:,} expected values would have to be kept"
        raise DistributionError(problem, "simulate this one")


def _add_changes(changes: dict[str, float], moves: Moves, mass: FloatArray, after: FloatArray) -> None:
    """Add to each name the expected square of the change that its requests in one step make."""
    values = after[moves.target]
    expected_values = _sums(moves.origin, moves.p * values, moves.n)
    for (name, _), level in zip(moves.requests, moves.levels, strict=True):
        mean = level.mean(moves, values)
        changes[name] += float((mass[level.origin] * level.p) @ (mean - expected_values[level.parent]) ** 2)
        expected_values = mean


@dataclass(frozen=True, eq=False)
class _Shared:
    """A step of two trials that share some dice: for each of w ways of these, where each state leads.

    `p`: `float64[w]`: probability of each way of the shared dice. `matrices`: for each way, the transition
    probabilities from the state of the row to that of the column.
    """

    p: FloatArray
    matrices: tuple[csr_array, ...]

    def before(self, after: FloatArray) -> FloatArray:
        """Return the expected product before the step, by pair of states, from that after it."""
        return np.asarray(
            sum(p * (matrix @ (matrix @ after).T).T for p, matrix in zip(self.p, self.matrices, strict=True))
        )


def _by_shared(moves: Moves, name: str) -> _Shared:
    """Return a step conditional on all requests of this name; ways with equal transitions are merged."""
    from scipy.sparse import csr_array

    way = np.zeros(len(moves.p), np.int64)
    for request_name, number in moves.requests:
        if request_name == name:
            _, way = np.unique(way * (int(number.max(initial=0)) + 1) + number, return_inverse=True)
    shape = (moves.n, moves.n_after)
    ways: dict[bytes, tuple[float, csr_array]] = {}
    for result in range(int(way.max(initial=0)) + 1):
        rows = np.flatnonzero(way == result)
        chance = float(moves.p[rows].sum() / len(np.unique(moves.origin[rows])))
        matrix = csr_array((moves.p[rows] / chance, (moves.origin[rows], moves.target[rows])), shape=shape)
        matrix.sum_duplicates()
        mark = b"".join((matrix.indptr.tobytes(), matrix.indices.tobytes(), matrix.data.round(12).tobytes()))
        ways[mark] = ways.get(mark, (0.0, matrix))[0] + chance, matrix
    chances, matrices = zip(*ways.values(), strict=True)
    return _Shared(np.array(chances, np.float64), matrices)


def _few_pairs(n_states: int) -> None:
    if n_states**2 > LARGEST_PAIRS:
        problem = f"two trials that share dice may be in {n_states**2:,} pairs of states, too many to follow"
        raise DistributionError(problem, "simulate this one")


def _followable(steps: list[_Shared], n_steps: int) -> None:
    """Raise DistributionError if pairs of states take too long to follow."""
    work = n_steps * max(sum(matrix.nnz for matrix in step.matrices) * max(step.matrices[0].shape) for step in steps)
    if work > MOST_PAIR_WORK:
        problem = f"following two trials that share dice for {n_steps:,} steps takes {work:.0e} products"
        raise DistributionError(problem, "simulate this one")


def run_through(process: Process, value: Value) -> Course:
    """List all that a process may run through; `value` maps outcome columns to the value of each ending.

    Raise DistributionError if there are too many states, or ways to go on from them.

    A coin is flipped until it shows heads, three times at most; heads wins.

    >>> def flip(state, rolls):
    ...     return {"heads": rolls.count(2, 1, [2], "coin")}
    >>> coin = Process({"heads": 0}, (flip,), lambda s: s["heads"] > 0, lambda s, steps: s, 3)
    >>> course = run_through(coin, lambda outcome: outcome["heads"].astype(float))
    >>> course.mean, course.variance, course.when_rolled()
    (0.875, 0.109375, {'coin': 0.109375})
    """
    with exact_budget():
        layers = tuple(explore(process)[0])
        moves = tuple(_moves(process.step(place), layers, place, None) for place in range(len(layers)))
        return Course(process, layers, _begin(process, layers[0], None), moves, value)


def _begin(process: Process, layer: Layer, share: str | None) -> Moves:
    def begin(_: State, rolls: Rolls) -> State:
        return start_state(process, rolls.n, rolls)

    return _list(begin, {"nothing": np.zeros(1, np.int16)}, np.zeros(1, np.int64), 1, layer, share)


def _moves(step: Step, layers: tuple[Layer, ...], place: int, share: str | None) -> Moves:
    layer, next_layer = layers[place], layers[(place + 1) % len(layers)]
    return _list(step, layer.state(layer.live_places), layer.live_places, len(layer.rows), next_layer, share)


def _list(step: Step, state: State, places: IntArray, n: int, next_layer: Layer, share: str | None) -> Moves:
    """Return every way in which a step can go from the states at `places` of a layer of n."""
    if not len(places):
        empty = np.empty(0, np.int64)
        return Moves(n, len(next_layer.rows), empty, empty, np.empty(0), ())
    rolls = _NotingRolls(len(places), share)
    after = run_in_every_way(step, state, rolls)
    rows, weights = rolls.possible()
    spend(6 * len(rows), (4 + len(rolls.notes)) * len(rows))
    target = next_layer.places({name: values[rows] for name, values in after.items()})
    rolled_numbers = tuple((name, number[rows]) for name, number in rolls.notes)
    p = np.asarray(weights / rolls.denominator, np.float64)
    return Moves(n, len(next_layer.rows), places[rolls.origin[rows]], target, p, rolled_numbers)
