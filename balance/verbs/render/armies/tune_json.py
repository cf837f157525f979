"""What should change to make armies fair as the one object that --json prints, and as polars frames."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from balance.analysis.prices.over_settings import TOO_CHEAP, TOO_DEAR
from balance.base.numbers import SURE

if TYPE_CHECKING:
    import polars as pl

    from balance.analysis.armies.mean_scores import MeanScores
    from balance.analysis.changes.tuning.tune import Change, TuneResult
    from balance.answers.documents import armies

SCHEMA: Final = 1


def as_json(tuning: TuneResult, path: Path | None) -> armies.Tune:
    """Return the one object that --json prints; the same question gives the same bytes.

    Parameters
    ----------
    tuning
        The changes, and what they do.
    path
        The patch that was written; None where none was.
    """
    catalogue, target = tuning.game.catalogue, tuning.target
    return {
        "schema": SCHEMA,
        "game": tuning.game.definition.name,
        "verb": "tune",
        "seed": tuning.seed,
        "target": {
            "low": target.low,
            "high": target.high,
            "first_mover": target.first_mover,
            "changes": tuning.max_changes,
        },
        "headline": tuning.headline,
        "verdict": tuning.verdict,
        "foretold": tuning.forecast_meets_target,
        "n_changes": tuning.n_changes,
        "power": None if tuning.power is None else {"power": tuning.power.power, "times": tuning.power.times},
        "changes": [_change_json(change) for change in tuning.changes],
        "setting": {
            "kind": tuning.setting.kind,
            "budgets": [{"points": points, "units": units} for points, units in tuning.setting.budgets],
            "changes": list(tuning.setting.changes),
        },
        "before": _scores_json(tuning, tuning.before, 0),
        "after": _scores_json(tuning, tuning.after, 1),
        "outside": [tuning.entrants[place] for place in tuning.outside.tolist()],
        "moved_out": [tuning.entrants[place] for place in tuning.moved_out.tolist()],
        "not_measurable_here": [*tuning.without_effect, *tuning.twins],
        "patch": None if path is None else str(path),
        "rules_version": catalogue.rules_version,
        "catalogue_sha256": catalogue.sha256,
    }


def _change_json(change: Change) -> armies.TuneChange:
    """Return a change: where, from what to what, by what rule, and what it does in points."""
    return {
        "path": change.path,
        "from": change.old,
        "to": change.new,
        "by": "power" if change.by_power else "itself",
        "verdict": verdict_before(change),
        "points": change.points,
    }


def verdict_before(change: Change) -> str:
    """Return what a change says of what it touches as it was: `too cheap`, `too dear`, or nothing.

    >>> from balance.analysis.changes.tuning.tune import Change
    >>> verdict_before(Change("units.nexus.cost_points", "24", "31", 7.0))
    'too cheap'
    >>> verdict_before(Change("units.nexus.health", "8", "9", 2.5, is_cost=False))  # it is to be worth more
    'too dear'
    """
    if not change.points:
        return ""
    return TOO_CHEAP if (change.points > 0) == change.is_cost else TOO_DEAR


def _scores_json(tuning: TuneResult, means: MeanScores, side: int) -> armies.TuneScores:
    entrants: dict[str, armies.EntrantScore] = {}
    for name, cost, score, error in zip(
        tuning.entrants, tuning.costs[side].tolist(), means.scores.tolist(), means.errors.tolist(), strict=True
    ):
        low, high = ends_of(score, error)
        entrants[name] = {"cost": cost, "score": score, "low": low, "high": high}
    return {
        "in_band": tuning.within(means),
        "judged": tuning.n_judged,
        "spread": tuning.judged(means).spread,
        "first_mover": {"advantage": means.first_mover, "error": means.first_mover_error},
        "pairs_each": means.n_pairs,
        "entrants": entrants,
    }


def ends_of(score: float, error: float) -> tuple[float, float]:
    """Return the ends of the interval of a mean score.

    Parameters
    ----------
    score
        A mean score, from 0 to 1.
    error
        Its standard error.
    """
    return max(score - SURE * error, 0.0), min(score + SURE * error, 1.0)


# -- frames -----------------------------------------------------------------------------------------------------------


def frames_of(tuning: TuneResult) -> dict[str, pl.DataFrame]:
    """Return the tables, by name, the one that matters most first.

    `scores` has the mean score of each entrant after the changes, with its interval, and before; `changes` each value
    that should change, from what to what, whether by itself or by all costs to a power, and what it does in points.
    """
    import polars as pl

    sides = [
        _scores_json(tuning, scores, side)["entrants"] for side, scores in enumerate((tuning.before, tuning.after))
    ]
    rows = [
        {
            "entrant": tuning.game.label(name),
            "score": after["score"],
            "low": after["low"],
            "high": after["high"],
            "cost": after["cost"],
            "score_before": before["score"],
            "cost_before": before["cost"],
        }
        for (name, before), after in zip(sides[0].items(), sides[1].values(), strict=True)
    ]
    text = pl.String
    changes = pl.DataFrame(
        [tuple(_change_json(change).values()) for change in tuning.changes],
        {"path": text, "from": text, "to": text, "by": text, "verdict": text, "points": pl.Float64},
        orient="row",
    )
    return {"scores": pl.DataFrame(rows), "changes": changes}
