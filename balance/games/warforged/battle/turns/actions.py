"""The actions of a turn, chosen and carried out (WF-ACT)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State, take_trials
from balance.game.armies.lost_actions import actions_left
from balance.game.kit.board.battle import copy_state
from balance.games.warforged.attack import UP
from balance.games.warforged.battle.luck import SIDES
from balance.games.warforged.battle.turns.begin import begin_turn, end_turn, settle
from balance.games.warforged.battle.turns.position import Position
from balance.games.warforged.battle.turns.strike import Wave, attack, explode
from balance.games.warforged.battle.turns.terms import Battle

END, ATTACK, MOVE, JUMP, RAISE, EXPLODE = range(6)
"""What an action may be; END ends the turn."""
NO_UNIT = -1


@dataclass(frozen=True, eq=False)
class Action:
    """An action in each of n battles, `int64[n]` each; -1 where a field does not apply.

    `verb`: END, ATTACK, MOVE, JUMP, RAISE or EXPLODE. `unit`, `slot`, `target`: place of the unit in its army, of its
    weapon in its hands, of the enemy in his army; of several enemies, among their armies one after another. `cell`:
    where it goes. `again`: whether it is a further attack of Rapid Fire.
    """

    verb: IntArray
    unit: IntArray
    slot: IntArray
    target: IntArray
    cell: IntArray
    again: bool = False

    @classmethod
    def turn_ends(cls, n: int) -> Action:
        """Return the action that ends the turn in each of n battles."""
        unit, slot, target, cell = (np.full(n, NO_UNIT) for _ in range(4))
        return cls(np.full(n, END), unit, slot, target, cell)

    def put(self, rows: IntArray, verb: IntArray | int, unit: IntArray, **fields: IntArray) -> None:
        """Write an action for some battles: verb, place of the unit, and further fields, one value per battle."""
        self.verb[rows], self.unit[rows] = verb, unit
        for name, values in fields.items():
            getattr(self, name)[rows] = values


class Player(Protocol):
    """Who decides for a side, by nothing but the position and its luck, so that a battle can be played again."""

    def decide(self, position: Position) -> Action:
        """Return the next action in each battle of the position."""
        ...

    def again(self, position: Position, unit: IntArray, slot: IntArray) -> IntArray:
        """Return whom units attack again with the same weapon (WF-EFF.3), `int64[n]`; -1 for nobody.

        `unit` and `slot` are places of the unit and its weapon in each battle, `int[n]`.
        """
        ...


Watch: TypeAlias = Callable[[int, Action, State, State, IntArray, State, list[Wave]], None]
"""(side, action, state before and after, numbers of the battles, what dice of attacks said, blasts) is told all."""


def take_turn(
    battle: Battle,
    side: int,
    player: Player,
    state: State,
    watch: Watch | None = None,
    remaining_actions: IntArray | None = None,
) -> State:
    """Play a side's turn in every battle that is not over, and return the state after it.

    With `remaining_actions`, `int[n]`, a turn that has begun goes on with so many; without them it begins.
    """
    state = copy_state(state)
    if remaining_actions is None:
        begin_turn(state, side)
        remaining_actions, after = actions_left(state, SIDES[side], state["limit"])
        state |= {**after, "turn_actions": np.array(remaining_actions, np.int16)}
    remaining_actions = np.where(state["winner"] == 0, remaining_actions, 0)
    if battle.table is not None:
        remaining_actions *= (state["health"][:, side] > 0).any(axis=1)
    while len(rows := np.flatnonzero(remaining_actions > 0)):
        position = Position(
            battle, side, state, remaining_actions, None if len(rows) == len(remaining_actions) else rows
        )
        turn = _Turn(battle, side, player, state, watch)
        action = turn.decide(position, rows)
        turn.carry_out(action, rows)
        turn.shoot_again(action, rows, remaining_actions)
        remaining_actions[rows] = np.where(action.verb == END, 0, remaining_actions[rows] - 1)
        remaining_actions[state["winner"] > 0] = 0
    end_turn(battle, state, side)
    return state


@dataclass(frozen=True, eq=False)
class _Turn:
    """A side's turn in many battles; `state` is written into, and `watch` is told of it."""

    battle: Battle
    side: int
    player: Player
    state: State
    watch: Watch | None

    def decide(self, position: Position, rows: IntArray) -> Action:
        """Return what the player decides in some battles, and count the decision, from which its luck follows."""
        action = self.player.decide(position)
        self.state["choices"][rows] += 1
        return action

    def carry_out(self, action: Action, rows: IntArray) -> None:
        """Write what actions in some battles do, and who has won by them, into the state; tell `watch`."""
        before = self._snapshot(rows)
        outcome, waves = self._execute(action, rows)
        settle(self.battle, self.state, rows[(action.verb == ATTACK) | (action.verb == EXPLODE)])
        if self.watch and before is not None:
            self.watch(self.side, action, before, take_trials(self.state, rows), rows, outcome, waves)

    def _snapshot(self, rows: IntArray) -> State | None:
        return {name: values[rows] for name, values in self.state.items()} if self.watch else None

    def _execute(self, action: Action, rows: IntArray) -> tuple[State, list[Wave]]:
        """Do what was decided; return what the dice of attacks said, of the battles that attack, and all blasts."""
        state, side, outcome, waves = self.state, self.side, State(), list[Wave]()
        goers = np.flatnonzero((action.verb == MOVE) | (action.verb == JUMP))
        if len(goers):
            battles, unit, jumps = rows[goers], action.unit[goers], action.verb[goers] == JUMP
            state["cell"][battles, side, unit] = action.cell[goers]
            state["moves"][battles, side, unit] += ~jumps
            state["done"][battles, side, unit] |= jumps
        attackers = np.flatnonzero(action.verb == ATTACK)
        if len(attackers):
            outcome, waves = self._attack(action, rows, attackers)
        raisers = np.flatnonzero(action.verb == RAISE)
        if len(raisers):
            state["shield"][rows[raisers], side, action.unit[raisers]] = UP
        exploding = np.flatnonzero(action.verb == EXPLODE)
        if len(exploding):
            waves = [*waves, *explode(self.battle, side, state, rows[exploding], action.unit[exploding])]
        return outcome, waves

    def _attack(self, action: Action, rows: IntArray, attackers: IntArray) -> tuple[State, list[Wave]]:
        unit, battles = action.unit[attackers], rows[attackers]
        weapon = self.battle.muster.slots[self.state["kind"][battles, self.side, unit], action.slot[attackers]]
        return attack(self.battle, self.side, self.state, battles, unit, weapon, action.target[attackers])

    def shoot_again(self, action: Action, rows: IntArray, remaining_actions: IntArray) -> None:
        """Make the further attacks of Rapid Fire, each at a target chosen after the last one (WF-EFF.3, WF-Q27)."""
        attackers = np.flatnonzero(action.verb == ATTACK)
        rows, unit, slot = rows[attackers], action.unit[attackers], action.slot[attackers]
        n_attacks = self.battle.n_attacks[self.battle.muster.slots[self.state["kind"][rows, self.side, unit], slot]]
        for n_made in range(1, self.battle.terms.read.rapid_attacks):
            free = (n_attacks > n_made) & (self.state["cell"][rows, self.side, unit] >= 0)
            free &= self.state["winner"][rows] == 0
            rows, unit, slot, n_attacks = rows[free], unit[free], slot[free], n_attacks[free]
            if not len(rows):
                return
            target = self.player.again(
                Position(self.battle, self.side, self.state, remaining_actions, rows), unit, slot
            )
            self.state["choices"][rows] += 1
            fires = target >= 0
            rows, unit, slot, n_attacks = rows[fires], unit[fires], slot[fires], n_attacks[fires]
            if len(rows):
                shots = np.full(len(rows), ATTACK), unit, slot, target[fires], np.full(len(rows), NO_UNIT)
                self.carry_out(Action(*shots, again=True), rows)
