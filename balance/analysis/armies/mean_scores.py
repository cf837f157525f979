"""What armies of each member score on average against the field at equal points, by simulation alone, with no model.

Armies are of one member each. A member meets others drawn at random, at budgets spread over the range of the setting;
each match-up is played twice with the same armies, either side going first once, and the pair is what is averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.analysis.armies.battles import ArmySetting, Blocks, Playing, meet, play_blocks
from balance.analysis.armies.random_armies import alike_armies
from balance.base.arrays import FloatArray, IntArray
from balance.engine.runner import Runner
from balance.game.armies.armies import Arena, ChangedMember

ROUND, BLOCK = 2**12, 2**15
"""Pairs of battles by which a number of them is rounded up, and that are drawn and played at a time, at most: a step of
the many small ones costs much the same for a few battles as for thousands."""
TASK = "scores of armies"


@dataclass(frozen=True)
class MeanScores:
    """Mean scores of r members against the field.

    `scores` and `errors`: `float64[r]`, and their standard errors. `first_mover` and `first_mover_error`: chance to win
    when going first less that when going second, over all pairs of battles. `n_pairs`: pairs of battles of each member.
    """

    scores: FloatArray
    errors: FloatArray
    first_mover: float
    first_mover_error: float
    n_pairs: int

    @property
    def spread(self) -> float:
        """Root mean square of score - 1/2 over members, without the variance that dice add; 0 where that is larger."""
        excess = float(np.mean((self.scores - 0.5) ** 2) - np.mean(self.errors**2))
        return excess**0.5 if excess > 0 else 0.0


def mean_scores(
    runner: Runner,
    setting: ArmySetting,
    members: Sequence[str | ChangedMember],
    costs: FloatArray,
    n_pairs: int,
    seed: int,
    *,
    rows: IntArray | None = None,
    stands_for: IntArray | None = None,
    n_field: int | None = None,
) -> MeanScores:
    """Play pairs of battles of members against random others of the field, and return the members' mean scores.

    With the same seed, rows that stand for the same members meet the same opponents.

        costs          `float64[m]`, in points
        n_pairs        pairs of battles of each, at least
        rows           `int[r]`: places of those whose scores are wanted; all by default
        stands_for     `int[r]`: whom each of them is in the field, and so never meets; itself by default
        n_field        the first so many members are the field; all by default
    """
    places = np.arange(len(members)) if rows is None else rows
    identities = places if stands_for is None else stands_for
    of_each = max(1, ROUND // len(places))
    n = -(-n_pairs // of_each) * of_each
    n_blocks = -(-n * len(places) // BLOCK)
    shares = tuple(len(pairs) for pairs in np.array_split(np.arange(n), n_blocks))
    beside = (tuple(places.tolist()), tuple(identities.tolist()), n_field or len(members), shares)
    blocks = Blocks(setting, tuple(members), tuple(costs.tolist()), seed, "analysis/mean_scores", _play, beside)
    sums, first = (sum(parts) for parts in zip(*play_blocks(runner, blocks, n_blocks, TASK), strict=True))
    errors, n_total = _errors(sums, n), n * len(places)
    return MeanScores(sums[0] / n, errors, float(first[0] / n_total), float(_errors(first, n_total)), n)


def _errors(sums: FloatArray, n: int) -> FloatArray:
    """Return standard errors of means of n values from sums of these and of squares, `float64[2, ...]`; never 0."""
    variance = np.maximum(sums[1] / n - (sums[0] / n) ** 2, 0.25 / n)
    return np.asarray(np.sqrt(variance / max(n - 1, 1)))


def _play(
    blocks: Blocks, arena: Arena, number: int, rng: np.random.Generator
) -> Playing[tuple[FloatArray, FloatArray]]:
    """Return sums of each row's scores and of their squares, `float64[2, r]`; and both of the first mover's gain."""
    rows, identities, n_field, shares = blocks.beside
    of_each, n_rows = shares[number], len(rows)
    costs = np.array(blocks.costs)
    members, identities = np.tile(rows, of_each), np.tile(identities, of_each)
    opponents = (identities + 1 + rng.integers(0, n_field - 1, len(members))) % n_field
    budgets, limits = blocks.setting.draw_budgets(len(members), rng)
    a, b = alike_armies(members, budgets, costs, rng), alike_armies(opponents, budgets, costs, rng)
    as_first = yield from meet(arena, a, b, limits, blocks.rolls(number, "first", len(members)))
    other_first = yield from meet(arena, b, a, limits, blocks.rolls(number, "second", len(members)))
    score, gain = (as_first + 1 - other_first) / 2, as_first + other_first - 1
    table = score.reshape(of_each, n_rows)
    return np.array([table.sum(axis=0), (table**2).sum(axis=0)]), np.array([gain.sum(), (gain**2).sum()])
