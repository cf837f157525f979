"""Cycles: three entrants each of which beats the next, beyond what any ratings explain.

Each pair that met gets a deviation of its own from the ladder, normal with standard deviation `PAIR_SD`, beside all the
effects of the ratings. Round a cycle the strengths cancel out, so the mean of the three deviations is the mean log-odds
round the cycle: 0 for every ladder. Intervals hold for all triples at once. A cycle is named only for what those
before it, which are surer, do not explain.
"""

from __future__ import annotations

from itertools import combinations
from statistics import NormalDist

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.playtests.games import Games
from balance.playtests.model.answer import Cycle
from balance.playtests.model.design import with_more_effects
from balance.playtests.model.fit import Priors, find_modes
from balance.playtests.model.spreads import Posterior, priors_at
from balance.playtests.model.verdicts import sure_level

PAIR_SD = 1.75
"""Standard deviation, in logits, of the weak prior on a pair's own deviation."""
MOST_ENTRANTS = 24
"""Cycles are looked for among the entrants that played most: 24 make 2,024 triples of 276 pairs."""
NEARLY_NONE = 1e-9
"""Log-odds below which nothing goes round."""
MOST_TOLD = 20
"""Cycles that are told, the surest first; all that are named are among them unless there are more."""


def find_cycles(games: Games, posterior: Posterior, level: float) -> tuple[Cycle, ...]:
    """Return the cycles of a log, the surest first, at most `MOST_TOLD`; none if no three all met each other.

    The intervals hold at `level` for all triples together (Sidak).

    >>> from balance.playtests.model.design import design
    >>> from balance.playtests.games import games_of
    >>> from balance.playtests.model.spreads import posterior
    >>> names = ["paper", "rock", "scissors"]
    >>> games = games_of(names * 20, ["rock", "scissors", "paper"] * 20, [1] * 51 + [0] * 9)
    >>> (cycle,) = find_cycles(games, posterior(design(games, "none", True), 1.0), 0.95)
    >>> cycle.names, cycle.named, cycle.low > 0
    (('paper', 'rock', 'scissors'), True, True)
    """
    games_between = _games_between(games)
    triples = [
        (a, b, c)
        for a, b, c in combinations(_most_played(games).tolist(), 3)
        if games_between[a, b] and games_between[b, c] and games_between[a, c]
    ]
    if not triples:
        return ()
    pairs = sorted({pair for a, b, c in triples for pair in ((a, b), (b, c), (a, c))})
    means, covariance = _pair_effects(games, posterior, pairs)
    place = {pair: at for at, pair in enumerate(pairs)}
    contrasts = np.zeros((len(triples), len(pairs)))
    for at, (a, b, c) in enumerate(triples):
        contrasts[at, [place[a, b], place[b, c]]], contrasts[at, place[a, c]] = 1 / 3, -1 / 3
    sizes, errors = contrasts @ means, _errors(contrasts, covariance)
    width = NormalDist().inv_cdf((1 + sure_level(level, len(triples))) / 2)
    order = np.lexsort((np.arange(len(triples)), -(np.abs(sizes) / errors).round(9)))[:MOST_TOLD]
    named = _stand_out_alone(contrasts[order] * np.sign(sizes[order])[:, None], means, covariance, width)
    return tuple(
        _cycle(games, games_between, triples[at], float(sizes[at]), width * float(errors[at]), is_named)
        for at, is_named in zip(order.tolist(), named, strict=True)
    )


def _errors(contrasts: FloatArray, covariance: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(np.einsum("tp,pq,tq->t", contrasts, covariance, contrasts, optimize=True)))


def _stand_out_alone(contrasts: FloatArray, means: FloatArray, covariance: FloatArray, width: float) -> list[bool]:
    """Return which cycles, the surest first, differ from 0 alone and without what the cycles before them explain.

    Cycles that share a pair are correlated: if A beats B in a cycle, then A, B and a neutral third look like a third of
    one. So each contrast is projected off the contrasts of the cycles named before it.
    """
    named = list[bool]()
    earlier = np.zeros((0, contrasts.shape[1]))
    for contrast in contrasts:
        rest = contrast - np.linalg.lstsq(earlier.T, contrast, rcond=None)[0] @ earlier if len(earlier) else contrast
        stands_out = all(
            part @ means > width * float(np.sqrt(part @ covariance @ part)) + NEARLY_NONE for part in (contrast, rest)
        )
        named.append(stands_out)
        if stands_out:
            earlier = np.vstack([earlier, contrast])
    return named


def _games_between(games: Games) -> FloatArray:
    """Return `float64[n, n]`: how many games each two played."""
    n = len(games.names)
    counts = np.zeros((n, n))
    np.add.at(counts, (games.side_a, games.side_b), games.count)
    return np.asarray(counts + counts.T)


def _most_played(games: Games) -> IntArray:
    order = np.argsort(-games.games_by_entrant, kind="stable")[:MOST_ENTRANTS]
    return np.sort(order)


def _pair_effects(games: Games, posterior: Posterior, pairs: list[tuple[int, int]]) -> tuple[FloatArray, FloatArray]:
    """Return posterior means `float64[p]` and covariance `float64[p, p]` of the pairs' deviations from the ladder.

    The spreads of all other effects are fixed at their root mean squares.
    """
    d = posterior.design
    n = len(games.names)
    number = np.full((n, n), len(pairs))
    for at, (a, b) in enumerate(pairs):
        number[a, b] = number[b, a] = at
    pair_of_row = number[games.side_a, games.side_b]
    side = np.where(games.side_a < games.side_b, 1.0, -1.0)
    wider = with_more_effects(d, np.where(pair_of_row < len(pairs), pair_of_row, -1), side, len(pairs))
    usual = priors_at(d, posterior.kinds, posterior.typical_sds()[None, :])
    g, p = d.g, len(pairs)
    start = np.concatenate([posterior.effects[:g], np.zeros(p), posterior.effects[g:], np.zeros(len(d.local_kinds))])
    precision = np.concatenate([usual.precision[:, :g], np.full((1, p), PAIR_SD**-2)], axis=1)
    priors = Priors.of(wider, precision, usual.precision[:, g + 1 :])
    modes = find_modes(wider, priors, start, with_corrections=True)
    return modes.means[0, g:-1], modes.covariance[0, -p - 1 : -1, -p - 1 : -1]


def _cycle(
    games: Games, games_between: FloatArray, triple: tuple[int, int, int], size: float, reach: float, is_named: bool
) -> Cycle:
    a, b, c = triple
    order = (a, b, c) if size >= 0 else (a, c, b)
    names = tuple(games.names[at] for at in order)
    size = abs(size)
    n_games = float(games_between[a, b] + games_between[b, c] + games_between[a, c])
    return Cycle((names[0], names[1], names[2]), size, size - reach, size + reach, is_named, n_games)
