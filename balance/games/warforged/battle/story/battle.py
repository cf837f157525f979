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
from balance.game.question.narration import Narration, told_on_board
from balance.game.setup import Setup
from balance.games.warforged.battle.columns import AskedBattle
from balance.games.warforged.battle.setup import battle_processes
from balance.games.warforged.battle.story.acts import told_act
from balance.games.warforged.battle.story.board import SIDES, BattleStep, Board
from balance.games.warforged.battle.turns.actions import END, Action
from balance.games.warforged.battle.turns.terms import Battle


def tell(setup: Setup[AskedBattle], rolls: RandomRolls, trial: int) -> Narration:
    """Return what happens in one of the battles that `rolls` plays, by its trial, from 0.

    Rolls of a block of a simulation tell the very battles of that block.

    >>> from balance.game.loaded import load
    >>> asked = load("warforged").ask("battle", "nexus+assault_rifle", "trooper+shotgun", {"situation.map": "small"})
    >>> tell(asked.setup, RandomRolls(0, "told", 0, 3), 2).end
    'Side b has won in round 3: Side a has nobody left.'
    """
    teller = Teller(setup.play.battle, setup.play.policies)
    processes = battle_processes(setup, "literal", teller.watch)
    for process, (branch_rolls, places) in zip(processes, branches(len(processes), rolls), strict=True):
        if trial in places:
            start = start_state(process, len(places), branch_rolls)
            return teller.story(process, take_trials(start, [int(np.searchsorted(places, trial))]), branch_rolls)
    raise IndexError(trial)


@dataclass(eq=False)
class Teller:
    """Who watches one battle and tells it; `policies` are those of side a and side b."""

    battle: Battle
    policies: tuple[str, str] = ("", "")

    def __post_init__(self) -> None:
        """Start without any step; `watch` collects those of the turn in play."""
        self._steps: list[BattleStep] = []

    def watch(self, side: int, action: Action, before: State, after: State, rows: object, outcome: State) -> None:
        """Note an action of one battle, its states before and after, and what its dice said; a `Watch`."""
        self._steps.append(BattleStep(side, action, before, after, outcome))

    def story(self, process: Process, state: State, rolls: Rolls) -> Narration:
        """Play one battle to its end, and return it told; `state` is it before its first turn, `[1, ...]`.

        The process must tell `watch` of every action.
        """
        board = Board(self.battle, state)
        frames, start = [board.first(state)], self._start(board, state)
        for number in range(process.max_steps):
            before, self._steps[:] = state, []
            state = process.step(number)(state, rolls)
            frames += _turn(board, before, self._steps, state)
            if process.over(state)[0]:
                break
        return told_on_board(start, BoardStory(board.ground, SIDES, board.tokens, tuple(frames)), board.end(state))

    def _start(self, board: Board, state: State) -> str:
        """Return the opening paragraph: which map it is, who begins, and who fights."""
        first = SIDES[1 - int(state["second"][0])]
        sides = [
            f"{name}{f' ({policy})' if policy else ''}: {board.army(side)}"
            for side, (name, policy) in enumerate(zip(SIDES, self.policies, strict=True))
        ]
        return ". ".join([f"Map {board.ground.title}, {first} goes first, {board.placement_text(state)}", *sides])


def _turn(board: Board, before: State, steps: Sequence[BattleStep], after: State) -> Iterator[Frame]:
    """Yield the frames of one side's turn, between the states before and after it."""
    if steps and (entry_frame := _entry_frame(board, before, steps[0])):
        yield entry_frame
    remaining_actions = int(before["limit"][0])
    for step in steps:
        remaining_actions -= not step.action.again
        if step.action.verb[0] != END:
            yield told_act(board, step, remaining_actions)
        else:
            yield board.frame(
                step, SIDES[step.side], f"ends the turn, {show_many(remaining_actions + 1, 'action')} unused", 0
            )
    if (after["held"] != before["held"]).any():
        yield board.round_end(after)


def _entry_frame(board: Board, before: State, step: BattleStep) -> Frame | None:
    """Return who entered late at the begin of a turn (WF-BUILD.5), if anybody did."""
    cells_before, now = before["cell"][0, step.side], step.before["cell"][0, step.side]
    entrants = np.flatnonzero((cells_before != now) & (now >= 0))
    if not len(entrants):
        return None
    text_of_units = ", ".join(
        f"{board.name((step.side, int(place)))} at {cell_name(int(now[place]))}" for place in entrants
    )
    text = f"{show_many(len(entrants), 'unit')} {'enters' if len(entrants) == 1 else 'enter'}: {text_of_units}"
    return board.frame(BattleStep(step.side, step.action, step.before, step.before, {}), SIDES[step.side], text, None)
