"""Ratings of a log of games: how strong each entrant is, how sure that is, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from balance.base.arrays import BoolArray, FloatArray
from balance.base.errors import UsageError, comma_list
from balance.base.limits import MOST_LOG_EFFECTS
from balance.playtests.games import Games
from balance.playtests.model.answer import (
    Change,
    FirstMover,
    GoodnessOfFit,
    Oddity,
    PairChance,
    RateSettings,
    Rating,
    RatingAnswer,
    Spread,
)
from balance.playtests.model.cautions import cautions_of
from balance.playtests.model.cycles import find_cycles
from balance.playtests.model.design import FIRST_MOVER, FORM, PLAYER, SCENARIO, SEAT, STRENGTH, design
from balance.playtests.model.outcomes import Law, chances, even_score
from balance.playtests.model.residuals import find_oddities
from balance.playtests.model.spreads import Posterior, at_spreads, plain_fit, posterior
from balance.playtests.model.verdicts import more_games, sure_level, verdict_of_interval
from balance.playtests.source import LogSource

__all__ = ["RateSettings", "RatingAnswer", "rate"]

MOST_PAIRED = 100
"""Entrants of whom every pair is told; of more those that met."""
AT_ONCE = 256
"""Entrants held against all others at once."""
KIND_NAMES = {STRENGTH: "strengths", PLAYER: "player", SCENARIO: "scenario", FORM: "session", SEAT: "seat"}


def rate(games: Games, settings: RateSettings | None = None, log: LogSource | None = None) -> RatingAnswer:
    """Rate the entrants of a log.

    * `games`: the games, whose entrants must all be connected by meetings.
    * `settings`: band, level, prior and effects; None for the defaults.
    * `log`: where the games come from; None for games that stand in no log.

    `UsageError`: the games make no sense (see `Games.check`), some entrants never met the others, the band is none, or,
    without a prior, somebody never lost or never won.

    >>> from balance.playtests.games import games_of
    >>> rated = rate(games_of(["elf"] * 40, ["orc"] * 40, [1] * 28 + [0] * 12))
    >>> {name: rating.verdict for name, rating in rated.ratings.items()}
    {'elf': 'not yet known', 'orc': 'not yet known'}
    """
    settings = settings or RateSettings()
    games.check()
    check_settings(settings)
    check_connected(games)
    n_rows = len(games.side_a)
    games, left_out = games.group_equal().within(MOST_LOG_EFFECTS) if settings.effects else (games.group_equal(), "")
    law: Law = settings.draws if games.has_draws else "none"
    fitted_posterior = _fit(games, law, settings)
    answer = RatingAnswer(
        1,
        "rate",
        log or LogSource(),
        settings,
        _ratings(games, fitted_posterior, settings),
        first_mover_of(float(games.count[games.mover != 0].sum()), fitted_posterior, settings),
        float(games.count[games.score == 0.5].sum() / games.n_games) if law != "none" else 0.0,
        _pairs(games, fitted_posterior, settings),
        find_cycles(games, fitted_posterior, settings.level) if settings.cycles and settings.prior is not None else (),
        (),
        spread_of(fitted_posterior, settings.level),
        _goodness_of_fit(games, fitted_posterior, n_rows),
        cautions_of(games, left_out),
    )
    if not settings.oddities or settings.prior is None:
        return answer
    oddities = find_oddities(games, fitted_posterior, 1 - settings.level)
    return replace(
        answer,
        oddities=tuple(_with_changes(games, fitted_posterior, answer, oddity, rows) for oddity, rows in oddities),
    )


def check_settings(settings: RateSettings) -> None:
    """Raise `UsageError` for a band, a level or a prior that makes no sense."""
    low, high = settings.band
    if not 0 < low < 0.5 < high < 1:
        problem = f"a band lies around one half, found {100 * low:g} to {100 * high:g} %"
        raise UsageError(problem, "give the two chances, such as 45:55")
    if not 0.5 <= settings.level < 1:
        raise UsageError(f"a level is a chance from 50 to below 100 %, found {settings.level:g}")
    if settings.prior is not None and not 0 < settings.prior <= 100:
        raise UsageError(f"the scale of the prior is above 0 and at most 100 logits, found {settings.prior:g}")


def check_connected(games: Games) -> None:
    """Raise `UsageError` where no chain of meetings compares some entrants."""
    group = games.groups()
    if group.max() == 0:
        return
    parts = [[games.names[at] for at in np.flatnonzero(group == part)] for part in range(group.max() + 1)]
    problem = f"{parts[0][0]} and {parts[1][0]} never met, nor did any that they met: nothing compares them"
    apart = "; ".join(comma_list(part) for part in parts)
    raise UsageError(problem, f"rate each group by itself, or play a game between them: {apart}")


def _fit(games: Games, law: Law, settings: RateSettings) -> Posterior:
    if settings.prior is not None:
        return posterior(design(games, law, settings.effects), settings.prior)
    try:
        if (
            games.is_bounded
            and (fitted_posterior := plain_fit(design(games, law, effects=False))).modes.converged.all()
        ):
            return fitted_posterior
    except np.linalg.LinAlgError:  # going first always won, or costs and strengths cannot be told apart
        pass
    problem = (
        "without a prior there is no best rating: somebody, or who went first, won or lost all games against the rest"
    )
    raise UsageError(problem, "rate with the prior, which is the default")


def _field_chances(fitted_posterior: Posterior, ratings: FloatArray, own_ratings: FloatArray) -> FloatArray:
    """Return each entrant's expected score against the field at rating `own_ratings`, `float64[n]`, monotone in it.

    The score is the mean over all others, moved together so that ratings keep their mean of 0.
    """
    n, effects = len(ratings), fitted_posterior.effects
    place = fitted_posterior.design.place(FIRST_MOVER)
    mover = effects[place] if place >= 0 else 0.0
    field_shifted = own_ratings + (own_ratings - ratings) / (n - 1)
    total = np.zeros(n)
    for chunk in np.array_split(np.arange(n), -(-n // AT_ONCE)):
        scores = even_score(fitted_posterior.design.law, field_shifted[chunk, None] - ratings, effects[-1], mover)
        scores[np.arange(len(chunk)), chunk] = 0.0
        total[chunk] = scores.sum(axis=1)
    return total / (n - 1)


def _ratings(games: Games, fitted_posterior: Posterior, settings: RateSettings) -> dict[str, Rating]:
    n_games, edge = games.games_by_entrant, _skill_edges(games, fitted_posterior)
    chance_at = partial(_field_chances, fitted_posterior, fitted_posterior.strengths().mean)
    score = games.points_by_entrant / n_games
    return ratings_of(games.names, n_games, score, fitted_posterior, settings, chance_at, edge)


def ratings_of(
    names: Sequence[str],
    n_games: FloatArray,
    score: FloatArray,
    fitted_posterior: Posterior,
    settings: RateSettings,
    chance_at: Callable[[FloatArray], FloatArray],
    edge: FloatArray | None = None,
) -> dict[str, Rating]:
    """Return the ratings by entrant; arrays are `float64[n]`, and `chance_at` is the chance of each by its rating."""
    mixture = fitted_posterior.strengths()
    mean = mixture.mean
    low, high = mixture.interval(settings.level)
    level = sure_level(settings.level, len(names) if len(names) > 2 else 1)
    sure_low, sure_high = mixture.interval(level)
    chance, chance_low, chance_high, s_low, s_high = map(chance_at, (mean, low, high, sure_low, sure_high))
    ratings = {}
    for at, name in enumerate(names):
        sure = (float(s_low[at]), float(s_high[at]))
        verdict = verdict_of_interval(*sure, settings.band)
        more, reason = more_games(verdict, float(chance[at]), sure, level, settings.band, float(n_games[at]))
        ratings[name] = Rating(
            verdict,
            float(chance[at]),
            float(chance_low[at]),
            float(chance_high[at]),
            float(n_games[at]),
            float(score[at]),
            *sure,
            more,
            reason,
            None if edge is None else float(edge[at]),
            float(mean[at]),
            float(low[at]),
            float(high[at]),
        )
    return ratings


def _skill_edges(games: Games, fitted_posterior: Posterior) -> FloatArray | None:
    """Return how many logits stronger each entrant's players were than those they met, on average, `float64[n]`.

    None where the log names no players; unknown ones count as average.
    """
    first = fitted_posterior.design.place(PLAYER)
    if first < 0 or games.players is None:
        return None
    skill = np.append(
        fitted_posterior.effects[first : first + len(games.player_names)], 0.0
    )  # of who is unknown: the mean, 0
    edge = games.count * (skill[games.players[:, 0]] - skill[games.players[:, 1]])
    apart, n = games.side_a != games.side_b, len(games.names)
    total = np.bincount(games.side_a[apart], edge[apart], n) - np.bincount(games.side_b[apart], edge[apart], n)
    return np.asarray(total / games.games_by_entrant)


def first_mover_of(n_games: float, fitted_posterior: Posterior, settings: RateSettings) -> FirstMover:
    """Return what going first is worth, from so many games that tell who did."""
    place = fitted_posterior.design.place(FIRST_MOVER)
    if place < 0:
        return FirstMover(
            0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0, "not measurable here", 0.0, None, "no game tells"
        )
    mixture = fitted_posterior.single(place)
    low, high = mixture.interval(settings.level)
    values = np.array([mixture.mean[0], low[0], high[0]])
    win, draw, _ = chances(fitted_posterior.design.law, values, fitted_posterior.effects[-1])
    score = [float(share) for share in win + draw / 2]
    points = [200 * share - 100 for share in score]
    verdict = verdict_of_interval(score[1], score[2], settings.band)
    more, reason = more_games(verdict, score[0], (score[1], score[2]), settings.level, settings.band, n_games)
    value, lower, upper = values.tolist()
    return FirstMover(value, lower, upper, *_three(score), *_three(points), verdict, n_games, more, reason)


def _three(values: list[float]) -> tuple[float, float, float]:
    return values[0], values[1], values[2]


def _pairs(games: Games, fitted_posterior: Posterior, settings: RateSettings) -> tuple[PairChance, ...]:
    n = len(games.names)
    n_games, points = np.zeros((2, n, n))
    np.add.at(n_games, (games.side_a, games.side_b), games.count)
    np.add.at(points, (games.side_a, games.side_b), games.count * games.score)
    above, below = np.triu_indices(n, 1)
    if n > MOST_PAIRED:
        has_games = n_games[above, below] + n_games[below, above] > 0
        above, below = above[has_games], below[has_games]
    mixture = fitted_posterior.gaps(above, below)
    low, high = mixture.interval(settings.level)
    place = fitted_posterior.design.place(FIRST_MOVER)
    mover = float(fitted_posterior.effects[place]) if place >= 0 else 0.0
    ends = [
        even_score(fitted_posterior.design.law, value, fitted_posterior.effects[-1], mover)
        for value in (mixture.mean, low, high)
    ]
    pair_games = n_games[above, below] + n_games[below, above]
    pair_points = points[above, below] + n_games[below, above] - points[below, above]
    return tuple(
        PairChance(
            games.names[i],
            games.names[j],
            *_three([float(end[k]) for end in ends]),
            float(pair_games[k]),
            float(pair_points[k] / pair_games[k]) if pair_games[k] else None,
        )
        for k, (i, j) in enumerate(zip(above.tolist(), below.tolist(), strict=True))
    )


def spread_of(fitted_posterior: Posterior, level: float) -> tuple[Spread, ...]:
    """Return how far each kind of effect spreads, with intervals."""
    spreads = []
    for at, kind in enumerate(fitted_posterior.kinds.tolist()):
        order = np.argsort(fitted_posterior.sds[:, at])
        values = fitted_posterior.sds[order, at]
        below = np.cumsum(fitted_posterior.weights[order]) - fitted_posterior.weights[order] / 2
        low, middle, high = np.interp([(1 - level) / 2, 0.5, (1 + level) / 2], below, values)
        spreads.append(Spread(KIND_NAMES[kind], float(middle), float(low), float(high)))
    return tuple(spreads)


def _goodness_of_fit(games: Games, fitted_posterior: Posterior, n_rows: int) -> GoodnessOfFit:
    """Return the deviance of games pooled by match-up and seat, against strengths, first mover and draws alone."""
    d = fitted_posterior.design
    wins, draws, losses = d.wins, d.draws, d.losses
    flip = games.side_a > games.side_b
    wins, losses = np.where(flip, losses, wins), np.where(flip, wins, losses)
    key = np.stack([np.minimum(games.side_a, games.side_b), np.maximum(games.side_a, games.side_b)], axis=1)
    seat = np.where(flip, -games.mover, games.mover)
    cells, cell = np.unique(np.column_stack([key, seat]), axis=0, return_inverse=True)
    counts = np.stack([np.bincount(cell.ravel(), part, len(cells)) for part in (wins, draws, losses)])
    effects, place = fitted_posterior.effects, d.place(FIRST_MOVER)
    eta = effects[cells[:, 0]] - effects[cells[:, 1]] + (effects[place] if place >= 0 else 0.0) * cells[:, 2]
    expected = np.stack(chances(d.law, eta, effects[-1])) * counts.sum(axis=0)
    is_seen = counts > 0
    deviance = float(2 * (counts[is_seen] * np.log(counts[is_seen] / expected[is_seen])).sum())
    free = len(games.names) - 1 + (place >= 0) + (d.law != "none")
    df = len(cells) * (2 if d.law != "none" else 1) - free
    if df <= 0:
        return GoodnessOfFit(None, 0, games.n_games, n_rows, "not measurable here")
    return GoodnessOfFit(deviance, df, games.n_games, n_rows)


def _fitted_without(remaining_games: Games, law: Law, fitted_posterior: Posterior, settings: RateSettings) -> Posterior:
    """Return the posterior of the remaining games; of many effects with the spreads fixed at those of all games."""
    if fitted_posterior.design.whole:
        return _fit(remaining_games, law, settings)
    return at_spreads(
        design(remaining_games, law, settings.effects), fitted_posterior.kinds, fitted_posterior.typical_sds()
    )


def _with_changes(
    games: Games, fitted_posterior: Posterior, answer: RatingAnswer, oddity: Oddity, rows: BoolArray
) -> Oddity:
    """Return an oddity with all ratings and verdicts without its games; as it is if the rest is unconnected."""
    remaining_games = games.select_rows(~rows)
    if len(remaining_games.side_a) == 0 or remaining_games.groups().max() > 0:
        return oddity
    law: Law = answer.settings.draws if remaining_games.has_draws else "none"
    posterior = _fitted_without(remaining_games, law, fitted_posterior, answer.settings)
    ratings = _ratings(remaining_games, posterior, answer.settings)
    return replace(
        oddity,
        changes=tuple(
            Change(name, old.rating, ratings[name].rating, old.verdict, ratings[name].verdict)
            for name, old in answer.ratings.items()
        ),
    )
