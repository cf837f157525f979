"""Worths on a grid of mastery points: of each configuration at some MP of either side, and between them by lines.

What a position is worth bends where a side is about to lose by its damage: close to as many MP as damage. So the nodes
of a configuration lie close together there and far apart above, measured from the damage on the side; each side has its
own. A worth between nodes is the mean of those around it, weighted by how near they lie (bilinear): what the duel would
be worth if MP were rounded to nodes by chance, right on average. So the values on a grid are those of a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from balance.core.process import State
from balance.games.edadh.view import SIDES
from balance.pmf.arrays import IntArray

__all__ = ["CAP", "COARSE", "DEAD", "FINE", "LOW", "WIDTH", "Grid", "Worths"]

Worths = npt.NDArray[np.float32]

LOW, CAP = -8, 60
"""The MP that an axis reaches from and to: below, nothing changes any more; above there are none (WE-SETUP.3)."""
DEAD = CAP - LOW + 1
"""The place on an axis for a side that has lost by its damage (WE-EOP.1), after those for LOW to CAP."""
WIDTH = DEAD + 1
"""Places on an axis."""


@dataclass(frozen=True)
class Grid:
    """Nodes of mastery points for each number of turns left.

    Parameters
    ----------
    nodes
        For 0, 1 ... turns left, rising: MP above the damage on the side; at the end of a Period, MP.
    """

    nodes: tuple[tuple[int, ...], ...]

    def mp(self, turns: int, damage: IntArray) -> IntArray:
        """Return the MP of the nodes of sides with so much damage, `int[n, k]`."""
        offsets = np.array(self.nodes[turns])
        base = damage[:, None].astype(np.int64) if turns else 0
        return np.minimum(offsets + base, CAP) + np.zeros((len(damage), 1), np.int64)

    def weights(self, turns: int, damage: IntArray) -> Worths:
        """Return how much each node counts at each MP from LOW to CAP, `float32[n, DEAD, k]`."""
        most = int(damage.max(initial=0)) if turns else 0
        return _weights(self.nodes[turns], most)[damage.astype(np.intp) if turns else np.zeros(len(damage), np.intp)]

    def spread(self, turns: int, values: Worths, damage: Sequence[IntArray]) -> Worths:
        """Return worths at every MP of either side from those at nodes.

        Parameters
        ----------
        values
            By MP of side a and of side b, `float32[n, k, k]`.
        damage
            Of side a and of side b, `[n]`.

        Returns
        -------
        float32[n, WIDTH, WIDTH]
            By place on either axis. A side in the place DEAD has lost: to side a that is worth 0, 1 for the other side,
            and 1/2 if both have.
        """
        one, other = (self.weights(turns, each) for each in damage)
        spread = np.empty((len(values), WIDTH, WIDTH), np.float32)
        np.matmul(one @ values, other.swapaxes(1, 2), out=spread[:, :DEAD, :DEAD])
        spread[:, DEAD, :DEAD], spread[:, :DEAD, DEAD], spread[:, DEAD, DEAD] = 0.0, 1.0, 0.5
        return spread

    def at(self, turns: int, values: Worths, state: State) -> Worths:
        """Return worths of states from those of their configurations at nodes, `float32[n]`."""
        weights = []
        for side in SIDES:
            mp = np.clip(state[f"{side}_mp"], LOW, CAP).astype(np.intp) - LOW
            damage = state[f"{side}_damage"].astype(np.intp) if turns else np.zeros(len(mp), np.intp)
            weights.append(_weights(self.nodes[turns], int(damage.max(initial=0)))[damage, mp])
        return np.asarray((weights[0][:, None, :] @ values @ weights[1][:, :, None])[:, 0, 0])


@lru_cache(maxsize=64)
def _weights(nodes: tuple[int, ...], most: int) -> Worths:
    """Return the weights of nodes by damage up to `most`, `float32[most + 1, DEAD, k]`."""
    mp = np.arange(LOW, CAP + 1)
    weights = np.zeros((most + 1, DEAD, len(nodes)), np.float32)
    for damage in range(most + 1):
        placed = np.minimum(np.array(nodes) + damage, CAP)
        weights[damage] = np.stack([np.interp(mp, placed, column) for column in np.eye(len(nodes))], axis=1)
    return weights


COARSE = Grid(((0, 1, 4, 10, 20, 60), *((-2, 0, 3, 8, 16, 60),) * 3))
FINE = Grid(
    (
        (0, 1, 2, 3, 5, 7, 9, 12, 15, 20, 28, 40, 60),
        *((-2, -1, 0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 24, 36, 60),) * 3,
    )
)
