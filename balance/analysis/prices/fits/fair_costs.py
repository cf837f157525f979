"""What every member of an army should cost: armies of equal points then score one half, whatever they are made of.

Random armies of equal points meet (see `armies`), half of them alike and half mixed, at each of the budgets as often.
Costs are *fair* when the share of its points that an army spends on a member does not go with winning:

    E[(y - 1/2) * (share of l in army a - share of l in army b)] = 0    for every member l,

with y what army a scores. For armies of one member each this says that every member scores one half against the field.
Nothing else is assumed: the equations hold or they do not, whatever model helps to solve them.

They are solved step by step (Robbins and Monro 1951). In each round armies are drawn at the costs so far, and

    y - 1/2 = sum of x_l beta_l  +  sum of (share_l delta)_l kappa_l  +  first mover

is fitted by least squares, with x the difference of the shares and delta the log by which an army's points missed the
budget drawn: budgets are made unequal on purpose. `kappa_l` is therefore what a budget larger by 1 in the log is worth
to an army of l, measured and not assumed. It differs between armies alike and mixed ones, and is fitted for each: a
cost that grows takes `kappa_l` from what every army scores, as far as its points are spent on l, so both say how `beta`
will respond. The step in the logs of costs is the one after which every `beta_l` is 0 (Newton), and as the response is
known, errors of one round are gone after the next. The errors follow from the same fit (an M-estimator). Rounds are
combined, each weighted by its precision, in which a step counts as an error as far as the response is not linear.

Costs have a free factor, since points are only compared with points: the typical member keeps its cost, by the median
of log(fair / printed). Members that play alike (`Arena.marks`) are one fighter with one fair cost, and count once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from balance.analysis.armies.battles import (
    ArmySetting,
    Blocks,
    Playing,
    costs_of,
    distinct_fighters,
    meet,
    play_blocks,
)
from balance.analysis.armies.random_armies import alike_armies, mixed_armies, points_of, same_width, shares_of
from balance.analysis.prices.entries import typical
from balance.base.arrays import FloatArray, IntArray
from balance.engine.runner import Runner
from balance.game.armies.armies import Arena

BLOCK = 16_384
"""Battles drawn and played at a time."""
SPREAD = 0.35
"""Largest log of a budget over the one named, either way: wide enough to measure what a budget is worth."""
LARGEST_STEP = 0.7
CLOSE, NEAR = 0.1, 0.3
"""Largest step in the log of a cost, and the step below which a round was the last: what is not straight in the answer
is then below a few thousandths. Only rounds of steps below `NEAR` are combined, and after one the next is in full."""
MOST_ROUNDS = 10
N_BATTLES, FEW_MEMBERS, TOTAL_BATTLES = 300, 24, 65_536
"""Battles of the last round for each member by default; up to so many members share so many instead, as each can then
be known to about a hundredth in seconds."""
STEP_ERROR = 0.25
"""Standard error of what a large step in the log of a cost misses, as a share of it; a step of `CLOSE` misses half as
large a share, since what is not straight grows with the square."""
KAPPA_SPREAD = 0.4
"""How much the worth of a budget is thought to differ between members, as a share of it: a weak prior."""


@dataclass(frozen=True)
class FairCosts:
    """Fair costs of n entrants.

    * `printed_costs`: `float64[n]`, in points.
    * `log_fair`: `float64[n]`: log of the fair cost.
    * `covariance`: `float64[n, n]` of `log_fair`, from the noise of simulation.
    * `fighters`: `int64[n]`: entrants with equal numbers play alike here.
    * `kappa`: `float64[n]`: what a budget larger by 1 in the log adds to the score of an army of each alone.
    * `n_battles`: battles of all rounds.
    """

    entrants: tuple[str, ...]
    printed_costs: FloatArray
    log_fair: FloatArray
    covariance: FloatArray
    fighters: npt.NDArray[np.int64]
    kappa: FloatArray
    n_battles: int
    seed: int
    setting: ArmySetting

    @property
    def fair(self) -> FloatArray:
        """Fair costs in points, `float64[n]`."""
        return np.asarray(np.exp(self.log_fair))

    @property
    def errors(self) -> FloatArray:
        """Standard errors of `log_fair`, `float64[n]`."""
        return np.asarray(np.sqrt(self.covariance.diagonal()))


def fair_costs(
    runner: Runner,
    setting: ArmySetting,
    seed: int = 0,
    entrants: Sequence[str] | None = None,
    *,
    n_battles: int | None = None,
    mixed: float = 0.5,
    start: FairCosts | None = None,
    early: Callable[[FairCosts], None] | None = None,
) -> FairCosts:
    """Return the fair costs of entrants, all of them by default, where armies of them meet.

    The search begins at the printed costs, or at `start`, fair costs in another setting; what the seed draws depends on
    what members are, not on names or order. `n_battles` are those of the last round for each member that plays
    differently, by default `usual_battles`; `mixed` is the share of battles between mixed armies, the others being of
    one member each. `early`, which changes nothing, is called after each round with the estimate so far, its errors
    grown by what the last step may have missed; it is not called where the result is cached.
    """
    names = tuple(runner.game.members_of(setting.kind) if entrants is None else entrants)
    first_costs = None if start is None else tuple(start.fair.tolist())
    facts = (names, setting, seed, n_battles, mixed, first_costs)
    return runner.once("fair costs", facts, partial(_solve, runner, *facts, early))


def usual_battles(n: int) -> int:
    """Return the default number of battles of each of n members in the last round.

    >>> usual_battles(8), usual_battles(89)
    (8192, 300)
    """
    return TOTAL_BATTLES // n if n <= FEW_MEMBERS else N_BATTLES


def _solve(
    runner: Runner,
    names: tuple[str, ...],
    setting: ArmySetting,
    seed: int,
    n_battles: int | None,
    mixed: float,
    first_costs: tuple[float, ...] | None,
    early: Callable[[FairCosts], None] | None,
) -> FairCosts:
    printed_costs = costs_of(runner.game, names)
    fighters = distinct_fighters(runner.game, setting, names, printed_costs)
    of = fighters.of

    def facts(estimate: _Estimate) -> FairCosts:
        log_fair = estimate.log_fair[of]
        anchor = _middle(log_fair, np.log(printed_costs), of)
        return FairCosts(
            names, printed_costs, log_fair - anchor, estimate.covariance[np.ix_(of, of)], of, estimate.kappa[of],
            estimate.n_battles, seed, setting,
        )  # fmt: skip

    costs = fighters.costs
    if first_costs is not None:
        costs = np.exp(np.bincount(of, np.log(first_costs)) / np.bincount(of))
    n_each = n_battles or usual_battles(len(fighters.members))
    search = _FairCostSearch(runner, setting, seed, fighters.members, fighters.costs, n_each, mixed)
    return facts(search.solve(costs, None if early is None else lambda so_far: early(facts(so_far))))


def _middle(log_fair: FloatArray, log_printed: FloatArray, fighters: IntArray) -> float:
    """Return the typical value of log(fair / printed), where entrants alike in both count once."""
    pairs = np.column_stack([fighters, log_printed])
    _, distinct, copies = np.unique(pairs, axis=0, return_index=True, return_counts=True)
    return float(typical((log_fair - log_printed)[None, distinct], copies)[0])


@dataclass(frozen=True)
class _Sums:
    """Sums over battles of one shape: the Gram matrix of regressors, their products with the score less one half."""

    products: FloatArray
    scores: FloatArray
    squares: float
    n_battles: int

    @classmethod
    def zero(cls, m: int) -> _Sums:
        """Return the sums over no battles for m members, with 2 m + 1 regressors."""
        return cls(np.zeros((2 * m + 1, 2 * m + 1)), np.zeros(2 * m + 1), 0.0, 0)

    def __add__(self, addend: _Sums) -> _Sums:
        return _Sums(
            self.products + addend.products,
            self.scores + addend.scores,
            self.squares + addend.squares,
            self.n_battles + addend.n_battles,
        )

    def among(self, columns: FloatArray) -> _Sums:
        """Return the sums for linear combinations of the regressors, as `columns` say."""
        return replace(self, products=columns.T @ self.products @ columns, scores=columns.T @ self.scores)

    def noise(self, values: FloatArray) -> float:
        """Return the mean squared residual of a fit."""
        return float(self.squares + values @ (self.products @ values - 2 * self.scores)) / self.n_battles


@dataclass(frozen=True)
class _Round:
    """The estimates of a round for m members: the step in the log of each cost, its covariance, and `kappa`."""

    step: FloatArray
    covariance: FloatArray
    kappa: FloatArray
    n_battles: int

    @property
    def errors(self) -> FloatArray:
        """Standard errors of the step in the logs of costs, `float64[m]`."""
        return np.asarray(np.sqrt(self.covariance.diagonal()))


@dataclass(frozen=True)
class _Estimate:
    """Log fair costs of m members up to a common term, `float64[m]`, their covariance, and `kappa`."""

    log_fair: FloatArray
    covariance: FloatArray
    kappa: FloatArray
    n_battles: int

    @classmethod
    def after(cls, costs: FloatArray, latest: _Round) -> _Estimate:
        """Return the estimate from a round at these costs; the nonlinear part of a step counts as an error."""
        size = np.abs(latest.step)
        missed = np.maximum(size - LARGEST_STEP, 0.0) + STEP_ERROR * size**2 / (size + CLOSE)
        log_fair = np.log(costs) + latest.step
        covariance = latest.covariance + np.diag(missed**2)
        return cls(log_fair - log_fair.mean(), covariance, latest.kappa, latest.n_battles)

    @classmethod
    def combined(cls, estimates: Sequence[_Estimate]) -> _Estimate:
        """Return the mean of several estimates, each member weighted by its precision, one over the variance."""
        precision = 1 / np.maximum([estimate.covariance.diagonal() for estimate in estimates], 1e-18)
        shares = precision / precision.sum(axis=0)
        parts = list(zip(shares, estimates, strict=True))
        return cls(
            np.asarray(sum(share * estimate.log_fair for share, estimate in parts)),
            np.asarray(sum(share[:, None] * estimate.covariance * share for share, estimate in parts)),
            estimates[-1].kappa,
            sum(estimate.n_battles for estimate in estimates),
        )


@dataclass(frozen=True)
class _FairCostSearch:
    runner: Runner
    setting: ArmySetting
    seed: int
    members: tuple[str, ...]
    printed_costs: FloatArray
    n_battles: int
    mixed: float

    def solve(self, costs: FloatArray, early: Callable[[_Estimate], None] | None = None) -> _Estimate:
        """Return the solution of the equations for all budgets together."""
        m, rounds = len(self.members), list[_Estimate]()
        min_blocks, max_blocks = (max(1, -(-m * battles // BLOCK)) for battles in (self.n_battles // 4, self.n_battles))
        n_blocks, is_near = min_blocks, False
        for number in range(MOST_ROUNDS):
            latest = self.round(costs, number, n_blocks)
            step = np.clip(latest.step, -LARGEST_STEP, LARGEST_STEP)
            was_near, is_near = is_near, bool(np.abs(step).max() < NEAR)
            rounds = [*(rounds if was_near else []), _Estimate.after(costs, latest)]
            if early is not None:
                early(_Estimate.combined(rounds))
            if n_blocks == max_blocks and np.all(np.abs(step) < np.maximum(CLOSE, 3.5 * latest.errors)):
                break
            costs = costs * np.exp(step - np.median(np.log(costs / self.printed_costs) + step))
            n_blocks = max_blocks if is_near or number >= MOST_ROUNDS - 3 else min_blocks
        return _Estimate.combined(rounds)

    def round(self, costs: FloatArray, number: int, n_blocks: int) -> _Round:
        """Play a round of battles at these costs and fit it."""
        key, at = f"analysis/fair_costs/{number}", tuple(costs.tolist())
        blocks = Blocks(self.setting, self.members, at, self.seed, key, _play, (self.mixed,), BLOCK)
        zero = _Sums.zero(len(costs))
        shapes = [
            [sum(budget, zero) for budget in zip(*shape, strict=True)]
            for shape in zip(*play_blocks(self.runner, blocks, n_blocks), strict=True)
        ]
        return _fit([sum(shape, zero) for shape in shapes], len(costs))


def _play(blocks: Blocks, arena: Arena, number: int, rng: np.random.Generator) -> Playing[list[list[_Sums]]]:
    """Play a block of battles of mixed armies and of armies alike at once; return sums by shape and budget."""
    costs, n_mixed = np.array(blocks.costs), round(BLOCK * blocks.beside[0])
    sizes = {"mixed": n_mixed, "alike": BLOCK - n_mixed}
    pairs = [_pairs(blocks.setting, costs, n, shape, rng) for shape, n in sizes.items() if n]
    armies_a, armies_b, limits, budgets = zip(*pairs, strict=True)
    a, b = (np.concatenate(same_width(armies)) for armies in (armies_a, armies_b))
    dice = blocks.rolls(number, "battles", BLOCK)
    score = (yield from meet(arena, a, b, np.concatenate(limits), dice)) - 0.5
    scores = np.split(score, np.cumsum([len(army) for army in armies_a])[:-1])
    steps = [slice(at, None, len(blocks.setting.budgets)) for at in range(len(blocks.setting.budgets))]
    return [
        [_sums(x[rows], y[rows], budget[rows], values[rows], costs) for rows in steps]
        for x, y, budget, values in zip(armies_a, armies_b, budgets, scores, strict=True)
    ]


def _pairs(
    setting: ArmySetting, costs: FloatArray, n: int, shape: str, rng: np.random.Generator
) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """Return n armies of each side, unit limits, and the budgets, which cycle, before they are made unequal."""
    budgets = np.resize(np.array([points for points, _ in setting.budgets], np.float64), n)
    limits = setting.limits(budgets, rng)
    armies = []
    for _ in range(2):
        army_budgets = budgets * np.exp(rng.uniform(-SPREAD, SPREAD, n))
        if shape == "mixed":
            armies.append(mixed_armies(army_budgets, limits, costs, rng))
        else:
            armies.append(alike_armies(rng.integers(0, len(costs), n), army_budgets, costs, rng))
    return armies[0], armies[1], limits, budgets


def _sums(a: IntArray, b: IntArray, budgets: FloatArray, score: FloatArray, costs: FloatArray) -> _Sums:
    """Return the sums of products of [shares, shares times delta, 1] with each other and the score less one half."""
    shares_a, shares_b = shares_of(a, costs), shares_of(b, costs)
    off = [np.log(points_of(army, costs) / budgets)[:, None] for army in (a, b)]
    rows = np.column_stack([shares_a - shares_b, shares_a * off[0] - shares_b * off[1], np.ones(len(a))])
    return _Sums(rows.T @ rows, rows.T @ score, float(score @ score), len(a))


def _fit(shapes: Sequence[_Sums], m: int) -> _Round:
    """Solve the least squares of a round, shrinking each `kappa` a little towards their mean.

    Shares of an army add up to 1, so the battles do not identify a constant added to all beta: a prior on their mean,
    as heavy as what they say of one beta, keeps the sums well conditioned and changes nothing else.
    """
    shape_sums = [sums.among(_columns(m, at, len(shapes))) for at, sums in enumerate(shapes)]
    whole = sum(shape_sums[1:], shape_sums[0])
    weak = np.linalg.pinv(whole.products, rcond=1e-9, hermitian=True) @ whole.scores
    noises = [sums.noise(weak) for sums in shape_sums]
    weights = np.full(len(weak), 1e-6 * whole.n_battles / m**2)
    for at, noise in enumerate(noises):
        weights[_kappa_columns(m, at)] = noise / (KAPPA_SPREAD * _kappas(weak, m, at).mean()) ** 2
    prior = np.diag(weights)
    prior[:m, :m] += whole.products[:m, :m].diagonal().mean() / m
    inverse = np.linalg.inv(whole.products + prior)
    solution = inverse @ whole.scores
    kappas = [_kappas(solution, m, at) for at in range(len(shape_sums))]
    answers = [inverse[:m] @ sums.products[:, :m] * kappa for sums, kappa in zip(shape_sums, kappas, strict=True)]
    into = _step_matrix(sum(answers) + inverse[:m, :m] @ prior[:m, :m] * kappas[-1])
    meat = sum(noise * sums.products for noise, sums in zip(noises, shape_sums, strict=True))
    covariance = into @ (inverse @ meat @ inverse)[:m, :m] @ into.T
    return _Round(into @ solution[:m], covariance, kappas[-1], whole.n_battles)


def _columns(m: int, at: int, n_shapes: int) -> FloatArray:
    """Return the map of one shape's regressors into all: beta; of each shape mean kappa and deviations; first mover."""
    columns = np.zeros((2 * m + 1, m + n_shapes * (m + 1) + 1))
    columns[:m, :m] = np.eye(m)
    columns[m : 2 * m, _kappa_columns(m, at).start - 1] = 1.0
    columns[m : 2 * m, _kappa_columns(m, at)] = np.eye(m)
    columns[2 * m, -1] = 1.0
    return columns


def _kappa_columns(m: int, shape: int) -> slice:
    """Return the columns of a shape's deviations of `kappa` from their mean, which is the column before."""
    start = m + shape * (m + 1) + 1
    return slice(start, start + m)


def _kappas(solution: FloatArray, m: int, at: int) -> FloatArray:
    """Return what a budget is worth to each member in armies of a shape, `float64[m]`, kept away from 0."""
    kappas = solution[_kappa_columns(m, at).start - 1] + solution[_kappa_columns(m, at)]
    return np.asarray(np.maximum(kappas, 0.2 * max(float(kappas.mean()), 0.05)))


def _step_matrix(answer: FloatArray) -> FloatArray:
    """Return the matrix from `beta` to the step, `float64[m, m]`, if steps in costs change beta by `answer`.

    All beta may be too large by the same t, which is chosen so that the costs as a whole keep their level.
    """
    m = len(answer)
    matrix = np.ones((m + 1, m + 1))
    matrix[:m, :m], matrix[m, m] = answer, 0.0
    return np.asarray(np.linalg.inv(matrix)[:m, :m])
