"""The board of a battle that is told: its ground and tokens, how everybody stands, how a round and the battle end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from balance.base.numbers import show_many
from balance.chance.rolls.board import OFF_BOARD
from balance.chance.rolls.process import State
from balance.game.kit.board.battle import DRAW
from balance.game.question.board_story import Act, Frame, Ground, Mark, Token, TokenState, short_labels
from balance.games.warforged.attack import BURNT_OUT, UP
from balance.games.warforged.battle.story.dice import Unit
from balance.games.warforged.battle.turns.actions import Action
from balance.games.warforged.battle.turns.strike import Wave
from balance.games.warforged.battle.turns.terms import Battle

SIDES = ("Side a", "Side b", "Side c", "Side d")


@dataclass(frozen=True, eq=False)
class BattleStep:
    """An action of one battle: the states before and after it `[1, ...]`, what dice of attacks said, and blasts.

    `enemy`: the side that is attacked, and the place of the target in its army.
    """

    side: int
    action: Action
    before: State
    after: State
    outcome: State
    waves: Sequence[Wave] = ()
    enemy: Unit = (-1, -1)

    @property
    def unit(self) -> Unit:
        """Side and place of the unit that acts."""
        return self.side, int(self.action.unit[0])

    @property
    def target(self) -> Unit:
        """Side and place of the enemy that is attacked."""
        return self.enemy

    def cell(self, unit: Unit) -> int:
        """Return the cell of a unit before the action."""
        return int(self.before["cell"][0][unit])


class Board:
    """What does not change in a battle, and how the rest is told; `state` is the battle at first, `[1, ...]`."""

    def __init__(self, battle: Battle, state: State) -> None:
        self.battle = battle
        kinds = state["kind"][0]
        self.units: tuple[Unit, ...] = tuple(
            (side, int(place)) for side in range(len(kinds)) for place in np.flatnonzero(battle.health[kinds[side]] > 0)
        )
        self.sides = SIDES[: len(kinds)]
        self.number = {unit: number for number, unit in enumerate(self.units)}
        self._loadouts = [battle.muster.members[kinds[unit]].loadout for unit in self.units]
        self.tokens = tuple(self._tokens())
        field = battle.ground.map
        bases, terrain = field.bases[: len(kinds)], tuple(map(int, field.terrain))
        self.ground = Ground(
            field.grid.shape, field.grid.columns, field.grid.rows, terrain, bases, field.objectives, field.title
        )

    def _tokens(self) -> Iterator[Token]:
        names = [loadout.unit.name for loadout in self._loadouts]
        by_side = [
            [name for name, unit in zip(names, self.units, strict=True) if unit[0] == s] for s in range(len(self.sides))
        ]
        labels = short_labels(names) if len(names) < 100 else tuple(chain(*map(short_labels, by_side)))
        for (side, _), loadout, label in zip(self.units, self._loadouts, labels, strict=True):
            yield Token(loadout.name, side, label, loadout.unit.health)

    @cached_property
    def _names(self) -> dict[Unit, str]:
        rows = zip(self.units, self.tokens, self._loadouts, strict=True)
        return {unit: f"{token.label} {loadout.unit.name}" for unit, token, loadout in rows}

    def name(self, unit: Unit, beside: int | None = None) -> str:
        """Return label and name of a unit, with "own" before it if it belongs to the side `beside` that hurts it."""
        return f"{'own ' if unit[0] == beside else ''}{self._names[unit]}"

    def army(self, side: int) -> str:
        """Return labels and names of the units of a side as a list in words."""
        return ", ".join(f"{token.label} {token.name}" for token in self.tokens if token.side == side)

    def standings(self, state: State, turn: int = -1) -> tuple[TokenState, ...]:
        """Return cell, health and marks of every unit, in the turn of a side, 0 or 1; -1 between turns."""
        return tuple(
            TokenState(int(state["cell"][0][unit]), int(state["health"][0][unit]), tuple(_marks(state, unit, turn)))
            for unit in self.units
        )

    def placement_text(self, state: State) -> str:
        """Return in words how many units are on the board, and how many wait."""
        on = [int(state["cell"][0][unit]) != OFF_BOARD for unit in self.units]
        n_waiting = len(on) - sum(on)
        text = f"{show_many(sum(on), 'unit is', 'units are')} placed"
        return text + (f", {show_many(n_waiting, 'waits', 'wait')}" if n_waiting else "")

    def first(self, state: State) -> Frame:
        """Return the frame of the position after deployment, which no side acts in."""
        return Frame("Start", -1, "", self.placement_text(state), self.standings(state), score=tuple(self.score(state)))

    def frame(
        self,
        step: BattleStep,
        actor: str,
        text: str,
        remaining_actions: int | None,
        act: Act | None = None,
        dice: tuple[str, ...] = (),
    ) -> Frame:
        """Return the frame of an action; `remaining_actions` None stands for all those of a turn.

        `actor` and `text` say who does what, `act` what a page draws of it, and `dice` what was rolled.
        """
        moment, after = f"Round {int(step.before['round'][0])}", step.after
        remaining_actions = int(after["limit"][0]) if remaining_actions is None else remaining_actions
        counts = (str(remaining_actions) if side == step.side else "0" for side in range(len(self.sides)))
        score = (*self.score(after), ("actions left", *counts))
        return Frame(moment, step.side, actor, text, self.standings(after, step.side), act, dice, score)

    def score(self, state: State) -> Iterator[tuple[str, ...]]:
        """Yield rows of the score: what is counted, and its value for each side."""
        if self.battle.table is not None:
            yield ("victory points", *map(str, state["victory"][0].tolist()))
        if self.battle.terms.objective_rounds:
            yield ("rounds held", *map(str, state["held"][0].tolist()))

    def round_end(self, state: State) -> Frame:
        """Return what the end of a round says of the objective (WF-WIN.1)."""
        rounds_held = state["held"][0]
        text = "ends: nobody holds the objective alone"
        for side in range(len(self.sides)):
            if rounds_held[side]:
                rounds = show_many(int(rounds_held[side]), "round")
                text = (
                    f"ends: {SIDES[side]} has held the objective for {rounds} of {self.battle.terms.objective_rounds}"
                )
        moment = f"Round {int(state['round'][0])}"
        return Frame(moment, -1, "The round", text, self.standings(state), score=tuple(self.score(state)))

    def end(self, state: State) -> str:
        """Return who has won, and why, in a sentence."""
        if self.battle.table is not None:
            return self._end_of_table(state)
        winner, ending, number = (int(state[name][0]) for name in ("winner", "ended", "round"))
        if ending == 3:
            return self._at_the_limit(state, winner)
        if winner == DRAW:
            return f"A draw in round {number}: the last units of both sides fell at once."
        if winner == 0:
            return "Nobody has won."
        loser = SIDES[2 - winner]
        reason = f"{loser} has nobody left"
        if ending == 2:
            reason = f"it has held the objective for {show_many(self.battle.terms.objective_rounds, 'round')} in a row"
        return f"{SIDES[winner - 1]} has won in round {number}: {reason}."

    def _end_of_table(self, state: State) -> str:
        """Return who has won among more than two, and why."""
        ending, moment = int(state["ended"][0]), f"in round {int(state['round'][0])}"
        victors = [name for name, won in zip(self.sides, state["victors"][0], strict=True) if won]
        points = ", ".join(map(str, state["victory"][0].tolist()))
        reason = {1: "no enemy is left", 2: "the objective was held long enough", 3: f"victory points {points}"}[ending]
        if not victors:
            return f"A draw {moment}: {reason if ending == 3 else 'the last units of all sides fell at once'}."
        names = f"{', '.join(victors[:-1])} and {victors[-1]} have" if len(victors) > 1 else f"{victors[0]} has"
        return f"{names} won {moment}: {reason}."

    def _at_the_limit(self, state: State, winner: int) -> str:
        """Return who has won at the round limit (WF-Q18)."""
        losses = [sum(unit[0] == side and not state["health"][0][unit] for unit in self.units) for side in (0, 1)]
        health = [int(state["health"][0, side].sum()) for side in (0, 1)]
        limit = f"at the limit of {show_many(self.battle.terms.round_limit, 'round')}"
        if winner == DRAW:
            also = f" and have {health[0]} health left" if self.battle.terms.health_decides else ""
            return f"A draw {limit}: both sides lost {show_many(losses[0], 'unit')}{also}."
        victor, loser = winner - 1, 2 - winner
        reason = f"it lost {show_many(losses[victor], 'unit')}, {SIDES[loser]} {losses[loser]}"
        if losses[0] == losses[1]:
            reason = (
                f"both sides lost {show_many(losses[0], 'unit')}, "
                f"but it has {health[victor]} health left to {health[loser]}"
            )
        return f"{SIDES[victor]} has won {limit}: {reason}."


def _marks(state: State, unit: Unit, turn: int) -> Iterator[Mark]:
    """Yield the marks of a unit that lives: shield, EMP tokens, burns, and whether it has jumped in this turn."""
    if not state["health"][0][unit]:
        return
    shield = int(state["shield"][0][unit])
    if shield == UP:
        yield Mark("S", "Supershield up")
    if shield == BURNT_OUT:
        yield Mark("s", "Supershield burnt out")
    if tokens := int(state["emp"][0][unit]):
        yield Mark(f"E{tokens}", f"disabled for {'its next turn' if tokens == 1 else f'{tokens} turns'}")
    if burnt := int(state["burn"][0][unit].sum()):
        yield Mark(f"B{burnt}", f"burned: armour {burnt} less")
    if state["done"][0][unit] and unit[0] == turn:
        yield Mark("D", "has jumped: done for the turn")
