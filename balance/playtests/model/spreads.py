"""How far effects spread is unknown: posteriors over a fixed design of spreads, and what they say together.

Each kind of effect is normal with mean 0 and an unknown standard deviation: lognormal for strengths, so that the prior
alone calls nobody equal, and half-normal for the others, which may not be there at all. The standard deviations are
integrated out: a lattice of points in the quantiles of their priors, each with its Laplace fit, weighed
by its evidence. So every answer is a mixture of normals, without simulation. (Rue, Martino and Chopin 2009 call this
nested Laplace approximation.) Of many effects, which tell their spread well and take long to fit, fewer points are
laid where the evidence is: around its peak, as wide as its curvature says, each weighed by prior and evidence over the
density that it was laid with.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr, ndtri

from balance.base.progress import Stage, tell
from balance.playtests.games import FloatArray, IntArray
from balance.playtests.model.design import COST, FILLING, FIRST_MOVER, FORM, PLAYER, SCENARIO, SEAT, STRENGTH, Design
from balance.playtests.model.fit import Modes, Priors, find_evidence, find_modes, stack_modes
from balance.playtests.model.outcomes import start_cut

STRENGTH_SPREAD = 0.4
"""Standard deviation of the logarithm of the spread of strengths, under its prior: 95 % within a factor of 2.2."""
SCALES = {STRENGTH: 0.7, PLAYER: 0.5, SCENARIO: 0.5, FORM: 0.5, SEAT: 0.5}
"""Scales, in logits, of the priors on the standard deviation of each kind of effect: the median of strengths' lognormal
one, and the scale of the others' half-normal ones."""
FIXED_SD = {FIRST_MOVER: 1.0, COST: 2.0}
"""Standard deviations of effects that stand alone."""
N_POINTS = 64
"""Points of the lattice of spreads; of very large logs fewer, down to 8, which tell the spreads better themselves."""
N_OF_EACH, N_OF_ALL = 8, 24
"""Points around the peak: for each spread, and of all at most."""
WIDER = 1.15
"""By how much wider than the evidence says they are laid, so that no tail is missed."""
LEAST_STEP, MOST_STEP = 0.05, 0.5
"""Between which the peak is felt for, in standard deviations of the prior."""
SWEEPS = 4
ROUGHLY = 1e-3
"""Largest step, in logits, of a fit that only the peak is looked for with."""
MOST_LINKS = 4_000_000
"""Numbers that all points together may hold of how sessions hang on global effects (32 MB, a few times over)."""
NEAR = 1e-5
"""Largest step, in logits, of a fit of the lattice that has ended: steps square, so the next would be of 1e-10."""
LEAST_SD = 0.01
"""The smallest standard deviation looked at; a smaller one is no effect."""


@dataclass(frozen=True)
class Quantiles:
    """A mixture of normals for each of some numbers: weights `float64[k]`, means and standard deviations `[k, q]`."""

    weights: FloatArray
    means: FloatArray
    sds: FloatArray

    @property
    def mean(self) -> FloatArray:
        """`float64[q]`."""
        return np.asarray(self.weights @ self.means)

    @property
    def sd(self) -> FloatArray:
        """`float64[q]`."""
        second = self.weights @ (self.sds**2 + self.means**2) - self.mean**2
        return np.asarray(np.sqrt(np.maximum(second, 0.0)))

    def below(self, values: FloatArray) -> FloatArray:
        """Return the chance of each number lying below a value, `float64[q]`."""
        return np.asarray(self.weights @ ndtr((values - self.means) / np.maximum(self.sds, 1e-12)))

    def at(self, chance: float) -> FloatArray:
        """Return the quantile of each number, by bisection."""
        reach = self.means + ndtri(chance) * self.sds
        low, high = reach.min(axis=0) - 1e-9, reach.max(axis=0) + 1e-9
        for _ in range(50):
            middle = (low + high) / 2
            small = self.below(middle) < chance
            low, high = np.where(small, middle, low), np.where(small, high, middle)
        return np.asarray((low + high) / 2)

    def interval(self, level: float) -> tuple[FloatArray, FloatArray]:
        """Return both ends that leave as much on either side."""
        return self.at((1 - level) / 2), self.at((1 + level) / 2)


@dataclass(frozen=True)
class Posterior:
    """A batch of fits with what each weighs.

    Attributes
    ----------
    kinds
        `int64[d]`: the kinds of effects whose spread is unknown.
    sds
        `float64[k, d]`.
    weights
        `float64[k]`, adding up to 1.
    """

    design: Design
    modes: Modes
    kinds: IntArray
    sds: FloatArray
    weights: FloatArray

    def mixture(self, contrasts: FloatArray) -> Quantiles:
        """Return the mixtures of linear functions of the global effects and the cut, `float64[q, g + 1]`."""
        means = self.modes.means @ contrasts.T
        spread = np.einsum("qg,kgh,qh->kq", contrasts, self.modes.covariance, contrasts, optimize=True)
        return Quantiles(self.weights, means, np.sqrt(np.maximum(spread, 0.0)))

    def strengths(self) -> Quantiles:
        """Return the mixtures of each entrant's strength less their mean."""
        n, covariance = self.design.n, self.modes.covariance
        means = self.modes.means[:, :n] - self.modes.means[:, :n].mean(axis=1, keepdims=True)
        shared = covariance[:, :n, :n].mean(axis=2)
        variance = np.diagonal(covariance, axis1=1, axis2=2)[:, :n]
        spread = variance - 2 * shared + shared.mean(axis=1, keepdims=True)
        return Quantiles(self.weights, means, np.sqrt(np.maximum(spread, 0.0)))

    def gaps(self, side_a: IntArray, side_b: IntArray) -> Quantiles:
        """Return the mixtures of the strengths of some entrants less those of others.

        Parameters
        ----------
        side_a
            The first entrant of each gap, `int[n]`.
        side_b
            The second, `int[n]`.
        """
        means, covariance = self.modes.means, self.modes.covariance
        variance = np.diagonal(covariance, axis1=1, axis2=2)
        spread = variance[:, side_a] + variance[:, side_b] - 2 * covariance[:, side_a, side_b]
        return Quantiles(self.weights, means[:, side_a] - means[:, side_b], np.sqrt(np.maximum(spread, 0.0)))

    def typical_sds(self, weights: FloatArray | None = None) -> FloatArray:
        """Return the root mean square of each spread, `float64[d]`."""
        return np.asarray(np.sqrt((self.weights if weights is None else weights) @ self.sds**2))

    @property
    def effects(self) -> FloatArray:
        """`float64[g + 1]`: the mean of the global effects and the cut."""
        return np.asarray(self.weights @ self.modes.means)


def lattice(n: int, d: int) -> FloatArray:
    """Return `float64[n, d]`: points that fill the unit cube evenly, by powers of the generalised golden ratio.

    Parameters
    ----------
    n
        Number of points.
    d
        Number of dimensions.

    >>> lattice(2, 1).round(3).tolist()
    [[0.118], [0.736]]
    """
    ratio = 2.0
    for _ in range(60):
        ratio = (1 + ratio) ** (1 / (d + 1))
    steps = ratio ** -np.arange(1.0, d + 1)
    return np.asarray((0.5 + np.arange(1, n + 1)[:, None] * steps) % 1.0)


def unknown_kinds(design: Design) -> IntArray:
    """Return the kinds of effects in a design whose spread is unknown."""
    present_kinds = np.union1d(design.kinds, design.local_kinds)
    return np.array([kind for kind in SCALES if kind in present_kinds], np.int64)


def priors_at(design: Design, kinds: IntArray, sds: FloatArray) -> Priors:
    """Return the priors under each row of `float64[k, d]` standard deviations.

    Parameters
    ----------
    design
        The arrays of the games.
    kinds
        The kind of each effect.
    sds
        Standard deviations of the kinds, `float64[k, d]`.
    """
    sd_by_kind = np.ones((len(sds), FILLING + 1))
    for kind, sd in FIXED_SD.items():
        sd_by_kind[:, kind] = sd
    sd_by_kind[:, kinds] = sds
    precision = sd_by_kind**-2.0
    return Priors.of_cut(design, precision[:, design.kinds], precision[:, design.local_kinds])


def posterior(design: Design, scale: float) -> Posterior:
    """Fit games under all spreads; `scale` is that of strengths.

    Parameters
    ----------
    design
        The arrays of the games.
    scale
        Standard deviation of strengths that is expected.

    >>> from balance.playtests.model.design import design
    >>> from balance.playtests.games import games_of
    >>> found = posterior(design(games_of(["elf"] * 9, ["orc"] * 9, [1] * 7 + [0] * 2), "none", True), 1.0)
    >>> low, high = found.mixture(np.array([[1.0, -1.0, 0.0]])).interval(0.95)
    >>> bool(low[0] < 1.0 < high[0])
    True
    """
    kinds = unknown_kinds(design)
    scales = np.array([scale if kind == STRENGTH else SCALES[kind] for kind in kinds.tolist()])
    if not design.whole:
        return _around_the_peak(design, kinds, scales)
    links = design.local_kinds.size * (design.g + 1)
    chance = lattice(int(np.clip(MOST_LINKS // max(links, 1), 8, N_POINTS)), len(kinds))
    sds = _sds_at(ndtri(chance), kinds, scales)
    first = find_modes(design, priors_at(design, kinds, scales[None, :]), origin(design))
    modes = find_modes(
        design, priors_at(design, kinds, sds), (first.effects, first.local), with_corrections=True, tolerance=NEAR
    )
    weights = np.exp(modes.evidence - modes.evidence.max())
    return Posterior(design, modes, kinds, sds, weights / weights.sum())


def _sds_at(scores: FloatArray, kinds: IntArray, scales: FloatArray) -> FloatArray:
    """Return the standard deviations that lie as far out under their priors as these do under a standard normal."""
    lognormal, half_normal = np.exp(STRENGTH_SPREAD * scores), ndtri((1 + ndtr(scores)) / 2)
    return np.asarray(np.maximum(scales * np.where(kinds == STRENGTH, lognormal, half_normal), LEAST_SD))


def _around_the_peak(design: Design, kinds: IntArray, scales: FloatArray) -> Posterior:
    """Fit games under some spreads around the likeliest, one after the other; in memory a few at a time."""
    peak = _Peak(design, kinds, scales)
    centre, width = peak.find()
    d = len(kinds)
    n = min(N_OF_EACH * d, N_OF_ALL)
    half = ndtri(lattice(n // 2, d) if d > 1 else (np.arange(n // 2)[:, None] + 0.5) / n)
    z = np.concatenate([half, -half])  # as much on either side of the peak
    scores = centre + WIDER * width * z
    sds = _sds_at(scores, kinds, scales)
    members, covariance = [], np.empty((len(sds), design.g + 1, design.g + 1))
    for at, row in enumerate(sds):
        tell(Stage("strengths and how far they spread", at, len(sds)))
        modes = find_modes(design, priors_at(design, kinds, row[None]), peak.start, None, True, NEAR)
        covariance[at] = modes.covariance[0]
        members.append(replace(modes, covariance=np.zeros((1, 0, 0))))
    modes = replace(stack_modes(members), covariance=covariance)
    logs = modes.evidence - (scores**2).sum(axis=1) / 2 + (z**2).sum(axis=1) / 2
    weights = np.exp(logs - logs.max())
    return Posterior(design, modes, kinds, sds, weights / weights.sum())


class _Peak:
    """Feels for the likeliest spreads: along each in turn, by parabolas, each fit from where the last one ended."""

    def __init__(self, design: Design, kinds: IntArray, scales: FloatArray) -> None:
        self.design, self.kinds, self.scales = design, kinds, scales
        self.start = origin(design)

    def height(self, scores: FloatArray) -> float:
        """Return the logarithm of evidence times prior."""
        sds = _sds_at(scores, self.kinds, self.scales)[None]
        priors = priors_at(self.design, self.kinds, sds)
        tell(Stage("how far strengths spread"))
        evidence, start = find_evidence(self.design, priors, self.start, ROUGHLY)
        self.start = start[0], start[1]
        return float(evidence[0] - (scores**2).sum() / 2)

    def find(self) -> tuple[FloatArray, FloatArray]:
        """Return where the peak is, and the standard deviation of a normal of its curvature along each axis."""
        d = len(self.kinds)
        centre, width, step = np.zeros(d), np.ones(d), np.full(d, MOST_STEP)
        for _ in range(SWEEPS):
            largest_move = 0.0
            for at in range(d):
                along = np.eye(d)[at] * step[at]
                low, height, high = (self.height(centre + side * along) for side in (-1, 0, 1))
                curvature = (2 * height - low - high) / step[at] ** 2
                slope = (high - low) / 2 / step[at]
                width[at] = 1 / np.sqrt(max(curvature, 1.0))
                move = np.clip(slope / max(curvature, 1.0), -3 * step[at], 3 * step[at])
                centre[at] += move
                largest_move = max(largest_move, abs(move) / width[at])
                step[at] = np.clip(width[at], LEAST_STEP, MOST_STEP)
            if largest_move < 1 / 4:
                break
        return centre, width


def at_spreads(design: Design, kinds: IntArray, sds: FloatArray) -> Posterior:
    """Fit games under given spreads, `float64[d]`: one fit of weight 1.

    Parameters
    ----------
    design
        The arrays of the games.
    kinds
        The kind of each effect.
    sds
        Standard deviations of the kinds, `float64[d]`.
    """
    modes = find_modes(
        design, priors_at(design, kinds, sds[None]), origin(design), with_corrections=True, tolerance=NEAR
    )
    return Posterior(design, modes, kinds, sds[None], np.ones(1))


def origin(design: Design) -> tuple[FloatArray, FloatArray]:
    """Return where a fit without knowledge starts: no effects, and the draws that were seen."""
    effects = np.zeros(design.g + 1)
    effects[-1] = start_cut(design.law, float(design.draws.sum() / design.count.sum()))
    return effects, np.zeros(design.local_kinds.shape)


def plain_fit(design: Design) -> Posterior:
    """Fit by plain maximum likelihood, without random effects: one fit of weight 1, with Wald's errors."""
    zeros = np.zeros((1, design.g))
    priors = Priors(zeros, np.ones((1, *design.local_kinds.shape)), 0.0 if design.law != "none" else 1.0, 0.0, 1.0)
    modes = find_modes(design, priors, origin(design))
    return Posterior(design, modes, np.zeros(0, np.int64), np.zeros((1, 0)), np.ones(1))
