"""The actions of a turn, chosen and carried out (WF-ACT)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from balance.core.process import State, take_trials
from balance.games.warforged.attack import UP
from balance.games.warforged.battle.begin import begin_turn, end_turn, settle
from balance.games.warforged.battle.position import Position
from balance.games.warforged.battle.strike import attack, explode
from balance.games.warforged.battle.terms import Battle
from balance.pmf.arrays import IntArray

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
        return cls(np.full(n, END), *(np.full(n, NOBODY) for _ in range(4)))

    def put(self, rows: IntArray, what: int, unit: IntArray, **fields: IntArray) -> None:
        """Write down an action for some battles."""
        self.what[rows], self.unit[rows] = what, unit
        for name, values in fields.items():
            getattr(self, name)[rows] = values


class Player(Protocol):
    """Who decides for a side. A decision may hang on nothing but the position and its luck."""

    def begin(self, position: Position) -> Player:
        """Return who plays this turn, at its begin."""
        ...

    def decide(self, position: Position) -> Action:
        """Return the next action in each battle."""
        ...

    def again(self, position: Position, unit: IntArray, slot: IntArray) -> IntArray:
        """Return whom units attack again with the same weapon (WF-EFF.3), `int64[n]`; -1 for nobody."""
        ...


Watch: TypeAlias = Callable[[int, Action, State, State, IntArray, State], None]
"""(side, action, state before and after, numbers of the battles, what the dice of attacks said) is told everything."""


def take_turn(battle: Battle, side: int, player: Player, state: State, watch: Watch | None = None) -> State:
    """Play a side's turn in every battle that is not over, and return the state after it."""
    state = {name: values.copy() for name, values in state.items()}
    begin_turn(state, side)
    n = len(state["winner"])
    left = np.where(state["winner"] == 0, state["limit"], 0)
    player = player.begin(Position(battle, side, state, left))
    rows, part = np.arange(n), state
    while True:
        going = (left > 0) & (part["winner"] == 0)
        if not going.all():
            _write(state, part, rows)
            rows, left = rows[going], left[going]
            if not len(rows):
                break
            part = take_trials(part, going)
        before = _copied(part) if watch else part
        position = Position(battle, side, part, left)
        action = player.decide(position)
        part = {**part, "choices": part["choices"] + 1}
        said = _carry_out(position, part, action)
        settle(part)
        if watch:
            watch(side, action, before, part, rows, said)
        _shoot_again(battle, side, player, part, action, left, rows, watch)
        left = np.where(action.what == END, 0, left - 1)
    end_turn(state, side)
    return state


def _copied(state: State) -> State:
    return {name: values.copy() for name, values in state.items()}


def _write(state: State, part: State, rows: IntArray) -> None:
    """Write what has become of some battles into the state of all."""
    if part is not state:
        for name, values in part.items():
            if len(rows) == len(state[name]):
                state[name] = values
            else:
                state[name][rows] = values


def _carry_out(position: Position, state: State, action: Action) -> State:
    """Write what actions do into a state; return what the dice of attacks said, of the battles that attack."""
    side, said = position.side, State()
    going = np.flatnonzero((action.what == MOVE) | (action.what == JUMP))
    if len(going):
        unit, jumps = action.unit[going], action.what[going] == JUMP
        state["cell"][going, side, unit] = action.cell[going]
        state["moves"][going, side, unit] += ~jumps
        state["done"][going, side, unit] |= jumps
    attacking = np.flatnonzero(action.what == ATTACK)
    if len(attacking):
        said = _attack(position.battle, side, state, action, attacking)
    raising = np.flatnonzero(action.what == RAISE)
    state["shield"][raising, side, action.unit[raising]] = UP
    exploding = np.flatnonzero(action.what == EXPLODE)
    if len(exploding):
        explode(position.battle, side, state, exploding, action.unit[exploding])
    return said


def _attack(battle: Battle, side: int, state: State, action: Action, rows: IntArray) -> State:
    unit, target = action.unit[rows], action.target[rows]
    weapon = battle.muster.slots[state["kind"][rows, side, unit], action.slot[rows]]
    return attack(battle, side, state, rows, unit, weapon, target)


def _shoot_again(
    battle: Battle,
    side: int,
    player: Player,
    state: State,
    action: Action,
    left: IntArray,
    numbers: IntArray,
    watch: Watch | None,
) -> None:
    """Make the further attacks of Rapid Fire, each at a target chosen after the last one (WF-EFF.3, WF-Q27)."""
    rows = np.flatnonzero(action.what == ATTACK)
    weapon = battle.muster.slots[state["kind"][rows, side, action.unit[rows]], action.slot[rows]]
    for made in range(1, battle.terms.read.rapid_attacks):
        unit = action.unit[rows]
        free = (battle.n_attacks[weapon] > made) & (state["cell"][rows, side, unit] >= 0) & (state["winner"][rows] == 0)
        rows, weapon, unit = rows[free], weapon[free], unit[free]
        if not len(rows):
            return
        slot = action.slot[rows]
        position = Position(battle, side, take_trials(state, rows), left[rows])
        target = player.again(position, unit, slot)
        state["choices"][rows] += 1
        fires = target >= 0
        rows, weapon, unit, slot, target = rows[fires], weapon[fires], unit[fires], slot[fires], target[fires]
        before = _copied(state) if watch else state
        said = attack(battle, side, state, rows, unit, weapon, target) if len(rows) else State()
        settle(state)
        if watch and len(rows):
            shot = Action(np.full(len(rows), ATTACK), unit, slot, target, np.full(len(rows), NOBODY), True)
            watch(side, shot, take_trials(before, rows), take_trials(state, rows), numbers[rows], said)
