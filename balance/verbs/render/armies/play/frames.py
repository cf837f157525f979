"""The tables of `balance play` as polars frames."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from balance.analysis.play.matrix import PlayWorth
from balance.base.numbers import SURE


def frames_of(worth: PlayWorth) -> Mapping[str, pl.DataFrame]:
    """Return what ways of playing are worth.

    `ladder` holds the rating of each way in points with its interval, the best first; `matrix` what the row scores
    against the column, each going first as often; `seats` what each scores that goes first, and pairs of armies.
    """
    rows = [
        {
            "way": way.play,
            "rating": way.rating,
            "low": way.rating - SURE * way.error,
            "high": way.rating + SURE * way.error,
            "behind": way.behind,
            "score": way.score,
            "advantage": way.first_mover_advantage,
            "stand_offs": way.stand_offs,
            "near": way.near_the_top,
        }
        for way in worth.ladder
    ]
    matrix = {"way": list(worth.names), **dict(zip(worth.names, worth.mirrored_scores.T.tolist(), strict=True))}
    seats = [
        {"first": first, "second": second, "score": float(worth.scores[i, j]), "n_pairs": int(worth.n_pairs[i, j])}
        for i, first in enumerate(worth.names)
        for j, second in enumerate(worth.names)
    ]
    ladder = pl.DataFrame(rows, schema_overrides={"stand_offs": pl.Float64})
    return {"ladder": ladder, "matrix": pl.DataFrame(matrix), "seats": pl.DataFrame(seats)}
