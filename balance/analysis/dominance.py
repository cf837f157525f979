"""What is never worth taking: an entrant is dominated by one that costs no more and does no worse against anyone.

B dominates A if B costs no more, scores at least what A does against every opponent of the field in every situation (A
and B themselves among the opponents, either seat as likely), and is cheaper or scores more against someone. Scores
that differ by no more than `TIE` are equal. No model and no price is needed for that, only the costs as printed.

The *witness* against A is the one of those with the largest mean gain over A, the cheapest of several; opponents whom
no score of the field tells apart are one opponent in that mean, so that a second copy of a card changes nothing. Where
several are alike even in that, all of them are witnesses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from balance.analysis.scores import Scores, ScoreSource, known_costs, read_scores

__all__ = ["TIE", "dominance_table", "dominated", "never_worth_taking"]

Grid = npt.NDArray[np.float64]
TIE = 1e-9
"""Scores that differ by no more are equal: the last digits of long sums are not."""


def dominated(
    names: Sequence[str], costs: Sequence[float], low: Grid, high: Grid, imbalance: float = 0.0
) -> dict[str, tuple[str, ...]]:
    """Return each dominated entrant with those that dominate it, in the order of the names.

    With an `imbalance`, a score is not worse if it is certainly no more than that below, and better only if it is
    certainly more than that above.

    Parameters
    ----------
    names, costs
        n entrants.
    low, high
        `float64[s, n, n]`: the ends of the interval of what the row scores against the column, in s situations; equal
        where exact, nan where it was not played.
    imbalance
        The smallest difference worth caring about.

    Examples
    --------
    >>> scores = np.array([[[0.5, 0.4, 0.6], [0.6, 0.5, 0.7], [0.4, 0.3, 0.5]]])
    >>> dominated(["a", "b", "c"], [10, 10, 8], scores, scores)
    {'a': ('b',)}
    """
    margin, price = imbalance + TIE, np.asarray(costs, np.float64)
    found: dict[str, tuple[str, ...]] = {}
    for a, name in enumerate(names):
        gap = low - high[:, a : a + 1, :]
        known = (~np.isnan(gap)).any((0, 2))
        worse, better = (gap < -margin).any((0, 2)), (gap > margin).any((0, 2))
        by = known & ~worse & ((price < price[a]) | ((price == price[a]) & better))
        by[a] = False
        if by.any():
            found[name] = tuple(names[b] for b in np.flatnonzero(by).tolist())
    return found


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
    """Return one row per dominated entrant with its witnesses, the largest gain first.

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
        `entrant`, `cost_points`, `outright` (nobody does worse than it against anyone; else by up to `imbalance`),
        `witnesses`, `witness_cost`, `mean_gain` of the witness over the entrant, `least_gain` and `largest_gain` over
        opponents, and `n_dominating`.

    Examples
    --------
    >>> table = pl.DataFrame({"one": ["a", "b", "c"], "other": ["b", "c", "a"], "score": [0.4, 0.7, 0.4]})
    >>> dominance_table(read_scores(table), [10, 10, 8], 0.02).select("entrant", "witnesses").row(0)
    ('a', ['b'])
    """
    names, place = scores.names, {name: at for at, name in enumerate(scores.names)}
    played = np.where(scores.weight, scores.both, np.nan)
    told = np.unique(played.round(8), axis=1, return_index=True)[1]
    low, high = (played - scores.half_widths)[None], (played + scores.half_widths)[None]
    outright, nearly = (dominated(names, costs, low, high, overlooked) for overlooked in (0.0, imbalance))
    rows = []
    for name, by in (nearly | outright).items():
        gaps = played[[place[other] for other in by]] - played[place[name]]
        means, price = np.nanmean(gaps[:, told], axis=1), np.array([float(costs[place[other]]) for other in by])
        best = means >= means.max() - TIE
        best &= price == price[best].min()
        row = {"entrant": name, "cost_points": float(costs[place[name]]), "outright": name in outright}
        row |= {"witnesses": [other for other, is_best in zip(by, best, strict=True) if is_best]}
        row |= {"witness_cost": float(price[best][0]), "mean_gain": float(means[best].max())}
        row |= {"least_gain": float(np.nanmin(gaps[best])), "largest_gain": float(np.nanmax(gaps[best]))}
        rows.append(row | {"n_dominating": len(by)})
    frame = pl.DataFrame(rows, schema=_SCHEMA).with_columns(pl.col("^.*_gain$").round(9))
    return frame.sort("outright", "mean_gain", descending=True, maintain_order=True)


_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "entrant": pl.String,
    "cost_points": pl.Float64,
    "outright": pl.Boolean,
    "witnesses": pl.List(pl.String),
    "witness_cost": pl.Float64,
    **dict.fromkeys(("mean_gain", "least_gain", "largest_gain"), pl.Float64),
    "n_dominating": pl.Int64,
}
