"""A battle on a board as a process: the luck of each trial, who leads and has won, and the columns to report.

A state has the columns of `score_columns`, and in `luck` the keys of `keys_of`, from which all its luck follows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.keyed_rolls import KeyRequest, Keys
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls

DRAW = 3
"""The winner of a battle that nobody won; 0 is open, 1 side a and 2 side b."""


def keys_of(rolls: Rolls, sources: Sequence[str], idle: Collection[str] = ()) -> Keys:
    """Return the luck of each trial, `uint64[n]`, or by source where sources are told apart, `uint64[n, s]`.

    `sources`: names of the sources of luck; `key_of` numbers them by their place. `idle`: those that are not in use.
    """
    return rolls.answer(KeyRequest("luck", tuple("" if name in idle else name for name in sources)))


def copy_state(state: State) -> State:
    """Return a deep copy, which a step may write to.

    >>> state = {"health": np.array([3])}
    >>> copy_state(state)["health"] is state["health"]
    False
    """
    return {name: values.copy() for name, values in state.items()}


def score_columns(n: int) -> State:
    """Return the columns of a state that say who leads and has won, for n trials: nobody yet.

    >>> sorted(score_columns(1))
    ['behind', 'lead', 'lead_changes', 'winner']
    """
    columns = {name: np.zeros(n, np.int16) for name in ("winner", "lead", "lead_changes")}
    return columns | {"behind": np.zeros((n, 2), np.int32)}


def note_lead(state: State, rows: IntArray | slice, margin: IntArray) -> None:
    """Count changes of the lead in trials, and keep how far each side was behind at most; writes into the state.

    `rows`: the trials concerned, each once. `margin`: by how much side a leads in each, `int[m]`.

    >>> state = score_columns(1)
    >>> for margin in (2, 0, -3):
    ...     note_lead(state, slice(None), np.array([margin]))
    >>> state["lead_changes"].tolist(), state["behind"].tolist()
    ([1], [[3, 2]])
    """
    state["behind"][rows] = np.maximum(state["behind"][rows], np.stack([-margin, margin], axis=1))
    lead = np.where(margin == 0, state["lead"][rows], np.sign(margin))
    state["lead_changes"][rows] += lead * state["lead"][rows] < 0
    state["lead"][rows] = lead


def is_over(state: State) -> BoolArray:
    """Return which battles are won or drawn, `bool[n]`."""
    return np.asarray(state["winner"] > 0)


def by_side(**values: IntArray) -> State:
    """Return a column for each side from values `int[n, 2]`, by name.

    >>> {name: column.tolist() for name, column in by_side(units=np.array([[2, 0]])).items()}
    {'a_units': [2], 'b_units': [0]}
    """
    pairs = ((name, both.astype(np.int32)) for name, both in values.items())
    return {f"{side}_{name}": both[:, place] for name, both in pairs for place, side in enumerate("ab")}


def battle_columns(state: State, about: State, **values: IntArray) -> State:
    """Return the columns that a battle reports: the winner, what is said about it, both sides, leads and the comeback.

    `about`: columns such as the number of rounds, `int[n]` by name. `values`: what each side has in the end, `int[n,
    2]` by name.

    >>> state = score_columns(1) | {"winner": np.array([2]), "behind": np.array([[0, 4]])}
    >>> columns = battle_columns(state, {"rounds": np.array([3])}, units=np.array([[0, 1]]))
    >>> {name: int(column[0]) for name, column in columns.items()}
    {'winner': 2, 'rounds': 3, 'a_units': 0, 'b_units': 1, 'lead_changes': 0, 'comeback': 4}
    """
    winner = state["winner"] % DRAW
    behind = np.select([winner == 1, winner == 2], [state["behind"][:, 0], state["behind"][:, 1]], 0)
    leads = {"lead_changes": state["lead_changes"], "comeback": np.maximum(behind, 0)}
    columns = {"winner": winner, **about, **by_side(**values), **leads}
    return {name: column.astype(np.int32) for name, column in columns.items()}
