"""The one object that `balance rate --json` prints, and the same as polars frames."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, cast

from balance.base.records import record_json
from balance.playtests.log.log import Log
from balance.playtests.model.answer import Rating, RatingAnswer
from balance.playtests.sentences import by_strength, chance_means, raw_and_model

if TYPE_CHECKING:
    import polars as pl

    from balance.answers.documents import playtests

SCHEMA: Final = 1


def as_object(log: Log, results: RatingAnswer) -> playtests.Rate:
    """Return the object that --json prints, the same bytes for the same log; no number in it is infinite or NaN."""
    settings = results.settings
    document: playtests.Rate = {
        "schema": SCHEMA,
        "verb": "rate",
        "file": log.path,
        "sha256": log.sha256,
        "n_rows": log.n_rows,
        "n_games": log.games.n_games,
        "columns": dict(log.column_headers),
        "assumed": list(log.assumptions),
        "notes": list(log.notes),
        "band": list(settings.band),
        "level": settings.level,
        "draws": settings.draws,
        "prior": settings.prior,
        "seed": settings.seed,
        "chance_means": chance_means(results),
        "ratings": {rating.name: _rating(rating, results) for rating in results.ratings},
        "first_mover": record_json(results.first_mover),
        "draw_share": results.draw_share,
        "pairs": [record_json(pair) for pair in results.pairs],
        "cycles": [record_json(cycle) for cycle in results.cycles],
        "oddities": [record_json(oddity) for oddity in results.oddities],
        "spread": [record_json(spread) for spread in results.spread],
        "fit": record_json(results.fit),
        "cautions": [record_json(caution) for caution in results.cautions],
    }
    return cast("playtests.Rate", _finite(document))


def _rating(rating: Rating, results: RatingAnswer) -> playtests.RatedEntrant:
    return {
        "rating": rating.rating,
        "low": rating.low,
        "high": rating.high,
        "games": rating.games,
        "score": rating.score,
        "chance": rating.chance,
        "chance_low": rating.chance_low,
        "chance_high": rating.chance_high,
        "verdict": rating.verdict,
        "sure_low": rating.sure_low,
        "sure_high": rating.sure_high,
        "more_games": rating.more_games,
        "more_games_reason": rating.more_games_reason,
        "skill_edge": rating.skill_edge,
        "told": raw_and_model(rating, results),
    }


def _finite(value: Any) -> Any:
    """Return a value in which no number is infinite or undefined: null in their place."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list | tuple) else value


# -- frames -----------------------------------------------------------------------------------------------------------


def frames_of(results: RatingAnswer) -> dict[str, pl.DataFrame]:
    """Return the tables, by name, the one that matters most first.

    `ratings` has a row for each entrant, the strongest first: its `chance` against the field with its interval, what it
    scored, and its strength in log-odds as `rating`. `matrix` has what each row is expected to score against each
    column, one half against itself; `pairs` the same with intervals.
    """
    import polars as pl

    names = [rating.name for rating in by_strength(results)]
    chances = {(pair.one, pair.other): pair.chance for pair in results.pairs}
    chances |= {(b, a): 1 - chance for (a, b), chance in chances.items()}
    rows: dict[str, list[dict[str, Any]]] = {
        "ratings": [_rating_row(rating) for rating in by_strength(results)],
        "matrix": [
            {"entrant": name} | {opponent: chances.get((name, opponent), 0.5) for opponent in names} for name in names
        ],
        "pairs": [asdict(pair) for pair in results.pairs],
        "cycles": [asdict(cycle) | {"names": ", ".join(cycle.names)} for cycle in results.cycles],
        "spread": [asdict(spread) for spread in results.spread],
    }
    return {name: pl.DataFrame(table_rows, infer_schema_length=None) for name, table_rows in rows.items() if table_rows}


def _rating_row(rating: Rating) -> dict[str, Any]:
    """Return the row of an entrant: its verdict and chance, then all other numbers, its strength in log-odds last."""
    rest = {key: value for key, value in asdict(rating).items() if key not in ("name", "verdict", "low", "high")}
    chance = {"chance": rest.pop("chance"), "low": rest.pop("chance_low"), "high": rest.pop("chance_high")}
    strength = {"rating": rest.pop("rating"), "rating_low": rating.low, "rating_high": rating.high}
    return {"entrant": rating.name, "verdict": rating.verdict, **chance, **rest, **strength}
