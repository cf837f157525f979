"""Synthetic games with a known answer: costs that were fair, then a few planted errors."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from balance.analysis.changes.tuning.score_forecast import Movable, ScoreForecast, Step, Target
from balance.base.arrays import FloatArray

UNITS, WEAPONS = 6, 6


@dataclass(frozen=True)
class Planted:
    """A game whose printed costs are wrong on a few cards.

    Attributes
    ----------
    truth, known
        What foretells scores without noise, and as simulation would have found it.
    movable
        The cost of each card.
    cards
        Those whose cost was made wrong.
    """

    truth: ScoreForecast
    known: ScoreForecast
    movable: tuple[Movable, ...]
    cards: tuple[str, ...]


def costs_of(counts: FloatArray, printed: FloatArray, factor: float = 2.5) -> tuple[Movable, ...]:
    """Return the cost of each card as a number that may move, by whole points, up to a factor either way."""
    still = np.zeros(len(counts))
    found = []
    for card, old in enumerate(printed.astype(int).tolist()):
        values = [new for new in range(max(1, round(old / factor)), round(old * factor) + 1) if new != old]
        steps = [Step(str(new), abs(new / old - 1), (new - old) * counts[:, card], still) for new in values]
        found.append(Movable(f"card{card}", str(old), tuple(steps)))
    return tuple(found)


def planted_game(rng: np.random.Generator, n_errors: int, noise: float = 0.012) -> Planted:
    """Return a game of units and weapons, each loadout one of both, with some costs wrong by 35 to 70 %."""
    fair = np.concatenate([rng.integers(8, 41, UNITS), rng.integers(4, 21, WEAPONS)]).astype(float)
    counts = np.zeros((UNITS * WEAPONS, UNITS + WEAPONS))
    for row, (unit, weapon) in enumerate(product(range(UNITS), range(WEAPONS))):
        counts[row, [unit, UNITS + weapon]] = 1
    wrong = rng.choice(UNITS + WEAPONS, n_errors, replace=False)
    printed = fair.copy()
    printed[wrong] = np.round(fair[wrong] * np.exp(rng.choice([-1, 1], n_errors) * rng.uniform(0.35, 0.7, n_errors)))
    n = len(counts)
    slopes = rng.uniform(3, 5, n)
    truth = ScoreForecast(counts @ printed, np.log(counts @ fair), slopes, np.zeros(n))
    log_fair, as_found = truth.log_fair + rng.normal(0, noise, n), slopes * np.exp(rng.normal(0, 0.05, n))
    known = ScoreForecast(counts @ printed, log_fair, as_found, np.zeros(n))
    return Planted(truth, known, costs_of(counts, printed), tuple(f"card{card}" for card in sorted(wrong.tolist())))


def misses_of(
    known: ScoreForecast, movable: tuple[Movable, ...], target: Target
) -> dict[frozenset[tuple[str, str]], float]:
    """Return by how much every choice of values misses the target: an independent search through all of them."""
    chosen = [
        [(one, one.steps[value - 1]) for one, value in zip(movable, values, strict=True) if value]
        for values in product(*(range(len(one.steps) + 1) for one in movable))
    ]
    still = np.zeros(len(known.costs))
    points = np.array([sum((step.points for _, step in steps), still) for steps in chosen])
    worth = np.array([sum((step.worth for _, step in steps), still) for steps in chosen])
    scores = slow_scores(known, points, worth)
    missed = np.sum(np.maximum(np.maximum(scores - target.high, target.low - scores), 0) ** 2, axis=1).tolist()
    return {
        frozenset((one.path, step.text) for one, step in steps): miss
        for steps, miss in zip(chosen, missed, strict=True)
    }


def slow_scores(known: ScoreForecast, points: FloatArray, worth: FloatArray) -> FloatArray:
    """Return foretold scores `[n, m]` by their definition: the level is looked for by halving."""
    off = known.slopes * (known.log_fair + worth - np.log(known.costs + points)) + known.shifts
    low, high = np.full((len(off), 1), -50.0), np.full((len(off), 1), 50.0)
    for _ in range(100):
        level = (low + high) / 2
        above = np.mean(1 / (1 + np.exp(known.slopes * level - off)), axis=1, keepdims=True) > 0.5
        low, high = np.where(above, level, low), np.where(above, high, level)
    return np.asarray(1 / (1 + np.exp(known.slopes * level - off)))


def can_be_had_with_fewer(known: ScoreForecast, movable: tuple[Movable, ...], n: int) -> bool:
    """Return whether fewer than n numbers meet the usual band: every set of them, every value of each."""
    target = Target()
    for size in range(n):
        for some in combinations(movable, size):
            grids = np.meshgrid(*(np.arange(len(one.steps)) for one in some), indexing="ij")
            points = np.zeros((max(1, grids[0].size) if grids else 1, len(known.costs)))
            for one, grid in zip(some, grids, strict=True):
                points += np.array([step.points for step in one.steps])[grid.ravel()]
            if target.misses(known.scores(points), np.zeros(len(points))).min() <= 1e-12:
                return True
    return False
