"""Operations on dice in rows, one row per trial: limited re-rolls, drawing cards, clipping, striking figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from balance.base.arrays import BoolArray
from balance.chance.dice.exact.rows import Values, is_among
from balance.chance.dice.tree import Each, Reroll

SHUFFLED = 8
"""Cards of a kind up to which a deck is shuffled; of more it is drawn how many of each kind come."""


def within(each: Each | None, dice: Values) -> Values:
    """Clip what dice show to the ends of `each`; None leaves it as it is.

    >>> within(Each(2, 5), np.array([1, 4, 6])).tolist()
    [2, 4, 5]
    """
    return dice if each is None else np.clip(dice, each.least, each.highest)


def lowest_among(reroll: Reroll, faces: Values, has_die: BoolArray) -> BoolArray:
    """Return which dice a limited re-roll takes, the lowest of each row first: `bool[k]`.

    `faces` lists what the k existing dice show, row after row: `int64[k]`, of symbols a row for each die; `has_die` is
    `bool[n, m]`, of which k are set.

    >>> from balance.chance.dice.tree import faces_that
    >>> lowest_among(Reroll(faces_that("<=", 2), max_dice=1), np.array([2, 1, 6]), np.ones((1, 3), bool)).tolist()
    [False, True, False]
    """
    order = np.zeros(len(faces), np.int64) if faces.ndim == 2 else faces
    rows = np.full(has_die.shape, np.iinfo(np.int64).max)
    rows[has_die] = np.where(is_among(reroll.faces, faces), order, np.iinfo(np.int64).max)
    rank = np.argsort(np.argsort(rows, axis=1, kind="stable"), axis=1, kind="stable")
    again = (rows < np.iinfo(np.int64).max) & (rank < (reroll.max_dice or 0))
    return np.asarray(again[has_die])


def draw_cards(rng: np.random.Generator, n_cards: Sequence[int], n_drawn: Values) -> Values:
    """Draw cards without replacement, and return their kinds, trial after trial, `int64[sum(n_drawn)]`.

    `n_cards` is the number of cards of each kind; a large deck draws the numbers of each kind (hypergeometric) instead.

    >>> draw_cards(np.random.default_rng(0), [1, 1], np.array([2, 0, 1])).tolist()
    [1, 0, 0]
    """
    if sum(n_cards) <= SHUFFLED * len(n_cards):
        order = np.argsort(rng.random((len(n_drawn), sum(n_cards))), axis=1)
        is_drawn = np.arange(sum(n_cards)) < n_drawn[:, None]
        return np.repeat(np.arange(len(n_cards)), n_cards)[order[is_drawn]]
    n_left, rest = n_drawn.copy(), sum(n_cards)
    counts = np.zeros((len(n_drawn), len(n_cards)), np.int64)
    for kind, number in enumerate(n_cards):
        rest -= number
        counts[:, kind] = rng.hypergeometric(number, rest, n_left)
        n_left = n_left - counts[:, kind]
    return np.repeat(np.tile(np.arange(len(n_cards)), len(n_drawn)), counts.ravel())


def steps_of_draw(n_cards: Sequence[int]) -> int:
    """Return the cost of one draw from a deck, in rolls of a die; `n_cards` is the number of cards of each kind."""
    return sum(n_cards) if sum(n_cards) <= SHUFFLED * len(n_cards) else SHUFFLED * len(n_cards)


def struck(wounds: Values, figures: Values | None) -> Values:
    """Return the wounds left on the figure that is struck next, which is the wounded one if there is one.

    `wounds` is the total of all figures, `figures` the wounds of a fresh one; None makes all wounds one pool.

    >>> struck(np.array([5, 4, 1, 0]), np.array([2, 2, 3, 3])).tolist()
    [1, 2, 1, 0]
    """
    return wounds if figures is None else np.minimum((wounds - 1) % figures + 1, wounds)
