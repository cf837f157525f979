"""Ratings from games among three or more, and of teams."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import comb

import numpy as np

from balance.base.arrays import FloatArray
from balance.base.errors import UsageError
from balance.playtests.contests import Contests
from balance.playtests.games import Games
from balance.playtests.model.answer import Caution, Estimate, GoodnessOfFit, RateSettings, RatingAnswer, Several
from balance.playtests.model.cautions import few_games
from balance.playtests.model.design import COST, FIRST_MOVER, FREE
from balance.playtests.model.outcomes import even_score
from balance.playtests.model.rating import check_connected, check_settings, first_mover_of, ratings_of, spread_of
from balance.playtests.model.spreads import Posterior, Quantiles
from balance.playtests.people.choices import Choices, choices_of, posterior_of
from balance.playtests.source import LogSource


def rate_contests(
    contests: Contests, settings: RateSettings | None = None, log: LogSource | None = None, first_only: bool = False
) -> RatingAnswer:
    """Rate the entrants of games among three or more, or of teams; `first_only` leaves out the places of the rest.

    `UsageError`: entrants never met the others, a setting makes no sense, or without a prior nothing is best.

    >>> from balance.playtests.contests import Side
    >>> game = [Side(("elf",), 1), Side(("orc",), 2), Side(("troll",), 3)]
    >>> rated = rate_contests(Contests.of([game] * 9))
    >>> [*rated.ratings], rated.several.first["elf"].value > 1 / 3 > rated.several.first["troll"].value
    (['elf', 'orc', 'troll'], True)
    """
    settings = replace(settings or RateSettings(), oddities=False, cycles=False)
    check_settings(settings)
    if settings.draws != "davidson":
        raise UsageError("games of teams, or among three or more, tie as Davidson's model says", "leave out §draws")
    contests = (contests.first_only() if first_only else contests).join_partners()
    check_connected(_meetings(contests))
    choices = choices_of(contests)
    fitted = posterior_of(choices, settings.prior)
    n_games, place = contests.games_by_entrant, choices.design.place(FIRST_MOVER)
    mover = fitted.effects[place] if place >= 0 else 0.0
    chance_at = partial(even_score, choices.design.law, cut=fitted.effects[-1], first_mover=mover)
    evenings = Caution("no sessions", "what games of one evening share is left out, so intervals may be too short")
    return RatingAnswer(
        1,
        "rate",
        log or LogSource(),
        settings,
        ratings_of(contests.names, n_games, contests.score_by_entrant, fitted, settings, chance_at),
        first_mover_of(float(contests.went_first.sum()), fitted, settings),
        float((np.bincount(contests.contest, contests.place == 1) > 1).mean()),
        (),
        (),
        (),
        spread_of(fitted, settings.level),
        GoodnessOfFit(None, 0, len(contests.n_sides), len(contests.n_sides), "not measurable here"),
        (*few_games(contests.names, n_games), evenings),
        _several(contests, choices, fitted, settings.level),
    )


def _meetings(contests: Contests) -> Games:
    """Return a row for each entrant of a game, beside the first in it: who is compared with whom."""
    first = np.searchsorted(contests.contest[contests.side], contests.contest[contests.side])
    ones = np.ones(len(first))
    movers = np.zeros(len(first), np.int8)
    return Games(contests.names, contests.entrant[first], contests.entrant, ones, ones, movers, np.arange(len(first)))


def _several(contests: Contests, choices: Choices, fitted: Posterior, level: float) -> Several:
    """Return the chance of coming first among average ones, seats left out, and what more people on a side add."""
    k, own, n = int(np.bincount(contests.n_sides).argmax()), choices.design.answer_effects, choices.design.n
    mixture = fitted.strengths()
    chances = chance_of_first(choices, fitted.effects, np.stack([mixture.mean, *mixture.interval(level)]), k)
    differences = np.unique(contests.size_differences[contests.size_differences > 0]).tolist()
    sizes = {}
    for difference, place in zip(differences, np.flatnonzero(choices.design.kinds == COST).tolist(), strict=True):
        contrast = (own == place) + difference / n * (own < n)
        sds = np.sqrt(np.einsum("kij,i,j->k", fitted.modes.covariance, contrast, contrast))
        worth = Quantiles(fitted.weights, (fitted.modes.means[:, own] @ contrast)[:, None], sds[:, None])
        sizes[str(difference)] = Estimate(float(worth.mean[0]), *(float(end[0]) for end in worth.interval(level)))
    first = {name: Estimate(*chances[:, at].tolist()) for at, name in enumerate(contests.names)}
    return Several(k, first, sizes, bool((contests.place > 1).any()))


def chance_of_first(choices: Choices, effects: FloatArray, ratings: FloatArray, k: int) -> FloatArray:
    """Return the chance of coming first of k, the others rated 0, a tie of j counting one j-th; of each rating."""
    cuts = [0.0, effects[-1], *effects[:-1][choices.design.kinds == FREE]]
    first, total = np.zeros_like(ratings), np.zeros_like(ratings)
    for j, cut in zip(choices.numbers, cuts, strict=False):
        own = comb(k - 1, j - 1) * np.exp(cut + ratings / j)
        first, total = first + own / j, total + own + comb(k - 1, j) * np.exp(cut)
    return np.asarray(first / total)
