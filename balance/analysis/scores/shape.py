"""Tables that a reader can take in: by weapon or unit instead of loadout, and a few curves instead of all.

An *arm* is what an entrant carries (the parts of its id after the first), a *group* is what it is (the first part). An
entrant whose id has one part is its own arm and its own group.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from balance.analysis.scores.scores import read_scores
from balance.analysis.scores.tables import pareto_front

MOST_CURVES = 6


def arm_table(entrants: pl.DataFrame, attacks: pl.DataFrame, gain: str = "damage") -> pl.DataFrame:
    """Return one row per arm of an `entrant_table`, by what one action in an `attack_table` does on average.

    The columns are `arm`, `arm_label`, `arm_cost`, `attacker` (the first entrant that carries it), `n_carriers`,
    `shared` (whether all carriers do the same with it), `gain` (the mean of that column over all targets and carriers),
    `gain_per_point` (null at no cost) and `on_front` (no arm does more for less).
    """
    frame = attacks.join(entrants, left_on="attacker", right_on="entrant", maintain_order="left")
    spread = frame.group_by("arm", "target", maintain_order=True).agg(
        (pl.col(gain).max() - pl.col(gain).min()).alias("d")
    )
    shared = spread.group_by("arm", maintain_order=True).agg((pl.col("d").max() < 1e-12).alias("shared"))
    arms = frame.group_by("arm", maintain_order=True).agg(
        pl.col("arm_label").first(),
        pl.col("arm_cost").mean(),
        pl.col("attacker").first(),
        pl.col("attacker").n_unique().alias("n_carriers"),
        pl.col(gain).mean().round(12).alias("gain"),
    )
    worth = pl.when(pl.col("arm_cost") > 0).then(pl.col("gain") / pl.col("arm_cost")).alias("gain_per_point")
    arms = arms.join(shared, on="arm", maintain_order="left").with_columns(worth)
    return arms.with_columns(pl.Series("on_front", pareto_front(arms["arm_cost"], arms["gain"]), dtype=pl.Boolean))


def group_matrix(entrants: pl.DataFrame, duels: pl.DataFrame) -> pl.DataFrame:
    """Return how the loadouts of one group score against those of another, seats averaged, a draw half.

    The tables are those of `entrant_table` and `duel_table`. The columns are `group`, `opponent` and `score`, groups
    ordered by their mean score against the whole field, best first.
    """
    scores = read_scores(duels)
    names, score = scores.names, scores.either_seat
    group_of = dict(zip(entrants["entrant"], entrants["group"], strict=True))
    groups = list(dict.fromkeys(group_of[name] for name in names))
    member = np.array([[float(group_of[name] == group) for name in names] for group in groups])
    member /= member.sum(1, keepdims=True)
    order = np.argsort(-(member @ score.mean(1)), kind="stable").tolist()
    table = member @ score @ member.T
    rows = [
        {"group": groups[i], "opponent": groups[j], "score": round(float(table[i, j]), 12)}
        for i in order
        for j in order
    ]
    return pl.DataFrame(rows, schema={"group": pl.String, "opponent": pl.String, "score": pl.Float64})


def choose_curves(arms: pl.DataFrame, kills: pl.DataFrame) -> list[tuple[str, str]]:
    """Return pairs for survival curves: up to six arms, spread by cost, against the target of median toughness.

    The tables are those of `arm_table` and `kill_table`.
    """
    mean = kills.group_by("target", maintain_order=True).agg(pl.col("mean_actions").mean().alias("mean"))
    able = mean.drop_nulls().sort("mean", maintain_order=True)["target"].to_list()
    if not able:
        return []
    target = able[len(able) // 2]
    harmful = kills.filter(pl.col("target") == target, pl.col("mean_actions").is_not_null())["attacker"].to_list()
    attackers = [name for name in arms.sort("arm_cost", maintain_order=True)["attacker"] if name in harmful]
    places = np.unique(
        np.linspace(0, len(attackers) - 1, min(MOST_CURVES, len(attackers))).round().astype(int)
    ).tolist()
    return [(attackers[place], target) for place in places]


def mean_advantage(advantages: pl.DataFrame) -> dict[str, float]:
    """Return the mean, least and largest first-mover advantage over match-ups of two different entrants.

    Each unordered match-up counts once; one of equals counts only where there is no other.
    """
    different = advantages.filter(pl.col("a") != pl.col("b"))
    values: Sequence[float] = (different if different.height else advantages)["advantage"].to_list()
    low, high = min(values), max(values)
    return {"mean": round(float(np.mean(values)), 12), "least": round(low, 12), "largest": round(high, 12)}
