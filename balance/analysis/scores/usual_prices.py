"""What an entrant this strong usually costs, and who costs more or less than that.

The *trend* is the least-squares line of log cost on strength: the price that this catalogue itself asks, on average,
for a strength. The *fair cost* of an entrant is the trend at its strength, and its *excess* is its cost less that. The
trend says nothing about what a point should buy in play; it finds entrants that are out of line with the others.

The interval is the estimate plus or minus c standard deviations, over random fields (see `field`), of the log of cost
over fair cost, with c the 95 % quantile of the largest |t| over all entrants: it holds for all entrants at once.

A verdict compares the interval of the excess with the smallest imbalance worth caring about: outside on one side,
*too dear* or *too cheap*; inside, *fair*; else *not yet known*. All four are about the trend, so that a catalogue
whose prices are all wrong alike has none of them: `PRICE_WORDS` says so to people.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from balance.analysis.scores.field import FEWEST_ENTRANTS, FieldDraws, draw_ratings, simultaneous
from balance.analysis.scores.ratings import Ratings, fit_ratings
from balance.analysis.scores.scores import Scores, ScoreSource, known_costs, read_scores
from balance.base.errors import UsageError
from balance.base.numbers import show_fixed
from balance.engine.runner import Runner

FloatArray = npt.NDArray[np.float64]
VERDICTS = ("too dear", "too cheap", "fair", "not yet known")
PRICE_WORDS = {
    "too dear": "dearer than its neighbours",
    "too cheap": "cheaper than its neighbours",
    "fair": "in line with its neighbours",
    "not yet known": "not yet known",
}
"""Verdicts as they are told to people. Neighbours are those about as strong: no verdict says what is fair in itself."""


@dataclass(frozen=True)
class Tolerance:
    """The smallest imbalance worth caring about: `share` of the cost, but at least `points`.

    >>> Tolerance().of(40.0), Tolerance().of(6.0)
    (4.0, 2.0)
    """

    share: float = 0.10
    points: float = 2.0

    @classmethod
    def usual(cls, costs: Iterable[float]) -> Tolerance:
        """Return the tolerance among these costs: `points` is never more than a fifth of what is typical.

        >>> Tolerance.usual([15, 30, 50]), Tolerance.usual([1, 1, 1])
        (Tolerance(share=0.1, points=2.0), Tolerance(share=0.1, points=0.2))
        """
        usual = cls()
        return cls(points=min(usual.points, round(float(np.median(list(costs))) / 5, 3)))

    def of(self, cost: float) -> float:
        """Return the tolerance in points for something of that cost."""
        return max(self.share * cost, self.points)


@dataclass(frozen=True)
class Trend:
    """The line log(cost) = intercept + slope * strength, and how much of the variance of log cost it explains."""

    intercept: float
    slope: float
    explained_share: float

    @property
    def rises(self) -> bool:
        """Whether stronger entrants cost more; without that there is no fair cost to speak of."""
        return self.slope > 0

    def fair(self, theta: npt.ArrayLike) -> FloatArray:
        """Return the cost on the trend at each strength."""
        return np.asarray(np.exp(self.intercept + self.slope * np.asarray(theta, np.float64)))


def fit_trend(theta: FloatArray, costs: FloatArray, share: FloatArray | None = None) -> Trend:
    """Fit the trend, each entrant counting by its share; with costs or strengths all the same its slope is 0.

    Parameters
    ----------
    theta
        `float64[n]`: strengths.
    costs
        `float64[n]`, in points.
    share
        `float64[n]`: how much each entrant counts; all the same by default.

    >>> trend = fit_trend(np.array([0.0, 1.0, 2.0]), np.exp([1.0, 1.5, 2.0]))
    >>> round(trend.slope, 6), round(trend.explained_share, 6)
    (0.5, 1.0)
    """
    counts = np.ones_like(theta) if share is None else share
    intercepts, slopes = _lines(theta[None, :], np.log(np.maximum(costs, 0.5)), counts[None, :])
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
    ratings, trend
        The ratings and the line.
    score
        `float64[n]`: mean score of each against the whole field, seats averaged.
    fair
        `float64[n]`.
    draws
        `float64[k, n]`: the fair costs in each draw of the field; k is 0 where there are too few entrants.
    """

    names: tuple[str, ...]
    costs: FloatArray
    ratings: Ratings
    trend: Trend
    score: FloatArray
    fair: FloatArray
    draws: FloatArray


def fit_prices(source: ScoreSource, costs: Mapping[str, float], draws: FieldDraws, by_id: bool = True) -> PriceFit:
    """Fit ratings and trend to scores.

    Parameters
    ----------
    source
        As `read_scores` takes it.
    costs
        What each entrant costs, by id.
    draws
        The random fields.
    by_id
        Whether the first part of an id names a group of opponents that resemble each other.
    """
    scores = read_scores(source)
    price = np.array([float(costs[name]) for name in scores.names])
    ratings = fit_ratings(scores.first, scores.weight, scores.share)
    trend = fit_trend(ratings.theta, price, scores.share)
    fair_draws = np.empty((0, len(price)))
    if len(price) >= FEWEST_ENTRANTS:
        theta, weights = draw_ratings(scores, ratings, draws, by_id)
        intercepts, slopes = _lines(theta, np.log(np.maximum(price, 0.5)), weights)
        fair_draws = np.exp(intercepts[:, None] + slopes[:, None] * theta)
    return PriceFit(scores.names, price, ratings, trend, scores.mean, trend.fair(ratings.theta), fair_draws)


def judge(low: float, high: float, tolerance: float) -> str:
    """Return the verdict on an excess that lies between `low` and `high`.

    Parameters
    ----------
    low, high
        The interval of cost less fair cost, in points.
    tolerance
        Points by which the cost may miss and be fair.

    >>> [judge(*ends, 2.0) for ends in ((3.0, 5.0), (-5.0, -2.5), (-1.0, 1.5), (1.0, 3.0))]
    ['too dear', 'too cheap', 'fair', 'not yet known']
    """
    if low > tolerance:
        return "too dear"
    if high < -tolerance:
        return "too cheap"
    return "fair" if -tolerance <= low and high <= tolerance else "not yet known"


def judge_cost(cost: float, low: float, high: float, tolerance: float) -> str:
    """Return the verdict on a cost where the fair one lies between `low` and `high`.

    Parameters
    ----------
    cost
        In points.
    low, high
        The interval of the fair cost, in points.
    tolerance
        Points by which the cost may miss and be fair.

    >>> judge_cost(19.0, 19.4, 20.6, 2.0), judge_cost(19.0, 19.4, 21.6, 2.0)
    ('fair', 'not yet known')
    """
    return judge(cost - high, cost - low, tolerance)


def fair_within(verdict: str, cost: float, low: float, high: float, tolerance: float) -> str:
    """Return a verdict as it is shown beside its interval: what leaves the cost out is fair within the tolerance only.

    Parameters
    ----------
    verdict
        As `judge_cost` returns it.
    cost
        In points.
    low, high
        The interval of the fair cost, in points.
    tolerance
        Points by which the cost may miss and be fair.

    >>> fair_within("fair", 19.0, 19.4, 20.6, 2.0), fair_within("fair", 20.0, 19.4, 20.6, 2.0)
    ('fair within 2', 'fair')
    """
    if verdict != "fair" or low <= cost <= high:
        return verdict
    return f"fair within {show_fixed(tolerance, 1).removesuffix('.0')}"


def price_frame(fit: PriceFit, tolerance: Tolerance | None = None) -> pl.DataFrame:
    """Return one row per entrant with its fair cost and verdict, as `fair_prices` describes.

    Parameters
    ----------
    fit
        The prices of the entrants.
    tolerance
        By how much a cost may miss and be fair.
    """
    limit = Tolerance() if tolerance is None else tolerance
    is_known = len(fit.draws) > 1 and fit.trend.rises
    low, high = _fair_ends(fit) if is_known else (np.full(len(fit.names), np.nan),) * 2
    excess = (fit.costs - fit.fair, fit.costs - high, fit.costs - low)
    verdicts = [
        judge(worst, best, limit.of(cost)) if is_known else "not yet known"
        for cost, worst, best in zip(fit.costs.tolist(), excess[1].tolist(), excess[2].tolist(), strict=True)
    ]
    values = {"strength": fit.ratings.theta, "score": fit.score, "fair_points": fit.fair, "fair_low": low}
    values |= {"fair_high": high, "excess": excess[0], "excess_low": excess[1], "excess_high": excess[2]}
    frame = pl.DataFrame({"entrant": list(fit.names), "cost_points": fit.costs, **values, "verdict": verdicts})
    return frame.with_columns(pl.col(pl.Float64).round(9).fill_nan(None))


def _fair_ends(fit: PriceFit) -> tuple[FloatArray, FloatArray]:
    low, high = simultaneous(np.log(fit.fair), np.log(fit.draws))
    return np.exp(low), np.exp(high)


def fair_prices(
    game: ScoreSource,
    entrants: Sequence[str] | None = None,
    tolerance: Tolerance | None = None,
    seed: int = 0,
    *,
    costs: Mapping[str, float] | None = None,
    once: bool = False,
) -> pl.DataFrame:
    """Return what each entrant would cost on the trend of strength, and a verdict.

    Parameters
    ----------
    game, entrants
        The field, all of it by default: of a game, or of a score table (see `read_scores`).
    tolerance
        The smallest imbalance worth caring about; by default a tenth of the cost, but at least 2 points.
    seed
        Of the random weights of the field.
    costs
        What each entrant costs, by id; a game knows, a score table does not.
    once
        Whether entrants that no score tells apart count as one opponent, so that a copy of a card changes nothing.

    Returns
    -------
    polars.DataFrame
        `entrant`, `cost_points`, `strength` (logits), `score` (mean against the field), `fair_points`, `fair_low`,
        `fair_high`, `excess` (cost less fair cost), `excess_low`, `excess_high` and `verdict`. Intervals are
        simultaneous at 95 % and null with fewer than five entrants, where the verdict is "not yet known".

    Raises
    ------
    UsageError
        Nobody said what an entrant costs, or all cost the same, so that no price can be out of line.

    Examples
    --------
    >>> from balance.game.loaded import load
    >>> fair_prices(load("warforged"), ["trooper+shotgun", "nexus+shotgun"])["verdict"].to_list()
    ['not yet known', 'not yet known']
    """
    if not isinstance(game, pl.DataFrame | Scores):  # said before anything is played
        loaded_game = game.game if isinstance(game, Runner) else game
        known_prices(game, entrants or loaded_game.entrants, costs)
    scores = read_scores(game, entrants)
    prices = known_prices(game, scores.names, costs)
    by_id = not isinstance(game, pl.DataFrame | Scores)
    field = scores.counted_once() if once else scores
    fit = fit_prices(field if by_id else field.in_score_order(list(prices.values())), prices, FieldDraws(seed), by_id)
    frame = price_frame(fit, tolerance)
    return pl.DataFrame({"entrant": scores.names}).join(frame, on="entrant", how="left", maintain_order="left")


def known_prices(game: ScoreSource, names: Sequence[str], costs: Mapping[str, float] | None) -> dict[str, float]:
    """Return what entrants cost; refuse costs from which no trend of prices follows, and say what may be asked.

    Parameters
    ----------
    game
        Where scores are read from (see `read_scores`).
    names
        Ids of n entrants.
    costs
        Id -> points; None where the game knows them.
    """
    prices = dict(zip(names, known_costs(game, names, costs), strict=True))
    price_levels = set(prices.values())
    if len(names) > 1 and len(price_levels) == 1:
        message = f"all {len(names)} entrants cost {price_levels.pop():g}, so none can cost more than another as strong"
        raise UsageError(message, "rating_table says who is stronger, never_worth_taking who is beaten by an equal")
    return prices
