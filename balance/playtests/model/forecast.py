"""The law of a total score over games whose log-odds are uncertain, exactly, and how far out a score lies in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from balance.playtests.games import FloatArray
from balance.playtests.model.outcomes import Law, chances

__all__ = ["Foretold", "foretold_law"]

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(21)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
MOST_EXACT = 300
"""Games up to which the law is exact; of more, it is normal at each node."""
SOFTENING = 0.346
"""Of the mean of 1 / (1 + exp(-x)) over a normal x: its slope goes as one over the root of 1 + 0.346 times its variance
(Monahan and Stefanski 1992 and others)."""


@dataclass(frozen=True)
class Foretold:
    """A score and what was expected of it.

    Attributes
    ----------
    p_value
        Two-sided.
    levels, chances
        The p-values that could have come out, ascending, and the chance of at most each; empty where p-values are as
        good as continuous.
    """

    score: float
    expected: float
    p_value: float
    levels: FloatArray
    chances: FloatArray

    def chance_of(self, p_value: float) -> float:
        """Return the chance of a p-value at most this one: no larger than it, and often much smaller.

        >>> even = foretold_law("none", np.zeros(3), 0.0, None, np.ones(3), np.ones(3))
        >>> even.chance_of(0.2), round(even.chance_of(0.3), 6)
        (0.0, 0.25)
        """
        if not len(self.levels):
            return p_value
        at = int(np.searchsorted(self.levels, p_value * (1 + 1e-9), side="right"))
        return float(self.chances[at - 1]) if at else 0.0


def foretold_law(
    law: Law, eta: FloatArray, cut: float, covariance: FloatArray | None, count: FloatArray, score: FloatArray
) -> Foretold:
    """Hold a score against what was foretold.

    Parameters
    ----------
    eta, covariance
        `float64[r]` and `float64[r, r]`: means and covariance of the log-odds of each row, seen from whom is scored;
        None: nothing is uncertain.
    count, score
        `float64[r]`: how many games each row stands for, and what was scored in each.

    Examples
    --------
    >>> even = foretold_law("none", np.zeros(8), 0.0, None, np.ones(8), np.ones(8))
    >>> round(even.expected, 4), round(even.p_value, 4), even.levels[0].round(4).item()
    (4.0, 0.0078, 0.0078)
    """
    won, drawn, _ = chances(law, eta, cut)
    bend = count * np.maximum(won + drawn / 2 - (won + drawn / 2) ** 2, 1e-9)
    if covariance is None:
        return _held(chances(law, eta[None, :], np.full((1, 1), cut)), np.ones(1), count, score)
    # What all rows share is integrated exactly; what is left of a row's own uncertainty pulls it toward one half.
    common = float(bend @ covariance @ bend / bend.sum() ** 2)
    own = np.maximum(np.diagonal(covariance) - common, 0.0)
    eta = eta / np.sqrt(1 + SOFTENING * own)
    parts = chances(law, eta + np.sqrt(common) * NODES[:, None], np.full((len(NODES), 1), cut))
    return _held(parts, WEIGHTS, count, score)


def _held(
    parts: tuple[FloatArray, FloatArray, FloatArray], weights: FloatArray, count: FloatArray, score: FloatArray
) -> Foretold:
    """Hold a score against the law at each node, `float64[nodes, r]`, and the nodes' weights."""
    mean = float(weights @ ((parts[0] + parts[1] / 2) @ count))
    total = float(count @ score)
    if count.sum() <= MOST_EXACT and (count == count.round()).all():
        pmf = weights @ _convolved(parts, count)
        each = np.minimum(1.0, 2 * np.minimum(np.cumsum(pmf), np.cumsum(pmf[::-1])[::-1]))
        order = np.argsort(each, kind="stable")
        there = order[pmf[order] > 0]
        return Foretold(total, mean, float(each[round(2 * total)]), each[there], np.cumsum(pmf[there]))
    means = (parts[0] + parts[1] / 2) @ count
    error = np.sqrt((parts[0] + parts[1] / 4 - (parts[0] + parts[1] / 2) ** 2) @ count)
    high, low = weights @ ndtr((means - total + 0.25) / error), weights @ ndtr((total + 0.25 - means) / error)
    nothing = np.zeros(0)
    return Foretold(total, mean, min(1.0, 2 * float(min(high, low))), nothing, nothing)


def _convolved(parts: tuple[FloatArray, FloatArray, FloatArray], count: FloatArray) -> FloatArray:
    """Return `float64[nodes, 2 * games + 1]`: the law of the total score in half points at each node."""
    won, drawn, lost = (np.repeat(part, count.astype(np.int64), axis=1) for part in parts)
    games = won.shape[1]
    law = np.zeros((len(won), 2 * games + 1))
    law[:, 0] = 1.0
    for at in range(games):
        moved = law * lost[:, at : at + 1]
        moved[:, 1:] += law[:, :-1] * drawn[:, at : at + 1]
        moved[:, 2:] += law[:, :-2] * won[:, at : at + 1]
        law = moved
    return law
