"""Choices as dice: what a written die says of a choice, and what a choice made says of the die that would make it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from balance.chance.rolls.choices import Choose
from balance.chance.rolls.process import Process, State, Step
from balance.chance.rolls.requests import Request
from balance.chance.rolls.rolls import FixedRolls, ProxyRolls, Rolls

FACES = {
    "card": 12,
    "troop": 36,
    "combine": 36,
    "loss": 12,
    "swap": 840,
    "second": 6,
    "bonus": 20,
    "stratagems": 30_000,
    "standard": 2,
    "resolve": 2,
    "remove": 2,
}
"""Faces of the die that makes each choice."""
YES_IS_ONE = ("standard", "resolve", "remove")
"""Choices between no and yes: 1 is yes."""


def told_apart(request: Choose) -> tuple[str, str]:
    """Return (side and choice, the choice), one name for what is asked again and again."""
    kind = {"answer": "troop", "answer bonus": "bonus"}.get(request.name, request.name.split(" ", 1)[0])
    return f"{request.side} {kind}", kind


class Faces(FixedRolls):
    """Written dice that make choices, for one trial: the options share the faces evenly."""

    def answer(self, request: Request[Any]) -> Any:
        if not isinstance(request, Choose):
            return super().answer(request)
        name, kind = told_apart(request)
        legal = np.flatnonzero(request.flags()[0])
        decides = len(request.view.rows) > 0 if kind == "loss" else len(legal) > 1
        if not decides:
            return legal[:1]
        given = self.take(name, 1)
        face = int(given[0]) if given else min(self.fill, FACES[kind])
        if kind in YES_IS_ONE:
            return np.array([int(face == 1)])
        return legal[[(face - 1) * len(legal) // FACES[kind]]]


def written_down(process: Process, dice: dict[str, list[int]]) -> Process:
    """Return a process of one trial that writes down, by name, a face of the die that makes each choice made."""
    return replace(process, steps=tuple(_noting(step, process, dice) for step in process.steps))


def _noting(step: Step, process: Process, dice: dict[str, list[int]]) -> Step:
    def around(rolls: Rolls, request: Request[Any]) -> Any:
        answer = rolls.answer(request)
        if isinstance(request, Choose):
            name, kind = told_apart(request)
            shown = dice.setdefault(name, [])
            legal = np.flatnonzero(request.flags()[0])
            if not request.name.startswith("answer"):
                shown.append(1)
            elif len(legal) == 1:
                return answer
            shown[-1] = _face(kind, int(answer[0]), legal.tolist(), process.policies[request.side])
        return answer

    return lambda state, rolls: _played(step, state, ProxyRolls(rolls, around))


def _played(step: Step, state: State, rolls: Rolls) -> State:
    return step(state, rolls)


def _face(kind: str, option: int, legal: list[int], policy: Any) -> int:
    if kind == "card":
        return int(sum(policy.mix.weights[:option])) + 1
    if kind in YES_IS_ONE:
        return 1 if option else 2
    return -(-legal.index(option) * FACES[kind] // len(legal)) + 1
