"""Policies that prefer one troop to another, by what is printed on the cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.rolls import Rolls
from balance.games.edadh.policies.policy import CardMix, any_option
from balance.games.edadh.rules.forces import N_PLAYS, Force
from balance.games.edadh.rules.unit import LOSSES, MOST_PLAYS, N_COLUMNS, PLAYS
from balance.games.edadh.rules.view import View

MUST = 8
"""From this place on a card must be lost (see `unit.LOSSES`)."""


def choose_where_open(view: View, legal: Legal, decide: Callable[[View, IntArray], IntArray]) -> IntArray:
    """Return the option that `decide` picks for the trials with more than one, the only one elsewhere, `int64[n]`.

    `decide` is given the view of those trials and how many options they have.
    """
    n_options = np.asarray(legal)
    rows = np.flatnonzero(n_options > 1)
    place = rows if view.rows is None else np.flatnonzero(n_options.take(view.rows) > 1)
    choice = np.zeros(len(n_options), np.int64)
    choice[rows] = decide(view.only(place), n_options.take(rows))
    return choice


def best_of(scores: Iterable[FloatArray], order: Iterable[IntArray], n_options: IntArray) -> IntArray:
    """Return which option has the highest score, `int[n]`; of equals the one that comes first in `order`.

    `scores` and `order` yield one array `[n]` per option; options from `n_options` on do not count.
    """
    choice, first = np.zeros(len(n_options), np.int64), np.zeros(len(n_options), np.intp)
    best = np.full(len(n_options), -np.inf)
    for option, (score, place) in enumerate(zip(scores, order, strict=True)):
        better = (option < n_options) & ((score > best) | ((score == best) & (place < first)))
        choice[better] = option
        best, first = np.where(better, score, best), np.where(better, place, first)
    return choice


def best_play(view: View, n_options: IntArray, score: Callable[[IntArray], FloatArray]) -> IntArray:
    """Return the option whose play has the highest score `float[n]`; of equals the play with the lowest number."""
    place = view.facts["place"]
    plays = [PLAYS.take(place * MOST_PLAYS + option).astype(np.intp) for option in range(int(n_options.max(initial=0)))]
    return best_of([score(play) for play in plays], plays, n_options)


def best_loss(view: View, n_options: IntArray, retire_below: int) -> IntArray:
    """Return the option that gives up the weakest troop, or none if none must go and MP are not `retire_below`."""
    place, values = view.facts["place"], worth(view.arena.forces[view.side_index], "all")
    optional = (place < MUST) + 0
    columns = [LOSSES.take(place * 4 + optional + i).astype(np.intp) for i in range(N_COLUMNS)]
    weakest = best_of(
        [-values[view.level, fighter_of(view, view.side_index, column)] for column in columns],
        columns,
        n_options - optional,
    )
    return np.where((optional > 0) & (view.own_column("mp") >= retire_below), 0, weakest + optional)


def best_swap(view: View, column: int, taste: str) -> IntArray:
    """Return which swap in a column, 0 to 2, brings the best troop to the front by a taste (see `worth`).

    It is the first of equals, so no change where the front troop is as good.
    """
    force, choices = view.arena.forces[view.side_index], view.facts["choices"]
    fighters = force.fighter.take(choices.astype(np.intp) * N_PLAYS + column)
    level = view.level[:, None] if isinstance(view.level, np.ndarray) else view.level
    return np.asarray(worth(force, taste)[level, fighters].argmax(axis=1))


def worth(force: Force, taste: str) -> FloatArray:
    """Return how much a taste likes each fighter, `float[3, F]`: the first difference on the cards decides.

    `guard` looks at ML, protection, def; `strike` at att with helpers, piercing, offensive damage; "all" at all six.
    """
    card = force.profile
    guard = (card.ml * 100.0 + card.protection) * 100 + card.defence
    strike = ((card.att + force.helpers_att) * 100.0 + card.piercing) * 100 + card.od
    return np.asarray({"guard": guard, "strike": strike, "all": guard + strike}[taste])


def fighter_of(view: View, side_index: int, play: IntArray) -> IntArray:
    """Return the fighter that side 0 or 1 would send by a play (column + 4 * mask of helpers), `int32[n]`."""
    unit = view.own_column("unit") if side_index == view.side_index else view.foe_column("unit")
    return view.arena.forces[side_index].fighter.take(unit.astype(np.intp) * N_PLAYS + play)


@dataclass(frozen=True)
class TastePolicy:
    """Cards from a fixed mix; the troop by `taste`, "guard" or "strike" (see `worth`); gives up the weakest.

    It retires the weakest troop while MP are below `retire_below`.
    """

    mix: CardMix = field(default_factory=CardMix)
    taste: str = "guard"
    retire_below: int = 0

    def choose(self, name: str, legal: Legal, view: View, rolls: Rolls) -> IntArray:
        """Return a card of the mix, the troop its taste likes best, or the weakest to give up; else any option."""
        kind, _, number = name.partition(" ")
        if kind == "card":
            return self.mix.option(rolls)
        if kind in ("troop", "answer", "combine") and not number:
            return choose_where_open(view, legal, self._troop)
        if kind == "loss":
            return choose_where_open(view, legal, lambda part, n: best_loss(part, n, self.retire_below))
        if kind == "swap":
            return choose_where_open(view, legal, lambda part, _: best_swap(part, int(number), self.taste))
        return any_option(name, legal, rolls)

    def _troop(self, view: View, n_options: IntArray) -> IntArray:
        value = worth(view.arena.forces[view.side_index], self.taste)
        return best_play(view, n_options, lambda play: value[view.level, fighter_of(view, view.side_index, play)])
