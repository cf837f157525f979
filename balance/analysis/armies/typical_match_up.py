"""How far a typical match-up lies from even: two armies of one member each, at equal points, drawn at random.

Fair costs make every member score one half against the field *on average*. What they cannot mend is that one beats
another which beats a third. A match-up is played four times, twice from either seat, on dice of its own each time: the
product of what both halves score beyond one half has (score - 1/2)^2 as its mean, so that dice add nothing:

    off^2 = mean over match-ups of (s1 - 1/2)(s2 - 1/2)

A typical match-up is then 50 + 100 off : 50 - 100 off, the root mean square. Nothing that was fitted is used. Where two
members and a budget can meet in fewer ways than are played, each of these is played as often as any other, and a half
is the mean of its rounds: the fewer there are, the less dice leave open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from typing_extensions import Doc

from balance.analysis.armies.battles import ArmySetting, Blocks, play_armies, play_blocks
from balance.analysis.armies.random_armies import alike_armies
from balance.base.answers import BEHIND
from balance.base.arrays import FloatArray, IntArray
from balance.base.numbers import show_odds
from balance.engine.runner import Runner
from balance.game.armies.armies import Arena

BLOCK = 2048
"""Match-ups drawn and played at a time, four battles each."""
HALVES = 2
"""Of a match-up, on armies and dice of their own."""
N_MATCH_UPS = 2048
TASK = "typical match-ups"


@dataclass(frozen=True)
class TypicalMatchUp:
    """How far a typical match-up at equal points lies from one half."""

    off: Annotated[float, Doc("The root mean square of score - 1/2.")]
    error: Annotated[float, Doc("Its standard error; near 0 that of a square no larger than its own error.")]
    match_ups: Annotated[int, Doc("How many were played.")]
    odds: Annotated[str, Doc("The same in words.")]
    square: float = field(repr=False, metadata=BEHIND)
    square_error: float = field(repr=False, metadata=BEHIND)

    @classmethod
    def of(cls, square: float, square_error: float, match_ups: int) -> TypicalMatchUp:
        """Return it from the mean of (score - 1/2)^2, below 0 by chance where all are even, and its standard error.

        >>> TypicalMatchUp.of(0.0625, 0.001, 2048)
        TypicalMatchUp(off=0.25, error=0.002, match_ups=2048, odds='75:25')
        """
        off = float(np.sqrt(max(square, 0.0)))
        error = square_error / (2 * max(off, float(np.sqrt(square_error)), 1e-9))
        return cls(off, error, match_ups, show_odds(0.5 + min(off, 0.5)), square, square_error)


def typical_match_up(
    runner: Runner,
    setting: ArmySetting,
    members: Sequence[str],
    costs: FloatArray,
    seed: int = 0,
    n_match_ups: int = N_MATCH_UPS,
) -> TypicalMatchUp:
    """Return how far the score of a typical match-up of armies of one member each lies from one half.

    Members each play differently; `costs` is `float64[m]`, in points; each budget is played equally often. With the
    same seed, other costs are played in the same match-ups. At least `n_match_ups` are played, in whole blocks.
    """
    if len(members) < 2:
        return TypicalMatchUp.of(0.0, 0.0, 0)
    blocks = Blocks(setting, tuple(members), tuple(costs.tolist()), seed, "analysis/typical_match_up", _play)
    halves = np.stack(play_blocks(runner, blocks, max(1, -(-n_match_ups // BLOCK)), TASK))
    if rounds := _rounds(blocks):
        return _of_all(halves.mean(axis=0), len(halves) * rounds * halves.shape[-1])
    products = np.prod(halves - 0.5, axis=1).ravel()
    n = len(products)
    return TypicalMatchUp.of(float(products.mean()), float(products.std(ddof=1) / n**0.5), n)


def _rounds(blocks: Blocks) -> int:
    """Return how often a block plays each pair of members at each budget; 0 where there are more than it holds."""
    m = len(blocks.members)
    n_ways = m * (m - 1) // 2 * len(blocks.setting.budgets)
    return -(-BLOCK // n_ways) if n_ways <= BLOCK else 0


def _of_all(halves: FloatArray, n_match_ups: int) -> TypicalMatchUp:
    """Return the result from both halves of all n possible match-ups, `float64[2, n]`; only dice add to its error."""
    square = float(np.prod(halves - 0.5, axis=0).mean())
    variance = float(np.mean((halves[0] - halves[1]) ** 2) / 2)
    error = np.sqrt((variance**2 + 2 * max(square, 0.0) * variance) / halves.shape[1])
    return TypicalMatchUp.of(square, float(error), n_match_ups)


def _play(blocks: Blocks, arena: Arena, number: int, rng: np.random.Generator) -> FloatArray:
    """Play a block of match-ups and return what the first scores in both halves of each, `float64[2, n]`."""
    m, points = len(blocks.members), np.array([points for points, _ in blocks.setting.budgets], np.float64)
    if rounds := _rounds(blocks):
        first, second = (np.tile(np.repeat(side, len(points)), rounds) for side in np.triu_indices(m, 1))
    else:
        first = rng.integers(0, m, BLOCK)
        second = (first + 1 + rng.integers(0, m - 1, BLOCK)) % m
    budgets = np.resize(points, len(first))
    limits = blocks.setting.limits(budgets, rng)
    scores = _both_halves(blocks, arena, number, rng, (first, second), budgets, limits)
    return np.asarray(scores.reshape(HALVES, max(rounds, 1), -1).mean(axis=1))


def _both_halves(
    blocks: Blocks,
    arena: Arena,
    number: int,
    rng: np.random.Generator,
    members: tuple[IntArray, IntArray],
    budgets: FloatArray,
    limits: IntArray,
) -> FloatArray:
    """Return what the first member of each match-up scores over both seats, `float64[2, n]`, on armies of each half.

    All four battles of a match-up are played together, since the many small steps of few battles take longest.
    """
    costs, twice = np.array(blocks.costs), (HALVES, 1)
    a, b = (
        alike_armies(np.tile(np.stack(members), twice).ravel(), np.tile(budgets, 2 * HALVES), costs, rng)
        .reshape(HALVES, 2, len(budgets), -1)
        .swapaxes(0, 1)
    )
    going_first, going_second = (np.stack(sides, axis=1).reshape(-1, a.shape[-1]) for sides in ((a, b), (b, a)))
    rolls = blocks.rolls(number, "battles", len(going_first))
    scores = play_armies(arena, going_first, going_second, np.tile(limits, 2 * HALVES), rolls)
    first, second = scores.reshape(HALVES, 2, -1).swapaxes(0, 1)
    return np.asarray((first + 1.0 - second) / 2)
