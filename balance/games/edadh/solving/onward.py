"""Where worths go that change by a steady share of the change before, each time they are gone through."""

from __future__ import annotations

import numpy as np

from balance.games.edadh.solving.prediction import Worths

__all__ = ["Onward"]

AFTER = 3
"""Times worths are gone through before they are moved: at first changes say little of those to come."""
MOST = 0.95
"""The largest share of the change before that is believed."""
TINY = 1e-12


class Onward:
    """Moves worths to where they go, if that is in favour of a side: asked before each time they are gone through.

    A change that is a share r of the one before will have been r / (1 - r) times itself when all is done (Aitken). What
    a side can wait for need not be given back, so worths are never moved against the side that answers.

    Parameters
    ----------
    side
        0 if worths may be moved up so, 1 if down.
    """

    def __init__(self, side: int) -> None:
        self._up, self._seen = side == 0, list[Worths]()

    def __call__(self, worths: Worths) -> Worths:
        """Return worths to go on with, `float32[n, k, l]`, from those found last."""
        self._seen.append(worths)
        if len(self._seen) <= AFTER:
            return worths
        was, now = np.diff(np.stack(self._seen[-3:]), axis=0)
        share = (was * now).sum(axis=(1, 2)) / np.maximum((was * was).sum(axis=(1, 2)), TINY)
        share = np.clip(share, 0, MOST)[:, None, None]
        onward = now * (share / (1 - share))
        moved = np.clip(worths + (np.maximum if self._up else np.minimum)(onward, 0), 0, 1)
        self._seen = [moved] * (AFTER - 1)
        return np.asarray(moved)
