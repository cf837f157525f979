"""Every way the dice can fall, with its weight: the exact distribution of a rule from the rule itself.

A step is run twice. The first run, on one trial, records what it asks for; the second gets every combination of
answers at once, one row per combination, and the weights multiply up on the way. `count` requests are enumerated by
their result (k + 1 rows with binomial weights) instead of by die (faces**k rows), and `pool` requests by the symbols
that show; `each_die=True` lists every die, which is the slow reference that tests hold the merged enumeration against.

A request with a number of answers that differs by row (a deck of so many cards, the legal options of a choice) cannot
be part of that rectangle. There the run breaks off, each row that can happen is repeated for each of its answers, and
the step is run again; likewise before a policy is asked, so that it sees only what can happen.

Weights are exact integers. Only a `draw` from a compiled distribution brings in probabilities, and with them float
weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import lcm, prod
from types import CodeType
from typing import TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.base.errors import DistributionError, RollsError, UsageError, suggestion
from balance.chance.budget import exact_budget, spend
from balance.chance.pmf import Pmf
from balance.chance.pmf.arrays import LARGEST, WeightArray, merge_columns, merged_table
from balance.chance.rolls.choices import Choose
from balance.chance.rolls.process import Process, State, Step, code_of, flat_columns, n_trials, start_state, take_trials
from balance.chance.rolls.requests import Answer, Request
from balance.chance.rolls.rolls import Rolls

LARGEST_GRID = 750_000
"""Rows (states times combinations) that one enumeration may take: each needs some hundred bytes on the way."""
LARGEST_TABLE = 8_000_000
"""Cells (rows times numbers in a state) that it may take: sixty megabytes."""


@dataclass(frozen=True)
class StepWays:
    """The number of ways in which the first requests of a step can turn out, in their order.

    `options`: number of answers of each request, None where it differs by row; requests after the last are not planned.
    `each_die`: whether `count` and `pool` enumerate every die.
    """

    options: tuple[int | None, ...] = ()
    each_die: bool = False


Expansion: TypeAlias = tuple[IntArray, State, WeightArray, int]
"""Row that each result comes from, the results, their weights, and what those of one row sum to; see `expand`."""


class TooManyWays(DistributionError):  # noqa: N818 - told, and then simulated or listed in parts
    """There are more combinations of dice than one enumeration may list."""


class _MisguessedError(Exception):
    """A rule makes other requests than the guessed plan has."""


_PLANS: dict[CodeType, StepWays] = {}
"""What each rule asked for the last time, which is tried first the next time: only how many answers there were."""
FEW_ROWS = 4096
"""Rows up to which running a rule takes as long for one as for all, so that a plan is guessed."""


class _BrokenOff(Exception):  # noqa: N818 - no error: it ends one run of a step so that the next may begin
    """The run of a step must start again: more of its grid is known now, or its plan ends here."""


class _Planner(Rolls):
    """Rolls for one trial that record the number of ways of each request, and answer with the first."""

    n = 1

    def __init__(self, each_die: bool) -> None:
        self.each_die, self.options = each_die, list[int | None]()

    def answer(self, request: Request[Answer]) -> Answer:
        if isinstance(request, Choose):
            raise _BrokenOff
        simplest = request.by_die() if self.each_die else request
        n_ways = simplest.n_ways()
        self.options.append(n_ways if isinstance(n_ways, int) else None)
        return simplest.way(np.zeros(1, np.int64))

    def only_possible(self) -> None:
        raise _BrokenOff


def plan_step(step: Step, state: State, *, each_die: bool = False) -> StepWays:
    """Return the plan of a step: the number of ways of each request up to the first choice, found on the first state.

    `each_die` enumerates every die, instead of how many show each face.
    """
    planner = _Planner(each_die)
    with suppress(_BrokenOff):
        step(take_trials(state, slice(1)), planner)
    return StepWays(tuple(planner.options), each_die)


class GridRolls(Rolls):
    """Rolls for every combination of answers from each of `n_states` states; the weights of rows multiply up.

    Many rows of a grid cannot happen (five hits on three dice), so products that int64 cannot hold, which are slow, are
    put off until the step is made and then worked out for the others only.

    * `plan`: the number of ways of the requests that the step makes first.
    * `n_states`: number of states the step starts from.
    * `lists_choices`: whether choices are answered by every legal option, rather than refused.
    * `is_guess`: whether the plan may be wrong, so that every request is checked against it.
    * `n`: number of rows.
    * `denominator`: what the weights of one state's rows sum to (for each combination of choices); 1 for float weights.
    * `choices`: the option taken in each row, `int[n]`, by (side, name) of the choice.
    """

    def __init__(self, plan: StepWays, n_states: int, *, lists_choices: bool = False, is_guess: bool = False) -> None:
        self._plan, self._lists_choices, self._is_guess = plan, lists_choices, is_guess
        self._width = prod(n for n in plan.options if n is not None)
        self._rows: IntArray | None = None
        self._numbers: dict[int, IntArray] = {}
        self.n = _listable(n_states * self._width)
        self.begin()

    def begin(self) -> None:
        """Reset weights and choices before the first request of a run."""
        self._n_asked, self._period, self.denominator = 0, self._width, 1
        self._weights: WeightArray = np.ones(self.n, np.int64)
        self._put_off: list[WeightArray] = []
        self.choices: dict[tuple[str, str], IntArray] = {}

    def spread(self, state: State) -> State:
        """Return the state of every row before the step, repeated from that of its origin."""
        if self._rows is None:
            return {name: values.repeat(self._width, axis=0) for name, values in state.items()}
        return take_trials(state, self.origin)

    @property
    def origin(self) -> IntArray:
        """The index of the state that each row starts from, `int64[n]`."""
        return np.arange(self.n // self._width).repeat(self._width) if self._rows is None else self._rows // self._width

    def possible(self) -> tuple[IntArray, WeightArray]:
        """Return the rows of positive weight and their weights: int64, object or float64."""
        rows = np.flatnonzero(self._happens())
        weights = self._weights[rows]
        for factor in self._put_off:
            weights = weights.astype(object) * factor[rows]
        return rows, weights

    def _happens(self) -> BoolArray:
        happens: BoolArray = self._weights != 0
        for factor in self._put_off:
            happens &= factor != 0
        return happens

    def answer(self, request: Request[Answer]) -> Answer:
        """Answer each row with its own combination, and multiply its weight."""
        if type(request) is Choose:  # quicker than isinstance
            self._open(request)
        simplest = request.by_die() if self._plan.each_die else request
        number = self._next_numbers(simplest)
        self._weigh(*simplest.weigh(number))
        answer = simplest.way(number)
        if type(request) is Choose:
            self.choices[request.side, request.name] = np.asarray(answer)
        return answer

    def only_possible(self) -> None:
        """Start again without the rows of weight 0, if there are any, so that no policy sees them."""
        happens = self._happens()
        if not happens.all():
            self._repeat(happens.astype(np.int64))
            raise _BrokenOff

    def _next_numbers(self, request: Request[Answer]) -> IntArray:
        """Return, for each row, the number of the way of the next request that it stands for."""
        place, options = self._n_asked, self._plan.options
        self._n_asked += 1
        n_ways = options[place] if place < len(options) else None
        if self._is_guess and (not isinstance(ways := request.n_ways(), int) or ways != n_ways):
            raise _MisguessedError
        if n_ways is None:
            return self._listed_numbers(place, request)
        self._period //= n_ways
        if self._rows is not None:
            return self._rows // self._period % n_ways
        cycle = np.arange(n_ways).repeat(self._period)
        return cycle[None].repeat(self.n // len(cycle), axis=0).ravel()

    @property
    def is_followed(self) -> bool:
        """Whether the step made exactly the planned requests."""
        return self._n_asked == len(self._plan.options)

    def _listed_numbers(self, place: int, request: Request[Answer]) -> IntArray:
        if place not in self._numbers:
            happens = self._happens()
            times = np.where(happens, request.n_ways(), 0)
            if (times[happens] < 1).any():
                raise RollsError(f"there is nothing to choose from for {request.name!r}")
            self._repeat(times)
            self._numbers[place] = np.arange(self.n) - np.repeat(times.cumsum() - times, times)
            raise _BrokenOff
        return self._numbers[place]

    def _repeat(self, times: IntArray) -> None:
        self.n = _listable(int(times.sum()))
        self._rows = np.repeat(np.arange(len(times)) if self._rows is None else self._rows, times)
        self._numbers = {place: np.repeat(numbers, times) for place, numbers in self._numbers.items()}

    def _weigh(self, weights: WeightArray | None, total: int | WeightArray) -> None:
        if not isinstance(total, int):  # rows differ: scaled to what all totals divide
            common = lcm(*set(total.tolist()))
            factor = common // total
            weights, total = factor if weights is None else weights * factor, common
            weights = weights if common > LARGEST else weights.astype(np.int64)
        self.denominator *= total
        if weights is None:
            return
        if self.denominator > LARGEST:
            self._put_off.append(weights)
        else:
            self._weights = self._weights * weights

    def _open(self, request: Choose) -> None:
        """Raise RollsError for a choice without a policy, or a second choice of one side and name in a step."""
        if not self._lists_choices:
            raise request.no_policy_error()
        if (request.side, request.name) in self.choices:
            raise RollsError(
                f"side {request.side!r} is asked to choose {request.name!r} twice in one step",
                "give each choice of a step a name of its own",
            )


def _listable(n_rows: int) -> int:
    if n_rows > LARGEST_GRID:
        raise TooManyWays(
            f"{n_rows:,} combinations of dice are too many to list (limit {LARGEST_GRID:,})",
            "simulate this one, or ask with fewer dice",
        )
    return n_rows


def run_in_every_way(step: Step, state: State, rolls: GridRolls, most_cells: int = 0) -> State:
    """Make one step on a grid, again until all its rows are known, and return the state of each row after it.

    Raise TooManyWays if rows times numbers in a state exceed `most_cells` (0 for `LARGEST_TABLE`).
    """
    n_numbers = sum(values[:1].size for values in state.values())
    while True:
        if rolls.n * n_numbers > (most_cells or LARGEST_TABLE):
            raise TooManyWays(
                f"{rolls.n:,} combinations of dice and states, {n_numbers} numbers each, are too many to list",
                "simulate this one, or ask with fewer dice",
            )
        try:
            return step(rolls.spread(state), rolls)
        except _BrokenOff:
            rolls.begin()


def expand(step: Step, state: State, plan: StepWays, most_cells: int = 0) -> Expansion:
    """Make one step in every possible way, and return (origin, state, weights, denominator).

    That is the row of the given state each result comes from, the results' columns, and their weights, which sum to
    `denominator` for each origin. Results of weight 0 are left out.
    """
    rolls = GridRolls(plan, n_trials(state))
    return _expansion(rolls, run_in_every_way(step, state, rolls, most_cells))


def _expansion(rolls: GridRolls, after: State) -> Expansion:
    origin = rolls.origin
    possible, weights = rolls.possible()
    if len(possible) < rolls.n:
        origin, after = origin[possible], take_trials(after, possible)
    return origin, after, weights, rolls.denominator


def expand_by_guess(
    step: Step, state: State, *, each_die: bool = False, most_cells: int = 0
) -> tuple[StepWays, Expansion]:
    """Make one step in every possible way, as `expand` does, and return its plan as well.

    Making a plan is running the rule once more, which takes as long as all of its answers where these are few; so few
    rows are made by the plan that the same rule had the last time. Every request is checked against it: a wrong guess
    costs time and nothing else.
    """
    code, n = code_of(step), n_trials(state)
    guess = _PLANS.get(code) if code is not None and not each_die else None
    if guess is not None and n * prod(ways or FEW_ROWS for ways in guess.options) <= min(FEW_ROWS, LARGEST_GRID):
        rolls = GridRolls(guess, n, is_guess=True)
        with suppress(_MisguessedError, _BrokenOff):
            after = step(rolls.spread(state), rolls)
            if rolls.is_followed:
                return guess, _expansion(rolls, after)
    plan = plan_step(step, state, each_die=each_die)
    if code is not None and not each_die:
        _PLANS[code] = plan
    return plan, expand(step, state, plan, most_cells)


def list_starts(process: Process) -> tuple[State, WeightArray, int]:
    """Return every start state, its weight, and the sum of weights."""
    if isinstance(process.start, Mapping):
        return start_state(process, 1), np.ones(1, np.int64), 1

    def begin(_: State, rolls: Rolls) -> State:
        return start_state(process, rolls.n, rolls)

    return expand(begin, {"nothing": np.zeros(1, np.int16)}, StepWays())[1:]


def exact_distribution(process: Process, *, each_die: bool = False, columns: Sequence[str] | None = None) -> Pmf:
    """Return the exact distribution of a short process, in integers: every combination of dice, step after step.

    Equal states are merged between steps; a process without end is for `balance.chance.exact.chain`. `columns` limits
    the outcome columns (None: all); `each_die` enumerates every die, instead of how many show each face.

    >>> coin = Process({"heads": 0}, (lambda s, r: {"heads": s["heads"] + r.count(2, 1, [2], "coin")},),
    ...                lambda s: np.zeros(len(s["heads"]), bool), lambda s, steps: s, max_steps=2)
    >>> exact_distribution(coin).to_dict()
    {'heads': [0, 1, 2], 'weight': [1, 2, 1]}
    """
    with exact_budget():
        return _exact_distribution(process, each_die, columns)


def _exact_distribution(process: Process, each_die: bool, columns: Sequence[str] | None) -> Pmf:
    state, weights, total = list_starts(process)
    n_steps_made: IntArray = np.zeros(len(weights), np.int64)
    for number in range(process.max_steps):
        alive = ~process.over(state) if number else np.ones(len(weights), bool)
        if not alive.any():
            break
        whole = number == 0 or bool(alive.all())
        live = state if whole else take_trials(state, alive)
        origin, after, ways, denominator = _in_parts(process.step(number), live, each_die)
        total *= denominator
        if total > LARGEST:
            weights, ways = weights.astype(object), ways.astype(object)
        if whole:
            n_steps_made, weights = n_steps_made[origin] + 1, weights[origin] * ways
        else:
            n_steps_made = np.concatenate([n_steps_made[~alive], n_steps_made[alive][origin] + 1])
            after = {name: np.concatenate([values[~alive], after[name]]) for name, values in state.items()}
            weights = np.concatenate([weights[~alive] * denominator, weights[alive][origin] * ways])
        state = {name: after[name] for name in state}
        if number < process.max_steps - 1 or weights.dtype == np.float64:  # at the end `reported_distribution` merges
            distinct_rows, weights = merge_columns([*flat_columns(state), n_steps_made], weights)
            state, n_steps_made = take_trials(state, distinct_rows), n_steps_made[distinct_rows]
    return reported_distribution(process, state, n_steps_made, weights, columns)


def _in_parts(step: Step, state: State, each_die: bool) -> Expansion:
    """Make one step in every possible way, for half of the states at a time where all at once are too many.

    Equal results of a part are merged, so that a few states with many ways to each need little memory.
    """
    try:
        return expand_by_guess(step, state, each_die=each_die)[1]
    except TooManyWays:
        n = n_trials(state)
        if n < 2:
            raise
    parts = [(0, take_trials(state, slice(n // 2))), (n // 2, take_trials(state, slice(n // 2, None)))]
    expansions = [(begin, _merged(_in_parts(step, part, each_die))) for begin, part in parts]
    common = lcm(*(total for _, (_, _, _, total) in expansions))
    origin = np.concatenate([begin + rows for begin, (rows, _, _, _) in expansions])
    after = {name: np.concatenate([result[name] for _, (_, result, _, _) in expansions]) for name in state}
    factors = [common // total for _, (_, _, _, total) in expansions]
    is_large = common > LARGEST
    weights = [
        (ways.astype(object) if is_large else ways) * factor
        for factor, (_, (_, _, ways, _)) in zip(factors, expansions, strict=True)
    ]
    return origin, after, np.concatenate(weights), common


def _merged(expansion: Expansion) -> Expansion:
    """Merge equal results from the same state, adding their weights."""
    origin, after, weights, total = expansion
    spend(2 * len(origin), len(origin))
    distinct, merged_weights = merge_columns([origin, *flat_columns(after)], weights)
    return origin[distinct], take_trials(after, distinct), merged_weights, total


def reported_distribution(
    process: Process, state: State, steps: IntArray, weights: WeightArray, columns: Sequence[str] | None = None
) -> Pmf:
    """Return the distribution of the outcome columns (None: all) of end states, after `steps` steps, `int64[n]`.

    Raise UsageError for a column that the process does not report.
    """
    outcome = process.outcome(state, steps)
    names = tuple(outcome) if columns is None else tuple(columns)
    for name in names:
        if name not in outcome:
            raise UsageError(f"no column {name!r}; columns are {', '.join(outcome)}", suggestion(name, list(outcome)))
    column_values = [np.asarray(outcome[name], np.int64) for name in names]
    whole = [values if values.shape == steps.shape else np.broadcast_to(values, len(steps)) for values in column_values]
    return Pmf(names, *merged_table(whole, weights))
