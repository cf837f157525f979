"""Every way the dice can fall, with its weight: the exact law of a rule from the rule itself.

A step is run twice. The first run, on one trial, records what dice it asks for; the second gets every combination of
them at once, one row per combination, and the weights multiply up on the way. `count` requests are enumerated by their
result (k + 1 rows with binomial weights) instead of by die (faces**k rows), and `pool` requests by the symbols that
show; `each_die=True` lists every die, which is the slow twin that tests hold the merged enumeration against.

Weights are Python-exact integers while only dice are asked for. A `draw` from a compiled law brings in probabilities,
and with them float weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from balance.core.laws import LawStack
from balance.core.process import Process, State, Step, start_state, take_trials
from balance.core.rolls import Success, count_successes, success_faces
from balance.core.symbols import SymbolDie
from balance.errors import LawError
from balance.pmf import Pmf
from balance.pmf.arrays import LARGEST, IntArray, WeightArray, merge_columns

__all__ = ["GridRolls", "Plan", "exact_law", "expand", "plan_step"]

LARGEST_GRID = 20_000_000
"""Rows (states times combinations) that one enumeration may take."""
LARGEST_TABLE = 40_000_000
"""Cells (rows times columns of the state) that it may take: about half a gigabyte."""


@dataclass(frozen=True)
class Plan:
    """How many ways each request of a step can turn out, in the order of the requests.

    Attributes
    ----------
    options
        Number of results of each request.
    each_die
        Whether `count` and `pool` list every die.
    """

    options: tuple[int, ...]
    each_die: bool = False

    @property
    def n_combinations(self) -> int:
        """The number of ways all requests together can turn out."""
        product = 1
        for n in self.options:
            product *= n
        return product


class _Recorder:
    """Rolls that note what is asked for, and answer anything that fits."""

    def __init__(self, n: int, each_die: bool) -> None:
        self.n, self.each_die, self.options = n, each_die, list[int]()

    def d(self, faces: int, k: int, name: str) -> IntArray:
        self.options.append(faces**k)
        return np.ones((self.n, k), np.int16)

    def count(self, faces: int, k: int, success: Success, name: str, n_dice: IntArray | int | None = None) -> IntArray:
        self.options.append(faces**k if self.each_die else k + 1)
        return np.zeros(self.n, np.int16)

    def pool(self, die: SymbolDie, k: int, name: str) -> dict[str, IntArray]:
        self.options.append(len(die.faces) ** k if self.each_die else len(die.law(k)))
        return die.count(np.ones((self.n, k), np.int16))

    def draw(self, laws: LawStack, which: IntArray | int, name: str) -> dict[str, IntArray]:
        self.options.append(len(laws.outcomes))
        return dict(laws.columns_of(np.zeros(self.n, np.int64)))


def plan_step(step: Step, state: State, *, each_die: bool = False) -> Plan:
    """Return the plan of a step, found by running it on the first trial of `state`."""
    recorder = _Recorder(1, each_die)
    step(take_trials(state, slice(1)), recorder)
    return Plan(tuple(recorder.options), each_die)


class GridRolls:
    """Rolls for `n_states` trials times every combination of a plan, state by state; they gain weight as dice are read.

    Many rows of a grid cannot happen (five hits on three dice), so products that int64 cannot hold, which are slow, are
    put off until the step is made and then worked out for the others only.

    Attributes
    ----------
    n
        Rows: n_states * plan.n_combinations.
    denominator
        What the weights of one state's rows sum to; 1 for float weights.
    """

    def __init__(self, plan: Plan, n_states: int) -> None:
        self.n = n_states * plan.n_combinations
        if self.n > LARGEST_GRID:
            raise LawError(
                f"{self.n:,} combinations of dice are too many to list (limit {LARGEST_GRID:,})",
                "simulate this one, or ask with fewer dice",
            )
        self._plan = plan
        self._period = plan.n_combinations
        self._asked = 0
        self.denominator = 1
        self._weights: WeightArray = np.ones(self.n, np.int64)
        self._put_off: list[WeightArray] = []

    def possible(self) -> tuple[IntArray, WeightArray]:
        """Return the rows that can happen, and the weight of each: int64, object or float64."""
        happens = self._weights != 0
        for factor in self._put_off:
            happens &= factor != 0
        rows = np.flatnonzero(happens)
        weights = self._weights[rows]
        for factor in self._put_off:
            weights = weights.astype(object) * factor[rows]
        return rows, weights

    def _digits(self) -> IntArray:
        """Return, for each row, which result of the next request it stands for."""
        n_options = self._plan.options[self._asked]
        self._asked += 1
        self._period //= n_options
        cycle = np.repeat(np.arange(n_options), self._period)
        return np.tile(cycle, self.n // len(cycle))

    def _weigh(self, factor: WeightArray, denominator: int) -> None:
        self.denominator *= denominator
        if self.denominator > LARGEST:
            self._put_off.append(factor)
        else:
            self._weights = self._weights * factor

    def d(self, faces: int, k: int, name: str) -> IntArray:
        """Return k dice each, every combination of faces in turn, `int64[n, k]`."""
        digits = self._digits()
        self.denominator *= faces**k
        return digits[:, None] // faces ** np.arange(k) % faces + 1

    def count(self, faces: int, k: int, success: Success, name: str, n_dice: IntArray | int | None = None) -> IntArray:
        """Return each possible number of successes in turn, weighted binomially, `int16[n]`."""
        if self._plan.each_die:
            return count_successes(self.d(faces, k, name), faces, success, n_dice)
        digits = self._digits()
        n_good = success_faces(faces, success).sum(axis=-1)
        used = np.minimum(np.asarray(k if n_dice is None else n_dice), k)
        self._weigh(_binomial_weights(digits, used, n_good, faces, k), faces**k)
        return digits.astype(np.int16)

    def pool(self, die: SymbolDie, k: int, name: str) -> dict[str, IntArray]:
        """Return each way the symbols of k dice can fall in turn, weighted multinomially, by symbol, `int16[n]`."""
        if self._plan.each_die:
            return die.count(self.d(len(die.faces), k, name))
        law, digits = die.law(k), self._digits()
        self._weigh(law.weights[digits], law.total)
        return {symbol: law[symbol].astype(np.int16)[digits] for symbol in law.columns}

    def draw(self, laws: LawStack, which: IntArray | int, name: str) -> dict[str, IntArray]:
        """Return each outcome of the stack in turn, weighted by its probability under law `which`."""
        digits = self._digits()
        self._weigh(laws.p[which, digits], 1)
        return dict(laws.columns_of(digits))


def _binomial_weights(hits: IntArray, n_dice: IntArray, n_good: IntArray, faces: int, k: int) -> WeightArray:
    """Return C(n, h) good**h bad**(n-h) faces**(k-n) by row: ways for k dice, of which the first n count, to show h."""
    kind = np.int64 if faces**k < 2**63 else object
    table = np.zeros((k + 1, faces + 1, k + 1), kind)
    for n in np.unique(n_dice).tolist():
        for good in np.unique(n_good).tolist():
            row = [comb(n, h) * good**h * (faces - good) ** (n - h) * faces ** (k - n) for h in range(n + 1)]
            table[n, good, : n + 1] = row
    return np.asarray(table[n_dice, n_good, hits])


def expand(step: Step, state: State, plan: Plan) -> tuple[IntArray, State, WeightArray, int]:
    """Make one step in every possible way.

    Returns
    -------
    origin, state, weights, denominator
        Row of the given state each result comes from; the results' columns; their weights, which sum to
        `denominator` for each origin. Results of weight 0 are left out.
    """
    n_states = len(next(iter(state.values())))
    n_rows = n_states * plan.n_combinations
    if n_rows * len(state) > LARGEST_TABLE:
        raise LawError(
            f"{n_rows:,} combinations of dice and states, {len(state)} numbers each, are too many to list",
            "simulate this one, or ask with fewer dice",
        )
    rolls = GridRolls(plan, n_states)
    wide = {name: np.repeat(values, plan.n_combinations) for name, values in state.items()}
    after = step(wide, rolls)
    origin = np.repeat(np.arange(n_states), plan.n_combinations)
    possible, weights = rolls.possible()
    if len(possible) < rolls.n:
        origin, after = origin[possible], take_trials(after, possible)
    return origin, after, weights, rolls.denominator


def exact_law(process: Process, *, each_die: bool = False) -> Pmf:
    """Return the exact law of a short process, in integers: every combination of dice, step after step.

    Equal states are merged between steps. Meant for a few steps; a process without end is `balance.core.chain`'s.

    >>> coin = Process({"heads": 0}, (lambda s, r: {"heads": s["heads"] + r.count(2, 1, [2], "coin")},),
    ...                lambda s: np.zeros(len(s["heads"]), bool), lambda s, steps: s, max_steps=2)
    >>> exact_law(coin).to_dict()
    {'heads': [0, 1, 2], 'weight': [1, 2, 1]}
    """
    state, total = start_state(process, 1), 1
    weights: WeightArray = np.ones(1, np.int64)
    steps_made: IntArray = np.zeros(1, np.int64)
    for number in range(process.max_steps):
        alive = ~process.over(state) if number else np.ones(1, bool)
        if not alive.any():
            break
        step = process.steps[number % len(process.steps)]
        live = take_trials(state, alive)
        origin, after, ways, denominator = expand(step, live, plan_step(step, live, each_die=each_die))
        total *= denominator
        if total > LARGEST:
            weights, ways = weights.astype(object), ways.astype(object)
        made = np.concatenate([steps_made[~alive], steps_made[alive][origin] + 1])
        after = {name: np.concatenate([values[~alive], after[name]]) for name, values in state.items()}
        weights = np.concatenate([weights[~alive] * denominator, weights[alive][origin] * ways])
        state, steps_made, weights = _merge(after, made, weights)
    return _report(process.outcome, state, steps_made, weights)


def _merge(state: State, steps_made: IntArray, weights: WeightArray) -> tuple[State, IntArray, WeightArray]:
    kept, weights = merge_columns([*state.values(), steps_made], weights)
    return take_trials(state, kept), steps_made[kept], weights


def _report(outcome: Callable[[State, IntArray], Any], state: State, steps: IntArray, weights: WeightArray) -> Pmf:
    columns = outcome(state, steps)
    told = [np.broadcast_to(np.asarray(values, np.int64), len(steps)) for values in columns.values()]
    kept, weights = merge_columns(told, weights)
    return Pmf(tuple(columns), np.stack([values[kept] for values in told], axis=1), weights)
