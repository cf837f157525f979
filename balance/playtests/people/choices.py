r"""Plackett and Luce's model with ties: places of a game are given out from the first, each step a choice among sets.

Of the sides still without a place a set S of k comes next, tied, with a chance in proportion to

    delta_k * exp(mean of the log-strengths in S),        delta_1 = 1,

over all sets of as many as ever tie (Turner, van Etten, Firth and Kosmidis 2020). Of two sides this is Davidson's law,
with winners alone McFadden's choice. A team's log-strength is the sum of its members' and a term for each number of
people that it has more than the smallest of its game. The likelihood is concave; leaving out a set that a step might
have chosen, or a step, takes nothing from the others.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import coo_array, csr_array, hstack

from balance.base.arrays import FloatArray, IntArray
from balance.base.errors import UsageError
from balance.base.progress import Stage, tell
from balance.playtests.contests import Contests
from balance.playtests.model.design import COST, FIRST_MOVER, FREE, STRENGTH, Design
from balance.playtests.model.fit import LONGEST_STEP, MOST_HALVINGS, MOST_STEPS, TOLERANCE, Modes
from balance.playtests.model.outcomes import CUT_PRIORS, start_cut
from balance.playtests.model.spreads import NEAR, ROUGHLY, Peak, Posterior, priors_at, weights_of

MOST_SETS = 3_000_000
"""Sets that may come next in all steps together; the largest ties are left out above that."""
WILD, SINGULAR = 15.0, 1e12
"""Log-odds, and a condition number, beyond which there is no best value without a prior."""


@dataclass(frozen=True)
class Choices:
    """The steps of all games: how much of each effect each set carries, `csr[sets, effects]`, step after step.

    * `starts` and `chosen`: `int64[steps]`: the first set of each step, and the one that came next.
    * `design`: the effects, without games; the last one is the cut, the logarithm of delta_2.
    * `shares`: of how many people each effect is the sum. `numbers`: how many may tie, from 1.
    """

    loads: csr_array
    starts: IntArray
    chosen: IntArray
    design: Design
    shares: FloatArray
    numbers: tuple[int, ...]

    def fit(
        self, precision: FloatArray, start: FloatArray, tolerance: float = TOLERANCE
    ) -> tuple[FloatArray, FloatArray, float]:
        """Return the posterior mode, the curvature there, and the log evidence by Laplace's method.

        `precision`: of the prior of each effect; where strengths have none, their sum is held at 0.
        """
        effects, (value, slope, curvature) = start, self._slopes(start, precision)
        for _ in range(MOST_STEPS):
            step = cho_solve(cho_factor(curvature), slope)
            scale = min(1.0, LONGEST_STEP / max(float(np.abs(step).max()), LONGEST_STEP))
            for _ in range(MOST_HALVINGS):
                trial = self._slopes(effects + scale * step, precision)
                if trial[0] >= value - 1e-9 * (1 + abs(value)):
                    break
                scale /= 2
            effects, (value, slope, curvature) = effects + scale * step, trial
            if scale * np.abs(step).max() < tolerance:
                break
        logs = np.log(precision[:-1][precision[:-1] > 0]).sum() / 2 - np.log(np.diag(cho_factor(curvature)[0])).sum()
        return effects, curvature, value + float(logs)

    def _slopes(self, effects: FloatArray, precision: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Return the log-posterior less its constant, its gradient, and minus its second derivatives."""
        kinds, off = np.append(self.design.kinds, FREE), effects.copy()
        off[kinds == FREE] -= CUT_PRIORS[self.design.law][0] * (precision[kinds == FREE] > 0)
        flat = ((kinds == STRENGTH) & (precision == 0)).astype(np.float64)
        eta, ends = self.loads @ effects, np.append(self.starts, self.loads.shape[0])
        eta = eta - np.repeat(np.maximum.reduceat(eta, self.starts), np.diff(ends))
        total = np.log(np.add.reduceat(np.exp(eta), self.starts))
        value = (eta[self.chosen] - total).sum() - (precision @ off**2 + (flat @ effects) ** 2) / 2
        chance = np.exp(eta - np.repeat(total, np.diff(ends)))
        expected = csr_array((chance, np.arange(len(eta)), ends)) @ self.loads
        weighed = (self.loads.T.multiply(chance).tocsr() @ self.loads - expected.T @ expected).toarray()
        chance[self.chosen] -= 1
        slope = -(self.loads.T @ chance) - precision * off - flat * (flat @ effects)
        return float(value), np.asarray(slope), weighed + np.diag(precision) + np.outer(flat, flat)

    @property
    def origin(self) -> FloatArray:
        """Where a fit starts: all effects 0, and delta_2 such that two equals tie as often as two tie here."""
        effects = np.zeros(self.loads.shape[1])
        effects[-1] = start_cut(self.design.law, float(self.loads[self.chosen][:, [-1]].sum() / len(self.chosen)))
        return effects


def choices_of(contests: Contests) -> Choices:
    """Return the steps in which the places of games were given out."""
    order = np.lexsort([np.where(contests.place == 0, np.iinfo(np.int64).max, contests.place), contests.contest])
    contest, place = contests.contest[order], contests.place[order]
    starts = np.flatnonzero(np.append(True, (np.diff(contest) != 0) | (np.diff(place) != 0)))
    n_tied, n_left = np.diff(np.append(starts, len(order))), np.cumsum(contests.n_sides)[contest[starts]] - starts
    is_step = (place[starts] > 0) & (n_left > 1)
    numbers = _numbers_of_ties(n_tied[is_step], n_left[is_step])
    is_step &= np.isin(n_tied, numbers)
    starts, n_tied, n_left = starts[is_step], n_tied[is_step], n_left[is_step]
    sets, first, chosen, n_sets = [], [], [], 0
    for n in np.unique(n_left).tolist():
        at, begin = starts[n_left == n], 0
        width = sum(comb(n, k) for k in numbers)
        first.append(n_sets + width * np.arange(len(at)))
        chosen.append(first[-1].copy())
        for k in (k for k in numbers if k <= n):
            members = np.array(list(combinations(range(n), k)))
            row = first[-1][:, None] + begin + np.arange(len(members))
            sides = order[at[:, None, None] + members]
            sets.append(np.stack([np.broadcast_to(row[..., None], sides.shape), sides, np.full(sides.shape, k)]))
            chosen[-1] += np.where(n_tied[n_left == n] == k, begin, 0)
            begin += len(members)
        n_sets += width * len(at)
    row, side, size = np.concatenate([part.reshape(3, -1) for part in sets], axis=1)
    mean = coo_array((1 / size, (row, side)), shape=(n_sets, len(order))).tocsr()
    deltas = [coo_array(((size == k) / k, (row, np.zeros_like(row))), shape=(n_sets, 1)) for k in (*numbers[2:], 2)]
    side_loads, kinds = _side_loads(contests)
    loads = hstack([mean @ side_loads, *deltas]).tocsr()
    shares = np.append(contests.sizes, np.ones(loads.shape[1] - len(contests.sizes)))
    none, no_games, kinds_of_all = np.zeros(0, np.int64), np.zeros(0), np.array([*kinds, *[FREE] * len(numbers[2:])])
    design = Design(
        "davidson" if len(numbers) > 1 else "none", np.zeros((0, 0), np.int64), np.zeros((0, 0)),
        no_games, no_games, no_games, none, kinds_of_all, none, none, none, len(contests.names), True,
    )  # fmt: skip
    return Choices(loads, np.concatenate(first), np.concatenate(chosen), design, shares, numbers)


def _numbers_of_ties(n_tied: IntArray, n_left: IntArray) -> tuple[int, ...]:
    """Return how many may tie, 1 first: what the games have, and 2 with any; none that takes over `MOST_SETS` sets."""
    sizes, counts = np.unique(n_left, return_counts=True)
    n_sets = {
        k: sum(comb(n, k) * count for n, count in zip(sizes.tolist(), counts.tolist(), strict=True))
        for k in {1, *n_tied.tolist()} | ({2} if (n_tied > 1).any() else set[int]())
    }
    return tuple(k for k in sorted(n_sets) if k == 1 or sum(n_sets[j] for j in n_sets if j <= k) <= MOST_SETS)


def _side_loads(contests: Contests) -> tuple[csr_array, list[int]]:
    """Return how much of each effect each side carries, and the kinds of the effects."""
    more, shape = contests.size_differences, (len(contests.contest), len(contests.names))
    members = coo_array((np.ones(len(contests.side)), (contests.side, contests.entrant)), shape=shape)
    seats = [contests.went_first] if contests.went_first.any() else []
    columns = [*seats, *(more == difference for difference in np.unique(more[more > 0]))]
    kinds = [STRENGTH] * shape[1] + [FIRST_MOVER] * len(seats) + [COST] * (len(columns) - len(seats))
    return hstack([members, *(coo_array(column[:, None].astype(np.float64)) for column in columns)]).tocsr(), kinds


class _Peak(Peak):
    """The search for the spread of the strengths of choices."""

    def __init__(self, choices: Choices, scale: float) -> None:
        super().__init__(choices.design, np.array([STRENGTH]), np.array([scale]), choices.origin)
        self.choices = choices

    def evidence(self, sds: FloatArray) -> float:
        self.start, _, evidence = self.choices.fit(self.precision(sds), self.start, ROUGHLY)
        return evidence

    def precision(self, sds: FloatArray) -> FloatArray:
        """Return the precision of the prior of each effect; all ties have that of the cut."""
        precision = priors_at(self.design, self.kinds, sds[None]).precision[0] / self.choices.shares
        precision[:-1][self.design.kinds == FREE] = precision[-1]
        return np.asarray(precision)


def posterior_of(choices: Choices, scale: float | None, sds: FloatArray | None = None) -> Posterior:
    """Fit games with the spread of strengths integrated out, or fixed at `sds`; `scale`: its prior median.

    Without a scale it is plain maximum likelihood; raises `UsageError` where nothing is likeliest.
    """
    if scale is None:
        precision = np.zeros(choices.loads.shape[1])
        precision[-1] = float(choices.loads[choices.chosen][:, [-1]].sum() == 0)
        with suppress(np.linalg.LinAlgError):
            fit = choices.fit(precision, choices.origin)
            if np.abs(fit[0]).max() < WILD and np.linalg.cond(fit[1]) < SINGULAR:
                return _posterior(choices, [fit], np.zeros((1, 0)), np.zeros(1))
        problem = "without a prior there is no best rating: somebody, or who went first, won or lost all games"
        raise UsageError(problem, "rate with the prior, which is the default")
    peak = _Peak(choices, scale)
    points, prior = peak.points() if sds is None else (sds[None], np.zeros(1))
    fits = list[tuple[FloatArray, FloatArray, float]]()
    for at, point in enumerate(points):
        tell(Stage("strengths and how far they spread", at, len(points)))
        start, tolerance = fits[-1][0] if fits else peak.start, NEAR if sds is None else TOLERANCE
        fits.append(choices.fit(peak.precision(point), start, tolerance))
    return _posterior(choices, fits, points, prior)


def _posterior(
    choices: Choices, fits: list[tuple[FloatArray, FloatArray, float]], sds: FloatArray, prior: FloatArray
) -> Posterior:
    own = choices.design.answer_effects
    means, evidence = np.array([fit[0] for fit in fits]), np.array([fit[2] for fit in fits])
    covariance = np.array([np.linalg.inv(curvature)[np.ix_(own, own)] for _, curvature, _ in fits])
    none, converged = np.zeros((len(fits), 0)), np.ones(len(fits), np.bool_)
    modes = Modes(means, means, covariance, evidence, none, none, converged, None)
    return Posterior(choices.design, modes, np.array([STRENGTH][: sds.shape[1]]), sds, weights_of(evidence + prior))
