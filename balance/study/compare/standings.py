"""Where each entrant stands before and after a change: its mean score, its cost, and whether it is worth taking.

A mean score is over the whole field in every situation, each opponent alike, its own mirror counting 1/2. Its ends are
the means of the ends of its match-ups: those hold all at once, and so do these. A match-up that was not played may be
anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from balance.analysis.dominance.witnesses import Bounds, witnesses_between
from balance.analysis.records import types_of
from balance.base.arrays import BoolArray, FloatArray
from balance.game.loaded import LoadedGame
from balance.study.compare.answer import Standing
from balance.study.settings.settings import Study

SIDES = ("before", "after")
STANDING_COLUMNS = {name: dtype for name, dtype in types_of(Standing) if name != "cards"}
"""The columns of `standing_table`."""


def shared_entrants(study: Study, before: LoadedGame, after: LoadedGame) -> list[str]:
    """Return the entrants of a study that exist before and after a change, in the order of the game."""
    field_after = set(study.field(after))
    return [name for name in study.field(before) if name in field_after]


def score_grids(changes: pl.DataFrame, names: Sequence[str], column: str) -> Bounds:
    """Return one column of a table of changes as grids `[situation, n, n]` with their ends; nan where not played.

    `column` is "before", "after" or "difference": of b the score is 1 less that of a, the difference minus it.
    Match-ups of an entrant with itself are left out; `names` has everybody in the table.

    >>> row = {"situation": "", "policies": "", "a": "elf", "b": "orc", "before": 0.75}
    >>> table = pl.DataFrame([row | {"before_low": 0.5, "before_high": None}])
    >>> found = score_grids(table, ["orc", "elf"], "before")
    >>> found.value.tolist(), found.high[0, 0].tolist()
    ([[[0.5, 0.25], [0.75, 0.5]]], [0.5, 0.5])
    """
    whole = 0.0 if column == "difference" else 1.0
    scenes = changes.with_columns(scene=pl.struct("situation", "policies").rank("dense") - 1)
    matches, place = scenes.filter(pl.col("a") != pl.col("b")), {name: at for at, name in enumerate(names)}
    rows, columns = (np.array([place[name] for name in matches[side]], np.int64) for side in "ab")
    grids = np.full((3, changes.select("situation", "policies").n_unique(), len(names), len(names)), np.nan)
    grids[:, :, range(len(names)), range(len(names))] = whole / 2
    for number, (end, mirror) in enumerate(zip(("", "_low", "_high"), (0, 2, 1), strict=True)):
        values = matches.select(pl.coalesce(f"{column}{end}", column).cast(pl.Float64)).to_series().to_numpy()
        grids[number, matches["scene"], rows, columns] = values
        grids[mirror, matches["scene"], columns, rows] = whole - values
    return Bounds(*grids)


def standing_table(study: Study, before: LoadedGame, after: LoadedGame, changes: pl.DataFrame) -> pl.DataFrame:
    """Return one row for each entrant that exists before and after, in the order of the game."""
    names = shared_entrants(study, before, after)
    grids_by_column = {name: score_grids(changes, names, name) for name in (*SIDES, "difference")}
    costs = {
        side: [float(game.cost_points(n)) for n in names] for side, game in zip(SIDES, (before, after), strict=True)
    }
    touched_entrants = (
        changes.filter("touched").select(pl.concat_list("a", "b").list.unique().alias("entrant")).explode("entrant")
    )
    n_touched = dict(touched_entrants["entrant"].value_counts().iter_rows())
    table: dict[str, Any] = {"entrant": names, "n_touched": [n_touched.get(name, 0) for name in names]}
    for side in SIDES:
        table |= {f"cost_{side}": costs[side]}
        if not study.settings.policies and not study.has_factions(before):
            against = witnesses_between(names, costs[side], grids_by_column[side], study.settings.budget.imbalance)
            by = [against.get(name) for name in names]
            table[f"dominated_{side}"] = [witness is not None for witness in by]
            table[f"dominated_by_{side}"] = [witness and witness.names_in_order(names) for witness in by]
            table[f"shares_{side}"] = [witness and witness.shares for witness in by]
    for name, grids in grids_by_column.items():
        table |= _means(grids, name, -1.0 if name == "difference" else 0.0, _meet(study, before, names))
    nulls = [None] * len(names)
    frame = pl.DataFrame({column: table.get(column, nulls) for column in STANDING_COLUMNS}, schema=STANDING_COLUMNS)
    return frame.with_columns(pl.col(pl.Float64).fill_nan(None))


def _meet(study: Study, game: LoadedGame, names: Sequence[str]) -> BoolArray:
    """Return who counts in whose mean score, `bool[n, n]`: everybody, or with factions those of the other one."""
    if not study.has_factions(game):
        return np.ones((len(names), len(names)), bool)
    first = np.isin(names, study.choose(game))
    return np.asarray(first[:, None] != first)


def _means(grids: Bounds, name: str, minimum: float, meet: BoolArray) -> dict[str, FloatArray]:
    """Return the mean over each row's field, and its ends, as table columns; nan stands for null.

    An unplayed match-up counts as `minimum` in the low end and 1 in the high end.
    """
    alone = len(grids.value) * (len(grids.value[0]) > 1) * meet.diagonal()
    has_matches = (~np.isnan(grids.value) & meet).sum((0, 2)) > alone

    def mean(values: FloatArray, default: float) -> FloatArray:
        return np.asarray(np.nan_to_num(values, nan=default).mean((0, 2), where=meet))

    low, high = mean(grids.low, minimum), mean(grids.high, 1.0)
    open_ended = has_matches & ((grids.low != grids.high) & meet).any((0, 2))
    value = np.where(has_matches, np.nanmean(grids.value, axis=(0, 2), where=meet), np.nan)
    ends = {"_low": np.where(open_ended, low, np.nan), "_high": np.where(open_ended, high, np.nan)}
    return {f"{name}{end}": values.round(12) for end, values in ({"": value} | ends).items()}
