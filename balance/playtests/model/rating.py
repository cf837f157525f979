"""Ratings of a log of games: how strong each entrant is, how sure that is, and what follows from it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from balance.base.errors import UsageError, listed
from balance.base.limits import MOST_LOG_EFFECTS
from balance.playtests.games import FloatArray, Games
from balance.playtests.model.answer import (
    Change,
    FirstMover,
    FitSaid,
    Oddity,
    PairChance,
    Rated,
    RateSettings,
    Rating,
    Spread,
)
from balance.playtests.model.cautions import cautions_of
from balance.playtests.model.cycles import find_cycles
from balance.playtests.model.design import FIRST_MOVER, FORM, PLAYER, SCENARIO, SEAT, STRENGTH, design
from balance.playtests.model.outcomes import Law, chances, even_score
from balance.playtests.model.residuals import find_oddities
from balance.playtests.model.spreads import Posterior, Quantiles, at_spreads, plain_fit, posterior
from balance.playtests.model.verdicts import judged, more_games, sure_level

__all__ = ["RateSettings", "Rated", "rate"]

MOST_PAIRED = 100
"""Entrants of whom every pair is told; of more those that met."""
AT_ONCE = 256
"""Entrants held against all others at once."""
KIND_NAMES = {STRENGTH: "strengths", PLAYER: "player", SCENARIO: "scenario", FORM: "session", SEAT: "seat"}


def rate(games: Games, settings: RateSettings | None = None) -> Rated:
    """Rate the entrants of a log.

    Raises
    ------
    UsageError
        The games make no sense (see `Games.check`), some entrants never met the others, the band is none, or, without
        a prior, somebody never lost or never won.

    Examples
    --------
    >>> from balance.playtests.games import games_of
    >>> rated = rate(games_of(["elf"] * 40, ["orc"] * 40, [1] * 28 + [0] * 12))
    >>> [(one.name, one.verdict) for one in rated.ratings]
    [('elf', 'not yet known'), ('orc', 'not yet known')]
    """
    settings = settings or RateSettings()
    games.check()
    _check_settings(settings)
    _check_connected(games)
    n_rows = len(games.one)
    games, left_out = games.grouped().within(MOST_LOG_EFFECTS) if settings.effects else (games.grouped(), "")
    law: Law = settings.draws if games.has_draws else "none"
    found = _fitted(games, law, settings)
    rated = Rated(
        _ratings(games, found, settings),
        _first_mover(games, found, settings),
        _draw_share(games, law),
        _pairs(games, found, settings),
        find_cycles(games, found, settings.level) if settings.cycles and settings.prior is not None else (),
        (),
        _spread(found, settings.level),
        _fit_said(games, found, n_rows),
        cautions_of(games, left_out),
        settings,
    )
    if not settings.oddities or settings.prior is None:
        return rated
    oddities = find_oddities(games, found, 1 - settings.level)
    return replace(rated, oddities=tuple(_with_changes(games, found, rated, one, rows) for one, rows in oddities))


def _check_settings(settings: RateSettings) -> None:
    low, high = settings.band
    if not 0 < low < 0.5 < high < 1:
        told = f"a band lies around one half, found {100 * low:g} to {100 * high:g} %"
        raise UsageError(told, "give the two chances, such as 45:55")
    if not 0.5 <= settings.level < 1:
        raise UsageError(f"a level is a chance from 50 to below 100 %, found {settings.level:g}")
    if settings.prior is not None and not 0 < settings.prior <= 100:
        raise UsageError(f"the scale of the prior is above 0 and at most 100 logits, found {settings.prior:g}")


def _check_connected(games: Games) -> None:
    group = games.groups()
    if group.max() == 0:
        return
    parts = [[games.names[at] for at in np.flatnonzero(group == part)] for part in range(group.max() + 1)]
    told = f"{parts[0][0]} and {parts[1][0]} never met, nor did any that they met: nothing compares them"
    apart = "; ".join(listed(part) for part in parts)
    raise UsageError(told, f"rate each group by itself, or play a game between them: {apart}")


def _fitted(games: Games, law: Law, settings: RateSettings) -> Posterior:
    if settings.prior is not None:
        return posterior(design(games, law, settings.effects), settings.prior)
    try:
        if games.is_bounded and (found := plain_fit(design(games, law, effects=False))).modes.converged.all():
            return found
    except np.linalg.LinAlgError:  # going first always won, or costs and strengths cannot be told apart
        pass
    told = (
        "without a prior there is no best rating: somebody, or who went first, won or lost all games against the rest"
    )
    raise UsageError(told, "rate with the prior, which is the default")


def _field_chances(found: Posterior, ratings: FloatArray, own: FloatArray) -> FloatArray:
    """Return what each entrant scores against the field, were its own rating `own`; `float64[n]`, monotone in it.

    The field is the mean over the others, moved together so that ratings keep their mean of 0.
    """
    n, effects = len(ratings), found.effects
    place = found.design.place(FIRST_MOVER)
    mover = effects[place] if place >= 0 else 0.0
    moved = own + (own - ratings) / (n - 1)
    total = np.zeros(n)
    for some in np.array_split(np.arange(n), -(-n // AT_ONCE)):
        scores = even_score(found.design.law, moved[some, None] - ratings, effects[-1], mover)
        scores[np.arange(len(some)), some] = 0.0
        total[some] = scores.sum(axis=1)
    return total / (n - 1)


def _ratings(games: Games, found: Posterior, settings: RateSettings) -> tuple[Rating, ...]:
    mixture = found.strengths()
    mean = mixture.mean
    low, high = mixture.interval(settings.level)
    level = sure_level(settings.level, len(games.names) if len(games.names) > 2 else 1)
    sure_low, sure_high = mixture.interval(level)
    ends = (_field_chances(found, mean, value) for value in (mean, low, high, sure_low, sure_high))
    chance, chance_low, chance_high, s_low, s_high = ends
    played, scored, edge = games.played, games.scored, _skill_edges(games, found)
    ratings = []
    for at, name in enumerate(games.names):
        verdict = judged(float(s_low[at]), float(s_high[at]), settings.band)
        sure = (float(s_low[at]), float(s_high[at]))
        more, why = more_games(verdict, float(chance[at]), sure, level, settings.band, float(played[at]))
        ratings.append(
            Rating(
                name,
                float(mean[at]),
                float(low[at]),
                float(high[at]),
                float(played[at]),
                float(scored[at] / played[at]),
                float(chance[at]),
                float(chance_low[at]),
                float(chance_high[at]),
                verdict,
                float(s_low[at]),
                float(s_high[at]),
                more,
                why,
                None if edge is None else float(edge[at]),
            )
        )
    return tuple(ratings)


def _skill_edges(games: Games, found: Posterior) -> FloatArray | None:
    """Return by how much each entrant's players were stronger than those they met; None where players are unknown."""
    first = found.design.place(PLAYER)
    if first < 0 or games.players is None:
        return None
    skill = np.append(found.effects[first : first + len(games.player_names)], 0.0)  # of who is unknown: the mean, 0
    edge = games.count * (skill[games.players[:, 0]] - skill[games.players[:, 1]])
    apart, n = games.one != games.other, len(games.names)
    total = np.bincount(games.one[apart], edge[apart], n) - np.bincount(games.other[apart], edge[apart], n)
    return np.asarray(total / games.played)


def _single(found: Posterior, place: int) -> Quantiles:
    contrast = np.zeros((1, found.modes.effects.shape[1]))
    contrast[0, place] = 1.0
    return found.mixture(contrast)


def _first_mover(games: Games, found: Posterior, settings: RateSettings) -> FirstMover:
    place = found.design.place(FIRST_MOVER)
    known = float(games.count[games.mover != 0].sum())
    if place < 0:
        return FirstMover(
            0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0, "not measurable here", 0.0, None, "no game tells"
        )
    mixture = _single(found, place)
    low, high = mixture.interval(settings.level)
    values = np.array([mixture.mean[0], low[0], high[0]])
    won, drawn, _ = chances(found.design.law, values, found.effects[-1])
    score = [float(one) for one in won + drawn / 2]
    points = [200 * one - 100 for one in score]
    verdict = judged(score[1], score[2], settings.band)
    more, why = more_games(verdict, score[0], (score[1], score[2]), settings.level, settings.band, known)
    value, least, most = values.tolist()
    return FirstMover(value, least, most, *_three(score), *_three(points), verdict, known, more, why)


def _three(values: list[float]) -> tuple[float, float, float]:
    return values[0], values[1], values[2]


def _draw_share(games: Games, law: Law) -> float:
    return float(games.count[games.score == 0.5].sum() / games.n_games) if law != "none" else 0.0


def _pairs(games: Games, found: Posterior, settings: RateSettings) -> tuple[PairChance, ...]:
    n = len(games.names)
    met, scored = np.zeros((2, n, n))
    np.add.at(met, (games.one, games.other), games.count)
    np.add.at(scored, (games.one, games.other), games.count * games.score)
    above, below = np.triu_indices(n, 1)
    if n > MOST_PAIRED:
        there = met[above, below] + met[below, above] > 0
        above, below = above[there], below[there]
    mixture = found.gaps(above, below)
    low, high = mixture.interval(settings.level)
    place = found.design.place(FIRST_MOVER)
    mover = float(found.effects[place]) if place >= 0 else 0.0
    ends = [even_score(found.design.law, value, found.effects[-1], mover) for value in (mixture.mean, low, high)]
    both = met[above, below] + met[below, above]
    won = scored[above, below] + met[below, above] - scored[below, above]
    return tuple(
        PairChance(
            games.names[i],
            games.names[j],
            *_three([float(end[k]) for end in ends]),
            float(both[k]),
            float(won[k] / both[k]) if both[k] else None,
        )
        for k, (i, j) in enumerate(zip(above.tolist(), below.tolist(), strict=True))
    )


def _spread(found: Posterior, level: float) -> tuple[Spread, ...]:
    said = []
    for at, kind in enumerate(found.kinds.tolist()):
        order = np.argsort(found.sds[:, at])
        values = found.sds[order, at]
        below = np.cumsum(found.weights[order]) - found.weights[order] / 2
        low, middle, high = np.interp([(1 - level) / 2, 0.5, (1 + level) / 2], below, values)
        said.append(Spread(KIND_NAMES[kind], float(middle), float(low), float(high)))
    return tuple(said)


def _fit_said(games: Games, found: Posterior, n_rows: int) -> FitSaid:
    """Return the deviance of games pooled by match-up and seat, of the fit's strengths, first mover and draws alone."""
    from scipy.special import xlogy

    d = found.design
    shown = d.rows >= 0
    order = np.argsort(d.rows[shown])
    won, drawn, lost = (part[shown][order] for part in (d.won, d.drawn, d.lost))
    flip = games.one > games.other
    won, lost = np.where(flip, lost, won), np.where(flip, won, lost)
    key = np.stack([np.minimum(games.one, games.other), np.maximum(games.one, games.other)], axis=1)
    seat = np.where(flip, -games.mover, games.mover)
    cells, cell = np.unique(np.column_stack([key, seat]), axis=0, return_inverse=True)
    seen = np.stack([np.bincount(cell.ravel(), part, len(cells)) for part in (won, drawn, lost)])
    effects, place = found.effects, d.place(FIRST_MOVER)
    eta = effects[cells[:, 0]] - effects[cells[:, 1]] + (effects[place] if place >= 0 else 0.0) * cells[:, 2]
    expected = np.stack(chances(d.law, eta, effects[-1])) * seen.sum(axis=0)
    deviance = float(2 * (xlogy(seen, seen) - xlogy(seen, np.where(seen > 0, expected, 1.0))).sum())
    free = len(games.names) - 1 + (place >= 0) + (d.law != "none")
    df = len(cells) * (2 if d.law != "none" else 1) - free
    if df <= 0:
        return FitSaid(None, 0, games.n_games, n_rows, "not measurable here")
    return FitSaid(deviance, df, games.n_games, n_rows)


def _fitted_without(left: Games, law: Law, found: Posterior, settings: RateSettings) -> Posterior:
    """Fit games anew; of many effects, under the usual spreads of all games."""
    if found.design.whole:
        return _fitted(left, law, settings)
    return at_spreads(design(left, law, settings.effects), found.kinds, found.typical_sds())


def _with_changes(games: Games, found: Posterior, rated: Rated, oddity: Oddity, rows: npt.NDArray[np.bool_]) -> Oddity:
    """Return an oddity with what becomes of the ratings without its games."""
    left = games.taken(~rows)
    if len(left.one) == 0 or left.groups().max() > 0:
        return oddity
    law: Law = rated.settings.draws if left.has_draws else "none"
    without = _ratings(left, _fitted_without(left, law, found, rated.settings), rated.settings)
    return replace(
        oddity,
        changes=tuple(
            Change(old.name, old.rating, new.rating, old.verdict, new.verdict)
            for old, new in zip(rated.ratings, without, strict=True)
        ),
    )
