"""What armies of equal points score against each other: a check of prices that does not use how these were fitted.

A *match-up* is a pair of members, each fielded as often as its cost allows, or a pair of mixed armies. It is played
many times at a budget, either side going first equally often; armies of one member are drawn anew for every battle, so
that the unit which the budget buys only in part joins as often as it should. How far scores lie from one half is what
the prices leave unfair. Dice alone would spread them too; that part is known from the scores themselves and taken off:

    RMS^2 = mean over match-ups of (score - 1/2)^2  -  mean of the variance of each score
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.analysis.armies.battles import ArmySetting, Blocks, Playing, meet, play_blocks
from balance.analysis.armies.random_armies import alike_armies, mixed_armies, points_of
from balance.base.arrays import FloatArray, IntArray
from balance.chance.rolls.rolls import RandomRolls
from balance.engine.runner import Runner
from balance.game.armies.armies import Arena

SEATS = ("first", "second")
ALIKE_BLOCK = 4096
"""Battles of armies alike from one seat that are played at a time, about."""
EQUAL = 0.03
"""Share by which the points of a mixed army may miss its budget and still be called equal."""
TRIES = 40
"""How often an army that misses it is drawn again."""


@dataclass(frozen=True)
class EqualPoints:
    """Scores of r match-ups at equal points.

    `scores`: `float64[r]`: what the first army of each match-up scores. `variances`: `float64[r]`: of each of these,
    from the dice.
    """

    scores: FloatArray
    variances: FloatArray

    @property
    def rms(self) -> float:
        """Root mean square of score - 1/2, without the variance that dice add."""
        return float(max(float(np.mean((self.scores - 0.5) ** 2) - np.mean(self.variances)), 0.0) ** 0.5)


def alike_scores(
    runner: Runner, setting: ArmySetting, members: Sequence[str], costs: FloatArray, n_battles: int, seed: int
) -> tuple[FloatArray, EqualPoints]:
    """Return what armies of each member score against those of each other, `float64[m, m]`, and the match-ups.

    `costs` is `float64[m]`; `n_battles`, of each match-up at each budget, is even and at least 4.
    """
    m, n_rounds, parts = len(members), n_battles // 2, []
    most = max(1, ALIKE_BLOCK // max(m * (m - 1) // 2, 1))
    n_blocks = -(-n_rounds // most)
    shares = tuple(len(rounds) for rounds in np.array_split(np.arange(n_rounds), n_blocks))
    for at in setting.each_budget:
        key = f"analysis/alike/{at.budgets[0][0]:g}"
        blocks = Blocks(at, tuple(members), tuple(costs.tolist()), seed, key, _play_alike, (shares,))
        parts.append(np.sum(play_blocks(runner, blocks, n_blocks), axis=0) / n_rounds)
    match_ups = _equal_points(np.concatenate(parts), n_battles // 2)
    return score_grid(match_ups.scores, m), match_ups


def score_grid(scores: FloatArray, m: int) -> FloatArray:
    """Return the scores of all pairs of m members as a grid, `float64[m, m]`, a half on the diagonal.

    `scores` is `float64[m (m - 1) / 2]`: what the first of each pair scores, in the order of `np.triu_indices(m, 1)`.

    >>> score_grid(np.array([0.75]), 2).tolist()
    [[0.5, 0.75], [0.25, 0.5]]
    """
    grid = np.full((m, m), 0.5)
    grid[np.triu_indices(m, 1)] = scores
    grid.T[np.triu_indices(m, 1)] = 1.0 - scores
    return grid


def _play_alike(blocks: Blocks, arena: Arena, number: int, rng: np.random.Generator) -> Playing[FloatArray]:
    """Play every match-up of two members from either seat; return the sum of what the first scores, `float64[2, r]`.

    All rounds of a block are played together, since the many small steps of few battles take longest.
    """
    ((*shares,),) = blocks.beside
    first_members, second_members = (np.tile(side, shares[number]) for side in np.triu_indices(len(blocks.members), 1))
    costs, budgets = np.array(blocks.costs), np.full(len(first_members), blocks.setting.budgets[0][0], np.float64)
    scores = []
    for seat in SEATS:
        limits = blocks.setting.limits(budgets, rng)
        a, b = alike_armies(first_members, budgets, costs, rng), alike_armies(second_members, budgets, costs, rng)
        rounds = yield from from_seat(arena, a, b, limits, blocks.rolls(number, seat, len(a)), seat)
        scores.append(rounds.reshape(shares[number], -1).sum(axis=0))
    return np.stack(scores)


def from_seat(
    arena: Arena, a: IntArray, b: IntArray, limits: IntArray, rolls: RandomRolls, seat: str
) -> Playing[FloatArray]:
    """Return what army a scores in each of some `Battles`, `float64[n]`, from the seat that it has."""
    if seat == "first":
        return (yield from meet(arena, a, b, limits, rolls))
    return 1.0 - (yield from meet(arena, b, a, limits, rolls))


def mixed_scores(
    runner: Runner,
    setting: ArmySetting,
    members: Sequence[str],
    costs: FloatArray,
    n_match_ups: int,
    n_battles: int,
    seed: int,
) -> EqualPoints:
    """Return what random mixed armies of equal points score against each other, `n_match_ups` pairs at each budget.

    `n_battles` of each match-up is even and at least 4.
    """
    scores = []
    for at in setting.each_budget:
        key = f"analysis/mixed/{at.budgets[0][0]:g}"
        blocks = Blocks(at, tuple(members), tuple(costs.tolist()), seed, key, _play_mixed, (n_match_ups, n_battles))
        scores += play_blocks(runner, blocks, 1)
    return _equal_points(np.concatenate(scores, axis=1), n_battles // 2)


def _play_mixed(blocks: Blocks, arena: Arena, number: int, rng: np.random.Generator) -> Playing[FloatArray]:
    n_match_ups, n_battles = blocks.beside
    costs, budgets = np.array(blocks.costs), np.full(n_match_ups, blocks.setting.budgets[0][0], np.float64)
    limits = blocks.setting.limits(budgets, rng)
    a, b = (_mixed_at(budgets, limits, costs, rng) for _ in range(2))
    is_equal = np.abs(points_of(a, costs) - points_of(b, costs)) <= 2 * EQUAL * budgets
    a, b, limits = a[is_equal], b[is_equal], limits[is_equal]
    scores = np.zeros((len(SEATS), len(a)))
    for at in range(n_battles // 2):
        for row, seat in enumerate(SEATS):
            rolls = blocks.rolls(number, f"{at}/{seat}", len(a))
            scores[row] += yield from from_seat(arena, a, b, limits, rolls, seat)
    return np.asarray(scores / (n_battles // 2))


def _mixed_at(budgets: FloatArray, limits: IntArray, costs: FloatArray, rng: np.random.Generator) -> IntArray:
    """Return mixed armies whose costs are near their budgets; those too far off are drawn again a few times."""
    armies = mixed_armies(budgets, limits, costs, rng)
    for _ in range(TRIES):
        off = np.flatnonzero(np.abs(points_of(armies, costs) / budgets - 1) > EQUAL)
        if len(off) == 0:
            break
        again = mixed_armies(budgets[off], limits[off], costs, rng)
        armies[off] = -1
        armies[off, : again.shape[1]] = again
    return armies


def _equal_points(parts: FloatArray, n_battles: int) -> EqualPoints:
    """Return the scores of match-ups from those of their parts, `float64[s, r]`, of `n_battles` battles each.

    Parts differ in seat and budget, which change the score; so the noise of dice is the variance within parts, s (1 -
    s) / (n - 1), not between them.
    """
    noise = parts * (1 - parts) / max(n_battles - 1, 1)
    return EqualPoints(parts.mean(axis=0), np.asarray(noise.mean(axis=0) / len(parts)))
