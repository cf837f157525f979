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
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from balance.base.arrays import Array, BoolArray, FloatArray, IntArray
from balance.base.errors import DistributionError
from balance.chance.budget import exact_budget, spend
from balance.chance.exact.chain import Layer, explore
from balance.chance.exact.enumeration import GridRolls, StepWays, run_in_every_way
from balance.chance.rolls.process import Process, State, Step, n_trials, start_state
from balance.chance.rolls.requests import Answer, Falls, Joint, Request
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
NEGLIGIBLE_SHARED = 1e-10
"""Likewise for trials that share dice."""
LARGEST_SHARED = 6_000_000
"""Numbers that are kept at once where trials share dice: fifty megabytes, a few times over."""
SHARED_ERROR = 1e-10
"""Error that each step may make of a covariance, as a share of the largest square."""


@dataclass(frozen=True, eq=False)
class _Asked:
    """A request of a step: its name, and the number of the way in which it turns out in each row, `int32[r]`.

    `falls`: where its dice are read by law, the place of each row's outcome, `int32[r]`, and the chances of two.
    """

    name: str
    number: IntArray
    falls: Falls | None = None

    def of(self, rows: IntArray) -> _Asked:
        falls = self.falls and (self.falls[0][rows], self.falls[1])
        return _Asked(self.name, self.number[rows], falls)


class _NotingRolls(GridRolls):
    """Rolls of every way that record, row by row, in which way each request turns out."""

    def __init__(self, n_states: int, share: str | None) -> None:
        self._share, self._listings = share, dict[int, Request[Any]]()
        super().__init__(StepWays(), n_states)

    def begin(self) -> None:
        """Forget what was recorded, before the first request of a run."""
        super().begin()
        self.notes: list[_Asked] = []

    def answer(self, request: Request[Answer]) -> Answer:
        """Answer each possibility in turn; requests of the shared name are listed by the fall of their dice."""
        if request.name == self._share:
            place = len(self.notes)
            request = self._listings[place] = shared(request, self._listings.get(place))
        return super().answer(request)

    def _next_numbers(self, request: Request[Answer]) -> IntArray:
        number, narrow = super()._next_numbers(request), np.int32  # there are many of them, each a small number
        falls = request.falls(number)
        kept = None if falls is None else (falls[0].astype(narrow), falls[1])
        self.notes.append(_Asked(request.name, number.astype(narrow), kept))
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
        What the step asks for, in this order.
    """

    n: int
    n_after: int
    origin: IntArray
    target: IntArray
    p: FloatArray
    requests: tuple[_Asked, ...]

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
    def matrix(self) -> csr_array:
        """The transition probabilities, from the state of the row to that of the column."""
        from scipy.sparse import csr_array

        origin, target, p = self.merged_moves
        return csr_array((p, (origin, target)), shape=(self.n, self.n_after))

    @cached_property
    def levels(self) -> tuple[_Level, ...]:
        """The information after each request but the last, as a partition of the rows."""
        levels, group = [], self.origin
        for request in self.requests[:-1]:
            width = int(request.number.max(initial=0)) + 1
            _, first, group = np.unique(group * width + request.number, return_index=True, return_inverse=True)
            levels.append(_Level(group, self.origin[first], _sums(group, self.p, len(first))))
        return tuple(levels)


@dataclass(frozen=True, eq=False)
class _Level:
    """What is known after a request of a step: rows that agree so far form a *group*.

    `group`: `int64[r]`: the group of each row. `origin`: `int64[g]`: the state before the step. `p`: `float64[g]`:
    probability of a group, given that state.
    """

    group: IntArray
    origin: IntArray
    p: FloatArray


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
        names = [request.name for moves in (self.opening, *self.moves) for request in moves.requests]
        return tuple(dict.fromkeys(names))

    @property
    def varied_names(self) -> tuple[str, ...]:
        """The names of requests that can turn out in more than one way, unlike a die of one side."""
        all_moves = (self.opening, *self.moves)
        varied = {request.name for moves in all_moves for request in moves.requests if request.number.any()}
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
            _small_enough(sum(map(len, masses)), LARGEST_COURSE)
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
        _add_changes(changes, self.opening, np.ones((1, 1)), self.values[0][:, None])
        for place, moves in enumerate(self.moves):
            steps = range(place, self.n_steps, len(self.layers))
            if steps:
                live = np.stack([self.live(number) for number in steps], axis=1)
                after = np.stack([self.values[number + 1] for number in steps], axis=1)
                _add_changes(changes, moves, live, after)
        return changes

    def shared_by(self, name: str) -> float:
        """Return the variance of what is to be expected once all dice of a name are known: Var(E[value | dice]).

        What is to be expected from each state is a function of these dice; of all such functions of one moment, less
        their means, coordinates are followed backward whose inner products are their covariances.

        Raises
        ------
        DistributionError
            There is too much to follow, or the dice cannot be shared.
        """
        first, *steps = (self._sharing(place, name) for place in range(-1, len(self.layers)))
        error = SHARED_ERROR * max(float(np.abs(values).max()) for values in self.values) ** 2
        about = np.zeros((len(self.values[self._n_shared]), 0))
        for number in range(self._n_shared - 1, -1, -1):
            most = error / self.live(number).sum()  # what is met rarely need not be known as well
            about = steps[self.phase(number)].before(self.values[number + 1], about, most)
            about[self._is_ended[self.phase(number)]] = 0.0
        return min(float((first.before(self.values[0], about, error) ** 2).sum()), self.variance)

    @property
    def _n_shared(self) -> int:
        """Steps over which shared dice are followed: until hardly any trial goes on (1e-10)."""
        steps = range(self.n_steps)
        return next((number for number in steps if self.live(number).sum() <= NEGLIGIBLE_SHARED), self.n_steps)

    def _sharing(self, place: int, name: str) -> _Sharing:
        """Return the step from a layer (-1: the start) of trials that share the dice of this name."""
        moves = self.opening if place < 0 else self.moves[place]
        requests = [request for request in moves.requests if request.name == name]
        if len(requests) == 1 and requests[0].falls:
            return _by_law(moves, *requests[0].falls)
        if requests and place < 0:
            moves = _begin(self.process, self.layers[0], name)
        elif requests:
            moves = _moves(self.process.step(place), self.layers, place, name)
        return _by_way(moves, name)


def _small_enough(n: int, most: int) -> None:
    if n > most:
        raise DistributionError(f"more than {most:,} expected values would have to be kept", "simulate this one")


def _add_changes(changes: dict[str, float], moves: Moves, mass: FloatArray, after: FloatArray) -> None:
    """Add to each name the expected square of the change that its requests make; a column for each time of a step."""
    from scipy.sparse import csr_array

    before = float((mass * (moves.matrix @ after) ** 2).sum())
    for request, level in zip_longest(moves.requests, moves.levels):
        if level is None:  # after the last one the next state is known
            now = float(((moves.matrix.T @ mass) * after**2).sum())
        else:
            places = (level.group, moves.target)
            means = csr_array((moves.p / level.p[level.group], places), shape=(len(level.p), moves.n_after)) @ after
            now = float((level.p[:, None] * mass[level.origin] * means**2).sum())
        changes[request.name] += max(0.0, now - before)
        before = now


@dataclass(frozen=True, eq=False)
class _Sharing:
    """A step of trials that share some dice: its mean, and how it differs from that as these dice fall.

    `mean`: transition probabilities, from the state of the row to that of the column. `about`: r matrices like it, one
    below the other, `[r * n, n_after]`: coordinates of the difference, of variance 1 each and uncorrelated.
    """

    mean: csr_array
    about: csr_array

    def before(self, values: FloatArray, about: FloatArray, error: float) -> FloatArray:
        """Return coordinates of what is to be expected before the step, `[n, c]`, from those after it.

        `values`, `float64[n_after]`, are the means after it; no variance may change by more than `error`.
        """
        n, width = self.mean.shape[0], about.shape[1] + 1
        _small_enough(self.about.shape[0] * width, LARGEST_SHARED)
        by_dice = (self.about @ np.column_stack([values, about])).reshape(-1, n, width)
        both = np.concatenate([self.mean @ about, *by_dice], axis=1)
        return _coordinates((both**2).sum(axis=1), lambda place: both @ both[place], error) if len(by_dice) else both


def _coordinates(variances: FloatArray, covariances: Callable[[int], FloatArray], error: float) -> FloatArray:
    """Return coordinates `[n, c]` whose inner products are covariances, to within `error` (pivoted Cholesky).

    `covariances` gives those of one of n with all of them.
    """
    rest, columns = variances.copy(), np.empty((0, len(variances)))
    while len(rest) and (most := rest[place := int(rest.argmax())]) > error:
        column = (covariances(place) - columns[:, place] @ columns) / np.sqrt(most)
        columns = np.concatenate([columns, column[None]])
        _small_enough(columns.size, LARGEST_SHARED)
        rest = rest - column**2
        rest[place] = 0.0
    return columns.T


def _by_law(moves: Moves, outcome: IntArray, joint: Joint) -> _Sharing:
    """Return a step that shares dice which each state reads in its own way; `joint` says how two of them fall."""
    from scipy.sparse import csr_array

    outcomes, which = np.unique(outcome, return_inverse=True)
    chances = joint(outcomes)
    alone = np.diag(chances)
    pairs, pair_of = np.unique(moves.origin * moves.n_after + moves.target, return_inverse=True)
    _small_enough(len(pairs) * len(outcomes), LARGEST_SHARED)
    happens = alone[which] > 0  # an outcome may be too rare for the place that it has in its law
    share = np.divide(moves.p, alone[which], out=np.zeros(len(moves.p)), where=happens)
    given = csr_array((share, (pair_of, which)), shape=(len(pairs), len(outcomes)))
    known = given @ (chances - np.outer(alone, alone))
    variances = np.asarray(given.multiply(known).sum(axis=1))

    def covariances(place: int) -> FloatArray:
        return np.asarray(known @ given[[place]].toarray()[0])

    return _sharing(moves, _coordinates(variances, covariances, SHARED_ERROR))


def _by_way(moves: Moves, name: str) -> _Sharing:
    """Return a step of which every way of all requests of this name is the same fall of dice in each state."""
    way = np.zeros(len(moves.p), np.int64)
    for request in moves.requests:
        if request.name == name:
            _, way = np.unique(way * (int(request.number.max(initial=0)) + 1) + request.number, return_inverse=True)
    pairs, pair_of = np.unique(moves.origin * moves.n_after + moves.target, return_inverse=True)
    n_ways = int(way.max(initial=0)) + 1
    _small_enough(len(pairs) * n_ways, LARGEST_SHARED)
    table = _sums(pair_of * n_ways + way, moves.p, len(pairs) * n_ways).reshape(len(pairs), n_ways)
    n_origins = np.bincount(np.unique(way * moves.n + moves.origin) // moves.n, minlength=n_ways)
    chances = _sums(way, moves.p, n_ways) / np.maximum(n_origins, 1)
    about = table / np.sqrt(chances) - table.sum(axis=1, keepdims=True) * np.sqrt(chances)
    return _sharing(moves, _coordinates((about**2).sum(axis=1), lambda place: about @ about[place], SHARED_ERROR))


def _sharing(moves: Moves, about: FloatArray) -> _Sharing:
    """Return the step whose differences from the mean have these coordinates by pair of states, `[pairs, r]`."""
    from scipy.sparse import csr_array

    origin, target, _ = moves.merged_moves
    r = about.shape[1]
    places = ((np.arange(r)[:, None] * moves.n + origin).ravel(), np.tile(target, r))
    return _Sharing(moves.matrix, csr_array((about.T.ravel(), places), shape=(r * moves.n, moves.n_after)))


def run_through(process: Process, value: Value, quick: Process | None = None) -> Course:
    """List all that a process may run through; `value` maps outcome columns to the value of each ending.

    `quick` is the same process with what a step rolls drawn at once, in which its states are found sooner.
    Raise DistributionError if there are too many states, or ways to go on from them.

    A coin is flipped until it shows heads, three times at most; heads wins.
    """
    with exact_budget():
        layers = tuple(explore(quick or process)[0])
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
    spend(6 * len(rows), (4 + 2 * len(rolls.notes)) * len(rows))
    target = next_layer.places({name: values[rows] for name, values in after.items()})
    requests = tuple(request.of(rows) for request in rolls.notes)
    p = np.asarray(weights / rolls.denominator, np.float64)
    return Moves(n, len(next_layer.rows), places[rolls.origin[rows]], target, p, requests)
