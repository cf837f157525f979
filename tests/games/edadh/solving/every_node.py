"""A grid with a node at every number of mastery points, on which nothing is interpolated."""

from __future__ import annotations

from balance.games.edadh.solving.approximate.grid import CAP, LOW, Grid
from balance.games.edadh.solving.approximate.value_iteration import Precision

LESS = 4
"""MP below the damage that nodes begin with: with fewer a side has lost."""
N_LAYERS = 4
"""Numbers of turns left in a Period, 0 among them."""


def upto(most: int, low: int = -LESS) -> Grid:
    """Return a grid with a node at every MP up to so many, and one at the cap."""
    nodes = [*range(low, min(most, CAP) + 1), CAP]
    end, turn = tuple(nodes[-low:]), tuple(nodes)
    return Grid(((end, end), *((turn, turn),) * (N_LAYERS - 1)))


EVERY = upto(CAP - 1, LOW)
EXACTLY = 1e-7
"""The last ones of a pass change by less."""
TIRES = 2e-5


def precisely(most: int) -> Precision:
    """Return how to solve duels of at most so many MP to three digits and more."""
    return Precision(
        change=(EXACTLY, EXACTLY), max_steps=(60, 60), gap=(EXACTLY, EXACTLY), draw_chance=TIRES, grid=upto(most)
    )
