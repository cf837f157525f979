"""The tables of `balance play` and `balance stability` as polars frames."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from balance.analysis.play.matrix import PlayWorth
from balance.analysis.play.stable_prices import StableCard, StablePrices
from balance.analysis.prices.answer import Price
from balance.answers.media.frames import frame_of
from balance.answers.telling import Records
from balance.base.numbers import SURE


def frames_of(worth: PlayWorth) -> Mapping[str, pl.DataFrame]:
    """Return what ways of playing are worth.

    `ladder` holds the rating of each way in points with its interval, the best first; `matrix` what the row scores
    against the column, each going first as often; `seats` what each scores that goes first, and pairs of armies.
    """
    rows = [
        {
            "way": way.name,
            "rating": way.rating,
            "low": way.rating - SURE * way.error,
            "high": way.rating + SURE * way.error,
            "behind": way.behind,
            "score": way.score,
            "advantage": way.advantage,
            "stand_offs": way.stand_offs,
            "near": way.near,
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


def frames_of_prices(prices: StablePrices) -> Mapping[str, pl.DataFrame]:
    """Return the cards and the loadouts with what their verdicts come to, and how settings agree with the first."""
    rows = [
        {
            "setting": agreement.second,
            "correlation": agreement.correlation,
            "moved": len(agreement.moved_entrants),
            "of": agreement.n,
            "rms": agreement.rms,
        }
        for agreement in prices.agreements
    ]
    schema = {"setting": pl.String, "correlation": pl.Float64, "moved": pl.Int64, "of": pl.Int64, "rms": pl.Float64}
    cards = frame_of(Records(StableCard, prices.cards, "card"))
    loadouts = frame_of(Records(Price, prices.loadouts, "entrant"))
    return {"cards": cards, "loadouts": loadouts, "agreements": pl.DataFrame(rows, schema=schema)}
