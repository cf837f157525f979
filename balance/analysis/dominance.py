"""What is never worth taking: an entrant is dominated by one that costs no more and does no worse against anyone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["dominated"]

Grid = npt.NDArray[np.float64]


def dominated(
    names: Sequence[str], costs: Sequence[float], low: Grid, high: Grid, imbalance: float
) -> dict[str, tuple[str, ...]]:
    """Return each dominated entrant with those that dominate it, in the order of the names.

    B dominates A if B costs no more, certainly scores at least what A does less `imbalance` against every opponent in
    every situation, and is cheaper or certainly better by more than `imbalance` against someone.

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
    >>> dominated(["a", "b", "c"], [10, 10, 8], scores, scores, 0.02)
    {'a': ('b',)}
    """
    margin = imbalance + 1e-12
    found: dict[str, tuple[str, ...]] = {}
    for a, name in enumerate(names):
        better = []
        for b, other in enumerate(names):
            if a == b or costs[b] > costs[a]:
                continue
            gap = low[:, b, :] - high[:, a, :]
            known = ~np.isnan(gap)
            if not known.any() or (gap[known] < -margin).any():
                continue
            if costs[b] < costs[a] or (gap[known] > margin).any():
                better.append(other)
        if better:
            found[name] = tuple(better)
    return found
