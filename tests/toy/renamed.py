"""The toy whose duel says who won in a column `outcome`, and how long it took in one that is called `winner`."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from balance.chance.rolls.process import State
from balance.game import Process
from tests.toy.game import GAME as TOY

NAMES = {"winner": "outcome", "strikes": "winner"}
_DUEL = TOY.kinds["duel"]


def _outcome(process: Process, state: State, steps: Any) -> State:
    return {NAMES[name]: values for name, values in process.outcome(state, steps).items()}


def _duel(setup: Any, lane: Any) -> tuple[Process, ...]:
    return tuple(replace(process, outcome=partial(_outcome, process)) for process in _DUEL.processes(setup, lane))


_COLUMNS = {NAMES[name]: column for name, column in _DUEL.columns.items()}
GAME = replace(TOY, kinds={**TOY.kinds, "duel": replace(_DUEL, processes=_duel, columns=_COLUMNS)})
