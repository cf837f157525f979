"""What every member should cost by battles of random legal armies: full, under a budget and with no more than there is.

Where armies stand on a board, sixty of one kind are no army, so prices are not sought at equal points (see
`fair_costs`) but read off what members add to the chances of the armies that the rules allow. Two legal armies, drawn
for budgets of their own, meet twice on the same luck with the seats swapped, and `pair_fit` says what each member adds:
beta in log-odds. Armies that add as much have equal chances, so fair costs are proportional to beta. The factor is
free, since points are only compared with points: the typical member keeps its cost (see `typical`).

The *handicap* of a member is its fair cost less its printed one: the points that make up for it, below 0 where it costs
too much.

What is fitted is an approximation, that members add up, and that the same advantage says less the larger both armies
are: numbers of members count as shares of what both armies cost together, as log(A / B) is about 2 (A - B) / (A + B).
On boards that predicts battles better than plain numbers do, and where chances depend on the ratio of strengths it
finds fair costs that those miss. `calibration` tests the fit on battles that it has not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from balance.analysis.armies.batches import Battles
from balance.analysis.armies.battles import (
    ArmySetting,
    Blocks,
    Playing,
    costs_of,
    distinct_fighters,
    play_numbered_blocks,
    scores_of,
)
from balance.analysis.armies.legal_armies import drawn_armies
from balance.analysis.armies.random_armies import EMPTY, same_width
from balance.analysis.prices.entries import typical
from balance.analysis.prices.fits.pair_fit import CalibrationBin, PairFit, Pairs, calibration, fit_winners
from balance.base.arrays import FloatArray, IntArray
from balance.chance.rolls.streams import stream
from balance.engine.runner import Runner
from balance.game.armies.armies import Arena
from balance.game.armies.copies import Copies

BLOCK = 2048
"""Mirrored pairs drawn at a time."""
N_BATTLES = 65_536
PILOT = 8
"""Where a precision is asked for, this part of the battles is played before anybody looks."""
N_DRAWS = 2000
TASK = "battles of legal armies"


@dataclass(frozen=True)
class BattlePrices:
    """Fair costs of n entrants; the same facts as `FairCosts`, so that cards and verdicts follow alike.

    * `printed_costs`: `float64[n]`, in points.
    * `log_fair` and `covariance`: `float64[n]`, log of the fair cost, and `float64[n, n]` of it from the noise of
      simulation. What is worth less than its error counts as its error.
    * `fighters`: `int64[n]`: entrants with equal numbers play alike here.
    * `handicap` and `handicap_error`: `float64[n]`: fair less printed cost in points, and its standard error with that
      of the free factor.
    * `per_point`: log-odds that a point is worth, where both armies are of mean size.
    * `going_first` and `first_error`: log-odds of going first, and the standard error.
    * `bins`: the calibration out of sample, the least chance first.
    """

    entrants: tuple[str, ...]
    printed_costs: FloatArray
    log_fair: FloatArray
    covariance: FloatArray
    fighters: npt.NDArray[np.int64]
    handicap: FloatArray
    handicap_error: FloatArray
    per_point: float
    going_first: float
    first_error: float
    bins: tuple[CalibrationBin, ...]
    n_battles: int
    seed: int
    setting: ArmySetting

    @property
    def fair(self) -> FloatArray:
        """Fair costs in points, `float64[n]`; below 0 for members that do harm."""
        return self.printed_costs + self.handicap

    @property
    def errors(self) -> FloatArray:
        """Standard errors of `log_fair`, `float64[n]`."""
        return np.asarray(np.sqrt(self.covariance.diagonal()))

    @cached_property
    def worst(self) -> float:
        """The largest standard error of a handicap, as a share of the printed cost."""
        return float(np.max(self.handicap_error / self.printed_costs))


def battle_prices(
    runner: Runner,
    setting: ArmySetting,
    seed: int = 0,
    entrants: Sequence[str] | None = None,
    *,
    n_battles: int = N_BATTLES,
    precision: float | None = None,
) -> BattlePrices:
    """Return the fair costs of entrants, all of them by default, by battles of random legal armies.

    Budgets are drawn from the setting's first to its last; draws depend on what members are, not on names or order. At
    most `n_battles` are played, in whole blocks of mirrored pairs, and with `precision` only until every standard error
    is at most that share of the cost, those known least being drawn more often. Raise UsageError where there are too
    few battles.
    """
    names = tuple(runner.game.members_of(setting.kind) if entrants is None else entrants)
    facts = (names, setting, seed, n_battles, precision)
    return runner.once("battle prices", facts, partial(_fit_prices, runner, *facts))


def _fit_prices(
    runner: Runner,
    names: tuple[str, ...],
    setting: ArmySetting,
    seed: int,
    n_battles: int,
    precision: float | None,
) -> BattlePrices:
    printed_costs, columns = costs_of(runner.game, names), (runner.game.definition.kinds[setting.kind].winner,)
    fighters = distinct_fighters(runner.game, setting, names, printed_costs)
    costs, chances = fighters.costs, fighters.costs**-2.0
    max_blocks = max(1, -(-n_battles // (2 * BLOCK)))
    rows: list[_Rows] = []
    n_blocks = max_blocks if precision is None else max(1, max_blocks // PILOT)
    while True:
        key, beside = "analysis/battle_prices", (tuple(chances.tolist()),)
        members, at = fighters.members, tuple(costs.tolist())
        blocks = Blocks(setting, members, at, seed, key, _play, beside, 2 * BLOCK, columns)
        rows += play_numbered_blocks(runner, [(blocks, at) for at in range(len(rows), n_blocks)], TASK)
        pairs = _pairs(rows, costs)
        fit = fit_winners(pairs)
        if precision is None or n_blocks == max_blocks:
            break
        error = beside_printed(fit, costs, np.arange(len(costs))).error
        worst = float(np.max(error / costs)) / precision
        if worst <= 1:
            break
        chances = np.maximum((precision * costs) ** -2.0 - error**-2.0, 0.0)  # who is not known well enough yet
        n_blocks = min(max_blocks, n_blocks + max(2, int(np.ceil(n_blocks * min((worst**2 - 1) / 3, 1.0)))))
    return prices_of(names, printed_costs, fighters.of, fit, pairs, seed, setting)


# -- drawing and playing ----------------------------------------------------------------------------------------------

_Rows = tuple[IntArray, IntArray, FloatArray]
"""Armies X and Y, `int16[n, k]`; what X scores going first and second, `float64[2, n]`."""


def _play(blocks: Blocks, arena: Arena, number: int, rng: np.random.Generator) -> Playing[_Rows]:
    """Play both games of a block of pairs of legal armies on the same luck; return rows as `_Rows` has them."""
    costs, (column,), (chances,) = np.array(blocks.costs), blocks.columns, blocks.beside
    budgets, limits = blocks.setting.draw_budgets(BLOCK, rng)
    copies = arena.copies or Copies.of([[]] * len(costs))
    x, y = same_width([drawn_armies(budgets, limits, costs, copies, rng, np.array(chances)) for _ in range(2)])
    a, b = np.concatenate([x, y]), np.concatenate([y, x])
    dice = blocks.rolls(number, "battles", BLOCK, is_paired=True)
    results = yield Battles(arena, a, b, np.tile(limits, 2), dice)
    scores_first, scores_second = np.split(scores_of(results[column]), 2)
    return x.astype(np.int16), y.astype(np.int16), np.stack([scores_first, 1.0 - scores_second])


def _pairs(rows: Sequence[_Rows], costs: FloatArray) -> Pairs:
    """Return the pairs played, counts of members scaled by how large both armies are together."""
    armies_x, armies_y, scores = zip(*rows, strict=True)
    x, y = (np.concatenate([counts_of(block, len(costs)) for block in armies]) for armies in (armies_x, armies_y))
    first, second = np.concatenate(scores, axis=1)
    size = (x + y) @ costs
    return Pairs((x - y) * (size.mean() / size)[:, None], first, second)


def counts_of(armies: IntArray, m: int) -> IntArray:
    """Return how many of each of m members are in each army, `int16[n, m]`, from `int[n, w]`, -1 for nobody."""
    cells = np.arange(len(armies))[:, None] * (m + 1) + np.where(armies == EMPTY, m, armies)
    return np.bincount(cells.ravel(), minlength=len(armies) * (m + 1)).reshape(-1, m + 1)[:, :m].astype(np.int16)


# -- prices -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Beside:
    """Fair costs in points and their standard errors, `float64[n]` each, and what a point is worth in log-odds."""

    fair: FloatArray
    error: FloatArray
    per_point: float


def beside_printed(fit: PairFit, printed_costs: FloatArray, of: IntArray) -> Beside:
    """Return fair costs at which the typical entrant keeps its cost, with the error of that factor in theirs.

    `printed_costs` is `float64[n]`; `of`, `int64[n]`, is the fighter of each entrant.
    """
    pairs = np.column_stack([of, printed_costs])
    _, once, copies = np.unique(pairs, axis=0, return_index=True, return_counts=True)

    def factors(beta: FloatArray) -> FloatArray:
        floor = np.maximum(beta[:, of[once]], 1e-6 * np.abs(beta).max())
        return np.exp(typical(np.log(floor / printed_costs[once]), copies))

    per_point = float(factors(fit.beta[None, :])[0])
    values, vectors = np.linalg.eigh(fit.covariance)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    normal = stream(0, "analysis/battle_prices", 0, "noise").standard_normal((N_DRAWS, len(values)))
    draws = fit.beta + normal @ root
    fair = (draws / factors(draws)[:, None])[:, of]
    return Beside((fit.beta / per_point)[of], fair.std(axis=0, ddof=1), per_point)


def prices_of(
    names: tuple[str, ...],
    printed_costs: FloatArray,
    of: IntArray,
    fit: PairFit,
    pairs: Pairs,
    seed: int,
    setting: ArmySetting,
) -> BattlePrices:
    """Return the prices that follow from a fit to pairs of battles.

    `printed_costs` is `float64[n]`, in points; `of`, `int64[n]`, is the fighter of each entrant.
    """
    anchored_costs = beside_printed(fit, printed_costs, of)
    beta = np.maximum(fit.beta, fit.errors)
    log_fair, log_covariance = np.log(beta / anchored_costs.per_point), fit.covariance / np.outer(beta, beta)
    return BattlePrices(
        names, printed_costs, log_fair[of], log_covariance[np.ix_(of, of)], np.asarray(of, np.int64),
        anchored_costs.fair - printed_costs, anchored_costs.error, anchored_costs.per_point, fit.going_first,
        fit.first_error, calibration(pairs, near=fit), 2 * len(pairs), seed, setting,
    )  # fmt: skip
