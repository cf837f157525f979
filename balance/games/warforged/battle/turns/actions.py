"""The actions of a turn, chosen and carried out (WF-ACT)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import State, take_trials
from balance.game.armies.lost_actions import actions_left
from balance.games.warforged.attack import UP
from balance.games.warforged.battle.turns.begin import begin_turn, end_turn, settle
from balance.games.warforged.battle.turns.position import Position
from balance.games.warforged.battle.turns.strike import attack, explode
from balance.games.warforged.battle.turns.terms import Battle

__all__ = ["ATTACK", "END", "EXPLODE", "JUMP", "MOVE", "RAISE", "Action", "Player", "Watch", "take_turn"]

END, ATTACK, MOVE, JUMP, RAISE, EXPLODE = range(6)
"""What an action may be; END ends the turn."""
NOBODY = -1


@dataclass(frozen=True, eq=False)
class Action:
    """An action in each of n battles, `int64[n]` each; -1 where something is of no account.

    Attributes
    ----------
    what
        END, ATTACK, MOVE, JUMP, RAISE or EXPLODE.
    unit, slot, target
        Place of the unit in its army, of its weapon in its hands, of the enemy in his army.
    cell
        Where it goes.
    again
        Whether it is a further attack of Rapid Fire.
    """

    what: IntArray
    unit: IntArray
    slot: IntArray
    target: IntArray
    cell: IntArray
    again: bool = False

    @classmethod
    def none(cls, n: int) -> Action:
        """Return that n turns end."""
        unit, slot, target, cell = (np.full(n, NOBODY) for _ in range(4))
        return cls(np.full(n, END), unit, slot, target, cell)

    def put(self, rows: IntArray, what: int, unit: IntArray, **fields: IntArray) -> None:
        """Write down an action for some battles."""
        self.what[rows], self.unit[rows] = what, unit
        for name, values in fields.items():
            getattr(self, name)[rows] = values


class Player(Protocol):
    """Who decides for a side. A decision may hang on nothing but the position and its luck."""

    def decide(self, position: Position) -> Action:
        """Return the next action in each battle."""
        ...

    def again(self, position: Position, unit: IntArray, slot: IntArray) -> IntArray:
        """Return whom units attack again with the same weapon (WF-EFF.3), `int64[n]`; -1 for nobody."""
        ...


Watch: TypeAlias = Callable[[int, Action, State, State, IntArray, State], None]
"""(side, action, state before and after, numbers of the battles, what the dice of attacks said) is told everything."""


def take_turn(
    battle: Battle, side: int, player: Player, state: State, watch: Watch | None = None, left: IntArray | None = None
) -> State:
    """Play a side's turn in every battle that is not over, and return the state after it.

    Parameters
    ----------
    left
        Actions that are left of a turn that has begun, `int[n]`; without it the turn begins.
    """
    state = {name: values.copy() for name, values in state.items()}
    if left is None:
        begin_turn(state, side)
        left, after = actions_left(state, "ab"[side], state["limit"])
        state |= after
    left = np.where(state["winner"] == 0, left, 0)
    while len(rows := np.flatnonzero(left > 0)):
        position = Position(battle, side, state, left, None if len(rows) == len(left) else rows)
        turn = _Turn(battle, side, player, state, watch)
        action = turn.decided(position, rows)
        turn.carry_out(action, rows)
        turn.shoot_again(action, rows, left)
        left[rows] = np.where(action.what == END, 0, left[rows] - 1)
        left[state["winner"] > 0] = 0
    end_turn(state, side)
    return state


@dataclass(frozen=True, eq=False)
class _Turn:
    """A side's turn in many battles; `state` is written into, and `watch` is told of it."""

    battle: Battle
    side: int
    player: Player
    state: State
    watch: Watch | None

    def decided(self, position: Position, rows: IntArray) -> Action:
        """Return what the player decides in some battles."""
        action = self.player.decide(position)
        self.state["choices"][rows] += 1
        return action

    def carry_out(self, action: Action, rows: IntArray) -> None:
        """Write what actions in some battles do into the state."""
        before = self._seen(rows)
        said = self._done(action, rows)
        settle(self.state)
        if self.watch and before is not None:
            self.watch(self.side, action, before, take_trials(self.state, rows), rows, said)

    def _seen(self, rows: IntArray) -> State | None:
        return {name: values[rows] for name, values in self.state.items()} if self.watch else None

    def _done(self, action: Action, rows: IntArray) -> State:
        """Do what was decided; return what the dice of attacks said, of the battles that attack."""
        state, side, said = self.state, self.side, State()
        going = np.flatnonzero((action.what == MOVE) | (action.what == JUMP))
        if len(going):
            here, unit, jumps = rows[going], action.unit[going], action.what[going] == JUMP
            state["cell"][here, side, unit] = action.cell[going]
            state["moves"][here, side, unit] += ~jumps
            state["done"][here, side, unit] |= jumps
        attacking = np.flatnonzero(action.what == ATTACK)
        if len(attacking):
            said = self._attacked(action, rows, attacking)
        raising = np.flatnonzero(action.what == RAISE)
        if len(raising):
            state["shield"][rows[raising], side, action.unit[raising]] = UP
        exploding = np.flatnonzero(action.what == EXPLODE)
        if len(exploding):
            explode(self.battle, side, state, rows[exploding], action.unit[exploding])
        return said

    def _attacked(self, action: Action, rows: IntArray, which: IntArray) -> State:
        unit, here = action.unit[which], rows[which]
        weapon = self.battle.muster.slots[self.state["kind"][here, self.side, unit], action.slot[which]]
        return attack(self.battle, self.side, self.state, here, unit, weapon, action.target[which])

    def shoot_again(self, action: Action, rows: IntArray, left: IntArray) -> None:
        """Make the further attacks of Rapid Fire, each at a target chosen after the last one (WF-EFF.3, WF-Q27)."""
        which = np.flatnonzero(action.what == ATTACK)
        rows, unit, slot = rows[which], action.unit[which], action.slot[which]
        n_attacks = self.battle.n_attacks[self.battle.muster.slots[self.state["kind"][rows, self.side, unit], slot]]
        for made in range(1, self.battle.terms.read.rapid_attacks):
            free = (n_attacks > made) & (self.state["cell"][rows, self.side, unit] >= 0)
            free &= self.state["winner"][rows] == 0
            rows, unit, slot, n_attacks = rows[free], unit[free], slot[free], n_attacks[free]
            if not len(rows):
                return
            target = self.player.again(Position(self.battle, self.side, self.state, left, rows), unit, slot)
            self.state["choices"][rows] += 1
            fires = target >= 0
            rows, unit, slot, n_attacks = rows[fires], unit[fires], slot[fires], n_attacks[fires]
            if len(rows):
                shots = np.full(len(rows), ATTACK), unit, slot, target[fires], np.full(len(rows), NOBODY)
                self.carry_out(Action(*shots, again=True), rows)
