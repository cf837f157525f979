"""Look-ahead: cards and ways of playing them, tried on copies of the battle with hidden cards dealt anew.

A side knows its own hand, the discards and the board. What the enemy holds and what lies in the deck it does not know,
so every copy deals both from what is out of its sight, and goes on with luck that the battle itself will not meet. All
candidates play the same copies, as in `balance.game.kit.board.lookahead` (sampled hands: determinization, Cowling,
Powley and Whitehouse 2012).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State
from balance.game.kit.board.lookahead import copies, parts, victory
from balance.games.battlelore.adventure.luck import CHOICES
from balance.games.battlelore.adventure.policies.lore_play import TOKEN
from balance.games.battlelore.adventure.policies.reckoning import BANNER, FIGURE
from balance.games.battlelore.adventure.policies.scripts import SCRIPTS, Script
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.terms.choices import Choice
from balance.games.battlelore.adventure.terms.drawing import COMMAND_PILE, LORE_PILE, draw, take_card
from balance.games.battlelore.adventure.terms.turn import Turn
from balance.games.battlelore.adventure.turns.cards import lay_down
from balance.games.battlelore.adventure.turns.turn import act, take_turn

VICTORY = 64 * BANNER
"""What a battle won counts."""
CHARGE = Script(advance=60, kill=BANNER // 8)
"""A way of playing a turn that goes for the enemy, and for what is nearest to its end."""
NEVER = -(2**21)
"""The weight of a card that was not tried."""


@dataclass(frozen=True)
class Lookahead:
    """Plays the card, and by the script, that does best on copies.

    * `scripts`: ways of playing the turn that it tries; of equal ones it takes the first.
    * `reply`: how it expects the enemy to play.
    * `cards`: how many cards it tries, the most promising first.
    * `samples`: copies for each candidate.
    * `turns`: turns that are played, its own included.
    * `margin`: by how much another script than the first must do better, as samples are few.
    """

    scripts: tuple[Script, ...]
    reply: Script
    cards: int
    samples: int
    turns: int
    margin: int = 0

    def weigh(self, battle: Battle, state: State, choice: Choice) -> IntArray:
        """Return the weight of each option, `int64[p]`; for cards, the script chosen goes into the column `script`."""
        if choice.name == "card":
            return self._cards(battle, state, choice)
        script = state["script"][choice.trial]
        weights = np.zeros(len(choice.row), np.int64)
        for number, way in enumerate(self.scripts):
            option = np.flatnonzero(script == number)
            if len(option):
                weights[option] = way.weigh(battle, state, _part(choice, option))
        return weights

    def _cards(self, battle: Battle, state: State, choice: Choice) -> IntArray:
        """Return the mean result of each card tried, NEVER for others, and store the best script of each battle."""
        promise = self.scripts[0].weigh(battle, state, choice)
        option = _most_promising(choice.row, promise, self.cards)
        values = np.stack([self._values(battle, state, choice, option, script) for script in self.scripts])
        values[1:] -= self.margin
        weights = np.full(len(choice.row), NEVER)
        weights[option] = values.max(axis=0)
        best = np.full(len(choice.rows), NEVER)
        np.maximum.at(best, choice.row[option], values.max(axis=0))
        script = np.zeros(len(choice.rows), np.int8)
        for number in range(len(self.scripts) - 1, -1, -1):
            is_best = values[number] == best[choice.row[option]]
            script[choice.row[option[is_best]]] = number
        state["script"][choice.rows] = script
        return weights

    def _values(self, battle: Battle, state: State, choice: Choice, option: IntArray, script: Script) -> IntArray:
        """Return the mean worth of cards over the copies when a script plays them, `int64[q]`."""
        values = np.empty(len(option), np.int64)
        for part in parts(len(option), self.samples):
            copied = copies(state, choice.trial[option[part]], self.samples, CHOICES, "moments")
            _deal_anew(copied, 1 - choice.side)
            card = np.repeat(choice.place[option[part]], self.samples)
            self._play_on(battle, copied, choice.side, card, script)
            worth = _worth(copied, choice.side)
            values[part] = worth.reshape(-1, self.samples).sum(axis=1) // self.samples
        return values

    def _play_on(self, battle: Battle, copies: State, side: int, card: IntArray, script: Script) -> None:
        """Play a turn by a script with a given card, then the turns after it by `reply`; writes into the copies."""
        rows = np.arange(len(card))
        turn = Turn(battle, side, (script, script), copies)
        command = copies["hand"][:, side].sum(axis=1, dtype=np.int64)
        lay_down(turn, rows, card)
        act(turn, rows, card, command)
        for number in range(1, self.turns):
            if copies["winner"].all():
                return
            take_turn(Turn(battle, side ^ (number & 1), (self.reply, self.reply), copies))


def _part(choice: Choice, option: IntArray) -> Choice:
    """Return a decision restricted to some of its options, and the trials that still have any."""
    places, row = np.unique(choice.row[option], return_inverse=True)
    about = {name: values[option] for name, values in choice.about.items()}
    return Choice(choice.name, choice.side, choice.rows[places], row, choice.place[option], about)


def _most_promising(row: IntArray, promise: IntArray, most: int) -> IntArray:
    """Return the indices of the `most` options of highest promise in each trial, rising."""
    order = np.lexsort((-promise, row))
    first = np.searchsorted(row[order], row[order])
    return np.sort(order[np.arange(len(order)) - first < most])


def _deal_anew(copied: State, side: int) -> None:
    """Shuffle a side's hands into the decks and deal as many cards from them; writes into the copies."""
    for pile in (COMMAND_PILE, LORE_PILE) if LORE_PILE.hand in copied else (COMMAND_PILE,):
        hand = copied[pile.hand][:, side]
        n_cards = hand.sum(axis=1)
        copied[pile.deck] += hand
        hand[:] = 0
        for number in range(int(n_cards.max(initial=0))):
            rows = np.flatnonzero(n_cards > number)
            take_card(copied, rows, side, draw(copied, rows, pile), pile)


def _worth(state: State, side: int) -> IntArray:
    """Return the lead of a side, `int64[m]`: victories, banners relative to the number needed, figures and Lore."""
    share = state["banners"].astype(np.int64) * (8 * BANNER) // state["needed"]
    figures = state["figures"].sum(axis=2, dtype=np.int64) * FIGURE
    worth = share + figures + state["tokens"].astype(np.int64) * TOKEN
    ahead = worth[:, side] - worth[:, 1 - side]
    return np.asarray(ahead + victory(state, side, VICTORY))


LOOKAHEAD = Lookahead((SCRIPTS["careful"], CHARGE), SCRIPTS["careful"], cards=3, samples=8, turns=2, margin=300)
"""The look-ahead that is offered: three cards, carefully or in a charge, until the enemy has answered."""
