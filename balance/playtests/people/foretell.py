"""How well points foretell later games: margins, sides and chances, each from the games before it alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.special import ndtr, ndtri, stdtrit

from balance.base.arrays import BoolArray, FloatArray, IntArray
from balance.playtests.games import Games, Labels, games_of
from balance.playtests.people.mixed import crossed_clusters
from balance.playtests.people.score import ScoreDesign, event_labels, score_design

_RANDOM = ("army", "army pair")
"""Kinds that enter forecasts as posterior means, beside the players."""
_FEWEST = 100
"""Games from which others are foretold."""
_GROWTH = 1.1
_N_FOLDS = 5
_SPREAD_OF_SLOPES = 0.2
"""Of slopes by folds around 1, as far as is believed beforehand."""
KNOWN = ("two new players", "one new player", "both players known")
"""By how many of a game's players played before."""


@dataclass(frozen=True)
class Probit:
    """An ordered probit of results on the forecast margin; levels go from the clearest loss to the clearest win.

    `cuts` are the half margins, from 0 for a draw, that end a level of victory; `thresholds` where they lie on the
    scale of forecasts, so that all levels are foretold as often as they come.
    """

    cuts: FloatArray
    thresholds: FloatArray

    def chances(self, mean: FloatArray, variance: FloatArray) -> FloatArray:
        """Return the chance of each level, `float64[m, 2 cuts + 1]`, of forecasts with errors of that variance."""
        ends = np.r_[-np.inf, -self.thresholds[::-1], self.thresholds, np.inf]
        return np.diff(ndtr((ends - mean[:, None]) / np.sqrt(variance)[:, None]), axis=1)

    def level_of(self, y: FloatArray) -> IntArray:
        """Return the level of each half margin; the middle one is a draw."""
        steps = np.searchsorted(self.cuts, np.abs(y), side="left")
        return np.asarray(len(self.cuts) + np.sign(y).astype(np.int64) * steps)


def probit(y: FloatArray, count: FloatArray) -> Probit:
    """Fit the levels of victory to half margins: thirds of the wins, or each score where wins have at most three."""
    sizes = np.abs(y[y != 0])
    distinct = np.unique(sizes)
    thirds = distinct if len(distinct) <= 3 else np.quantile(sizes, [1 / 3, 2 / 3], method="inverted_cdf")
    cuts = np.r_[0.0, np.unique(thirds[thirds < distinct.max(initial=0.0)])]
    within = np.array([count @ (np.abs(y) <= cut) for cut in cuts]) / count.sum()
    return Probit(cuts, np.sqrt(count @ y**2 / count.sum()) * ndtri((1 + within) / 2))


@dataclass(frozen=True)
class Accuracy:
    """How good forecasts are; `slope` is the margin's on its forecast, 1 where they hold, by event and player.

    `r2` is against the mean of the games before; Brier score and log loss are of lost, drawn and won.
    """

    group: str
    n_games: float
    r2: float
    right_side: float
    slope: float
    slope_low: float
    slope_high: float
    brier: float
    log_loss: float

    @property
    def drifts(self) -> bool:
        """Whether skills or armies have changed since: margins are smaller than foretold."""
        return self.slope_high < 1


@dataclass(frozen=True)
class Forecasts:
    """Games with what was foretold of each: half margin, its variance with the error's, chances to lose, draw and win.

    `usual` is the mean of the games before, `known` how many of the two players played in them, `periods` the months.
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

    @cached_property
    def whole(self) -> Accuracy:
        """Of all games."""
        return self._accuracy("all games", np.ones(len(self.y), np.bool_))

    @cached_property
    def by_known(self) -> tuple[Accuracy, ...]:
        """By how many of the players are known, where there are such games."""
        return tuple(self._accuracy(KNOWN[n], self.known == n) for n in np.unique(self.known)[::-1].tolist())

    @cached_property
    def by_period(self) -> tuple[Accuracy, ...]:
        """By month."""
        return tuple(
            self._accuracy(self.periods.names[at], self.periods.places == at) for at in np.unique(self.periods.places)
        )

    def _accuracy(self, group: str, keep: BoolArray) -> Accuracy:
        y, mean, count = self.y[keep], self.mean[keep], self.games.count[keep]
        slope = count @ (y * mean) / (count @ mean**2)
        event, players = event_labels(self.games), self.games.players
        ways = crossed_clusters(
            None if event is None else event.places[keep], None if players is None else players[keep]
        ) or [(1, sp.csc_array(sp.eye_array(len(y))))]
        influence = count * mean * (y - slope * mean)
        sums = [sign * ((members.T @ influence) ** 2).sum() for sign, members in ways]
        n = min(members.shape[1] for _, members in ways[:2])
        se = np.sqrt(max(sums[0], sum(sums)) * n / max(n - 1, 1)) / (count @ mean**2)
        half = stdtrit(max(n - 1, 1), (1 + self.level) / 2) * se
        sides, chances = np.sign(y).astype(np.int64) + 1, self.chances[keep]
        right = (1 + np.sign(y * mean)) / 2
        decided = count * (y != 0)
        numbers = (
            1 - count @ (y - mean) ** 2 / (count @ (y - self.usual[keep]) ** 2),
            decided @ right / decided.sum(),
            *(slope, slope - half, slope + half),
            count @ ((chances - np.eye(3)[sides]) ** 2).sum(axis=1) / count.sum(),
            -(count @ np.log(np.maximum(chances[np.arange(len(y)), sides], 1e-12))) / count.sum(),
        )
        return Accuracy(group, float(count.sum()), *map(float, numbers))


def foretold(games: Games, level: float = 0.95) -> Forecasts | None:
    """Foretell each month, or day, from all games before it; None where no row says when, or too few come before."""
    design = score_design(games)
    when = _when(design.games)
    return None if when is None else _forecast(design.select_rows(when.places >= 0), when, level)


def foretell(earlier: Games, later: Games, level: float = 0.95) -> tuple[Forecasts | None, Forecasts | None]:
    """Foretell later games from the earlier ones alone, and each of their months, or days, from all before it.

    None where too few games come before, or no later row says when.
    """
    design = score_design(_joined(earlier, later))
    is_later = design.games.rows > len(earlier.side_a)
    frozen = _forecast(design, Labels(is_later.astype(np.int64) - 1, ("later",)), level)
    when = _when(design.games)
    if when is None:
        return frozen, None
    kept = ~is_later | (when.places >= 0)
    periods = Labels(np.where(is_later, when.places, -1), when.names)
    return frozen, _forecast(design.select_rows(kept), Labels(periods.places[kept], when.names), level)


def _when(games: Games) -> Labels | None:
    return next((games.labels[kind] for kind in ("month", "date") if kind in games.labels), None)


def _joined(*logs: Games) -> Games:
    """Return the games of several logs as those of one, with what forecasts read of them."""

    def texts(kind: str) -> Iterator[str | None]:
        for log in logs:
            labels = event_labels(log) if kind == "event" else log.labels.get(kind)
            yield from [None] * len(log.side_a) if labels is None else _texts(labels.names, labels.places)

    def pairs() -> Iterator[tuple[str | None, str | None]]:
        for log in logs:
            unknown = np.full((len(log.side_a), 2), -1)
            yield from _texts(log.player_names, unknown if log.players is None else log.players)

    points = [log.points for log in logs if log.points is not None]
    return games_of(
        [log.names[at] for log in logs for at in log.side_a],
        [log.names[at] for log in logs for at in log.side_b],
        np.concatenate([log.score for log in logs]),
        np.concatenate([log.mover for log in logs]).tolist(),
        np.concatenate([log.count for log in logs]),
        players=pairs(),
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
    chances, known = np.zeros((len(places), 3)), np.zeros(len(places), np.int64)
    ratios: dict[str, float] = {}
    n_estimated, scale = 0.0, 1.0
    for period in np.unique(places[places >= 0]):
        now, before = places == period, design.select_rows(places < period)
        n_before = before.games.n_games
        if n_before < _FEWEST:
            continue
        is_due = n_before >= _GROWTH * n_estimated
        fit = before.fit(_RANDOM, ratios, 40 if is_due else 0)
        if is_due:
            ratios, n_estimated, scale = fit.ratios, n_before, _slope_by_folds(before, fit.ratios)
        blocks = design.select_rows(now).blocks
        mean[now] = scale * fit.expect(blocks)
        variance[now] = fit.variance_of(blocks) + fit.error_variance
        usual[now] = before.games.count @ before.y / n_before
        levels = probit(before.y, before.games.count)
        draw = len(levels.cuts)
        by_level = levels.chances(mean[now], variance[now])
        chances[now] = np.add.reduceat(by_level, [0, draw, draw + 1], axis=1)
        if games.players is not None and before.games.players is not None:
            known[now] = np.isin(games.players[now], before.games.players[before.games.players >= 0]).sum(axis=1)
    kept = np.isfinite(mean)
    if not kept.any():
        return None
    return Forecasts(
        games.select_rows(kept), design.y[kept], usual[kept], mean[kept], variance[kept], chances[kept], known[kept],
        Labels(places[kept], periods.names), level,
    )  # fmt: skip


def _slope_by_folds(design: ScoreDesign, ratios: dict[str, float]) -> float:
    """Return the slope of margins on forecasts of whole events from the others.

    It is below 1 where pairings follow results, as in Swiss rounds: who then meets a better player is in good form.
    """
    event, y, count = event_labels(design.games), design.y, design.games.count
    if event is None or event.places.min() < 0:
        return 1.0
    sizes, squares = (np.bincount(event.places, weights, len(event.names)) for weights in (count, count * y**2))
    fold = np.argsort(np.lexsort([squares, sizes]))[event.places] % _N_FOLDS
    mean = np.zeros(len(y))
    for at in np.unique(fold) if len(np.unique(fold)) > 1 else ():
        fit = design.select_rows(fold != at).fit(_RANDOM, ratios, 0)
        mean[fold == at] = fit.expect(design.select_rows(fold == at).blocks)
    prior = count @ y**2 / count.sum() / _SPREAD_OF_SLOPES**2
    return float((count @ (y * mean) + prior) / (count @ mean**2 + prior))
