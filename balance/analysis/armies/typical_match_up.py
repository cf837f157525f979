"""How far a typical match-up lies from even: two armies built around one member each, at equal points, drawn at random.

Fair costs make every member score one half against the field *on average*. What they cannot mend is that one beats
another which beats a third. Each match-up is played in `BLOCKS` blocks, from both seats, on armies and dice of each
block's own: the product of what two different blocks score beyond one half has (score - 1/2)^2 as its mean, so that
dice add nothing:

    off^2 = mean over match-ups, and over pairs of different blocks, of (s1 - 1/2)(s2 - 1/2)

A typical match-up is then 50 + 100 off : 50 - 100 off, the root mean square. Nothing that was fitted is used. The same
match-ups and streams are played at other costs, so that what a change of costs does is known by differences, with the
standard error of a jackknife over blocks.

Where armies are drawn freely they are of one member each. Where rules limit units and copies, armies of one kind cannot
spend the same points: there half of an army is the member, as far as it is legal, and chance fills up the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

import numpy as np

from balance.analysis.armies.battles import ArmySetting, Blocks, Playing, meet, play_numbered_blocks
from balance.analysis.armies.legal_armies import legal_armies
from balance.analysis.armies.random_armies import EMPTY, alike_armies, same_width
from balance.base.answers import BEHIND, Doc
from balance.base.arrays import FloatArray, IntArray
from balance.base.numbers import show_odds
from balance.engine.runner import Runner
from balance.game.armies.armies import Arena
from balance.game.armies.copies import Copies

BLOCKS = 20
N_MATCH_UPS, N_LEGAL = 256, 128
"""Match-ups at least, of armies drawn freely and of legal ones; of fewer that are possible, each is played several
times in a block."""
KEY, TASK = "analysis/typical_match_up", "typical match-ups"


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


@dataclass(frozen=True)
class MatchUps:
    """Match-ups as they were played: `scores` less one half of the first of each, `float64[blocks, n]`."""

    scores: FloatArray

    @property
    def typical(self) -> TypicalMatchUp:
        """How far a typical one of them lies from even."""
        squares = self.squares()
        return TypicalMatchUp.of(float(self._mean_square(self.scores)), _jackknife_error(squares), self.n_battles)

    @property
    def n_battles(self) -> int:
        """Battles that were played, two for each match-up and block."""
        return 2 * self.scores.size

    def squares(self) -> FloatArray:
        """Return the mean of (score - 1/2)^2 without each block, `float64[blocks]`."""
        return np.array([self._mean_square(np.delete(self.scores, at, axis=0)) for at in range(len(self.scores))])

    @staticmethod
    def _mean_square(scores: FloatArray) -> float:
        n = len(scores)
        return float(np.mean((scores.sum(axis=0) ** 2 - (scores**2).sum(axis=0)) / (n * (n - 1))))

    def gain_over(self, before: MatchUps) -> tuple[float, float]:
        """Return by how much the mean of (score - 1/2)^2 is less than in the same match-ups before, and its error."""
        gains = before.squares() - self.squares()
        return self._mean_square(before.scores) - self._mean_square(self.scores), _jackknife_error(gains)


def _jackknife_error(values: FloatArray) -> float:
    """Return the standard error by the jackknife, from the statistic without each block."""
    n = len(values)
    return float(np.sqrt((n - 1) / n * np.sum((values - values.mean()) ** 2)))


def typical_match_up(
    runner: Runner, setting: ArmySetting, members: Sequence[str], costs: FloatArray, seed: int = 0
) -> TypicalMatchUp:
    """Return how far the score of a typical match-up of armies built around one member each lies from one half.

    Members each play differently; `costs` is `float64[m]`, in points; each budget is played about equally often.
    """
    if len(members) < 2:
        return TypicalMatchUp.of(0.0, 0.0, 0)
    return play_match_ups(runner, setting, members, costs, seed).typical


Field: TypeAlias = tuple[ArmySetting, Sequence[str], FloatArray]
"""Where members meet, and what each costs in points."""


def play_match_ups(
    runner: Runner, setting: ArmySetting, members: Sequence[str], costs: FloatArray, seed: int = 0, key: str = KEY
) -> MatchUps:
    """Return match-ups of at least two members, played in blocks; another `key` gives other armies, dice and pairs.

    With the same seed and key, other costs are played in the same match-ups.
    """
    return play_fields(runner, [(setting, members, costs)], seed, key)[0]


def play_fields(runner: Runner, fields: Sequence[Field], seed: int = 0, key: str = KEY) -> list[MatchUps]:
    """Return the match-ups of each field, as `play_match_ups` does, all played together."""
    tasks = [
        (
            Blocks(setting, tuple(members), tuple(costs.tolist()), seed, key, _play, (), 2 * _n_match_ups(setting)),
            number,
        )
        for setting, members, costs in fields
        for number in range(BLOCKS)
    ]
    scores = play_numbered_blocks(runner, tasks, TASK)
    return [MatchUps(np.stack(scores[at : at + BLOCKS])) for at in range(0, len(scores), BLOCKS)]


def _match_ups(blocks: Blocks) -> tuple[IntArray, IntArray, IntArray]:
    """Return (first, second, place of the budget) of each match-up, the same in all blocks, `int64[n]`."""
    m, n_budgets = len(blocks.members), len(blocks.setting.budgets)
    first, second = np.triu_indices(m, 1)
    every, most = np.arange(len(first) * n_budgets), _n_match_ups(blocks.setting)
    if len(every) > most:
        every = np.sort(np.random.default_rng(blocks.seed).choice(every, most, replace=False))
    pair, budget = np.divmod(every, n_budgets)
    return first[pair], second[pair], budget


def _n_match_ups(setting: ArmySetting) -> int:
    return N_LEGAL if setting.is_legal else N_MATCH_UPS


def _play(blocks: Blocks, arena: Arena, number: int, rng: np.random.Generator) -> Playing[FloatArray]:
    """Play a block of all match-ups and return what the first scores beyond one half over both seats, `float64[n]`."""
    first, second, budget = _match_ups(blocks)
    rounds = max(1, _n_match_ups(blocks.setting) // len(first))
    pair = np.tile(np.stack([first, second]), rounds)
    points = np.array([points for points, _ in blocks.setting.budgets], np.float64)[np.tile(budget, rounds)]
    limits = blocks.setting.limits(points, rng)
    own, other = same_width([armies_around(blocks, arena, side, points, limits, rng) for side in pair])
    a, b = np.concatenate([own, other]), np.concatenate([other, own])
    scores = yield from meet(arena, a, b, np.tile(limits, 2), blocks.rolls(number, "battles", len(a)))
    going_first, going_second = np.split(scores, 2)
    return np.asarray(((going_first + 1 - going_second) / 2 - 0.5).reshape(rounds, -1).mean(axis=0))


def armies_around(
    blocks: Blocks, arena: Arena, members: IntArray, budgets: FloatArray, limits: IntArray, rng: np.random.Generator
) -> IntArray:
    """Return an army built around each member, `int16[n, k]`, from places of members and budgets in points, `[n]`."""
    costs = np.array(blocks.costs)
    if not blocks.setting.is_legal:
        return alike_armies(members, budgets, costs, rng)
    copies = arena.copies or Copies.of([[]] * len(costs))
    uses, most = copies.per_unit[members], np.minimum(limits // 2, budgets // costs[members])
    room = np.where(uses > 0, copies.available // np.maximum(uses, 1), np.iinfo(np.int16).max)
    most = np.maximum(np.minimum(most, room.min(axis=1, initial=np.iinfo(np.int16).max)), 1)
    place = np.arange(int(limits.max(initial=1)))
    own = np.where(place < most[:, None], members[:, None], EMPTY).astype(np.int16)
    return legal_armies(budgets, limits, costs, copies.per_unit, copies.available, rng, own)
