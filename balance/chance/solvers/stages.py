"""Games played over many states, in each of which both players choose at once and then all is public.

States are numbered 0..S-1, layer by layer, the start states first. In a state the two choices give a reward to the
row player and lead, by chance, to other states or to the end: to one of a later layer in the same round (a counter that
only falls: turns, cards), to one of the same or an earlier layer in the next.

A game is anything with the three members of `StagedGame`. It computes its payoffs as it likes: a cell may hold the
value, given the successors' values, of an open choice made after the reveal (the maximum over one player's options, the
minimum over the other's). Such a cell grows with the successors' values and never faster than they do, which is all
that the bounds of this package rest on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Protocol

from balance.base.arrays import BoolArray, FloatArray

Legal = tuple[BoolArray | None, BoolArray | None]
"""Which rows `bool[s, m]` and columns `bool[s, n]` may be played; None for all."""


class StagedGame(Protocol):
    """A game over states in layers, with simultaneous choices in each state."""

    @property
    def layer_sizes(self) -> Sequence[int]:
        """States in each layer, the start layer first."""

    def payoffs(self, layer: int, values: FloatArray) -> FloatArray:
        """Return the row player's payoff by state of a layer, row and column, `float64[s, m, n]`.

        That is the expected reward plus the expected value of the successor; layer 0 is that of the start states.
        `values` is `float64[S]`, read-only, NaN for a state not yet solved.
        """

    def legal(self, layer: int) -> Legal:
        """Return masks of the rows and of the columns that may be played in each state; None for all."""


def layer_slices(game: StagedGame) -> list[slice]:
    """Return where the states of each layer stand among all states.

    >>> from types import SimpleNamespace
    >>> layer_slices(SimpleNamespace(layer_sizes=(1, 2)))
    [slice(0, 1, None), slice(1, 3, None)]
    """
    ends = list(accumulate(game.layer_sizes, initial=0))
    return [slice(first, last) for first, last in pairwise(ends)]
