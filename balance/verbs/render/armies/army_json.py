"""Armies that were found or drawn as the one object that --json prints, and as polars frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import polars as pl

    from balance.analysis.armies.battles import ArmySetting
    from balance.analysis.armies.best_army import BestArmy, FoundArmy
    from balance.analysis.armies.legal_armies import LegalArmy
    from balance.answers.documents import armies as documents
    from balance.game.loaded import LoadedGame

SCHEMA: Final = 1


def best_json(game: LoadedGame, best: BestArmy) -> documents.BestArmy:
    """Return the object of the best army; the same question gives the same bytes.

    Parameters
    ----------
    game
        The game with its catalogue.
    best
        What the search found.
    """
    return {
        **_head(game, best.setting, best.seed),
        "against": best.against or None,
        "best": _scored_army(best.best),
        "runners_up": [_scored_army(row) for row in best.runners_up],
        "search": {"armies": best.n_armies, "battles": best.n_battles},
    }


def drawn_json(game: LoadedGame, setting: ArmySetting, seed: int, armies: Sequence[LegalArmy]) -> documents.DrawnArmies:
    """Return the object of random armies.

    Parameters
    ----------
    game
        The game with its catalogue.
    setting
        Where armies meet.
    seed
        The seed of the armies.
    armies
        The random armies.
    """
    return {**_head(game, setting, seed), "armies": [_army(row) for row in armies]}


def _head(game: LoadedGame, setting: ArmySetting, seed: int) -> documents.ArmyHead:
    """Return what the object that --json prints begins with; the same question gives the same bytes."""
    budget, limit = setting.budgets[0]
    return {
        "schema": SCHEMA,
        "game": game.definition.name,
        "verb": "army",
        "seed": seed,
        "setting": {
            "kind": setting.kind,
            "budget": budget,
            "limit": limit,
            "changes": list(setting.changes),
            "choices": dict(setting.choices),
        },
        "rules_version": game.catalogue.rules_version,
        "catalogue_sha256": game.catalogue.sha256,
    }


def _scored_army(row: FoundArmy) -> documents.ScoredArmy:
    score: documents.ArmyScore = {
        "value": row.score.value,
        "low": row.score.low,
        "high": row.score.high,
        "battles": row.score.n_trials,
    }
    return {**_army(row), "score": score, "promised": row.search_score}


def _army(row: LegalArmy) -> documents.Army:
    return {"army": row.army, "cost_points": row.cost_points, "units": row.n_units}


# -- frames -----------------------------------------------------------------------------------------------------------


def best_frames(best: BestArmy) -> dict[str, pl.DataFrame]:
    """Return the armies that were found, the best first, with their scores."""
    import polars as pl

    rows = [
        {
            "army": row.army,
            "score": row.score.value,
            "low": row.score.low,
            "high": row.score.high,
            "promised": row.search_score,
            "cost_points": row.cost_points,
            "units": row.n_units,
        }
        for row in (best.best, *best.runners_up)
    ]
    return {"armies": pl.DataFrame(rows)}


def drawn_frames(armies: Sequence[LegalArmy]) -> dict[str, pl.DataFrame]:
    """Return random armies with what they cost."""
    import polars as pl

    return {"armies": pl.DataFrame([_army(row) for row in armies])}
