"""What entrants should cost before and after a change, side by side: a seam for whoever knows how to tell a fair cost.

A *pricing* is told one side of a change and returns one row per entrant that it can judge: `entrant`, `cost` as
printed, `fair` with `fair_low` and `fair_high` in points (null where it cannot be told), and `verdict` in words. Cards
may be among them by their ids; a card that is an entrant by itself is told once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import polars as pl

from balance.protocol.loaded import LoadedGame

__all__ = ["PRICED", "Pricing", "compare_prices"]

Pricing: TypeAlias = Callable[[LoadedGame], pl.DataFrame]
PRICED = ("cost", "fair", "fair_low", "fair_high", "verdict")
"""What is told of an entrant on either side."""


def compare_prices(pricing: Pricing, before: LoadedGame, after: LoadedGame) -> pl.DataFrame:
    """Return what entrants should cost on both sides of a change.

    Returns
    -------
    polars.DataFrame
        `entrant`, then `cost_before`, `fair_before`, `fair_low_before`, `fair_high_before`, `verdict_before` and the
        same with `_after`: one row per entrant that is judged on both sides, in the order of the first.

    Examples
    --------
    >>> from balance.protocol.loaded import load
    >>> game = load("warforged")
    >>> def as_printed(loaded):
    ...     cost = float(loaded.cost_points("nexus+shotgun"))
    ...     row = {"entrant": "nexus+shotgun", "cost": cost, "fair": cost, "fair_low": cost, "fair_high": cost}
    ...     return pl.DataFrame([row | {"verdict": "fair"}])
    >>> compare_prices(as_printed, game, game).select("entrant", "fair_before", "verdict_after").row(0)
    ('nexus+shotgun', 34.0, 'fair')
    """
    old, new = (
        pricing(game).select("entrant", pl.col(PRICED).name.suffix(f"_{side}"))
        for side, game in (("before", before), ("after", after))
    )
    return old.join(new, on="entrant", how="inner", maintain_order="left")
