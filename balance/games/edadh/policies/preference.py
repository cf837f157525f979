"""Policies that prefer one troop to another, by what is printed on the cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from balance.games.edadh.forces import N_PLAYS, Force
from balance.games.edadh.policies.policy import STAY, Dealt
from balance.games.edadh.strike import Ints
from balance.games.edadh.unit import ALL, N_COLUMNS, ONE, plays_of
from balance.games.edadh.view import View

__all__ = ["CANDIDATES", "Preferring", "best_play", "best_swap", "is_legal", "weakest_column"]

NEVER = -(2.0**30)
"""The score of what is not allowed."""


def _legal_plays() -> npt.NDArray[np.bool_]:
    table = np.zeros((3, 8, N_COLUMNS + 1, N_PLAYS), bool)
    for right, mask, fixed in product((0, ONE, ALL), range(1, 8), range(N_COLUMNS + 1)):
        table[right, mask, fixed, plays_of(mask, right, fixed)] = True
    return table.ravel()


LEGAL = _legal_plays()
CANDIDATES = tuple(play for play in range(N_PLAYS) if LEGAL.reshape(-1, N_PLAYS)[:, play].any())
"""Every play that can ever be legal."""


def is_legal(view: View, play: int) -> Ints:
    """Return whether a play is legal, `bool[n]`."""
    return LEGAL.take(((np.asarray(view.right, np.intp) * 8 + view.legal) * 4 + view.fixed) * N_PLAYS + play)


def best_play(view: View, scores: Mapping[int, Ints]) -> Ints:
    """Return the legal play with the highest score, the first of equals; NOBODY where none is legal.

    Parameters
    ----------
    scores
        Score of each candidate play, `float[n]`.
    """
    best = np.full(len(view.legal), NEVER)
    chosen = np.full(len(view.legal), 3, np.int16)
    for play, score in scores.items():
        better = is_legal(view, play) & (score > best)
        chosen[better] = play
        best = np.where(better, score, best)
    return chosen


def worth(force: Force, taste: str) -> npt.NDArray[np.float64]:
    """Return how much a taste likes each fighter, `float[3, F]`: the first difference on the cards decides.

    `guard` looks at ML, protection, def; `strike` at att with helpers, piercing, offensive damage; "all" at all six.
    """
    card = force.profile
    guard = (card.ml * 100.0 + card.protection) * 100 + card.defence
    strike = ((card.att + force.helpers_att) * 100.0 + card.piercing) * 100 + card.od
    return np.asarray({"guard": guard, "strike": strike, "all": guard + strike}[taste])


def fighter_of(view: View, me: int, play: Ints) -> Ints:
    """Return the fighter that a play would send, `int32[n]`."""
    unit = view.mine("unit") if me == view.me else view.theirs("unit")
    return view.arena.forces[me].fighter.take(unit.astype(np.intp) * N_PLAYS + play)


def weakest_column(view: View) -> Ints:
    """Return the column of `view.legal` whose front troop is worth least."""
    value = worth(view.arena.forces[view.me], "all")
    alone = View(view.arena, view.me, view.foe, view.state, view.level, view.rows, view.legal)
    return best_play(alone, {c: -value[view.level, fighter_of(view, view.me, c)] for c in range(3)})


def best_swap(view: View, column: int, choices: Ints, taste: str) -> Ints:
    """Return which choice has the best front troop, the first of equals; it is no change where that is as good."""
    force = view.arena.forces[view.me]
    fighters = force.fighter.take(choices.astype(np.intp) * N_PLAYS + column)
    level = view.level[:, None] if isinstance(view.level, np.ndarray) else view.level
    return worth(force, taste)[level, fighters].argmax(axis=1)


@dataclass(frozen=True)
class Preferring(Dealt):
    """Cards from a fixed mix; the troop by taste; gives up the weakest.

    Attributes
    ----------
    taste
        "guard" or "strike".
    retire_below
        Retires the weakest troop while MP are below this.
    """

    taste: str = "guard"
    retire_below: int = 0

    def play(self, view: View, luck: Ints) -> Ints:
        """Return the legal play its taste likes best."""
        value = worth(view.arena.forces[view.me], self.taste)
        return best_play(view, {play: value[view.level, fighter_of(view, view.me, play)] for play in CANDIDATES})

    def discard(self, view: View, luck: Ints) -> Ints:
        """Return the column of the weakest troop."""
        return weakest_column(view)

    def retire(self, view: View, luck: Ints) -> Ints:
        """Return the column of the weakest troop while MP are too low."""
        return np.where(view.mine("mp") < self.retire_below, weakest_column(view), STAY)

    def swap(self, view: View, column: int, choices: Ints, n: Ints, luck: Ints) -> Ints:
        """Return the choice that brings forward the troop its taste likes best at the next level."""
        return best_swap(view, column, choices, self.taste)
