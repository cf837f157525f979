"""One battle told action by action: every shot with its dice, every way that was walked, every wave of explosions.

A battle hangs on nothing but its key and its armies, so the one that is told is played alone; it is the very trial of
the simulation, whatever else its block holds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.base.numbers import show_many
from balance.chance.rolls.process import Process, State, start_state, take_trials
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.chance.trials.collect import branches
from balance.game.question.board_story import Act, BoardStory, Frame, cell_name
from balance.game.question.narration import Narration, told_on_board
from balance.game.setup import Setup
from balance.games.warforged.battle.columns import AskedBattle
from balance.games.warforged.battle.map.battle_map import HEAVY, NO_CELL
from balance.games.warforged.battle.setup import battle_processes
from balance.games.warforged.battle.story.account import Account
from balance.games.warforged.battle.story.blasts import BlastsTold, list_text
from balance.games.warforged.battle.story.board import SIDES, BattleStep, Board
from balance.games.warforged.battle.story.dice import ShotTold, Unit, said_of
from balance.games.warforged.battle.turns.actions import ATTACK, END, EXPLODE, JUMP, MOVE, RAISE, Action
from balance.games.warforged.battle.turns.strike import Wave
from balance.games.warforged.battle.turns.terms import Battle


def tell(setup: Setup[AskedBattle], rolls: RandomRolls, trial: int) -> Narration:
    """Return what happens in one of the battles that `rolls` plays, by its trial, from 0.

    Rolls of a block of a simulation tell the very battles of that block.
    """
    teller = Teller(setup.play.battle, setup.play.policies, Account.of(setup.play, setup.inputs["rules"]))
    processes = battle_processes(setup, "literal", teller.watch)
    for process, (branch_rolls, places) in zip(processes, branches(len(processes), rolls), strict=True):
        if trial in places:
            start = start_state(process, len(places), branch_rolls)
            return teller.story(process, take_trials(start, [int(np.searchsorted(places, trial))]), branch_rolls)
    raise IndexError(trial)


@dataclass(eq=False)
class Teller:
    """Who watches one battle and tells it; `policies` are by side, `account` is for more than two sides."""

    battle: Battle
    policies: tuple[str, ...] = ()
    account: Account | None = None

    def __post_init__(self) -> None:
        """Start without any step; `watch` collects those of the turn in play."""
        self._steps: list[BattleStep] = []

    def watch(
        self, side: int, action: Action, before: State, after: State, rows: object, outcome: State, waves: list[Wave]
    ) -> None:
        """Note an action of one battle, its states before and after, what its dice said, and blasts; a `Watch`."""
        foe, place = self.battle.enemy(side, before, action.target)
        enemy = int(np.ravel(foe)[0]), int(place[0])
        self._steps.append(BattleStep(side, action, before, after, outcome, waves, enemy))

    def story(self, process: Process, state: State, rolls: Rolls) -> Narration:
        """Play one battle to its end, and return it told; `state` is it before its first turn, `[1, ...]`.

        The process must tell `watch` of every action.
        """
        board = Board(self.battle, state)
        frames, start = [board.first(state)], self._start(board, state)
        begin = self.account.begin(board, state) if self.account else None
        for number in range(process.max_steps):
            before, self._steps[:] = state, []
            state = process.step(number)(state, rolls)
            turn = [*_turn(board, before, self._steps, state)]
            frames += self.account.turn(turn, before, self._steps, state) if self.account else turn
            if process.over(state)[0]:
                break
        story = BoardStory(board.ground, board.sides, board.tokens, tuple(frames))
        told = told_on_board(start, story, board.end(state))
        return replace(told, record=self.account.record(), begin=begin) if self.account else told

    def _start(self, board: Board, state: State) -> str:
        """Return the opening paragraph: which map it is, who begins, and who fights."""
        first = SIDES[int(state["seat"][0].argmin()) if "seat" in state else 1 - int(state["second"][0])]
        policies = self.policies or ("",) * len(board.sides)
        sides = [
            f"{name}{f' ({policy})' if policy else ''}: {board.army(side)}"
            for side, (name, policy) in enumerate(zip(board.sides, policies, strict=True))
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


def told_act(board: Board, step: BattleStep, remaining_actions: int) -> Frame:
    """Return the frame of an action other than the end of a turn; `remaining_actions` are left after it."""
    text, act, dice = {MOVE: _move, JUMP: _jump, RAISE: _raise, EXPLODE: _explode, ATTACK: _attack}[
        int(step.action.verb[0])
    ](board, step)
    return board.frame(step, board.name(step.unit), text, remaining_actions, act, dice)


Telling = tuple[str, Act, tuple[str, ...]]


def _move(board: Board, step: BattleStep) -> Telling:
    end = int(step.action.cell[0])
    path = way(board.battle, step.before, step.unit, end)
    text = f"moves {show_many(len(path) - 1, 'cell')} to {cell_name(end)}"
    return text, Act("move", board.number[step.unit], path), ()


def way(battle: Battle, state: State, unit: Unit, end: int) -> tuple[int, ...]:
    """Return a shortest way of a unit to a cell, both ends included (WF-ACT.3, WF-ABIL.3); `state` is one battle."""
    begin, grid = int(state["cell"][0][unit]), battle.ground.grid
    occupied_cells = set() if battle.slim[state["kind"][0][unit]] else {int(cell) for cell in state["cell"][0].ravel()}
    passable = battle.ground.map.walkable - occupied_cells
    came_from, queue = {begin: begin}, deque([begin])
    while queue and end not in came_from:
        cell = queue.popleft()
        for neighbour in grid.neighbours(cell):
            if neighbour in passable and neighbour not in came_from:
                came_from[neighbour] = cell
                queue.append(neighbour)
    path = [end]
    while path[-1] != begin:
        path.append(came_from[path[-1]])
    return tuple(reversed(path))


def _jump(board: Board, step: BattleStep) -> Telling:
    begin, end = step.cell(step.unit), int(step.action.cell[0])
    line = _line(board.battle, begin, end)
    terrain = board.battle.ground.map.ground
    over = [] if not any(terrain[cell] == HEAVY for cell in line) else ["heavy cover"]
    over += [] if not any(terrain[cell] == NO_CELL for cell in line) else ["a gap"]
    over += [board.name(unit, step.side) for unit in board.units if step.cell(unit) in line]
    text = f"jumps {show_many(len(line) + 1, 'cell')} to {cell_name(end)}{' over ' if over else ''}{list_text(over)}"
    return text, Act("jump", board.number[step.unit], (begin, end)), ()


def _line(battle: Battle, begin: int, end: int) -> list[int]:
    """Return the cells strictly between two cells of a straight line, in order."""
    ray = next(ray.tolist() for ray in battle.ground.grid.rays[:, begin] if end in ray)
    return [int(cell) for cell in ray[: ray.index(end)]]


def _raise(board: Board, step: BattleStep) -> Telling:
    return "raises its Supershield", Act("own", board.number[step.unit], (step.cell(step.unit),)), ()


def _explode(board: Board, step: BattleStep) -> Telling:
    blasts = BlastsTold(board, step)
    act = Act("own", board.number[step.unit], (step.cell(step.unit),), "", blasts.drawn())
    return "; ".join(blasts.words()), act, blasts.saves()


def _attack(board: Board, step: BattleStep) -> Telling:
    weapon = int(board.battle.muster.slots[step.before["kind"][0][step.unit], step.action.slot[0]])
    outcome, blasts = said_of(step.outcome), BlastsTold(board, step)
    shot = ShotTold(board.battle, step.before, step.unit, step.target, weapon, outcome)
    cells = step.cell(step.unit), step.cell(step.target)
    at = f"{board.name(step.target)} ({cell_name(cells[1])})"
    attack_text = f"fires again at {at}" if step.action.again else f"attacks {at} with {shot.card.name}"
    falls_later = any(wave.casualties[0][step.target] for wave in step.waves[1:])
    fall_texts = [] if step.after["health"][0][step.target] or falls_later else ["it falls"]
    texts = [f"{attack_text}: {shot.words()}{_effects(board, step, outcome)}", *fall_texts, *blasts.words()]
    act = Act("shot", board.number[step.unit], cells, shot.result, blasts.drawn())
    return "; ".join(texts), act, (*shot.dice(), *blasts.saves())


def _effects(board: Board, step: BattleStep, outcome: dict[str, int]) -> str:
    """Return in words what an attack leaves on a target that still stands: burns and EMP tokens."""
    if not step.after["health"][0][step.target]:
        return ""
    turns = int(step.after["emp"][0][step.target])
    emp_text = f", disabled for {'its next turn' if turns == 1 else f'{turns} turns'}" if outcome["emp"] else ""
    return f"{', armour burned' if outcome['burn'] else ''}{emp_text}"
