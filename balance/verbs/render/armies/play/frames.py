"""The tables of `balance play` as polars frames."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from balance.analysis.play.ladder import Play
from balance.base.numbers import SURE


def frames_of(play: Play) -> Mapping[str, pl.DataFrame]:
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
            "behind_low": way.behind_low,
            "behind_high": way.behind_high,
            "score": way.score,
            "advantage": way.first_mover_advantage,
            "stand_offs": way.stand_offs,
            "place": way.place,
        }
        for way in play.ladder
    ]
    names = list(dict.fromkeys(pair.first for pair in play.matrix))
    scores = {(pair.first, pair.second): pair.both_seats for pair in play.matrix}
    matrix = {"way": names, **{rival: [scores[name, rival] for name in names] for rival in names}}
    seats = [
        {"first": pair.first, "second": pair.second, "score": pair.score, "n_pairs": pair.battles // 2}
        for pair in play.matrix
    ]
    ladder = pl.DataFrame(rows, schema_overrides={"stand_offs": pl.Float64})
    return {"ladder": ladder, "matrix": pl.DataFrame(matrix), "seats": pl.DataFrame(seats)}
