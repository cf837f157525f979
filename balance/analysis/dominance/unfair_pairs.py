"""What stays unfair at given costs: the pairs of members farthest from even, and rock, paper, scissors by name.

Armies of one member each meet at equal points. First every pair is played a little, in two halves on dice of their own:
the mean product of what both halves score beyond one half estimates the square of how far a pair is from even. The part
of these squares that one strength per member explains (`fit_ratings`) is members that score too much or too little on
the whole; the rest is who meets whom, which no cost mends.

Then the few pairs and cycles that look farthest from even are played again on fresh dice, and only that is reported, so
that selection biases no score. A pair is named if it lies `CARE` beyond even by `SURE` standard errors, on the side
that it was chosen for: in a fair field one of `N_PAIRS` is in fewer than one run of a hundred. A cycle has all its
three pairs so.

A grid of scores less one half is antisymmetric. A structure that few numbers per member describe lies in its largest
singular values, which come in pairs; the dice spread over all of it. Independent noise of variance v leaves singular
values up to 2 sqrt(m v) in a grid of m members, so the rest of each value y is shrunk to what is best in the mean
square (Gavish and Donoho 2017):

    y -> sqrt(max(y^2 - 4 m v, 0))

Of what that takes off a share is given back: as much of its mean square as exceeds v is no noise.

A *cycle* is A beats B beats C beats A. It is as strong as the weakest of the three.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from balance.analysis.armies.battles import ArmySetting, Blocks, Playing, meet, play_blocks
from balance.analysis.armies.equal_points import score_grid
from balance.analysis.armies.random_armies import same_width
from balance.analysis.armies.typical_match_up import armies_around
from balance.analysis.scores.ratings import fit_ratings
from balance.base.answers import Chance, Doc, formula
from balance.base.arrays import FloatArray, IntArray
from balance.base.numbers import show_odds
from balance.chance.rolls.streams import stream
from balance.engine.runner import Runner
from balance.game.armies.armies import Arena

BATTLES, BLOCK = 8192, 4096
"""Battles of the first look, about; and those of a block, about."""
MOST_MEMBERS = 128
"""Members up to which all are looked at; of more, so many are drawn."""
N_PAIRS, N_CYCLES = 5, 2
"""Pairs and cycles that are played again."""
ROUNDS = 192
"""Battles of each of these pairs in either half."""
CARE, SURE = 0.02, 3.0
"""The smallest difference of scores worth caring about, and the standard errors beyond it that are sure."""
KEY, TASK = "analysis/unfair_pairs", "who meets whom"


@dataclass(frozen=True)
class UnfairPair:
    """Two of whom one beats the other at equal points."""

    winner: str
    loser: str
    score: Annotated[Chance, Doc("What the winner scores, on dice that did not choose it.")]
    error: Annotated[float, Doc("Its standard error.")]
    share: Annotated[float, Doc("Its share of all squares of (score - 1/2).")]

    @formula
    def odds(self) -> Annotated[str, Doc("What the winner and the loser score, such as 93:7.")]:
        """Put the score in words."""
        return show_odds(self.score)

    @property
    def is_sure(self) -> bool:
        """Whether the score lies beyond even by more than dice explain."""
        return self.score - 0.5 > CARE + SURE * self.error


@dataclass(frozen=True)
class UnfairPairs:
    """What stays unfair at some costs."""

    of_pairs: Annotated[int, Doc("How many pairs were looked at.")]
    share_of_strength: Annotated[
        float | None,
        Doc(
            "Which share of all squares of (score - 1/2) comes from who is strong, and not from who meets whom; null "
            "where squares are no larger than the dice explain."
        ),
    ]
    pairs: Annotated[tuple[UnfairPair, ...], Doc("Those that are surely off, the one first that looked farthest.")]
    cycle: Annotated[
        tuple[UnfairPair, ...],
        Doc("The strongest that is sure, as of rock, paper, scissors: A beats B, B C, and C A."),
    ]


def unfair_pairs(
    runner: Runner,
    setting: ArmySetting,
    members: Sequence[str],
    costs: FloatArray,
    seed: int = 0,
    *,
    unnamed: Collection[str] = (),
) -> UnfairPairs:
    """Return what stays unfair at some costs, `float64[m]`, each budget of the setting played about equally often.

    Members each play differently; those in `unnamed` are opponents of which nothing is said, such as those that the
    setting cannot measure.
    """
    sample = np.sort(stream(seed, KEY, 0, "members").permutation(len(members))[:MOST_MEMBERS])
    names = [members[at] for at in sample.tolist()]
    blocks = Blocks(setting, tuple(names), tuple(costs[sample].tolist()), seed, KEY, _play)
    if len(names) < 2:
        return UnfairPairs(0, None, (), ())
    halves, n_each = _first_look(runner, blocks)
    n_pairs, variance = halves.shape[1], float(np.mean((halves[0] - halves[1]) ** 2) / 4)
    square, error = float(np.mean((halves[0] - 0.5) * (halves[1] - 0.5))), 0.25 / n_each / n_pairs**0.5
    grid = smooth_scores(score_grid(halves.mean(axis=0), len(names)), variance)
    places = [at for at, name in enumerate(names) if name not in unnamed]
    pairs, cycles = farthest_pairs(grid, places, N_PAIRS), strongest_cycles(grid, places, N_CYCLES)
    edges = [[(a, b), (b, c), (c, a)] for a, b, c in cycles]
    again = _play_again(
        runner, blocks, [*pairs, *(pair for cycle in edges for pair in cycle)], n_pairs * max(square, error)
    )
    sure_cycles = (
        tuple(again[pair] for pair in cycle) for cycle in edges if all(again[pair].is_sure for pair in cycle)
    )
    return UnfairPairs(
        n_pairs,
        strength_share(halves, len(names)) if square > SURE * error else None,
        tuple(again[pair] for pair in pairs if again[pair].is_sure),
        next(sure_cycles, ()),
    )


def strength_share(halves: FloatArray, m: int) -> float:
    """Return which share of the squares of (score - 1/2) one strength per member explains, from 0 to 1.

    `halves` is `float64[2, m (m - 1) / 2]`: what the first of each pair scores, in halves on dice of their own. Ratings
    are fitted to each half, so that noise is in no product.

    >>> strength_share(np.array([[0.8, 0.2, 0.8], [0.8, 0.2, 0.8]]), 3)
    0.0
    >>> round(strength_share(np.array([[0.8, 0.8, 0.5], [0.8, 0.8, 0.5]]), 3), 2)
    1.0
    """
    pairs, weights = np.triu_indices(m, 1), 1.0 - np.eye(m)
    rests = [scores - fit_ratings(score_grid(scores, m), weights).predict()[pairs] for scores in halves]
    rest, square = np.mean(rests[0] * rests[1]), np.mean((halves[0] - 0.5) * (halves[1] - 0.5))
    return float(np.clip(1.0 - rest / square, 0.0, 1.0)) if square > 0 else 0.0


def _first_look(runner: Runner, blocks: Blocks) -> tuple[FloatArray, int]:
    """Return what the first of each pair scores in each half, `float64[2, r]`, and a pair's battles in each half."""
    first, second = np.triu_indices(len(blocks.members), 1)
    rounds = max(1, BLOCK // (2 * len(first)))
    n_blocks = max(1, BATTLES // (2 * len(first) * rounds))
    return _mean_scores(runner, blocks, first, second, rounds, n_blocks), rounds * n_blocks


def _play_again(
    runner: Runner, blocks: Blocks, pairs: Sequence[tuple[int, int]], squares: float
) -> dict[tuple[int, int], UnfairPair]:
    """Return each pair played on fresh dice; `squares` is the sum of (score - 1/2)^2 over all pairs."""
    if not pairs:
        return {}
    chosen = list(dict.fromkeys(pairs))
    first, second = np.array(chosen).T
    fresh = Blocks(blocks.setting, blocks.members, blocks.costs, blocks.seed, f"{KEY}/again", _play)
    scores, n = _mean_scores(runner, fresh, first, second, ROUNDS, 1).mean(axis=0), 2 * ROUNDS
    chances = (scores * n + 1) / (n + 2)  # where all are won, the error is not 0
    errors = np.sqrt(chances * (1 - chances) / n)
    shares = np.clip(((scores - 0.5) ** 2 - errors**2) / squares, 0.0, 1.0)
    numbers = zip(scores.tolist(), errors.tolist(), shares.tolist(), strict=True)
    names = blocks.members
    return {
        (a, b): UnfairPair(str(names[a]), str(names[b]), *told) for (a, b), told in zip(chosen, numbers, strict=True)
    }


def _mean_scores(
    runner: Runner, blocks: Blocks, first: IntArray, second: IntArray, rounds: int, n_blocks: int
) -> FloatArray:
    """Return what the first of each pair scores in each half, `float64[2, r]`, after so many rounds in each block."""
    beside = tuple(first.tolist()), tuple(second.tolist()), rounds
    paired = Blocks(blocks.setting, blocks.members, blocks.costs, blocks.seed, blocks.key, blocks.play, beside)
    return np.asarray(np.mean(play_blocks(runner, paired, n_blocks, TASK), axis=0))


def _play(blocks: Blocks, arena: Arena, number: int, rng: np.random.Generator) -> Playing[FloatArray]:
    """Play a block, `float64[2, r]`: rounds alternate seats and budgets, starting at random for each pair and half."""
    first, second, rounds = blocks.beside
    shape = (2, rounds, len(first))
    turn = np.arange(rounds)[:, None]
    seats = ((turn + rng.integers(0, 2, (2, 1, len(first)))) % 2).ravel() == 0
    points = np.array([points for points, _ in blocks.setting.budgets], np.float64)
    budgets = points[(turn // 2 + rng.integers(0, len(points), (2, 1, len(first)))) % len(points)].ravel()
    a, b = (np.broadcast_to(np.array(side), shape).ravel() for side in (first, second))
    limits = blocks.setting.limits(budgets, rng)
    sides = np.where(seats, a, b), np.where(seats, b, a)
    going_first, going_second = same_width([armies_around(blocks, arena, side, budgets, limits, rng) for side in sides])
    dice = blocks.rolls(number, "battles", len(a))
    score = yield from meet(arena, going_first, going_second, limits, dice)
    return np.asarray(np.where(seats, score, 1.0 - score).reshape(shape).mean(axis=1))


def smooth_scores(scores: FloatArray, variance: float) -> FloatArray:
    """Return a grid of scores with most of its noise gone, `float64[m, m]`, from 0 to 1.

    Scores are of the row against the column, a half on the diagonal; `variance` is that of each score from the dice.
    """
    m = len(scores)
    left, values, right = np.linalg.svd(scores - 0.5)
    smooth = 0.5 + (left * np.sqrt(np.maximum(values**2 - 4 * m * variance, 0.0))) @ right
    rest = scores - smooth
    square = float((rest**2).sum()) / (m * (m - 1))
    share = max(1.0 - variance / square, 0.0) if square > 0 else 0.0
    return np.asarray(np.clip(smooth + share * rest, 0.0, 1.0))


def farthest_pairs(scores: FloatArray, places: Collection[int], n: int) -> list[tuple[int, int]]:
    """Return at most n pairs (winner, loser), the one farthest from even first; of equal ones the first in the grid.

    Scores are `float64[m, m]` as for `smooth_scores`; only `places` may be in a pair. No two pairs have their winner or
    their loser in common: one that beats everybody is reported once.

    >>> grid = np.array([[0.5, 0.9, 0.8, 0.2], [0.1, 0.5, 0.6, 0.5], [0.2, 0.4, 0.5, 0.5], [0.8, 0.5, 0.5, 0.5]])
    >>> farthest_pairs(grid, range(4), 3)
    [(0, 1), (3, 0), (1, 2)]
    """
    allowed = np.array(sorted(places), np.int64)
    grid = scores[np.ix_(allowed, allowed)].round(9)
    pairs: list[tuple[int, int]] = []
    while len(pairs) < n and grid.size and grid.max() > 0.5:
        winner, loser = divmod(int(grid.argmax()), len(grid))
        pairs.append((int(allowed[winner]), int(allowed[loser])))
        grid[winner, :] = grid[:, loser] = 0.0
    return pairs


def strongest_cycles(scores: FloatArray, places: Collection[int], n: int) -> list[tuple[int, int, int]]:
    """Return at most n cycles (a, b, c) in which each beats the next and the last the first, the strongest first.

    No two of them have more than one member in common.

    >>> strongest_cycles(np.array([[0.5, 0.9, 0.1], [0.1, 0.5, 0.8], [0.9, 0.2, 0.5]]), range(3), 2)
    [(0, 1, 2)]
    """
    allowed = np.array(sorted(places), np.int64)
    grid = scores[np.ix_(allowed, allowed)].round(9)
    rows: list[tuple[float, tuple[int, int, int]]] = []
    for a in range(len(grid) - 2):
        weakest = np.minimum(np.minimum(grid[a, a + 1 :, None], grid[a + 1 :, a + 1 :]), grid[None, a + 1 :, a])
        order = np.argsort(-weakest, axis=None, kind="stable")[: n * len(grid)]
        for b, c in zip(*np.unravel_index(order, weakest.shape), strict=True):
            rows.append((float(weakest[b, c]), (a, a + 1 + int(b), a + 1 + int(c))))
    cycles: list[tuple[int, int, int]] = []
    for strength, cycle in sorted(rows, key=lambda row: -row[0]):
        if strength > 0.5 and len(cycles) < n and all(len({*cycle} & {*other}) < 2 for other in cycles):
            cycles.append(cycle)
    return [(int(allowed[a]), int(allowed[b]), int(allowed[c])) for a, b, c in cycles]
