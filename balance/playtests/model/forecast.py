"""The law of a total score over games whose log-odds are uncertain, exactly, and how far out a score lies in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.chance.trials.normal import normal_cdf
from balance.playtests.model.outcomes import Law, chances

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(21)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
MOST_EXACT = 300
"""Games up to which the law is exact; of more, it is normal at each node."""
AT_ONCE = 512
"""Totals whose laws are worked out at once."""
NEARLY = 1e-9
"""By how much of itself a p-value may differ from an equal one."""
SOFTENING = 0.346
"""Of the mean of 1 / (1 + exp(-x)) over a normal x: its slope goes as one over the root of 1 + 0.346 times its variance
(Monahan and Stefanski 1992 and others)."""


class Doubt(NamedTuple):
    """How uncertain the log-odds of some rows are: their variances, `float64[r]`, and that of any weighted sum."""

    variances: FloatArray
    of_sum: Callable[[FloatArray], float]

    @classmethod
    def of(cls, covariance: FloatArray) -> Doubt:
        """Return the uncertainty that a covariance `float64[r, r]` says."""
        return cls(np.diagonal(covariance), lambda weights: float(weights @ covariance @ weights))


@dataclass(frozen=True)
class Forecast:
    """A total score against its predictive distribution.

    `p_value`: two-sided. `levels` and `chances`: the p-values that could have come out, ascending, and the chance of at
    most each; empty where p-values are as good as continuous.
    """

    score: float
    expected: float
    p_value: float
    levels: FloatArray
    chances: FloatArray


def forecast_score(
    law: Law, eta: FloatArray, cut: float, doubt: Doubt | None, count: FloatArray, score: FloatArray
) -> Forecast:
    """Return how far out the total score of some rows lies in its predictive distribution.

    `eta` `float64[r]` and `doubt` (None: certain) are means of the log-odds and how uncertain they are, seen from whom
    is scored; `count` `float64[r]` is how many games a row stands for, `score` `float64[r]` what was scored in each.

    >>> even = forecast_score("none", np.zeros(8), 0.0, None, np.ones(8), np.ones(8))
    >>> round(even.expected, 4), round(even.p_value, 4), even.levels[0].round(4).item()
    (4.0, 0.0078, 0.0078)
    """
    win, draw, _ = chances(law, eta, cut)
    bend = count * np.maximum(win + draw / 2 - (win + draw / 2) ** 2, 1e-9)
    if doubt is None:
        return forecast_scores(law, eta, cut, count, score, np.array([len(eta)]))[0]
    # What all rows share is integrated exactly; what is left of a row's own uncertainty pulls it toward one half.
    common = doubt.of_sum(bend) / bend.sum() ** 2
    own_variance = np.maximum(doubt.variances - common, 0.0)
    eta = eta / np.sqrt(1 + SOFTENING * own_variance)
    parts = chances(law, eta + np.sqrt(common) * NODES[:, None], np.full((len(NODES), 1), cut))
    return _compare_with_law(parts, WEIGHTS, count, score)


def forecast_scores(
    law: Law, eta: FloatArray, cut: float, count: FloatArray, score: FloatArray, sizes: IntArray
) -> list[Forecast]:
    """Return the forecasts of many totals whose log-odds are certain, as `forecast_score` does; `sizes` are their rows.

    The rows of all stand one behind the other. Those with about as many games are worked out at once.
    """
    forecasts: list[Forecast | None] = [None] * len(sizes)
    starts = np.cumsum(sizes) - sizes
    parts = chances(law, eta, np.asarray(cut))
    n_games = np.add.reduceat(count, starts)
    is_exact = (n_games <= MOST_EXACT) & np.logical_and.reduceat(count == count.round(), starts)
    for at in np.flatnonzero(~is_exact).tolist():
        rows = slice(starts[at], starts[at] + sizes[at])
        own = tuple(part[None, rows] for part in parts)
        forecasts[at] = _compare_with_law(own, np.ones(1), count[rows], score[rows])  # type: ignore[arg-type]
    times = np.where(np.repeat(is_exact, sizes), count, 0.0).astype(np.int64)
    games = [np.append(np.repeat(part, times), filling) for part, filling in zip(parts, (0.0, 0.0, 1.0), strict=True)]
    lengths = np.where(is_exact, n_games, 0).astype(np.int64)
    first = np.cumsum(lengths) - lengths
    means, totals = (np.add.reduceat(count * of_row, starts) for of_row in (parts[0] + parts[1] / 2, score))
    order = np.flatnonzero(is_exact)[np.argsort(lengths[is_exact], kind="stable")]
    for chosen in np.split(order, range(AT_ONCE, len(order), AT_ONCE)):
        width = int(lengths[chosen].max(initial=0))
        is_game = np.arange(width) < lengths[chosen, None]
        places = np.where(is_game, first[chosen, None] + np.arange(width), len(games[0]) - 1)
        pmf, unit = _convolve(games[0][places], games[1][places], games[2][places])
        for place, forecast in zip(chosen, _exact(pmf, unit, totals[chosen], means[chosen]), strict=True):
            forecasts[place] = forecast
    return [forecast for forecast in forecasts if forecast is not None]


def _compare_with_law(
    parts: tuple[FloatArray, FloatArray, FloatArray], weights: FloatArray, count: FloatArray, score: FloatArray
) -> Forecast:
    """Return the forecast of the mixture over quadrature nodes, `parts` being win, draw and loss `float64[nodes, r]`.

    Exact for whole counts of at most `MOST_EXACT` games, else by a normal approximation.
    """
    mean = float(weights @ ((parts[0] + parts[1] / 2) @ count))
    total = float(count @ score)
    if count.sum() <= MOST_EXACT and (count == count.round()).all():
        win, draw, loss = (np.repeat(part, count.astype(np.int64), axis=1) for part in parts)
        pmf, unit = _convolve(win, draw, loss)
        return _exact((weights @ pmf)[None], unit, np.array([total]), np.array([mean]))[0]
    means = (parts[0] + parts[1] / 2) @ count
    error = np.sqrt((parts[0] + parts[1] / 4 - (parts[0] + parts[1] / 2) ** 2) @ count)
    high, low = (
        weights @ normal_cdf((means - total + 0.25) / error),
        weights @ normal_cdf((total + 0.25 - means) / error),
    )
    no_levels = np.zeros(0)
    return Forecast(total, mean, min(1.0, 2 * float(min(high, low))), no_levels, no_levels)


def _exact(pmf: FloatArray, unit: int, totals: FloatArray, means: FloatArray) -> list[Forecast]:
    """Return the forecasts of scores with these laws, `float64[t, scores]`, in steps of 1 / `unit` points."""
    p_values = np.minimum(1.0, 2 * np.minimum(np.cumsum(pmf, axis=1), np.cumsum(pmf[:, ::-1], axis=1)[:, ::-1]))
    order = np.argsort(p_values, axis=1, kind="stable")
    levels, masses = np.take_along_axis(p_values, order, 1), np.take_along_axis(pmf, order, 1)
    own = p_values[np.arange(len(pmf)), np.rint(unit * totals).astype(np.int64)]
    laws = zip(totals.tolist(), means.tolist(), own.tolist(), levels, masses, masses > 0, strict=True)
    return [
        Forecast(total, mean, p_value, level[real], mass[real].cumsum())
        for total, mean, p_value, level, mass, real in laws
    ]


def _convolve(win: FloatArray, draw: FloatArray, loss: FloatArray) -> tuple[FloatArray, int]:
    """Return the laws of t total scores of so many games, `float64[t, scores]`, and how many steps make a point."""
    unit = 2 if draw.any() else 1
    games = win.shape[1]
    law = np.zeros((len(win), unit * games + 1))
    law[:, 0] = 1.0
    for at in range(games):
        end = unit * at + 1
        before = law[:, :end].copy()
        law[:, :end] *= loss[:, at : at + 1]
        if unit == 2:
            law[:, 1 : end + 1] += before * draw[:, at : at + 1]
        law[:, unit : end + unit] += before * win[:, at : at + 1]
    return law, unit
