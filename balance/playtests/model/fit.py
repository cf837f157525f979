"""Modes of many posteriors at once: Newton's method over an arrowhead matrix, and what Laplace's method says there.

A batch holds the same games under other spreads of effects, other weights of games (0 leaves one out), or both. Each
member's log-posterior is concave, so the mode is one and Newton's steps find it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

import numpy as np

from balance.base.arrays import BoolArray, FloatArray
from balance.playtests.model.design import Design
from balance.playtests.model.outcomes import CUT_PRIORS, Outcomes, Slopes, slopes, third_and_fourth
from balance.playtests.model.partial_sums import BlockSums, Products

LONGEST_STEP = 3.0
"""By how many logits one step may move an effect."""
FEW_MEMBERS = 4
"""Members of a batch of many effects up to which products are not kept: they are used too seldom."""
MOST_SHARED = 2_000_000
"""Covariances between the rows of each session that are held at once (16 MB, a few times over)."""
MOST_STEPS = 60
MOST_HALVINGS = 30
TOLERANCE = 1e-9
"""The largest step, in logits, of a fit that has ended."""


@dataclass(frozen=True)
class Priors:
    """Independent normal priors with mean 0 on the effects, and one on the cut.

    `precision`: `float64[k, g]`, one over the variance of each global effect; 0 for a flat prior. `local_precision`:
    `float64[k, s, l]`, positive. `cut_precision` and `cut_mean`: of the draws' parameter. `tie`: weight that keeps the
    sum of strengths at 0; only needed where their precision is 0.
    """

    precision: FloatArray
    local_precision: FloatArray
    cut_precision: float
    cut_mean: float
    tie: float = 0.0

    @classmethod
    def of_cut(cls, design: Design, precision: FloatArray, local_precision: FloatArray) -> Priors:
        """Return priors with these precisions and the usual prior of the design's law on the cut (`CUT_PRIORS`)."""
        mean, sd = CUT_PRIORS[design.law]
        return cls(precision, local_precision, sd**-2, mean)


@dataclass(frozen=True)
class Modes:
    """Where k posteriors peak, and their curvature there.

    * `effects`: `float64[k, g + 1]`: the global effects and, last, the cut.
    * `means`: `float64[k, g + 1]`: their posterior means, to the next order of Laplace's method where that was asked
      for.
    * `local`: `float64[k, s, l]`.
    * `covariance`: `float64[k, g + 1, g + 1]`: Laplace's, of the global effects and the cut.
    * `local_inverse`: `float64[k, s, l, l]`: the inverse of each session's own curvature.
    * `link`: `float64[k, s, l, a + 1]`: that inverse times the curvature across; a session's effects move by minus this
      with the global ones that it knows and the cut.
    * `evidence`: `float64[k]`: the logarithm of Laplace's integral of the posterior.
    * `eta`: `float64[k, s, r]`: log-odds of each row.
    * `at`: the derivatives of the log-likelihood at the modes.
    """

    effects: FloatArray
    means: FloatArray
    local: FloatArray
    covariance: FloatArray
    local_inverse: FloatArray
    link: FloatArray
    evidence: FloatArray
    eta: FloatArray
    at: Slopes
    converged: BoolArray

    @property
    def cut(self) -> FloatArray:
        """`float64[k]`: the parameter that makes draws (see `balance.playtests.model.outcomes`)."""
        return self.effects[:, -1]


def stack_modes(members: Sequence[Modes]) -> Modes:
    """Return the modes of several batches as those of one."""

    def parts(pick: Callable[[Any], FloatArray], of: Sequence[Any] = members) -> FloatArray:
        return np.concatenate([pick(attribute) for attribute in of])

    at = Slopes(**{attribute.name: parts(attrgetter(f"at.{attribute.name}")) for attribute in fields(Slopes)})
    names = [attribute.name for attribute in fields(Modes) if attribute.name != "at"]
    return Modes(**{name: parts(attrgetter(name)) for name in names}, at=at)  # type: ignore[arg-type]


def find_modes(
    design: Design,
    priors: Priors,
    start: tuple[FloatArray, FloatArray],
    weights: FloatArray | None = None,
    with_corrections: bool = False,
    tolerance: float = TOLERANCE,
) -> Modes:
    """Find the modes of a batch by Newton's method, until the largest step is below `tolerance` logits.

    `start` holds global and local effects that broadcast to those of the batch; `weights`, `float64[k, s, r]`, how much
    each row counts, 1 by default. `with_corrections` takes means and evidence to the next order of Laplace's method,
    which few won or lost games per session need (Raudenbush, Yang and Yosef 2000).
    """
    weigh = np.ones(1) if weights is None else weights
    outcomes = design.wins * weigh, design.draws * weigh, design.losses * weigh
    work = _Newton(design, priors, outcomes, with_corrections)
    return work.modes(*work.climb(start, tolerance))


def find_evidence(
    design: Design, priors: Priors, start: tuple[FloatArray, FloatArray], tolerance: float
) -> tuple[FloatArray, tuple[FloatArray, FloatArray]]:
    """Return the log evidence of k priors by Laplace's method without corrections, `float64[k]`, and the modes.

    It skips what only an answer needs; `start` and `tolerance` are as for `find_modes`.
    """
    work = _Newton(design, priors, (design.wins, design.draws, design.losses), with_corrections=False)
    effects, local, _ = work.climb(start, tolerance)
    return work.evidence_at(effects, local), (effects, local)


class _Newton:
    """Newton's method for one batch: value, gradient and curvature of its log-posteriors, and what Laplace needs."""

    def __init__(self, design: Design, priors: Priors, outcomes: Outcomes, with_corrections: bool) -> None:
        self.with_corrections = with_corrections
        self.design, self.priors, self.outcomes = design, priors, outcomes
        keep = design.whole or len(priors.precision) > FEW_MEMBERS
        self.block_sums = BlockSums(design, keep)
        self.z_transposed = np.ascontiguousarray(design.z.transpose(0, 2, 1))
        self.cross_products = Products(design.z, design.x, keep)
        self.local_products = Products(design.z, design.z, keep)

    def eta(self, effects: FloatArray, local: FloatArray) -> FloatArray:
        return self.block_sums.row_effects(effects) + (self.design.z @ local.transpose(1, 2, 0)).transpose(2, 0, 1)

    def slopes(self, effects: FloatArray, eta: FloatArray) -> Slopes:
        return slopes(self.design.law, eta, effects[:, -1][:, None, None], *self.outcomes)

    def value(self, effects: FloatArray, local: FloatArray) -> FloatArray:
        """Return the log-posterior, `float64[k]`, less its constant."""
        fit = self.slopes(effects, self.eta(effects, local)).value.sum(axis=(1, 2))
        p = self.priors
        loss = (p.precision * effects[:, :-1] ** 2).sum(1) + (p.local_precision * local**2).sum(axis=(1, 2))
        loss = loss + p.cut_precision * (effects[:, -1] - p.cut_mean) ** 2
        return np.asarray(fit - (loss + p.tie * effects[:, : self.design.n].sum(1) ** 2) / 2)

    def curvature(self, at: Slopes) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return minus the second derivatives: global `[k, g + 1, g + 1]`, across `[k, s, l, a + 1]`, local."""
        p, n, width = self.priors, self.design.n, self.design.z.shape[2]
        k, s, _ = at.eta_eta.shape
        g, a = self.design.g, self.design.x.shape[2]
        top = np.empty((k, g + 1, g + 1))
        top[:, :g, :g] = self.block_sums.sum_row_products(at.eta_eta)
        top[:, :g, g] = top[:, g, :g] = self.block_sums.sum_rows(at.eta_cut)
        top[:, g, g] = at.cut_cut.sum(axis=(1, 2)) + p.cut_precision
        diagonal = np.arange(g)
        top[:, diagonal, diagonal] += p.precision
        top[:, :n, :n] += p.tie
        across = np.empty((k, s, width, a + 1))
        across[..., :a] = self.cross_products.weigh(at.eta_eta)
        across[..., a] = (at.eta_cut.transpose(1, 0, 2) @ self.design.z).transpose(1, 0, 2)
        local_curvature = np.ascontiguousarray(self.local_products.weigh(at.eta_eta))
        inner = np.arange(width)
        local_curvature[..., inner, inner] += p.local_precision
        return top, across, local_curvature

    def gradient(self, at: Slopes, effects: FloatArray, local: FloatArray) -> tuple[FloatArray, FloatArray]:
        p, n = self.priors, self.design.n
        up = np.empty_like(effects)
        up[:, :-1] = self.block_sums.sum_rows(at.eta) - p.precision * effects[:, :-1]
        up[:, :n] -= p.tie * effects[:, :n].sum(1, keepdims=True)
        up[:, -1] = at.cut.sum(axis=(1, 2)) - p.cut_precision * (effects[:, -1] - p.cut_mean)
        return up, (at.eta.transpose(1, 0, 2) @ self.design.z).transpose(1, 0, 2) - p.local_precision * local

    def step(self, effects: FloatArray, local: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return Newton's step in global and local effects, by the Schur complement: sessions are eliminated first."""
        at = self.slopes(effects, self.eta(effects, local))
        top, across, local_curvature = self.curvature(at)
        up, local_up = self.gradient(at, effects, local)
        if not self.design.z.shape[2]:
            return self.block_sums.solve(top, up), local_up
        solution = np.linalg.solve(local_curvature, np.concatenate([across, local_up[..., None]], axis=3))
        link, local_step = solution[..., :-1], solution[..., -1]
        schur = self.block_sums.reduce_curvature(top, across, link)
        step = self.block_sums.solve(
            schur, up - self.block_sums.sum_over_blocks((local_step[:, :, None, :] @ across)[:, :, 0])
        )
        return step, np.asarray(local_step - (link @ self.block_sums.of_blocks(step)[..., None])[..., 0])

    def climb(self, start: tuple[FloatArray, FloatArray], tolerance: float) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Return global and local effects at the modes, and which of the k fits converged within `MOST_STEPS`."""
        k, g = self.priors.precision.shape
        effects = np.broadcast_to(start[0], (k, g + 1)).copy()
        local = np.broadcast_to(start[1], self.priors.local_precision.shape).copy()
        value = self.value(effects, local)
        converged = np.zeros(k, np.bool_)
        for _ in range(MOST_STEPS):
            effects, local, value, distance = self.improve(effects, local, value)
            converged = distance < tolerance
            if converged.all():
                break
        return effects, local, converged

    def improve(
        self, effects: FloatArray, local: FloatArray, value: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return effects, local effects and value after a step, halved while the value falls, and the step's length."""
        step, local_step = self.step(effects, local)
        largest = np.maximum(np.abs(step).max(axis=1), np.abs(local_step).max(axis=(1, 2), initial=0.0))
        scale = LONGEST_STEP / np.maximum(largest, LONGEST_STEP)
        if self.design.law == "rao_kupper":  # the threshold stays above 0
            scale = np.minimum(scale, effects[:, -1] / np.maximum(-step[:, -1], 1e-300) / 2)
        for _ in range(MOST_HALVINGS):
            trial = effects + scale[:, None] * step, local + scale[:, None, None] * local_step
            new = self.value(*trial)
            worse = new < value - 1e-9 * (1 + np.abs(value))
            if not worse.any():
                break
            scale = np.where(worse, scale / 2, scale)
        return *trial, new, largest * scale

    def modes(self, effects: FloatArray, local: FloatArray, converged: BoolArray) -> Modes:
        eta = self.eta(effects, local)
        at = self.slopes(effects, eta)
        top, across, local_curvature = self.curvature(at)
        inverse = np.asarray(np.linalg.inv(local_curvature), np.float64)
        link = inverse @ across
        covariance, log_determinant = self.block_sums.invert(self.block_sums.reduce_curvature(top, across, link))
        means, evidence = effects, self.evidence(effects, local, local_curvature, log_determinant)
        if self.with_corrections:
            members_at_once = max(1, MOST_SHARED // (eta[0].size * eta.shape[2]))
            parts = [slice(at, at + members_at_once) for at in range(0, len(effects), members_at_once)]
            corrections = [self.correction(effects[k], eta[k], covariance[k], inverse[k], link[k]) for k in parts]
            shift, more = (np.concatenate(arrays) for arrays in zip(*corrections, strict=True))
            means, evidence = effects + shift, evidence + more
        return Modes(effects, means, local, covariance, inverse, link, np.asarray(evidence), eta, at, converged)

    def evidence(
        self, effects: FloatArray, local: FloatArray, local_curvature: FloatArray, log_determinant: FloatArray
    ) -> FloatArray:
        """Return the log of Laplace's integral, `float64[k]`; `log_determinant` is that of the global curvature."""
        p = self.priors
        with np.errstate(divide="ignore"):
            log_precision = np.where(p.precision > 0, np.log(p.precision), 0.0).sum(1)
        log_precision = log_precision + np.log(p.local_precision).sum(axis=(1, 2))
        all_bent = log_determinant + np.linalg.slogdet(local_curvature)[1].sum(axis=1)
        return np.asarray(self.value(effects, local) + (log_precision - all_bent) / 2)

    def evidence_at(self, effects: FloatArray, local: FloatArray) -> FloatArray:
        """Return the same as `evidence`, with the determinant but not the inverse of the curvature."""
        top, across, local_curvature = self.curvature(self.slopes(effects, self.eta(effects, local)))
        schur = self.block_sums.reduce_curvature(
            top, across, np.asarray(np.linalg.solve(local_curvature, across), np.float64)
        )
        return self.evidence(effects, local, local_curvature, self.block_sums.log_determinants(schur))

    def correction(
        self, effects: FloatArray, eta: FloatArray, covariance: FloatArray, inverse: FloatArray, link: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return by how much the means of the global effects and the log evidence differ from Laplace's.

        The terms are those of the third and fourth derivatives of each game's log-likelihood; what games of different
        sessions share through the global effects alone is left out of the one term with its third power.
        """
        d = self.design
        third, fourth = third_and_fourth(d.law, eta, effects[:, -1][:, None, None], self.outcomes)
        loadings = -(d.z @ link)  # [k, s, r, a + 1]: each row's own effects once the session's follow the global ones
        loadings[..., :-1] += d.x
        among = self.block_sums.among(covariance)
        shared = (loadings @ among) @ loadings.transpose(0, 1, 3, 2) + (d.z @ inverse) @ self.z_transposed
        variances = np.diagonal(shared, axis1=2, axis2=3)
        pull = third * variances / 2
        total = self.block_sums.sum_over_blocks((pull[:, :, None, :] @ loadings)[:, :, 0, :])
        shift = (covariance @ total[..., None])[..., 0]
        inner = (self.z_transposed @ pull[..., None])[..., 0]
        more = (fourth * variances**2).sum(axis=(1, 2)) / 8
        more = (
            more + ((total * shift).sum(axis=1) + (inner * (inverse @ inner[..., None])[..., 0]).sum(axis=(1, 2))) / 2
        )
        third_by_cubes = (third[:, :, None, :] @ shared**3)[:, :, 0, :]
        return shift, more + (third_by_cubes * third).sum(axis=(1, 2)) / 12
