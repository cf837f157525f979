"""Modes of many posteriors at once: Newton's method over an arrowhead matrix, and what Laplace's method says there.

A batch holds the same games under other spreads of effects, other weights of games (0 leaves one out), or both. Each
member's log-posterior is concave, so the mode is one and Newton's steps find it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.playtests.design import Design
from balance.playtests.games import FloatArray
from balance.playtests.outcomes import CUT_PRIORS, Outcomes, Slopes, slopes, third_and_fourth

__all__ = ["Modes", "Priors", "find_modes"]

LONGEST_STEP = 3.0
"""By how many logits one step may move an effect."""
MOST_KEPT = 8_000_000
"""Products of columns that are kept while a batch is fitted (64 MB); more are worked out anew at each step."""
MOST_STEPS = 60
MOST_HALVINGS = 30
TOLERANCE = 1e-9
"""The largest step, in logits, of a fit that has ended."""


@dataclass(frozen=True)
class Priors:
    """What is believed of the effects beforehand: independent, with mean 0.

    Attributes
    ----------
    precision
        `float64[k, g]`, one over the variance of each global effect; 0 where nothing is believed.
    local_precision
        `float64[k, s, l]`, positive.
    cut_precision, cut_mean
        Of the draws' parameter.
    tie
        Weight that keeps the sum of strengths at 0; only needed where their precision is 0.
    """

    precision: FloatArray
    local_precision: FloatArray
    cut_precision: float
    cut_mean: float
    tie: float = 0.0

    @classmethod
    def of_cut(cls, design: Design, precision: FloatArray, local_precision: FloatArray) -> Priors:
        """Return priors with the usual one on draws."""
        mean, sd = CUT_PRIORS[design.law]
        return cls(precision, local_precision, sd**-2, mean)


@dataclass(frozen=True)
class Modes:
    """Where k posteriors peak, and their curvature there.

    Attributes
    ----------
    effects
        `float64[k, g + 1]`: the global effects and, last, the cut.
    means
        `float64[k, g + 1]`: their posterior means, to the next order of Laplace's method where that was asked for.
    local
        `float64[k, s, l]`.
    covariance
        `float64[k, g + 1, g + 1]`: Laplace's, of the global effects and the cut.
    local_inverse
        `float64[k, s, l, l]`: the inverse of each session's own curvature.
    link
        `float64[k, s, l, g + 1]`: that inverse times the curvature across; a session's effects move by minus this
        with the global ones.
    evidence
        `float64[k]`: the logarithm of Laplace's integral of the posterior.
    eta
        `float64[k, s, r]`: log-odds of each row.
    at
        The slopes there.
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
    converged: npt.NDArray[np.bool_]

    @property
    def cut(self) -> FloatArray:
        """`float64[k]`."""
        return self.effects[:, -1]


def find_modes(
    design: Design,
    priors: Priors,
    start: tuple[FloatArray, FloatArray],
    weights: FloatArray | None = None,
    corrected: bool = False,
    tolerance: float = TOLERANCE,
) -> Modes:
    """Find the modes of a batch.

    Parameters
    ----------
    start
        Effects and local effects to start from, of shapes that broadcast to those of the batch.
    weights
        `float64[k, s, r]`: how much each row counts; 1 by default.
    corrected
        Whether means and evidence are taken to the next order of Laplace's method, which a few won or lost games of
        each session need (Raudenbush, Yang and Yosef 2000).
    tolerance
        The largest step, in logits, after which a fit has ended.
    """
    k, g = priors.precision.shape
    weigh = np.ones(1) if weights is None else weights
    outcomes = design.won * weigh, design.drawn * weigh, design.lost * weigh
    effects = np.broadcast_to(start[0], (k, g + 1)).copy()
    local = np.broadcast_to(start[1], priors.local_precision.shape).copy()
    work = _Newton(design, priors, outcomes, corrected)
    value = work.value(effects, local)
    done = np.zeros(k, np.bool_)
    for _ in range(MOST_STEPS):
        effects, local, value, moved = work.improved(effects, local, value)
        done = moved < tolerance
        if done.all():
            break
    return work.modes(effects, local, done)


class _Newton:
    """The pieces of one batch's steps."""

    def __init__(self, design: Design, priors: Priors, outcomes: Outcomes, corrected: bool) -> None:
        self.corrected = corrected
        self.design, self.priors, self.outcomes = design, priors, outcomes
        s, r, g = design.x.shape
        self.flat = design.x.reshape(s * r, g)
        self.turned = np.ascontiguousarray(design.z.transpose(0, 2, 1))
        self.squares = _Products(self.flat[None], self.flat[None])
        self.across = _Products(design.z, design.x)
        self.own = _Products(design.z, design.z)

    def eta(self, effects: FloatArray, local: FloatArray) -> FloatArray:
        s, r, _ = self.design.x.shape
        eta = (effects[:, :-1] @ self.flat.T).reshape(-1, s, r)
        return np.asarray(eta + (self.design.z @ local.transpose(1, 2, 0)).transpose(2, 0, 1))

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
        """Return minus the second derivatives: global `[k, g, g]`, across `[k, s, l, g]`, local `[k, s, l, l]`."""
        p, n, width = self.priors, self.design.n, self.design.z.shape[2]
        k, s, r = at.eta_eta.shape
        g = self.flat.shape[1]
        top = np.empty((k, g + 1, g + 1))
        top[:, :g, :g] = self.squares.weighed(at.eta_eta.reshape(k, 1, s * r))[:, 0]
        top[:, :g, g] = top[:, g, :g] = at.eta_cut.reshape(k, s * r) @ self.flat
        top[:, g, g] = at.cut_cut.sum(axis=(1, 2)) + p.cut_precision
        diagonal = np.arange(g)
        top[:, diagonal, diagonal] += p.precision
        top[:, :n, :n] += p.tie
        across = np.empty((k, s, width, g + 1))
        across[..., :g] = self.across.weighed(at.eta_eta)
        across[..., g] = (at.eta_cut.transpose(1, 0, 2) @ self.design.z).transpose(1, 0, 2)
        own = np.ascontiguousarray(self.own.weighed(at.eta_eta))
        inner = np.arange(width)
        own[..., inner, inner] += p.local_precision
        return top, across, own

    def gradient(self, at: Slopes, effects: FloatArray, local: FloatArray) -> tuple[FloatArray, FloatArray]:
        p, n = self.priors, self.design.n
        k = len(effects)
        up = np.empty_like(effects)
        up[:, :-1] = at.eta.reshape(k, -1) @ self.flat - p.precision * effects[:, :-1]
        up[:, :n] -= p.tie * effects[:, :n].sum(1, keepdims=True)
        up[:, -1] = at.cut.sum(axis=(1, 2)) - p.cut_precision * (effects[:, -1] - p.cut_mean)
        return up, (at.eta.transpose(1, 0, 2) @ self.design.z).transpose(1, 0, 2) - p.local_precision * local

    def step(self, effects: FloatArray, local: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return Newton's step: the sessions' effects are solved for first, block by block, then the global ones."""
        at = self.slopes(effects, self.eta(effects, local))
        top, across, own = self.curvature(at)
        up, local_up = self.gradient(at, effects, local)
        solved = np.linalg.solve(own, np.concatenate([across, local_up[..., None]], axis=3))
        link, moved = solved[..., :-1], solved[..., -1]
        folded = _folded(across)
        schur = top - folded.transpose(0, 2, 1) @ _folded(link)
        rest = up - (folded.transpose(0, 2, 1) @ moved.reshape(len(up), -1, 1))[..., 0]
        step = np.linalg.solve(schur, rest[..., None])[..., 0]
        return np.asarray(step), np.asarray(moved - (link @ step[:, None, :, None])[..., 0])

    def improved(
        self, effects: FloatArray, local: FloatArray, value: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return the effects after one step, shortened until it does no harm, their value, and how far it went."""
        step, local_step = self.step(effects, local)
        largest = np.maximum(np.abs(step).max(axis=1), np.abs(local_step).max(axis=(1, 2), initial=0.0))
        scale = LONGEST_STEP / np.maximum(largest, LONGEST_STEP)
        if self.design.law == "rao_kupper":  # the threshold stays above 0
            down = np.maximum(-step[:, -1], 1e-300)
            scale = np.minimum(scale, effects[:, -1] / down / 2)
        for _ in range(MOST_HALVINGS):
            tried = effects + scale[:, None] * step, local + scale[:, None, None] * local_step
            new = self.value(*tried)
            worse = new < value - 1e-9 * (1 + np.abs(value))
            if not worse.any():
                break
            scale = np.where(worse, scale / 2, scale)
        return *tried, new, largest * scale

    def modes(self, effects: FloatArray, local: FloatArray, done: npt.NDArray[np.bool_]) -> Modes:
        eta = self.eta(effects, local)
        at = self.slopes(effects, eta)
        top, across, own = self.curvature(at)
        inverse = np.asarray(np.linalg.inv(own), np.float64)
        link = inverse @ across
        schur = top - _folded(across).transpose(0, 2, 1) @ _folded(link)
        covariance = np.asarray(np.linalg.inv(schur), np.float64)
        p = self.priors
        with np.errstate(divide="ignore"):
            believed = np.where(p.precision > 0, np.log(p.precision), 0.0).sum(1)
        believed = believed + np.log(p.local_precision).sum(axis=(1, 2))
        bent = np.linalg.slogdet(schur)[1] + np.linalg.slogdet(own)[1].sum(axis=1)
        evidence = self.value(effects, local) + (believed - bent) / 2
        if self.corrected:
            shift, more = self.correction(effects, eta, covariance, inverse, link)
            means, evidence = effects + shift, evidence + more
        else:
            means = effects
        return Modes(effects, means, local, covariance, inverse, link, np.asarray(evidence), eta, at, done)

    def correction(
        self, effects: FloatArray, eta: FloatArray, covariance: FloatArray, inverse: FloatArray, link: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return by how much the means of the global effects and the evidence differ from Laplace's.

        The terms are those of the third and fourth derivatives of each game's log-likelihood; what games of different
        sessions share through the global effects alone is left out of the one term with its third power.
        """
        d = self.design
        third, fourth = third_and_fourth(d.law, eta, effects[:, -1][:, None, None], self.outcomes)
        carried = -(d.z @ link)  # [k, s, r, g + 1]: each row's own effects once the session's follow the global ones
        carried[..., :-1] += d.x
        shared = (carried @ covariance[:, None]) @ carried.transpose(0, 1, 3, 2) + (d.z @ inverse) @ self.turned
        own = np.diagonal(shared, axis1=2, axis2=3)
        pull = third * own / 2
        total = (pull[:, :, None, :] @ carried)[:, :, 0, :].sum(axis=1)
        shift = (covariance @ total[..., None])[..., 0]
        inner = (self.turned @ pull[..., None])[..., 0]
        more = (fourth * own**2).sum(axis=(1, 2)) / 8
        more = (
            more + ((total * shift).sum(axis=1) + (inner * (inverse @ inner[..., None])[..., 0]).sum(axis=(1, 2))) / 2
        )
        cubed = (third[:, :, None, :] @ shared**3)[:, :, 0, :]
        return shift, more + (cubed * third).sum(axis=(1, 2)) / 12


def _folded(blocks: FloatArray) -> FloatArray:
    """Return `[k, s, l, g]` as `[k, s * l, g]`."""
    k, s, width, g = blocks.shape
    return blocks.reshape(k, s * width, g)


class _Products:
    """Sums over the rows of each session of weight times `left` times `right`, for many weights at once."""

    def __init__(self, left: FloatArray, right: FloatArray) -> None:
        self.left, self.right = left, right
        s, r, a = left.shape
        self.shape = s, a, right.shape[2]
        kept = left.size * right.shape[2] <= MOST_KEPT
        self.kept = (left[..., :, None] * right[..., None, :]).reshape(s, r, -1) if kept else None

    def weighed(self, weights: FloatArray) -> FloatArray:
        """Return `[k, s, a, b]` of `[k, s, r]` weights."""
        s, a, b = self.shape
        if self.kept is not None:
            found = (weights.transpose(1, 0, 2) @ self.kept).reshape(s, len(weights), a, b)
            return np.asarray(found.transpose(1, 0, 2, 3))
        turned = self.left.transpose(0, 2, 1)
        return np.stack([turned @ (each[..., None] * self.right) for each in weights])
