"""An encounter on which a test sets the stage: who stands where and how, before a single step is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.chance.rolls.process import Process, State, start_state
from balance.chance.rolls.requests import Request
from balance.chance.rolls.rolls import ProxyRolls, RandomRolls, Rolls
from balance.games.immortal_souls.encounter.scene import Scene
from tests.games.immortal_souls.encounter.comparing import SOULS


@dataclass
class Stage:
    """Trials of an encounter, all alike at the start; `asked` are the requests of the last step with their answers."""

    scene: Scene
    process: Process
    state: State
    rolls: Rolls
    asked: list[tuple[Request[Any], Any]]

    @classmethod
    def of(cls, party: str, encounter: str, sets: Mapping[str, str] | None = None, n: int = 4, seed: int = 1) -> Stage:
        """Return n trials of an encounter as it begins."""
        asked = SOULS.ask("encounter", party, encounter, dict(sets or {}))
        (process,) = asked.kind.processes(asked.setup, "literal")
        rolls = RandomRolls(seed, "stage", 0, n)
        state = {name: values.copy() for name, values in start_state(process, n, rolls).items()}
        return cls(asked.setup.play, process, state, rolls, [])

    def put(self, **columns: Any) -> Stage:
        """Set columns of all trials: `h_health=(3, 8)`, `points=9`."""
        for name, values in columns.items():
            self.state[name][:] = values
        return self

    def area(self, name: str) -> int:
        """Return the number of an area."""
        return self.scene.area_names.index(name)

    def alone(self, area: str, foe: str, health: int = 999) -> Stage:
        """Put all heroes into one area, and all enemies, who hardly die, into another."""
        self.put(h_area=self.area(area), e_health=np.where(self.state["e_card"] >= 0, health, 0))
        return self.put(e_area=np.where(self.state["e_card"] >= 0, self.area(foe), self.scene.board.off_map))

    def play(self, step: int) -> Stage:
        """Play a step of the round: 0 the Time Phase, 1 and 2 the turns of the first hero."""
        self.asked.clear()
        self.state = self.process.step(step)(self.state, ProxyRolls(self.rolls, self._noted))
        return self

    def _noted(self, behind: Rolls, request: Request[Any]) -> Any:
        self.asked.append((request, behind.answer(request)))
        return self.asked[-1][1]

    def told(self, name: str, *place: int) -> list[Any]:
        """Return the distinct values of a column, or of a place of it, over all trials."""
        columns = np.moveaxis(self.state[name], 0, -1)
        for number in place:
            columns = columns[number]
        return sorted(set(columns.ravel().tolist()))
