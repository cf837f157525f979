"""One battle told action by action: every shot with its dice, every way that was walked, every wave of explosions.

A battle hangs on nothing but its key and its armies, so the one that is told is played alone; it is the very trial of
the simulation, whatever else its block holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from balance.base.numbers import show_many
from balance.chance.rolls.process import Process, State, start_state, take_trials
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.chance.trials.collect import branches
from balance.game.question.board_story import BoardStory, Frame, cell_name
from balance.game.question.replay import Told, told_on_board
from balance.game.setup import Setup
from balance.games.warforged.battle.columns import AskedBattle
from balance.games.warforged.battle.setup import battle_processes
from balance.games.warforged.battle.story.acts import told_act
from balance.games.warforged.battle.story.board import SIDES, Board, Seen
from balance.games.warforged.battle.turns.actions import END, Action
from balance.games.warforged.battle.turns.terms import Battle

__all__ = ["Teller", "tell"]


def tell(setup: Setup[AskedBattle], rolls: RandomRolls, trial: int) -> Told:
    """Return what happens in one of the battles that `rolls` plays.

    Parameters
    ----------
    rolls
        Those of a block of a simulation tell the very battles of that block.
    trial
        Which of its battles, from 0.

    >>> from balance.game.loaded import load
    >>> asked = load("warforged").ask("battle", "nexus+assault_rifle", "trooper+shotgun", {"situation.map": "small"})
    >>> tell(asked.setup, RandomRolls(0, "told", 0, 3), 2).end
    'Side b has won in round 3: Side a has nobody left.'
    """
    teller = Teller(setup.play.battle, setup.play.policies)
    processes = battle_processes(setup, "literal", teller.watch)
    for process, (own, places) in zip(processes, branches(len(processes), rolls), strict=True):
        if trial in places:
            start = start_state(process, len(places), own)
            return teller.told(process, take_trials(start, [int(np.searchsorted(places, trial))]), own)
    raise IndexError(trial)


@dataclass(eq=False)
class Teller:
    """Who watches one battle and tells it; `policies` are those of side a and side b."""

    battle: Battle
    policies: tuple[str, str] = ("", "")

    def __post_init__(self) -> None:
        """Begin with nothing seen."""
        self._seen: list[Seen] = []

    def watch(self, side: int, action: Action, before: State, after: State, rows: object, said: State) -> None:
        """Note an action of one battle; a `Watch`."""
        self._seen.append(Seen(side, action, before, after, said))

    def told(self, process: Process, state: State, rolls: Rolls) -> Told:
        """Play one battle to its end, and return it told.

        Parameters
        ----------
        process
            Which has `watch` told of every action.
        state
            The battle before its first turn, `[1, ...]`.
        """
        board = Board(self.battle, state)
        frames, start = [board.first(state)], self._start(board, state)
        for number in range(process.max_steps):
            before, self._seen[:] = state, []
            state = process.step(number)(state, rolls)
            frames += _turn(board, before, self._seen, state)
            if process.over(state)[0]:
                break
        return told_on_board(start, BoardStory(board.ground, SIDES, board.tokens, tuple(frames)), board.end(state))

    def _start(self, board: Board, state: State) -> str:
        """Return which map it is, who begins, and who fights."""
        first = SIDES[1 - int(state["second"][0])]
        sides = [
            f"{name}{f' ({policy})' if policy else ''}: {board.army(side)}"
            for side, (name, policy) in enumerate(zip(SIDES, self.policies, strict=True))
        ]
        return ". ".join([f"Map {board.ground.title}, {first} goes first, {board.placed(state)}", *sides])


def _turn(board: Board, before: State, seen: Sequence[Seen], after: State) -> Iterator[Frame]:
    """Yield the frames of one side's turn, between the states before and after it."""
    if seen and (entered := _entered(board, before, seen[0])):
        yield entered
    left = int(before["limit"][0])
    for one in seen:
        left -= not one.action.again
        if one.action.what[0] != END:
            yield told_act(board, one, left)
        else:
            yield board.frame(one, SIDES[one.side], f"ends the turn, {show_many(left + 1, 'action')} unused", 0)
    if (after["held"] != before["held"]).any():
        yield board.round_end(after)


def _entered(board: Board, before: State, seen: Seen) -> Frame | None:
    """Return who entered late at the begin of a turn (WF-BUILD.5), if anybody did."""
    was, now = before["cell"][0, seen.side], seen.before["cell"][0, seen.side]
    entered = np.flatnonzero((was != now) & (now >= 0))
    if not len(entered):
        return None
    told = ", ".join(f"{board.name((seen.side, int(place)))} at {cell_name(int(now[place]))}" for place in entered)
    text = f"{show_many(len(entered), 'unit')} {'enters' if len(entered) == 1 else 'enter'}: {told}"
    return board.frame(Seen(seen.side, seen.action, seen.before, seen.before, {}), SIDES[seen.side], text, None)
