"""Our own simulated and exact tables as games, so that they are rated as a log is."""

from __future__ import annotations

import numpy as np

from balance.analysis.scores import ScoreSource, read_scores
from balance.playtests.games import AS_EXACT, Games

__all__ = ["games_of_scores"]


def games_of_scores(source: ScoreSource) -> Games:
    """Return one row for each match-up and seat, that stands for as many games as its error says.

    Parameters
    ----------
    source
        What `balance.analysis.scores.read_scores` takes: a game, a table of duels, a score table.

    Examples
    --------
    >>> import polars as pl
    >>> games = games_of_scores(pl.DataFrame({"one": ["elf"], "other": ["orc"], "score": [0.6], "error": [0.049]}))
    >>> games.names, games.score[:2].round(2).tolist(), games.whole
    (('elf', 'orc'), [0.6, 0.4], False)
    """
    scores = read_scores(source)
    names = tuple(sorted(scores.names))
    place = np.array([names.index(name) for name in scores.names], np.int64)
    one, other = np.nonzero(scores.weight * (1 - np.eye(len(names))))
    seats = not np.allclose(scores.first, scores.second)  # else the table says nothing of who goes first
    score, error = scores.first[one, other], scores.error[one, other]
    spread = np.maximum(score * (1 - score), 0.01)
    with np.errstate(divide="ignore"):
        count = np.where(error > 0, np.minimum(spread / error**2, AS_EXACT), AS_EXACT)
    return Games(
        names,
        place[one],
        place[other],
        score,
        count * scores.weight[one, other],
        np.full(len(one), int(seats), np.int8),
        np.arange(1, len(one) + 1),
    )
