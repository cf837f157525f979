"""A value function fitted by logistic regression, for duels with too many states to list.

A position has k features z (markers, cards by kind, piles, Shaken), the first always 1, and its worth to side a is the
logistic function of z' W z, with one W for each number of turns left. So every pair of features has a weight. Weights
are fitted to worths met in play by Newton's method on the cross entropy, with a ridge.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.chance.rolls.process import State
from balance.games.edadh.duel.duel_state import Duel, end_codes
from balance.games.edadh.rules.forces import Force
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving.moves import WORTH, Moves

N_PHASES = 4
"""Turns left in a Period, 0 to 3."""
RIDGE = 1.0
NEWTON_STEPS = 2
WORTH_DIGITS = 7
"""Digits of a worth that count: the last ones differ between processors, and would decide between equal moves."""
LOW_MP, CLOSE = (2, 4, 8, 16), 8
"""From how few MP on, and from how small a distance of damage to MP on, numbers of their own tell how few."""


@dataclass(frozen=True, eq=False)
class Position:
    """Features of n positions: z, `float64[k, n]`, and the phase of each, `int[n]` (see `phase_of`)."""

    numbers: FloatArray
    turns: IntArray

    @classmethod
    def of(cls, moves: Moves, counts: tuple[FloatArray, FloatArray], state: State) -> Position:
        """Compute the features of n states; `counts` are those of `Estimate.counts` for side a and side b."""
        numbers = [np.ones(len(state["turns"]))]
        for side, cards, force in zip(SIDES, counts, moves.duel.arena.forces, strict=True):
            mp, damage = (state[f"{side}_{name}"].astype(np.float64) for name in ("mp", "damage"))
            place = state[f"{side}_unit"].astype(np.intp) * 8 + state[f"{side}_up"]
            numbers += [mp / 60, *(np.clip(low - mp, 0, 2 * low) / low for low in LOW_MP), damage / 12]
            numbers += [np.clip(damage - mp + CLOSE, 0, 2 * CLOSE) / CLOSE, force.unit.n_front.take(place >> 3) / 3]
            numbers += [state[f"{side}_{name}"] / scale for name, scale in (("pile", 3), ("relief", 12), ("shaken", 1))]
            numbers += list(cards[:, place])
        return cls(np.stack(numbers), phase_of(moves.duel, state))


@dataclass(frozen=True, eq=False)
class Estimate:
    """A fitted value function: `weights` are W by phase, `float64[4 * levels, k, k]`; without them all is 1/2."""

    moves: Moves
    weights: FloatArray | None = None

    @cached_property
    def counts(self) -> tuple[FloatArray, FloatArray]:
        """For each side, `float64[2T, U * 8]`: cards of each kind, and those face up, by arrangement and mask."""
        side_a, side_b = (_counts(force) for force in self.moves.duel.arena.forces)
        return side_a, side_b

    def position(self, state: State) -> Position:
        """Return the features of states, with the counts of cards of this duel."""
        return Position.of(self.moves, self.counts, state)

    def __call__(self, state: State) -> FloatArray:
        """Return what states are worth to side a, 0 to 1, `float64[n]`; exactly so where a duel has ended."""
        worth = np.full(len(state["turns"]), 0.5)
        ends = end_codes(state)
        worth[ends >= 0] = WORTH[ends[ends >= 0]]
        if self.weights is not None:
            position = self.position(state)
            for turns, weights in enumerate(self.weights):
                rows = np.flatnonzero((position.turns == turns) & (ends < 0))
                numbers = position.numbers[:, rows]
                worth[rows] = _logistic(((weights @ numbers) * numbers).sum(axis=0)).round(WORTH_DIGITS)
        return worth


def phase_of(duel: Duel, state: State) -> IntArray:
    """Return the turns left, and as many more for each Period at a combat level of its own before, `int[n]`."""
    if len(duel.levels) == 1:
        return state["turns"]
    return np.asarray(state["turns"] + N_PHASES * (np.minimum(state["period"], len(duel.levels)) - 1))


def _counts(force: Force) -> FloatArray:
    kinds = range(len(force.troops))
    rows = [
        [sum(column.count(kind) for column in cards) / 3 for kind in kinds]
        + [
            sum(bool(column) and column[0] == kind and mask >> c & 1 for c, column in enumerate(cards)) / 3
            for kind in kinds
        ]
        for cards in force.unit.arrangements
        for mask in range(8)
    ]
    return np.array(rows, np.float64).T.copy()


def _logistic(x: FloatArray) -> FloatArray:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))))


class Fit:
    """Positions and results met in play, to which weights are fitted; only the last `window` of each phase count."""

    def __init__(self, window: int, n_phases: int = N_PHASES) -> None:
        self.window = window
        self._samples: list[list[tuple[FloatArray, FloatArray]]] = [[] for _ in range(n_phases)]

    def add(self, position: Position, worth: FloatArray) -> None:
        """Remember positions and their worths to side a, 0 to 1, `float64[n]`."""
        for turns, samples in enumerate(self._samples):
            rows = position.turns == turns
            if rows.any():
                samples.append((position.numbers[:, rows].T, worth[rows]))
            while sum(len(values) for _, values in samples) > self.window and len(samples) > 1:
                samples.pop(0)

    def weights(self, before: FloatArray | None) -> FloatArray | None:
        """Return weights fitted to what is remembered, Newton's method starting from those before."""
        k = next((samples[0][0].shape[1] for samples in self._samples if samples), 0)
        start = np.zeros((len(self._samples), k, k)) if before is None else before
        phase_weights = [
            _fit_phase(samples, weights) if samples else weights
            for samples, weights in zip(self._samples, start, strict=True)
        ]
        return np.stack(phase_weights) if k else None


def _fit_phase(samples: Iterable[tuple[FloatArray, FloatArray]], before: FloatArray) -> FloatArray:
    """Return W for one phase: Newton's method for the cross entropy, with a ridge towards 0."""
    numbers, worth = (np.concatenate(part) for part in zip(*samples, strict=True))
    i, j = np.triu_indices(numbers.shape[1])
    pairs = numbers[:, i] * numbers[:, j]
    beta = (before + before.T - np.diag(np.diag(before)))[i, j]
    for _ in range(NEWTON_STEPS):
        p = _logistic(pairs @ beta)
        slope = pairs.T @ (worth - p) - RIDGE * beta
        curve = (pairs * (p * (1 - p) + 1e-3)[:, None]).T @ pairs + RIDGE * np.eye(len(beta))
        step = np.linalg.solve(curve, slope)
        beta = beta + step
        if np.abs(step).max() < 1e-3:
            break
    weights = np.zeros_like(before)
    weights[i, j] = beta
    return weights
