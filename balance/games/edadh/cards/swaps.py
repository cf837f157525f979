"""Moving cards inside a Unit (WE-SWAP.1): at Ballistic and Charge level, once all steps of a Period's end are done.

A card may change places with another of its column at most two ranks away, and no card moves twice. Each column is
decided for itself, so what a Unit may become is listed column by column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

Column = tuple[int, ...]
Arrangement = tuple[Column, ...]


def swap_results(column: Column, reach: int) -> list[Column]:
    """Return what a column (kinds, front first) may become by swaps up to `reach` ranks apart, each card at most once.

    >>> swap_results((1, 2, 3), 1)
    [(1, 2, 3), (2, 1, 3), (1, 3, 2)]
    """
    results = {column: None}

    def go_on(cards: Column, start: int, fixed_places: frozenset[int]) -> None:
        for i, j in combinations(range(len(cards)), 2):
            if i >= start and j - i <= reach and not fixed_places & {i, j}:
                swap = list(cards)
                swap[i], swap[j] = swap[j], swap[i]
                results.setdefault(tuple(swap))
                go_on(tuple(swap), i, fixed_places | {i, j})

    go_on(column, 0, frozenset())
    return list(results)


@dataclass(frozen=True, eq=False)
class Swaps:
    """What swapping inside one column may lead to, for each arrangement u and column c at u * 4 + c.

    `first` and `n`, `int32[U * 4]`, say where the choices begin in `to` and how many there are; `to` holds
    arrangements, `int16[...]`, and staying as it is comes first.
    """

    first: npt.NDArray[np.int32]
    n: npt.NDArray[np.int32]
    to: npt.NDArray[np.int16]

    def choices(self, place: npt.NDArray[np.intp]) -> npt.NDArray[np.int16]:
        """Return the arrangements to choose from at each u * 4 + c, `int16[n, most]`; short lists repeat their last."""
        width = int(self.n.max())
        index = np.minimum(np.arange(width), self.n.take(place)[:, None] - 1)
        return self.to.take(self.first.take(place)[:, None] + index)


def swaps_of(arrangements: Sequence[Arrangement], number: Mapping[Arrangement, int], reach: int) -> Swaps:
    """Compile the swaps of all arrangements of a Unit up to `reach` ranks apart; with 0 columns stay as they are."""
    lists = [
        [number[(*now[:c], column, *now[c + 1 :])] for column in swap_results(now[c], reach)] if c < len(now) else [u]
        for u, now in enumerate(arrangements)
        for c in range(len(now) + 1)
    ]
    n = np.array([len(places) for places in lists], np.int32)
    first = np.concatenate([[0], np.cumsum(n)[:-1]]).astype(np.int32)
    return Swaps(first, n, np.array([to for places in lists for to in places], np.int16))
