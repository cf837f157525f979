"""Actions that a side loses at the start of a fight: the house rule that takes the edge off going first.

A game that has it takes `LostActions` into the stance of a side, puts what `lost_at_start` returns into the state, and
asks `acting` whenever a side would act. Where nobody loses an action the state has no such column, and nothing changes.

>>> import numpy as np
>>> state = {"a_health": np.array([3, 3]), **{name: np.array([n, 0]) for name, n in lost_at_start("a", 1).items()}}
>>> acts, state = acting(state, "a", np.array([True, True]))
>>> acts.tolist(), state["a_lost_actions"].tolist()
([False, True], [0, 0])
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field

from balance.catalogue import Header, Record
from balance.core.process import BoolArray, State

__all__ = ["LOST", "LostActions", "acting", "lost_at_start"]

LOST = "lost_actions"
"""What the field of a stance is called, and after its side the column of a state."""


class LostActions(Record):
    """What a side brings that may lose its first actions."""

    lost_actions: Annotated[
        int,
        Field(ge=0, le=9, description="Actions that it loses at the start: it does nothing with them."),
        Header(unit="actions"),
    ] = 0


def lost_at_start(side: str, n_actions: int) -> dict[str, int]:
    """Return the column that counts the actions a side has still to lose; none where it loses none."""
    return {f"{side}_{LOST}": n_actions} if n_actions else {}


def acting(state: State, side: str, due: BoolArray) -> tuple[BoolArray, State]:
    """Return in which trials a side acts that is due to, `bool[n]`, and the state after what it loses of it."""
    column = f"{side}_{LOST}"
    if column not in state:
        return due, state
    left = state[column]
    return np.asarray(due & (left == 0)), {**state, column: np.maximum(left - due, 0).astype(left.dtype)}
