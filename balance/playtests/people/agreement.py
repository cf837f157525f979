"""Whether players agree with a simulation: the slope of results on simulated log-odds, and what each card does besides.

Players are random effects whose spread is integrated out: left out, a true slope of 1 would read as .84 where their
strengths spread by one logit. Errors are the largest of the model's own and those clustered by event and by player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal, NamedTuple, TypeAlias

import numpy as np
from scipy.special import stdtrit

from balance.base.answers import Chance, Count, Digest, Doc, Form, GameName, RulesVersion, Seed, formula
from balance.base.arrays import FloatArray
from balance.base.limits import MOST_LOG_EFFECTS
from balance.playtests.games import Games
from balance.playtests.model.arrowhead import Curvature
from balance.playtests.model.design import FIRST_MOVER, FREE, Design, design, with_more_effects
from balance.playtests.model.fit import find_modes
from balance.playtests.model.outcomes import expit, slopes
from balance.playtests.model.spreads import at_spreads, origin, posterior, priors_at, unknown_kinds
from balance.playtests.people.mixed import clustered, crossed_clusters
from balance.playtests.people.naming import games_until, max_t
from balance.playtests.people.predictions import EDGE, NOISE, Oracle, Predictions
from balance.playtests.source import LogSource

WIDE = 10.0
"""By how much free effects are stretched: their weak prior says as good as nothing, but of a few games all won."""
BLURRED = 1e-6
"""Share of its information that an entrant must keep beside the slope, or the two cannot be told apart."""
RATINGS_SCALE, MOST_GAMES = 0.7, 100_000
Verdict: TypeAlias = Literal[
    "agree", "less extreme", "more extreme", "foretells nothing", "runs against", "cannot tell"
]
Interval: TypeAlias = tuple[float, float, float]
Estimate: TypeAlias = tuple[float, float]
"""A number and its standard error."""


@dataclass(frozen=True)
class Forecast:
    """How well something foretells the results, as it stands."""

    brier: Annotated[float, Doc("Mean squared error of the score it foretells; 0.25 for a coin where nobody draws.")]
    log_loss: Annotated[float, Doc("Mean of minus the logarithm of the chance of what came; 0.693 for a coin.")]


@dataclass(frozen=True)
class CardResidual:
    """By how much an entrant did better than simulated, beside the slope; intervals hold for all entrants at once."""

    effect: Annotated[float, Doc("In log-odds; 0 where its games cannot tell it from the slope.")]
    low: Annotated[float, Doc("The lower end of its interval.")]
    high: Annotated[float, Doc("Its upper end.")]
    games: Annotated[float, Doc("Of its own.")]
    is_named: Annotated[bool, Doc("Whether it surely plays otherwise than simulated.")] = False
    is_confirmed: Annotated[bool | None, Doc("Whether a fresh simulation names it too; null where it is exact.")] = None
    games_needed: Annotated[Count | None, Doc("Games of the log until it would be named; null above 100,000.")] = None


@dataclass(frozen=True)
class PairFit:
    """What two entrants scored off each other, and what is foretold of `one` in these games."""

    one: str
    other: str
    foretold: Chance
    observed: Chance
    games: float


@dataclass(frozen=True, repr=False)
class Agreement:
    """Whether the players of a log and the simulation of a game agree."""

    schema: Form
    game: GameName
    verb: Literal["fit"]
    kind: Annotated[str, Doc("What was asked of the simulation.")]
    log: LogSource
    level: Annotated[Chance, Doc("That an interval holds the truth.")]
    seed: Seed
    slope: Annotated[Interval, Doc("Of results on simulated log-odds, with its interval: 1 if players agree.")]
    slope_beside: Annotated[Interval | None, Doc("The same with the named cards apart; null where none is named.")]
    first_mover: Annotated[Interval | None, Doc("What going first was worth beyond the simulation, in log-odds.")]
    player_sd: Annotated[float, Doc("How far players spread, in log-odds; 0 where the log names none.")]
    forecasts: Annotated[Mapping[str, Forecast], Doc("Of the simulation, ratings by the other games alone, a coin.")]
    cards: Annotated[Mapping[str, CardResidual], Doc("By entrant.")]
    pairs: tuple[PairFit, ...]
    games: Annotated[float, Doc("In the log.")]
    games_needed: Annotated[Count, Doc("Games of this mix that tell a slope of 1 from 0 with a chance of 80 %.")]
    trials: Annotated[Count, Doc("Of each simulated meeting; 0 where all chances are exact.")]
    noise: Annotated[float, Doc("Share of noise in the mean square of the log-odds; the slope is corrected above 1 %.")]
    bounded_games: Annotated[float, Doc("Whose chance was below 0.1 % or above 99.9 %, and was taken for that.")]
    rules_version: RulesVersion
    catalogue_sha256: Digest

    def __repr__(self) -> str:
        """Return the slope and its interval."""
        return f"<fit of {self.game}: slope {', '.join(f'{number:.2f}' for number in self.slope)}>"

    @formula
    def verdict(self) -> Annotated[Verdict, Doc("Whether the interval of the slope holds 1, and not 0 or 2 as well.")]:
        """Return what the interval of the slope says."""
        _, low, high = self.slope
        if low <= 1 <= high:
            return "agree" if low > 0 and high < 2 else "cannot tell"
        if low > 0:
            return "less extreme" if high < 1 else "more extreme"
        return "foretells nothing" if high >= 0 else "runs against"


class Slopes(NamedTuple):
    """Estimates of the slope, of entrants apart from it, and of going first; `spreads` is that of players, if known."""

    slope: Estimate
    apart: list[Estimate]
    first_mover: Estimate | None
    spreads: FloatArray


def agreement_of(oracle: Oracle, log: LogSource, level: float, seed: int) -> Agreement:
    """Return whether the games of a log agree with what is foretold of them; raises as `Oracle.foretell` does."""
    games, left_out = oracle.games.within(MOST_LOG_EFFECTS)
    predictions = oracle.foretell(seed)
    fit, noise = slopes_of(games, predictions.log_odds), predictions.noise(games)
    cards, beside = _cards(oracle, games, predictions, fit, level, seed)
    n_events = 0 if games.session is None else len(np.unique(games.session))
    freedom = max((n_events if n_events > 1 else len(games.score)) - 1, 1)
    z, stretch = float(stdtrit(freedom, (1 + level) / 2)), 1 / (1 - noise) if noise > NOISE else 1.0

    def interval(estimate: Estimate, scale: float = 1.0) -> Interval:
        value, width = scale * estimate[0], scale * z * estimate[1]
        return value, value - width, value + width

    return Agreement(
        1,
        oracle.game.definition.name,
        "fit",
        oracle.kind,
        replace(log, notes=(*log.notes, *([f"There is too much to tell apart: {left_out}."] if left_out else []))),
        level,
        seed,
        interval(fit.slope, stretch),
        interval(beside.slope, stretch) if beside.apart else None,
        None if fit.first_mover is None else interval(fit.first_mover),
        float(fit.spreads.sum()),
        {
            "simulation": _forecast(games, predictions.scores),
            "ratings alone": _forecast(games, rated_scores(games)),
            "a coin": _forecast(games, np.full(len(games.score), 0.5)),
        },
        cards,
        _pairs(games, predictions.scores),
        games.n_games,
        games_until(1.0, stretch * fit.slope[1], games.n_games, z),
        predictions.trials,
        noise,
        float(games.count @ predictions.bounded),
        oracle.game.catalogue.rules_version,
        oracle.game.catalogue.sha256,
    )


def _forecast(games: Games, score: FloatArray) -> Forecast:
    weights, bounded = games.count / games.n_games, np.clip(score, EDGE, 1 - EDGE)
    loss = games.score * np.log(bounded) + (1 - games.score) * np.log(1 - bounded)
    return Forecast(float(weights @ (score - games.score) ** 2), -float(weights @ loss))


def _cards(
    oracle: Oracle, games: Games, predictions: Predictions, fit: Slopes, level: float, seed: int
) -> tuple[dict[str, CardResidual], Slopes]:
    """Return the residual of each entrant, the surest first, and the slope beside those named.

    One is named at a time, the surest, and has an effect of its own when the others are looked at again.
    """
    critical = dict[int, float]()
    while True:
        effects, covariance = residuals_of(games, predictions.log_odds, fit.spreads, [*critical])
        bounds = max_t(effects, covariance, level, seed)
        t = np.abs(effects) / np.where(bounds.se > 0, bounds.se, np.inf)
        surest = int(np.argmax(t))
        if not bounds.named[surest]:
            break
        critical[surest] = bounds.critical
    beside = slopes_of(games, predictions.log_odds, [*critical])
    confirmed: list[bool | None] = [None] * len(critical)
    if critical and predictions.trials:
        fresh = slopes_of(games, oracle.asked(predictions.trials, seed + 1).log_odds, [*critical])
        confirmed = [abs(effect) > c * se for (effect, se), c in zip(fresh.apart, critical.values(), strict=True)]
    estimates = dict(zip(critical, zip(beside.apart, confirmed, strict=True), strict=True))
    cards = dict[str, CardResidual]()
    for at in [*critical, *(at for at in np.argsort(-t, kind="stable").tolist() if at not in critical)]:
        (effect, se), is_confirmed = estimates.get(at, ((float(effects[at]), float(bounds.se[at])), None))
        width, needed = critical.get(at, bounds.critical) * se, None
        if at not in critical and effect:
            needed = games_until(effect, se, games.n_games, bounds.critical)
        cards[games.names[at]] = CardResidual(
            effect,
            effect - width,
            effect + width,
            float(games.games_by_entrant[at]),
            at in critical,
            is_confirmed,
            needed if needed is None or needed <= MOST_GAMES else None,
        )
    return cards, beside


def _pairs(games: Games, foretold: FloatArray) -> tuple[PairFit, ...]:
    flip, n = games.side_a > games.side_b, len(games.names)
    pair = np.minimum(games.side_a, games.side_b) * n + np.maximum(games.side_a, games.side_b)
    cells, at = np.unique(pair, return_inverse=True)
    counts = np.bincount(at, games.count)
    means = [np.bincount(at, games.count * np.where(flip, 1 - x, x)) / counts for x in (foretold, games.score)]
    rows = zip(cells.tolist(), *(part.tolist() for part in (*means, counts)), strict=True)
    return tuple(PairFit(games.names[cell // n], games.names[cell % n], *numbers) for cell, *numbers in rows)


# -- the model ---------------------------------------------------------------------------------------------------------


def slopes_of(games: Games, log_odds: FloatArray, apart: Sequence[int] = ()) -> Slopes:
    """Return the slope of the results on `log_odds`, `float64[m]`, of side a winning against losing.

    The entrants `apart`, by place, have an effect of their own beside it. Draws say nothing of it.
    """
    d = _regression(games, log_odds, apart)
    kinds = unknown_kinds(d)
    fit = posterior(d, RATINGS_SCALE) if len(kinds) else at_spreads(d, kinds, np.zeros(0))
    places = np.flatnonzero(np.isin(d.kinds, (FREE, FIRST_MOVER)))
    means, sds = (np.array([getattr(fit.single(at), name)[0] for at in places.tolist()]) for name in ("mean", "sd"))
    mode = _Mode.of(d, fit.typical_sds())
    columns = np.concatenate([mode.curvature.solve(unit[None]) for unit in np.eye(d.g + 1)[places]])
    errors = np.maximum(sds, _clustered(d.arrowhead.row_sums(columns) * mode.score, games))
    estimates = np.stack([means, errors], axis=1) * np.where(d.kinds[places] == FREE, WIDE, 1.0)[:, None]
    free, first = (list(map(tuple, estimates[d.kinds[places] == kind].tolist())) for kind in (FREE, FIRST_MOVER))
    return Slopes(free[0], free[1:], first[0] if first else None, fit.typical_sds())


def residuals_of(
    games: Games, log_odds: FloatArray, spreads: FloatArray, apart: Sequence[int] = ()
) -> tuple[FloatArray, FloatArray]:
    """Return by how many log-odds each entrant alone does better than the slope says, `float64[n]`, and the covariance.

    Rao's score test of one more effect, which the slope makes room for; its step is the estimate. Of entrants that are
    `apart`, or whose games cannot tell it from the slope, both are 0. `spreads` are those of players, if known.
    """
    mode = _Mode.of(_regression(games, log_odds, apart), spreads)
    arrowhead, loads = mode.design.arrowhead, np.stack([_load(games, at) for at in range(len(games.names))])
    weights = mode.bend * loads
    fits = np.concatenate([mode.curvature.solve(row[None]) for row in arrowhead.sum_rows(weights)])
    left = loads - arrowhead.row_sums(fits)
    information = weights @ left.T
    own = np.diagonal(information)
    scale = np.where(own > BLURRED * (weights * loads).sum(axis=1), 1 / np.maximum(own, 1e-300), 0.0)
    covariance, effects = information * np.outer(scale, scale), scale * (loads @ mode.score)
    pulls = scale[:, None] * left * (mode.score - effects[:, None] * mode.bend * left)  # less what the effect explains
    wider = np.maximum(1.0, _clustered(pulls, games) / np.sqrt(np.maximum(np.diagonal(covariance), 1e-300)))
    return effects, covariance * np.outer(wider, wider)


def rated_scores(games: Games) -> FloatArray:
    """Return the score of side a in each game as ratings by all others foretell it, by a step from the fit to all."""
    d = _design(replace(games, players=None))
    mode = _Mode.of(d, posterior(d, RATINGS_SCALE).typical_sds())
    variance, score, bend = mode.curvature.row_variances[0], mode.score / games.count, mode.bend / games.count
    return expit(mode.eta - variance * score / (1 - variance * bend))


def _design(games: Games, covariate: FloatArray | None = None) -> Design:
    """Return a design without sessions, scenarios and costs, each row its own block, so that no order decides."""
    alone, m = replace(games, session=None, scenario=None, cost=None), len(games.side_a)
    d = design(alone, "none", effects=True, covariate=covariate)
    return replace(d, block=np.arange(m), sessions=np.full(m, -1))


def _load(games: Games, entrant: int) -> FloatArray:
    return np.asarray((games.side_a == entrant) * 1.0 - (games.side_b == entrant))


def _regression(games: Games, log_odds: FloatArray, apart: Sequence[int]) -> Design:
    count = np.where(games.has_draws & (games.score == 0.5), 0.0, games.count)
    d = _design(replace(games, count=count), WIDE * log_odds)
    for entrant in apart:
        d = with_more_effects(d, np.zeros(len(log_odds), np.int64), WIDE * _load(games, entrant), 1)
    return d


class _Mode(NamedTuple):
    """Where the posterior of a regression peaks: log-odds, pulls and bends of the games there, all `float64[m]`."""

    design: Design
    curvature: Curvature
    eta: FloatArray
    score: FloatArray
    bend: FloatArray

    @classmethod
    def of(cls, d: Design, spreads: FloatArray) -> _Mode:
        modes = find_modes(d, priors_at(d, unknown_kinds(d), spreads[None]), origin(d))
        assert modes.curvature is not None  # noqa: S101 - it was just found
        eta = d.arrowhead.row_sums(modes.all_effects)
        at = slopes(d.law, eta, modes.cut[:, None], d.wins, d.draws, d.losses)
        return cls(d, modes.curvature, eta[0], at.eta[0], at.eta_eta[0])


def _clustered(pulls: FloatArray, games: Games) -> FloatArray:
    """Return the standard errors, by event and player, of q effects to which each game adds `pulls`, `[q, m]`."""
    variances = np.diagonal(clustered(pulls.T, crossed_clusters(games.session, games.players)))
    return np.asarray(np.sqrt(np.maximum(variances, 0.0)))
