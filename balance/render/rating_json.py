"""The one object that `balance rate --json` prints."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import Any

from balance.playtests.log import Log
from balance.playtests.rated import Rated, Rating
from balance.playtests.said import chance_means, raw_and_model

__all__ = ["as_object"]

SCHEMA = 1


def as_object(log: Log, rated: Rated) -> dict[str, Any]:
    """Return what was found; the same log gives the same bytes."""
    settings = rated.settings
    found = {
        "schema": SCHEMA,
        "verb": "rate",
        "file": log.path,
        "sha256": log.sha256,
        "n_rows": log.n_rows,
        "n_games": log.games.n_games,
        "columns": dict(log.taken),
        "assumed": list(log.assumed),
        "notes": list(log.notes),
        "band": list(settings.band),
        "level": settings.level,
        "draws": settings.draws,
        "prior": settings.prior,
        "seed": settings.seed,
        "chance_means": chance_means(rated),
        "ratings": {one.name: _rating(one, rated) for one in rated.ratings},
        "first_mover": asdict(rated.first_mover),
        "draw_share": rated.draw_share,
        "pairs": [asdict(pair) for pair in rated.pairs],
        "cycles": [asdict(cycle) for cycle in rated.cycles],
        "oddities": [asdict(oddity) for oddity in rated.oddities],
        "spread": [asdict(spread) for spread in rated.spread],
        "fit": asdict(rated.fit),
        "cautions": [asdict(caution) for caution in rated.cautions],
    }
    return {key: _finite(value) for key, value in found.items()}


def _rating(one: Rating, rated: Rated) -> dict[str, Any]:
    return {key: value for key, value in asdict(one).items() if key != "name"} | {"told": raw_and_model(one, rated)}


def _finite(value: Any) -> Any:
    """Return a value in which no number is infinite or undefined: null in their place."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list | tuple) else value
