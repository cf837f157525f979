"""What playing on fresh seeds says of changes: whether every score meets the target, or has at least come nearer."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from balance.analysis.armies.mean_scores import MeanScores
from balance.analysis.changes.tuning.score_forecast import Target

Verdict = Literal["reached", "not reached", "not yet known"]
Headline = Literal["reached", "better", "not found"]
SURE = 0.05
"""Chance that some interval of a verdict leaves out its score."""
LOOK_SURE = SURE / 2
"""The same of a first look, so that it and the second together err no more often."""
NEARER = 2.0
"""Standard errors by which the sum of squares has to fall to be nearer."""


def verdict_of(target: Target, scores: MeanScores, sure: float = SURE) -> Verdict:
    """Return whether scores meet a target, from simultaneous intervals (Bonferroni).

    `sure` is the chance that any of them misses its score.
    """
    from scipy.stats import norm

    scores = judged_scores(target, scores)
    n_claims = len(scores.scores) + (target.first_mover is not None)
    z = float(norm.ppf(1 - sure / 2 / n_claims))
    low, high = scores.scores - z * scores.errors, scores.scores + z * scores.errors
    off = bool(np.any((high < target.low) | (low > target.high)))
    in_band = bool(np.all((low >= target.low) & (high <= target.high)))
    if target.first_mover is not None:
        strong, wide = abs(scores.first_mover), z * scores.first_mover_error
        off, in_band = off or strong - wide > target.first_mover, in_band and strong + wide <= target.first_mover
    return "not reached" if off else "reached" if in_band else "not yet known"


def judged_scores(target: Target, means: MeanScores) -> MeanScores:
    """Return the scores and errors of the entrants that a target judges."""
    return replace(means, scores=target.of_judged(means.scores), errors=target.of_judged(means.errors))


def meets(target: Target, scores: MeanScores) -> bool:
    """Return whether point estimates of scores, and of the first mover, meet a target."""
    return not float(target.misses(scores.scores, scores.first_mover)) > 0


def is_nearer(target: Target, before: MeanScores, after: MeanScores) -> bool:
    """Return whether the sum of squares from one half fell by more than chance; noise is taken off on both sides.

    A first mover stronger than the target allows counts as it does in a search.

    >>> far, near = (MeanScores(np.array([0.5 - by, 0.5 + by]), np.full(2, 0.01), 0.0, 0.01, 100) for by in (0.2, 0.1))
    >>> is_nearer(Target(), far, near), is_nearer(Target(), near, far), is_nearer(Target(), near, near)
    (True, False, False)
    """
    gain, variance = 0.0, 0.0
    for sign, all_means in ((1, before), (-1, after)):
        means = judged_scores(target, all_means)
        gain += sign * float(target.unfairness(all_means.scores, means.first_mover) - np.sum(means.errors**2))
        variance += float(np.sum(4 * (means.scores - 0.5) ** 2 * means.errors**2 + 2 * means.errors**4))
        if target.first_mover is not None:
            excess = max(abs(means.first_mover) - target.first_mover, 0.0)
            variance += (2 * excess * means.first_mover_error * len(means.scores)) ** 2
    return bool(gain > NEARER * variance**0.5)
