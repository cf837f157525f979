"""One adventure told step by step: every card, order, move and combat, with its dice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from balance.base.numbers import show_many
from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.process import Process, State, start_state, take_trials
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.chance.trials.collect import branches
from balance.game.question.board_story import Act, BoardStory, Frame, TokenState, cell_name
from balance.game.question.replay import Narration, told_on_board
from balance.game.setup import Setup
from balance.games.battlelore.adventure.combat.throws import LETTERS
from balance.games.battlelore.adventure.map.field import LANDMARKS
from balance.games.battlelore.adventure.question.columns import AskedAdventure
from balance.games.battlelore.adventure.question.setup import battle_processes
from balance.games.battlelore.adventure.story.board import Board, Unit
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.turns.begin import DRAW

KINDS = {"attack": "attacks", "bonus": "presses on against", "back": "battles back against"}
"""Kind of attack -> how it is told."""


def tell(setup: Setup[AskedAdventure], rolls: RandomRolls, trial: int) -> Narration:
    """Return what happens in one of the adventures that `rolls` plays.

    Parameters
    ----------
    setup
        The question.
    rolls
        Those of a block of a simulation tell the very adventures of that block.
    trial
        Which of them, from 0.
    """
    teller = Teller(setup.play.battle, setup.play.first, setup.play.policies)
    processes = battle_processes(setup, "literal", teller.watch)
    for process, (branch_rolls, places) in zip(processes, branches(len(processes), rolls), strict=True):
        if trial in places:
            start = start_state(process, len(places), branch_rolls)
            return teller.story(process, take_trials(start, [int(np.searchsorted(places, trial))]), branch_rolls)
    raise IndexError(trial)


@dataclass
class Attack:
    """An attack that is being told: who, on whom, and what came of it."""

    unit: Unit
    target: Unit
    kind: str
    cells: tuple[int, int]
    dice: list[str] = field(default_factory=list)
    effects: list[str] = field(default_factory=list)


POWERS = ("", "stores Lore", "uses Web", "uses Poison")
"""What a creature does with the Lore faces it rolls, by number."""
REFILLS = (
    "draws two Lore cards and keeps one",
    "draws a Lore card and takes a token",
    "takes two Lore tokens",
)
"""What a side does at the end of its turn, by number of the option (BL-LORE-20)."""


@dataclass(eq=False)
class Teller:
    """Who watches one adventure and tells it; `first` is the side that begins, `policies` are those of both sides."""

    battle: Battle
    first: int
    policies: tuple[str, str] = ("", "")

    def __post_init__(self) -> None:
        """Begin with nothing seen."""
        self.board = Board(self.battle)
        self._frames: list[Frame] = []
        self._attack: Attack | None = None
        self._dice = list[str]()
        self._standings: tuple[TokenState, ...] = ()
        self._card, self._moment, self._side, self._score = "", "Start", -1, ("0", "0")

    def story(self, process: Process, state: State, rolls: Rolls) -> Narration:
        """Play one adventure to its end, and return it told.

        Parameters
        ----------
        process
            Which has `watch` told of all that happens.
        state
            The adventure before its first turn, `[1, ...]`.
        rolls
            The rolls.
        """
        self._standings = self.board.standings(state)
        self._frames = [self._frame("", "The sides deploy", None)]
        for number in range(process.max_steps):
            self._moment, self._side = f"Turn {number + 1}", (self.first + number) % 2
            state = process.step(number)(state, rolls)
            self._close(state)
            if process.over(state)[0]:
                break
        story = BoardStory(self.board.ground, self.board.sides, self.board.tokens, tuple(self._frames))
        return told_on_board(self._start(), story, self._end(state))

    def _start(self) -> str:
        adventure = self.battle.adventure
        needs = self.battle.terms.banners
        sides = [
            f"{name}{f' ({policy})' if policy else ''} needs {show_many(needed, 'banner')}"
            for name, policy, needed in zip(self.board.sides, self.policies, needs, strict=True)
        ]
        return ". ".join([f"{adventure.title}: {self.board.sides[self.first]} begins", *sides])

    def _end(self, state: State) -> str:
        winner, turns = int(state["winner"][0]), show_many(int(state["turn"][0]), "turn")
        banners = " to ".join(str(int(count)) for count in state["banners"][0])
        if winner == DRAW:
            return f"Nobody has won after {turns}: {banners} banners."
        return f"{self.board.sides[winner - 1]} has won after {turns}: {banners} banners."

    # -- watching ------------------------------------------------------------------------------------------------------

    def watch(self, what: str, side: int, rows: IntArray, fields: Mapping[str, Any], state: State) -> None:
        """Note what happens in the one trial that is played; a `Watch`.

        Parameters
        ----------
        what
            What happened.
        side
            The side that it happened to.
        rows
            Numbers of the trials.
        fields
            What there is to say of it.
        state
            The state after it.
        """
        note = _NOTES.get(what)
        if note is not None and len(rows):
            note(self, side, fields, state)

    def _note_card(self, side: int, fields: Mapping[str, Any], state: State) -> None:
        card, effective = int(fields["card"][0]), int(fields["effective"][0])
        cards = self.battle.deck.cards
        self._card = "plays no card" if card < 0 else f"plays {cards[card].name}"
        if 0 <= effective != card and effective < len(cards):
            self._card += f", as {cards[effective].name}"

    def _note_order(self, side: int, fields: Mapping[str, Any], state: State) -> None:
        units = [(side, slot) for slot in np.flatnonzero(fields["unit"][0]).tolist()]
        labels = ", ".join(self.board.tokens[self.board.units.index(unit)].label for unit in units)
        self._add(self.board.sides[side], f"{self._card}; orders {labels or 'nobody'}", state)

    def _note_move(self, side: int, fields: Mapping[str, Any], state: State) -> None:
        before, after = int(fields["before"][0]), int(fields["after"][0])
        if before != after:
            unit = (side, int(fields["unit"][0]))
            act = Act("move", self.board.units.index(unit), (before, after))
            self._add(self.board.name(unit), f"moves to {cell_name(after)}", state, act)

    def _note_battle(self, side: int, fields: Mapping[str, Any], state: State) -> None:
        self._close(state)
        unit, target = (side, int(fields["unit"][0])), (1 - side, int(fields["target"][0]))
        cells = int(state["cell"][0][unit]), int(state["cell"][0][target])
        self._attack = Attack(unit, target, str(fields["kind"]), cells)
        self._standings = self.board.standings(state)

    def _note_throw(self, side: int, fields: Mapping[str, Any], state: State) -> None:
        counts = fields["faces"][0].tolist()
        dice = " ".join(f"{count} {face}" for face, count in zip(LETTERS, counts, strict=True) if count)
        (self._dice if self._attack is None else self._attack.dice).append(f"{fields['name']}: {dice}")

    def _note_hit(self, side: int, fields: Mapping[str, Any], state: State) -> None:
        unit, n_figures = (side, int(fields["unit"][0])), int(fields["lost"][0])
        if n_figures:
            self._effect(f"{self.board.name(unit)} loses {show_many(n_figures, 'figure')}", state)

    def _note_retreat(self, side: int, fields: Mapping[str, Any], state: State) -> None:
        unit, after = (side, int(fields["unit"][0])), int(fields["after"][0])
        if after != int(fields["before"][0]):
            self._effect(f"{self.board.name(unit)} retreats to {cell_name(after)}", state)

    def _note_gone(self, side: int, fields: Mapping[str, Any], state: State) -> None:
        self._effect(f"{self.board.name((side, int(fields['unit'][0])))} is gone", state)

    def _note_gain(self, side: int, fields: Mapping[str, Any], state: State) -> None:
        before, after = int(fields["before"][0]), int(fields["after"][0])
        if before != after:
            self._close(state)
            unit = (side, int(fields["unit"][0]))
            act = Act("move", self.board.units.index(unit), (before, after))
            self._add(self.board.name(unit), f"follows to {cell_name(after)}", state, act)

    def _note_draw(self, side: int, fields: Mapping[str, Any], state: State) -> None:
        card = int(fields["card"][0])
        text = "has no card to draw" if card < 0 else f"draws {self.battle.deck.cards[card].name}"
        self._add(self.board.sides[side], text, state)

    def _note_refill(self, side: int, fields: Mapping[str, Any], state: State) -> None:
        self._add(self.board.sides[side], REFILLS[int(fields["option"][0])], state)

    def _note_lore(self, side: int, fields: Mapping[str, Any], state: State) -> None:
        card, target = self.battle.lore_deck.cards[int(fields["card"][0])], ""
        if (slot := int(fields["unit"][0])) >= 0:
            foe = card.target in ("enemy_unit", "attacking_enemy")
            target = f" on {self.board.name((1 - side if foe else side, slot))}"
        text = f"plays {card.name}{target} for {int(state['lore_paid'][0, side])} Lore"
        if card.phase == "instead":
            self._card = text
        else:
            self._effect(f"{self.board.sides[side]} {text}", state)

    def _note_power(self, side: int, fields: Mapping[str, Any], state: State) -> None:
        unit, power = (side, int(fields["unit"][0])), POWERS[int(fields["power"][0])]
        if power:
            self._effect(f"{self.board.name(unit)} {power}", state)

    def _note_landmark(self, side: int, fields: Mapping[str, Any], state: State) -> None:
        terrain, at = LANDMARKS[int(fields["master"][0])], cell_name(int(fields["cell"][0]))
        name = self.battle.field.terrains[terrain].name
        self._add(self.board.sides[side], f"places its {name} at {at}", state)

    def _effect(self, text: str, state: State) -> None:
        """Note what an attack leads to; outside of attacks it is told alone."""
        if self._attack is None:
            self._add("", text, state)
            return
        self._attack.effects.append(text)
        self._standings = self.board.standings(state)

    # -- frames --------------------------------------------------------------------------------------------------------

    def _close(self, state: State) -> None:
        """Put down the attack that was being told, if there is one."""
        attack, self._attack = self._attack, None
        self._score = tuple(str(int(count)) for count in state["banners"][0])  # type: ignore[assignment]
        if attack is None:
            return
        text = f"{KINDS[attack.kind]} {self.board.name(attack.target)}: {'; '.join(attack.effects) or 'no effect'}"
        act = Act("shot", self.board.units.index(attack.unit), attack.cells, "hit" if attack.effects else "miss")
        self._frames.append(self._frame(self.board.name(attack.unit), text, act, tuple(attack.dice)))

    def _add(self, actor: str, text: str, state: State, act: Act | None = None) -> None:
        self._close(state)
        self._standings = self.board.standings(state)
        self._frames.append(self._frame(actor, text, act, tuple(self._dice)))
        self._dice.clear()

    def _frame(self, actor: str, text: str, act: Act | None, dice: tuple[str, ...] = ()) -> Frame:
        needed = self.battle.terms.banners
        a, b = (f"{count} of {most}" for count, most in zip(self._score, needed, strict=True))
        return Frame(self._moment, self._side, actor, text, self._standings, act, dice, (("banners", a, b),))


_NOTES = {
    "card": Teller._note_card,
    "order": Teller._note_order,
    "move": Teller._note_move,
    "battle": Teller._note_battle,
    "throw": Teller._note_throw,
    "hit": Teller._note_hit,
    "retreat": Teller._note_retreat,
    "gone": Teller._note_gone,
    "gain": Teller._note_gain,
    "draw": Teller._note_draw,
    "refill": Teller._note_refill,
    "lore": Teller._note_lore,
    "power": Teller._note_power,
    "landmark": Teller._note_landmark,
}
"""What is watched -> what notes it."""
