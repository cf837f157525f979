"""Actions that a side loses at the start of a fight: the house rule that takes the edge off going first.

A game that has it takes `LostActions` into the stance of a side, puts what `lost_at_start` returns into the state, and
asks `acting` whenever a side would act, or `actions_left` where it has several actions at once. Where nobody loses an
action the state has no such column, and nothing changes. Of an army it is a number of the whole, not of each member.

>>> import numpy as np
>>> state = {"a_health": np.array([3, 3]), **{name: np.array([n, 0]) for name, n in lost_at_start("a", 1).items()}}
>>> acts, state = acting(state, "a", np.array([True, True]))
>>> acts.tolist(), state["a_lost_actions"].tolist()
([False, True], [0, 0])
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import numpy as np
from pydantic import Field

from balance.base.arrays import BoolArray, IntArray
from balance.catalogue import Header, Record
from balance.chance.rolls.process import State

LOST_ACTIONS = "lost_actions"
"""What the field of a stance is called, and after its side the column of a state."""


class LostActions(Record):
    """The base of a stance that may lose its first actions."""

    lost_actions: Annotated[
        int,
        Field(ge=0, le=9, description="Actions that it loses at the start: it does nothing with them."),
        Header(unit="actions"),
    ] = 0


def lost_at_start(side: str, n_actions: int) -> dict[str, int]:
    """Return the state column that counts the actions a side still has to lose; empty if it loses none.

    It begins with the name of the side.
    """
    return {f"{side}_{LOST_ACTIONS}": n_actions} if n_actions else {}


def lost_in_trials(sides: Iterable[str], n_lost: Iterable[int], n_trials: int) -> State:
    """Return these columns of all sides for many trials, `int16[n_trials]` each; empty for sides that lose none.

    `sides` are the names with which columns begin, `n_lost` the actions that each loses at the start.

    >>> lost_in_trials("ab", (0, 2), 3)
    {'b_lost_actions': array([2, 2, 2], dtype=int16)}
    """
    columns = [lost_at_start(side, n_actions) for side, n_actions in zip(sides, n_lost, strict=True)]
    return {name: np.full(n_trials, n, np.int16) for column in columns for name, n in column.items()}


def acting(state: State, side: str, due: BoolArray) -> tuple[BoolArray, State]:
    """Return in which trials a side that is due, `bool[n]`, acts, and the state with an action lost in the others.

    Without a column of lost actions, which begins with the side's name, none are lost.
    """
    if f"{side}_{LOST_ACTIONS}" not in state:
        return due, state
    n_left, after = actions_left(state, side, due.astype(np.int16))
    return np.asarray(n_left > 0), after


def actions_left(state: State, side: str, actions: IntArray) -> tuple[IntArray, State]:
    """Return the actions that remain to a side after losses, `int[n]`, and the state with those losses deducted.

    `actions`, `int[n]`, are those it would have; a state without its column of lost actions loses none.
    """
    column = f"{side}_{LOST_ACTIONS}"
    if column not in state:
        return actions, state
    to_lose = state[column]
    n_lost = np.minimum(to_lose, actions).astype(to_lose.dtype)
    return np.asarray(actions - n_lost), {**state, column: to_lose - n_lost}
