"""Value functions learnt by self-play: duels of sides that look ahead, whose results are fitted.

The first duels are played at random, whoever plays the duel that was asked about. An estimate is fitted to how they
ended, from every position on the way; the next duels are played by sides that look one decision ahead with it, now and
then playing any card so that other positions are met too; and so on, keeping the results of the last few generations.
Against an opponent who keeps to a fixed estimate the same learns an answer to it.

Nothing here is certain to converge: what comes out is measured in play, and is never exact. The player `lookahead`
learns so before its first card, in a shorter time and always from the same seed, so that the same duel meets the same
player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock
from typing import NamedTuple

import numpy as np

from balance.base.arrays import FloatArray
from balance.chance.rolls.process import Policy, State, start_state, take_trials
from balance.chance.rolls.rolls import RandomRolls
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.duel.duel_state import Duel, end_codes
from balance.games.edadh.policies.policy import Uniform
from balance.games.edadh.rules.look_up import quickest
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.choices import Opponent
from balance.games.edadh.solving.estimate import N_PHASES, Estimate, Fit
from balance.games.edadh.solving.look_ahead import LookAhead
from balance.games.edadh.solving.moves import WORTH, Moves, Rows

STRAYS = 0.15
"""How often a side that learns plays any card."""
MOST_PERIODS = 20
"""Periods after which a duel under way is left, and counts as a draw."""
FACES = 1000
FIRST_DUELS = 4
"""How many times as many duels the first generation plays, which does not look ahead and is quick."""


@dataclass(frozen=True)
class LearningEffort:
    """Duels of a generation, generations after the first, and the latest positions of each phase that a fit uses."""

    duels: int = 800
    generations: int = 8
    window: int = 12_000

    @property
    def half(self) -> LearningEffort:
        """Half as many duels in half as many generations: what learning to answer a fixed play may take."""
        return replace(self, duels=self.duels // 2, generations=self.generations // 2)


FULL = LearningEffort()
"""A minute or two for six cards a side."""


def learn(moves: Moves, seed: int, effort: LearningEffort = FULL, against: Opponent | None = None) -> Estimate:
    """Return a value function learnt by self-play, or by playing `against` an opponent who keeps to a fixed one."""
    fit, name = (
        Fit(effort.window, N_PHASES * len(moves.duel.levels)),
        "both" if against is None else SIDES[1 - against.side],
    )
    start_worth = None if against is None else against.worth
    estimate = start_worth if isinstance(start_worth, Estimate) else Estimate(moves)
    for generation in range(0 if against is None else 1, effort.generations + 1):
        players = _players(estimate, against) if generation else moves.duel.policies
        n = effort.duels if generation else FIRST_DUELS * effort.duels
        for trajectory in trajectories(moves, players, RandomRolls(seed, f"solve {name}", generation, n)):
            fit.add(estimate.position(trajectory.state), trajectory.result)
        estimate = Estimate(moves, fit.weights(estimate.weights))
    return estimate


def _players(estimate: Estimate, against: Opponent | None) -> tuple[Policy, Policy]:
    """Return policies of side a and side b: a learner with exploration on each side, or the fixed opponent on one."""
    learner = LookAhead(worth=estimate, against=against, strays=STRAYS)
    if against is None:
        return learner, learner
    fixed = LookAhead(worth=against.worth)
    return (fixed, learner) if against.side == 0 else (learner, fixed)


class Trajectory(NamedTuple):
    """Positions met at once in many duels: their columns, the duel of each, `int[n]`, and its result for side a.

    `result` is `float64[n]`.
    """

    state: State
    duel: Rows
    result: FloatArray


def trajectories(
    moves: Moves, players: tuple[Policy, Policy], rolls: RandomRolls, *, fewer_mp: bool = True
) -> Iterator[Trajectory]:
    """Play duels, and yield the positions met, as they `Moves.land`: before each turn of a Period, and at its end.

    With `fewer_mp` half of the sides begin with fewer MP than usual, so that more positions are met.
    """
    process = duel_process(replace(moves.duel, policies=players), moves.resolve)
    state = start_state(process, rolls.n)
    if fewer_mp:
        state = _with_fewer_mp(state, moves.duel.mp, rolls)
    visited: list[tuple[Rows, State]] = []
    result, alive = np.full(rolls.n, 0.5), np.arange(rolls.n)
    n_steps, n_turns = len(process.steps), int(moves.start()["turns"][0])
    for number in range(min(process.max_steps, MOST_PERIODS * n_steps)):
        if number % n_steps <= n_turns:
            landed_state = moves.land(state)
            open_ = np.flatnonzero(end_codes(landed_state) < 0)
            visited.append((alive[open_], take_trials(landed_state, open_)))
        state = process.step(number)(state, rolls)
        over = end_codes(state)
        result[alive[over >= 0]] = WORTH[over[over >= 0]]
        alive_rows = np.flatnonzero(over < 0)
        state, alive = take_trials(state, alive_rows), alive[alive_rows]
        rolls.keep(alive_rows)
        if not len(alive_rows):
            break
    yield from (Trajectory(positions, rows, result[rows]) for rows, positions in visited)


def _with_fewer_mp(state: State, mp: tuple[int, int], rolls: RandomRolls) -> State:
    """Return duels at their start, half of the sides with fewer MP than usual, to meet more positions."""
    start = dict(state)
    for side, max_mp in zip(SIDES, mp, strict=True):
        share = np.minimum((1 + rolls.uniform(2 * FACES, f"{side} begins")) / FACES, 1.0)
        start[f"{side}_mp"] = np.ceil(share * max_mp).astype(np.int16)
    return start


LOOK_AHEAD = "lookahead"
"""The player's name among the choices of a duel."""
EFFORT = LearningEffort(duels=400, generations=6, window=20_000)
"""About half a minute for six cards a side."""
SEED = 0


_LEARNING = Lock()


@dataclass(frozen=True, eq=False)
class LearntWorth:
    """A value function that is learnt when it is first asked for, once for all threads, always from the same seed."""

    moves: Moves

    @property
    def estimate(self) -> Estimate:
        """The fitted value function; the first access plays the duels that it is learnt from."""
        with _LEARNING:
            return self._learnt_estimate

    @cached_property
    def _learnt_estimate(self) -> Estimate:
        return learn(self.moves, SEED, EFFORT)

    def __call__(self, state: State) -> FloatArray:
        """Return the values of n states to side a, 0 to 1, `float64[n]`."""
        return self.estimate(state)


def moves_of(duel: Duel) -> Moves:
    """Return the choices of a duel, with its turns as a look-up where that is small enough.

    Whoever plays the duel is left out: what a position is worth must not depend on how the sides would play.
    """
    return Moves(replace(duel, policies=(Uniform(), Uniform())), quickest(duel.arena))


def with_look_ahead(duel: Duel, player_names: Sequence[str]) -> Duel:
    """Return a duel with the player `lookahead` on the sides that chose it; the other policies stay.

    A duel with parts that the player does not know raises `RulesError`.
    """
    if LOOK_AHEAD not in player_names:
        return duel
    player = LookAhead(worth=LearntWorth(moves_of(duel)))
    policy_a, policy_b = (
        player if name == LOOK_AHEAD else policy for name, policy in zip(player_names, duel.policies, strict=True)
    )
    return replace(duel, policies=(policy_a, policy_b))
