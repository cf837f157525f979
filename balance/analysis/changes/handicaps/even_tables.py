"""What would bring a field to one half, as tables of a run; see `even_field`.

* `even_field`: a row for each group of those who play alike (`entrants`): its mean `score` against the field, one
  against one, the `low` and `high` of all settings, the `verdict` on its cost and what that `depends` on; `after`, with
  its ends, is the same with all changes in force.
* `even_changes`: a row for each change, the group farthest from one half first: the `field` of its cards (none where it
  is the cost that changes), its value as printed (`old`) and then (`new`), the score as printed (`score`), if nobody
  else changes (`alone`), and with all changes in force (`after`), with its ends and the verdict then.
* `even_settings`: a row for each way of asking, the usual one first: its name and what is changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from balance.analysis.changes.handicaps.even_field import EvenField, Group

Schema = Mapping[str, pl.DataType | type[pl.DataType]]
ENTRANTS: Schema = {"entrants": pl.List(pl.String)}
SCORES: Schema = dict.fromkeys(("score", "low", "high"), pl.Float64)
VERDICT: Schema = {"verdict": pl.String, "depends": pl.List(pl.String)}
AFTER: Schema = dict.fromkeys(("after", "after_low", "after_high"), pl.Float64)
EVEN_TABLES: Mapping[str, Schema] = {
    "even_field": {**ENTRANTS, **SCORES, **VERDICT, **AFTER},
    "even_changes": {
        **ENTRANTS, "field": pl.String, "old": pl.String, "new": pl.String,
        "score": pl.Float64, "alone": pl.Float64, **AFTER, **VERDICT,
    },
    "even_settings": {"setting": pl.String, "units": pl.Int64, "changes": pl.List(pl.String)},
}  # fmt: skip


def even_field_tables(found: EvenField) -> dict[str, pl.DataFrame]:
    """Return the tables of a field, the highest score first."""
    groups = sorted(found.before, key=lambda group: -found.before[group][0])
    rows = {
        "even_field": [_of_group(found, group) for group in groups],
        "even_changes": [_of_change(found, group) for group in found.moves],
        "even_settings": [
            {"setting": setting.name, "units": setting.units, "changes": list(setting.changes)}
            for setting in found.settings
        ],
    }
    return {name: pl.DataFrame(rows[name], schema=schema) for name, schema in EVEN_TABLES.items()}


def _of_group(found: EvenField, group: Group) -> dict[str, Any]:
    verdict, depends = found.verdict(found.before[group])
    score, low, high = _ends(found.before[group])
    scores = {"score": score, "low": low, "high": high}
    return {"entrants": list(group), **scores, "verdict": verdict, "depends": list(depends), **_after(found, group)}


def _of_change(found: EvenField, group: Group) -> dict[str, Any]:
    move, (verdict, depends) = found.moves[group], found.verdict(found.after[group])
    return {
        "entrants": list(group),
        "field": move.field,
        "old": move.old,
        "new": move.new,
        "score": found.before[group][0],
        "alone": found.alone[group],
        **_after(found, group),
        "verdict": verdict,
        "depends": list(depends),
    }


def _after(found: EvenField, group: Group) -> dict[str, float]:
    return dict(zip(AFTER, _ends(found.after[group]), strict=True))


def _ends(scores: Sequence[float]) -> tuple[float, float, float]:
    """Return the score in the usual setting, and the lowest and the highest of all."""
    return scores[0], min(scores), max(scores)
