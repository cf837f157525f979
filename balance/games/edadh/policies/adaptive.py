"""A policy that watches the opponent: counts the cards it has seen and plays a smoothed best response to them.

The rulebook's advice is to find the opponent's pattern (l. 326). A card is worth what it does to the markers: damage
dealt less damage taken, and `mp_weight` times the MP the opponent loses less those lost oneself, against the counts of
the opponent's cards so far, each begun at `prior`. Cards are then drawn with probabilities proportional to
exp(worth / temperature), so that the policy cannot be read in turn. What a troop will meet is judged by the front
troops in the first open columns; as Defender, who has seen the Attacker's troop, it takes the troop that fares best
against it, otherwise the one whose worst case is best.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from balance.base.arrays import FloatArray, IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.rolls import Rolls
from balance.games.edadh.policies.policy import any_option
from balance.games.edadh.policies.preference import (
    best_loss,
    best_play,
    best_swap,
    choose_where_open,
    fighter_of,
)
from balance.games.edadh.rules.forces import Arena
from balance.games.edadh.rules.look_up import quickly
from balance.games.edadh.rules.mastery import N_CARDS
from balance.games.edadh.rules.strike import Ints
from balance.games.edadh.rules.unit import N_COLUMNS, NO_COLUMN
from balance.games.edadh.rules.view import PLAY_COUNT, View

FACES = 10_000
"""How finely a card is drawn."""
FIRST_COLUMN = np.array([NO_COLUMN, 0, 1, 0, 2, 0, 1, 0], np.int16)
"""The first column of each mask."""


def payoff(
    arena: Arena, side_index: int, level: Ints, cards: tuple[Ints, Ints], fighters: tuple[Ints, Ints], w: float
) -> FloatArray:
    """Return what turns are worth to a side: damage dealt less taken, and w times the MP likewise, `float[...]`.

    `cards` (CVs 1 to 12) and `fighters` are the own ones, then the opponent's; w is in points of damage per MP.
    """
    foe = 1 - side_index
    in_order = (cards, fighters) if side_index == 0 else (cards[::-1], fighters[::-1])
    outcome = quickly(arena)(level, *in_order)
    mp_cost = [
        cost - bonus + loss for cost, bonus, loss in zip(outcome.cost, outcome.bonus, outcome.mp_loss, strict=True)
    ]
    return np.asarray(
        outcome.damage[foe] - outcome.damage[side_index] + w * (mp_cost[foe] - mp_cost[side_index]), np.float64
    )


@dataclass(frozen=True)
class Adaptive:
    """Plays a logit best response to the card frequencies of the opponent, counted in this duel.

    `prior`: what the count of each card begins at. `temperature`: how far from the best a card may be, in points of
    damage: cards weigh exp(worth / temperature). `mp_weight`: what an MP is worth, in points of damage. `retire_below`:
    retires the weakest troop while MP are below this.
    """

    prior: int = 2
    temperature: float = 0.5
    mp_weight: float = 0.3
    retire_below: int = 0
    counts_cards: ClassVar[bool] = True

    def choose(self, name: str, legal: Legal, view: View, rolls: Rolls) -> IntArray:
        """Return a card drawn from the smoothed best response, the best troop, the weakest loss; else any option."""
        kind, _, number = name.partition(" ")
        if kind == "card":
            return self._card(view, rolls.uniform(FACES, "card"))
        if kind == "troop":
            return choose_where_open(view, legal, self._troop)
        if kind in ("answer", "combine") and not number:
            return choose_where_open(view, legal, self._answer)
        if kind == "loss":
            return choose_where_open(view, legal, lambda part, n: best_loss(part, n, self.retire_below))
        if kind == "swap":
            return choose_where_open(view, legal, lambda part, _: best_swap(part, int(number), "all"))
        return any_option(name, legal, rolls)

    def _card(self, view: View, luck: IntArray) -> IntArray:
        counts = [view.foe_column(f"{PLAY_COUNT}{value}") for value in range(1, N_CARDS + 1)]
        belief = np.stack(counts, axis=1) + float(self.prior)
        belief /= belief.sum(axis=1, keepdims=True)
        worth = np.empty(belief.shape)
        for rows, matrix in self._matrices(view):
            worth[rows] = belief[rows] @ matrix.T
        weights = np.exp((worth - worth.max(axis=1, keepdims=True)) / self.temperature)
        ends = np.cumsum(weights, axis=1)
        draw = (luck[:, None] + 0.5) / FACES * ends[:, -1:]
        return np.asarray((ends < draw).sum(axis=1))

    def _matrices(self, view: View) -> list[tuple[IntArray, FloatArray]]:
        """Return (trials, payoffs of [own card, opponent's card]) for each pair of front troops that occurs."""
        own_fighter = fighter_of(view, view.side_index, FIRST_COLUMN.take(view.own_column("up")))
        foe = fighter_of(view, view.foe, FIRST_COLUMN.take(view.foe_column("up")))
        n = [force.n_fighters for force in view.arena.forces]
        key = (np.asarray(view.level, np.int64) * n[view.side_index] + own_fighter) * n[view.foe] + foe
        matrices: list[tuple[IntArray, FloatArray]] = []
        for value in np.unique(key).tolist():
            rest, foe_fighter = divmod(value, n[view.foe])
            level, fighter = divmod(rest, n[view.side_index])
            matrices.append((np.flatnonzero(key == value), self._matrix(view, level, fighter, foe_fighter)))
        return matrices

    def _matrix(self, view: View, level: int, fighter: int, foe_fighter: int) -> FloatArray:
        values = np.arange(1, N_CARDS + 1)
        return payoff(
            view.arena,
            view.side_index,
            level,
            (values[:, None], values[None, :]),
            (fighter, foe_fighter),
            self.mp_weight,
        )

    def _troop(self, view: View, n_options: IntArray) -> IntArray:
        """Return the play with the best worst case (maximin) over the opponent's front troops."""
        open_ = [view.foe_column("up") >> column & 1 > 0 for column in range(N_COLUMNS)]

        def worst(play: IntArray) -> FloatArray:
            against = (self._against(view, play, np.full_like(play, column)) for column in range(N_COLUMNS))
            values_by_column = [np.where(ok, values, np.inf) for ok, values in zip(open_, against, strict=True)]
            return np.asarray(np.minimum.reduce(values_by_column))

        return best_play(view, n_options, worst)

    def _answer(self, view: View, n_options: IntArray) -> IntArray:
        """Return the play with the highest payoff against the troop that the Attacker has selected."""
        return best_play(view, n_options, lambda play: self._against(view, play, view.facts["foe_play"]))

    def _against(self, view: View, play: IntArray, foe_play: IntArray) -> FloatArray:
        fighters = (fighter_of(view, view.side_index, play), fighter_of(view, view.foe, foe_play))
        cards = (view.facts["card"], view.facts["foe_card"])
        return payoff(view.arena, view.side_index, view.level, cards, fighters, self.mp_weight)
