r"""What each member of an army adds to its chances, from battles of random armies in mirrored pairs.

Armies X and Y meet twice on the same luck, each going first once. With x the difference of how many of each member they
have, X wins with the log-odds

    going first:  x . beta + phi        going second:  x . beta - phi,

beta one number for each member and phi for going first; a draw counts half. It is fitted by Newton's method.

The unit of observation is the pair: errors come from what each pair adds to the score equations (a sandwich, clustered
by pair), so that luck shared by the two games, and chances that no sum of members holds, are in them.

`calibration` tests such a fit: the chances it gives to battles that it was not fitted to, beside how they came out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from balance.base.answers import Chance, Count, Doc
from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.base.errors import UsageError

WEAK = 2.5e-4
"""Precision of the prior on each number, a thousandth of a battle of even chances: keeps who was never seen at 0."""
FOLDS = 5
MOST_STEPS = 50
CLOSE = 1e-9
"""Largest step of Newton's method after which it has arrived."""


@dataclass(frozen=True)
class Pairs:
    """Mirrored pairs of battles.

    `counts`: `float64[n, m]`, or whole numbers: how many of each member X has more than Y, in whatever unit. `first`
    and `second`: `float64[n]`: what X scores going first and going second: 1, 0, or 1/2 for a draw.
    """

    counts: FloatArray | IntArray
    first: FloatArray
    second: FloatArray

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.first)

    def take(self, rows: BoolArray) -> Pairs:
        """Return the pairs of a mask, `bool[n]`."""
        return Pairs(self.counts[rows], self.first[rows], self.second[rows])


@dataclass(frozen=True)
class PairFit:
    """What members add.

    `beta`: `float64[m]`: in log-odds. `covariance`: `float64[m, m]` of `beta`. `going_first` and `first_error`:
    log-odds of going first, and the standard error.
    """

    beta: FloatArray
    covariance: FloatArray
    going_first: float
    first_error: float
    n_pairs: int

    @property
    def errors(self) -> FloatArray:
        """Standard errors of `beta`, `float64[m]`."""
        return np.asarray(np.sqrt(self.covariance.diagonal()))

    def chances(self, counts: FloatArray | IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the chances of X going first and going second, `float64[n]` each, for differences `[n, m]`."""
        odds = counts @ self.beta
        return _logistic(odds + self.going_first), _logistic(odds - self.going_first)


def _logistic(x: FloatArray) -> FloatArray:
    return np.asarray(np.exp(-np.logaddexp(0.0, -x)))


def fit_winners(pairs: Pairs, near: PairFit | None = None) -> PairFit:
    """Fit log-odds to who won; raise UsageError for fewer pairs than numbers to be found.

    The search begins at a fit `near` by, if there is one.
    """
    x, m = _design(pairs)
    values = np.zeros(m + 1) if near is None else np.append(near.beta, near.going_first)
    likelihood = -np.inf if near is None else _likelihood(x, pairs, values)
    for _ in range(MOST_STEPS):
        slope, inverse = _newton(x, pairs, values)
        step = inverse @ (slope - WEAK * values)
        after = values + step
        while (new_likelihood := _likelihood(x, pairs, after)) < likelihood and float(np.abs(step).max()) > CLOSE:
            step = step / 2  # a whole step went too far
            after = values + step
        values, likelihood = after, new_likelihood
        if float(np.abs(step).max()) < CLOSE:
            break
    whole = _sandwich(_newton(x, pairs, values)[1], _slack(x, pairs, values))
    return PairFit(values[:m], whole[:m, :m], float(values[m]), float(np.sqrt(whole[m, m])), len(pairs))


def _design(pairs: Pairs) -> tuple[FloatArray, int]:
    """Return the counts as floats and the number of members; raise UsageError for too few pairs."""
    n, m = pairs.counts.shape
    if n <= m + 1:
        problem = f"{n} pairs of battles cannot tell {m} members apart"
        raise UsageError(problem, f"at least {m + 2} are needed, and some hundreds for each member to know much")
    return pairs.counts.astype(np.float64), m


def _likelihood(x: FloatArray, pairs: Pairs, values: FloatArray) -> float:
    """Return the log-likelihood plus the log of the weak normal prior."""
    odds, phi = x @ values[:-1], values[-1]
    loss = np.logaddexp(0.0, -odds - phi) + np.logaddexp(0.0, -odds + phi)
    loss += (1 - pairs.first) * (odds + phi) + (1 - pairs.second) * (odds - phi)
    return -float(loss.sum()) - WEAK / 2 * float(values @ values)


def _chances(x: FloatArray, values: FloatArray) -> FloatArray:
    """Return the chances of X going first and going second, `float64[2, n]`."""
    odds, phi = x @ values[:-1], values[-1]
    return _logistic(np.stack([odds + phi, odds - phi]))


def _newton(x: FloatArray, pairs: Pairs, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the slope of the log-likelihood, `float64[m + 1]`, and the inverse of the information."""
    m, chances = x.shape[1], _chances(x, values)
    off, spread = np.stack([pairs.first, pairs.second]) - chances, chances * (1 - chances)
    information = np.empty((m + 1, m + 1))
    weighted = x * np.sqrt(spread.sum(axis=0))[:, None]
    information[:m, :m] = weighted.T @ weighted  # a matrix by itself takes half the time
    information[:m, m] = information[m, :m] = x.T @ (spread[0] - spread[1])
    information[m, m] = spread.sum()
    slope = np.append(x.T @ off.sum(axis=0), (off[0] - off[1]).sum())
    return slope, np.asarray(np.linalg.inv(information + np.eye(m + 1) * WEAK))


def _slack(x: FloatArray, pairs: Pairs, values: FloatArray) -> FloatArray:
    """Return what each pair adds to the score equations, `float64[n, m + 1]`."""
    off = np.stack([pairs.first, pairs.second]) - _chances(x, values)
    return np.column_stack([x * off.sum(axis=0)[:, None], off[0] - off[1]])


def _sandwich(inverse: FloatArray, slack: FloatArray) -> FloatArray:
    """Return the clustered covariance of a fit from what each pair adds, with a small-sample factor n / (n - k)."""
    n, k = slack.shape
    return np.asarray(inverse @ (slack.T @ slack) @ inverse * (n / (n - k)))


@dataclass(frozen=True)
class CalibrationBin:
    """Battles of similar predicted chance."""

    predicted: Annotated[Chance, Doc("The mean chance predicted.")]
    observed: Annotated[Chance, Doc("The share that came so.")]
    error: Annotated[float, Doc("The standard error of the difference of both.")]
    battles: Annotated[Count, Doc("How many.")]


def calibration(
    pairs: Pairs, n_bins: int = 10, folds: int = FOLDS, near: PairFit | None = None
) -> tuple[CalibrationBin, ...]:
    """Return predicted beside observed chances, each battle predicted by a fit to the other folds only.

    Pairs are dealt to folds in turn, and battles to bins by their predicted chance, as many to each, the least first. A
    pair is a cluster in the error. `near` is as in `fit_winners`. Raise UsageError for too few pairs.
    """
    fold, n = np.arange(len(pairs)) % folds, len(pairs)
    chances = np.empty((2, n))
    for at in range(folds):
        fit = fit_winners(pairs.take(fold != at), near)
        chances[:, fold == at] = fit.chances(pairs.counts[fold == at])
    scores = np.stack([pairs.first, pairs.second])
    order = np.argsort(chances.ravel(), kind="stable")
    bins = np.empty(2 * n, np.int64)
    bins[order] = np.arange(2 * n) * n_bins // (2 * n)
    return tuple(_bin((bins == at).reshape(2, n), chances, scores) for at in range(n_bins))


def _bin(inside: BoolArray, chances: FloatArray, scores: FloatArray) -> CalibrationBin:
    count = max(int(inside.sum()), 1)
    off = np.where(inside, scores - chances, 0.0)
    means = [float(np.where(inside, values, 0.0).sum()) / count for values in (chances, scores)]
    by_pair = off.sum(axis=0) - inside.sum(axis=0) * off.sum() / count
    return CalibrationBin(means[0], means[1], float(np.sqrt(np.sum(by_pair**2))) / count, int(inside.sum()))
