"""Drawing from the command deck, and shuffling the discards into it again (BL-CMD-12)."""

from __future__ import annotations

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.keyed_rolls import below, words
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.luck import CARDS, moment

NO_CARD = -1


def draw(state: State, rows: IntArray) -> IntArray:
    """Take one card off the deck in some trials; return its kind, `int64[m]`, or NO_CARD where there is none.

    An empty deck is made of the discards first.

    Parameters
    ----------
    state
        The columns of all trials; `deck`, `discard` and `moments` are written into.
    rows
        Numbers of the trials, each once.
    """
    is_empty = ~state["deck"][rows].any(axis=1)
    if is_empty.any():
        reshuffle(state, rows[is_empty])
    n_cards = state["deck"][rows].sum(axis=1, dtype=np.int64)
    card = np.full(len(rows), NO_CARD)
    able = np.flatnonzero(n_cards > 0)
    if len(able):
        number = below(words(moment(state, rows[able], CARDS), "draw"), n_cards[able])
        ends = state["deck"][rows[able]].cumsum(axis=1, dtype=np.int64)
        card[able] = (ends <= number[:, None]).sum(axis=1)
        state["deck"][rows[able], card[able]] -= 1
    return card


def reshuffle(state: State, rows: IntArray) -> None:
    """Put the discards of some trials back into the deck."""
    state["deck"][rows] += state["discard"][rows]
    state["discard"][rows] = 0
