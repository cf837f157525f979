"""Single steps of an encounter, from a state that a test writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from balance.chance.rolls.process import Process, State, start_state
from balance.chance.rolls.rolls import RandomRolls
from balance.game.question.question import Question
from balance.games.immortal_souls.encounter.board.decks import DISCARD_PILE, IN_DECK
from balance.games.immortal_souls.encounter.scene import Scene
from tests.games.immortal_souls.encounter.comparing import SOULS


@dataclass(frozen=True)
class Table:
    """An encounter as it was asked for, n times."""

    party: str
    encounter: str
    sets: Mapping[str, str]
    n: int = 32

    @cached_property
    def asked(self) -> Question:
        return SOULS.ask("encounter", self.party, self.encounter, self.sets)

    @cached_property
    def process(self) -> Process:
        (process,) = self.asked.kind.processes(self.asked.setup, "literal")
        return process

    @property
    def scene(self) -> Scene:
        scene: Scene = self.asked.setup.play
        return scene

    def start(self, **columns: object) -> State:
        """Return the state at the start, with some columns, or one place of them as `h_area_0`, written anew."""
        state = start_state(self.process, self.n, self.rolls())
        for name, value in columns.items():
            head, _, place = name.rpartition("_")
            column = state[head][:, int(place)] if place.isdigit() else state[name]
            column[...] = self.scene.area_names.index(value) if isinstance(value, str) else value
        return state

    def rolls(self) -> RandomRolls:
        return RandomRolls(7, "steps", 0, self.n)

    def hero_turn(self, hero: int, state: State) -> State:
        return self.process.step(1 + 2 * hero)(state, self.rolls())

    def enemy_turn(self, hero: int, state: State, card: str) -> State:
        """Play an Enemy Turn with this encounter card."""
        state["encounter_deck"][...] = DISCARD_PILE
        state["encounter_deck"][:, self.scene.card_names.index(card)] = IN_DECK
        return self.process.step(2 + 2 * hero)(state, self.rolls())

    def event_phase(self, state: State) -> State:
        return self.process.step(len(self.process.steps) - 1)(state, self.rolls())


def alike(values: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> object:
    """Return what all trials have, as plain values; they must agree."""
    assert (values == values[0]).all(), values
    return values[0].tolist()
