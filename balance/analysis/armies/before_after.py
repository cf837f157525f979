"""What a change does to the scores of armies of equal points: the same draws and dice before and after it.

Armies are of one member each and meet those of every other member at each budget of a setting, from either seat, as in
`balance.analysis.armies.equal_points`. Members that play and cost alike on both sides are one *fighter*, in an order
that neither names nor rows decide. A match-up of two whom the change does not touch is played once and stays as it is;
all others are played on both sides with one stream of draws and one of dice, so that most luck cancels.

A mean score is over all others in the field, a copy counting 1/2. It is linear in the scores of match-ups, so its
change and the error of that follow from those of the match-ups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.analysis.armies.battles import ArmySetting, Blocks, Playing, costs_of, play_blocks
from balance.analysis.armies.equal_points import SEATS, from_seat
from balance.analysis.armies.random_armies import alike_armies
from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.engine.runner import Runner
from balance.game.armies.armies import Arena
from balance.game.loaded import LoadedGame

BATTLES = 8_000
"""Battles on each side and at each budget of the match-ups that are touched, and of the others, about."""
FEWEST_PAIRS, MOST_PAIRS = 2, 1024
"""Pairs of battles of a match-up at one budget, from either seat once each."""
ROWS = 4096
"""Pairs of battles in a block."""
TASK = "armies of equal points"


@dataclass(frozen=True)
class ScoreChanges:
    """Mean scores of k sets of entrants before and after a change, `float64[k]` each.

    `difference` and `errors`: after less before, and its standard error; 0 where the change touches no match-up of the
    set.
    """

    before: FloatArray
    after: FloatArray
    difference: FloatArray
    errors: FloatArray


@dataclass(frozen=True)
class MatchUps:
    """The match-ups of f fighters at equal points, before and after a change.

    * `fighter_of`: `int64[n]`: the fighter that each entrant is.
    * `first` and `second`: `int64[r]`: the fighters of each match-up.
    * `scores` and `variances`: `float64[2, r]`: what the first scores before and after, and the variance of that from
      dice.
    * `differences` and `difference_variances`: `float64[r]`: after less before on the same dice, averaged over pairs of
      battles, and the variance of that mean.
    * `n_pairs`: `int64[r]`: pairs of battles on each side; 0 for a match-up that the change does not touch.
    """

    fighter_of: IntArray
    first: IntArray
    second: IntArray
    scores: FloatArray
    variances: FloatArray
    differences: FloatArray
    difference_variances: FloatArray
    n_pairs: IntArray

    @property
    def copies(self) -> IntArray:
        """How many entrants each fighter is, `int64[f]`."""
        return np.bincount(self.fighter_of)

    def off(self) -> tuple[FloatArray, FloatArray]:
        """Return the root mean square of score - 1/2 before and after, and its standard errors, `float64[2]` each.

        It is taken over all pairs of entrants, without the variance that dice add; two copies of a fighter are even.
        """
        n = len(self.fighter_of)
        share = self.copies[self.first] * self.copies[self.second] / (n * (n - 1) / 2)
        distance = self.scores - 0.5
        off = np.sqrt(np.maximum(((distance**2 - self.variances) * share).sum(axis=1), 0.0))
        errors = np.sqrt((4 * distance**2 * self.variances * share**2).sum(axis=1))  # of the square
        return off, np.minimum(errors / (2 * np.maximum(off, 1e-9)), np.sqrt(errors))

    def mean_scores(self, members: BoolArray) -> ScoreChanges:
        """Return the mean scores of k sets of entrants, `bool[k, n]`, such as all that contain a card."""
        n, f = len(self.fighter_of), len(self.copies)
        in_set = np.zeros((len(members), f))
        np.add.at(in_set.T, self.fighter_of, members.T / members.sum(axis=1))
        weights = in_set[:, self.first] * self.copies[self.second] / (n - 1)
        mirrored = in_set[:, self.second] * self.copies[self.first] / (n - 1)
        even = in_set @ ((self.copies - 1) / (n - 1)) / 2
        net = weights - mirrored
        before, after = (net @ scores + mirrored.sum(axis=1) + even for scores in self.scores)
        return ScoreChanges(before, after, net @ self.differences, self._errors(net))

    def _errors(self, net: FloatArray) -> FloatArray:
        """Return the standard errors of changes, with the floor that one more pair of battles would leave."""
        touched = (net != 0) & (self.n_pairs > 0)
        floor = 0.5 * np.abs(net * touched).sum(axis=1) / np.maximum((touched * self.n_pairs).sum(axis=1), 1)
        return np.asarray(np.maximum(np.sqrt(net**2 @ self.difference_variances), floor))


def play_match_ups(
    before: Runner,
    after: Runner,
    setting: ArmySetting,
    entrants: Sequence[str],
    seed: int,
    *,
    touches_all: bool = False,
    n_battles: int = BATTLES,
) -> MatchUps:
    """Play armies of equal points of each entrant against those of each other, before and after a change.

    There are `n_battles` at each of the budgets, about, for the match-ups that are touched (on either side) and for the
    others; `touches_all` says that the change concerns everybody, whatever their own cards and costs are. At least two
    entrants are needed, which exist on both sides.
    """
    members, fighter_of, costs, is_touched = _fighters((before.game, after.game), setting, entrants)
    first, second = np.triu_indices(len(members), 1)
    touched = is_touched[first] | is_touched[second] | touches_all
    shape = (2, len(first))
    scores, variances, n_pairs = np.zeros(shape), np.zeros(shape), np.zeros(len(first), np.int64)
    differences, difference_variances = np.zeros(len(first)), np.zeros(len(first))
    for group, runners in ((touched, (before, after)), (~touched, (before,))):
        if not group.any():
            continue
        n = int(np.clip(round(n_battles / 2 / group.sum()), FEWEST_PAIRS, MOST_PAIRS))
        match_ups = (tuple(first[group].tolist()), tuple(second[group].tolist()))
        sides = [
            _play_at_budgets(runner, setting, members, side_costs, match_ups, n, seed)
            for runner, side_costs in zip(runners, costs, strict=False)
        ]
        for side, pairs in enumerate((sides * 2)[:2]):
            scores[side, group], variances[side, group] = _mean_of(pairs)
        if len(sides) == 2:
            differences[group], difference_variances[group] = _mean_of(sides[1] - sides[0])
            n_pairs[group] = n * len(setting.budgets)
    return MatchUps(fighter_of, first, second, scores, variances, differences, difference_variances, n_pairs)


def _fighters(
    games: Sequence[LoadedGame], setting: ArmySetting, entrants: Sequence[str]
) -> tuple[tuple[str, ...], IntArray, FloatArray, BoolArray]:
    """Return an entrant for each of f fighters, each entrant's fighter, costs `float64[2, f]`, and who is changed."""
    marks = [game.arena(setting.kind, entrants, setting.changes, **dict(setting.choices)).marks for game in games]
    costs = np.stack([costs_of(game, entrants) for game in games])
    keys = np.array([repr(key) for key in zip(*marks, *costs.tolist(), strict=True)])
    _, places, fighter_of = np.unique(keys, return_index=True, return_inverse=True)
    is_changed = np.array([old != new for old, new in zip(*marks, strict=True)]) | (costs[0] != costs[1])
    return tuple(entrants[at] for at in places.tolist()), fighter_of, costs[:, places], is_changed[places]


def _play_at_budgets(
    runner: Runner,
    setting: ArmySetting,
    members: tuple[str, ...],
    costs: FloatArray,
    match_ups: tuple[tuple[int, ...], tuple[int, ...]],
    n_pairs: int,
    seed: int,
) -> FloatArray:
    """Return what the first scores in each pair of battles, `float64[budgets, n_pairs, r]`."""
    of_each = min(max(1, ROWS // len(match_ups[0])), n_pairs)
    n_blocks = -(-n_pairs // of_each)
    at_budgets = []
    for at in setting.each_budget:
        key = f"analysis/before_after/{at.budgets[0][0]:g}"
        blocks = Blocks(at, members, tuple(costs.tolist()), seed, key, _play, (*match_ups, of_each))
        at_budgets.append(np.concatenate(play_blocks(runner, blocks, n_blocks, TASK))[:n_pairs])
    return np.stack(at_budgets)


def _play(blocks: Blocks, arena: Arena, number: int, rng: np.random.Generator) -> Playing[FloatArray]:
    """Play every match-up from either seat; return the first's mean score over both seats, `float64[of_each, r]`."""
    of_each = blocks.beside[2]
    first, second = (np.tile(fighters, of_each) for fighters in blocks.beside[:2])
    costs, budgets = np.array(blocks.costs), np.full(len(first), blocks.setting.budgets[0][0], np.float64)
    score = np.zeros(len(first))
    for seat in SEATS:
        limits = blocks.setting.limits(budgets, rng)
        a, b = alike_armies(first, budgets, costs, rng), alike_armies(second, budgets, costs, rng)
        rolls = blocks.rolls(number, seat, len(first), is_paired=True)
        score += yield from from_seat(arena, a, b, limits, rolls, seat)
    return score.reshape(of_each, -1) / 2


def _mean_of(pairs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean of `float64[budgets, n_pairs, r]` over budgets and pairs, and its variance, `float64[r]` each."""
    n_budgets, n, _ = pairs.shape
    return pairs.mean(axis=(0, 1)), pairs.var(axis=1, ddof=1).sum(axis=0) / n / n_budgets**2
