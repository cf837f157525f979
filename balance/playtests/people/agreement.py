"""Whether players agree with a simulation: the slope of results on simulated log-odds, and what each card does besides.

Players are random effects whose spread is integrated out: left out, a true slope of 1 would read as .84 where their
strengths spread by one logit. Errors are the largest of the model's own and those clustered by event and by player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal, TypeAlias

import numpy as np
from scipy.special import stdtrit

from balance.base.answers import Chance, Count, Digest, Doc, Form, GameName, RulesVersion, Seed, formula
from balance.base.arrays import FloatArray, IntArray
from balance.base.limits import MOST_LOG_EFFECTS
from balance.playtests.games import Games
from balance.playtests.model.arrowhead import Curvature
from balance.playtests.model.design import FIRST_MOVER, FREE, Design, design, with_more_effects
from balance.playtests.model.fit import find_modes
from balance.playtests.model.outcomes import Law, chances, slopes
from balance.playtests.model.spreads import at_spreads, origin, posterior, priors_at, unknown_kinds
from balance.playtests.people.naming import games_until, max_t
from balance.playtests.people.predictions import EDGE, NOISE, Oracle, Predictions
from balance.playtests.source import LogSource

WIDE = 100.0
"""Logits by which the covariate is stretched, so that the weak prior on free effects says nothing of the slope."""
BLURRED = 1e-6
"""Share of its information that an entrant must keep beside the slope, or the two cannot be told apart."""
FOLDS = 5
RATINGS_SCALE = 0.7
MOST_GAMES = 100_000


Verdict: TypeAlias = Literal[
    "agree", "less extreme", "more extreme", "foretells nothing", "runs against", "cannot tell"
]
Low = Annotated[float, Doc("The lower end of its interval.")]
High = Annotated[float, Doc("Its upper end.")]


@dataclass(frozen=True)
class Forecast:
    """How well something foretells the results, as it stands."""

    brier: Annotated[float, Doc("Mean squared error of the score it foretells; 0.25 for a coin where nobody draws.")]
    log_loss: Annotated[float, Doc("Mean of minus the logarithm of the chance of what came; 0.693 for a coin.")]


@dataclass(frozen=True)
class CardResidual:
    """By how much an entrant did better than simulated, beside the slope; intervals hold for all entrants at once."""

    effect: Annotated[float, Doc("In log-odds; 0 where its games cannot tell it from the slope.")]
    low: Low
    high: High
    is_named: Annotated[bool, Doc("Whether it surely plays otherwise than simulated.")]
    is_confirmed: Annotated[bool | None, Doc("Whether a fresh simulation names it too; null where it is exact.")]
    games: Annotated[float, Doc("Of its own.")]
    games_needed: Annotated[
        Count | None, Doc("Games of the log until this effect would be named; null for a named one, and above 100,000.")
    ]


@dataclass(frozen=True)
class PairFit:
    """What two entrants scored off each other, and what is foretold."""

    one: str
    other: str
    foretold: Annotated[Chance, Doc("The score of `one` in these games, by the simulation.")]
    observed: Annotated[Chance, Doc("What it scored.")]
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
    slope: Annotated[float, Doc("Of results on the simulated log-odds: 1 if players agree, 0 if it says nothing.")]
    low: Low
    high: High
    first_mover: Annotated[
        tuple[float, float, float] | None,
        Doc("What going first was worth beyond the simulation, in log-odds, and its interval; null where none tells."),
    ]
    player_sd: Annotated[float, Doc("How far players spread, in log-odds; 0 where the log names none.")]
    forecasts: Annotated[Mapping[str, Forecast], Doc("Of the simulation, ratings by other events alone, a coin.")]
    cards: Annotated[Mapping[str, CardResidual], Doc("By entrant.")]
    slope_beside: Annotated[
        tuple[float, float, float] | None,
        Doc("The slope, and its interval, with the named cards apart; null where none is named."),
    ]
    pairs: tuple[PairFit, ...]
    games: Annotated[float, Doc("In the log.")]
    games_needed: Annotated[Count, Doc("Games of this mix that tell a slope of 1 from 0 with a chance of 80 %.")]
    trials: Annotated[Count, Doc("Of each simulated meeting; 0 where all chances are exact.")]
    noise: Annotated[float, Doc("Share of the simulation's noise in the mean square of the log-odds.")]
    bounded_games: Annotated[float, Doc("Whose chance was below 0.1 % or above 99.9 %, and was taken for that.")]
    left_out: Annotated[str, Doc("Whose effects were not told apart, as there are too many; empty for nobody.")]
    rules_version: RulesVersion
    catalogue_sha256: Digest

    def __repr__(self) -> str:
        """Return the slope and its interval."""
        return f"<fit of {self.game}: slope {self.slope:.2f}, {self.low:.2f} to {self.high:.2f}>"

    @property
    def is_corrected(self) -> bool:
        """Whether so much noise was left that the slope was corrected for it."""
        return self.noise > NOISE

    @formula
    def verdict(self) -> Annotated[Verdict, Doc("Whether the interval of the slope holds 1, and not 0 or 2 as well.")]:
        """Return what the interval of the slope says."""
        if self.low <= 1 <= self.high:
            return "agree" if self.low > 0 and self.high < 2 else "cannot tell"
        if self.low > 0:
            return "less extreme" if self.high < 1 else "more extreme"
        return "foretells nothing" if self.high >= 0 else "runs against"


@dataclass(frozen=True)
class Slope:
    """The slope of results on log-odds, what going first and entrants apart are worth, each with its standard error.

    `spreads`: the spread of players in log-odds, `float64[1]`, or `float64[0]` where the log names none.
    """

    value: float
    error: float
    first_mover: tuple[float, float] | None
    spreads: FloatArray
    apart: tuple[tuple[float, float], ...]


def agreement_of(oracle: Oracle, log: LogSource, level: float, trials: int | None, seed: int) -> Agreement:
    """Return whether the games of a log agree with what is foretold of them; raises as `Oracle.foretell` does."""
    catalogue, (games, left_out) = oracle.game.catalogue, oracle.games.within(MOST_LOG_EFFECTS)
    predictions = oracle.foretell(trials, seed)
    slope, noise = slope_of(games, predictions.log_odds), predictions.noise(games)
    shrunk, z = 1 - noise if noise > NOISE else 1.0, float(stdtrit(_freedom(games), (1 + level) / 2))
    value, error = slope.value / shrunk, slope.error / shrunk
    cards, beside = _cards(oracle, games, predictions, slope, level, seed)

    def with_ends(value: float, error: float) -> tuple[float, float, float]:
        return value, value - z * error, value + z * error

    return Agreement(
        1,
        oracle.game.definition.name,
        "fit",
        oracle.kind,
        log,
        level,
        seed,
        *with_ends(value, error),
        None if slope.first_mover is None else with_ends(*slope.first_mover),
        float(slope.spreads.sum()),
        {
            "simulation": _forecast(games, predictions.scores),
            "ratings alone": _forecast(games, rated_scores(games, predictions.log_odds)),
            "a coin": _forecast(games, np.full(len(games.score), 0.5)),
        },
        cards,
        with_ends(beside.value / shrunk, beside.error / shrunk) if beside.apart else None,
        _pairs(games, predictions.scores),
        games.n_games,
        games_until(1.0, error, games.n_games, z),
        predictions.trials,
        noise,
        float(games.count @ predictions.bounded),
        left_out,
        catalogue.rules_version,
        catalogue.sha256,
    )


def _freedom(games: Games) -> int:
    """Return the degrees of freedom of errors: events less 1, or of a log that tells no two of them, games less 1."""
    n_events = 0 if games.session is None else len(np.unique(games.session))
    return max((n_events if n_events > 1 else len(games.score)) - 1, 1)


def _forecast(games: Games, score: FloatArray) -> Forecast:
    weights, bounded = games.count / games.n_games, np.clip(score, EDGE, 1 - EDGE)
    loss = games.score * np.log(bounded) + (1 - games.score) * np.log(1 - bounded)
    return Forecast(float(weights @ (score - games.score) ** 2), -float(weights @ loss))


def _cards(
    oracle: Oracle, games: Games, predictions: Predictions, slope: Slope, level: float, seed: int
) -> tuple[dict[str, CardResidual], Slope]:
    """Return the residual of each entrant, the surest first, and the slope beside those named.

    One is named at a time, the surest, and has an effect of its own when the others are looked at again.
    """
    apart, criticals, named = list[int](), list[float](), True
    while named:
        effects, covariance = residuals_of(games, predictions.log_odds, slope.spreads, apart)
        bounds = max_t(effects, covariance, level, seed)
        surest = int(np.argmax(np.abs(effects) / np.where(bounds.se > 0, bounds.se, np.inf)))
        named = bool(bounds.named[surest]) and len(apart) < len(games.names) - 1
        if named:
            apart, criticals = [*apart, surest], [*criticals, bounds.critical]
    beside, confirmed = slope_of(games, predictions.log_odds, apart), dict[int, bool]()
    if apart and predictions.trials:
        fresh = oracle.asked(predictions.trials, seed + 1)
        again = slope_of(games, fresh.log_odds, apart).apart
        confirmed = {
            at: abs(effect) > critical * error
            for at, (effect, error), critical in zip(apart, again, criticals, strict=True)
        }
    n = games.games_by_entrant
    cards = {
        games.names[at]: CardResidual(
            effect, effect - critical * error, effect + critical * error, True, confirmed.get(at), float(n[at]), None
        )
        for at, (effect, error), critical in zip(apart, beside.apart, criticals, strict=True)
    }
    for at in np.lexsort((np.arange(len(n)), -np.abs(effects) / np.maximum(bounds.se, 1e-300))).tolist():
        if at not in apart:
            effect, error = float(effects[at]), float(bounds.se[at])
            ends = float(bounds.simultaneous_low[at]), float(bounds.simultaneous_high[at])
            until = _games_until(effect, error, games.n_games, bounds.critical)
            cards[games.names[at]] = CardResidual(effect, *ends, False, None, float(n[at]), until)
    return cards, beside


def _games_until(effect: float, error: float, n_games: float, critical: float) -> int | None:
    """Return the games of a log until an effect would be named; None if they are too many for anybody."""
    return n if effect and error and (n := games_until(effect, error, n_games, critical)) <= MOST_GAMES else None


def _pairs(games: Games, foretold: FloatArray) -> tuple[PairFit, ...]:
    """Return each distinct pair, in the order of the names."""
    apart = games.side_a != games.side_b
    games, foretold = games.select_rows(apart), foretold[apart]
    flip, n = games.side_a > games.side_b, len(games.names)
    pair = np.minimum(games.side_a, games.side_b) * n + np.maximum(games.side_a, games.side_b)
    cells, at = np.unique(pair, return_inverse=True)
    counts = np.bincount(at, games.count)
    means = [np.bincount(at, games.count * np.where(flip, 1 - x, x)) / counts for x in (foretold, games.score)]
    rows = zip(cells.tolist(), *(part.tolist() for part in (*means, counts)), strict=True)
    return tuple(PairFit(games.names[cell // n], games.names[cell % n], *numbers) for cell, *numbers in rows)


# -- the model ---------------------------------------------------------------------------------------------------------


def slope_of(games: Games, log_odds: FloatArray, apart: Sequence[int] = ()) -> Slope:
    """Return the slope of the results on `log_odds`, `float64[m]`, of side a winning against losing.

    The entrants `apart`, by place, have an effect of their own beside it.
    """
    d = _regression(games, log_odds, apart)
    kinds = unknown_kinds(d)
    fit = posterior(d, RATINGS_SCALE) if len(kinds) else at_spreads(d, kinds, np.zeros(0))
    places = np.flatnonzero(np.isin(d.kinds, (FREE, FIRST_MOVER)))
    means, sds = (np.array([getattr(fit.single(at), name)[0] for at in places.tolist()]) for name in ("mean", "sd"))
    mode = _Mode.of(d, fit.typical_sds())
    columns = np.concatenate([mode.curvature.solve(unit[None]) for unit in np.eye(mode.n_effects)[places]])
    errors = np.maximum(sds, _clustered(d.arrowhead.row_sums(columns) * mode.score, games))
    scale = np.where(d.kinds[places] == FREE, WIDE, 1.0)
    pairs = [*zip((scale * means).tolist(), (scale * errors).tolist(), strict=True)]
    first = pairs[1] if games.knows_mover else None
    return Slope(*pairs[0], first, fit.typical_sds(), tuple(pairs[len(pairs) - len(apart) :]))


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
    errors = np.sqrt(np.diagonal(covariance))
    pulls = scale[:, None] * left * (mode.score - effects[:, None] * mode.bend * left)  # less what the effect explains
    wider = np.maximum(1.0, _clustered(pulls, games) / np.maximum(errors, 1e-300))
    return effects, covariance * np.outer(wider, wider)


def rated_scores(games: Games, log_odds: FloatArray) -> FloatArray:
    """Return the score of side a in each game as ratings foretell it that other events taught, `float64[m]`."""
    law: Law = "davidson" if games.has_draws else "none"
    d = _design(replace(games, players=None), law)
    fit = posterior(d, RATINGS_SCALE)
    fold = _folds(games, log_odds)
    weights = (fold != np.arange(FOLDS)[:, None]).astype(np.float64)
    priors = priors_at(d, fit.kinds, np.repeat(fit.typical_sds()[None], FOLDS, axis=0))
    modes = find_modes(d, priors, origin(d), weights)
    rows = np.arange(len(fold))
    win, draw, _ = chances(d.law, d.arrowhead.row_sums(modes.all_effects)[fold, rows], modes.cut[fold])
    return np.asarray(win + draw / 2)


def _design(games: Games, law: Law, covariate: FloatArray | None = None) -> Design:
    """Return a design without sessions, scenarios and costs, each row its own block, so that no order decides."""
    alone, m = replace(games, session=None, scenario=None, cost=None), len(games.side_a)
    d = design(alone, law, effects=True, covariate=covariate)
    return replace(d, block=np.arange(m), sessions=np.full(m, -1))


def _load(games: Games, entrant: int) -> FloatArray:
    return np.asarray((games.side_a == entrant) * 1.0 - (games.side_b == entrant))


def _regression(games: Games, log_odds: FloatArray, apart: Sequence[int]) -> Design:
    count = np.where(games.has_draws & (games.score == 0.5), 0.0, games.count)
    d = _design(replace(games, count=count), "none", WIDE * log_odds)
    for entrant in apart:
        d = with_more_effects(d, np.zeros(len(log_odds), np.int64), WIDE * _load(games, entrant), 1)
    return d


@dataclass(frozen=True)
class _Mode:
    """Where the posterior of a regression peaks, with what each game pulls there: `score` and `bend`, `float64[m]`."""

    design: Design
    curvature: Curvature
    score: FloatArray
    bend: FloatArray
    n_effects: int

    @classmethod
    def of(cls, d: Design, spreads: FloatArray) -> _Mode:
        modes = find_modes(d, priors_at(d, unknown_kinds(d), spreads[None]), origin(d))
        assert modes.curvature is not None  # noqa: S101 - it was just found
        eta = d.arrowhead.row_sums(modes.all_effects)
        at = slopes(d.law, eta, modes.cut[:, None], d.wins, d.draws, d.losses)
        return cls(d, modes.curvature, at.eta[0], at.eta_eta[0], modes.all_effects.shape[1])


def _clustered(pulls: FloatArray, games: Games) -> FloatArray:
    """Return the standard errors of q effects by a sandwich over events or players, the larger one, `float64[q]`.

    `pulls`, `[q, m]`, is what each game adds to each effect. Two games of one player hang together, whichever side he
    had (Fafchamps and Gubert 2007). 0 where a log tells neither.
    """
    variances = [np.zeros(len(pulls))]
    if games.session is not None:
        variances.append(_squares(pulls, games.session))
    if games.players is not None:
        both = _squares(np.repeat(pulls, 2, axis=1), games.players.ravel())
        variances.append(np.maximum(both - (pulls**2).sum(axis=1), 0.0))
    return np.asarray(np.sqrt(np.max(variances, axis=0)))


def _squares(pulls: FloatArray, label: IntArray) -> FloatArray:
    """Return the sum over clusters of their squared sums, `float64[q]` of `[q, m]`; -1 is a cluster of its own."""
    own = np.where(label < 0, label.max() + 1 + np.arange(len(label)), label)
    _, cluster = np.unique(own, return_inverse=True)
    n = int(cluster.max()) + 1
    sums = np.stack([np.bincount(cluster, row, n) for row in pulls])
    return np.asarray((sums**2).sum(axis=1) * n / max(n - 1, 1))


def _folds(games: Games, log_odds: FloatArray) -> IntArray:
    """Return a fold for each row: its event's, or one by which each pair's results are dealt out, whatever their order.

    Results are dealt as those of the pair's favourite, so that no name decides.
    """
    if games.session is not None:
        return np.asarray(games.session % FOLDS)
    low = np.minimum(games.side_a, games.side_b)
    _, pair = np.unique(low * len(games.names) + np.maximum(games.side_a, games.side_b), return_inverse=True)
    favour = np.bincount(pair, np.where(games.side_a == low, log_odds, -log_odds))
    is_favourite = (games.side_a == low) == (favour >= 0)[pair]
    score = np.where(is_favourite, games.score, 1 - games.score)
    mover = np.where(is_favourite, games.mover, -games.mover)
    order = np.lexsort((mover, score, pair))
    first = np.flatnonzero(np.diff(pair[order], prepend=-1))
    fold = np.empty(len(order), np.int64)
    fold[order] = (np.arange(len(order)) - np.repeat(first, np.diff(np.append(first, len(order))))) % FOLDS
    return fold
