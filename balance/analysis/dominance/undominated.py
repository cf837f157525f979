"""Entrants dominated one against one by something that costs no more, each with its witness (see `witnesses`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from balance.analysis.dominance.witnesses import Bounds, Witness, score_bounds, single_witnesses, witnesses_between
from balance.analysis.scores.scores import Scores, ScoreSource, known_costs, read_scores
from balance.base.arrays import FloatArray


def never_worth_taking(
    game: ScoreSource,
    entrants: Sequence[str] | None = None,
    imbalance: float = 0.0,
    *,
    costs: Mapping[str, float] | None = None,
) -> pl.DataFrame:
    """Return who is dominated one against one, and by whom; columns as `dominance_table` has them.

    That is a statement about duels, which no cost touches: what armies of equal points say is asked of `price`.

    Parameters
    ----------
    game, entrants
        The field, all of it by default: of a game, or of a score table (see `read_scores`).
    imbalance
        The smallest difference of a score worth caring about.
    costs
        What each entrant costs, by id; a game knows, and in a score table without them everybody costs the same.

    Raises
    ------
    UsageError
        Somebody has no cost.

    Examples
    --------
    >>> table = pl.DataFrame({"one": ["elf", "elf", "orc"], "other": ["orc", "ogre", "ogre"], "score": [0.6, 0.7, 0.5]})
    >>> never_worth_taking(table).select("entrant", "witnesses").rows()
    [('ogre', ['elf']), ('orc', ['elf'])]
    """
    scores = read_scores(game, entrants)
    return dominance_table(scores, known_costs(game, scores.names, costs, 0.0), imbalance)


def dominance_table(
    scores: Scores, costs: Sequence[float], imbalance: float, withheld: Collection[str] = ()
) -> pl.DataFrame:
    """Return who is dominated and by whom: single witnesses first, then mixtures, the largest gain first of each.

    `imbalance` is the smallest difference worth caring about: who is dominated only if so much worse is overlooked
    comes last. Nothing is said of `withheld` entrants, nor are they witnesses (see `twins`); they are opponents alone.

    There is one row per entrant with a single witness, one per entrant that only a mixture dominates outright, or if
    something is overlooked: `entrant`, `cost_points`, `outright` (nobody does worse than it against anyone; else by up
    to `imbalance`), `witnesses` (all that are alike; of a mixture its parts), `witness_cost`, `mean_gain` of the
    witness over the entrant, `least_gain` and `largest_gain` over opponents, `n_dominating` (how many single entrants
    dominate), `shares` of the parts of a mixture (null where one entrant is the witness) and `error`: how much less the
    least gain may be, 0 where scores are exact.
    """
    names = [name for name in scores.names if name not in withheld]
    cost_of = dict(zip(scores.names, map(float, costs), strict=True))
    named_costs, bounds = [cost_of[name] for name in names], _bounds_of(scores, withheld)
    singles = single_witnesses(names, named_costs, bounds, imbalance) if names else {}
    outright, nearly = (
        witnesses_between(names, named_costs, bounds, slack) if names else {} for slack in (0.0, imbalance)
    )
    mixed = {name: witness for name, witness in (nearly | outright).items() if witness.is_mixture}
    rows = [
        _row(name, cost_of[name], witness) | {"witnesses": witness.names_in_order(names)}
        for group in (singles, mixed)
        for name, witness in group.items()
    ]
    frame = pl.DataFrame(rows, schema=_SCHEMA)
    order = [pl.col("outright"), pl.col("shares").is_null(), pl.col("mean_gain")]
    return frame.sort(*order, descending=True, maintain_order=True)


def _bounds_of(scores: Scores, withheld: Collection[str]) -> Bounds:
    """Return the scores of those not withheld: against each other, then, as further situations, against the rest."""
    is_named = np.array([name not in withheld for name in scores.names])
    named, rest = np.flatnonzero(is_named), np.flatnonzero(~is_named)
    n = max(len(named), 1)
    layers = [named, *(rest[start : start + n] for start in range(0, len(rest), n))]

    def arranged(grid: FloatArray) -> FloatArray:
        found = np.full((len(layers), len(named), len(named)), np.nan)
        for at, columns in enumerate(layers):
            found[at, :, : len(columns)] = grid[0][np.ix_(named, columns)]
        return found

    return Bounds(*map(arranged, score_bounds(scores)))


def _row(name: str, cost: float, witness: Witness) -> dict[str, Any]:
    return {
        "entrant": name,
        "cost_points": cost,
        "outright": witness.outright,
        "witness_cost": witness.cost,
        "mean_gain": witness.mean_gain,
        "least_gain": witness.margin,
        "largest_gain": witness.largest_gain,
        "n_dominating": witness.n_dominating,
        "shares": witness.shares,
        "error": witness.error,
    }


_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "entrant": pl.String,
    "cost_points": pl.Float64,
    "outright": pl.Boolean,
    "witnesses": pl.List(pl.String),
    "witness_cost": pl.Float64,
    **dict.fromkeys(("mean_gain", "least_gain", "largest_gain"), pl.Float64),
    "n_dominating": pl.Int64,
    "shares": pl.List(pl.Float64),
    "error": pl.Float64,
}
