"""Battle dice on the board: one throw is one moment of luck, and die j of it is its word number j (BL-DIE-01)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.keyed_rolls import below, words
from balance.games.battlelore.adventure.luck import dice_of, moment
from balance.games.battlelore.adventure.terms.turn import Turn

LETTERS = "GBRSFL"
"""What faces show, in the order of the columns of a throw; the first three are the helmets, by number of colour."""
SWORD, FLAG, LORE = 3, 4, 5


@lru_cache(maxsize=16)
def _packed(faces: tuple[str, ...]) -> IntArray:
    """Return for each face of the die a word of eight one-byte counters with 1 at its letter, `uint64[faces]`."""
    return np.array([1 << 8 * LETTERS.index(face) for face in faces], "<u8")


def throw(turn: Turn, rows: IntArray, side: int, name: str, n_dice: IntArray) -> IntArray:
    """Throw `n_dice`, `int64[m]`, in each trial of `rows`, once each; return how many show each letter, `int64[m, 6]`.

    `side` is whose player throws, and `name` what the throw is called, such as "battle"; no dice take no moment of
    luck.
    """
    faces = np.zeros((len(rows), len(LETTERS)), np.int64)
    thrown = np.flatnonzero(n_dice > 0)
    if len(thrown):
        n_thrown, die = n_dice[thrown], turn.battle.terms.constants.die.faces
        base, places = moment(turn.state, rows[thrown], dice_of(side)), np.arange(int(n_thrown.max()))
        counts = _packed(die).take(below(words(base[:, None], name, places), len(die)))
        counts *= places < n_thrown[:, None]
        faces[thrown] = counts.sum(axis=1).view(np.uint8).reshape(len(thrown), 8)[:, : len(LETTERS)]
        turn.report("throw", side, rows[thrown], name=name, faces=faces[thrown].astype(np.int8), n=n_thrown)
    return faces


def helmets(faces: IntArray, colour: IntArray) -> IntArray:
    """Return how many dice of throws by letter, `int64[m, 6]`, show the helmet of the colour in each, `int64[m]`."""
    return np.asarray(faces[np.arange(len(faces)), colour])
