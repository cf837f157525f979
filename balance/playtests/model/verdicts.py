"""Verdicts at the designer's band, and how many more games they take.

Verdicts hold for all entrants at once with the level that is declared: each is judged by its interval at the level to
the power of one over their number (Sidak 1967, whose inequality holds for normals however they hang together). Two
entrants are one question, since the second's rating is minus the first's.
"""

from __future__ import annotations

from math import ceil, log, sqrt
from statistics import NormalDist

from balance.playtests.model.answer import Verdict

MOST_MORE_GAMES = 10_000
"""More games than this are not asked for: the entrant is too close to the band's edge for playtests to tell."""


def sure_level(level: float, n: int) -> float:
    """Return the level of each of n intervals that hold together with probability `level`: level ** (1 / n) (Sidak).

    >>> sure_level(0.95, 1), round(sure_level(0.95, 5), 4)
    (0.95, 0.9898)
    """
    return float(level ** (1 / n))


def verdict_of_interval(low: float, high: float, band: tuple[float, float]) -> Verdict:
    """Return "fair" for an interval within the band, "over-" or "underpowered" outside, else "not yet known".

    >>> [verdict_of_interval(*ends, (0.45, 0.55)) for ends in ((0.46, 0.54), (0.56, 0.9), (0.5, 0.6))]
    ['fair', 'overpowered', 'not yet known']
    """
    if low > band[1]:
        return "overpowered"
    if high < band[0]:
        return "underpowered"
    return "fair" if band[0] <= low and high <= band[1] else "not yet known"


def more_games(
    verdict: Verdict,
    chance: float,
    interval: tuple[float, float],
    level: float,
    band: tuple[float, float],
    games: float,
) -> tuple[int | None, str]:
    """Return how many more games an entrant needs at the present mix, or None and the reason why no number is given.

    If the entrant is as it looks now, the log extended by so many of its games has its verdict as often as not: errors
    shrink with the root of the games, and the estimate moves by what the new games add. `interval` holds the ends of
    `chance` at `level`.

    >>> more_games("not yet known", 0.6, (0.5, 0.7), 0.95, (0.45, 0.55), 50)
    (164, '')
    >>> more_games("not yet known", 0.55, (0.5, 0.6), 0.95, (0.45, 0.55), 50)
    (None, 'more than 10,000: it is too near the edge of the band, or this mix of games cannot tell')
    """
    if verdict != "not yet known":
        return None, "the verdict is reached"
    normal = NormalDist()
    width = normal.inv_cdf((1 + level) / 2)
    error = (_logit(interval[1]) - _logit(interval[0])) / 2 / width
    estimate, low, high = _logit(chance), _logit(band[0]), _logit(band[1])

    def is_reached(times: float) -> bool:
        now = error / sqrt(times)
        spread = now * sqrt(1 - 1 / times) + 1e-12
        reach = width * now
        out = normal.cdf((estimate - high - reach) / spread) + normal.cdf((low - estimate - reach) / spread)
        within = normal.cdf((high - reach - estimate) / spread) - normal.cdf((low + reach - estimate) / spread)
        return bool(out + max(within, 0.0) >= 0.5)

    lower, upper = 1.0 + 1e-9, 1.0 + MOST_MORE_GAMES / games
    if not is_reached(upper):
        return (
            None,
            f"more than {MOST_MORE_GAMES:,}: it is too near the edge of the band, or this mix of games cannot tell",
        )
    for _ in range(60):
        middle = sqrt(lower * upper)
        lower, upper = (lower, middle) if is_reached(middle) else (middle, upper)
    return max(1, ceil(games * (upper - 1) - 1e-6)), ""


def _logit(chance: float) -> float:
    chance = min(max(chance, 1e-12), 1 - 1e-12)
    return log(chance / (1 - chance))
