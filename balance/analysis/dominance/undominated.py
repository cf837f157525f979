"""What is never worth taking, as a table: who is dominated, and the witness against it (see `witnesses`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from balance.analysis.dominance.witnesses import Witness, score_bounds, single_witnesses, witnesses_between
from balance.analysis.scores.scores import Scores, ScoreSource, known_costs, read_scores


def never_worth_taking(
    game: ScoreSource,
    entrants: Sequence[str] | None = None,
    imbalance: float = 0.0,
    *,
    costs: Mapping[str, float] | None = None,
) -> pl.DataFrame:
    """Return who is dominated, and by whom; columns as `dominance_table` has them.

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


def dominance_table(scores: Scores, costs: Sequence[float], imbalance: float) -> pl.DataFrame:
    """Return who is dominated and by whom: single witnesses first, then mixtures, the largest gain first of each.

    Parameters
    ----------
    scores
        Of n entrants.
    costs
        What each costs, in their order.
    imbalance
        The smallest difference worth caring about; who is dominated only if so much worse is overlooked comes last.

    Returns
    -------
    polars.DataFrame
        One row per entrant with a single witness, one per entrant that only a mixture dominates outright, or if
        something is overlooked: `entrant`, `cost_points`, `outright` (nobody does worse than it against anyone; else by
        up to `imbalance`), `witnesses` (all that are alike; of a mixture its parts), `witness_cost`, `mean_gain` of the
        witness over the entrant, `least_gain` and `largest_gain` over opponents, `n_dominating` (how many single
        entrants dominate), `shares` of the parts of a mixture (null where one entrant is the witness) and `error`: how
        much less the least gain may be, 0 where scores are exact.

    Examples
    --------
    >>> table = pl.DataFrame({"one": ["a", "b", "c"], "other": ["b", "c", "a"], "score": [0.4, 0.7, 0.4]})
    >>> dominance_table(read_scores(table), [10, 10, 8], 0.02).select("entrant", "witnesses", "shares").row(0)
    ('a', ['b'], None)
    """
    bounds = score_bounds(scores)
    singles = single_witnesses(scores.names, costs, bounds, imbalance)
    outright, nearly = (witnesses_between(scores.names, costs, bounds, slack) for slack in (0.0, imbalance))
    mixed = {name: witness for name, witness in (nearly | outright).items() if witness.is_mixture}
    place = {name: at for at, name in enumerate(scores.names)}
    rows = [
        _row(name, float(costs[place[name]]), witness) | {"witnesses": witness.names_in_order(scores.names)}
        for group in (singles, mixed)
        for name, witness in group.items()
    ]
    frame = pl.DataFrame(rows, schema=_SCHEMA)
    order = [pl.col("outright"), pl.col("shares").is_null(), pl.col("mean_gain")]
    return frame.sort(*order, descending=True, maintain_order=True)


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
