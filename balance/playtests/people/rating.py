"""What a log of scores tells, as one answer: entrants, lists, labels and forecasts, with players taken out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from balance.base.numbers import show_many, show_number
from balance.base.progress import Stage, tell
from balance.playtests.games import Games
from balance.playtests.log.lists import Lists
from balance.playtests.model.answer import Caution, RateSettings
from balance.playtests.model.verdicts import verdict_of_interval
from balance.playtests.people.answer import (
    Edge,
    LabelEffect,
    ScoreAnswer,
    ScoreRating,
    Source,
    VictoryLevel,
    effect_verdict,
)
from balance.playtests.people.by import by
from balance.playtests.people.foretell import Forecast, Probit, foretell, foretold, probit
from balance.playtests.people.naming import games_until
from balance.playtests.people.score import Effect, ScoreFit, event_places, score_model
from balance.playtests.people.units import unit_effects
from balance.playtests.source import LogSource

SOURCES = {
    "player": "players",
    "player x event": "players at an event",
    "army": "entrants",
    "army pair": "pairs of entrants",
    "error": "the rest",
}
"""Kind of an effect -> its word in an answer, in the order of the answer."""
WORTH_POINTS, WORTH_WINS = 1.0, 0.05
"""What an entrant adds to a score that a log should be able to name; of a log that only says who won, to its wins."""
FEW_EVENTS = 30
"""Events below which clustered errors are themselves unsure."""


def rate_scores(
    games: Games,
    settings: RateSettings,
    log: LogSource,
    lists: Lists | None = None,
    label: str = "",
    later: Games | None = None,
) -> ScoreAnswer:
    """Return what the scores of a log tell; `label` is what entrants are told apart by, "" for nothing."""
    games.check()
    tell(Stage("players and entrants"))
    fit, level = score_model(games, settings.level), settings.level
    labels = tuple(_labels(fit, label)) if label else ()
    tell(Stage("units of the lists"))
    lists_answer, notes = (None, ()) if lists is None else unit_effects(games, lists, fit, level)
    tell(Stage("forecasts of each month"))
    forecasts = foretold(games, level) if later is None else foretell(games, later, level)
    shares = {share.source: share for share in fit.shares}
    return ScoreAnswer(
        1,
        "rate",
        log,
        settings,
        _ratings(fit, settings),
        tuple(
            Source(word, shares[kind].share, shares[kind].low, shares[kind].high)
            for kind, word in SOURCES.items()
            if kind in shares
        ),
        tuple(_edges(fit)),
        tuple(_levels(fit, probit(fit))),
        forecasts,
        _games_until(fit),
        lists_answer,
        labels,
        tuple(_cautions(fit, forecasts, notes)),
    )


def _ratings(fit: ScoreFit, settings: RateSettings) -> dict[str, ScoreRating]:
    """Return the entrants, the strongest first; chances are against an average one, between equal players."""
    model, games = probit(fit), fit.design.games
    score = games.points_by_entrant / np.maximum(games.games_by_entrant, 1e-300)
    ratings = {}
    for army in fit.armies:
        ends = (army.estimate, army.low, army.high, army.simultaneous_low, army.simultaneous_high)
        chance, low, high, sure_low, sure_high = model.scores(np.array(ends)).tolist()
        ratings[army.name] = ScoreRating(
            verdict_of_interval(sure_low, sure_high, settings.band),
            *(army.estimate, army.low, army.high),
            *(chance, low, high, sure_low, sure_high),
            army.p,
            army.named,
            army.n_games,
            army.pick_rate,
            float(score[games.names.index(army.name)]),
        )
    return ratings


def _edges(fit: ScoreFit) -> Iterator[Edge]:
    """Yield what going first and being listed first are worth."""
    games = fit.design.games
    n_known = float(games.count[games.mover != 0].sum())
    yield _edge("first mover", fit.first_mover, n_known)
    yield _edge("listed first", fit.listed_first, games.n_games)


def _edge(kind: str, effect: Effect | None, n_games: float) -> Edge:
    if effect is None:
        return Edge(kind, 0.0, 0.0, 0.0, 0.0, "not measurable here")  # type: ignore[arg-type]  # one of two kinds
    return Edge(kind, effect.estimate, effect.low, effect.high, n_games, "measured")  # type: ignore[arg-type]


def _levels(fit: ScoreFit, model: Probit) -> Iterator[VictoryLevel]:
    """Yield a draw and the levels of victory above it, each as one side sees it."""
    y, count = np.abs(fit.design.y), fit.design.games.count
    ends = [*model.cuts.tolist(), float(y.max())]
    spread = np.sqrt(fit.mixed.variances.get("player", 0.0))
    equal, stronger = model.chances(np.array([0.0, spread])).tolist()
    draw = len(model.cuts)
    if (y == 0).any():
        yield VictoryLevel("a draw", float(count @ (y == 0) / count.sum()), equal[draw], stronger[draw])
    for at, (low, high) in enumerate(pairwise(ends), start=1):
        share = float(count @ ((y > low) & (y <= high)) / count.sum() / 2)
        text = f"above {show_number(low)}, up to {show_number(high)}"
        yield VictoryLevel(text, share, equal[draw + at], stronger[draw + at])


def _games_until(fit: ScoreFit) -> int | None:
    """Return how many games name an entrant worth a point, by the middle one of their errors."""
    errors = [army.se for army in fit.armies if army.se > 0]
    if not errors:
        return None
    critical = next((army.simultaneous_high - army.estimate) / army.se for army in fit.armies if army.se > 0)
    worth = WORTH_WINS if fit.design.games.points is None else WORTH_POINTS
    return games_until(worth, float(np.median(errors)), fit.design.games.n_games, critical)


def _labels(fit: ScoreFit, label: str) -> Iterator[LabelEffect]:
    """Yield each entrant in each value of a label."""
    for cell in by(fit, label):
        parts: list[float | None] = [None] * 4
        if cell.effect is not None:
            parts = [cell.effect.estimate, cell.simultaneous_low, cell.simultaneous_high, cell.shrunk]
        effect, low, high, shrunk = parts
        verdict = effect_verdict(effect, cell.named)
        yield LabelEffect(label, cell.value, cell.army, verdict, effect, low, high, cell.p, shrunk, cell.n_games)


def _cautions(fit: ScoreFit, forecasts: tuple[Forecast, ...], notes: tuple[str, ...]) -> Iterator[Caution]:
    """Yield what to know before the answer is believed."""
    if fit.n_games_left_out:
        yield Caution("few games", f"left out: {fit.n_games_left_out:,} rows that do not score both sides")
    if fit.design.games.players is None:
        yield Caution("no players", "nobody says who played, so that skill and strength cannot be told apart")
    events = event_places(fit.design.games)
    n_events = 0 if events is None else len(np.unique(events[events >= 0]))
    if n_events < FEW_EVENTS:
        text = f"only {show_many(n_events, 'event')}" if n_events else "without a column of events"
        yield Caution("no sessions", f"{text}: intervals may be too short")
    drift = next((row for row in forecasts if row.players == "all"), None)
    if drift is not None and drift.drifts:
        yield Caution(
            "drift", f"later games differ less than foretold (slope {drift.slope:.2f}): skills or rules moved"
        )
    yield from (Caution("lists", note.removesuffix(".")) for note in notes)
