"""How well points foretell later games: margins, sides and chances, each month from the games before it alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import scipy.sparse as sp
from scipy.special import ndtr, ndtri, stdtrit

from balance.base.answers import Chance, Doc
from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.playtests.games import Games, Labels, games_of
from balance.playtests.people.mixed import crossed_clusters
from balance.playtests.people.score import ScoreDesign, ScoreFit, event_places, score_design

KNOWN = ("two new", "one new", "both known")
"""By how many of a game's players played before."""
FROZEN = "later, from the earlier log alone"
_RANDOM = ("first mover", "listed first", "army", "army pair")
"""Kinds that enter forecasts as posterior means, as players do: in a short log they are mostly noise."""
_FEWEST = 100
"""Games from which others are foretold."""
_GROWTH = 1.1
_N_FOLDS = 5
_SPREAD_OF_SLOPES = 0.2
"""Of slopes by folds around 1, as far as is believed beforehand."""


@dataclass(frozen=True)
class Probit:
    """An ordered probit of results on the forecast margin; levels go from the clearest loss to the clearest win.

    `cuts` are the half margins, from 0 for a draw, that end a level of victory; `thresholds` where they lie on the
    scale of forecasts, so that all levels come as often as they did. `variance` is that of a game of known players.
    """

    cuts: FloatArray
    thresholds: FloatArray
    variance: float

    @classmethod
    def of(cls, y: FloatArray, count: FloatArray, variance: float) -> Probit:
        """Return that of half margins: thirds of the wins, or each score where wins have at most three."""
        sizes = np.abs(y[y != 0])
        distinct = np.unique(sizes)
        thirds = distinct if len(distinct) <= 3 else np.quantile(sizes, [1 / 3, 2 / 3], method="inverted_cdf")
        cuts = np.r_[0.0, np.unique(thirds[thirds < distinct.max(initial=0.0)])]
        within = np.array([count @ (np.abs(y) <= cut) for cut in cuts]) / count.sum()
        return cls(cuts, np.sqrt(count @ y**2 / count.sum()) * ndtri((1 + within) / 2), variance)

    def chances(self, mean: FloatArray, variance: FloatArray | None = None) -> FloatArray:
        """Return the chance of each level, `float64[..., 2 cuts + 1]`, of forecasts with errors of that variance."""
        ends = np.r_[-np.inf, -self.thresholds[::-1], self.thresholds, np.inf]
        spread = np.sqrt(self.variance if variance is None else variance[..., None])
        return np.diff(ndtr((ends - np.asarray(mean)[..., None]) / spread), axis=-1)

    def results(self, mean: FloatArray, variance: FloatArray | None = None) -> FloatArray:
        """Return the chances to lose, draw and win, `float64[..., 3]`."""
        return np.add.reduceat(self.chances(mean, variance), [0, len(self.cuts), len(self.cuts) + 1], axis=-1)

    def scores(self, mean: FloatArray) -> FloatArray:
        """Return the chance to win, a draw counting half, between known players."""
        return np.asarray(self.results(mean) @ [0, 0.5, 1])


def probit(fit: ScoreFit) -> Probit:
    """Return the ordered probit of a log's results on half the margin."""
    variance = fit.mixed.error_variance + 2 * fit.mixed.variances.get("player x event", 0.0)
    return Probit.of(fit.design.y, fit.design.games.count, variance)


@dataclass(frozen=True)
class Forecast:
    """How good the forecasts of some games are."""

    month: Annotated[str, Doc('Of the games; "all" for all.')]
    players: Annotated[str, Doc('"all", "both known", "one new" or "two new": who played before.')]
    games: float
    r2: Annotated[float, Doc("Of the margin, against the mean of the games before.")]
    right_side: Annotated[Chance, Doc("Of games with a winner, those foretold on the winner's side.")]
    slope: Annotated[float, Doc("Of the margin on its forecast; 1 where forecasts hold, below 1 after a drift.")]
    slope_low: Annotated[float, Doc("The lower end of its interval, by clusters of events and players.")]
    slope_high: Annotated[float, Doc("Its upper end.")]
    brier: Annotated[float, Doc("The Brier score of the chances to lose, draw and win.")]
    log_loss: Annotated[float, Doc("Of the same chances.")]

    @property
    def drifts(self) -> bool:
        """Whether margins are surely smaller than foretold: skills or armies have changed since."""
        return self.slope_high < 1


@dataclass(frozen=True)
class Forecasts:
    """Games with what was foretold of each: half margin, its variance with the error's, chances to lose, draw and win.

    `usual` is the mean of the games before, `known` how many of the two players played in them.
    """

    games: Games
    y: FloatArray
    usual: FloatArray
    mean: FloatArray
    variance: FloatArray
    chances: FloatArray
    known: IntArray
    periods: Labels
    level: float

    @property
    def rows(self) -> tuple[Forecast, ...]:
        """How good they are: of all games, by how many players are known, by month; without those foretold alike."""
        places, names = self.periods.places, self.periods.names
        months = [(names[at], "all", places == at) for at in np.unique(places).tolist()]
        whole = months[0][0] if len(months) == 1 else "all"
        kinds = np.unique(self.known)[::-1].tolist() if self.games.players is not None else []
        by_known = [(whole, KNOWN[n], self.known == n) for n in kinds]
        groups = [(whole, "all", places >= 0), *by_known, *(months if len(months) > 1 else [])]
        return tuple(self._accuracy(*group) for group in groups if (self.mean * self.y)[group[-1]].any())

    def _accuracy(self, month: str, players: str, keep: BoolArray) -> Forecast:
        y, mean, count = self.y[keep], self.mean[keep], self.games.count[keep]
        sides, chances = np.sign(y).astype(np.int64) + 1, self.chances[keep]
        decided, right = count * (y != 0), (1 + np.sign(y * mean)) / 2
        numbers = (
            1 - count @ (y - mean) ** 2 / (count @ (y - self.usual[keep]) ** 2),
            decided @ right / decided.sum(),
            *self._slope(keep),
            count @ ((chances - np.eye(3)[sides]) ** 2).sum(axis=1) / count.sum(),
            -(count @ np.log(np.maximum(chances[np.arange(len(y)), sides], 1e-12))) / count.sum(),
        )
        return Forecast(month, players, float(count.sum()), *map(float, numbers))

    def _slope(self, keep: BoolArray) -> tuple[float, float, float]:
        """Return the slope through 0 with its interval; the games of a player share the error of the forecast."""
        y, mean, count, event = self.y[keep], self.mean[keep], self.games.count[keep], event_places(self.games)
        players = None if self.games.players is None else self.games.players[keep]
        own = [(1, sp.csc_array(sp.eye_array(len(y))))]
        ways = crossed_clusters(None if event is None else event[keep], players) or own
        squares = count @ mean**2
        slope = count @ (y * mean) / squares
        sums = [sign * ((members.T @ (count * mean * (y - slope * mean))) ** 2).sum() for sign, members in ways]
        freedom = max(min(members.shape[1] for _, members in ways[:2]) - 1, 1)
        se = np.sqrt(max(sums[0], sum(sums)) * (freedom + 1) / freedom) / squares
        half = stdtrit(freedom, (1 + self.level) / 2) * se
        return float(slope), float(slope - half), float(slope + half)


def foretold(games: Games, level: float = 0.95) -> tuple[Forecast, ...]:
    """Return how well each month is foretold from all games before it; nothing where no row says when."""
    forecasts = forecast_months(games, level)
    return () if forecasts is None else forecasts.rows


def foretell(earlier: Games, later: Games, level: float = 0.95) -> tuple[Forecast, ...]:
    """Return how well later games are foretold by the earlier log alone, then month by month from all before."""
    forecasts = forecast_later(earlier, later, level)
    return tuple(row for forecast in forecasts if forecast is not None for row in forecast.rows)


def forecast_months(games: Games, level: float = 0.95) -> Forecasts | None:
    """Foretell each month, or day, from all games before it; None where no row says when, or too few come before."""
    design = score_design(games)
    when = _when(design.games)
    if when is None:
        return None
    known = when.places >= 0
    return _forecast(design.select_rows(known), Labels(when.places[known], when.names), level)


def forecast_later(earlier: Games, later: Games, level: float = 0.95) -> tuple[Forecasts | None, Forecasts | None]:
    """Foretell later games from the earlier ones alone, and each of their months, or days, from all before it.

    None where too few games come before, or no later row says when.
    """
    design = score_design(_joined(earlier, later))
    is_later, when = design.games.rows > len(earlier.side_a), _when(design.games)
    frozen = _forecast(design, Labels(is_later.astype(np.int64) - 1, (FROZEN,)), level)
    if when is None:
        return frozen, None
    kept = ~is_later | (when.places >= 0)
    periods = np.where(is_later, when.places, -1)[kept]
    return frozen, _forecast(design.select_rows(kept), Labels(periods, when.names), level)


def _when(games: Games) -> Labels | None:
    return games.labels.get("month", games.labels.get("date"))


def _joined(*logs: Games) -> Games:
    """Return the games of several logs as those of one, with what forecasts read of them."""

    def texts(kind: str) -> Iterator[Any]:
        for log in logs:
            unknown = Labels(np.full(len(log.side_a), -1), ())
            sessions = unknown if log.session is None or kind != "event" else Labels(log.session, log.session_names)
            label = log.labels.get(kind, sessions)
            yield from _texts(label.names, label.places)

    points = [log.points for log in logs if log.points is not None]
    players = [np.full((len(log.side_a), 2), -1) if log.players is None else log.players for log in logs]
    return games_of(
        [name for log in logs for name in _texts(log.names, log.side_a)],
        [name for log in logs for name in _texts(log.names, log.side_b)],
        np.concatenate([log.score for log in logs]),
        np.concatenate([log.mover for log in logs]).tolist(),
        np.concatenate([log.count for log in logs]),
        players=[pair for log, places in zip(logs, players, strict=True) for pair in _texts(log.player_names, places)],
        points=np.concatenate(points) if len(points) == len(logs) else None,
        labels={kind: texts(kind) for kind in ("month", "date", "event")},
    )


def _texts(names: tuple[str, ...], places: IntArray) -> Any:
    return np.array([*names, None], np.object_)[places].tolist()


def _forecast(design: ScoreDesign, periods: Labels, level: float) -> Forecasts | None:
    """Foretell the rows of each period from all of the periods before it, -1 being before all.

    Ratios of variances are estimated anew whenever the games before have grown by a tenth.
    """
    games, places = design.games, periods.places
    usual, mean, variance = np.full((3, len(places)), np.nan)
    results, known = np.zeros((len(places), 3)), np.zeros(len(places), np.int64)
    ratios: dict[str, float] = {}
    n_estimated, scale = 0.0, 1.0
    for period in np.unique(places[places >= 0]):
        now, before = places == period, design.select_rows(places < period)
        y, count = before.y, before.games.count
        if count.sum() < _FEWEST or not y.any():
            continue
        is_due = count.sum() >= _GROWTH * n_estimated
        fit = before.fit(_RANDOM, ratios, 40 if is_due else 0)
        if is_due:
            ratios, n_estimated, scale = fit.ratios, count.sum(), _slope_by_folds(before, fit.ratios)
        blocks = design.select_rows(now).blocks
        usual[now], mean[now] = count @ y / count.sum(), scale * fit.expect(blocks)
        variance[now] = fit.variance_of(blocks) + fit.error_variance
        results[now] = Probit.of(y, count, fit.error_variance).results(mean[now], variance[now])
        if games.players is not None and before.games.players is not None:
            known[now] = np.isin(games.players[now], before.games.players[before.games.players >= 0]).sum(axis=1)
    kept = np.isfinite(mean)
    columns = (usual[kept], mean[kept], variance[kept], results[kept], known[kept])
    periods = Labels(places[kept], periods.names)
    return Forecasts(games.select_rows(kept), design.y[kept], *columns, periods, level) if kept.any() else None


def _slope_by_folds(design: ScoreDesign, ratios: dict[str, float]) -> float:
    """Return the slope of margins on forecasts of whole events from the others.

    It is below 1 where pairings follow results, as in Swiss rounds: who then meets a better player is in good form.
    """
    event, y, count = event_places(design.games), design.y, design.games.count
    if event is None or event.min() < 0:
        return 1.0
    sizes, squares = (np.bincount(event, weights) for weights in (count, count * y**2))
    fold = np.argsort(np.lexsort([squares, sizes]))[event] % _N_FOLDS
    mean = np.zeros(len(y))
    for at in np.unique(fold) if len(np.unique(fold)) > 1 else ():
        fit = design.select_rows(fold != at).fit(_RANDOM, ratios, 0)
        mean[fold == at] = fit.expect(design.select_rows(fold == at).blocks)
    prior = count @ y**2 / count.sum() / _SPREAD_OF_SLOPES**2
    return float((count @ (y * mean) + prior) / (count @ mean**2 + prior))
