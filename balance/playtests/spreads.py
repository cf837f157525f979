"""How far effects spread is unknown: posteriors over a fixed design of spreads, and what they say together.

Each kind of effect is normal with mean 0 and an unknown standard deviation: lognormal for strengths, so that the prior
alone calls nobody equal, and half-normal for the others, which may not be there at all. The standard deviations are
integrated out: a lattice of points in the quantiles of their priors, each with its Laplace fit, weighed
by its evidence. So every answer is a mixture of normals, without simulation. (Rue, Martino and Chopin 2009 call this
nested Laplace approximation.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from balance.playtests.design import COST, FIRST_MOVER, FORM, NOTHING, PLAYER, SCENARIO, SEAT, STRENGTH, Design
from balance.playtests.fit import Modes, Priors, find_modes
from balance.playtests.games import FloatArray, IntArray
from balance.playtests.outcomes import start_cut

__all__ = ["SCALES", "Posterior", "Quantiles", "plain_fit", "posterior", "priors_at"]

STRENGTH_SPREAD = 0.4
"""Standard deviation of the logarithm of the spread of strengths, under its prior: 95 % within a factor of 2.2."""
SCALES = {STRENGTH: 0.7, PLAYER: 0.5, SCENARIO: 0.5, FORM: 0.5, SEAT: 0.5}
"""Scales, in logits, of the priors on the standard deviation of each kind of effect: the median of strengths' lognormal
one, and the scale of the others' half-normal ones."""
FIXED_SD = {FIRST_MOVER: 1.0, COST: 2.0}
"""Standard deviations of effects that stand alone."""
N_POINTS = 64
"""Points of the lattice of spreads; of very large logs fewer, down to 8, which tell the spreads better themselves."""
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

    def typical_sds(self, weights: FloatArray | None = None) -> FloatArray:
        """Return the root mean square of each spread, `float64[d]`."""
        return np.asarray(np.sqrt((self.weights if weights is None else weights) @ self.sds**2))

    @property
    def effects(self) -> FloatArray:
        """`float64[g + 1]`: the mean of the global effects and the cut."""
        return np.asarray(self.weights @ self.modes.means)


def lattice(n: int, d: int) -> FloatArray:
    """Return `float64[n, d]`: points that fill the unit cube evenly, by powers of the generalised golden ratio.

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
    there = np.union1d(design.kinds, design.local_kinds)
    return np.array([kind for kind in SCALES if kind in there], np.int64)


def priors_at(design: Design, kinds: IntArray, sds: FloatArray) -> Priors:
    """Return the priors under each row of `float64[k, d]` standard deviations."""
    known = np.ones((len(sds), NOTHING + 1))
    for kind, sd in FIXED_SD.items():
        known[:, kind] = sd
    known[:, kinds] = sds
    precision = known**-2.0
    return Priors.of_cut(design, precision[:, design.kinds], precision[:, design.local_kinds])


def posterior(design: Design, scale: float) -> Posterior:
    """Fit games under all spreads; `scale` is that of strengths.

    >>> from balance.playtests.design import design
    >>> from balance.playtests.games import games_of
    >>> found = posterior(design(games_of(["elf"] * 9, ["orc"] * 9, [1] * 7 + [0] * 2), "none", True), 1.0)
    >>> low, high = found.mixture(np.array([[1.0, -1.0, 0.0]])).interval(0.95)
    >>> bool(low[0] < 1.0 < high[0])
    True
    """
    kinds = unknown_kinds(design)
    scales = np.array([scale if kind == STRENGTH else SCALES[kind] for kind in kinds.tolist()])
    links = design.local_kinds.size * (design.x.shape[2] + 1)
    chance = lattice(int(np.clip(MOST_LINKS // max(links, 1), 8, N_POINTS)), len(kinds))
    lognormal, half_normal = np.exp(STRENGTH_SPREAD * ndtri(chance)), ndtri((1 + chance) / 2)
    sds = np.maximum(scales * np.where(kinds == STRENGTH, lognormal, half_normal), LEAST_SD)
    first = find_modes(design, priors_at(design, kinds, scales[None, :]), origin(design))
    modes = find_modes(
        design, priors_at(design, kinds, sds), (first.effects, first.local), corrected=True, tolerance=NEAR
    )
    weights = np.exp(modes.evidence - modes.evidence.max())
    return Posterior(design, modes, kinds, sds, weights / weights.sum())


def origin(design: Design) -> tuple[FloatArray, FloatArray]:
    """Return where a fit without knowledge starts: no effects, and the draws that were seen."""
    effects = np.zeros(design.x.shape[2] + 1)
    effects[-1] = start_cut(design.law, float(design.drawn.sum() / design.count.sum()))
    return effects, np.zeros(design.local_kinds.shape)


def plain_fit(design: Design) -> Posterior:
    """Fit by plain maximum likelihood, without random effects: one fit of weight 1, with Wald's errors."""
    nothing = np.zeros((1, design.x.shape[2]))
    priors = Priors(nothing, np.ones((1, *design.local_kinds.shape)), 0.0 if design.law != "none" else 1.0, 0.0, 1.0)
    modes = find_modes(design, priors, origin(design))
    return Posterior(design, modes, np.zeros(0, np.int64), np.zeros((1, 0)), np.ones(1))
