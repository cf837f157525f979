"""Modes of many posteriors at once: Newton's method over an arrowhead matrix, and what Laplace's method says there.

A batch holds the same games under other spreads of effects, other weights of games (0 leaves one out), or both. Each
member's log-posterior is concave, so the mode is one and Newton's steps find it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.base.arrays import BoolArray, FloatArray
from balance.playtests.model.arrowhead import Curvature
from balance.playtests.model.design import Design
from balance.playtests.model.outcomes import CUT_PRIORS, Outcomes, Slopes, slopes, third_and_fourth

LONGEST_STEP = 3.0
"""By how many logits one step may move an effect."""
MOST_STEPS = 60
MOST_HALVINGS = 30
TOLERANCE = 1e-9
"""The largest step, in logits, of a fit that has ended."""


@dataclass(frozen=True)
class Priors:
    """Independent normal priors on the effects: means, `float64[n]`, and one over variances, `float64[k, n]`.

    A precision of 0 is a flat prior. `tied`: whether the sum of strengths is held at 0; only needed where their
    precision is 0.
    """

    precision: FloatArray
    mean: FloatArray
    tied: bool = False

    @classmethod
    def of(cls, design: Design, precision: FloatArray, local_precision: FloatArray, tied: bool = False) -> Priors:
        """Return priors with these precisions and the usual prior of the design's law on the cut (`CUT_PRIORS`).

        Plain likelihood, `tied`, has none on a cut that the games tell.
        """
        mean, sd = (0.0, np.inf if design.law != "none" else 1.0) if tied else CUT_PRIORS[design.law]
        cut = np.full((len(precision), 1), sd**-2)
        means = np.zeros(design.g + 1 + len(design.local_kinds))
        means[design.g] = mean
        return cls(np.concatenate([precision, cut, local_precision], axis=1), means, tied)


@dataclass(frozen=True)
class Modes:
    """Where k posteriors peak, and how they lie around it.

    * `all_effects`: `float64[k, n]`: the global effects, the cut, and the local ones.
    * `means`: `float64[k, g + 1]`: posterior means of the global effects and the cut, to the next order of Laplace's
      method where that was asked for.
    * `covariance`: `float64[k, t, t]`: Laplace's, of the effects that `Design.answer_effects` names.
    * `evidence`: `float64[k]`: the logarithm of Laplace's integral of the posterior.
    * `value` and `bend`: `float64[k, m]`: each row's log-likelihood at the modes, and minus its second derivative by
      the log-odds.
    * `curvature`: of the posteriors at the modes, unless it was dropped.
    """

    all_effects: FloatArray
    means: FloatArray
    covariance: FloatArray
    evidence: FloatArray
    value: FloatArray
    bend: FloatArray
    converged: BoolArray
    curvature: Curvature | None

    @property
    def effects(self) -> FloatArray:
        """`float64[k, g + 1]`: the global effects and, last, the cut."""
        return self.all_effects[:, : self.means.shape[1]]

    @property
    def cut(self) -> FloatArray:
        """`float64[k]`: the parameter that makes draws (see `balance.playtests.model.outcomes`)."""
        return self.effects[:, -1]


def stack_modes(members: Sequence[Modes]) -> Modes:
    """Return the modes of several batches as those of one, without their curvature."""
    names = ("all_effects", "means", "covariance", "evidence", "value", "bend", "converged")
    parts = {name: np.concatenate([getattr(member, name) for member in members]) for name in names}
    return replace(members[0], curvature=None, **parts)


def find_modes(
    design: Design,
    priors: Priors,
    start: FloatArray,
    weights: FloatArray | None = None,
    with_corrections: bool = False,
    tolerance: float = TOLERANCE,
) -> Modes:
    """Find the modes of a batch by Newton's method, until the largest step is below `tolerance` logits.

    `start` holds effects that broadcast to those of the batch; `weights`, `float64[k, m]`, how much each row counts, 1
    by default. `with_corrections` takes means and evidence to the next order of Laplace's method, which few won or lost
    games per session need (Raudenbush, Yang and Yosef 2000).
    """
    weigh = np.ones(1) if weights is None else weights
    outcomes = design.wins * weigh, design.draws * weigh, design.losses * weigh
    work = _Newton(design, priors, outcomes)
    return work.modes(*work.climb(start, tolerance), with_corrections)


def find_evidence(design: Design, priors: Priors, start: FloatArray, tolerance: float) -> tuple[FloatArray, FloatArray]:
    """Return the log evidence of k priors by Laplace's method without corrections, `float64[k]`, and the modes.

    It skips what only an answer needs; `start` and `tolerance` are as for `find_modes`.
    """
    work = _Newton(design, priors, (design.wins, design.draws, design.losses))
    effects, at, _ = work.climb(start, tolerance)
    return work.evidence(effects, at, work.curvature(at)), effects


class _Newton:
    """Newton's method for one batch: value, gradient and curvature of its log-posteriors, and what Laplace needs."""

    def __init__(self, design: Design, priors: Priors, outcomes: Outcomes) -> None:
        self.design, self.priors, self.outcomes = design, priors, outcomes
        self.arrowhead, self.g = design.arrowhead, design.g
        self.tied = design.n if priors.tied else 0

    def slopes(self, effects: FloatArray) -> Slopes:
        cut = effects[:, self.g, None]
        return slopes(self.design.law, self.arrowhead.row_sums(effects), cut, *self.outcomes)

    def value(self, effects: FloatArray, at: Slopes) -> FloatArray:
        """Return the log-posterior, `float64[k]`, less its constant."""
        loss = (self.priors.precision * (effects - self.priors.mean) ** 2).sum(axis=1)
        return np.asarray(at.value.sum(axis=1) - (loss + effects[:, : self.tied].sum(axis=1) ** 2) / 2)

    def curvature(self, at: Slopes) -> Curvature:
        tilt = None if self.design.law == "none" else at.eta_cut
        cut_bend = at.cut_cut.sum(axis=1)
        return self.arrowhead.curvature(at.eta_eta, tilt, cut_bend, self.priors.precision, self.tied)

    def gradient(self, effects: FloatArray, at: Slopes) -> FloatArray:
        up = self.arrowhead.sum_rows(at.eta) - self.priors.precision * (effects - self.priors.mean)
        up[:, : self.tied] -= effects[:, : self.tied].sum(axis=1, keepdims=True)
        up[:, self.g] += at.cut.sum(axis=1)
        return np.asarray(up)

    def climb(self, start: FloatArray, tolerance: float) -> tuple[FloatArray, Slopes, BoolArray]:
        """Return effects and slopes at the modes, and which of the k fits converged within `MOST_STEPS`."""
        effects = np.broadcast_to(start, self.priors.precision.shape).copy()
        at = self.slopes(effects)
        converged = np.zeros(len(effects), np.bool_)
        for _ in range(MOST_STEPS):
            effects, at, distance = self.improve(effects, at)
            converged = distance < tolerance
            if converged.all():
                break
        return effects, at, converged

    def improve(self, effects: FloatArray, at: Slopes) -> tuple[FloatArray, Slopes, FloatArray]:
        """Return effects and slopes after a step, halved while the value falls, and the step's length."""
        step = self.curvature(at).solve(self.gradient(effects, at))
        largest = np.abs(step).max(axis=1)
        scale = LONGEST_STEP / np.maximum(largest, LONGEST_STEP)
        if self.design.law == "rao_kupper":  # the threshold stays above 0
            scale = np.minimum(scale, effects[:, self.g] / np.maximum(-step[:, self.g], 1e-300) / 2)
        value = self.value(effects, at)
        for _ in range(MOST_HALVINGS):
            trial = effects + scale[:, None] * step
            new = self.slopes(trial)
            worse = self.value(trial, new) < value - 1e-9 * (1 + np.abs(value))
            if not worse.any():
                break
            scale = np.where(worse, scale / 2, scale)
        return trial, new, largest * scale

    def modes(self, effects: FloatArray, at: Slopes, converged: BoolArray, with_corrections: bool) -> Modes:
        curvature = self.curvature(at)
        covariance = curvature.covariance(self.design.answer_effects)
        evidence, shift = self.evidence(effects, at, curvature), np.zeros(())
        if with_corrections:
            shift, more = self.correction(effects, curvature)
            evidence = evidence + more
        means = (effects + shift)[:, : self.g + 1]
        return Modes(effects, means, covariance, evidence, at.value, at.eta_eta, converged, curvature)

    def evidence(self, effects: FloatArray, at: Slopes, curvature: Curvature) -> FloatArray:
        """Return the log of Laplace's integral, `float64[k]`."""
        precision = np.delete(self.priors.precision, self.g, axis=1)
        with np.errstate(divide="ignore"):
            log_precision = np.where(precision > 0, np.log(precision), 0.0).sum(axis=1)
        return np.asarray(self.value(effects, at) + (log_precision - curvature.log_determinants()) / 2)

    def correction(self, effects: FloatArray, curvature: Curvature) -> tuple[FloatArray, FloatArray]:
        """Return by how much the means of the effects and the log evidence differ from Laplace's.

        The terms are those of the third and fourth derivatives of each game's log-likelihood; what games of different
        sessions share through the global effects alone is left out of the one term with its third power.
        """
        eta, cut = self.arrowhead.row_sums(effects), effects[:, self.g, None]
        third, fourth = third_and_fourth(self.design.law, eta, cut, self.outcomes)
        variances = curvature.row_variances
        pull = self.arrowhead.sum_rows(third * variances / 2)
        shift = curvature.solve(pull)
        more = (fourth * variances**2).sum(axis=1) / 8 + (pull * shift).sum(axis=1) / 2
        return shift, more + curvature.cubes(third) / 12
