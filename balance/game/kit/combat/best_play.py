"""Optimal play where sides act in turn and nothing is hidden: value iteration over all states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.errors import DistributionError, Fault, RulesError
from balance.chance.budget import exact_budget, spend
from balance.chance.exact.enumeration import TooManyWays
from balance.chance.exact.tree import Branches, every_option
from balance.chance.rolls.process import Process, State, Step, flat_columns, n_trials, start_state, take_trials
from balance.game.solution import Solution, SolutionTable

MOST_STATES = 200_000
"""States before some step up to which a duel is solved."""
TOLERANCE, MOST_SWEEPS = 1e-10, 20_000
TIED = 1e-7
"""Difference of chances up to which options are equally good: far more than sweeps leave, far less than dice tell."""
MOST_TIED = 3
"""Options equally good that are named one by one."""
ASK_POLICIES = "ask it with policies instead of solving it"


@dataclass(frozen=True, eq=False)
class Phase:
    """All states before one step of a round, and the branches to those of the next phase.

    * `state`: the states, a row each.
    * `side`: the side that chooses; the first side where nobody does.
    * `origin`, `option`, `after` and `chance`: of each branch: the row of its state, the number of the options chosen,
      the row of the next phase that it leads to (-1 where the fight is over), and its probability.
    * `payoff`: value of each branch to the first side if the fight is over: 1, 1/2 or 0.
    * `names`: names of the options for each number of `option`.
    """

    state: State
    side: str
    origin: IntArray
    option: IntArray
    after: IntArray
    chance: FloatArray
    payoff: FloatArray
    names: tuple[str, ...]


def solve_in_turns(
    processes: Sequence[Process], sides: tuple[str, str], options: Mapping[str, Sequence[str]]
) -> Solution:
    """Return the value of a fight to its first side under optimal play, and the best first choices.

    The value of a state is the best, for whoever acts, of the expected values of what follows; it is swept over all
    states until no value moves any more. As nothing is hidden and sides act in turn, pure choices are best.

    `processes`: the fight, one process for each order of play that is equally likely; in a step one side alone chooses,
    and their outcome has a column `winner`. `sides`: the two sides, by the names under which they choose. `options`:
    name of a choice -> its options in order. `RulesError`: there are too many states.
    """
    try:
        with exact_budget():
            orders = [_solve(process, sides, options) for process in processes]
    except DistributionError as error:
        raise RulesError(Fault(f"the fight is too large: {error.faults[0].message}", tip=ASK_POLICIES)) from error
    value = float(np.mean([order.value for order in orders]))
    rows = dict.fromkeys(row for order in orders for row in order.opening)
    table = SolutionTable("opening", "What is best at the start.", ("side", "acts", "takes"), tuple(rows))
    method = "every state of the duel, swept until no value moves"
    sweeps, n_states = max(order.sweeps for order in orders), max(order.n_states for order in orders)
    return Solution("exact", method, value, value, value, 0.0, True, sweeps, n_states, (table,))


@dataclass(frozen=True)
class SolvedOrder:
    """One turn order solved: its value to the first side, and the best choices at the start.

    `opening` holds (side, when it acts, best options).
    """

    value: float
    sweeps: int
    n_states: int
    opening: tuple[tuple[str, str, str], ...]


def _solve(process: Process, sides: tuple[str, str], options: Mapping[str, Sequence[str]]) -> SolvedOrder:
    phases = _phases(process, sides, options)
    values = [np.full(len(_rows(phase.state)), 0.5) for phase in phases]
    sweeps, moved = 0, 1.0
    n_branches = sum(len(phase.origin) for phase in phases)
    while moved > TOLERANCE and sweeps < MOST_SWEEPS:
        spend(n_branches / 5, 0)
        sweeps, moved = sweeps + 1, 0.0
        for number in reversed(range(len(phases))):
            new, _ = _values(phases[number], values[(number + 1) % len(phases)], sides)
            moved = max(moved, float(np.abs(new - values[number]).max(initial=0.0)))
            values[number] = new
    opening = list[tuple[str, str, str]]()
    for number, phase in enumerate(phases):
        _, scores = _values(phase, values[(number + 1) % len(phases)], sides)
        if len(phase.names) > 1:
            opening.append((phase.side, "after the other" if number else "first", _best(phase, scores[0])))
    return SolvedOrder(float(values[0][0]), sweeps, sum(map(len, values)), tuple(opening))


def _best(phase: Phase, scores: FloatArray) -> str:
    """Return the names of the best options (or their number if many tie) from the scores of a state."""
    best = [name for name, score in zip(phase.names, scores, strict=True) if score >= scores.max() - TIED]
    if len(best) <= MOST_TIED:
        return " or ".join(best)
    n_allowed = int(np.isfinite(scores).sum())
    return f"any of the {n_allowed}" if len(best) == n_allowed else f"{best[0]} or {len(best) - 1} others"


def _values(phase: Phase, after_values: FloatArray, sides: tuple[str, str]) -> tuple[FloatArray, FloatArray]:
    """Return the value of each state to the first side, and the score of each option for who acts, -inf if illegal."""
    worth = np.where(phase.after < 0, phase.payoff, after_values[np.maximum(phase.after, 0)])
    n_states, n_options = len(_rows(phase.state)), len(phase.names)
    sums, reached = np.zeros((n_states, n_options)), np.zeros((n_states, n_options))
    np.add.at(sums, (phase.origin, phase.option), phase.chance * worth)
    np.add.at(reached, (phase.origin, phase.option), phase.chance)
    sign = 1.0 if phase.side == sides[0] else -1.0
    scores = np.where(reached > 0, sign * sums, -np.inf)
    return sign * scores.max(axis=1), scores


def _phases(process: Process, sides: tuple[str, str], options: Mapping[str, Sequence[str]]) -> list[Phase]:
    """Return the phases with every state that can be reached by any choices, found breadth first."""
    n_steps = len(process.steps)
    known: list[dict[tuple[int, ...], int]] = [{} for _ in range(n_steps)]
    parts: list[list[tuple[State, Branches, IntArray]]] = [[] for _ in range(n_steps)]
    frontier: list[State | None] = [start_state(process, 1)] + [None] * (n_steps - 1)
    known[0] = {tuple(_rows(start_state(process, 1))[0].tolist()): 0}
    while any(states is not None for states in frontier):
        for number in range(n_steps):
            states, frontier[number] = frontier[number], None
            if states is None:
                continue
            for part, branches in _branches(process.steps[number], states):
                over = process.over(branches.state)
                after, fresh = _placed(branches.state, ~over, known[(number + 1) % n_steps])
                parts[number].append((part, branches, after))
                if fresh is not None:
                    later = frontier[(number + 1) % n_steps]
                    frontier[(number + 1) % n_steps] = fresh if later is None else _joined([later, fresh])
            if sum(map(len, known)) > MOST_STATES:
                raise RulesError(Fault(f"the fight has more than {MOST_STATES:,} states", tip=ASK_POLICIES))
    return [_phase(process, sides, options, part) for part in parts if part]


def _branches(step: Step, states: State) -> Iterator[tuple[State, Branches]]:
    """Yield states with their branches, for half of them at a time where all at once are too many."""
    n = n_trials(states)
    try:
        branches = every_option(step, states)
    except TooManyWays:
        if n < 2:
            raise
        for half in (slice(n // 2), slice(n // 2, None)):
            yield from _branches(step, take_trials(states, half))
        return
    n_branches = len(branches.origin)
    spend(20 * n_branches, n_branches * (len(flat_columns(branches.state)) + len(branches.choices) + 4))
    yield states, branches


def _phase(
    process: Process,
    sides: tuple[str, str],
    options: Mapping[str, Sequence[str]],
    parts: list[tuple[State, Branches, IntArray]],
) -> Phase:
    """Return one phase from batches of (states, branches, rows in the next phase), concatenated as they were found."""
    keys = sorted({choice for _, branches, _ in parts for choice in branches.choices})
    side = keys[0][0] if keys else sides[0]
    begins = np.cumsum([0, *(len(_rows(states)) for states, _, _ in parts)])
    taken = [_options(branches, keys) for _, branches, _ in parts]
    distinct = sorted({row for rows in taken for row in rows})
    number_of = {row: number for number, row in enumerate(distinct)}
    ends = [process.outcome(branches.state, np.ones(len(after), np.int64)) for _, branches, after in parts]
    payoff = [np.choose(np.asarray(columns["winner"]), [0.5, 1.0, 0.0]) for columns in ends]
    chances = [np.asarray(branches.weights, np.float64) / branches.denominator for _, branches, _ in parts]
    return Phase(
        _joined([states for states, _, _ in parts]),
        side,
        np.concatenate([begin + branches.origin for begin, (_, branches, _) in zip(begins, parts, strict=False)]),
        np.concatenate([[number_of[row] for row in rows] for rows in taken]).astype(np.int64),
        np.concatenate([after for _, _, after in parts]),
        np.concatenate(chances),
        np.concatenate(payoff),
        tuple(", ".join(options[name][n] for (_, name), n in zip(keys, row, strict=True)) for row in distinct),
    )


def _options(branches: Branches, keys: Sequence[tuple[str, str]]) -> list[tuple[int, ...]]:
    columns = [branches.choices[key].tolist() for key in keys]
    return list(zip(*columns, strict=True)) if columns else [()] * len(branches.origin)


def _placed(state: State, lives: BoolArray, known: dict[tuple[int, ...], int]) -> tuple[IntArray, State | None]:
    """Return the row of each state in the next phase, -1 where the fight is over, and the states that are new there."""
    after: IntArray = np.full(len(lives), -1)
    rows = np.flatnonzero(lives)
    if not len(rows):
        return after, None
    distinct, first, which = np.unique(_rows(state)[rows], axis=0, return_index=True, return_inverse=True)
    keys = [tuple(row) for row in distinct.tolist()]
    new = [place for place, key in enumerate(keys) if key not in known]
    known |= {keys[place]: len(known) + number for number, place in enumerate(new)}
    after[rows] = np.array([known[key] for key in keys])[which.ravel()]
    return after, take_trials(state, rows[first[new]]) if new else None


def _rows(state: State) -> IntArray:
    return np.stack(flat_columns(state), axis=1)


def _joined(states: Sequence[State]) -> State:
    return {name: np.concatenate([state[name] for state in states]) for name in states[0]}
