"""Look-ahead: a portfolio of scripts tried on copies of the battle with fresh luck, valued by the rules' own score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State
from balance.game.kit.board.lookahead import copies, parts, victory
from balance.games.warforged.battle.luck import CHOICES
from balance.games.warforged.battle.policies.scripts import Script
from balance.games.warforged.battle.turns.actions import Action, take_turn
from balance.games.warforged.battle.turns.begin import begin_round, end_round, units_lost
from balance.games.warforged.battle.turns.position import Position
from balance.games.warforged.battle.turns.table import each_plays, in_seat
from balance.games.warforged.battle.turns.terms import Battle

UNIT, VICTORY = 100, 1_000_000
"""What one more unit that the enemy has lost counts, and a battle won, in health."""


@dataclass(frozen=True)
class Lookahead:
    """Plays on by the script that does best on copies.

    * `scripts`: those it tries; of equal ones it plays the first.
    * `reply`: how it expects the other side, and itself later, to play.
    * `samples`: copies for each script.
    * `turns`: turns that are played, its own included; 0 for all that are left.
    * `interval`: after how many actions it looks ahead again.
    """

    scripts: tuple[Script, ...]
    reply: Script
    samples: int
    turns: int
    interval: int

    def decide(self, position: Position) -> Action:
        """Return the action of the script that did best in the last look-ahead, renewed every `interval` actions."""
        due = np.flatnonzero((position.column("turn_actions") - position.remaining_actions) % self.interval == 0)
        for part in parts(len(due), self.samples):
            some = position.at(due[part])
            some.write("script", self._best(some).astype(np.int8))
        return _ByScript(self.scripts).decide(position)

    def again(self, position: Position, unit: IntArray, slot: IntArray) -> IntArray:
        """Return whom the script that did best in the last look-ahead would attack again, `int64[n]`; -1 for nobody."""
        return _ByScript(self.scripts).again(position, unit, slot)

    def _best(self, position: Position) -> IntArray:
        """Return the number of the script with the highest total over its copies, the first of equals, `int64[n]`."""
        state = copies(position.state, position.rows, self.samples, CHOICES, "choices")
        remaining_actions = np.repeat(position.remaining_actions, self.samples)
        scores = [
            self._play_on(position, script, state, remaining_actions).reshape(position.n, -1).sum(axis=1)
            for script in self.scripts
        ]
        return np.asarray(np.argmax(scores, axis=0))

    def _play_on(self, position: Position, script: Script, state: State, remaining_actions: IntArray) -> IntArray:
        """Return the score of copies for the side after its turn by a script and turns of `reply`, `int64[m]`."""
        battle, side = position.battle, position.side
        state = take_turn(battle, side, script, state, remaining_actions=remaining_actions)
        end_round(battle, state, side)
        if battle.table is not None:
            return self._reply_by_seats(position, state)
        for _ in range((self.turns or 2 * battle.terms.round_limit) - 1):
            if state["winner"].all():
                break
            side = 1 - side
            begin_round(state, side)
            state = take_turn(battle, side, self.reply, state)
            end_round(battle, state, side)
        return _worth(battle, state, position.side)

    def _reply_by_seats(self, position: Position, state: State) -> IntArray:
        """Return the score after turns of more than two, as many of each as `_play_on` has of two."""
        battle, n_sides = position.battle, state["cell"].shape[1]

        def reply(side: int, part: State) -> State:
            begin_round(part, side)
            part = take_turn(battle, side, self.reply, part)
            end_round(battle, part, side)
            return part

        seat = int(state["seat"][0, position.side])
        for turn in range(1, (self.turns or 2 * battle.terms.round_limit) * n_sides // 2):
            if state["winner"].all():
                break
            state = each_plays(state, in_seat(state, (seat + turn) % n_sides), reply)
        return _worth(battle, state, position.side)


@dataclass(frozen=True)
class _ByScript:
    """Plays each battle by the script whose number its state holds."""

    scripts: tuple[Script, ...]

    def decide(self, position: Position) -> Action:
        action = Action.turn_ends(position.n)
        for rows, script in self._parts(position):
            choice = script.decide(position.at(rows))
            for name in ("verb", "unit", "slot", "target", "cell"):
                getattr(action, name)[rows] = getattr(choice, name)
        return action

    def again(self, position: Position, unit: IntArray, slot: IntArray) -> IntArray:
        target = np.full(position.n, -1)
        for rows, script in self._parts(position):
            target[rows] = script.again(position.at(rows), unit[rows], slot[rows])
        return target

    def _parts(self, position: Position) -> Iterator[tuple[IntArray, Script]]:
        for number, script in enumerate(self.scripts):
            if len(rows := np.flatnonzero(position.column("script") == number)):
                yield rows, script


def _worth(battle: Battle, state: State, side: int) -> IntArray:
    """Return how far a side is ahead: `VICTORY`, `UNIT` per unit destroyed, health left (WF-Q18), `int64[n]`."""
    if battle.table is not None:
        return _standing(battle, state, side)
    worth = state["health"].sum(axis=2, dtype=np.int64) - units_lost(battle, state) * UNIT
    return np.asarray(worth[:, side] - worth[:, 1 - side] + victory(state, side, VICTORY))


def _standing(battle: Battle, state: State, side: int) -> IntArray:
    """Return the same among more than two: ahead of the best enemy by victory points and health, allies together."""
    hostile = battle.hostile(state)
    worth = (state["health"].sum(axis=2, dtype=np.int64) + state["victory"] * np.int64(UNIT)) @ ~hostile
    is_over, has_won = state["winner"] > 0, state["victors"][:, side]
    won = np.where(has_won, VICTORY, np.where(is_over & state["victors"].any(axis=1), -VICTORY, 0))
    return np.asarray(worth[:, side] - worth[:, hostile[side]].max(axis=1) + won)
