"""Posteriors with the unknown spreads of effects integrated out, over a fixed design of spreads.

Each kind of effect is normal with mean 0 and an unknown standard deviation: lognormal for strengths, so that the prior
alone calls nobody equal, and half-normal for the others, which may not be there at all. The standard deviations are
integrated out: a lattice of points in the quantiles of their priors, each with its Laplace fit, weighed by its
evidence. So every answer is a mixture of normals, without simulation. (Rue, Martino and Chopin 2009 call this nested
Laplace approximation.) Of many effects, which tell their spread well and take long to fit, fewer points are laid where
the evidence is: around its peak, as wide as its curvature says, each weighed by prior and evidence over the density
that it was laid with.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.base.progress import Stage, tell
from balance.chance.trials.normal import mixture_quantile, normal_cdf, normal_quantile
from balance.playtests.model.design import COST, FIRST_MOVER, FORM, FREE, PLAYER, SCENARIO, SEAT, STRENGTH, Design
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
MOST_ROWS = 1_000_000
"""Rows of games, times points, that are fitted at once (8 MB for each of a dozen numbers)."""
NEAR = 1e-5
"""Largest step, in logits, of a fit of the lattice that has ended: steps square, so the next would be of 1e-10."""
LEAST_SD = 0.01
"""The smallest standard deviation looked at; a smaller one is no effect."""


@dataclass(frozen=True)
class Quantiles:
    """Mixtures of normals for q numbers: weights `float64[k]`, means and standard deviations `float64[k, q]`."""

    weights: FloatArray
    means: FloatArray
    sds: FloatArray

    @property
    def mean(self) -> FloatArray:
        """`float64[q]`: the means of the mixtures."""
        return np.asarray(self.weights @ self.means)

    @property
    def sd(self) -> FloatArray:
        """`float64[q]`: the standard deviations of the mixtures."""
        second = self.weights @ (self.sds**2 + self.means**2) - self.mean**2
        return np.asarray(np.sqrt(np.maximum(second, 0.0)))

    def below(self, values: FloatArray) -> FloatArray:
        """Return the chance of each number lying below a value, `float64[q]`."""
        return np.asarray(self.weights @ normal_cdf((values - self.means) / np.maximum(self.sds, 1e-12)))

    def at(self, chance: float) -> FloatArray:
        """Return the quantile of each number at probability `chance`, `float64[q]`."""
        return mixture_quantile(self.weights, self.means, self.sds, chance)

    def interval(self, level: float) -> tuple[FloatArray, FloatArray]:
        """Return the ends of the equal-tailed interval with probability `level`, `float64[q]` each."""
        return self.at((1 - level) / 2), self.at((1 + level) / 2)


@dataclass(frozen=True)
class Posterior:
    """k fits, each under other standard deviations of the effects, with their posterior weights.

    `kinds`: `int64[d]`: the kinds of effects whose spread is unknown. `sds`: `float64[k, d]`. `weights`: `float64[k]`,
    adding up to 1.
    """

    design: Design
    modes: Modes
    kinds: IntArray
    sds: FloatArray
    weights: FloatArray

    def single(self, place: int) -> Quantiles:
        """Return the mixture of one effect that `Design.answer_effects` names, by its place among all effects."""
        at = int(np.searchsorted(self.design.answer_effects, place))
        sds = np.sqrt(np.maximum(self.modes.covariance[:, at, at], 0.0))
        return Quantiles(self.weights, self.modes.means[:, place, None], sds[:, None])

    def strengths(self) -> Quantiles:
        """Return the mixture of each entrant's strength, in logits, less the mean of all strengths."""
        n, covariance = self.design.n, self.modes.covariance
        means = self.modes.means[:, :n] - self.modes.means[:, :n].mean(axis=1, keepdims=True)
        shared = covariance[:, :n, :n].mean(axis=2)
        variance = np.diagonal(covariance, axis1=1, axis2=2)[:, :n]
        spread = variance - 2 * shared + shared.mean(axis=1, keepdims=True)
        return Quantiles(self.weights, means, np.sqrt(np.maximum(spread, 0.0)))

    def gaps(self, side_a: IntArray, side_b: IntArray) -> Quantiles:
        """Return the mixtures of strength differences, `side_a` less `side_b`, both `int[n]`, in logits."""
        means, covariance = self.modes.means, self.modes.covariance
        variance = np.diagonal(covariance, axis1=1, axis2=2)
        spread = variance[:, side_a] + variance[:, side_b] - 2 * covariance[:, side_a, side_b]
        return Quantiles(self.weights, means[:, side_a] - means[:, side_b], np.sqrt(np.maximum(spread, 0.0)))

    def typical_sds(self, weights: FloatArray | None = None) -> FloatArray:
        """Return the posterior root mean square of each unknown standard deviation, `float64[d]`, in logits."""
        return np.asarray(np.sqrt((self.weights if weights is None else weights) @ self.sds**2))

    @property
    def effects(self) -> FloatArray:
        """`float64[g + 1]`: the mean of the global effects and the cut."""
        return np.asarray(self.weights @ self.modes.means)


def lattice(n: int, d: int) -> FloatArray:
    """Return n points that fill the d-dimensional unit cube evenly, `float64[n, d]`, by the generalised golden ratio.

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
    present_kinds = {*design.kinds.tolist(), *design.local_kinds.tolist()}
    return np.array([kind for kind in SCALES if kind in present_kinds], np.int64)


def priors_at(design: Design, kinds: IntArray, sds: FloatArray) -> Priors:
    """Return k priors, one for each row of standard deviations `sds`, `float64[k, d]`, of the unknown `kinds`.

    Kinds with a fixed standard deviation have that of `FIXED_SD`.
    """
    sd_by_kind = np.ones((len(sds), FREE + 1))
    for kind, sd in FIXED_SD.items():
        sd_by_kind[:, kind] = sd
    sd_by_kind[:, kinds] = sds
    precision = sd_by_kind**-2.0
    return Priors.of(design, precision[:, design.kinds], precision[:, design.local_kinds])


def posterior(design: Design, scale: float) -> Posterior:
    """Fit games with the spreads of effects integrated out; `scale` is the prior median of that of strengths."""
    kinds = unknown_kinds(design)
    scales = np.array([scale if kind == STRENGTH else SCALES[kind] for kind in kinds.tolist()])
    if not design.whole:
        return _around_the_peak(design, kinds, scales)
    most_local = int(np.bincount(design.local_block, minlength=1).max())
    links = len(design.sessions) * most_local * (design.g + 1)
    chance = lattice(int(np.clip(MOST_LINKS // max(links, 1), 8, N_POINTS)), len(kinds))
    sds = sds_at(normal_quantile(chance), kinds, scales)
    first = find_modes(design, priors_at(design, kinds, scales[None, :]), origin(design))
    modes = _fits(design, kinds, sds, first.all_effects, max(1, MOST_ROWS // len(design.block)))
    return Posterior(design, modes, kinds, sds, weights_of(modes.evidence))


def _fits(design: Design, kinds: IntArray, sds: FloatArray, start: FloatArray, at_once: int) -> Modes:
    """Return the modes at each row of `sds`, with corrections, so many at once."""
    members = []
    for at in range(0, len(sds), at_once):
        tell(Stage("strengths and how far they spread", at, len(sds)))
        priors = priors_at(design, kinds, sds[at : at + at_once])
        members.append(replace(find_modes(design, priors, start, None, True, NEAR), curvature=None))
    return stack_modes(members)


def sds_at(scores: FloatArray, kinds: IntArray, scales: FloatArray) -> FloatArray:
    """Return the standard deviations at the prior quantiles of standard normal scores: lognormal or half-normal."""
    lognormal, half_normal = np.exp(STRENGTH_SPREAD * scores), normal_quantile((1 + normal_cdf(scores)) / 2)
    return np.asarray(np.maximum(scales * np.where(kinds == STRENGTH, lognormal, half_normal), LEAST_SD))


def _around_the_peak(design: Design, kinds: IntArray, scales: FloatArray) -> Posterior:
    """Fit games at spreads drawn around the posterior mode, one after the other, weighed by importance sampling."""
    peak = Peak(design, kinds, scales, origin(design))
    sds, prior = peak.points()
    modes = _fits(design, kinds, sds, peak.start, 1)
    return Posterior(design, modes, kinds, sds, weights_of(modes.evidence + prior))


def weights_of(logs: FloatArray) -> FloatArray:
    """Return weights that add up to 1 from their logarithms, less any constant."""
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


class Peak:
    """Search for the mode of the spreads, coordinate by coordinate with parabolas; each fit starts at the last one."""

    def __init__(self, design: Design, kinds: IntArray, scales: FloatArray, start: FloatArray) -> None:
        self.design, self.kinds, self.scales, self.start = design, kinds, scales, start

    def evidence(self, sds: FloatArray) -> float:
        """Return the log evidence of standard deviations, `float64[d]`, and start the next fit at this one."""
        priors = priors_at(self.design, self.kinds, sds[None])
        evidence, self.start = find_evidence(self.design, priors, self.start, ROUGHLY)
        return float(evidence[0])

    def height(self, scores: FloatArray) -> float:
        """Return log evidence plus log prior of spreads, given as standard normal scores `float64[d]`."""
        tell(Stage("how far strengths spread"))
        return self.evidence(sds_at(scores, self.kinds, self.scales)) - float((scores**2).sum() / 2)

    def find(self) -> tuple[FloatArray, FloatArray]:
        """Return the mode in standard normal scores, and the normal standard deviation along each axis, `float64[d]`.

        The standard deviation is 1 / sqrt(curvature), at most the prior's 1.
        """
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

    def points(self) -> tuple[FloatArray, FloatArray]:
        """Return standard deviations around the mode, `float64[k, d]`, and the logs of prior over sampling density."""
        centre, width = self.find()
        d = len(self.kinds)
        n = min(N_OF_EACH * d, N_OF_ALL)
        half = normal_quantile(lattice(n // 2, d) if d > 1 else (np.arange(n // 2)[:, None] + 0.5) / n)
        z = np.concatenate([half, -half])  # as much on either side of the peak
        scores = centre + WIDER * width * z
        return sds_at(scores, self.kinds, self.scales), ((z**2).sum(axis=1) - (scores**2).sum(axis=1)) / 2


def at_spreads(design: Design, kinds: IntArray, sds: FloatArray) -> Posterior:
    """Fit games with the standard deviations of `kinds` fixed at `sds`, `float64[d]`: a posterior of one fit."""
    modes = find_modes(
        design, priors_at(design, kinds, sds[None]), origin(design), with_corrections=True, tolerance=NEAR
    )
    return Posterior(design, modes, kinds, sds[None], np.ones(1))


def origin(design: Design) -> FloatArray:
    """Return where a fit starts, `float64[n]`: all effects 0, and the cut of the observed share of draws."""
    effects = np.zeros(design.g + 1 + len(design.local_kinds))
    effects[design.g] = start_cut(design.law, float(design.draws.sum() / design.count.sum()))
    return effects


def plain_fit(design: Design) -> Posterior:
    """Fit by plain maximum likelihood without random effects: a posterior of one fit, with Wald's covariance."""
    priors = Priors.of(design, np.zeros((1, design.g)), np.ones((1, len(design.local_kinds))), tied=True)
    modes = find_modes(design, priors, origin(design))
    return Posterior(design, modes, np.zeros(0, np.int64), np.zeros((1, 0)), np.ones(1))
