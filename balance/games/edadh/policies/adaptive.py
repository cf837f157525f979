"""A policy that watches the opponent: counts the cards it has seen and plays a smoothed best response to them.

The rulebook's advice is to find the opponent's pattern (l. 326). A card is worth what it does to the markers: damage
dealt less damage taken, and `mp_weight` times the MP the opponent loses less those lost oneself, against the counts of
the opponent's cards so far, each begun at `prior`. Cards are then drawn with probabilities proportional to
exp(worth / temperature), so that the policy cannot be read in turn. What a troop will meet is judged by the front
troops in the first open columns; as Defender, who has seen the Attacker's troop, it takes the troop that fares best
against it, otherwise the one whose worst case is best.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.games.edadh.look_up import Arena, quickly
from balance.games.edadh.mastery import N_VALUES
from balance.games.edadh.policies.any_command import AnyCommand
from balance.games.edadh.policies.policy import STAY
from balance.games.edadh.policies.preference import CANDIDATES, best_play, best_swap, fighter_of, weakest_column
from balance.games.edadh.strike import Ints
from balance.games.edadh.unit import NOBODY
from balance.games.edadh.view import MIND, View

__all__ = ["Adaptive", "payoff"]

FIRST_COLUMN = np.array([NOBODY, 0, 1, 0, 2, 0, 1, 0], np.int16)
"""The first column of each mask."""


def payoff(arena: Arena, me: int, level: Ints, cards: tuple[Ints, Ints], fighters: tuple[Ints, Ints], w: float) -> Ints:
    """Return what turns are worth to a side: damage dealt less taken, and w times the MP likewise, `float[...]`."""
    outcome, foe = quickly(arena)(level, cards, fighters), 1 - me
    spent = [
        cost - bonus + loss for cost, bonus, loss in zip(outcome.cost, outcome.bonus, outcome.mp_loss, strict=True)
    ]
    return outcome.damage[foe] - outcome.damage[me] + w * (spent[foe] - spent[me])


@dataclass(frozen=True)
class Adaptive(AnyCommand):
    """Watches the opponent.

    Attributes
    ----------
    prior
        What the count of each card begins at.
    temperature
        How far from the best a card may be: in points of damage.
    mp_weight
        What an MP is worth, in points of damage.
    retire_below
        Retires the weakest troop while MP are below this.
    """

    prior: int = 2
    temperature: float = 0.5
    mp_weight: float = 0.3
    retire_below: int = 0

    @property
    def card_faces(self) -> int:
        """A fine die, to draw from any probabilities."""
        return 10_000

    @property
    def reacts(self) -> bool:
        """As Defender it looks at the Attacker's troop."""
        return True

    @property
    def memory(self) -> Mapping[str, int]:
        """A count for each of the opponent's cards."""
        return {f"seen_{value}": self.prior for value in range(1, N_VALUES)}

    def card(self, view: View, luck: Ints) -> Ints:
        """Return a card drawn from the smoothed best response."""
        belief = np.stack([view.mine(f"{MIND}seen_{value}") for value in range(1, N_VALUES)], axis=1)
        belief = belief / belief.sum(axis=1, keepdims=True)
        worth = np.empty(belief.shape)
        for rows, matrix in self._matrices(view):
            worth[rows] = belief[rows] @ matrix.T
        weights = np.exp((worth - worth.max(axis=1, keepdims=True)) / self.temperature)
        ends = np.cumsum(weights, axis=1)
        drawn = (luck[:, None] - 0.5) / self.card_faces * ends[:, -1:]
        return (1 + (ends < drawn).sum(axis=1)).astype(np.int16)

    def _matrices(self, view: View) -> list[tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]]:
        """Return (trials, worth of [own card, opponent's card]) for each pair of front troops there is."""
        own = fighter_of(view, view.me, FIRST_COLUMN.take(view.mine("up")))
        foe = fighter_of(view, view.foe, FIRST_COLUMN.take(view.theirs("up")))
        n = [force.n_fighters for force in view.arena.forces]
        key = (np.asarray(view.level, np.int64) * n[view.me] + own) * n[view.foe] + foe
        found = []
        for value in np.unique(key).tolist():
            rest, other = divmod(value, n[view.foe])
            level, mine = divmod(rest, n[view.me])
            found.append((np.flatnonzero(key == value), self._matrix(view, level, mine, other)))
        return found

    def _matrix(self, view: View, level: int, mine: int, other: int) -> npt.NDArray[np.float64]:
        values = np.arange(1, N_VALUES, dtype=np.int16)
        cards, fighters = (values[:, None], values[None, :]), (mine, other)
        if view.me == 1:
            cards, fighters = (cards[1], cards[0]), (other, mine)
        return np.asarray(payoff(view.arena, view.me, level, cards, fighters, self.mp_weight), np.float64)

    def play(self, view: View, luck: Ints) -> Ints:
        """Return the troop that fares best against the Attacker's, or in the worst case against any."""
        answers = {play: self._against(view, play, view.foe_play) for play in CANDIDATES}
        if np.all(view.foe_play == NOBODY):
            fronts = [np.full(len(view.legal), column, np.int16) for column in range(3)]
            able = [view.theirs("up") >> column & 1 > 0 for column in range(3)]
            for play in CANDIDATES:
                worst = [np.where(ok, self._against(view, play, q), np.inf) for q, ok in zip(fronts, able, strict=True)]
                answers[play] = np.minimum.reduce(worst)
        return best_play(view, answers)

    def _against(self, view: View, play: int, foe_play: Ints) -> Ints:
        mine, other = fighter_of(view, view.me, play), fighter_of(view, view.foe, foe_play)
        cards, fighters = (view.card, view.foe_card), (mine, other)
        if view.me == 1:
            cards, fighters = (view.foe_card, view.card), (other, mine)
        return payoff(view.arena, view.me, view.level, cards, fighters, self.mp_weight)

    def discard(self, view: View, luck: Ints) -> Ints:
        """Return the column of the weakest troop."""
        return weakest_column(view)

    def retire(self, view: View, luck: Ints) -> Ints:
        """Return the column of the weakest troop while MP are too low."""
        return np.where(view.mine("mp") < self.retire_below, weakest_column(view), STAY)

    def swap(self, view: View, column: int, choices: Ints, n: Ints, luck: Ints) -> Ints:
        """Return the choice that brings forward the best troop for the next level."""
        return best_swap(view, column, choices, "all")

    def remember(self, view: View) -> Mapping[str, Ints]:
        """Return the counts with the opponent's card added."""
        return {
            f"seen_{value}": view.mine(f"{MIND}seen_{value}") + (view.foe_card == value) for value in range(1, N_VALUES)
        }
