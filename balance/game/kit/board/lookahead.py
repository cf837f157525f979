"""Looking ahead: copies of battles that a player tries out, with luck that the battle itself will not meet.

A portfolio of scripts is far smaller than the moves of a turn (Churchill and Buro, "Portfolio greedy search and
simulation for large-scale combat in StarCraft", CIG 2013). All scripts play the same copies (common random numbers).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.keyed_rolls import base_words, key_of, words
from balance.chance.rolls.process import State

MOST_COPIES = 2**14
"""Copies of battles that are played at a time."""


def parts(n: int, samples: int) -> Iterator[slice]:
    """Yield which of n battles, or options, are tried at a time, so that their copies are at most `MOST_COPIES`.

    `samples`: copies of each.

    >>> [(part.start, part.stop) for part in parts(20_000, 1)]
    [(0, 16384), (16384, 32768)]
    """
    size = max(MOST_COPIES // samples, 1)
    return (slice(first, first + size) for first in range(0, n, size))


def copies(state: State, rows: IntArray, samples: int, source: int, moments: str) -> State:
    """Return some trials of a state, each copied so many times side by side, with luck of their own.

    A trial that occurs twice is copied with the same luck both times.

    * `rows`: the trials, `int[m]`.
    * `samples`: copies of each.
    * `source`: the source of luck from which that of the copies follows.
    * `moments`: the column that counts the moments of that luck.

    >>> state = {"luck": np.array([7, 8], np.uint64), "choices": np.zeros(2, np.int32)}
    >>> luck = copies(state, np.array([0, 1, 0]), 2, 0, "choices")["luck"]
    >>> len(set(luck.tolist())), bool((luck[:2] == luck[4:]).all())
    (4, True)
    """
    at = np.repeat(rows, samples)
    copied = {name: values.take(at, axis=0) for name, values in state.items()}
    base = base_words(key_of(copied["luck"], source), copied[moments])
    return copied | {"luck": words(base, "copy", np.tile(np.arange(samples), len(rows)))}


def victory(state: State, side: int, worth: int) -> IntArray:
    """Return what battles count for a side, 0 or 1, by who has won: `worth`, or as much less, or 0, `int64[n]`.

    >>> victory({"winner": np.array([0, 1, 2, 3])}, 0, 100).tolist()
    [0, 100, -100, 0]
    """
    return np.select([state["winner"] == side + 1, state["winner"] == 2 - side], [worth, -worth], 0)
