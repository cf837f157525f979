"""What an entrant this strong usually costs, and who costs more or less than that.

The *trend* is the least-squares line of log cost on strength: the price that this catalogue itself asks, on average,
for a strength. The *fair cost* of an entrant is the trend at its strength, and its *excess* is its cost less that. The
trend says nothing about what a point should buy in play; it finds entrants that are out of line with the others.

Duels are exact, so there is no error of sampling. What is uncertain is which opponents an entrant will meet: the field
is taken as a sample of groups of opponents (all loadouts of a unit are one group, since they resemble each other). Each
of `n_draws` draws gives the groups random weights (the Bayesian bootstrap, Rubin 1981), measures every strength again
against the field so weighted and fits the trend again. The interval is the estimate plus or minus c standard deviations
of the log of cost over fair cost, with c the 95 % quantile of the largest |t| over all entrants: it holds for all
entrants at once.

A verdict compares the interval of the excess with the smallest imbalance worth caring about: outside on one side,
*overpriced* or *underpriced*; inside, *fair*; else *not yet known*. All four are about the trend, so that a catalogue
whose prices are all wrong alike has none of them: `PRICE_WORDS` says so to people.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from balance.analysis.ratings import Strengths, fit_strengths, strengths_against
from balance.analysis.tables import duel_table, score_grid
from balance.engine.runner import Runner
from balance.protocol.question import LoadedGame

__all__ = [
    "PRICE_WORDS",
    "VERDICTS",
    "PriceFit",
    "Tolerance",
    "Trend",
    "fair_prices",
    "fit_prices",
    "fit_trend",
    "judge",
    "price_frame",
]

FloatArray = npt.NDArray[np.float64]
VERDICTS = ("overpriced", "underpriced", "fair", "not yet known")
PRICE_WORDS = {
    "overpriced": "dearer than its neighbours",
    "underpriced": "cheaper than its neighbours",
    "fair": "in line with its neighbours",
    "not yet known": "not yet known",
}
"""Verdicts as they are told to people. Neighbours are those about as strong: no verdict says what is fair in itself."""
FEWEST_ENTRANTS = 5
"""Entrants below which no trend is fitted; nor are fewer groups taken as a sample of groups."""


@dataclass(frozen=True)
class Tolerance:
    """The smallest imbalance worth caring about: `share` of the cost, but at least `points`.

    >>> Tolerance().of(40.0), Tolerance().of(6.0)
    (4.0, 2.0)
    """

    share: float = 0.10
    points: float = 2.0

    def of(self, cost: float) -> float:
        """Return the tolerance in points for something of that cost."""
        return max(self.share * cost, self.points)


@dataclass(frozen=True)
class Trend:
    """The line log(cost) = intercept + slope * strength, and how much of the variance of log cost it explains."""

    intercept: float
    slope: float
    explained: float

    @property
    def rises(self) -> bool:
        """Whether stronger entrants cost more; without that there is no fair cost to speak of."""
        return self.slope > 0

    def fair(self, theta: npt.ArrayLike) -> FloatArray:
        """Return the cost on the trend at each strength."""
        return np.asarray(np.exp(self.intercept + self.slope * np.asarray(theta, np.float64)))


def fit_trend(theta: FloatArray, costs: FloatArray) -> Trend:
    """Fit the trend; with costs or strengths that are all the same its slope is 0.

    >>> trend = fit_trend(np.array([0.0, 1.0, 2.0]), np.exp([1.0, 1.5, 2.0]))
    >>> round(trend.slope, 6), round(trend.explained, 6)
    (0.5, 1.0)
    """
    intercepts, slopes = _lines(theta[None, :], np.log(np.maximum(costs, 0.5)), np.ones((1, len(theta))))
    logs = np.log(np.maximum(costs, 0.5))
    rest = logs - intercepts[0] - slopes[0] * theta
    spread = float(np.sum((logs - logs.mean()) ** 2))
    return Trend(float(intercepts[0]), float(slopes[0]), 1 - float(rest @ rest) / spread if spread > 1e-20 else 0.0)


def _lines(theta: FloatArray, logs: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return k weighted least-squares lines through theta `[k, n]` and logs `[n]`: intercepts and slopes, `[k]`."""
    share = weights / weights.sum(1, keepdims=True)
    centre, level = (share * theta).sum(1), share @ logs
    off = theta - centre[:, None]
    spread = (share * off**2).sum(1)
    slopes = np.where(spread > 1e-12, (share * off * logs).sum(1) / np.maximum(spread, 1e-12), 0.0)
    return level - slopes * centre, slopes


@dataclass(frozen=True)
class PriceFit:
    """Everything the verdicts rest on.

    Attributes
    ----------
    names, costs
        n entrants and what they cost, `float64[n]`.
    strengths, trend
        The ladder and the line.
    score
        `float64[n]`: mean score of each against the whole field, seats averaged.
    fair
        `float64[n]`.
    draws
        `float64[k, n]`: the fair costs in each draw of the field; k is 0 where there are too few entrants.
    """

    names: tuple[str, ...]
    costs: FloatArray
    strengths: Strengths
    trend: Trend
    score: FloatArray
    fair: FloatArray
    draws: FloatArray


def group_of(entrant: str) -> str:
    """Return the first part of an id: the unit of a loadout.

    >>> group_of("nexus+shotgun")
    'nexus'
    """
    return entrant.partition("+")[0]


def fit_prices(
    duels: pl.DataFrame, costs: Mapping[str, float], weigh: Callable[[int], FloatArray], n_draws: int = 1000
) -> PriceFit:
    """Fit ladder and trend to a table of duels.

    Parameters
    ----------
    duels
        As `duel_table` returns it.
    costs
        What each entrant costs, by id.
    weigh
        Number of groups -> `float64[n_draws, groups]`, positive random weights.
    """
    names, going_first = score_grid(duels)
    price = np.array([float(costs[name]) for name in names])
    strengths = fit_strengths(going_first)
    trend = fit_trend(strengths.theta, price)
    second = 1.0 - going_first.T
    score = ((going_first + second) / 2).mean(1)
    draws = _draw(names, price, going_first, strengths, weigh) if n_draws and len(names) >= FEWEST_ENTRANTS else None
    return PriceFit(
        names, price, strengths, trend, score, trend.fair(strengths.theta),
        np.empty((0, len(names))) if draws is None else draws,
    )  # fmt: skip


def groups_of(names: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return the number of each entrant's group, `int64[n]`; each is its own where there are too few groups."""
    found = [group_of(name) for name in names]
    known = {name: place for place, name in enumerate(dict.fromkeys(found))}
    if len(known) < FEWEST_ENTRANTS:
        return np.arange(len(names))
    return np.array([known[name] for name in found])


def _draw(
    names: Sequence[str],
    costs: FloatArray,
    going_first: FloatArray,
    ladder: Strengths,
    weigh: Callable[[int], FloatArray],
) -> FloatArray:
    """Return fair costs `float64[k, n]` against k random fields, the opponents' own strengths as fitted."""
    groups = groups_of(names)
    weights = weigh(int(groups.max()) + 1)[:, groups]
    weights = weights * (len(names) / weights.sum(1, keepdims=True))
    parts = [
        strengths_against(going_first, 1.0 - going_first.T, ladder.theta, ladder.first_mover, part)
        for part in np.array_split(weights, max(1, len(weights) * len(names) ** 2 // 2_000_000))
    ]
    theta = np.concatenate(parts)
    intercepts, slopes = _lines(theta, np.log(np.maximum(costs, 0.5)), weights)
    return np.asarray(np.exp(intercepts[:, None] + slopes[:, None] * theta))


def simultaneous(estimates: FloatArray, draws: FloatArray, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Return the ends of intervals that hold for all estimates at once: estimate -+ c sd, c from the largest |t|.

    Parameters
    ----------
    estimates
        `float64[n]`.
    draws
        `float64[k, n]`, k at least 2; a column that never varies gets no width.

    Examples
    --------
    >>> draws = np.array([[0.9], [1.0], [1.1]])
    >>> low, high = simultaneous(np.array([1.0]), draws)
    >>> bool(low[0] < 1.0 < high[0])
    True
    """
    spread = draws.std(axis=0, ddof=1)
    t = np.abs(draws - estimates) / np.where(spread > 0, spread, np.inf)
    half = float(np.quantile(t.max(axis=1), level)) * spread
    return estimates - half, estimates + half


def judge(low: float, high: float, tolerance: float) -> str:
    """Return the verdict on an excess that lies between `low` and `high`.

    >>> [judge(*ends, 2.0) for ends in ((3.0, 5.0), (-5.0, -2.5), (-1.0, 1.5), (1.0, 3.0))]
    ['overpriced', 'underpriced', 'fair', 'not yet known']
    """
    if low > tolerance:
        return "overpriced"
    if high < -tolerance:
        return "underpriced"
    return "fair" if -tolerance <= low and high <= tolerance else "not yet known"


def price_frame(fit: PriceFit, tolerance: Tolerance | None = None) -> pl.DataFrame:
    """Return one row per entrant with its fair cost and verdict, as `fair_prices` describes."""
    limit = Tolerance() if tolerance is None else tolerance
    known = len(fit.draws) > 1 and fit.trend.rises
    low, high = _fair_ends(fit) if known else (np.full(len(fit.names), np.nan),) * 2
    excess = (fit.costs - fit.fair, fit.costs - high, fit.costs - low)
    verdicts = [
        judge(worst, best, limit.of(cost)) if known else "not yet known"
        for cost, worst, best in zip(fit.costs.tolist(), excess[1].tolist(), excess[2].tolist(), strict=True)
    ]
    values = {"strength": fit.strengths.theta, "score": fit.score, "fair_points": fit.fair, "fair_low": low}
    values |= {"fair_high": high, "excess": excess[0], "excess_low": excess[1], "excess_high": excess[2]}
    frame = pl.DataFrame({"entrant": list(fit.names), "cost_points": fit.costs, **values, "verdict": verdicts})
    return frame.with_columns(pl.col(pl.Float64).round(9).fill_nan(None))


def _fair_ends(fit: PriceFit) -> tuple[FloatArray, FloatArray]:
    low, high = simultaneous(np.log(fit.fair), np.log(fit.draws))
    return np.exp(low), np.exp(high)


def fair_prices(
    game: LoadedGame | Runner, entrants: Sequence[str] | None = None, tolerance: Tolerance | None = None, seed: int = 0
) -> pl.DataFrame:
    """Return what each entrant would cost on the trend of strength, and a verdict.

    Parameters
    ----------
    game, entrants
        The field, all of it by default.
    tolerance
        The smallest imbalance worth caring about; by default a tenth of the cost, but at least 2 points.
    seed
        Of the random weights of the field.

    Returns
    -------
    polars.DataFrame
        `entrant`, `cost_points`, `strength` (logits), `score` (mean against the field), `fair_points`, `fair_low`,
        `fair_high`, `excess` (cost less fair cost), `excess_low`, `excess_high` and `verdict`. Intervals are
        simultaneous at 95 % and null with fewer than five entrants, where the verdict is "not yet known".

    Examples
    --------
    >>> from balance.protocol.question import load
    >>> fair_prices(load("warforged"), ["trooper+shotgun", "nexus+shotgun"])["verdict"].to_list()
    ['not yet known', 'not yet known']
    """
    duels = duel_table(game, entrants)
    loaded = game.loaded if isinstance(game, Runner) else game
    costs = {name: loaded.cost_points(name) for name in duels["a"].unique()}
    return price_frame(fit_prices(duels, costs, field_weights(seed)), tolerance)


def field_weights(seed: int, n_draws: int = 1000) -> Callable[[int], FloatArray]:
    """Return a maker of random weights for groups: independent exponentials, each row a draw of the field."""
    from balance.core.streams import stream

    def weigh(n_groups: int) -> FloatArray:
        return stream(seed, "analysis/prices", 0, "field").exponential(size=(n_draws, n_groups)) + 1e-9

    return weigh
