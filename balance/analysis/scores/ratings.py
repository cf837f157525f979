r"""One number for the strength of each entrant, and how much of the truth one number can hold.

Bradley and Terry's model with a first-mover term (Bradley and Terry 1952; Davidson and Beaver 1977): going first, i
scores against j

    p_ij = 1 / (1 + exp(-(theta_i - theta_j + phi))).

Here the scores are exact probabilities, a draw counting half, so the fit has no sampling error: it is the ladder
closest to the matrix in likelihood, and its deviance measures how far the matrix is from any ladder. Where somebody
never loses, the likelihood has no maximum; a weak prior (each theta normal with standard deviation `PRIOR_SD`) keeps
the fit finite and hardly moves any other.

A ladder cannot hold a cycle. `cyclic_share` splits the matrix of log-odds, weighted by p(1 - p) so that near-certain
results count little, into the part that a ladder explains and the rest (Jiang, Lim, Yao and Ye 2011): 0 for a pure
ladder on the log-odds scale, 1 for rock-paper-scissors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.base.arrays import FloatArray
from balance.base.errors import UsageError

PRIOR_SD = 10.0
"""Standard deviation, in logits, of the weak prior on strengths."""
LONGEST_STEP = 5.0
"""By how many logits one step of Newton's method may move a strength."""
_SMALLEST = 1e-12


@dataclass(frozen=True)
class Ratings:
    """A fitted ladder.

    `theta`: `float64[n]`, strengths in logits, with mean 0 as far as the weights go. `first_mover`: what going first
    adds, in logits. `deviance` and `null_deviance`: twice the lost log-likelihood against a perfect fit: of the ladder,
    and of equal strengths without a first mover. `iterations`: newton steps made.
    """

    theta: FloatArray
    first_mover: float
    deviance: float
    null_deviance: float
    iterations: int

    @property
    def explained_share(self) -> float:
        """The share of the null deviance that the ladder explains; 1 where there is nothing to explain."""
        return 1.0 - self.deviance / self.null_deviance if self.null_deviance else 1.0

    def predict(self) -> FloatArray:
        """Return the ladder's `float64[n, n]`: the score of the row going first against the column."""
        return _logistic(self.theta[:, None] - self.theta[None, :] + self.first_mover)


def _logistic(x: FloatArray) -> FloatArray:
    return np.asarray(np.exp(-np.logaddexp(0.0, -x)))


def fit_ratings(
    going_first: npt.ArrayLike, weights: npt.ArrayLike | None = None, share: FloatArray | None = None
) -> Ratings:
    """Fit the ladder to scores by Newton's method.

    `going_first`, `float64[n, n]`, is what the row scores against the column going first, from 0 to 1, and `weights`,
    as large and not negative, how much each match-up counts (1 by default, 0 where it was not played; the score is then
    ignored). `share`, `float64[n]`, is how much each entrant counts, 1 by default. Raise UsageError where the matrix is
    not square, or a score with weight lies outside 0 to 1.
    """
    scores = np.asarray(going_first, np.float64)
    counts = np.ones_like(scores) if weights is None else np.asarray(weights, np.float64)
    if scores.ndim != 2 or scores.shape[0] != scores.shape[1] or counts.shape != scores.shape:
        raise UsageError(f"scores must be a square matrix with weights alike, found {scores.shape} and {counts.shape}")
    scores = np.where(counts, scores, 0.5)
    if not ((scores >= 0) & (scores <= 1)).all():
        raise UsageError("scores lie between 0 and 1")
    n = len(scores)
    shares = np.ones(n) if share is None else share
    counts = counts * shares[:, None] * shares
    values, iterations = np.zeros(n + 1), 0
    for iterations in range(1, 101):  # noqa: B007 - how many it took is part of the answer
        step = _newton_step(values, scores, counts, np.append(shares, 1.0) / PRIOR_SD**2)
        largest = float(np.abs(step).max())
        values = values + step * (LONGEST_STEP / max(largest, LONGEST_STEP))
        if largest < 1e-10:
            break
    predictions = _logistic(values[:n, None] - values[None, :n] + values[n])
    null = np.full_like(scores, 0.5)
    return Ratings(
        values[:n],
        float(values[n]),
        _deviance(scores, predictions, counts),
        _deviance(scores, null, counts),
        iterations,
    )


def _newton_step(values: FloatArray, scores: FloatArray, counts: FloatArray, prior: FloatArray) -> FloatArray:
    """Return one Newton step for (theta, phi) on the penalised log-likelihood; mirror matches inform phi alone."""
    n = len(scores)
    theta, phi = values[:n], values[n]
    p = _logistic(theta[:, None] - theta[None, :] + phi)
    slack, spread = counts * (scores - p), counts * p * (1 - p)
    gradient = np.append(slack.sum(1) - slack.sum(0), slack.sum()) - prior * values
    total_spread = spread + spread.T
    curvature = np.empty((n + 1, n + 1))
    curvature[:n, :n] = np.diag(total_spread.sum(1)) - total_spread
    curvature[:n, n] = curvature[n, :n] = spread.sum(1) - spread.sum(0)
    curvature[n, n] = spread.sum()
    return np.asarray(np.linalg.solve(curvature + np.diag(prior), gradient))


def _deviance(scores: FloatArray, predictions: FloatArray, counts: FloatArray) -> float:
    from scipy.special import rel_entr

    return float(2 * np.sum(counts * (rel_entr(scores, predictions) + rel_entr(1 - scores, 1 - predictions))))


def ratings_against(
    going_first: FloatArray,
    going_second: FloatArray,
    panel: FloatArray,
    first_mover: float,
    weights: FloatArray,
    counts: FloatArray | float = 1.0,
) -> FloatArray:
    """Return the strengths, `float64[k, n]`, that explain results against opponents of known strength.

    `going_first` and `going_second`, `float64[n, m]`, are what each entrant scores against each of m opponents, whose
    ratings are `panel`, `float64[m]`. `weights`, `float64[k, m]`, are k ways to count the opponents, and `counts`,
    `float64[n, m]`, how much each match-up counts beside that, 0 for one that was not played.
    """
    total = weights @ (counts * (going_first + going_second)).T
    theta: FloatArray = np.zeros_like(total)
    prior = 1 / PRIOR_SD**2
    for _ in range(60):
        gap = theta[:, :, None] - panel
        first, second = _logistic(gap + first_mover), _logistic(gap - first_mover)
        spread = counts * (first * (1 - first) + second * (1 - second))
        slope = np.einsum("km,knm->kn", weights, spread) + prior
        step = (total - np.einsum("km,knm->kn", weights, counts * (first + second)) - prior * theta) / slope
        theta = theta + np.clip(step, -2.0, 2.0)
        if float(np.abs(step).max(initial=0.0)) < 1e-9:
            break
    return theta


def strength_errors(error: FloatArray, ladder: Ratings, counts: FloatArray) -> FloatArray:
    """Return the standard errors of strengths, `float64[n]`, that follow from those of scores, opponents as fitted.

    `error`, `float64[n, n]`, is that of what the row scores going first, and `counts`, as large, how much each match-up
    counts.
    """
    first = ladder.predict()
    second = 1.0 - first.T
    slope = (counts * (first * (1 - first) + second * (1 - second))).sum(1) + 1 / PRIOR_SD**2
    return np.asarray(np.sqrt((counts**2 * (error**2 + error.T**2)).sum(1)) / slope)


def cyclic_share(going_first: npt.ArrayLike) -> float:
    """Return the share of the matrix that no ladder can explain, from 0 to 1, on the weighted log-odds scale.

    Scores are as in `fit_ratings`; the log-odds of both seats are averaged, which takes the first move out.

    >>> round(cyclic_share([[0.5, 0.9, 0.1], [0.1, 0.5, 0.9], [0.9, 0.1, 0.5]]), 6)
    1.0
    """
    scores = np.clip(np.asarray(going_first, np.float64), _SMALLEST, 1 - _SMALLEST)
    turn_orders = np.log(scores) - np.log1p(-scores)
    odds = (turn_orders - turn_orders.T) / 2
    weights = _logistic(odds) * _logistic(-odds)
    np.fill_diagonal(weights, 0.0)
    laplacian = np.diag(weights.sum(1)) - weights
    ladder = np.linalg.pinv(laplacian, hermitian=True) @ (weights * odds).sum(1)
    rest = odds - (ladder[:, None] - ladder[None, :])
    whole = float(np.sum(weights * odds**2))
    return float(np.sum(weights * rest**2)) / whole if whole > 1e-20 else 0.0
